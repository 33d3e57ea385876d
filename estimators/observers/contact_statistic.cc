#include "estimators/observers/contact_statistic.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "estimators/interface/row_mask.h"
#include "estimators/observers/model_residual.h"
#include "estimators/observers/model_spread.h"
#include "estimators/observers/residual_window.h"

namespace idbench {
namespace {

constexpr double kNoStatistic = std::numeric_limits<double>::quiet_NaN();

/// The statistic of a problem's residuals, sample by sample.
class Statistic {
 public:
  Statistic(const Problem& problem, const Estimate& model, const ContactStatisticOptions& options);

  /// Learns S from the residuals where nothing acts, and returns their statistic.
  std::vector<TrainedStatistic> Learn(std::span<const Dataset> training);
  /// Returns the statistic of a dataset.
  /// @param threshold  above which the bias is not tracked.
  Eigen::VectorXd Watch(const ModelResidual& residual, double threshold);

  ModelResidual Residual(const Dataset& dataset) const;

 private:
  /// z of each sample; judge(k, z, √k) says whether something is detected.
  template <class Judge>
  void ForEachZ(const ModelResidual& residual, const Judge& judge) const;
  /// T² of a sample, of as many degrees as rows.
  double Square(const ModelResidual& residual, Eigen::Index k, const Eigen::RowVectorXd& z,
                const Eigen::RowVectorXd& roots);
  int window() const {
    return options_.average == StatisticAverage::kResiduals ? options_.samples : 1;
  }

  const Problem& problem_;
  const Estimate& model_;
  const ContactStatisticOptions& options_;
  std::vector<EquationRows> equations_;
  RowMask mask_;
  Eigen::VectorXd sigma_;  ///< Of a sample of each row.
  std::unique_ptr<MahalanobisSquare> square_;
  std::unique_ptr<ModelSpread> spread_;  ///< nullptr: that of the model does not count.
};

/// Whether the rows of an equation hold friction of joints.
bool HoldsFriction(const EquationRows& rows) {
  const RowsFrom source = InfoOf(rows.equation).rows;
  return source == RowsFrom::kTorqueRows || source == RowsFrom::kDriveRows ||
         source == RowsFrom::kMappedRows;
}

/// Equations with the dead zone of the options, of those that hold friction.
std::vector<EquationRows> WithDeadZone(const Problem& problem,
                                       const std::optional<PerJoint>& zone) {
  std::vector<EquationRows> equations = EquationsWithModel(problem);
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

Statistic::Statistic(const Problem& problem, const Estimate& model,
                     const ContactStatisticOptions& options)
    : problem_(problem),
      model_(model),
      options_(options),
      equations_(WithDeadZone(problem, options.dead_zone_rad_s)),
      mask_(problem.model, equations_) {
  if (options.model_uncertainty) spread_ = ModelSpread::Of(problem, model, equations_);
}

ModelResidual Statistic::Residual(const Dataset& dataset) const {
  ModelResidual residual = ResidualOf(problem_, model_.pi, dataset, equations_);
  mask_.ApplyToSamples(residual.qd, residual.r);
  return residual;
}

template <class Judge>
void Statistic::ForEachZ(const ModelResidual& residual, const Judge& judge) const {
  ResidualWindow window(residual.r.cols(), this->window());
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

std::vector<TrainedStatistic> Statistic::Learn(std::span<const Dataset> training) {
  std::vector<ModelResidual> residuals;
  for (const Dataset& dataset : training) {
    if (dataset.role() == Role::kIdentification) residuals.push_back(Residual(dataset));
  }
  const Eigen::MatrixXd of_samples =
      SampleCovariance(problem_, equations_, residuals, options_.covariance);
  sigma_ = of_samples.diagonal().cwiseSqrt();
  if (residuals.empty()) {
    square_ = std::make_unique<MahalanobisSquare>(of_samples);
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
  square_ = std::make_unique<MahalanobisSquare>(
      SecondMoments(all, RoundOffVariance(residuals), options_.covariance));
  std::vector<TrainedStatistic> statistics;
  for (const ModelResidual& residual : residuals) {
    statistics.push_back(
        {residual.time_s, Watch(residual, std::numeric_limits<double>::infinity())});
  }
  return statistics;
}

double Statistic::Square(const ModelResidual& residual, Eigen::Index k, const Eigen::RowVectorXd& z,
                         const Eigen::RowVectorXd& roots) {
  const double square =
      spread_ == nullptr ? square_->Of(z) : square_->Of(z, spread_->At(residual, k, roots));
  if (std::isnan(square)) return square;
  return EquivalentSquare(square, square_->rows(), static_cast<int>(z.size()));
}

Eigen::VectorXd Statistic::Watch(const ModelResidual& residual, double threshold) {
  Eigen::VectorXd statistic = Eigen::VectorXd::Constant(residual.r.rows(), kNoStatistic);
  const bool of_squares = options_.average == StatisticAverage::kSquares;
  ResidualWindow squares(1, options_.samples);
  ForEachZ(residual,
           [&](Eigen::Index k, const Eigen::RowVectorXd& z, const Eigen::RowVectorXd& roots) {
             statistic[k] = Square(residual, k, z, roots);
             if (of_squares) {
               squares.Push(statistic.segment<1>(k).transpose());
               statistic[k] = squares.z()[0] / squares.roots()[0];
             }
             return statistic[k] > threshold;
           });
  return statistic;
}

}  // namespace

FieldTable Visit(ContactStatisticOptions& o) {
  FieldTable table;
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
  table.Add("dead_zone_rad_s", o.dead_zone_rad_s,
            {.doc = "Speed of each joint below which its rows do not count (m/s if prismatic); "
                    "absent: that of the problem's equations",
             .unit = "rad/s",
             .lower = 0.0});
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
  table.Add("bias_clip", o.bias_clip,
            {.doc = "Residuals less their mean count at most this many standard deviations for the "
                    "tracking",
             .lower = 0.0,
             .lower_open = true});
  table.Add(
      "model_uncertainty", o.model_uncertainty,
      {.doc = "Add what the covariance of the model's parameters, if it states one, leaves open "
              "of a sample's rows"});
  AddDetection(o.detection, table);
  return table;
}

void ContactStatistic::CheckProblem(const Problem& problem) const {
  Observer::CheckProblem(problem);
  WithDeadZone(problem, options_.dead_zone_rad_s);
}

Observation ContactStatistic::Watch(const Problem& problem, const Estimate& model,
                                    std::span<const Dataset> training, const Dataset& watched) {
  Statistic statistic(problem, model, options_);
  const double threshold = ThresholdOf(options_.detection, statistic.Learn(training));
  const ModelResidual residual = statistic.Residual(watched);
  return DetectionOf(residual.time_s, statistic.Watch(residual, threshold), threshold,
                     {"free", "contact"});
}

}  // namespace idbench
