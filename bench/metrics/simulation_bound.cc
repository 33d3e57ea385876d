#include "bench/metrics/simulation_bound.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <numeric>

#include "bench/metrics/motion_variation.h"
#include "robots/dynamics/actuation.h"

namespace idbench {
namespace {

/// 1/σ² of each; 0 where σ is 0, which refuses the bound.
Eigen::VectorXd WeightsOf(const PerJoint& sigma, const std::vector<int>& which) {
  Eigen::VectorXd weights(static_cast<Eigen::Index>(which.size()));
  for (std::size_t i = 0; i < which.size(); ++i) {
    const double s = sigma[static_cast<std::size_t>(which[i])];
    weights[static_cast<Eigen::Index>(i)] = s > 0.0 ? 1.0 / (s * s) : 0.0;
  }
  return weights;
}

}  // namespace

SimulationBound::SimulationBound(const Problem& problem, const SensorOptions* sensors) {
  if (problem.parameters.lagrangian() == nullptr || sensors == nullptr) {
    refusal_ = "no bound: it takes a simulation of a planar Lagrangian";
    return;
  }
  const RobotModel& model = problem.model;
  std::vector<int> driven;
  for (int j = 0; j < model.dofs(); ++j) {
    (model.actuation().B.row(j).isZero(0.0) ? free_ : driven).push_back(j);
  }
  if (free_.empty()) {
    refusal_ = "no bound: it takes a joint without a motor";
    return;
  }
  if (driven.size() != model.actuation().names.size()) {
    refusal_ = "no bound: it takes as many motors as joints that they drive";
    return;
  }
  motors_ = MotorsOfJointTorque(model.actuation());
  const PerJoint position = sensors->TrueSigma((*sensors)[kJointPosition]);
  position_weights_ = WeightsOf(position, free_);
  std::vector<int> motors(driven.size());
  std::iota(motors.begin(), motors.end(), 0);
  motor_weights_ = WeightsOf(sensors->TrueSigma((*sensors)[kActuatorTorque]), motors);
  if (!(WeightsOf(position, driven).array() == 0.0).all()) {
    refusal_ = "no bound: it takes exact positions of the joints that motors drive";
  } else if (!(position_weights_.array() > 0.0).all() || !(motor_weights_.array() > 0.0).all()) {
    refusal_ = "no bound: it takes noise of the other joints' positions and of the motors' torques";
  }
}

void SimulationBound::SetTrial(const TrialData& data) {
  data_ = &data;
  if (!refusal_.empty()) return;
  // What trials share is known already; what is drawn may lie where that of another trial lay.
  if (data.clean == clean_ && data.drawn.empty() && !data.drawn_truth && !data.drawn_known) return;
  clean_ = data.clean;
  beta_ = data.problem().parameters.FromPi(*data.true_pi());
  C_.resize(0, 0);
  failure_.clear();
  spreads_.assign(clean_.size(), std::nullopt);
}

MetricValue SimulationBound::Angles(const std::string& experiment) {
  return Of(experiment, [](const Spread& spread) { return spread.angles; });
}

MetricValue SimulationBound::States(const std::string& experiment) {
  return Of(experiment, [](const Spread& spread) { return spread.angles + spread.rates; });
}

MetricValue SimulationBound::Of(const std::string& experiment, double (*sum)(const Spread&)) {
  if (!refusal_.empty()) return AbsentMetric(refusal_);
  if (C_.size() == 0 && failure_.empty()) FindCovariance();
  if (!failure_.empty()) return FailedMetric(failure_);
  const auto dataset = std::ranges::find(data_->datasets, experiment, &Dataset::label);
  const auto index = static_cast<std::size_t>(dataset - data_->datasets.begin());
  std::optional<Spread>& spread = spreads_[index];
  if (!spread) spread = SpreadOf(*clean_[index]);
  return MetricOf(sum(*spread));
}

void SimulationBound::FindCovariance() {
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(beta_.size(), beta_.size());
  for (std::size_t i = 0; i < clean_.size(); ++i) {
    if (data_->datasets[i].role() != Role::kIdentification) continue;
    constexpr double kRoundedTime = 1e-6;  // [s], of resampled stamps
    TimeSpan span = SpanOf(data_->datasets[i], {});
    span.from_s -= kRoundedTime;
    span.until_s += kRoundedTime;
    AddInformation(*clean_[i], span, J);
  }
  const Eigen::VectorXd scale = J.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::LLT<Eigen::MatrixXd> llt(scale.asDiagonal() * J * scale.asDiagonal());
  if (!scale.allFinite() || llt.info() != Eigen::Success) {
    failure_ = "the motion does not show all unknowns";
    return;
  }
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(J.rows(), J.cols());
  C_ = scale.asDiagonal() * llt.solve(identity) * scale.asDiagonal();
}

void SimulationBound::AddInformation(const Signals& clean, const TimeSpan& span,
                                     Eigen::MatrixXd& J) const {
  const auto n_free = static_cast<Eigen::Index>(free_.size());
  const Eigen::Index n_beta = beta_.size(), size = n_beta + 2 * n_free;
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(size, size);
  VaryMotion(*data_->problem().parameters.lagrangian(), beta_, clean, free_,
             [&](Eigen::Index k, const Eigen::MatrixXd& state, const Eigen::MatrixXd& torque) {
               if (!span.Holds(clean.time_s[k])) return;  // it was dropped
               const auto q = state.topRows(n_free);
               const Eigen::MatrixXd u = motors_ * torque;
               all += q.transpose() * position_weights_.asDiagonal() * q;
               all += u.transpose() * motor_weights_.asDiagonal() * u;
             });
  // J_ββ − J_β0·J_00⁻¹·J_0β
  const Eigen::MatrixXd cross = all.bottomLeftCorner(2 * n_free, n_beta);
  J += all.topLeftCorner(n_beta, n_beta) -
       cross.transpose() * all.bottomRightCorner(2 * n_free, 2 * n_free).ldlt().solve(cross);
}

SimulationBound::Spread SimulationBound::SpreadOf(const Signals& clean) const {
  const PlanarLagrangian& lagrangian = *data_->problem().parameters.lagrangian();
  const int n = lagrangian.dofs();
  std::vector<int> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  Spread spread;
  VaryMotion(lagrangian, beta_, clean, all,
             [&](Eigen::Index, const Eigen::MatrixXd& state, const Eigen::MatrixXd&) {
               const auto by_beta = state.leftCols(lagrangian.size());
               const Eigen::VectorXd variance =
                   (by_beta * C_).cwiseProduct(by_beta).rowwise().sum();
               spread.angles += variance.head(n).sum();
               spread.rates += variance.tail(n).sum();
             });
  return spread;
}

}  // namespace idbench
