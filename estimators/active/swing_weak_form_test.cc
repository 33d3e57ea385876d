#include "estimators/active/swing_weak_form.h"

#include <doctest/doctest.h>

#include <cmath>

#include "estimators/active/chain_model.h"
#include "estimators/active/chain_plant_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

SwingWeakForm With(const Json& options) {
  SwingWeakForm method;
  std::vector<Issue> issues;
  ReadFields(method.Fields(), options, "", issues);
  REQUIRE(issues.empty());
  return method;
}

SwingWeakForm WithoutHold() { return With({{"torque_delay_periods", 0}}); }

TEST_CASE("Free swings tell all parameters of frictionless rods, without a fall") {
  for (const int rods : {1, 2, 3}) {
    RodsProblem of(rods, 1.17);
    MeteredPlant plant(std::make_unique<ChainPlant>(of.lagrangian(), of.truth), 1e5);
    const Estimate estimate = WithoutHold().Run(of.problem, plant);
    REQUIRE(estimate.ok());
    // What is left is of the plant's steps; rates of less than third order take 4e-5 more.
    CHECK(of.ErrorOf(estimate.x) < (rods == 1 ? 1e-12 : 1e-5));
    // Inertias and couplings too, to 1 %.
    CHECK(((estimate.x - of.truth).array() / of.truth.array()).abs().maxCoeff() < 0.01);
    CHECK(estimate.plant_use->experiments == (rods == 1 ? 4 : 8));
    CHECK(estimate.plant_use->falls == 0);
  }
}

TEST_CASE("Friction is told from gravity, also where joints stick") {
  for (const int rods : {1, 2}) {
    RodsProblem of(rods, 1.17, {JointParameter::kViscous, JointParameter::kCoulomb});
    const double coulomb = 1e-3 * of.TrueGravity()[0];
    MeteredPlant plant(std::make_unique<ChainPlant>(of.lagrangian(), of.truth, coulomb), 1e5);
    const Estimate estimate = WithoutHold().Run(of.problem, plant);
    REQUIRE(estimate.ok());
    CHECK(of.ErrorOf(estimate.x) < 2e-3);
    CHECK(estimate.x.tail(rods).minCoeff() > 0.7 * coulomb);
    CHECK(estimate.x.tail(rods).maxCoeff() < 1.3 * coulomb);
  }
}

TEST_CASE("A torque that is held until the next reading acts half a period late") {
  RodsProblem of(1, 1.17);
  RodsProblem damped(1, 1.17, {JointParameter::kViscous});
  const auto run = [](const RodsProblem& rods, double delay) {
    MeteredPlant plant(std::make_unique<ChainPlant>(rods.lagrangian(), rods.truth, 0.0,
                                                    ChainPeriod{.period_s = 5e-3, .steps = 20}),
                       1e5);
    Estimate estimate =
        With({{"torque_delay_periods", delay}, {"duration_s", 15.0}}).Run(rods.problem, plant);
    REQUIRE(estimate.ok());
    CHECK(estimate.plant_use->falls == 0);
    return estimate;
  };
  // Semi-implicit steps act at their beginnings: of m steps the middle is (m − 1)/2 steps late.
  constexpr double kMiddle = 19.0 / 40.0;
  const double at_middle = of.ErrorOf(run(of, kMiddle).x);
  CHECK(at_middle < 1e-5);  // second order in the period
  const double at_half = of.ErrorOf(run(of, 0.5).x);
  CHECK(at_half < 1e-5);
  CHECK(of.ErrorOf(run(of, 0.0).x) > 3.0 * at_half);
  CHECK(of.ErrorOf(run(of, 1.0).x) > 3.0 * at_half);
  // τ(t − T/2) ≈ τ − T/2·τ̇ is friction of the wrong sign, −T/2·f·b̃ ≈ −0.014 N·m·s/rad.
  CHECK(std::abs(run(damped, kMiddle).x.tail<1>()[0]) < 1e-5);
  CHECK(run(damped, 0.0).x.tail<1>()[0] < -0.01);
}

