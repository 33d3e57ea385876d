#include "scenarios/problem/prior_known.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "scenarios/problem/drawn_set.h"
#include "scenarios/problem/parametrisations.h"
#include "scenarios/problem/problem_builder.h"

namespace idbench {
namespace {

ProblemOptions Holding(const char* type, std::vector<std::string> known) {
  ProblemOptions options;
  options.parametrisation.type = type;
  options.parametrisation.friction = {JointParameter::kViscous, JointParameter::kCoulomb};
  options.prior.emplace();
  options.prior->mean = {{"fv", 0.7}, {"joint2.fv", 0.9}, {"fc", 2.0}};
  options.prior->known.patterns = std::move(known);
  return options;
}

TEST_CASE("What is known is no unknown, and has the prior's mean in every π") {
  const Robot robot = LoadRobot("planar2");
  for (const char* const type :
       {"standard", "base", "masses_and_moments", "masses_moments_first_moments", "log_cholesky"}) {
    CAPTURE(type);
    const Problem all = BuildProblem(robot, Holding(type, {}), "test");
    const Problem problem = BuildProblem(robot, Holding(type, {"joint{1,2}.fv"}), "test");
    const Parametrisation& parameters = problem.parameters;
    CHECK(parameters.size() == all.parameters.size() - 2);
    CHECK(std::ranges::count(parameters.names, "joint1.fv") == 0);
    const Eigen::VectorXd pi = parameters.Pi(parameters.prior->mean);
    const ParameterLayout layout(robot.model);
    CHECK(pi[layout.Joint(0, JointParameter::kViscous)] == 0.7);
    CHECK(pi[layout.Joint(1, JointParameter::kViscous)] == 0.9);
    CHECK((pi - all.parameters.Pi(all.parameters.prior->mean)).norm() < 1e-12);  // round-off
  }
}

TEST_CASE("A body can be known, by name or with all others") {
  const Robot robot = LoadRobot("planar2");
  const Eigen::VectorXd prior = PriorSet(robot, *Holding("standard", {}).prior);
  const int link2 = ParameterLayout(robot.model).Body(1);
  for (const char* const type : {"standard", "base", "masses_and_moments", "log_cholesky"}) {
    CAPTURE(type);
    ProblemOptions options = Holding(type, {"link2"});
    const Problem problem = BuildProblem(robot, options, "test");
    const Eigen::VectorXd pi = problem.parameters.Pi(problem.parameters.prior->mean);
    CHECK(pi.segment<kInertialCount>(link2) == prior.segment<kInertialCount>(link2));
    for (const std::string& name : problem.parameters.names) CHECK(!name.starts_with("link2"));
    options.prior->known.patterns = {"body"};
    CHECK(BuildProblem(robot, options, "test").parameters.size() == 4);
  }
}

TEST_CASE("A σ of what is known is refused with both entries") {
  const Robot robot = LoadRobot("planar2");
  const auto wrong = [&robot](std::vector<std::string> known, const char* key) {
    ProblemOptions options = Holding("standard", std::move(known));
    options.prior->relative_std = 0.2;
    options.prior->std = {{key, 1.0}};
    try {
      BuildProblem(robot, options, "test");
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto refused = [&](const std::string& known, const char* key) {
    CAPTURE(known);
    CAPTURE(key);
    CHECK(
        wrong({known}, key)
            .find(fmt::format(
                "/problem/prior/std/{}: is σ of what /problem/prior/known declares known (\"{}\")",
                key, known)) != std::string::npos);
  };
  refused("fv", "fv");
  refused("fv", "joint1.fv");
  refused("joint1.fv", "joint1.fv");
  refused("link2", "link2");
  refused("link2", "link2.m");
  refused("body", "link1");
  refused("body", "body");
  CHECK(wrong({"joint1.fv"}, "fv").empty());  // of joint 2
  CHECK(wrong({"link2"}, "body").empty());    // of link 1
  CHECK(wrong({"fv"}, "fs").find("no unknown has this kind or name") != std::string::npos);
}

TEST_CASE("What is known of a drawn prior is what the trial drew") {
  const Robot robot = LoadRobot("planar2");
  ProblemOptions options = Holding("standard", {"link2"});
  options.prior->mass_error = RandomSignError{0.2};
  options.prior->draw = Draw::kTrial;
  const Problem problem = BuildProblem(robot, options, "test");
  const Eigen::VectorXd drawn = DrawPriorSet(robot, *options.prior, 1, 3);
  const Problem of_trial = WithPrior(problem, robot, options, drawn);
  const Eigen::VectorXd pi = of_trial.parameters.Pi(of_trial.parameters.prior->mean);
  const int link2 = ParameterLayout(robot.model).Body(1);
  CHECK(pi.segment<kInertialCount>(link2) == drawn.segment<kInertialCount>(link2));
  CHECK(pi[link2] != problem.parameters.Pi(problem.parameters.prior->mean)[link2]);
}

/// What is wrong with `known`, with its place.
std::vector<std::string> Wrong(const char* type, std::vector<std::string> known) {
  const Robot robot = LoadRobot("planar2");
  const ProblemOptions options = Holding(type, std::move(known));
  std::vector<std::string> wrong;
  for (const Issue& issue : CheckKnown(options, robot.model, AskedOrKnown(robot, options))) {
    wrong.push_back(issue.where + ": " + issue.what);
  }
  return wrong;
}

TEST_CASE("What cannot be known is refused with its entry") {
  using Lines = std::vector<std::string>;
  CHECK(Wrong("standard", {"fv", "joint1.fc", "link1.Ixx", "link2"}).empty());
  CHECK(Wrong("standard", {"fv", "ia", "joint7.fv"}) ==
        Lines{"/problem/prior/known/1: nothing that is asked for has this kind or name: \"ia\"",
              "/problem/prior/known/2: nothing that is asked for has this kind or name: "
              "\"joint7.fv\""});
  CHECK(
      Wrong("masses_and_moments", {"link1.Ixx"}) ==
      Lines{"/problem/prior/known: holds a part of link1, and \"masses_and_moments\" has unknowns "
            "of whole bodies"});
  CHECK(Wrong("payload", {"fv"}) == Lines{"/problem/prior/known: has no meaning for \"payload\""});
  CHECK(Wrong("standard", {"body", "fv", "fc"}) ==
        Lines{"/problem/prior/known: leaves no unknown"});
  const Lines malformed = Wrong("standard", {"joint{1..}.fv"});
  REQUIRE(malformed.size() == 1);
  CHECK(malformed[0].starts_with("/problem/prior/known/0: "));
}

}  // namespace
}  // namespace idbench
