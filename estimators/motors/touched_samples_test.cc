#include "estimators/motors/touched_samples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "estimators/interface/estimate.h"
#include "estimators/motors/drive_nls.h"
#include "estimators/motors/driven_arm_test.h"
#include "estimators/motors/pls.h"
#include "estimators/motors/two_stage.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr DrivenArm::Extras kTouchedArm = {.touched = true};

template <class Method>
Estimate RunOn(const Problem& problem, const std::vector<Dataset>& datasets) {
  Method method;
  return method.Run(problem, datasets);
}

/// What a method refuses the problem for.
template <class Method>
std::string RefusalBy(const Problem& problem) {
  Method method;
  return method.WhyRefused(problem);
}

/// The arm, and data of it that say nothing of touches.
std::vector<Dataset> Untold(const DrivenArm& arm) {
  std::vector<Dataset> datasets = {arm.Record("a", 20.0, {}),
                                   arm.Record("b", 20.0, {}, 0, "touched")};
  for (Dataset& dataset : datasets) dataset.set_configuration("");
  return datasets;
}

TEST_CASE_TEMPLATE("A touch that the sensor measures leaves gains exact without noise", Method,
                   TwoStage, DriveNls) {
  DrivenArm::Extras extras = kTouchedArm;
  SUBCASE("before the touched body") {}
  SUBCASE("on the base") { extras.on_base = true; }
  const DrivenArm arm(extras);
  const std::vector<Dataset> datasets = {arm.Record("a", 20.0, {}),
                                         arm.Record("b", 20.0, {}, 0, "touched")};
  const Estimate estimate = RunOn<Method>(arm.problem, datasets);
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  CHECK((arm.GainRatios(estimate.x).array() - 1.0).abs().maxCoeff() < 1e-7);
  // Otherwise what touches the arm is taken for the arm's own.
  const Estimate untold = RunOn<Method>(arm.problem, Untold(arm));
  CHECK((!untold.ok() || (arm.GainRatios(untold.x).array() - 1.0).abs().maxCoeff() > 0.01));
}

TEST_CASE("A second run with touches tells gains better than one without") {
  const DrivenArm arm(kTouchedArm);
  const DrivenArm::Noise noise{.pwm_pct = 0.3, .force_n = 0.02, .moment_nm = 0.001};
  double squares = 0.0, of_touched = 0.0;
  for (int trial = 0; trial < 4; ++trial) {
    const Dataset first = arm.Record("a", 30.0, noise, trial);
    const auto squared = [&](const Dataset& second) {
      const Estimate estimate = RunOn<TwoStage>(arm.problem, {first, second});
      REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
      return (arm.GainRatios(estimate.x).array() - 1.0).square().sum();
    };
    squares += squared(arm.Record("b", 30.0, noise, trial));
    of_touched += squared(arm.Record("b", 30.0, noise, trial, "touched"));
  }
  CAPTURE(squares);
  CAPTURE(of_touched);
  CHECK(of_touched < 0.5 * squares);
}

TEST_CASE("Where a touch cannot be told, methods refuse") {
  const DrivenArm arm(kTouchedArm);
  CHECK(RefusalBy<TwoStage>(arm.problem).empty());
  CHECK(RefusalBy<DriveNls>(arm.problem).empty());
  CHECK(RefusalBy<Pls>(arm.problem) ==
        "needs data in which nothing touches the robot, and a configuration of an identification "
        "experiment is \"touched\": give these experiments the role \"application\", or take "
        "\"drive_nls\" or \"two_stage\"");

  Problem few = arm.problem;
  few.rows[1].chosen = {0, 1, 2};
  CHECK(RefusalBy<DriveNls>(few) ==
        "all six rows of 'r_arm_ft_sensor' have to count: it tells what touches 'r_elbow_1'");

  Problem torques = arm.problem;
  torques.rows.push_back({.equation = Equation::kTorque});
  CHECK(
      RefusalBy<DriveNls>(torques).starts_with("something touches the robot in the configuration "
                                               "'touched', and what that does to the equation"));

  const auto touched_at = [&](int body, bool free) {
    Problem problem = arm.problem;
    std::vector<Configuration> all = {{.name = "touched", .touched = body}};
    if (free) all.push_back({.name = ""});
    problem.model.SetAttached({}, all);
    return problem;
  };
  CHECK(RefusalBy<TwoStage>(touched_at(0, true)) ==
        "something touches 'r_shoulder_1' in the configuration 'touched', and no equation is of a "
        "force/torque sensor before it");
  for (const std::string& reason :
       {RefusalBy<TwoStage>(touched_at(3, false)), RefusalBy<DriveNls>(touched_at(3, false))}) {
    CHECK(reason ==
          "something touches the robot in all experiments for identification: what the sensor "
          "measures of the robot itself takes one in which nothing does");
  }

  const DrivenArm calibrated({.calibration = CalibrationEntries::kDiagonal, .touched = true});
  CHECK(RefusalBy<DriveNls>(calibrated.problem) ==
        "the calibration of 'r_arm_ft_sensor' is unknown, and it has to tell what touches "
        "'r_elbow_1'");
}

