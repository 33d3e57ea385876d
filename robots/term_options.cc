#include "robots/term_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "robots/dynamics/parameters.h"
#include "scenarios/options/name_pattern.h"

namespace idbench {
namespace {

using enum TermArgument;
using enum TermShape;

constexpr TermCoefficient kAsymmetric[] = {
    {"fc+", "N·m", "N", kVelocity, kPositiveSign},
    {"fc-", "N·m", "N", kVelocity, kNegativeSign},
    {"fv+", "N·m·s/rad", "N·s/m", kVelocity, kPositivePart},
    {"fv-", "N·m·s/rad", "N·s/m", kVelocity, kNegativePart},
};
constexpr TermCoefficient kStribecks[] = {{"fs", "N·m", "N", kVelocity, kStribeck}};

/// That one of what every joint has.
constexpr std::span<const TermCoefficient> OfJoint(JointParameter which) {
  return std::span(kJointTerms).subspan(static_cast<std::size_t>(which), 1);
}

/// All kinds, in the order of the enum.
struct KindOfTerm {
  TermKind kind;
  std::span<const TermCoefficient> coefficients;
};
constexpr KindOfTerm kTermKinds[] = {
    {TermKind::kViscous, OfJoint(JointParameter::kViscous)},
    {TermKind::kCoulomb, OfJoint(JointParameter::kCoulomb)},
    {TermKind::kOffset, OfJoint(JointParameter::kOffset)},
    {TermKind::kRotorInertia, OfJoint(JointParameter::kRotorInertia)},
    {TermKind::kAsymmetric, kAsymmetric},
    {TermKind::kStribeck, kStribecks},
};
constexpr bool InOrder() {
  std::size_t k = 0;
  for (const KindOfTerm& each : kTermKinds) {
    if (each.kind != static_cast<TermKind>(k++)) return false;
  }
  return k == kEnumNames<TermKind>.size();
}
static_assert(InOrder());

/// Joints or motors that a term can act on.
struct Place {
  std::vector<std::string> names;
  Eigen::MatrixXd columns;  ///< c of each.
};

Place PlaceOf(TermPlace place, const RobotModel& model) {
  if (place == TermPlace::kMotors) return {model.actuation().names, model.actuation().B};
  return {model.joint_names(), Eigen::MatrixXd::Identity(model.dofs(), model.dofs())};
}

/// The names that a pattern stands for; all of them for "".
std::vector<std::string> NamesOf(const std::string& pattern, const Place& place,
                                 const std::string& where, std::vector<Issue>& issues) {
  if (pattern.empty()) return place.names;
  std::string problem;
  std::vector<std::string> names = ExpandPattern(pattern, problem);
  if (!problem.empty()) issues.push_back({where, problem, {}});
  std::erase_if(names, [&](const std::string& name) {
    if (std::ranges::find(place.names, name) != place.names.end()) return false;
    issues.push_back(
        {where, fmt::format("the robot has no \"{}\"", name), AcceptedNames(name, place.names)});
    return true;
  });
  return names;
}

bool IsPrismatic(const std::vector<Term::Share>& shares, const RobotModel& model) {
  return shares.size() == 1 && shares[0].factor == 1.0 &&
         model.link(shares[0].joint).type == JointType::kPrismatic;
}

/// The terms of MakeTerms(), as they are collected.
class TermList {
 public:
  TermList(const RobotModel& model, std::vector<Issue>& issues) : issues_(issues) {
    RobotModel bare = model;
    bare.SetTerms({});
    joint_terms_ = TermsOf(bare);
  }

  /// @param where  what declares it.
  void Add(Term term, const std::string& where) {
    const auto own = std::ranges::find(joint_terms_, term.name, &Term::name);
    if (own != joint_terms_.end() && own->shares != term.shares) {
      issues_.push_back(
          {where,
           fmt::format("{} is a parameter of that joint alone, and this motor drives others or at "
                       "another ratio",
                       term.name),
           {"give motors names that no joint has, see `actuators` of robot.json"}});
    } else if (std::ranges::find(terms_, term.name, &Term::name) != terms_.end()) {
      issues_.push_back({where,
                         fmt::format("{} is there twice", term.name),
                         {"declare each kind of term once for a joint or motor"}});
    } else {
      terms_.push_back(std::move(term));
    }
  }

