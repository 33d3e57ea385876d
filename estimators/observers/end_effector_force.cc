#include "estimators/observers/end_effector_force.h"

#include <limits>
#include <utility>

#include "estimators/observers/force_fit.h"
#include "robots/dynamics/end_effector_wrench.h"

namespace idbench {
namespace {

constexpr int LeastJoints(ForceMethod method) {
  return method == ForceMethod::kWrench ? kWrenchSize : 3;
}

/// Force part of the wrench at each sample, N × 3.
Eigen::MatrixXd ForcesOfWrenches(const RobotModel& model, const std::vector<int>& joints,
                                 const ModelResidual& residual, double least_condition) {
  const Eigen::Index count = std::ssize(joints);
  std::vector<Pose> poses(model.links().size());
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(kWrenchSize, model.dofs());
  Eigen::MatrixXd J(kWrenchSize, count), T(kWrenchSize, count);
  Eigen::VectorXd q(model.dofs());
  const EndEffector& E = model.end_effector();
  Eigen::MatrixXd force =
      Eigen::MatrixXd::Constant(residual.q.rows(), 3, std::numeric_limits<double>::quiet_NaN());
  for (Eigen::Index k = 0; k < residual.q.rows(); ++k) {
    if (!residual.r.row(k).allFinite()) continue;
    q = residual.q.row(k).transpose();
    ForwardKinematics(model, q, poses);
    PointJacobian(model, poses, E.link, E.p_LE_L, all);
    for (Eigen::Index i = 0; i < count; ++i)
      J.col(i) = all.col(joints[static_cast<std::size_t>(i)]);
    if (WrenchFromTorque(J, T) < least_condition) continue;
    force.row(k).noalias() = -(T.topRows<3>() * residual.r.row(k).transpose()).transpose();
  }
  return force;
}

}  // namespace

FieldTable Visit(EndEffectorForceOptions& o) {
  FieldTable table;
  table.Add(
      "method", o.method,
      {.doc = "Load at the end effector: \"wrench\" (a force and a moment, six joints or more) or "
              "\"force\" (a force alone, joints weighted)"});
  table.Add("covariance", o.covariance,
            {.doc = "Weights of \"force\": \"diagonal\" (variance of each joint's residuals) or "
                    "\"full\" (their covariance)"});
  AddLeastCondition(o.least_condition, table);
  table.Add("cutoff_hz", o.cutoff_hz,
            {.doc = "Cut-off of a causal low-pass of first order for the force; absent: none",
             .unit = "Hz",
             .lower = 0.0,
             .lower_open = true});
  return table;
}

void EndEffectorForce::CheckProblem(const Problem& problem) const {
  Observer::CheckProblem(problem);
  const JointRows rows = JointTorqueRows(problem, LeastJoints(options_.method));
  CheckMovesInSpace(problem.model, rows.joints);
}

Observation EndEffectorForce::Watch(const Problem& problem, const Estimate& model,
                                    std::span<const Dataset> training, const Dataset& watched) {
  const bool wrench = options_.method == ForceMethod::kWrench;
  const auto [equation, joints] = JointTorqueRows(problem, LeastJoints(options_.method));
  const std::span equations(&equation, 1);
  const ModelResidual residual = ResidualOf(problem, model.pi, watched, equations);
  Eigen::MatrixXd force;
  if (wrench) {
    force = ForcesOfWrenches(problem.model, joints, residual, options_.least_condition);
  } else {
    const std::vector<ModelResidual> free =
        TrainingResiduals(problem, model.pi, training, equations);
    ForceFit fit(problem.model, joints,
                 SampleCovariance(problem, equations, free, options_.covariance));
    force = FitForces(fit, residual.q, residual.r, options_.least_condition);
  }
  if (options_.cutoff_hz) LowPass(residual.time_s, *options_.cutoff_hz, force);
  Observation observation;
  observation.series.push_back(ForceSeries(residual.time_s, std::move(force)));
  return observation;
}

}  // namespace idbench