/// The arm with a term that the touched configuration has of its own.
Problem WithOwn(const std::string& term) {
  Problem own = DrivenArm(kTouchedArm).problem;
  std::vector<Term> terms = own.model.terms();
  const std::vector<Term> all = TermsOf(own.model);
  const auto shared = std::ranges::find(all, term, &Term::name);
  REQUIRE(shared != all.end());
  terms.push_back(*shared);
  terms.back().name += "@touched";
  own.model.SetTerms(terms);
  std::vector<Configuration> configurations = own.model.configurations();
  configurations[1].own = {
      {static_cast<int>(shared - all.begin()), static_cast<int>(std::ssize(all))}};
  own.model.SetAttached({}, configurations);
  std::vector<std::string> names;
  for (const Term& each : terms) names.push_back(each.name);
  own.parameters = StandardParametrisation(
      own.model, ConsideredParameters(own.model, EquationsOf(own.rows), {}, names));
  return own;
}

TEST_CASE("What only the touched configuration has, and no row of the sensor tells, is refused") {
  CHECK(RefusalBy<TwoStage>(WithOwn("r_arm_ft_sensor.offset_fx")) ==
        "'r_arm_ft_sensor.offset_fx@touched' cannot be told: what touches 'r_elbow_1' is in all "
        "that the sensor measures in the configuration 'touched'; take it out of "
        "/configurations/touched/own");
  CHECK(RefusalBy<DriveNls>(WithOwn("motor0.gain")) ==
        "the gain of 'motor0' is another in some configurations, and motors have one here: take it "
        "out of their \"own\"");

  // A body beyond the sensor, and one before it.
  const auto with_body = [](int link, bool free_too) {
    Problem problem = DrivenArm(kTouchedArm).problem;
    std::vector<Configuration> all = {{.name = ""},
                                      {.name = "touched", .attached = {0}, .touched = 3}};
    if (free_too) all[0].attached = {0};
    problem.model.SetAttached({{.name = "tool", .link = link}}, all);
    std::vector<std::string> names;
    for (const Term& each : problem.model.terms()) names.push_back(each.name);
    problem.parameters = StandardParametrisation(
        problem.model, ConsideredParameters(problem.model, EquationsOf(problem.rows), {}, names));
    return RefusalBy<DriveNls>(problem);
  };
  CHECK(with_body(5, false) ==
        "'tool' is attached only where something touches the robot (configuration 'touched'), and "
        "there nothing tells its inertia: attach it in an experiment for identification in which "
        "nothing does, or know it");
  CHECK(with_body(5, true).empty());
  CHECK(with_body(0, false).empty());
}

TEST_CASE("Of several sensors before a touch the nearest tells it, and none of them counts") {
  Problem problem = DrivenArm(kTouchedArm).problem;
  std::vector<Cut> cuts = problem.model.cuts();
  const int last = static_cast<int>(std::ssize(cuts));
  cuts.push_back({.name = "elbow", .link = 3});
  cuts.push_back({.name = "wrist", .link = 5});
  problem.model.SetCuts(cuts);
  problem.rows.push_back({.equation = Equation::kCut, .cut = last});
  problem.rows.push_back({.equation = Equation::kCut, .cut = last + 1});
  CHECK(!FindTouchedSensor(problem, 0));
  const auto sensor = FindTouchedSensor(problem, 1);
  REQUIRE(sensor);
  CHECK(sensor->cut == last);
  CHECK(sensor->moved.size() == 2);
  CHECK(std::ranges::count(sensor->moved, sensor->first) == 1);
}

TEST_CASE("Behind a low-pass a touch moves gains by next to nothing") {
  const DrivenArm arm(kTouchedArm);
  DriveNls method;
  std::vector<Issue> issues;
  ReadFields(method.Fields(), {{"parallel_filter", {{"cutoff_hz", 4}, {"order", 4}}}}, "", issues);
  REQUIRE(issues.empty());
  const std::vector<Dataset> datasets = {arm.Record("a", 30.0, {}),
                                         arm.Record("b", 30.0, {}, 0, "touched")};
  const Estimate estimate = method.Run(arm.problem, datasets);
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  // The Jacobian is outside of the filter, see TorquePerWrench().
  CHECK((arm.GainRatios(estimate.x).array() - 1.0).abs().maxCoeff() < 2e-3);
}

}  // namespace
}  // namespace idbench
