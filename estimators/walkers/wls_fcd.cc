#include "estimators/walkers/wls_fcd.h"

#include <Eigen/Cholesky>

namespace idbench {
namespace {

/// A root of the weight, W = rootᵀ·root.
Eigen::MatrixXd WeightRoot(const RobotModel& model, const WalkerRecording& recording,
                           const WlsFcdOptions& options) {
  const Eigen::Index n = model.dofs();
  if (options.weighting == TorqueWeighting::kIdentity) return Eigen::MatrixXd::Identity(n, n);
  const Eigen::VectorXd sigma_u = DeclaredSigma(recording, recording.u);
  if (options.weighting == TorqueWeighting::kPrinted)
    return sigma_u.asDiagonal() * model.actuation().B.transpose();
  return CovarianceOfTorques(model, sigma_u, options.free_row_variance_ratio).WhiteningRoot();
}

}  // namespace

FieldTable Visit(WlsFcdOptions& o) {
  FieldTable table;
  AddFcdFields(o.fcd, table);
  table.Add("weighting", o.weighting,
            {.doc = "Weight of a sample's torques: 1 (identity), the inverse covariance of their "
                    "errors (covariance), or that covariance itself, as in the paper (printed)"});
  AddFreeRowVarianceRatio(o.free_row_variance_ratio, "; used with \"weighting\": \"covariance\"",
                          table);
  return table;
}

EstimatorNeeds WalkerNeeds(AngleSensor sensor) {
  EstimatorNeeds needs;
  needs.channels = ChannelsOf(sensor);
  needs.channels.insert(needs.channels.begin(), {kJointPosition, kActuatorTorque});
  needs.problem = {Capability::kLagrangian};
  needs.measurements = false;
  return needs;
}

EstimatorNeeds WlsFcd::needs() const { return WalkerNeeds(options_.fcd.absolute_angle); }

LeastSquaresSolution FitWlsFcd(const Problem& problem,
                               const std::vector<WalkerRecording>& recordings,
                               const WlsFcdOptions& options) {
  const PlanarLagrangian& lagrangian = *problem.parameters.lagrangian();
  const Eigen::Index p = lagrangian.size();
  NormalEquations sums = NormalEquations::Zero(p);
  std::vector<Eigen::MatrixXd> all;
  for (const WalkerRecording& recording : recordings) {
    const FcdMotion motion = FilteredDifferences(problem.model, recording, options.fcd);
    const Eigen::MatrixXd root = WeightRoot(problem.model, recording, options);
    all.push_back(FcdEquations(lagrangian, motion, root, options.fcd, recording.Ts));
  }
  const auto for_each_row = [&](const auto& use) {
    for (const Eigen::MatrixXd& equations : all) {
      for (Eigen::Index column = 0; column < equations.cols(); column += p + 1) {
        use(equations.middleCols(column, p), equations.col(column + p));
      }
    }
  };
  for_each_row([&](const auto& A, const auto& y) {
    sums.AtA.noalias() += A.transpose() * A;  // noalias: neither is in A
    sums.Aty.noalias() += A.transpose() * y;
  });
  const std::optional<LeastSquaresSolution> by_sums = SolveNormalEquations(sums);
  if (by_sums) return *by_sums;
  StreamingQr qr(p);
  for_each_row([&](const auto& A, const auto& y) { qr.Add(A, y); });
  LeastSquaresSolution solution = qr.Solve();
  if (solution.determined()) return solution;
  throw EstimationFailure(
      Outcome::kRankDeficient,
      DescribeUndetermined(solution, problem.parameters.names) +
          (options.weighting == TorqueWeighting::kPrinted
               ? "; the printed weight does not see the rows that no motor drives"
               : "; use a richer motion, or fewer unknowns (/problem/parametrisation/friction)"));
}

Estimate WlsFcd::Identify(const Problem& problem, std::span<const Dataset> datasets) {
  CheckNeeds(problem);
  const std::vector<WalkerRecording> recordings = ReadWalkerData(
      problem, datasets, ChannelsOf(options_.fcd.absolute_angle), LeastSamples(options_.fcd));
  const LeastSquaresSolution solution = FitWlsFcd(problem, recordings, options_);
  Estimate estimate;
  estimate.x = solution.x;
  estimate.diagnostics["condition"] = solution.condition;
  estimate.notes["covariance"] =
      "none stated: the method takes the measured motion as exact, which it is not";
  return estimate;
}

}  // namespace idbench