TEST_CASE("Noise pulls no parameter by more than its interval") {
  RodsProblem of(2, 1.17);
  double squares = 0.0;
  for (const int trial : {0, 1}) {
    MeteredPlant plant(std::make_unique<NoisyChain>(of, 3e-3, trial), 1e5);
    const Estimate estimate = With({{"torque_delay_periods", 0}}).Run(of.problem, plant);
    REQUIRE(estimate.ok());
    squares += OverSigma(estimate, of).square().sum();
  }
  // Ten errors: more in one of a thousand runs. Least squares are off by 3 σ, and have 10 here.
  CHECK(squares / 10.0 < 3.0);
}

TEST_CASE("A base that is not level, or masses beside the rods, are told from gravity") {
  const RodsProblem of(2, 1.17);
  Eigen::VectorXd leaning(of.truth.size() + 2);
  leaning << of.truth, 0.02 * of.TrueGravity()[0], -0.01 * of.TrueGravity()[1];
  const auto run = [&](bool fits) {
    MeteredPlant plant(std::make_unique<ModelPlant>(of.lagrangian(), leaning, 0.018), 1e5);
    Estimate estimate = With({{"leaning", fits}, {"duration_s", 30.0}}).Run(of.problem, plant);
    REQUIRE(estimate.ok());
    return estimate;
  };
  const Estimate told = run(true);
  CHECK(of.ErrorOf(told.x) < 1e-4);
  CHECK(told.diagnostics.at("lean_rad:link1") == doctest::Approx(0.02).epsilon(1e-3));
  CHECK(told.diagnostics.at("lean_rad:link2") == doctest::Approx(-0.01).epsilon(1e-3));
  CHECK(told.notes.at("sigma").find("that of link1 leans by 0.02 rad") != std::string::npos);
  CHECK(of.ErrorOf(run(false).x) > 0.01);
}

TEST_CASE("Swings end when gravity is known well enough") {
  const RodsProblem of(2, 1.17);
  const auto run = [&](double fraction) {
    MeteredPlant plant(std::make_unique<NoisyChain>(of, 1e-3, 0), 1e5);
    Estimate estimate =
        With({{"stop_at_fraction", fraction}, {"duration_s", 20.0}}).Run(of.problem, plant);
    REQUIRE(estimate.ok());
    return estimate;
  };
  const auto greatest = [&](const Estimate& estimate) {
    return (of.GravityIn(estimate.sigma().value()).array() / of.GravityIn(estimate.x).array())
        .maxCoeff();
  };
  const Estimate all = run(0.0);
  CHECK(all.plant_use->experiments == 8);
  const Estimate four = run(1.0);
  CHECK(four.plant_use->experiments == 4);
  CHECK(greatest(four) > greatest(all));
  CHECK(run(0.5 * greatest(all)).plant_use->experiments == 8);
  const Estimate enough = run(0.5 * (greatest(four) + greatest(all)));
  CHECK(enough.plant_use->experiments > 4);
  CHECK(greatest(enough) <= 0.5 * (greatest(four) + greatest(all)));
}

TEST_CASE("Friction that is no unknown is a model that does not swing as the robot does") {
  const RodsProblem of(2, 1.17);
  const auto run = [&](double coulomb) {
    MeteredPlant plant(std::make_unique<ChainPlant>(of.lagrangian(), of.truth, coulomb), 1e5);
    Estimate estimate = With({{"duration_s", 30.0}}).Run(of.problem, plant);
    REQUIRE(estimate.ok());
    return estimate;
  };
  CHECK_FALSE(run(0.0).notes.contains("health"));
  const Estimate estimate = run(2e-3 * of.TrueGravity()[0]);
  CHECK(of.ErrorOf(estimate.x) > 0.01);
  REQUIRE(estimate.notes.contains("health"));
  CHECK(estimate.notes.at("health").starts_with("the model does not swing as the robot does; "));
  CHECK_FALSE(estimate.notes.contains("swings"));
}

TEST_CASE("Swings that all fall are told as that") {
  const RodsProblem of(1, 1.17);
  MeteredPlant plant(std::make_unique<ChainPlant>(of.lagrangian(), of.truth), 1e5);
  const Estimate estimate = With({{"limit_rad", 0.05}}).Run(of.problem, plant);
  CHECK(estimate.outcome == Outcome::kRankDeficient);
  CHECK(estimate.reason.ends_with("or limit_rad too small, or push_rad_s too great?"));
}

