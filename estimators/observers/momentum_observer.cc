#include "estimators/observers/momentum_observer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "estimators/interface/aligned_equations.h"
#include "estimators/observers/residual_window.h"
#include "robots/recording/aligned_view.h"
#include "robots/recording/channels.h"

namespace idbench {
namespace {

/// Largest displacement of a joint for the central difference [rad or m]: truncation and round-off
/// are both about 1e-10 of Ṁ·q̇.
constexpr double kDisplacement = 1e-5;

/// Momentum and what changes it, N × n each.
struct Momentum {
  Eigen::MatrixXd p;      ///< M·q̇
  Eigen::MatrixXd other;  ///< Ṁ·q̇ − h
};

/// M(q)·q̇, which is linear in the acceleration: no friction, no gravity.
Eigen::MatrixXd MomentumAt(const Dynamics& dynamics, const Eigen::VectorXd& pi,
                           const Eigen::MatrixXd& q, const Eigen::MatrixXd& qd,
                           Dynamics::Scratch& scratch) {
  const Eigen::MatrixXd rest = Eigen::MatrixXd::Zero(q.rows(), q.cols());
  Eigen::MatrixXd moving(q.rows(), q.cols()), held(q.rows(), q.cols());
  dynamics.InverseDynamics(pi, {q, rest, qd}, scratch, moving);
  dynamics.InverseDynamics(pi, {q, rest, rest}, scratch, held);
  return moving - held;
}

Momentum MomentumOf(const Dynamics& dynamics, const Eigen::VectorXd& pi, const Eigen::MatrixXd& q,
                    const Eigen::MatrixXd& qd) {
  Dynamics::Scratch scratch(dynamics);
  Eigen::VectorXd step_s(q.rows());  // by which q̇ displaces
  for (Eigen::Index k = 0; k < q.rows(); ++k) {
    const double fastest = qd.row(k).cwiseAbs().maxCoeff();
    step_s[k] = fastest > 0.0 ? kDisplacement / fastest : 1.0;
  }
  const Eigen::MatrixXd displacement = step_s.asDiagonal() * qd;
  const Eigen::MatrixXd ahead = MomentumAt(dynamics, pi, q + displacement, qd, scratch);
  const Eigen::MatrixXd behind = MomentumAt(dynamics, pi, q - displacement, qd, scratch);
  const Eigen::MatrixXd rest = Eigen::MatrixXd::Zero(q.rows(), q.cols());
  Eigen::MatrixXd h(q.rows(), q.cols());
  dynamics.InverseDynamics(pi, {q, qd, rest}, scratch, h);
  return {MomentumAt(dynamics, pi, q, qd, scratch),
          (0.5 * step_s.cwiseInverse()).asDiagonal() * (ahead - behind) - h};
}

/// q, q̇ and the measured torques on one time vector.
AlignedView AlignTorques(const Problem& problem, const Dataset& dataset, const EquationRows& rows) {
  const std::array<std::string_view, 3> channels = {kJointPosition, kJointVelocity,
                                                    rows.measured()};
  AlignedView view = Align(dataset, channels, problem.alignment);
  if (!view.ok()) Refuse(view.reason());
  for (std::size_t k = 0; k < channels.size(); ++k) {
    if (view[k].cols() == problem.model.dofs()) continue;
    Refuse(fmt::format("{}: the channel '{}' has {} columns, expected {}", dataset.label(),
                       channels[k], view[k].cols(), problem.model.dofs()));
  }
  return view;
}

/// ρ of one joint.
Eigen::VectorXd Follow(const Eigen::VectorXd& time_s, const Eigen::VectorXd& p,
                       const Eigen::VectorXd& change, double gain_per_s) {
  Eigen::VectorXd rho =
      Eigen::VectorXd::Constant(p.size(), std::numeric_limits<double>::quiet_NaN());
  Eigen::Index last = -1;
  for (Eigen::Index k = 0; k < p.size(); ++k) {
    if (!std::isfinite(p[k]) || !std::isfinite(change[k])) continue;
    if (last < 0) {
      rho[k] = 0.0;
    } else {
      const double step_s = time_s[k] - time_s[last];
      const double external = (p[k] - p[last]) / step_s - 0.5 * (change[k] + change[last]);
      rho[k] = rho[last] - std::expm1(-gain_per_s * step_s) * (external - rho[last]);
    }
    last = k;
  }
  return rho;
}

/// Torques of all joints, N × n: as measured, or B·diag(v)·ĝ, what is left of a drive's row at rest
/// less that without input.
Eigen::MatrixXd TorquesOf(const Dynamics& dynamics, const Eigen::VectorXd& pi,
                          const EquationRows& rows, const Eigen::MatrixXd& measured) {
  if (!rows.of_drives()) return measured;
  const Eigen::MatrixXd rest = Eigen::MatrixXd::Zero(measured.rows(), dynamics.dofs());
  Dynamics::Scratch scratch(dynamics);
  Eigen::MatrixXd held(rest.rows(), rest.cols()), left(rest.rows(), rest.cols());
  dynamics.InverseDynamics(pi, {rest, rest, rest}, scratch, held);
  dynamics.Predict(rows.equation, pi, {rest, rest, rest, &measured}, scratch, left);
  return held - left;
}

/// T² of each sample.
Eigen::VectorXd SquareOfEach(MahalanobisSquare& square, const ModelResidual& residual) {
  Eigen::VectorXd squares(residual.r.rows());
  Eigen::RowVectorXd r(residual.r.cols());
  for (Eigen::Index k = 0; k < squares.size(); ++k) {
    r = residual.r.row(k);
    squares[k] = r.allFinite() ? square.Of(r) : std::numeric_limits<double>::quiet_NaN();
  }
  return squares;
}

}  // namespace

FieldTable Visit(MomentumObserverOptions& o) {
  FieldTable table;
  table.Add("gives", o.gives,
            {.doc = "Result: the \"force\" at the end effector, \"contact\" of whatever link by a "
                    "statistic of the joints' torques, or \"force and contact\""});
  table.Add("gain_per_s", o.gain_per_s,
            {.doc = "Gain K: the external torque is seen through a low-pass with the time constant "
                    "1/K; near singular configurations that lag makes a large error of the force",
             .unit = "1/s",
             .lower = 0.0,
             .lower_open = true});
  table.Add("covariance", o.covariance,
            {.doc = "Weights of the joints: \"diagonal\" (variance of each joint's "
                    "residuals) or \"full\" (their covariance)"});
  AddLeastCondition(o.least_condition, table);
  AddDetection(o.detection, table);
  return table;
}

ModelResidual MomentumResidual(const Problem& problem, const Eigen::VectorXd& pi,
                               const Dataset& dataset, const JointRows& rows, double gain_per_s) {
  CheckParameters(problem, pi);
  const AlignedView view = AlignTorques(problem, dataset, rows.equation);
  ModelResidual residual;
  residual.time_s = view.time_s();
  residual.q = view[0];
  residual.qd = view[1];
  residual.configuration = ConfigurationOf(problem, dataset);
  const Dynamics dynamics(problem.model, problem.friction, residual.configuration);
  const Eigen::MatrixXd tau = TorquesOf(dynamics, pi, rows.equation, view[2]);
  const Momentum momentum = MomentumOf(dynamics, pi, residual.q, residual.qd);
  residual.r.resize(view.size(), std::ssize(rows.joints));
  residual.predicted_square.resize(residual.r.cols());
  for (Eigen::Index row = 0; row < residual.r.cols(); ++row) {
    const int joint = rows.joints[static_cast<std::size_t>(row)];
    if (rows.equation.of_drives() && tau.col(joint).isZero(0.0) && !view[2].isZero(0.0)) {
      Refuse(fmt::format("{}: no motor drives '{}' with the gains of the model, which are 0",
                         dataset.label(),
                         problem.model.joint_names()[static_cast<std::size_t>(joint)]));
    }
    const Eigen::VectorXd change = tau.col(joint) + momentum.other.col(joint);
    residual.r.col(row) = -Follow(residual.time_s, momentum.p.col(joint), change, gain_per_s);
    residual.predicted_square[row] = MeanSquare(momentum.other.col(joint), residual.r.col(row));
  }
  return residual;
}

std::vector<std::string_view> MomentumObserver::gives() const {
  std::vector<std::string_view> names;
  if (TellsForce()) names.push_back(kExternalForce);
  if (TellsContact()) names.push_back(kStatistic);
  return names;
}

void MomentumObserver::CheckProblem(const Problem& problem) const {
  Observer::CheckProblem(problem);
  const JointRows rows = Rows(problem);
  if (TellsForce()) CheckMovesInSpace(problem.model, rows.joints);
}

Observation MomentumObserver::Watch(const Problem& problem, const Estimate& model,
                                    std::span<const Dataset> training, const Dataset& watched) {
  const JointRows rows = Rows(problem);
  const double gain = options_.gain_per_s;
  const ModelResidual residual = MomentumResidual(problem, model.pi, watched, rows, gain);
  std::vector<ModelResidual> free;
  for (const Dataset& dataset : training) {
    if (dataset.role() != Role::kIdentification) continue;
    free.push_back(MomentumResidual(problem, model.pi, dataset, rows, gain));
  }
  const Eigen::MatrixXd R =
      SampleCovariance(problem, {&rows.equation, 1}, free, options_.covariance);
  Observation observation;
  if (TellsContact()) {
    MahalanobisSquare square(R);
    std::vector<TrainedStatistic> statistics;
    for (const ModelResidual& each : free) {
      statistics.push_back({each.time_s, SquareOfEach(square, each)});
    }
    observation = DetectionOf(residual.time_s, SquareOfEach(square, residual),
                              ThresholdOf(options_.detection, statistics), {"free", "contact"});
  }
  if (TellsForce()) {
    ForceFit fit(problem.model, rows.joints, R);
    observation.series.push_back(ForceSeries(
        residual.time_s, FitForces(fit, residual.q, residual.r, options_.least_condition)));
  }
  return observation;
}

}  // namespace idbench
