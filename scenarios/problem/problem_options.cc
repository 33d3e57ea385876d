#include "scenarios/problem/problem_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "scenarios/options/json.h"
#include "scenarios/options/name_pattern.h"
#include "scenarios/problem/parametrisations.h"

namespace idbench {
namespace {

/// What is wrong with a pair of bounds.
void CheckBounds(const std::vector<double>& bounds, const std::string& where,
                 std::vector<Issue>& issues) {
  if (bounds.size() == 2 && bounds[0] < bounds[1]) return;
  issues.push_back({where,
                    bounds.size() == 2 ? fmt::format("{} is not below {}", bounds[0], bounds[1])
                                       : fmt::format("got a list of {}", bounds.size()),
                    {"accepted here: the lower bound and the upper one"}});
}

/// Joints have rows of some kinds, components those of others.
void CheckChoice(const EquationOptions& o, std::vector<Issue>& issues) {
  const bool of_joints = ComponentsOf(ChannelNamed(InfoOf(o.type).channel)).empty();
  const std::string& other = of_joints ? o.components : o.joints;
  if (other.empty()) return;
  issues.push_back({of_joints ? "/components" : "/joints",
                    fmt::format("has no meaning for {}", ToString(o.type)),
                    {of_joints ? "name joints: each has a row (/joints)"
                               : "name components of the wrench: Fx, Fy … (/components)"}});
}

std::vector<std::string> KindNames() {
  std::vector<std::string> names;
  for (const ParametrisationKind& kind : ParametrisationKinds()) names.emplace_back(kind.name);
  return names;
}

}  // namespace

FieldTable Visit(PayloadUnknownsOptions& o) {
  FieldTable table;
  table.Add("link", o.link, {.doc = "Link that carries the payload; empty: the last one"})
      .Add("com_m", o.com_m,
           {.doc = "Known centre of mass of the payload in the link's frame", .unit = "m"})
      .Add("mass_bounds_kg", o.mass_bounds_kg,
           {.doc = "Lower and upper bound of the payload's mass", .unit = "kg", .required = true})
      .Add("moment_bounds_kgm2", o.moment_bounds_kgm2,
           {.doc = "Lower and upper bound of the payload's moments of inertia about its centre of "
                   "mass, in axes parallel to the link's",
            .unit = "kg·m²",
            .required = true})
      .Add("prior_range_fraction", o.prior_range_fraction,
           {.doc = "Place of the prior mean between the bounds: 0 at the lower, 1 at the upper",
            .lower = 0.0,
            .upper = 1.0})
      .Check([&o](std::vector<Issue>& issues) {
        if (o.com_m.size() != 3) {
          issues.push_back({"/com_m",
                            fmt::format("got a list of {}", o.com_m.size()),
                            {"accepted here: x, y, z"}});
        }
        CheckBounds(o.mass_bounds_kg, "/mass_bounds_kg", issues);
        CheckBounds(o.moment_bounds_kgm2, "/moment_bounds_kgm2", issues);
      });
  return table;
}

FieldTable Visit(ParametrisationOptions& o) {
  FieldTable table;
  table.Add("type", o.type, {.doc = "Kind of the unknowns", .choices = KindNames()})
      .Add("friction", o.friction,
           {.doc = "Friction parameters to estimate for each joint",
            .choices = {"viscous", "coulomb", "offset"}})
      .Add("rotor_inertia", o.rotor_inertia, {.doc = "Estimate the rotor inertia of each joint"})
      .Add("coulomb_width_rad_s", o.coulomb_width_rad_s,
           {.doc = "Width w of tanh(q̇/w) in the Coulomb columns, one number or one of each joint; "
                   "0: sign(q̇); null: that of the simulated friction, or 0 for a recording",
            .unit = "rad/s",
            .lower = 0.0})
      .Add("lower_prior_factor", o.lower_prior_factor,
           {.doc = "Lower bound as a factor of the prior mean, for masses, moments of inertia, "
                   "viscous and Coulomb friction, rotor inertias and base parameters; null: none"})
      .Add("upper_prior_factor", o.upper_prior_factor,
           {.doc = "Upper bound as a factor of the prior mean, for the same unknowns; a product of "
                   "inertia then stays within half of the upper bound of the moment about the "
                   "third axis; null: none"})
      .Add("first_moment_reach_m", o.first_moment_reach_m,
           {.doc = "Distance that, times the body's prior mass, bounds the magnitude of each first "
                   "moment; null: no such bound",
            .unit = "m",
            .lower = 0.0,
            .lower_open = true})
      .Add("bounds", o.bounds,
           {.doc = "Lower and upper bound by the name of an unknown (link3.mcx), or of a kind of "
                   "unknown (fc); they replace the bounds above"})
      .Add("payload", o.payload,
           {.doc = "Unknown body on a link of the robot, for the type \"payload\"; the robot "
                   "itself is as the prior's set says"})
      .Check([&o](std::vector<Issue>& issues) {
        for (const auto& [which, bounds] : o.bounds) {
          if (bounds.size() == 2 && bounds[0] < bounds[1]) continue;
          issues.push_back({PointerTo("/bounds", which),
                            "is not a lower and an upper bound",
                            {"accepted here: a list of two numbers that increase"}});
        }
        if (o.lower_prior_factor && o.upper_prior_factor &&
            *o.lower_prior_factor >= *o.upper_prior_factor) {
          issues.push_back({"/lower_prior_factor", "is not below upper_prior_factor", {}});
        }
      });
  return table;
}

FrictionShape ParametrisationOptions::friction_shape() const {
  if (!coulomb_width_rad_s) return {};
  const std::vector<double>& widths = coulomb_width_rad_s->values;
  if (widths.size() == 1) return {widths.front()};
  return {.own_widths_rad_s = widths};
}

bool ParametrisationOptions::bounded() const {
  return lower_prior_factor || upper_prior_factor || first_moment_reach_m || !bounds.empty();
}

FieldTable Visit(EquationOptions& o) {
  FieldTable table;
  table.Add("type", o.type, {.doc = "Kind of the equation", .required = true})
      .Add("mount", o.mount, {.doc = "Place that its rows are about; empty: that of the kind"})
      .Add("channel", o.channel,
           {.doc = "Channel that measures it, one that reads the same signal as the kind's own at "
                   "that place; empty: that one"})
      .Add(
          "joints", o.joints,
          {.doc =
               "Joints whose rows count, as a pattern (\"joint{1..4}\"), of motors those that they "
               "drive; the channel's other columns are not read and need no σ; empty: all"})
      .Add("components", o.components,
           {.doc = "Components of a wrench that count, as a pattern (\"F{x,y,z}\"); empty: all"})
      .Add("dead_zone_rad_s", o.dead_zone_rad_s,
           {.doc = "Speed below which friction is not what the columns say: rows count only where "
                   "joints, and motors that drive several, are as fast; in m/s of a prismatic "
                   "joint; 0: at any speed",
            .unit = "rad/s",
            .lower = 0.0})
      .Add("dead_zone_of", o.dead_zone_of,
           {.doc = "Whose speed that is: of what the row depends on (row), or of all joints and "
                   "such motors (sample)"})
      .Check([&o](std::vector<Issue>& issues) {
        const EquationInfo& kind = InfoOf(o.type);
        const ChannelInfo& own = ChannelNamed(kind.channel);
        CheckChoice(o, issues);
        if (own.several && o.mount.empty()) {
          issues.push_back({"/mount",
                            "missing",
                            {"name one of /robot/force_torque_sensors, as in {\"type\": "
                             "\"wrench\", \"mount\": \"NAME\"}"}});
          return;
        }
        if (!own.several && !o.mount.empty() && o.mount != kind.mount) {
          issues.push_back({"/mount",
                            fmt::format("{} has no rows for \"{}\"", ToString(o.type), o.mount),
                            AcceptedNames(o.mount, {std::string(kind.mount)})});
        }
        const std::vector<std::string> accepted =
            ChannelsLike(own, own.several ? std::string_view(o.mount) : kind.mount);
        if (o.channel.empty() || std::ranges::find(accepted, o.channel) != accepted.end()) return;
        issues.push_back({"/channel",
                          fmt::format("\"{}\" does not measure {}", o.channel, ToString(o.type)),
                          AcceptedNames(o.channel, accepted)});
      });
  return table;
}

std::optional<PlacedEquation> PlacedEquationOf(const EquationOptions& options,
                                               const RobotModel& model, const std::string& where,
                                               std::vector<Issue>& issues) {
  PlacedEquation equation(options.type);
  if (options.type == Equation::kCut) equation.cut = model.CutIndex(options.mount);
  const auto components = ComponentsOf(ChannelNamed(InfoOf(options.type).channel));
  const std::vector<std::string> names =
      components.empty() ? model.joint_names()
                         : std::vector<std::string>(components.begin(), components.end());
  const std::string& pattern = components.empty() ? options.joints : options.components;
  const std::string at = where + (components.empty() ? "/joints" : "/components");
  if (!pattern.empty()) {
    const auto owner = components.empty() ? "the robot" : ToString(options.type);
    std::set<int> rows;
    for (const std::string& name : ExpandPatternAmong(pattern, names, owner, at, issues)) {
      const auto row = std::ranges::find(names, name) - names.begin();
      if (rows.insert(static_cast<int>(row)).second) continue;
      issues.push_back({at, fmt::format("{} is there twice", name), {"name each once"}});
    }
    if (rows.size() < names.size()) equation.rows.assign(rows.begin(), rows.end());
  }
  if (options.type == Equation::kCut && equation.cut < 0) return std::nullopt;
  return equation;
}

bool EquationOptions::has_dead_zone() const {
  return std::ranges::any_of(dead_zone_rad_s.values, [](double zone) { return zone > 0.0; });
}

void Binding<EquationOptions>::Read(const Json& json, const std::string& pointer,
                                    const FieldInfo& info, EquationOptions& value,
                                    std::vector<Issue>& issues) {
  if (!json.is_object()) {
    value = {};
    const std::size_t before = issues.size();
    Binding<Equation>::Read(json, pointer, info, value.type, issues);
    if (issues.size() != before) return;
    const FieldTable table = Visit(value);
    for (const auto& check : table.checks()) check(issues);
    for (std::size_t k = before; k < issues.size(); ++k) issues[k].where.insert(0, pointer);
    return;
  }
  ReadFields(Visit(value), json, pointer, issues);
  const ChannelInfo& own = ChannelNamed(InfoOf(value.type).channel);
  if (value.channel == (own.several ? NameAt(own.name, value.mount) : own.name)) {
    value.channel.clear();
  }
  if (!own.several && value.mount == InfoOf(value.type).mount) value.mount.clear();
}

void Binding<EquationOptions>::Write(const EquationOptions& value, Json& json) {
  if (value == EquationOptions{value.type}) return Binding<Equation>::Write(value.type, json);
  EquationOptions copy = value;
  const EquationInfo& kind = InfoOf(value.type);
  if (copy.mount.empty()) copy.mount = kind.mount;
  if (copy.channel.empty()) {
    const bool several = ChannelNamed(kind.channel).several;
    copy.channel = several ? NameAt(kind.channel, copy.mount) : std::string(kind.channel);
  }
  json = WriteFields(Visit(copy));
  for (const char* choice : {"joints", "components"}) {
    if (json[choice] == "") json.erase(choice);  // all of them, or none of that kind
  }
  if (value.dead_zone_rad_s != PerJoint{} || value.dead_zone_of != DeadZoneOf{}) return;
  json.erase("dead_zone_rad_s");
  json.erase("dead_zone_of");
}

void Binding<EquationOptions>::Schema(const FieldInfo& info, const EquationOptions& value,
                                      Json& schema) {
  Json name;
  Binding<Equation>::Schema(info, value.type, name);
  EquationOptions copy = value;
  schema = {{"anyOf", {name, SchemaOf(Visit(copy))}}};
}

FieldTable Visit(ProblemOptions& o) {
  FieldTable table;
  table.Add("parametrisation", o.parametrisation, {.doc = "Unknowns to estimate, and their bounds"})
      .Add("prior", o.prior, {.doc = "Knowledge of the robot before any data; null: none"})
      .Add("equations", o.equations,
           {.doc = "Equations that the estimators set up for each sample: the name of each, or an "
                   "object with its type, the place that it is about, the channel that measures it "
                   "and which of its rows count"})
      .Add("terms", o.terms,
           {.doc = "Friction, offsets and rotor inertias to estimate, of joints or of motors that "
                   "drive several; /problem/parametrisation/friction and rotor_inertia are short "
                   "for those of all joints"})
      .Add("alignment", o.alignment,
           {.doc = "Treatment of channels that were not sampled together"})
      .Check([&o](std::vector<Issue>& issues) {
        if (!o.equations.empty()) return;
        std::vector<std::string_view> names;
        for (const EnumName<Equation>& known : kEnumNames<Equation>) names.push_back(known.name);
        issues.push_back(
            {"/equations", "is empty", {fmt::format("accepted here: {}", fmt::join(names, ", "))}});
      });
  return table;
}

std::vector<PlacedEquation> EquationsOf(const ProblemOptions& options, const RobotModel& model) {
  std::vector<PlacedEquation> equations;
  std::vector<Issue> ignored;  // CheckProblem() told them
  for (const EquationOptions& each : options.equations) {
    if (auto placed = PlacedEquationOf(each, model, "", ignored)) {
      equations.push_back(*std::move(placed));
    }
  }
  return EachRowOnce(std::move(equations));
}

}  // namespace idbench