  std::vector<Term> Take() { return std::move(terms_); }

 private:
  std::vector<Issue>& issues_;
  std::vector<Term> joint_terms_;
  std::vector<Term> terms_;
};

}  // namespace

std::span<const TermCoefficient> CoefficientsOf(TermKind kind) {
  return kTermKinds[static_cast<std::size_t>(kind)].coefficients;
}

const TermCoefficient* FindCoefficient(std::string_view name) {
  for (const KindOfTerm& kind : kTermKinds) {
    const auto found = std::ranges::find(kind.coefficients, name, &TermCoefficient::name);
    if (found != kind.coefficients.end()) return &*found;
  }
  return nullptr;
}

FieldTable Visit(TermOptions& o) {
  FieldTable table;
  table.Add("type", o.type, {.doc = "Kind of the terms", .required = true})
      .Add("on", o.on,
           {.doc = "Place on which they act: the joints, each alone, or the motors and so the "
                   "joints that these drive"})
      .Add("joints", o.joints,
           {.doc = "Joints that have such terms, as a pattern (\"joint{1..7}\"); empty: all"})
      .Add("motors", o.motors,
           {.doc = "Motors that have such terms, as a pattern; empty: all, if the terms are on "
                   "motors"})
      .Add("velocity_rad_s", o.velocity_rad_s,
           {.doc =
                "Velocity of Stribeck friction fs·s(v)·exp(−(v/velocity)²), in m/s of a prismatic "
                "joint",
            .unit = "rad/s",
            .lower = 0.0,
            .lower_open = true})
      .Check([&o](std::vector<Issue>& issues) {
        if (o.joints.empty() || o.place() == TermPlace::kJoints) return;
        issues.push_back({"/joints",
                          "has no meaning for terms of motors",
                          {"remove it, or make terms of their own for joints and motors"}});
      });
  return table;
}

std::vector<Term> MakeTerms(const std::vector<TermOptions>& options, const RobotModel& model,
                            const std::string& where, std::vector<Issue>& issues) {
  TermList terms(model, issues);
  for (std::size_t i = 0; i < options.size(); ++i) {
    const TermOptions& each = options[i];
    const std::string at = fmt::format("{}/{}", where, i);
    const bool on_motors = each.place() == TermPlace::kMotors;
    const Place place = PlaceOf(each.place(), model);
    const auto names = NamesOf(on_motors ? each.motors : each.joints, place,
                               at + (on_motors ? "/motors" : "/joints"), issues);
    for (const std::string& name : names) {
      const auto column = std::ranges::find(place.names, name) - place.names.begin();
      const std::vector<Term::Share> shares = SharesOf(place.columns.col(column));
      for (const TermCoefficient& coefficient : CoefficientsOf(each.type)) {
        Term term = MakeTerm(name, coefficient, shares, IsPrismatic(shares, model));
        if (each.type == TermKind::kStribeck) term.stribeck_velocity = each.velocity_rad_s;
        terms.Add(std::move(term), at);
      }
    }
  }
  return terms.Take();
}

std::vector<TermOptions> OptionsOfTerms(const RobotModel& model) {
  std::vector<TermOptions> all;
  for (const Term& term : model.terms()) {
    const std::size_t dot = term.name.rfind('.');
    const std::string place = term.name.substr(0, dot);
    const std::string coefficient = term.name.substr(dot + 1);
    TermOptions options;
    for (const KindOfTerm& kind : kTermKinds) {
      const auto found = std::ranges::find(kind.coefficients, coefficient, &TermCoefficient::name);
      if (found != kind.coefficients.end()) options.type = kind.kind;
    }
    const int joint = model.JointIndex(place);
    if (joint >= 0 && term.shares == std::vector<Term::Share>{{.joint = joint}}) {
      options.joints = place;
    } else {
      options.on = TermPlace::kMotors;
      options.motors = place;
    }
    if (term.shape == TermShape::kStribeck) options.velocity_rad_s = term.stribeck_velocity;
    if (std::ranges::find(all, options) == all.end()) all.push_back(std::move(options));
  }
  return all;
}

}  // namespace idbench
