#include "estimators/observers/residual_statistic.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

namespace idbench {
namespace {

constexpr double kNoStatistic = std::numeric_limits<double>::quiet_NaN();

/// Whether the rows of an equation hold friction of joints.
bool HoldsFriction(const EquationRows& rows) {
  const RowsFrom source = InfoOf(rows.equation).rows;
  return source == RowsFrom::kTorqueRows || source == RowsFrom::kDriveRows ||
         source == RowsFrom::kMappedRows;
}

}  // namespace

std::vector<EquationRows> WithDeadZone(const Problem& problem, std::vector<EquationRows> equations,
                                       const std::optional<PerJoint>& zone) {
  if (!zone) return equations;
  const auto dofs = static_cast<std::size_t>(problem.model.dofs());
  if (zone->values.size() != 1 && zone->values.size() != dofs) {
    Refuse(fmt::format("dead_zone_rad_s has {} numbers, the robot has {} joints",
                       zone->values.size(), dofs));
  }
  for (EquationRows& rows : equations) {
    if (!HoldsFriction(rows)) continue;
    rows.dead_zone.resize(problem.model.dofs());
    for (std::size_t j = 0; j < dofs; ++j) {
      rows.dead_zone[static_cast<Eigen::Index>(j)] = (*zone)[j];
    }
  }
  return equations;
}

ResidualStatistic::ResidualStatistic(const Problem& problem, const Estimate& model,
                                     std::vector<EquationRows> equations,
                                     const ResidualStatisticOptions& options)
    : problem_(problem),
      model_(model),
      options_(options),
      equations_(WithDeadZone(problem, std::move(equations), options.dead_zone_rad_s)),
      mask_(problem.model, equations_) {
  if (options.model_uncertainty) spread_ = ModelSpread::Of(problem, model, equations_);
}

ModelResidual ResidualStatistic::Residual(const Dataset& dataset) const {
  ModelResidual residual = ResidualOf(problem_, model_.pi, dataset, equations_);
  if (options_.lowpass) FilterResidual(*options_.lowpass, dataset.label(), residual);
  mask_.ApplyToSamples(residual.qd, residual.r);
  return residual;
}

template <class Judge>
void ResidualStatistic::ForEachZ(const ModelResidual& residual, const Judge& judge) const {
  const bool of_residuals = options_.average == StatisticAverage::kResiduals;
  ResidualWindow window(residual.r.cols(), of_residuals ? options_.samples : 1);
  std::optional<BiasTracker> tracker;
  if (options_.bias_tracking_s) {
    tracker.emplace(BiasTracker::Options{*options_.bias_tracking_s, options_.frozen_s,
                                         options_.longest_freeze_s, options_.bias_clip},
                    sigma_);
  }
  Eigen::RowVectorXd r(residual.r.cols()), unbiased(residual.r.cols());
  for (Eigen::Index k = 0; k < residual.r.rows(); ++k) {
    r = residual.r.row(k);
    unbiased = r;
    if (tracker) unbiased -= tracker->b();
    window.Push(unbiased);
    const bool detected = judge(k, window.z(), window.roots());
    const double step_s = k > 0 ? residual.time_s[k] - residual.time_s[k - 1] : 0.0;
    if (tracker) tracker->Update(r, step_s, detected);
  }
}

std::vector<TrainedStatistic> ResidualStatistic::Learn(std::span<const Dataset> training) {
  std::vector<ModelResidual> residuals;
  for (const Dataset& dataset : training) {
    if (dataset.role() == Role::kIdentification) residuals.push_back(Residual(dataset));
  }
  if (residuals.empty() && options_.lowpass) {
    Refuse(
        "\"lowpass\" takes identification data: a declared σ is of single samples, not of what the "
        "filter leaves of them");
  }
  const Eigen::MatrixXd of_samples =
      SampleCovariance(problem_, equations_, residuals, options_.covariance);
  sigma_ = of_samples.diagonal().cwiseSqrt();
  if (residuals.empty()) {
    S_ = of_samples;
    square_ = std::make_unique<MahalanobisSquare>(S_);
    return {};
  }
  std::vector<Eigen::MatrixXd> all;
  for (const ModelResidual& residual : residuals) {
    Eigen::MatrixXd& z = all.emplace_back(residual.r.rows(), residual.r.cols());
    ForEachZ(residual, [&z](Eigen::Index k, const Eigen::RowVectorXd& now, const auto& /*roots*/) {
      z.row(k) = now;
      return false;
    });
  }
  S_ = SecondMoments(all, RoundOffVariance(residuals), options_.covariance);
  square_ = std::make_unique<MahalanobisSquare>(S_);
  std::vector<TrainedStatistic> statistics;
  for (const ModelResidual& residual : residuals) {
    statistics.push_back(
        {residual.time_s, WatchBelow(residual, std::numeric_limits<double>::infinity()).square});
  }
  return statistics;
}

double ResidualStatistic::Square(const ModelResidual& residual, Eigen::Index k,
                                 const Eigen::RowVectorXd& z, const Eigen::RowVectorXd& roots) {
  const double square =
      spread_ == nullptr ? square_->Of(z) : square_->Of(z, spread_->At(residual, k, roots));
  if (std::isnan(square)) return square;
  return EquivalentSquare(square, square_->rows(), static_cast<int>(z.size()));
}

ResidualStatistic::Watched ResidualStatistic::Watch(const ModelResidual& residual,
                                                    double threshold) {
  return WatchBelow(residual, options_.freeze_threshold.value_or(threshold));
}

ResidualStatistic::Watched ResidualStatistic::WatchBelow(const ModelResidual& residual,
                                                         double slowed_above) {
  Watched watched{Eigen::VectorXd::Constant(residual.r.rows(), kNoStatistic),
                  Eigen::MatrixXd(residual.r.rows(), residual.r.cols())};
  Eigen::VectorXd& statistic = watched.square;
  const bool of_squares = options_.average == StatisticAverage::kSquares;
  ResidualWindow squares(1, options_.samples);
  ForEachZ(residual,
           [&](Eigen::Index k, const Eigen::RowVectorXd& z, const Eigen::RowVectorXd& roots) {
             watched.mean.row(k) = z.cwiseQuotient(roots);
             statistic[k] = Square(residual, k, z, roots);
             if (of_squares) {
               squares.Push(statistic.segment<1>(k).transpose());
               statistic[k] = squares.z()[0] / squares.roots()[0];
             }
             return statistic[k] > slowed_above;
           });
  return watched;
}

void AddResidualStatistic(ResidualStatisticOptions& o, FieldTable& table) {
  table.Add("lowpass", o.lowpass,
            {.doc = "Butterworth low-pass of the residuals, before anything else; absent: none"});
  table.Add("samples", o.samples,
            {.doc = "Number n of samples, up to the present one, that a value of the statistic is "
                    "made of",
             .lower = 1});
  table.Add(
      "average", o.average,
      {.doc = "Quantity that is averaged over these: the \"residuals\", or the \"squares\" T² of "
              "single samples"});
  table.Add(
      "covariance", o.covariance,
      {.doc = "Covariance of the residuals: \"full\", or \"diagonal\" (variance of each row), "
              "as published"});
  table.Add("bias_tracking_s", o.bias_tracking_s,
            {.doc = "Time constant with which the mean of each residual is tracked and taken out; "
                    "absent: it is not",
             .unit = "s",
             .lower = 0.0,
             .lower_open = true});
  table.Add("frozen_s", o.frozen_s,
            {.doc = "That time constant while a contact is detected",
             .unit = "s",
             .lower = 0.0,
             .lower_open = true});
  table.Add(
      "longest_freeze_s", o.longest_freeze_s,
      {.doc =
           "Longest time for which a contact slows the tracking: longer ones are taken for a bias",
       .unit = "s",
       .lower = 0.0});
  table.Add("freeze_threshold", o.freeze_threshold,
            {.doc = "Statistic above which the tracking is slowed; absent: that above which a "
                    "contact is detected",
             .lower = 0.0});
  table.Add("bias_clip", o.bias_clip,
            {.doc = "Residuals less their mean count at most this many standard deviations for the "
                    "tracking",
             .lower = 0.0,
             .lower_open = true});
  table.Add(
      "model_uncertainty", o.model_uncertainty,
      {.doc = "Add what the covariance of the model's parameters, if it states one, leaves open "
              "of a sample's rows"});
}

void AddDeadZone(ResidualStatisticOptions& o, FieldTable& table) {
  table.Add("dead_zone_rad_s", o.dead_zone_rad_s,
            {.doc = "Speed of each joint below which its rows do not count (m/s if prismatic); "
                    "absent: that of the problem's equations",
             .unit = "rad/s",
             .lower = 0.0});
}

}  // namespace idbench
