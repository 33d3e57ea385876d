#include "estimators/solvers/seen_unknowns.h"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "estimators/batch/ols.h"
#include "estimators/batch/wls.h"
#include "estimators/interface/estimate_test.h"
#include "estimators/online/rls.h"
#include "estimators/solvers/seen_directions.h"
#include "estimators/synthetic_test.h"

namespace idbench {
namespace {

/// Torques of a π on states that no recording has.
Eigen::MatrixXd Torques(const Synthetic& robot, const Eigen::VectorXd& pi) {
  const Dynamics dynamics(robot.model, robot.problem.friction);
  Dynamics::Scratch scratch(dynamics);
  const FixedStates states = MakeFixedStates(robot.model, 100, 7);
  Eigen::MatrixXd tau(100, robot.model.dofs());
  dynamics.InverseDynamics(pi, states.samples(), scratch, tau);
  return tau;
}

Eigen::VectorXd Noise(const Synthetic& robot) {
  return Eigen::VectorXd::LinSpaced(robot.model.dofs(), 0.5, 0.05);
}

/// The same robot with a second joint that does not move.
std::vector<Dataset> WithStillJoint(const Synthetic& robot) {
  Dataset recorded = robot.Record("a", 300, Noise(robot));
  for (const std::string_view name : {kJointVelocity, kJointAcceleration}) {
    recorded =
        WithChannel(recorded, name, [](Eigen::MatrixXd& samples) { samples.col(1).setZero(); });
  }
  return {recorded};
}

TEST_CASE("Of standard parameters as many combinations show as there are base parameters") {
  for (const char* name : {"planar1", "planar3", "barrett_wam7", "puma560"}) {
    CAPTURE(name);
    const Synthetic standard(name, "standard"), base(name);
    CHECK(HidesBodies(standard.problem));
    CHECK(!HidesBodies(base.problem));
    const std::optional<SeenUnknowns> seen = FindSeenUnknowns(standard.problem);
    REQUIRE(seen);
    const Parametrisation& parameters = seen->problem.parameters;
    CHECK(parameters.names == base.problem.parameters.names);
    CHECK(parameters.units == base.problem.parameters.units);
    CHECK(RelativeError(seen->B * standard.x(), base.x()) < 1e-9);
    const Eigen::Index r = seen->B.rows();
    CHECK((seen->B * seen->basis - Eigen::MatrixXd::Identity(r, r)).cwiseAbs().maxCoeff() < 1e-9);
    CHECK(RelativeError(seen->B * seen->origin + seen->B * standard.x(), base.x()) < 1e-9);
    CHECK(!FindSeenUnknowns(base.problem));
  }
}

TEST_CASE("Where all of x shows, the fit is that of the problem itself") {
  const Synthetic robot("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 100)};
  const Estimate estimate =
      EstimateSeen(robot.problem, datasets, {}, [&](const LinearRegression& regression) {
        CHECK(regression.names() == robot.problem.parameters.names);
        Estimate found;
        found.x = robot.x();
        found.covariance = Eigen::MatrixXd::Identity(found.x.size(), found.x.size());
        return found;
      });
  CHECK(estimate.x == robot.x());
  CHECK(estimate.covariance);
  CHECK(!estimate.combinations);
  CHECK(!estimate.knows_hidden);
  CHECK(estimate.diagnostics.empty());
}

TEST_CASE("Least squares on standard parameters predicts as on base parameters, to 1e-9") {
  for (const char* name : {"planar2", "planar3", "barrett_wam7"}) {
    CAPTURE(name);
    const Synthetic standard(name, "standard"), base(name);
    const std::vector<Dataset> datasets = {base.Record("a", 400, Noise(base)),
                                           base.Record("b", 200, Noise(base))};
    const auto check = [&](auto method) {
      const Estimate of_all = method.Run(standard.problem, datasets);
      const Estimate of_base = method.Run(base.problem, datasets);
      REQUIRE_MESSAGE(of_all.ok(), of_all.reason);
      REQUIRE_MESSAGE(of_base.ok(), of_base.reason);
      const Eigen::MatrixXd torques = Torques(base, of_base.pi);
      CHECK((Torques(standard, of_all.pi) - torques).norm() < 1e-9 * torques.norm());
      CHECK(!of_all.knows_hidden);
      CHECK(of_all.diagnostics.at("hidden_directions") == of_all.x.size() - of_base.x.size());
      CHECK(of_all.diagnostics.at("condition") ==
            doctest::Approx(of_base.diagnostics.at("condition")).epsilon(1e-9));
    };
    check(Ols());
    check(Wls());
  }
}

TEST_CASE("A motion that shows little does not pass off what is hidden as shown") {
  const Synthetic standard("planar3", "standard"), base("planar3");
  for (const double part : {1e-2, 1e-4, 1e-6}) {
    CAPTURE(part);
    Dataset recorded = base.Record("a", 300, Noise(base));
    for (const std::string_view name : {kJointVelocity, kJointAcceleration}) {
      recorded = WithChannel(recorded, name,
                             [part](Eigen::MatrixXd& samples) { samples.rightCols(2) *= part; });
    }
    const std::vector<Dataset> datasets = {recorded};
    const Estimate of_all = Ols().Run(standard.problem, datasets);
    const Estimate of_base = Ols().Run(base.problem, datasets);
    CHECK(of_all.outcome == of_base.outcome);
    CHECK(of_all.reason == of_base.reason);
    if (!of_all.ok()) continue;
    // The condition times rounding.
    CHECK(RelativeError(of_all.combinations->B * of_all.x, of_base.x) < 1e-6);
  }
}

TEST_CASE("Without a covariance of the prior x is as near to its mean as that of rls") {
  for (const bool with_prior : {false, true}) {
    Synthetic robot("planar3", "standard");
    if (!with_prior) robot.problem.parameters.prior.reset();
    REQUIRE((!with_prior || !robot.problem.parameters.prior->covariance));
    const std::vector<Dataset> datasets = {robot.Record("a", 400, Noise(robot))};
    const Estimate batch = Ols().Run(robot.problem, datasets);
    const Estimate recursive = Rls().Run(robot.problem, datasets);
    REQUIRE_MESSAGE(batch.ok(), batch.reason);
    REQUIRE_MESSAGE(recursive.ok(), recursive.reason);
    CHECK(RelativeError(batch.x, recursive.x) < 1e-9);
    CHECK(!recursive.knows_hidden);
    for (Eigen::Index k = 0; k < batch.x.size(); ++k) {
      // Nothing shows it: it stays where it was.
      if (!FindSeenUnknowns(robot.problem)->B.col(k).isZero(0.0)) continue;
      const double before = with_prior ? robot.problem.parameters.prior->mean[k] : 0.0;
      CHECK(batch.x[k] == doctest::Approx(before).epsilon(1e-12));
    }
  }
}

TEST_CASE("With a covariance of the prior, no hidden direction leads nearer to its mean") {
  Synthetic robot("planar3", "standard");
  robot.Declare(Noise(robot), 0.2);
  const std::vector<Dataset> datasets = {robot.Record("a", 400, Noise(robot))};
  const Estimate estimate = Ols().Run(robot.problem, datasets);
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  const Parametrisation::Prior& prior = *robot.problem.parameters.prior;
  const Eigen::MatrixXd hidden =
      Eigen::FullPivLU<Eigen::MatrixXd>(FindSeenUnknowns(robot.problem)->B).kernel();
  REQUIRE(hidden.cols() > 0);
  const Eigen::VectorXd pull = prior.covariance->llt().solve(estimate.x - prior.mean);
  CHECK((hidden.transpose() * pull).norm() < 1e-9 * pull.norm() * hidden.norm());
}

TEST_CASE("A prior that holds what data show does not hold least squares") {
  Synthetic robot("planar3", "standard"), base("planar3");
  robot.Declare(Noise(robot), 0.2);
  const std::vector<Dataset> datasets = {robot.Record("a", 400, Noise(robot))};
  const Estimate of_base = Ols().Run(base.problem, datasets);
  const Eigen::MatrixXd torques = Torques(base, of_base.pi);
  const auto check = [&](const Estimate& estimate) {
    REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
    CHECK((Torques(robot, estimate.pi) - torques).norm() < 1e-9 * torques.norm());
  };
  Eigen::MatrixXd& covariance = *robot.problem.parameters.prior->covariance;
  const Estimate of_all = Ols().Run(robot.problem, datasets);
  check(of_all);
  // Friction shows alone: what its σ is does not move the bodies.
  const std::vector<std::string>& names = robot.problem.parameters.names;
  for (Eigen::Index k = 0; k < covariance.rows(); ++k) {
    const bool friction = names[static_cast<std::size_t>(k)].find(".f") != std::string::npos;
    if (!friction) continue;
    covariance.row(k).setZero();
    covariance.col(k).setZero();
  }
  const Estimate without_friction = Ols().Run(robot.problem, datasets);
  check(without_friction);
  CHECK(RelativeError(without_friction.x, of_all.x) < 1e-8);  // kSlight²
  covariance.setZero();
  check(Ols().Run(robot.problem, datasets));
}

TEST_CASE("What the data hide fails by the names that base parameters have") {
  const Synthetic standard("planar3", "standard"), base("planar3");
  const std::vector<Dataset> datasets = WithStillJoint(base);
  const Estimate of_all = Ols().Run(standard.problem, datasets);
  const Estimate of_base = Ols().Run(base.problem, datasets);
  CHECK(of_all.outcome == Outcome::kRankDeficient);
  CHECK(of_base.outcome == Outcome::kRankDeficient);
  CHECK(of_all.reason == of_base.reason);
  CHECK(of_all.reason.find("joint2.fv") != std::string::npos);
}

TEST_CASE("The covariance is that of base parameters, σ that of unknowns that show alone") {
  const Synthetic standard("planar3", "standard"), base("planar3");
  const std::vector<Dataset> datasets = {base.Record("a", 400, Noise(base))};
  const Estimate of_all = Wls().Run(standard.problem, datasets);
  const Estimate of_base = Wls().Run(base.problem, datasets);
  REQUIRE_MESSAGE(of_all.ok(), of_all.reason);
  CHECK(!of_all.covariance);
  REQUIRE(of_all.combinations);
  REQUIRE(of_all.combinations->covariance);
  const Combinations& stated = *of_all.combinations;
  CHECK(stated.names == base.problem.parameters.names);
  CHECK((*stated.covariance - *of_base.covariance).norm() < 1e-9 * of_base.covariance->norm());
  CHECK(RelativeError(stated.B * of_all.x, of_base.x) < 1e-9);
  const Eigen::VectorXd sigma = *of_all.sigma(), of_combinations = *of_base.sigma();
  const std::vector<std::string>& names = standard.problem.parameters.names;
  std::size_t alone = 0;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto at = std::ranges::find(stated.names, names[k]);  // "_R" with others
    const double own = sigma[static_cast<Eigen::Index>(k)];
    if (at == stated.names.end()) {
      CHECK(std::isnan(own));
    } else {
      ++alone;
      CHECK(own == doctest::Approx(of_combinations[at - stated.names.begin()]).epsilon(1e-9));
    }
  }
  CHECK(alone >= 6);  // at least the friction of three joints
  CHECK(alone < stated.names.size());
}

}  // namespace
}  // namespace idbench
