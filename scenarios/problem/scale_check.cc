#include "scenarios/problem/scale_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "robots/dynamics/calibration.h"
#include "robots/dynamics/parameters/gain_scale.h"
#include "scenarios/problem/drawn_set.h"
#include "scenarios/problem/parametrisations.h"

namespace idbench {
namespace {

/// Name of a cut's sensor.
const std::string& NameOf(const RobotModel& model, int cut) {
  return model.cuts()[static_cast<std::size_t>(cut)].name;
}

/// Returns the first equation of drives; the number of equations if there is none. There is at most
/// one.
std::size_t FindDrives(const ProblemOptions& problem, std::vector<Issue>& issues) {
  std::size_t drives = problem.equations.size();
  for (std::size_t i = 0; i < problem.equations.size(); ++i) {
    if (InfoOf(problem.equations[i].type).rows != RowsFrom::kDriveRows) continue;
    if (drives < problem.equations.size()) {
      issues.push_back({fmt::format("/problem/equations/{}", i),
                        fmt::format("is of drives, as /problem/equations/{} is", drives),
                        {"drives have one equation: gains would be of both units"}});
      break;
    }
    drives = i;
  }
  return drives;
}

/// Something must say how large gains are, and the readings of calibrated sensors, see
/// TermsWithoutScale().
/// @param drives  the equation of drives.
void CheckScale(const ProblemOptions& problem, const Robot& robot, const Eigen::VectorXd& pi,
                std::size_t drives, std::vector<Issue>& issues) {
  std::vector<std::string> lacking;
  try {
    lacking = TermsWithoutScale(robot.model, EquationsOf(problem, robot.model),
                                AskedParameters(robot, problem), pi,
                                problem.parametrisation.friction_shape());
  } catch (const std::domain_error&) {
    return;  // BuildProblem() says that the rank is not certain
  }
  std::vector<std::string> gains, sensors;
  for (const Term& term : robot.model.terms()) {
    if (std::ranges::find(lacking, term.name) == lacking.end()) continue;
    if (!IsCalibration(term)) {
      gains.push_back(term.name);
    } else if (const std::string& name = NameOf(robot.model, term.cut);
               std::ranges::find(sensors, name) == sensors.end()) {
      sensors.push_back(name);
    }
  }
  if (!sensors.empty()) {
    issues.push_back(
        {"/problem/terms",
         fmt::format("nothing says how large the calibration is of {}", ListSome(sensors)),
         {"rows of the wrench hold for any multiple of 1 + D, of masses and of offsets, and for "
          "none; σ of a prior is no cure, as least squares shrink them the more the more samples "
          "there are",
          "attach a body of known mass beyond the sensor (/attached) that comes off, all else "
          "being the same, in some experiments for identification; or, beside an equation of "
          "drives, know a gain (/problem/prior/terms)"}});
  }
  if (gains.empty()) return;
  issues.push_back(
      {fmt::format("/problem/equations/{}", drives),
       fmt::format("nothing says how large these gains are: {}", ListSome(gains)),
       {"the equation holds for any multiple of them, of masses and of friction",
        "know one of them (/problem/prior/terms), or attach a body of known mass (/attached) that "
        "comes off, all else being the same, in some experiments for identification, or add an "
        "equation that is measured"}});
}

}  // namespace

void CheckCalibrations(const ProblemOptions& problem, const RobotModel& model,
                       std::vector<Issue>& issues) {
  std::vector<int> there;
  for (std::size_t i = 0; i < problem.equations.size(); ++i) {
    std::vector<Issue> ignored;  // CheckChoices() told them
    const auto placed = PlacedEquationOf(problem.equations[i], model, "", ignored);
    if (!placed || placed->kind != Equation::kCut || !HasCalibration(model, placed->cut)) continue;
    const std::string where = fmt::format("/problem/equations/{}", i);
    if (!placed->rows.empty()) {
      issues.push_back(
          {where + "/components",
           fmt::format("the calibration of {} takes all six of them", NameOf(model, placed->cut)),
           {"remove it, or the terms of type \"calibration\""}});
    }
    if (std::ranges::count(there, placed->cut) > 0) {
      issues.push_back(
          {where,
           fmt::format("{} is measured twice, and has one calibration", NameOf(model, placed->cut)),
           {"take one of its channels, or remove the terms of type "
            "\"calibration\""}});
    }
    there.push_back(placed->cut);
  }
  const std::vector<Term> terms = TermsOf(model);
  for (const Configuration& each : model.configurations()) {
    for (const OwnTerm& own : each.own) {
      const Term& term = terms[static_cast<std::size_t>(own.shared)];
      if (!IsCalibration(term)) continue;
      issues.push_back({PointerTo("/configurations", each.name) + "/own",
                        fmt::format("{} is of the sensor, in all configurations", term.name),
                        {"remove it here; offsets may be of configurations"}});
      break;
    }
  }
}

void CheckDrives(const ProblemOptions& problem, const Robot& robot, std::vector<Issue>& issues) {
  const std::size_t drives = FindDrives(problem, issues);
  if (!issues.empty()) return;
  if (drives == problem.equations.size() && !HasCalibration(robot.model)) return;
  const Eigen::VectorXd pi =
      problem.prior ? PriorSet(robot, *problem.prior) : robot.FindSet("")->pi;
  const std::vector<int> asked = AskedParameters(robot, problem);
  const std::vector<PlacedEquation> equations = EquationsOf(problem, robot.model);
  std::vector<std::string> lacking;
  auto index = static_cast<int>(pi.size() - std::ssize(robot.model.terms()));
  for (const Term& term : robot.model.terms()) {
    const bool known = std::ranges::find(asked, index) == asked.end();
    const bool counts = term.rows == TermRows::kDrives && InRows(term, equations);
    if (counts && known && pi[index] == 0.0) lacking.push_back(term.name);
    ++index;
  }
  if (!lacking.empty()) {
    issues.push_back({fmt::format("/problem/equations/{}", drives),
                      fmt::format("gains are neither known nor asked for: {}", ListSome(lacking)),
                      {"give them in /problem/prior/terms, or estimate them: "
                       "/problem/terms {\"type\": \"gain\"}"}});
    return;
  }
  CheckScale(problem, robot, pi, drives, issues);
}

}  // namespace idbench
