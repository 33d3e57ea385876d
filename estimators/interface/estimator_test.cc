#include "estimators/interface/estimator.h"

#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <new>
#include <stdexcept>

#include "estimators/batch/ols.h"
#include "estimators/batch/prior_only.h"
#include "estimators/synthetic_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// A method that does what the test says.
class Scripted : public Estimator {
 public:
  explicit Scripted(std::function<Estimate()> script) : script_(std::move(script)) {}
  FieldTable Fields() override { return {}; }
  EstimatorNeeds needs() const override { return {}; }

 protected:
  Estimate Identify(const Problem&, std::span<const Dataset>) override { return script_(); }

 private:
  std::function<Estimate()> script_;
};

Estimate RunScript(std::function<Estimate()> script) {
  static const Synthetic robot("planar1");
  return Scripted(std::move(script)).Run(robot.problem, {});
}

/// A fine estimate of planar1's five unknowns.
Estimate Fine() {
  Estimate estimate;
  estimate.x = Eigen::VectorXd::LinSpaced(5, 1.0, 5.0);
  return estimate;
}

TEST_CASE("A fine result keeps what it holds and gets its standard parameters") {
  const Estimate estimate = RunScript(Fine);
  CHECK(estimate.ok());
  CHECK(estimate.reason.empty());
  CHECK(estimate.x == Fine().x);
  CHECK(estimate.pi == Synthetic("planar1").problem.parameters.Pi(Fine().x));
}

TEST_CASE("A failure that a method declares is the outcome, thrown or returned") {
  const Estimate thrown = RunScript(
      []() -> Estimate { throw EstimationFailure(Outcome::kNotConverged, "100 iterations"); });
  CHECK(thrown.outcome == Outcome::kNotConverged);
  CHECK(thrown.reason == "100 iterations");
  const Estimate returned = RunScript([] {
    Estimate estimate;
    estimate.outcome = Outcome::kDiverged;
    estimate.reason = "ran away";
    return estimate;
  });
  CHECK(returned.outcome == Outcome::kDiverged);
  CHECK(returned.reason == "ran away");
}

TEST_CASE("An exception that nobody expected is a crash with its text") {
  const Estimate estimate =
      RunScript([]() -> Estimate { throw std::out_of_range("index 3 of 2"); });
  CHECK(estimate.outcome == Outcome::kCrashed);
  CHECK(estimate.reason == "index 3 of 2");
  const Estimate odd = RunScript([]() -> Estimate { throw 42; });
  CHECK(odd.outcome == Outcome::kCrashed);
  CHECK(odd.reason == "threw something that is not a std::exception");
}

TEST_CASE("Lack of memory is not the method's failure") {
  CHECK_THROWS_AS(RunScript([]() -> Estimate { throw std::bad_alloc(); }), std::bad_alloc);
}

TEST_CASE("A number that is not finite is a failure that names its parameter") {
  const std::string second = Synthetic("planar1").problem.parameters.names[1];
  const Estimate nan = RunScript([] {
    Estimate estimate = Fine();
    estimate.x[1] = std::numeric_limits<double>::quiet_NaN();
    return estimate;
  });
  CHECK(nan.outcome == Outcome::kNonFinite);
  CHECK(nan.reason == "the estimate of " + second + " is nan");
  CHECK(nan.x.size() == 0);
  const Estimate infinite = RunScript([] {
    Estimate estimate = Fine();
    estimate.x[1] = -std::numeric_limits<double>::infinity();
    return estimate;
  });
  CHECK(infinite.reason == "the estimate of " + second + " is -inf");
  const Estimate covariance = RunScript([] {
    Estimate estimate = Fine();
    estimate.covariance = Eigen::MatrixXd::Constant(5, 5, std::numeric_limits<double>::infinity());
    return estimate;
  });
  CHECK(covariance.outcome == Outcome::kNonFinite);
  CHECK(covariance.reason == "the covariance holds a number that is not finite");
}

TEST_CASE("No σ is stated where round-off has taken a variance") {
  const auto stated = [](double variance) {
    return RunScript([variance] {
      Estimate estimate = Fine();
      estimate.covariance = Eigen::MatrixXd::Identity(5, 5);
      (*estimate.covariance)(2, 2) = variance;
      return estimate;
    });
  };
  const Estimate lost = stated(-1e-12);
  CHECK(lost.ok());
  CHECK(!lost.covariance);
  CHECK(lost.notes.at("covariance") ==
        "none stated: double precision does not hold variances as far apart as those of prior and "
        "data");
  CHECK(stated(0.0).covariance);  // as of a sigmoid that is saturated
  const Estimate combined = RunScript([] {
    Estimate estimate = Fine();
    estimate.combinations = {.names = {"a"},
                             .units = {"1"},
                             .B = Eigen::MatrixXd::Identity(1, 5),
                             .basis = Eigen::MatrixXd::Identity(5, 1),
                             .covariance = Eigen::MatrixXd::Constant(1, 1, -1e-12)};
    return estimate;
  });
  CHECK(!combined.combinations->covariance);
  CHECK(combined.notes.at("covariance") == lost.notes.at("covariance"));
}

