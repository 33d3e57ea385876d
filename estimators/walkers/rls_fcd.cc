#include "estimators/walkers/rls_fcd.h"

#include <Eigen/Cholesky>

namespace idbench {
namespace {

/// β and its P.
struct State {
  Eigen::VectorXd beta;
  Eigen::MatrixXd P;
};

/// One sample. Returns the normalised innovation squared.
double Update(const Eigen::MatrixXd& Z, const Eigen::VectorXd& tau, const Eigen::MatrixXd& R,
              State& state) {
  const Eigen::MatrixXd ZP = Z * state.P;
  const Eigen::LLT<Eigen::MatrixXd> S(ZP * Z.transpose() + R);
  const Eigen::VectorXd innovation = tau - Z * state.beta;
  const Eigen::MatrixXd K = S.solve(ZP).transpose();
  state.beta += K * innovation;
  const Eigen::MatrixXd left = Eigen::MatrixXd::Identity(state.P.rows(), state.P.cols()) - K * Z;
  state.P = left * state.P * left.transpose() + K * R * K.transpose();
  return S.matrixL().solve(innovation).squaredNorm();
}

Eigen::MatrixXd RegularisedCovariance(const RobotModel& model, const Eigen::VectorXd& sigma_u,
                                      double ratio) {
  const Eigen::VectorXd variance = sigma_u.array().square();
  const Eigen::MatrixXd& B = model.actuation().B;
  Eigen::MatrixXd R = B * variance.asDiagonal() * B.transpose();
  R.diagonal().array() += ratio * variance.mean();
  return R;
}

}  // namespace

FieldTable Visit(RlsFcdOptions& o) {
  FieldTable table;
  AddFcdFields(o.fcd, table);
  table.Add("regularisation_ratio", o.regularisation_ratio,
            {.doc = "Variance added to that of each joint's torque, relative to the mean variance "
                    "of the motors' torques",
             .lower = 0.0,
             .lower_open = true});
  return table;
}

EstimatorNeeds RlsFcd::needs() const {
  EstimatorNeeds needs = WalkerNeeds(options_.fcd.absolute_angle);
  needs.problem = needs.problem | Capabilities{Capability::kPrior};
  return needs;
}

Estimate RlsFcd::Identify(const Problem& problem, std::span<const Dataset> datasets) {
  CheckNeeds(problem);
  const PlanarLagrangian& lagrangian = *problem.parameters.lagrangian();
  const Eigen::Index n = lagrangian.dofs(), p = lagrangian.size();
  const std::vector<WalkerRecording> recordings = ReadWalkerData(
      problem, datasets, ChannelsOf(options_.fcd.absolute_angle), LeastSamples(options_.fcd));
  const Eigen::VectorXd guess = problem.parameters.prior->mean;
  State state{FitWlsFcd(problem, recordings, {.fcd = options_.fcd}).x,
              guess.array().square().matrix().asDiagonal()};
  double innovations = 0.0;
  Eigen::Index updates = 0;
  Eigen::MatrixXd Z(n, p);
  Eigen::VectorXd tau(n);
  for (const WalkerRecording& recording : recordings) {
    const Eigen::MatrixXd R = RegularisedCovariance(
        problem.model, DeclaredSigma(recording, recording.u), options_.regularisation_ratio);
    const FcdMotion motion = FilteredDifferences(problem.model, recording, options_.fcd);
    const Eigen::MatrixXd equations = FcdEquations(
        lagrangian, motion, Eigen::MatrixXd::Identity(n, n), options_.fcd, recording.Ts);
    for (Eigen::Index i = 0; i < equations.rows(); ++i, ++updates) {
      for (Eigen::Index j = 0; j < n; ++j) {
        Z.row(j) = equations.row(i).segment(j * (p + 1), p);
        tau[j] = equations(i, j * (p + 1) + p);
      }
      innovations += Update(Z, tau, R, state);
    }
  }
  Estimate estimate;
  estimate.x = state.beta;
  estimate.diagnostics["normalised_innovation_squared"] =
      innovations / static_cast<double>(updates * n);
  estimate.notes["covariance"] =
      "none stated: the method takes the measured motion as exact, which it is not";
  return estimate;
}

}  // namespace idbench
