#include "scenarios/problem/problem_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "scenarios/problem/drawn_set.h"
#include "scenarios/problem/parametrisations.h"

namespace idbench {
namespace {

void CheckParametrisation(const ParametrisationOptions& options, const RobotModel& model,
                          const Supplies& supplies, std::vector<Issue>& issues) {
  const std::string where = "/problem/parametrisation";
  const ParametrisationKind& kind = KindNamed(options.type);
  RequireSupplied(kind.needs, supplies, where + "/type", "", "", issues);
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

/// Whether a sensor there can read anything.
bool HasBeyond(const RobotModel& model, int cut) {
  for (int body = 0; body < model.body_end(); ++body) {
    if (InRows(model, body, {PlacedEquation(Equation::kCut, cut)})) return true;
  }
  return false;
}

/// The robot and the unknowns must supply what an equation needs.
void CheckEquations(const ProblemOptions& problem, const RobotModel& model,
                    const Supplies& supplies, std::vector<Issue>& issues) {
  for (std::size_t i = 0; i < problem.equations.size(); ++i) {
    const auto same =
        std::find(problem.equations.begin(), problem.equations.end(), problem.equations[i]) -
        problem.equations.begin();
    if (static_cast<std::size_t>(same) == i) continue;
    issues.push_back({fmt::format("/problem/equations/{}", i),
                      fmt::format("is /problem/equations/{} again", same),
                      {"remove it, or name another channel that measures it"}});
  }
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

/// Whether rows of an equation hold a term.
bool Holds(const EquationOptions& equation, const Term& term, const RobotModel& model) {
  const RowsFrom rows = InfoOf(equation.type).rows;
  switch (term.rows) {
    case TermRows::kDrives:
      return rows == RowsFrom::kDriveRows;
    case TermRows::kCut:
      return rows == RowsFrom::kCutRows && model.CutIndex(equation.mount) == term.cut;
    case TermRows::kJoints:
      return rows == RowsFrom::kTorqueRows || rows == RowsFrom::kMappedRows ||
             rows == RowsFrom::kDriveRows;
  }
  return false;
}

/// Terms that are to be estimated must be in some rows.
void CheckTerms(const ProblemOptions& problem, const RobotModel& model,
                std::vector<Issue>& issues) {
  for (std::size_t i = 0; i < problem.terms.size(); ++i) {
    std::vector<Issue> ignored;  // AddTerms() told them
    for (const Term& term : MakeTerms({problem.terms[i]}, model, "", ignored)) {
      const bool held = std::ranges::any_of(
          problem.equations,
          [&](const EquationOptions& equation) { return Holds(equation, term, model); });
      if (held) continue;
      issues.push_back(
          {fmt::format("/problem/terms/{}", i),
           fmt::format("{} is in no equation", term.name),
           {term.rows == TermRows::kDrives
                ? "add an equation of the drives, \"motor_current\" or \"motor_torque\""
                : (term.rows == TermRows::kCut
                       ? "add the equation \"wrench\" of that sensor"
                       : "add an equation of the joints' torques, or remove the terms")}});
      break;
    }
  }
}

/// Whether a body that is known is attached in some of the data for identification and not in
/// others. One that always is cannot be told from its link, whatever its mass.
bool KnownBodyComesAndGoes(const RobotModel& model) {
  for (std::size_t body = 0; body < model.attached().size(); ++body) {
    bool on = false, off = false;
    for (const Configuration& each : model.configurations()) {
      if (!each.identified) continue;
      const auto& bodies = each.attached;
      const bool there = std::ranges::find(bodies, static_cast<int>(body)) != bodies.end();
      (there ? on : off) = true;
    }
    if (model.attached()[body].known && on && off) return true;
  }
  return false;
}

/// Gains must be known or asked for, and something must say how large all is: 0 = τ −
/// B·diag(v)·gains holds for any multiple.
void CheckDrives(const ProblemOptions& problem, const Robot& robot, std::vector<Issue>& issues) {
  std::size_t drives = problem.equations.size();
  bool scaled = false;
  for (std::size_t i = 0; i < problem.equations.size(); ++i) {
    const bool is_drive = InfoOf(problem.equations[i].type).rows == RowsFrom::kDriveRows;
    scaled |= !is_drive;
    if (is_drive && drives < problem.equations.size()) {
      issues.push_back({fmt::format("/problem/equations/{}", i),
                        fmt::format("is of drives, as /problem/equations/{} is", drives),
                        {"drives have one equation: gains would be of both units"}});
      return;
    }
    if (is_drive) drives = i;
  }
  if (drives == problem.equations.size()) return;
  std::vector<Issue> ignored;
  std::vector<std::string> asked;
  for (const Term& term : MakeTerms(problem.terms, robot.model, "", ignored)) {
    asked.push_back(term.name);
  }
  const Eigen::VectorXd pi =
      problem.prior ? ScaledSet(robot, *problem.prior) : robot.FindSet("")->pi;
  const auto& terms = robot.model.terms();
  std::vector<std::string> lacking;
  for (std::size_t k = 0; k < terms.size(); ++k) {
    if (terms[k].rows != TermRows::kDrives) continue;
    const bool unknown = std::ranges::find(asked, terms[k].name) != asked.end();
    const double value = pi[pi.size() - std::ssize(terms) + static_cast<Eigen::Index>(k)];
    scaled |= !unknown && value != 0.0;
    if (!unknown && value == 0.0) lacking.push_back(terms[k].name);
  }
  scaled |= KnownBodyComesAndGoes(robot.model);
  const std::string where = fmt::format("/problem/equations/{}", drives);
  if (!lacking.empty()) {
    issues.push_back({where,
                      fmt::format("gains are neither known nor asked for: {}", ListSome(lacking)),
                      {"give them in /problem/prior/terms, or estimate them: "
                       "/problem/terms {\"type\": \"gain\"}"}});
  } else if (!scaled) {
    issues.push_back(
        {where,
         "says nothing of how large masses and gains are: it holds for any multiple of them",
         {"know one gain (/problem/prior/terms), attach a body of known mass in some experiments "
          "(/attached), or add an equation that is measured"}});
  }
}

}  // namespace

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
  if (problem.prior && problem.prior->relative_std && supplies.Has(Capability::kStateUnknowns)) {
    issues.push_back({"/problem/prior/relative_std",
                      fmt::format("has no meaning for \"{}\": a prior state is 0, and so would be "
                                  "its σ",
                                  problem.parametrisation.type),
                      {"name bounds of q and qd in /problem/parametrisation/bounds, and set "
                       "/problem/prior/std_of_bounds"}});
  }
  if (issues.empty()) CheckTerms(problem, robot.model, issues);
  if (issues.empty()) CheckDrives(problem, robot, issues);
  return issues;
}

}  // namespace idbench