TEST_CASE("Levels that do not differ, and windows no wider than what smooths rates, are refused") {
  const auto what = [](const Json& options) {
    SwingWeakForm method;
    std::vector<Issue> issues;
    ReadFields(method.Fields(), options, "", issues);
    REQUIRE(issues.size() == 1);
    return issues[0].where + ": " + issues[0].what;
  };
  CHECK(what({{"first_levels", {1.0}}}).starts_with("/first_levels: holds no two levels"));
  CHECK(what({{"windows_s", {0.3, 2.0}}}) ==
        "/windows_s: holds 0.3 s, which is little beside the 0.27 s over which rates are smoothed");
}

TEST_CASE("Swings shorter than a window are refused, with what would do") {
  SwingWeakForm method;
  std::vector<Issue> issues;
  ReadFields(method.Fields(), {{"duration_s", 2.0}}, "", issues);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].what == "swings of 2 s have no room for test functions of 2 s");
  CHECK(issues[0].details[0] == "accepted here: at least 2.432 s");
}

TEST_CASE("Intervals know that steps of a simulation hide when a rate acts") {
  RodsProblem of(2, 1.17, {JointParameter::kViscous});
  const auto run = [&](double timing) {
    MeteredPlant plant(std::make_unique<ChainPlant>(of.lagrangian(), of.truth), 1e5);
    return With({{"torque_delay_periods", 0}, {"rate_timing_periods", timing}})
        .Run(of.problem, plant);
  };
  const Estimate known = run(0.5);
  const Estimate unknown = run(0.0);
  REQUIRE(known.ok());
  CHECK(known.x == unknown.x);
  // Half a step is what the plant is off by, to its first order.
  CHECK(OverSigma(known, of).abs().maxCoeff() < 1.96);
  CHECK(OverSigma(known, of).tail(2).abs().minCoeff() > 0.8);
  CHECK(OverSigma(unknown, of).tail(2).abs().minCoeff() > 5.0);
}

/// No rods: they swing by themselves, from experiment to experiment more slowly.
class Contrary : public ChainPlant {
 public:
  explicit Contrary(const RodsProblem& of) : ChainPlant(of.lagrangian(), of.truth) {}
  void MoveTo(const ExperimentStart& start, Reading& reading) override {
    ChainPlant::MoveTo(start, reading);
    q_ = start.q;
    rate_ *= 0.7;
  }
  ExperimentState Exchange(const Command& command, Reading& reading) override {
    ChainPlant::Exchange(command, reading);
    Eigen::VectorXd& q = reading.At(kJointPosition).value;
    for (Eigen::Index j = 0; j < q.size(); ++j) {
      q[j] = q_[j] + 0.1 * std::sin((1.0 + 0.3 * static_cast<double>(j)) * rate_ * reading.t);
    }
    return ExperimentState::kRunning;
  }

 private:
  Eigen::VectorXd q_;
  double rate_ = 4.0;
};

TEST_CASE("Swings that tell inertias of no robot give no instruments, and say so") {
  RodsProblem of(2, 1.17);
  MeteredPlant plant(std::make_unique<Contrary>(of), 1e5);
  const Estimate estimate = With({{"last_levels", Json::array()}}).Run(of.problem, plant);
  CAPTURE(estimate.reason);
  REQUIRE(estimate.ok());
  REQUIRE(estimate.notes.contains("health"));
  CHECK(estimate.notes.at("health").starts_with("the swings tell inertias that are those of no"));
  // With one joint there is nothing beside it that could be told well.
  RodsProblem one(1, 1.17);
  MeteredPlant rod(std::make_unique<Contrary>(one), 1e5);
  const Estimate failed = With({{"last_levels", Json::array()}}).Run(one.problem, rod);
  CHECK(failed.outcome == Outcome::kNotConverged);
  CHECK(failed.reason.starts_with("the inertia would be -"));
}

TEST_CASE("A fit that needs no levels beyond the first makes half the swings") {
  RodsProblem of(1, 1.17);
  MeteredPlant plant(std::make_unique<ChainPlant>(of.lagrangian(), of.truth), 1e5);
  const Estimate estimate = With({{"last_levels", Json::array()}}).Run(of.problem, plant);
  REQUIRE(estimate.ok());
  CHECK(estimate.plant_use->experiments == 2);
}

}  // namespace
}  // namespace idbench
