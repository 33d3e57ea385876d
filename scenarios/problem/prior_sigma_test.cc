#include "scenarios/problem/prior_sigma.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "robots/robot.h"
#include "scenarios/options/json.h"
#include "scenarios/problem/drawn_set.h"
#include "scenarios/problem/parametrisations.h"
#include "scenarios/problem/problem_builder.h"

namespace idbench {
namespace {

JointLimits Limits(const Eigen::Vector2d& effort, const Eigen::Vector2d& velocity) {
  const Eigen::VectorXd none =
      Eigen::VectorXd::Constant(2, std::numeric_limits<double>::infinity());
  return {-none, none, velocity, none, effort};
}

TEST_CASE("σ from limits is a tenth of the effort, for speeds and rotors at full speed") {
  const JointLimits limits = Limits({80, 10}, {2, 4});
  CHECK(SigmaFromLimits("fc", limits) == 8.0);
  CHECK(SigmaFromLimits("fo", limits) == 8.0);
  CHECK(SigmaFromLimits("fv", limits) == 4.0);
  CHECK(SigmaFromLimits("ia", limits) == 0.4);  // 8 N·m bring it to 2 rad/s in 0.1 s
  CHECK(SigmaFromLimits("fc", Limits({87, 12}, {2.175, 2.61})) == 8.7);
  CHECK(SigmaFromLimits("fv", Limits({87.1, 12}, {1, 1})) == 8.8);  // rounded up
}

TEST_CASE("Without limits, and of what is no term of a joint, there is no such σ") {
  const double none = std::numeric_limits<double>::infinity();
  CHECK_FALSE(SigmaFromLimits("fc", Limits({none, none}, {2, 2})));
  CHECK_FALSE(SigmaFromLimits("fv", Limits({none, 0}, {none, none})));
  CHECK(SigmaFromLimits("fc", Limits({none, 50}, {none, none})) == 5.0);
  for (const char* const kind : {"gain", "offset_fx", "m", "J1"}) {
    CHECK_FALSE(SigmaFromLimits(kind, Limits({80, 10}, {2, 4})));
  }
}

/// A prior that is relative to 0 for friction and rotor inertias, and what is said of it.
struct RelativeToZero {
  Robot robot;
  ProblemOptions options;

  RelativeToZero(const std::string& name, const char* type) : robot(LoadRobot(name)) {
    options.parametrisation.type = type;
    options.parametrisation.friction = {JointParameter::kViscous, JointParameter::kCoulomb,
                                        JointParameter::kOffset};
    options.parametrisation.rotor_inertia = true;
    options.prior.emplace();
    options.prior->relative_std = 0.5;
    options.prior->mean = {{"fv", 0}, {"fc", 0}, {"fo", 0}, {"ia", 0}};
  }
  std::optional<Issue> Said() const {
    const Problem problem = BuildProblem(robot, options, "test");
    const Eigen::VectorXd pi = PriorSet(robot, *options.prior);
    return SigmaIssue(
        {robot.model, *options.prior, pi, problem.parameters.FromPi(pi), problem.parameters});
  }
};

/// The `std` of the line that is told.
Json Pasted(const Issue& issue) {
  const std::string begin = "\"std\": ";
  const std::string& line = issue.details.at(0);
  return ParseJson(line.substr(line.find(begin) + begin.size()), "told");
}

TEST_CASE("A σ that is relative to 0 is told with its unknowns, and what is pasted mends it") {
  for (const char* const name :
       {"franka_panda", "kuka_lwr4", "ur10", "icub_right_arm", "planar3", "barrett_wam7"}) {
    for (const char* const type : {"standard", "base", "masses_and_moments", "log_cholesky"}) {
      CAPTURE(name);
      CAPTURE(type);
      RelativeToZero prior(name, type);
      const std::optional<Issue> told = prior.Said();
      REQUIRE(told);
      CHECK(told->where == "/problem/prior/relative_std");
      CHECK(told->what.starts_with("is relative to 0 for "));
      Json json = {{"prior", {{"relative_std", 0.5}, {"std", Pasted(*told)}}}};
      std::vector<Issue> issues;
      PriorOptions read;
      ReadFields(Visit(read), json["prior"], "", issues);
      REQUIRE(issues.empty());
      prior.options.prior->std = read.std;
      CHECK_FALSE(prior.Said());
      BuildProblem(prior.robot, prior.options, "pasted");
    }
  }
}

TEST_CASE("Only what relative_std gives nothing to is told, and known ones are none") {
  RelativeToZero prior("planar2", "standard");
  prior.options.prior->mean = {{"fv", 1}, {"joint1.fc", 1}, {"ia", 0}, {"fo", 0}};
  prior.options.prior->std = {{"ia", 0.1}};
  prior.options.prior->known.patterns = {"fo"};
  const std::optional<Issue> told = prior.Said();
  // The planar links lie in their planes: first moments and products across are 0.
  if (told) CHECK(told->what.find("joint") == std::string::npos);
  prior.options.prior->mean = {{"fv", 0}, {"joint1.fc", 1}, {"ia", 0}, {"fo", 0}};
  const std::optional<Issue> of_fv = prior.Said();
  REQUIRE(of_fv);
  CHECK(of_fv->what.find("joint1.fv, joint2.fv") != std::string::npos);
  CHECK(of_fv->what.find("joint1.fc") == std::string::npos);
  CHECK(Pasted(*of_fv)["ia"] == 0.1);
  CHECK(of_fv->details.back().find("\"fv\"") != std::string::npos);
  CHECK(of_fv->details.back().find("\"known\": [") != std::string::npos);
}

TEST_CASE("A prior without relative_std states every σ, or none") {
  RelativeToZero prior("planar2", "standard");
  prior.options.prior->relative_std.reset();
  CHECK_FALSE(prior.Said());
}

}  // namespace
}  // namespace idbench
