#include "robots/term_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "robots/dynamics/calibration.h"
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
constexpr TermCoefficient kGains[] = {{"gain", "", "", kInput, kLinear}};
/// Of sensors, row by row.
constexpr TermCoefficient kSensorOffsets[] = {
    {"offset_fx", "N", "N", kVelocity, kOne, false},
    {"offset_fy", "N", "N", kVelocity, kOne, false},
    {"offset_fz", "N", "N", kVelocity, kOne, false},
    {"offset_mx", "N·m", "N·m", kVelocity, kOne, false},
    {"offset_my", "N·m", "N·m", kVelocity, kOne, false},
    {"offset_mz", "N·m", "N·m", kVelocity, kOne, false},
};

/// "d_fx_mz" of row Fx and column Mz.
constexpr std::size_t kEntryName = 7;
constexpr auto kEntryNames = [] {
  constexpr std::string_view kComponents[] = {"fx", "fy", "fz", "mx", "my", "mz"};
  std::array<std::array<char, kEntryName>, 36> names{};
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string_view row = kComponents[k / 6], column = kComponents[k % 6];
    names[k] = {'d', '_', row[0], row[1], '_', column[0], column[1]};
  }
  return names;
}();
/// Of sensors: entries of D in (1 + D)·w = W·π + o, row by row.
constexpr auto kCalibrations = [] {
  std::array<TermCoefficient, 36> entries{};
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const bool of_force = k / 6 < 3, by_force = k % 6 < 3;
    const std::string_view unit = of_force == by_force ? "1" : (of_force ? "1/m" : "m");
    entries[k] = {{kEntryNames[k].data(), kEntryName}, unit, unit, kInput, kLinear, false};
  }
  return entries;
}();

std::vector<std::string_view> EquationsWithGains() {
  std::vector<std::string_view> names;
  for (const EquationInfo& info : kEquationKinds) {
    if (!info.gain_unit.empty()) names.push_back(ToString(info.equation));
  }
  return names;
}

/// The equation whose gains have that unit; nothing if there is none.
std::optional<Equation> EquationOfGain(std::string_view unit) {
  for (const EquationInfo& info : kEquationKinds) {
    if (!unit.empty() && info.gain_unit == unit) return info.equation;
  }
  return std::nullopt;
}

/// Terms are of one place, and some kinds are of another than what is asked for.
void CheckPlace(const TermOptions& o, std::vector<Issue>& issues) {
  const char* const apart = "remove it, or make terms of their own for each place";
  const std::string_view place = ToString(o.place());
  for (const auto& [given, at, key] : {std::tuple(!o.joints.empty(), TermPlace::kJoints, "/joints"),
                                       std::tuple(!o.motors.empty(), TermPlace::kMotors, "/motors"),
                                       std::tuple(o.on != TermPlace::kJoints, o.on, "/on")}) {
    if (!given || at == o.place()) continue;
    issues.push_back(
        {key,
         fmt::format("has no meaning for terms of {}", place),
         {o.type == TermKind::kGain ? "gains are those of motors: name these" : apart}});
  }
  if (o.equation && o.type != TermKind::kGain) {
    issues.push_back({"/equation",
                      fmt::format("has no meaning for {}", ToString(o.type)),
                      {"it says what gains are of"}});
  } else if (o.equation && InfoOf(*o.equation).gain_unit.empty()) {
    issues.push_back({"/equation",
                      fmt::format("{} has no gains", ToString(*o.equation)),
                      {fmt::format("accepted here: {}", fmt::join(EquationsWithGains(), ", "))}});
  }
  if (o.entries != CalibrationEntries::kAll && o.type != TermKind::kCalibration) {
    issues.push_back({"/entries",
                      fmt::format("has no meaning for {}", ToString(o.type)),
                      {"it says which entries a calibration has"}});
  }
  if (o.place() != TermPlace::kSensors) return;
  if (o.type != TermKind::kOffset && o.type != TermKind::kCalibration) {
    issues.push_back({"/type",
                      fmt::format("{} has no meaning for sensors", ToString(o.type)),
                      {"accepted here: offset, calibration"}});
  }
}

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
    {TermKind::kGain, kGains},
    {TermKind::kCalibration, kCalibrations},
};
constexpr bool InOrder() {
  std::size_t k = 0;
  for (const KindOfTerm& each : kTermKinds) {
    if (each.kind != static_cast<TermKind>(k++)) return false;
  }
  return k == kEnumNames<TermKind>.size();
}
static_assert(InOrder());

/// Joints, motors or sensors that a term can act on.
struct Place {
  std::vector<std::string> names;
  Eigen::MatrixXd columns;  ///< c of each; nothing for sensors.
};

Place PlaceOf(TermPlace place, const RobotModel& model) {
  if (place == TermPlace::kMotors) return {model.actuation().names, model.actuation().B};
  if (place == TermPlace::kSensors) {
    Place sensors;
    for (const Cut& cut : model.cuts()) sensors.names.push_back(cut.name);
    return sensors;
  }
  return {model.joint_names(), Eigen::MatrixXd::Identity(model.dofs(), model.dofs())};
}

/// The names that a pattern stands for; all of them for "".
std::vector<std::string> NamesOf(const std::string& pattern, const Place& place,
                                 const std::string& where, std::vector<Issue>& issues) {
  if (pattern.empty()) return place.names;
  return ExpandPatternAmong(pattern, place.names, "the robot", where, issues);
}

