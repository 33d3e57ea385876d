#include "bench/metrics/cramer_rao.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/metrics/taught_directions.h"
#include "estimators/interface/recorded_time.h"
#include "estimators/solvers/least_squares.h"
#include "estimators/solvers/prior_coordinates.h"
#include "robots/dynamics/calibration.h"
#include "scenarios/options/config_error.h"
#include "sim/sensors/per_joint.h"

namespace idbench {
namespace {

/// Eigenvalues of the scaled J below this part of the largest are round-off.
constexpr double kRoundOff = 1e-13;
/// Part of an error's weight in directions that J does not see which counts as none.
constexpr double kUnseen = 1e-9;
/// Samples of drives whose rows are stored at a time.
constexpr Eigen::Index kDriveSamples = 256;

/// The noise's spectral density at frequency 0 over that of the sensor: 1 as recorded.
double DensityGrowth(const ChannelNoise& noise, const SensorOptions& sensors) {
  return noise.fit_factor() * noise.fit_factor() * (sensors.rate_hz / noise.rate_hz());
}

std::vector<EquationRows> WithoutRowsOfDrives(const Problem& problem) {
  std::vector<EquationRows> others = problem.rows_in_order();
  std::erase_if(others, [](const EquationRows& rows) { return rows.of_drives(); });
  return others;
}

constexpr const char* kUnseenSentence = "the motion does not show all that the equations can";

}  // namespace

CramerRao::Configured::Configured(const Problem& problem, int configuration,
                                  const std::vector<int>& used)
    : dynamics(problem.model, problem.friction, configuration),
      scratch(dynamics),
      rows(dynamics, EquationsOf(WithoutRowsOfDrives(problem)), used),
      torques(dynamics, {Equation::kTorque}, used),
      everywhere(dynamics, EverywhereDefined(problem.equations()), used) {}

CramerRao::Stretch::Stretch(const Dataset& dataset)
    : first_s(std::numeric_limits<double>::infinity()),
      last_s(-first_s),
      clock(RecordedTimeOf(dataset)) {
  for (const Channel& channel : dataset.channels()) {
    if (channel.time_s.size() == 0) continue;
    first_s = std::min(first_s, channel.time_s[0]);
    last_s = std::max(last_s, channel.time_s[channel.time_s.size() - 1]);
    if (channel.time_s.size() > 1) step_s = 1.0 / NominalRate(channel.time_s);
  }
}

CramerRao::CramerRao(const Problem& problem, const SensorOptions* sensors,
                     const std::function<ChannelNoise(std::string_view)>& noise) {
  if (sensors == nullptr) {
    refusal_ = "no bound: it takes a simulation";
    return;
  }
  if (problem.parameters.lagrangian() != nullptr) {
    refusal_ = "no bound: the state of a planar Lagrangian is not measured";
    return;
  }
  used_ = problem.parameters.UsedPi();
  CheckCalibrations(problem.model);
  mask_ = RowMask(problem.model, WithoutRowsOfDrives(problem));
  weights_.resize(problem.row_count());
  Eigen::Index row = 0;
  for (const EquationRows& rows : problem.rows_in_order()) {
    const std::vector<int> chosen = ChosenRows(rows.placed(), problem.model.dofs());
    const ChannelSensorOptions& sensor = (*sensors)[rows.measured()];
    const PerJoint all = sensors->TrueSigma(sensor);
    linear_ = linear_ || sensors->CountsQuantisation(sensor);
    const double growth = noise ? DensityGrowth(noise(rows.measured()), *sensors) : 1.0;
    if (rows.of_drives()) {
      if (rows.dead_zone.size() > 0) refusal_ = "no bound: rows of drives have a dead zone";
      drive_joints_ = chosen;
      drive_B_ = problem.model.actuation().B(chosen, Eigen::all);
      input_sigma_ = std::sqrt(growth) * ToVector(all, static_cast<int>(drive_B_.cols()));
      const Eigen::Array<bool, Eigen::Dynamic, 1> fed =
          (drive_B_.array() != 0.0).colwise().any().transpose();
      if ((fed && input_sigma_.array() == 0.0).any())
        refusal_ = "no bound: an equation has no noise";
      continue;
    }
    for (const int k : chosen) {
      const double sigma = all[static_cast<std::size_t>(k)];
      if (sigma == 0.0) refusal_ = "no bound: an equation has no noise";
      weights_[row++] = 1.0 / (growth * sigma * sigma);
    }
  }
  weights_.conservativeResize(row);
  for (std::size_t k = 0; k < problem.model.configurations().size(); ++k) {
    configured_.push_back(std::make_unique<Configured>(problem, static_cast<int>(k), used_));
  }
  identified_ = problem.model.IdentifiedConfigurations();
}

void CramerRao::CheckCalibrations(const RobotModel& model) {
  const auto& terms = model.terms();
  const int first = ParameterLayout(model).size() - static_cast<int>(terms.size());
  for (const int k : used_) {
    if (k < first || !IsCalibration(terms[static_cast<std::size_t>(k - first)])) continue;
    const int cut = terms[static_cast<std::size_t>(k - first)].cut;
    refusal_ = fmt::format(
        "no bound: the calibration of {} is unknown, or known and not 1, and what it multiplies is "
        "measured with errors",
        model.cuts()[static_cast<std::size_t>(cut)].name);
  }
}

void CramerRao::CheckGains(const RobotModel& model) {
  const auto& terms = model.terms();
  const int first = ParameterLayout(model).size() - static_cast<int>(terms.size());
  std::vector<std::string> unknown;
  for (std::size_t k = 0; k < used_.size(); ++k) {
    if (used_[k] < first || A_.row(static_cast<Eigen::Index>(k)).isZero(0.0)) continue;
    const Term& term = terms[static_cast<std::size_t>(used_[k] - first)];
    if (term.rows == TermRows::kDrives) unknown.push_back(term.name);
  }
  if (unknown.empty()) return;
  refusal_ = fmt::format(
      "no bound: gains are unknown ({}), and what they multiply is measured with errors",
      ListSome(unknown));
}

void CramerRao::WhitenDrives(const RobotModel& model, const Eigen::VectorXd& pi) {
  Eigen::VectorXd sigma = input_sigma_;
  Eigen::Index k = pi.size() - std::ssize(model.terms());
  for (const Term& term : model.terms()) {
    const double gain = pi[k++];
    if (term.rows == TermRows::kDrives) sigma[term.input] *= gain;
  }
  const Eigen::MatrixXd covariance =
      drive_B_ * sigma.cwiseAbs2().asDiagonal() * drive_B_.transpose();
  const Eigen::LLT<Eigen::MatrixXd> cholesky(covariance);
  if (cholesky.info() != Eigen::Success) {
    refusal_ = "no bound: a row of drives has no motor with noise of its own";
    return;
  }
  whitening_ =
      cholesky.matrixL().solve(Eigen::MatrixXd::Identity(covariance.rows(), covariance.cols()));
}

void CramerRao::SetTrial(const TrialData& data) {
  data_ = &data;
  if (!refusal_.empty() || trial_ == data.trial) return;
  trial_ = data.trial;
  least_.clear();
  if (input_sigma_.size() > 0) WhitenDrives(data.problem().model, *data.true_pi());
  std::vector<const Signals*> clean;
  std::vector<Stretch> stretches;
  configurations_.clear();
  for (std::size_t i = 0; i < data.clean.size(); ++i) {
    const Dataset& dataset = data.datasets[i];
    if (dataset.role() != Role::kIdentification) continue;
    clean.push_back(data.clean[i]);
    stretches.emplace_back(dataset);
    configurations_.push_back(data.problem().model.ConfigurationIndex(dataset.configuration()));
  }
  // What trials share is known already; what is drawn may lie where that of another trial lay.
  const Parametrisation& parameters = data.problem().parameters;
  const bool same_map =
      A_.size() > 0 && !data.drawn_known && (parameters.affine() != nullptr || !data.drawn_truth);
  const bool same_data = data.drawn.empty() && clean == clean_ && stretches == stretches_;
  if (same_map && same_data) return;
  clean_ = std::move(clean);
  stretches_ = std::move(stretches);
  known_.clear();
  if (same_map) return;
  A_ = parameters.Jacobian(parameters.FromPi(*data.true_pi()))(used_, Eigen::all);
  error_gram_.resize(0, 0);
  pi_gram_.resize(0, 0);
  CheckGains(data.problem().model);
}

void CramerRao::AddGram(const RowRegressor& rows, const StateSamples& samples,
                        const Eigen::VectorXd& weights, const RowMask* mask,
                        Dynamics::Scratch& scratch, const Eigen::MatrixXd& A,
                        Eigen::MatrixXd& sum) {
  std::vector<Eigen::MatrixXd> grams;
  Eigen::MatrixXd y = Eigen::MatrixXd::Zero(samples.size(), rows.row_count());
  if (mask != nullptr) mask->ApplyToSamples(samples.qd, y);
  rows.Gram(samples, y, scratch, grams);
  for (int row = 0; row < rows.row_count(); ++row) {
    const std::vector<int>& columns = rows.ColumnsOf(row);
    const auto size = static_cast<Eigen::Index>(columns.size());
    const Eigen::MatrixXd of_row = A(columns, Eigen::all);
    const Eigen::MatrixXd gram = grams[static_cast<std::size_t>(row)].topLeftCorner(size, size);
    sum += weights[row] * (of_row.transpose() * gram * of_row);
  }
}

void CramerRao::AddDrives(Configured& configured, const StateSamples& samples,
                          Eigen::MatrixXd& sum) {
  const RowRegressor& torques = configured.torques;
  std::vector<Eigen::MatrixXd> W;
  for (Eigen::Index first = 0; first < samples.size(); first += kDriveSamples) {
    const Eigen::Index count = std::min(kDriveSamples, samples.size() - first);
    torques.Dense({samples.q.middleRows(first, count), samples.qd.middleRows(first, count),
                   samples.qdd.middleRows(first, count)},
                  configured.scratch, W);
    std::vector<Eigen::MatrixXd> of_joints;  // W A
    for (const int joint : drive_joints_) {
      of_joints.emplace_back(W[static_cast<std::size_t>(joint)] *
                             A_(torques.ColumnsOf(joint), Eigen::all));
    }
    for (Eigen::Index i = 0; i < whitening_.rows(); ++i) {
      Eigen::MatrixXd white = Eigen::MatrixXd::Zero(count, A_.cols());
      for (Eigen::Index k = 0; k <= i; ++k) {
        const double factor = whitening_(i, k);
        if (factor != 0.0) white += factor * of_joints[static_cast<std::size_t>(k)];
      }
      sum += white.transpose() * white;
    }
  }
}

const CramerRao::Information& CramerRao::Of(double checkpoint_s) {
  const auto [at, added] = known_.try_emplace(checkpoint_s);
  Information& information = at->second;
  if (!added) return information;
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(A_.cols(), A_.cols());
  double recorded_s = 0.0;
  for (std::size_t i = 0; i < clean_.size(); ++i) {
    const Signals* const clean = clean_[i];
    const Eigen::VectorXd& time = clean->time_s;
    const auto& [first_s, last_s, step_s, clock] = stretches_[i];
    // Rounding of resampled time keeps a sample. One that decimation left stands for a whole step.
    const double own_step_s = 1.0 / NominalRate(time);
    const double slack_s = kSameTimeTolerance * own_step_s;
    const double end_s = last_s + std::max(0.0, step_s - own_step_s) + slack_s;
    const auto begin = std::ranges::lower_bound(time, first_s - slack_s);
    const Eigen::Index first = begin - time.begin();
    Eigen::Index count = 0;
    while (first + count < time.size() && time[first + count] <= end_s &&
           IsRecorded(recorded_s + (time[first + count] - clock.start_s), checkpoint_s)) {
      ++count;
    }
    if (count == 0) break;
    Configured& configured = *configured_[static_cast<std::size_t>(configurations_[i])];
    const StateSamples samples{(*clean)[kJointPosition].middleRows(first, count),
                               (*clean)[kJointVelocity].middleRows(first, count),
                               (*clean)[kJointAcceleration].middleRows(first, count)};
    if (weights_.size() > 0)
      AddGram(configured.rows, samples, weights_, &mask_, configured.scratch, A_, J);
    if (whitening_.size() > 0) AddDrives(configured, samples, J);
    information.samples += static_cast<double>(count);
    recorded_s += clock.duration_s;
  }
  information.J = J;
  // A column that is round-off is no information, however it is scaled.
  information.scale = SquaredColumnNorms(J).cwiseSqrt();
  information.scale =
      (information.scale.array() > 0.0).select(information.scale.cwiseInverse(), 0.0);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(information.scale.asDiagonal() * J *
                                                              information.scale.asDiagonal());
  information.directions = solver.eigenvectors();
  const double floor = kRoundOff * solver.eigenvalues().maxCoeff();
  information.eigenvalues =
      (solver.eigenvalues().array() > floor).select(solver.eigenvalues(), 0.0);
  information.rank = (information.eigenvalues.array() > 0.0).count();
  return information;
}

MetricValue CramerRao::Ratio(const Estimate& estimate, double checkpoint_s) {
  if (!refusal_.empty()) return AbsentMetric(refusal_);
  const Information& information = Of(checkpoint_s);
  if (information.rank == 0) return FailedMetric("the motion shows no unknown");
  const Eigen::VectorXd truth = data_->problem().parameters.FromPi(*data_->true_pi());
  // An unknown of which the data say nothing has no scale, and no part in the error.
  const Eigen::VectorXd scaled =
      (information.scale.array() > 0.0)
          .select((estimate.x - truth).array() / information.scale.array(), 0.0);
  const Eigen::VectorXd along = information.directions.transpose() * scaled;
  MetricValue metric = MetricOf(along.cwiseAbs2().dot(information.eigenvalues) /
                                static_cast<double>(information.rank));
  metric.count = linear_ ? 0 : static_cast<std::size_t>(information.rank);
  return metric;
}

Eigen::MatrixXd CramerRao::FixedGram(const FixedStates& states, const Eigen::VectorXd& weights,
                                     const Eigen::MatrixXd& A) {
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(A.cols(), A.cols());
  Eigen::Index row = 0;
  for (const int k : identified_) {
    Configured& configured = *configured_[static_cast<std::size_t>(k)];
    const Eigen::Index count = configured.everywhere.row_count();
    AddGram(configured.everywhere, states.samples(), weights.segment(row, count), nullptr,
            configured.scratch, A, gram);
    row += count;
  }
  return gram;
}

void CramerRao::WeighErrors(const FixedStates& states, const Eigen::RowVectorXd& row_weights) {
  const Eigen::VectorXd weights = row_weights.transpose().cwiseAbs2();
  if (error_gram_.size() > 0 && weights == error_weights_) return;
  error_weights_ = weights;
  error_gram_ = FixedGram(states, weights, A_);
  pi_gram_.resize(0, 0);
}

MetricValue CramerRao::ErrorBound(const FixedStates& states, const Eigen::RowVectorXd& row_weights,
                                  double norm, double checkpoint_s) {
  if (!refusal_.empty()) return AbsentMetric(refusal_);
  WeighErrors(states, row_weights);
  const Information& information = Of(checkpoint_s);
  const std::optional<double> squared = SquaredError(error_gram_, information);
  if (!squared) return FailedMetric(kUnseenSentence);
  return MetricOf(std::sqrt(*squared) / norm);
}

MetricValue CramerRao::PredictionBound(const StateSamples& samples, int configuration,
                                       double checkpoint_s) {
  if (!refusal_.empty()) return AbsentMetric(refusal_);
  const Information& information = Of(checkpoint_s);
  Configured& configured = *configured_[static_cast<std::size_t>(configuration)];
  const RowRegressor& torques = configured.torques;
  std::vector<Eigen::MatrixXd> grams;
  torques.Gram(samples, Eigen::MatrixXd::Zero(samples.size(), torques.row_count()),
               configured.scratch, grams);
  Eigen::VectorXd bound(torques.row_count());
  for (int joint = 0; joint < torques.row_count(); ++joint) {
    const std::vector<int>& columns = torques.ColumnsOf(joint);
    const auto size = static_cast<Eigen::Index>(columns.size());
    const Eigen::MatrixXd of_row = A_(columns, Eigen::all);
    const Eigen::MatrixXd gram = of_row.transpose() *
                                 grams[static_cast<std::size_t>(joint)].topLeftCorner(size, size) *
                                 of_row;
    const std::optional<double> squared = SquaredError(gram, information);
    if (!squared) return FailedMetric(kUnseenSentence);
    bound[joint] = std::sqrt(*squared / static_cast<double>(samples.size()));
  }
  return MetricOf(bound.mean(), bound);
}

std::optional<double> CramerRao::SquaredError(const Eigen::MatrixXd& gram,
                                              const Information& information) {
  const Eigen::MatrixXd weight = information.directions.transpose() *
                                 information.scale.asDiagonal() * gram *
                                 information.scale.asDiagonal() * information.directions;
  const bool unknown_weighs =
      ((information.scale.array() == 0.0) && (SquaredColumnNorms(gram).array() > 0.0)).any();
  if (unknown_weighs) return std::nullopt;
  double squared = 0.0;
  for (Eigen::Index k = 0; k < weight.rows(); ++k) {
    if (information.eigenvalues[k] > 0.0) {
      squared += weight(k, k) / information.eigenvalues[k];
    } else if (weight(k, k) > kUnseen * weight.trace()) {
      return std::nullopt;
    }
  }
  return squared;
}

CramerRao::Taught CramerRao::TaughtBy(const FixedStates& states,
                                      const Eigen::RowVectorXd& row_weights, double norm,
                                      double checkpoint_s) {
  Taught taught;
  taught.refusal = refusal_;
  if (!refusal_.empty()) return taught;
  WeighErrors(states, row_weights);
  if (pi_gram_.size() == 0) {
    const auto size = static_cast<Eigen::Index>(used_.size());
    pi_gram_ = FixedGram(states, error_weights_, Eigen::MatrixXd::Identity(size, size));
  }
  taught.used = used_;
  const Eigen::MatrixXd& J = Of(checkpoint_s).J;
  Eigen::MatrixXd V = TaughtDirections(J, error_gram_, norm);
  for (Eigen::Index k = 0; k < V.cols(); ++k) V.col(k) *= std::sqrt(V.col(k).dot(J * V.col(k)));
  taught.L = (A_ * V).transpose() * pi_gram_;
  return taught;
}

Eigen::MatrixXd CramerRao::Posterior::Covariance() const {
  return root * information.llt().solve(root.transpose());
}

CramerRao::Posterior CramerRao::BoundBesideUnknown(const Parametrisation::Prior& prior,
                                                   const Eigen::MatrixXd& J) {
  Posterior posterior;
  const PriorCoordinates coordinates = CoordinatesOf(prior);
  posterior.root = coordinates.root;
  posterior.information = posterior.root.transpose() * J * posterior.root;
  posterior.information.diagonal() += coordinates.Precision();
  // Scaled first, because unknowns have different units.
  const Eigen::VectorXd scale = posterior.information.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::LLT<Eigen::MatrixXd> factor(
      Eigen::MatrixXd(scale.asDiagonal() * posterior.information * scale.asDiagonal()));
  if (!scale.allFinite() || factor.info() != Eigen::Success) {
    posterior.refusal = "the data do not show all that the prior knows nothing of";
  }
  return posterior;
}

CramerRao::Posterior CramerRao::BayesianBound(double checkpoint_s) {
  Posterior posterior;
  posterior.refusal = refusal_;
  if (!refusal_.empty()) return posterior;
  const auto& prior = data_->problem().parameters.prior;
  if (!prior || !prior->covariance) {
    posterior.refusal = "no covariance of the prior: see std and relative_std";
    return posterior;
  }
  if (prior->unknown.size() > 0) return BoundBesideUnknown(*prior, Of(checkpoint_s).J);
  const Eigen::MatrixXd& P0 = *prior->covariance;
  // Scaled first, because unknowns have different units.
  const Eigen::VectorXd sigma = P0.diagonal().cwiseSqrt();
  const Eigen::VectorXd inverse = (sigma.array() > 0.0).select(sigma.cwiseInverse(), 0.0);
  const Eigen::LLT<Eigen::MatrixXd> factor(
      Eigen::MatrixXd(inverse.asDiagonal() * P0 * inverse.asDiagonal()));
  if (factor.info() != Eigen::Success) {
    posterior.refusal = "the prior covariance is not positive definite";
    return posterior;
  }
  posterior.root = sigma.asDiagonal() * Eigen::MatrixXd(factor.matrixL());
  posterior.information = posterior.root.transpose() * Of(checkpoint_s).J * posterior.root;
  posterior.information.diagonal().array() += 1.0;
  return posterior;
}

MetricValue CramerRao::BayesianRatio(const Estimate& estimate, double checkpoint_s) {
  const Posterior posterior = BayesianBound(checkpoint_s);
  if (!posterior.refusal.empty()) return AbsentMetric(posterior.refusal);
  if (posterior.root.rows() < posterior.root.cols()) {
    return AbsentMetric("a prior that knows nothing of some unknowns is no law to draw them from");
  }
  const Eigen::VectorXd truth = data_->problem().parameters.FromPi(*data_->true_pi());
  // P⁻¹ = root⁻ᵀ·information·root⁻¹
  const Eigen::VectorXd error =
      posterior.root.triangularView<Eigen::Lower>().solve(estimate.x - truth);
  MetricValue metric =
      MetricOf(error.dot(posterior.information * error) / static_cast<double>(error.size()));
  if (linear_) metric.count = 0;
  return metric;
}

}  // namespace idbench