TEST_CASE("A result of a wrong size is a crash") {
  const Estimate few = RunScript([] { return Estimate{}; });
  CHECK(few.outcome == Outcome::kCrashed);
  CHECK(few.reason == "returned 0 numbers for 5 unknowns");
  const Estimate covariance = RunScript([] {
    Estimate estimate = Fine();
    estimate.covariance = Eigen::MatrixXd::Identity(5, 4);
    return estimate;
  });
  const Estimate series = RunScript([] {
    Estimate estimate = Fine();
    estimate.series = {{.name = "states",
                        .columns = {"q"},
                        .units = {"rad"},
                        .time_s = Eigen::Vector2d(0.0, 0.1),
                        .values = Eigen::MatrixXd::Zero(3, 1)}};
    return estimate;
  });
  CHECK(series.outcome == Outcome::kCrashed);
  CHECK(series.reason == "the series 'states' has 2 instants and 3 rows");
  CHECK(covariance.outcome == Outcome::kCrashed);
  CHECK(covariance.reason == "returned a 5 × 4 covariance for 5 unknowns");
}

TEST_CASE("Needs that a problem or its data cannot supply are named, one sentence each") {
  Synthetic robot("planar1", "base", {Equation::kTorque, Equation::kWrench});
  robot.problem.parameters.prior.reset();
  const std::vector<std::string> all = {"joint_position", "joint_velocity", "joint_acceleration",
                                        "joint_torque", "base_wrench"};
  const EstimatorNeeds ols = Ols().needs();
  CHECK(UnmetNeeds(ols, robot.problem, all).empty());
  CHECK(UnmetNeeds(ols, robot.problem, {"joint_position", "joint_velocity", "joint_torque"}) ==
        std::vector<std::string>{"needs the channel 'joint_acceleration'",
                                 "needs the channel 'base_wrench'"});
  const EstimatorNeeds prior_only = PriorOnly().needs();
  CHECK(UnmetNeeds(prior_only, robot.problem, {}) ==
        std::vector<std::string>{"needs a prior: declare /problem/prior"});
}

TEST_CASE("A prior's covariance, a positive σ of every row and bounds are needs too") {
  Synthetic robot("planar2", "base", {Equation::kTorque, Equation::kWrench});
  using enum Capability;
  const EstimatorNeeds needs = {.problem = {kPrior, kPriorCovariance, kRowSigma, kTwoBounds}};
  const std::string bounds =
      "needs bounds on both sides of every unknown, base.mcy_R among them: see "
      "lower_prior_factor, first_moment_reach_m and bounds of /problem/parametrisation";
  const std::string covariance =
      "needs to know how far the prior may be off: declare /problem/prior/std, relative_std or "
      "std_of_bounds";
  REQUIRE(robot.problem.parameters.names[2] == "base.mcy_R");
  robot.Declare(Eigen::VectorXd::Ones(8));
  CHECK(UnmetNeeds(needs, robot.problem).empty());
  robot.problem.parameters.upper[2] = std::numeric_limits<double>::infinity();
  robot.problem.parameters.prior->covariance.reset();
  robot.problem.rows[0].sigma.resize(0);
  robot.problem.rows[1].sigma[4] = 0.0;
  CHECK(UnmetNeeds(needs, robot.problem) ==
        std::vector<std::string>{covariance, "needs a positive declared σ of joint_torque",
                                 "needs a positive declared σ of base_wrench; that of a row is 0",
                                 bounds});
  robot.problem.parameters.prior.reset();
  CHECK(UnmetNeeds({.problem = {kPriorCovariance}}, robot.problem) ==
        std::vector<std::string>{"needs a prior: declare /problem/prior"});
  CHECK(UnmetNeeds({}, robot.problem).empty());
}

/// A method whose look at the problem throws.
class Picky : public Scripted {
 public:
  explicit Picky(std::function<void()> look) : Scripted(Fine), look_(std::move(look)) {}

 protected:
  void CheckProblem(const Problem&) override { look_(); }

 private:
  std::function<void()> look_;
};

TEST_CASE("What a method throws of the problem alone is told before there are data") {
  const Synthetic robot("planar1");
  CHECK(Scripted(Fine).WhyRefused(robot.problem) == "");
  CHECK(Picky([] { Refuse("not this one"); }).WhyRefused(robot.problem) == "not this one");
  CHECK(Picky([] { throw std::runtime_error("broken"); }).WhyRefused(robot.problem) == "broken");
  CHECK_THROWS_AS(Picky([] { throw std::bad_alloc(); }).WhyRefused(robot.problem), std::bad_alloc);
}

TEST_CASE("Each checkpoint is a run of its own: one that fails does not spoil the next") {
  const Synthetic robot("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 100)};
  Ols ols;
  const std::vector<Estimate> estimates =
      ols.RunAt(robot.problem, datasets, std::vector{0.02, 0.5});
  REQUIRE(estimates.size() == 3);
  CHECK(estimates[0].outcome == Outcome::kRefused);
  CHECK(estimates[0].reason == "3 samples of 2 equations are fewer than 10 unknowns");
  CHECK(estimates[1].x == ols.Run(robot.problem, std::vector{robot.Record("a", 51)}).x);
  CHECK(estimates[2].x == ols.Run(robot.problem, datasets).x);
  CHECK(estimates[1].x != estimates[2].x);
}

TEST_CASE("Checkpoints that are not positive or do not increase are the caller's mistake") {
  const Synthetic robot("planar2");
  for (const std::vector<double>& wrong :
       {std::vector{0.0, 1.0}, std::vector{1.0, 1.0}, std::vector{2.0, 1.0}}) {
    CHECK_THROWS_AS(PriorOnly().RunAt(robot.problem, {}, wrong), std::invalid_argument);
  }
  CHECK_THROWS_WITH_AS(PriorOnly().RunAt(robot.problem, {}, std::vector{2.0, 1.0}),
                       "RunAt: checkpoints must be positive and increase, got 1 s behind 2 s",
                       std::invalid_argument);
  CHECK(PriorOnly().RunAt(robot.problem, {}, {}).size() == 1);
}

}  // namespace
}  // namespace idbench