/// Offsets of a sensor, one a row.
std::vector<Term> OffsetsOf(const std::string& sensor, const RobotModel& model) {
  std::vector<Term> offsets;
  for (const TermCoefficient& coefficient : kSensorOffsets) {
    Term& offset = offsets.emplace_back(MakeTerm(sensor, coefficient, {}, false));
    offset.shares = {{.joint = static_cast<int>(offsets.size()) - 1}};
    offset.rows = TermRows::kCut;
    offset.cut = model.CutIndex(sensor);
  }
  return offsets;
}

/// Entries of a sensor's calibration: −w_k·D_jk in row j, with w what it measures.
std::vector<Term> CalibrationTerms(const std::string& sensor, CalibrationEntries entries,
                                   const RobotModel& model) {
  std::vector<Term> terms;
  const int cut = model.CutIndex(sensor);
  for (int k = 0; k < static_cast<int>(kCalibrations.size()); ++k) {
    const int row = k / 6, column = k % 6;
    if (entries == CalibrationEntries::kDiagonal && row != column) continue;
    const TermCoefficient& entry = kCalibrations[static_cast<std::size_t>(k)];
    Term& term = terms.emplace_back(MakeTerm(sensor, entry, {{row, -1.0}}, false));
    term.rows = TermRows::kCut;
    term.cut = cut;
    term.input = model.WrenchInput(cut) + column;
  }
  return terms;
}

/// Entries that the calibration of a cut's sensor has.
CalibrationEntries EntriesOf(const RobotModel& model, int cut) {
  const auto off_diagonal = [&](const Term& term) {
    return IsCalibration(term) && term.cut == cut &&
           term.input != model.WrenchInput(cut) + term.shares[0].joint;
  };
  return std::ranges::any_of(model.terms(), off_diagonal) ? CalibrationEntries::kAll
                                                          : CalibrationEntries::kDiagonal;
}

/// Makes the term, which acts as its motor does, the gain of that motor's drive: −B·v·gain.
void MakeGain(int motor, Term& term) {
  for (Term::Share& share : term.shares) share.factor = -share.factor;
  term.rows = TermRows::kDrives;
  term.input = motor;
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
           {.doc =
                "Place on which they act: the joints, each alone; the motors and so the joints "
                "that these drive; or force/torque sensors, which have offsets and a calibration"})
      .Add("joints", o.joints,
           {.doc = "Joints that have such terms, as a pattern (\"joint{1..7}\"); empty: all"})
      .Add("motors", o.motors,
           {.doc = "Motors that have such terms, as a pattern; empty: all, if the terms are on "
                   "motors"})
      .Add("sensors", o.sensors,
           {.doc = "Force/torque sensors that have such terms, as a pattern; empty: all, if the "
                   "terms are on sensors"})
      .Add("velocity_rad_s", o.velocity_rad_s,
           {.doc =
                "Velocity of Stribeck friction fs·s(v)·exp(−(v/velocity)²), in m/s of a prismatic "
                "joint",
            .unit = "rad/s",
            .lower = 0.0,
            .lower_open = true})
      .Add("equation", o.equation,
           {.doc = "Equation of the drives that gains are of, and so their unit (motor_current: "
                   "N·m/A); null: the one that the problem has"})
      .Add("entries", o.entries,
           {.doc = "Entries of a calibration, D in (1 + D)·w = W·π + o of the measured wrench w: "
                   "all 36, or those on the diagonal"})
      .Check([&o](std::vector<Issue>& issues) { CheckPlace(o, issues); });
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
    if (each.place() == TermPlace::kSensors) {
      if (place.names.empty() && each.sensors.empty()) {
        issues.push_back({at,
                          "are of force/torque sensors, and the robot has none",
                          {"declare them: /robot/force_torque_sensors"}});
      }
      for (const std::string& name : NamesOf(each.sensors, place, at + "/sensors", issues)) {
        for (Term& term : each.type == TermKind::kCalibration
                              ? CalibrationTerms(name, each.entries, model)
                              : OffsetsOf(name, model)) {
          terms.Add(std::move(term), at);
        }
      }
      continue;
    }
    const auto names = NamesOf(on_motors ? each.motors : each.joints, place,
                               at + (on_motors ? "/motors" : "/joints"), issues);
    for (const std::string& name : names) {
      const auto column = std::ranges::find(place.names, name) - place.names.begin();
      const std::vector<Term::Share> shares = SharesOf(place.columns.col(column));
      for (const TermCoefficient& coefficient : CoefficientsOf(each.type)) {
        Term term = MakeTerm(name, coefficient, shares, IsPrismatic(shares, model));
        if (each.type == TermKind::kStribeck) term.stribeck_velocity = each.velocity_rad_s;
        if (each.type == TermKind::kGain) MakeGain(static_cast<int>(column), term);
        if (each.equation) term.unit = InfoOf(*each.equation).gain_unit;
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
    if (term.rows == TermRows::kCut) {
      options.type = IsCalibration(term) ? TermKind::kCalibration : TermKind::kOffset;
      options.on = TermPlace::kSensors;
      if (IsCalibration(term)) options.entries = EntriesOf(model, term.cut);
      options.sensors = place;
    } else if (joint >= 0 && term.shares == std::vector<Term::Share>{{.joint = joint}}) {
      options.joints = place;
    } else {
      options.on = TermPlace::kMotors;
      options.motors = place;
    }
    if (term.rows == TermRows::kDrives) options.equation = EquationOfGain(term.unit);
    if (term.shape == TermShape::kStribeck) options.velocity_rad_s = term.stribeck_velocity;
    if (std::ranges::find(all, options) == all.end()) all.push_back(std::move(options));
  }
  return all;
}

}  // namespace idbench
