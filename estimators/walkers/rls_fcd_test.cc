#include "estimators/walkers/rls_fcd.h"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>

#include "estimators/synthetic_walker_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("After all samples, the estimate is that of the batch with the same prior") {
  // argmin Σ‖R^−½(τ − Zβ)‖² + Σ((β − β(0))/b)²: what a Kalman filter without process noise finds.
  const SyntheticWalker biped = SyntheticWalker::Biped();
  const std::vector<Dataset> datasets = {biped.Record("a"), biped.Record("b")};
  RlsFcd method;
  std::vector<Issue> issues;
  ReadFields(method.Fields(), {{"half_power", 0.25}, {"n_cd", 5}, {"regularisation_ratio", 2.0}},
             "", issues);
  REQUIRE(issues.empty());
  const Estimate estimate = method.Run(biped.problem, datasets);
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);

  const FcdOptions fcd{.half_power = {.of_nyquist = 0.25}, .n_cd = {.samples = 5}};
  const std::vector<WalkerRecording> recordings =
      ReadWalkerData(biped.problem, datasets, {}, LeastSamples(fcd));
  const Eigen::VectorXd start = FitWlsFcd(biped.problem, recordings, {.fcd = fcd}).x;
  const PlanarLagrangian& lagrangian = *biped.problem.parameters.lagrangian();
  Eigen::Matrix3d R;  // 0.1·(B·Bᵀ + 2·1)
  R << 0.2, 0.0, 0.0, 0.0, 0.3, -0.1, 0.0, -0.1, 0.4;
  const Eigen::Matrix3d weight = R.inverse();
  Eigen::MatrixXd information =
      biped.problem.parameters.prior->mean.array().square().inverse().matrix().asDiagonal();
  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(8);
  Eigen::MatrixXd Z(3, 8);
  for (const WalkerRecording& recording : recordings) {
    const FcdMotion motion = FilteredDifferences(biped.problem.model, recording, fcd);
    for (Eigen::Index k = motion.first; k <= motion.last; ++k) {
      lagrangian.Rows(motion.q.col(k), motion.qd.col(k), motion.qdd.col(k), Z);
      information += Z.transpose() * weight * Z;
      gradient += Z.transpose() * weight * (motion.tau.col(k) - Z * start);
    }
  }
  const Eigen::VectorXd expected = start + information.ldlt().solve(gradient);
  CHECK(LargestRelativeError(estimate.x, expected) < 1e-9);  // condition of P about 1e6
  CHECK(LargestRelativeError(estimate.x, start) > 1e-3);     // there was something to be learnt
  // Far above 1: what errors of the angle do to Z, R knows nothing of.
  CHECK(estimate.diagnostics.at("normalised_innovation_squared") > 5.0);
  CHECK(!estimate.covariance);
  CHECK(estimate.notes.at("covariance").starts_with("none stated"));
}

TEST_CASE("RLS needs a rough guess, and the motors' sigma") {
  SyntheticWalker biped = SyntheticWalker::Biped();
  const Dataset declared = biped.Record("a");
  Dataset undeclared("a", Role::kIdentification);
  for (Channel channel : declared.channels()) {
    channel.sigma.resize(0);
    undeclared.Add(channel);
  }
  const std::vector<Dataset> without_sigma = {undeclared}, good = {biped.Record("a")};
  RlsFcd method;
  CHECK(method.Run(biped.problem, without_sigma).reason ==
        "a: needs a positive declared σ of the channel 'actuator_torque'");
  biped.problem.parameters.prior.reset();
  CHECK(method.Run(biped.problem, good).reason == "needs a prior: declare /problem/prior");
}

}  // namespace
}  // namespace idbench
