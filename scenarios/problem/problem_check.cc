#include "scenarios/problem/problem_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "scenarios/problem/drawn_set.h"
#include "scenarios/problem/parametrisations.h"
#include "scenarios/problem/prior_entries.h"
#include "scenarios/problem/prior_known.h"
#include "scenarios/problem/scale_check.h"

namespace idbench {
namespace {

/// Widths of Coulomb friction are of all joints, or one of each of a fixed robot's joints.
void CheckWidths(const std::optional<PerJoint>& widths, const RobotModel& model,
                 const Supplies& supplies, std::vector<Issue>& issues) {
  if (!widths || widths->values.size() == 1) return;
  const std::string where = "/problem/parametrisation/coulomb_width_rad_s";
  const std::size_t size = widths->values.size();
  if (size != static_cast<std::size_t>(model.dofs())) {
    issues.push_back({where,
                      fmt::format("got a list of {}, the robot has {} joints", size, model.dofs()),
                      {"accepted here: one number for all joints, or one for each"}});
    return;
  }
  if (const Term* of_motor = FrictionOfNoSingleJoint(model)) {
    issues.push_back({where,
                      fmt::format("got a list, and {} is of no single joint", of_motor->name),
                      {"accepted here: one number"}});
  } else if (supplies.Has(Capability::kLagrangian)) {
    issues.push_back({where, "got a list", {"accepted for a planar Lagrangian: one number"}});
  }
}

void CheckParametrisation(const ParametrisationOptions& options, const RobotModel& model,
                          const Supplies& supplies, std::vector<Issue>& issues) {
  const std::string where = "/problem/parametrisation";
  const ParametrisationKind& kind = KindNamed(options.type);
  RequireSupplied(kind.needs, supplies, where + "/type", "", "", issues);
  CheckWidths(options.coulomb_width_rad_s, model, supplies, issues);
  for (const auto& [there, key] :
       {std::pair(options.lower_prior_factor.has_value(), "/lower_prior_factor"),
        std::pair(options.upper_prior_factor.has_value(), "/upper_prior_factor"),
        std::pair(options.first_moment_reach_m.has_value(), "/first_moment_reach_m")}) {
    if (there) RequireSupplied({Capability::kPrior}, supplies, where + key, "", "", issues);
  }
  if (kind.truth != TrueValues::kOfPayload && options.payload) {
    issues.push_back({where + "/payload",
                      fmt::format("has no meaning for \"{}\"", kind.name),
                      {"remove it, or set /problem/parametrisation/type to \"payload\""}});
  }
  if (kind.check == nullptr) return;
  std::vector<Issue> own;
  kind.check(options, model, own);
  for (Issue& issue : own) {
    issue.where = where + issue.where;
    issues.push_back(std::move(issue));
  }
}

/// Friction must be in the rows that a dead zone is for.
void CheckDeadZone(const EquationOptions& equation, int dofs, const std::string& where,
                   const Supplies& supplies, std::vector<Issue>& issues) {
  if (!equation.has_dead_zone()) return;
  const std::size_t size = equation.dead_zone_rad_s.values.size();
  if (size != 1 && size != static_cast<std::size_t>(dofs)) {
    issues.push_back({where + "/dead_zone_rad_s",
                      fmt::format("got a list of {}, the robot has {} joints", size, dofs),
                      {"accepted here: one number for all joints, or one for each"}});
  }
  const RowsFrom rows = InfoOf(equation.type).rows;
  if (supplies.Has(Capability::kLagrangian)) {
    issues.push_back({where + "/dead_zone_rad_s",
                      "has no meaning for a planar Lagrangian: its methods use all samples",
                      {"remove it"}});
  } else if (rows != RowsFrom::kTorqueRows && rows != RowsFrom::kMappedRows &&
             rows != RowsFrom::kDriveRows) {
    issues.push_back({where + "/dead_zone_rad_s",
                      fmt::format("{} holds no friction of joints", ToString(equation.type)),
                      {"remove it; dead zones are for equations of the joints' torques"}});
  }
}

/// Whether a sensor there can read anything.
bool HasBeyond(const RobotModel& model, int cut) {
  for (int body = 0; body < model.body_end(); ++body) {
    if (InRows(model, body, {PlacedEquation(Equation::kCut, cut)})) return true;
  }
  return false;
}

/// Names of the rows that two equations have in common; those of one kind, measured by one channel.
std::vector<std::string> CommonRows(const EquationOptions& a, const EquationOptions& b,
                                    const RobotModel& model) {
  std::vector<std::string> common;
  if (a.type != b.type || a.mount != b.mount || a.channel != b.channel) return common;
  std::vector<Issue> ignored;
  const auto one = PlacedEquationOf(a, model, "", ignored);
  const auto other = PlacedEquationOf(b, model, "", ignored);
  if (!one || !other) return common;
  const auto components = ComponentsOf(ChannelNamed(InfoOf(a.type).channel));
  const std::vector<int> rows = ChosenRows(*other, model.dofs());
  for (const int row : ChosenRows(*one, model.dofs())) {
    if (std::ranges::find(rows, row) == rows.end()) continue;
    common.emplace_back(components.empty() ? model.joint_names()[static_cast<std::size_t>(row)]
                                           : components[static_cast<std::size_t>(row)]);
  }
  return common;
}

/// A measured row counts once.
void CheckRepeated(const ProblemOptions& problem, const RobotModel& model,
                   std::vector<Issue>& issues) {
  for (std::size_t i = 1; i < problem.equations.size(); ++i) {
    for (std::size_t before = 0; before < i; ++before) {
      const bool same = problem.equations[before] == problem.equations[i];
      const auto common = CommonRows(problem.equations[before], problem.equations[i], model);
      if (!same && common.empty()) continue;
      const std::string where = fmt::format("/problem/equations/{}", i);
      if (same) {
        issues.push_back({where,
                          fmt::format("is /problem/equations/{} again", before),
                          {"remove it, or name another channel that measures it"}});
      } else {
        issues.push_back(
            {where,
             fmt::format("has rows of /problem/equations/{} again: {}", before, ListSome(common)),
             {"choose other rows, or name another channel that measures them"}});
      }
      break;
    }
  }
}

/// Rows are chosen among those that the robot has, and methods of walkers take all.
void CheckChoices(const ProblemOptions& problem, const RobotModel& model, const Supplies& supplies,
                  std::vector<Issue>& issues) {
  for (std::size_t i = 0; i < problem.equations.size(); ++i) {
    const std::string where = fmt::format("/problem/equations/{}", i);
    const auto placed = PlacedEquationOf(problem.equations[i], model, where, issues);
    if (!placed || placed->rows.empty() || !supplies.Has(Capability::kLagrangian)) continue;
    issues.push_back({where + "/joints",
                      fmt::format("the unknowns of \"{}\" take the rows of all joints",
                                  problem.parametrisation.type),
                      {"remove it"}});
  }
}

/// The robot and the unknowns must supply what an equation needs.
void CheckEquations(const ProblemOptions& problem, const RobotModel& model,
                    const Supplies& supplies, std::vector<Issue>& issues) {
  CheckRepeated(problem, model, issues);
  CheckChoices(problem, model, supplies, issues);
  std::vector<std::string_view> accepted;
  for (const EquationInfo& info : kEquationKinds) {
    if (supplies.Unmet(info.needs).empty()) accepted.push_back(ToString(info.equation));
  }
  std::vector<std::string> cuts;
  for (const Cut& cut : model.cuts()) cuts.push_back(cut.name);
  for (std::size_t i = 0; i < problem.equations.size(); ++i) {
    const Equation type = problem.equations[i].type;
    for (const Lack& lack : supplies.Unmet(InfoOf(type).needs)) {
      issues.push_back({fmt::format("/problem/equations/{}", i),
                        fmt::format("{} {}", ToString(type), lack.needed),
                        {fmt::format("accepted here: {}", fmt::join(accepted, ", "))}});
      if (type == Equation::kCut && !lack.cure.empty()) issues.back().details = {lack.cure};
    }
    CheckDeadZone(problem.equations[i], model.dofs(), fmt::format("/problem/equations/{}", i),
                  supplies, issues);
    const std::string& mount = problem.equations[i].mount;
    if (type != Equation::kCut || cuts.empty()) continue;
    const int cut = model.CutIndex(mount);
    if (cut < 0) {
      issues.push_back({fmt::format("/problem/equations/{}/mount", i),
                        fmt::format("the robot has no force/torque sensor \"{}\"", mount),
                        AcceptedNames(mount, cuts)});
    } else if (!HasBeyond(model, cut)) {
      const std::string& link = model.link(model.cuts()[static_cast<std::size_t>(cut)].link).name;
      issues.push_back(
          {fmt::format("/problem/equations/{}/mount", i),
           fmt::format("nothing lies beyond {}: its link_side is proximal, {} carries no other "
                       "link, and nothing is attached to it",
                       mount, link),
           {"attach a body to the link (/attached), or set link_side to \"distal\""}});
    }
  }
}

/// "motor_torque, …"
std::string DriveEquations() {
  std::vector<std::string_view> names;
  for (const EquationInfo& info : kEquationKinds) {
    if (info.rows == RowsFrom::kDriveRows) names.push_back(ToString(info.equation));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Terms that are to be estimated must be in some rows.
void CheckTerms(const ProblemOptions& problem, const RobotModel& model,
                std::vector<Issue>& issues) {
  const std::vector<PlacedEquation> equations = EquationsOf(problem, model);
  for (std::size_t i = 0; i < problem.terms.size(); ++i) {
    std::vector<Issue> ignored;  // AddTerms() told them
    const std::vector<Term> terms = MakeTerms({problem.terms[i]}, model, "", ignored);
    for (const Term& term : terms) {
      if (InRows(term, equations)) continue;
      const bool of_others =
          term.rows == TermRows::kCut && std::ranges::any_of(terms, [&](const Term& other) {
            return other.cut == term.cut && InRows(other, equations);
          });
      if (of_others) continue;  // some components of that sensor count
      issues.push_back(
          {fmt::format("/problem/terms/{}", i),
           fmt::format("{} is in no equation", term.name),
           {term.rows == TermRows::kDrives
                ? "add an equation of the drives: " + DriveEquations()
                : (term.rows == TermRows::kCut
                       ? "add the equation \"wrench\" of that sensor"
                       : "add an equation of the joints' torques, or remove the terms")}});
      break;
    }
  }
}

/// Terms that configurations have of their own must be estimated.
void CheckOwnTerms(const ProblemOptions& problem, const Robot& robot, std::vector<Issue>& issues) {
  const std::vector<Term> terms = TermsOf(robot.model);
  const int first = ParameterLayout(robot.model).inertial_size();
  const std::vector<int> asked = AskedOrKnown(robot, problem);
  for (const Configuration& each : robot.model.configurations()) {
    if (!each.identified) continue;  // AddOwnTerms() told that
    for (const auto& [shared, own] : each.own) {
      if (std::ranges::find(asked, first + own) != asked.end()) continue;
      const Term& term = terms[static_cast<std::size_t>(shared)];
      const auto is_of_sensor = [&](const OwnTerm& other) {
        const Term& its = terms[static_cast<std::size_t>(other.shared)];
        return its.rows == TermRows::kCut && its.cut == term.cut &&
               std::ranges::find(asked, first + other.own) != asked.end();
      };
      // Of a sensor some components alone may count.
      if (term.rows == TermRows::kCut && std::ranges::any_of(each.own, is_of_sensor)) continue;
      issues.push_back({PointerTo("/configurations", each.name) + "/own",
                        fmt::format("{} is not estimated", term.name),
                        {"declare it in /problem/terms, or friction of all joints in "
                         "/problem/parametrisation/friction; or remove it here"}});
    }
  }
}

}  // namespace

const Term* FrictionOfNoSingleJoint(const RobotModel& model) {
  const auto found = std::ranges::find_if(model.terms(), [](const Term& term) {
    return term.HasCoulombShape() && !term.IsOfOneJoint();
  });
  return found == model.terms().end() ? nullptr : &*found;
}

void RequireSupplied(Capabilities needs, const Supplies& supplies, const std::string& where,
                     const std::string& subject, const std::string& otherwise,
                     std::vector<Issue>& issues) {
  for (const Lack& lack : supplies.Unmet(needs)) {
    issues.push_back({where, subject + lack.needed, {}});
    for (const std::string& cure : {lack.cure, otherwise}) {
      if (!cure.empty()) issues.back().details.push_back(cure);
    }
  }
}

std::vector<Issue> CheckProblem(const ProblemOptions& problem, const Robot& robot,
                                const Supplies& supplies) {
  std::vector<Issue> issues;
  CheckParametrisation(problem.parametrisation, robot.model, supplies, issues);
  CheckEquations(problem, robot.model, supplies, issues);
  if (!problem.terms.empty() && !KindNamed(problem.parametrisation.type).takes_terms) {
    issues.push_back(
        {"/problem/terms",
         fmt::format("have no meaning for \"{}\"", problem.parametrisation.type),
         {"remove them; friction of all joints is in /problem/parametrisation, where the unknowns "
          "have it"}});
  }
  if (problem.prior && !problem.prior->unknown_scale.empty() &&
      !supplies.Has(Capability::kAmounts)) {
    issues.push_back({"/problem/prior/unknown_scale",
                      fmt::format("has no meaning for \"{}\"", problem.parametrisation.type),
                      {"remove it: a factor does not scale such unknowns"}});
  }
  if (problem.prior && problem.prior->unknown_error && !supplies.Has(Capability::kAmounts)) {
    issues.push_back({"/problem/prior/unknown_error",
                      fmt::format("has no meaning for \"{}\"", problem.parametrisation.type),
                      {"remove it: a factor does not scale such unknowns"}});
  }
  if (problem.prior) {
    std::ranges::move(CheckMean(robot.model, problem.prior->mean), std::back_inserter(issues));
    std::ranges::move(CheckKnown(problem, robot.model, AskedOrKnown(robot, problem)),
                      std::back_inserter(issues));
  }
  if (problem.prior && problem.prior->relative_std && supplies.Has(Capability::kStateUnknowns)) {
    issues.push_back({"/problem/prior/relative_std",
                      fmt::format("has no meaning for \"{}\": a prior state is 0, and so would be "
                                  "its σ",
                                  problem.parametrisation.type),
                      {"name bounds of q and qd in /problem/parametrisation/bounds, and set "
                       "/problem/prior/std_of_bounds"}});
  }
  if (issues.empty()) CheckTerms(problem, robot.model, issues);
  if (issues.empty()) CheckCalibrations(problem, robot.model, issues);
  if (issues.empty()) CheckDrives(problem, robot, issues);
  if (issues.empty()) CheckOwnTerms(problem, robot, issues);
  return issues;
}

}  // namespace idbench
