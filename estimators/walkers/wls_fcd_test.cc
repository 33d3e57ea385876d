#include "estimators/walkers/wls_fcd.h"

#include <doctest/doctest.h>

#include <Eigen/QR>
#include <cmath>

#include "estimators/interface/estimate_test.h"
#include "estimators/synthetic_walker_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// β of exact signals sampled at a rate.
Eigen::VectorXd ErrorAt(const SyntheticWalker& walker, double rate_hz, const Json& options) {
  const std::vector<Dataset> datasets = {
      walker.Record("a", 0.0, 0, Role::kIdentification, rate_hz)};
  const Estimate estimate = RunWith<WlsFcd>(walker.problem, datasets, options);
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  return estimate.x - walker.beta;
}

TEST_CASE("Without noise what is missed is the differences' error: a quarter in half the time") {
  const SyntheticWalker biped = SyntheticWalker::Biped();
  for (const char* weighting : {"identity", "covariance"}) {
    CAPTURE(weighting);
    const auto error = [&](double rate_hz, double n_cd_s) {
      return ErrorAt(biped, rate_hz, {{"weighting", weighting}, {"n_cd_s", n_cd_s}}).norm();
    };
    const double coarse = error(200.0, 0.005), fine = error(400.0, 0.0025);
    CHECK(fine < 0.005 * biped.beta.norm());
    CHECK(coarse / fine == doctest::Approx(4.0).epsilon(0.1));
    // It is the time of the differences that counts, not the rate.
    CHECK(coarse / error(400.0, 0.005) == doctest::Approx(1.0).epsilon(0.1));
  }
}

TEST_CASE("The estimate is that of dense least squares on the weighted torques") {
  const SyntheticWalker biped = SyntheticWalker::Biped();
  const std::vector<Dataset> datasets = {biped.Record("a"), biped.Record("b")};
  const PlanarLagrangian& lagrangian = *biped.problem.parameters.lagrangian();
  const FcdOptions fcd{.half_power = {.of_nyquist = 0.25}, .n_cd = {.samples = 5}};
  const auto solve = [&](const Eigen::Matrix3d& root) -> Eigen::VectorXd {
    Eigen::MatrixXd A(2 * 49 * 3, 8), Z(3, 8);
    Eigen::VectorXd y(A.rows());
    Eigen::Index row = 0;
    for (const WalkerRecording& recording : ReadWalkerData(biped.problem, datasets, {}, 9)) {
      const FcdMotion motion = FilteredDifferences(biped.problem.model, recording, fcd);
      for (Eigen::Index k = motion.first; k <= motion.last; ++k, row += 3) {
        lagrangian.Rows(motion.q.col(k), motion.qd.col(k), motion.qdd.col(k), Z);
        A.middleRows(row, 3) = root * Z;
        y.segment(row, 3) = root * motion.tau.col(k);
      }
    }
    REQUIRE(row == A.rows());
    return A.householderQr().solve(y);
  };
  Json options = {{"half_power", 0.25}, {"n_cd", 5}};
  const Estimate identity = RunWith<WlsFcd>(biped.problem, datasets, options);
  CHECK(LargestRelativeError(identity.x, solve(Eigen::Matrix3d::Identity())) < 1e-11);
  CHECK(identity.diagnostics.at("condition") > 1.0);
  CHECK(identity.notes.at("covariance").starts_with("none stated"));

  // Errors of u1 and u2, each of variance 0.1, and ε = 10·0.1, as independent numbers of
  // variance 1.
  Eigen::Matrix3d root = Eigen::Matrix3d::Zero();
  root(0, 0) = 1.0;
  root.row(1) << 0.0, 1.0, 1.0;   // u1 = τ2 + τ3
  root.row(2) << 0.0, -1.0, 0.0;  // u2 = −τ2
  root.bottomRows(2) /= std::sqrt(0.1);
  options["weighting"] = "covariance";
  options["free_row_variance_ratio"] = 10.0;
  CHECK(LargestRelativeError(RunWith<WlsFcd>(biped.problem, datasets, options).x, solve(root)) <
        1e-11);
}

TEST_CASE("The weight as printed does not see the torque-free row, and says what that costs") {
  const SyntheticWalker biped = SyntheticWalker::Biped();
  const Estimate estimate =
      RunWith<WlsFcd>(biped.problem, {biped.Record("a")}, {{"weighting", "printed"}});
  CHECK(estimate.outcome == Outcome::kRankDeficient);
  CHECK(estimate.reason ==
        "the data determine 6 of 8 directions; not determined, alone or among each other: "
        "stance.J, stance.G; the printed weight does not see the rows that no motor drives");
}

TEST_CASE("A walker that does not move determines little, and the cure is told") {
  const SyntheticWalker leg = SyntheticWalker::Leg();
  const Estimate estimate = RunWith<WlsFcd>(leg.problem, {AtRest(leg.Record("a"))}, Json::object());
  CHECK(estimate.outcome == Outcome::kRankDeficient);
  CHECK(estimate.reason ==
        "the data determine 2 of 9 directions; not determined, alone or among each other: "
        "thigh.J, shank.J, thigh.shank.P, hip.fv, knee.fv, hip.fc, knee.fc; "
        "use a richer motion, or fewer unknowns (/problem/parametrisation/friction)");
}

TEST_CASE("A parallel filter keeps what filtered signals lose: the kinks of friction") {
  SyntheticWalker leg = SyntheticWalker::Leg();
  const std::vector<Dataset> datasets = {leg.Record("a")};
  const auto error = [&](const char* low_pass) {
    const Estimate estimate = RunWith<WlsFcd>(leg.problem, datasets,
                                              {{"absolute_angle", "imu"},
                                               {"half_power", 0.12},
                                               {"low_pass", low_pass},
                                               {"weighting", "covariance"}});
    REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
    // All but the pivot's friction, which hardly shows.
    return LargestRelativeError(estimate.x.head(5), leg.beta.head(5));
  };
  CHECK(error("equations") < 0.3 * error("signals"));
}

TEST_CASE("Needs follow the sensor, and sigma is asked for where it weighs") {
  WlsFcd method;
  using Names = std::vector<std::string_view>;
  CHECK(method.needs().channels == Names{kJointPosition, kActuatorTorque});
  std::vector<Issue> issues;
  ReadFields(method.Fields(), {{"absolute_angle", "imu"}}, "", issues);
  CHECK(method.needs().channels ==
        Names{kJointPosition, kActuatorTorque, kAccelerometer, kGyroscope});

  const SyntheticWalker biped = SyntheticWalker::Biped();
  const Dataset declared = biped.Record("a");
  Dataset undeclared("a", Role::kIdentification);
  for (Channel channel : declared.channels()) {
    channel.sigma.resize(0);
    undeclared.Add(channel);
  }
  CHECK(RunWith<WlsFcd>(biped.problem, {undeclared}, Json::object()).ok());
  const Estimate weighted =
      RunWith<WlsFcd>(biped.problem, {undeclared}, {{"weighting", "covariance"}});
  CHECK(weighted.outcome == Outcome::kRefused);
  CHECK(weighted.reason == "a: needs a positive declared σ of the channel 'actuator_torque'");
}

}  // namespace
}  // namespace idbench
