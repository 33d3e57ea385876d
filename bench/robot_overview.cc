#include "bench/robot_overview.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "bench/held_joints.h"
#include "robots/collision_options.h"
#include "robots/dynamics/actuation.h"
#include "robots/dynamics/joint_limits.h"
#include "scenarios/options/config_error.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr std::size_t kWidth = 100;  // columns

/// At most `width` characters: the middle of a longer name gives way.
std::string Shorten(const std::string& name, std::size_t width) {
  if (name.size() <= width) return name;
  const std::size_t front = (width - 1) / 2;
  return name.substr(0, front) + "…" + name.substr(name.size() - (width - 1 - front));
}

/// Columns of a text in a terminal.
std::size_t Columns(const std::string& text) {
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  return static_cast<std::size_t>(std::ranges::count_if(text, begins));  // UTF-8
}

/// Words in indented lines of at most kWidth columns.
std::string Wrapped(const std::string& text, std::size_t indent) {
  const std::string margin(indent, ' ');
  std::string wrapped;
  std::string line;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!line.empty() && indent + Columns(line) + 1 + Columns(word) > kWidth) {
      wrapped += margin + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return wrapped + margin + line + "\n";
}

const char* TypeName(const Link& link) {
  return link.type == JointType::kRevolute ? "revolute" : "prismatic";
}

double MassOf(const RobotOverview& overview, int body) {
  const ParameterLayout layout(overview.robot.model);
  return overview.robot.FindSet("")->pi[layout.Body(body)];
}

/// Widths of two columns of names that have `room` together.
std::array<std::size_t, 2> NameWidths(std::size_t first, std::size_t second, std::size_t room) {
  if (first + second <= room) return {first, second};
  const std::size_t half = room / 2;
  if (first <= half) return {first, room - first};
  if (second <= half) return {room - second, second};
  return {half, room - half};
}

std::string JointTable(const RobotOverview& overview) {
  const RobotModel& model = overview.robot.model;
  std::size_t joint_width = 5;
  std::size_t link_width = std::max<std::size_t>(4, model.base_name().size());
  for (const Link& link : model.links()) {
    joint_width = std::max(joint_width, link.joint.size());
    link_width = std::max(link_width, link.name.size());
  }
  constexpr std::string_view kRow = "{:>4}  {:<{}}  {:<9}  {:<{}}  {:>3}  {:>9}\n";
  constexpr std::size_t kOther = 4 + 2 + 2 + 9 + 2 + 2 + 3 + 2 + 9;
  const auto [w1, w2] = NameWidths(joint_width, link_width, kWidth - kOther);
  std::string text = fmt::format(kRow, "#", "joint", w1, "type", "link", w2, "on", "mass [kg]");
  text += fmt::format(kRow, 0, "", w1, "", Shorten(model.base_name(), w2), w2, "",
                      fmt::format("{:.4g}", MassOf(overview, -1)));
  for (int i = 0; i < model.dofs(); ++i) {
    const Link& link = model.link(i);
    text += fmt::format(kRow, i + 1, Shorten(link.joint, w1), w1, TypeName(link),
                        Shorten(link.name, w2), w2, link.parent + 1,
                        link.massless ? "" : fmt::format("{:.4g}", MassOf(overview, i)));
  }
  return text;
}

/// "–" where there is no limit.
std::string LimitText(double limit, std::string_view unit) {
  return std::isfinite(limit) ? fmt::format("{:.4g} {}", limit, unit) : "–";
}

std::string RangeText(const JointLimits& limits, int joint, std::string_view unit) {
  if (!std::isfinite(limits.lower[joint]) && !std::isfinite(limits.upper[joint])) return "–";
  return fmt::format("{:.4g} … {:.4g} {}", limits.lower[joint], limits.upper[joint], unit);
}

/// What a joint may do, with units.
std::array<std::string, 4> LimitTexts(const RobotModel& model, int joint) {
  const JointLimits& limits = model.limits();
  const bool turns = model.link(joint).type == JointType::kRevolute;
  const std::string unit = turns ? "rad" : "m";
  return {RangeText(limits, joint, unit), LimitText(limits.velocity[joint], unit + "/s"),
          LimitText(limits.acceleration[joint], unit + "/s²"),
          LimitText(limits.effort[joint], turns ? "N·m" : "N")};
}

std::string LimitTable(const RobotModel& model) {
  std::vector<std::array<std::string, 4>> rows = {
      {"position", "velocity", "acceleration", "torque"}};
  std::vector<std::string> names = {"joint"};
  for (int i = 0; i < model.dofs(); ++i) {
    rows.push_back(LimitTexts(model, i));
    names.push_back(model.link(i).joint);
  }
  std::array<std::size_t, 4> widths{};
  std::size_t name_width = 0, room = kWidth - 6;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (std::size_t c = 0; c < 4; ++c) widths[c] = std::max(widths[c], Columns(rows[k][c]));
    name_width = std::max(name_width, Columns(names[k]));
  }
  for (const std::size_t width : widths) room -= width + 2;
  name_width = std::min(name_width, room);
  std::string text = "limits, the same both ways but for positions; –: none is known\n";
  for (std::size_t k = 0; k < rows.size(); ++k) {
    text += fmt::format("{:>4}  {:<{}}", k == 0 ? "#" : std::to_string(k),
                        Shorten(names[k], name_width), name_width);
    for (std::size_t c = 0; c < 4; ++c) text += fmt::format("  {:>{}}", rows[k][c], widths[c]);
    text += '\n';
  }
  const std::vector<std::string> unlimited = WithoutVelocityLimit(model);
  if (unlimited.empty()) return text;
  return text +
         Wrapped(fmt::format("No limit of velocity is known of {}: motions that keep the robot's "
                             "limits may move them as fast as other limits allow. A URDF states "
                             "one in its <limit velocity=\"…\"/>, a robot.json beside any model "
                             "file in \"joints\".",
                             ListSome(unlimited)),
                 0);
}

/// By motor and joint, the torque on the joint per torque of the motor.
Json MotorsJson(const RobotModel& model) {
  Json motors = Json::object();
  const Actuation& actuation = model.actuation();
  for (std::size_t j = 0; j < actuation.names.size(); ++j) {
    Json& driven = motors[actuation.names[j]] = Json::object();
    for (int i = 0; i < model.dofs(); ++i) {
      const double torque = actuation.B(i, static_cast<Eigen::Index>(j));
      if (torque != 0.0) driven[model.link(i).joint] = torque;
    }
  }
  return motors;
}

/// Which joints each motor drives, of a robot whose motors are not one to a joint; else nothing.
std::string MotorTable(const RobotModel& model) {
  if (HasMotorOnEachJoint(model)) return "";
  std::string text = "torque on the joints per torque of the motors\n";
  const Json motors = MotorsJson(model);
  for (const auto& [motor, joints] : motors.items()) {
    text += "  " + Shorten(motor, 36) + ":";
    for (const auto& [joint, torque] : joints.items()) {
      text += fmt::format(" {:+.4g} {}", torque.get<double>(), joint);
    }
    text += "\n";
  }
  const std::vector<std::string> undriven = UndrivenJoints(model);
  if (!undriven.empty()) text += fmt::format("  nothing drives {}\n", ListSome(undriven));
  return text + "\n";
}

/// The robot's own terms with the values of its nominal set.
std::string TermTable(const Robot& robot) {
  const auto& terms = robot.model.terms();
  if (terms.empty()) return "";
  const Eigen::VectorXd values = robot.FindSet("")->pi.tail(std::ssize(terms));
  std::string text = "terms beside friction and rotor inertia of each joint\n";
  for (std::size_t k = 0; k < terms.size(); ++k) {
    text += fmt::format("  {:<20}  {:>10.4g} {}\n", terms[k].name,
                        values[static_cast<Eigen::Index>(k)], terms[k].unit);
  }
  return text + "\n";
}

/// Names of the links beyond a cut.
std::vector<std::string> LinksBeyond(const Cut& cut, const RobotModel& model) {
  std::vector<std::string> names;
  const int last = cut.link + model.subtree_size(cut.link);
  for (int link = cut.link_beyond ? cut.link : cut.link + 1; link < last; ++link) {
    if (!model.link(link).massless) names.push_back(model.link(link).name);
  }
  return names;
}

/// Where the force/torque sensors are and what lies beyond them.
std::string SensorTable(const RobotModel& model) {
  if (model.cuts().empty()) return "";
  std::string text = "force/torque sensors, and the links beyond them\n";
  for (const Cut& cut : model.cuts()) {
    text += fmt::format("  {:<20}  on {}: {}\n", Shorten(cut.name, 20), model.link(cut.link).name,
                        ListSome(LinksBeyond(cut, model)));
  }
  return text + "\n";
}

Json SensorsJson(const RobotModel& model) {
  Json sensors = Json::object();
  for (const Cut& cut : model.cuts()) {
    sensors[cut.name] = {{"link", model.link(cut.link).name},
                         {"links_beyond", LinksBeyond(cut, model)}};
  }
  return sensors;
}

/// How many collision spheres and pairs there are, and where they are from.
std::string CollisionLine(const Robot& robot) {
  const CollisionModel& collision = robot.model.collision();
  const std::string origin = [&]() -> std::string {
    switch (robot.collision_origin) {
      case CollisionOrigin::kRobotFile:
        return "robot.json";
      case CollisionOrigin::kGeoms:
        return fmt::format("from {} geoms", robot.collision_geoms);
      case CollisionOrigin::kLinkSegments:
        break;
    }
    return "from link segments";
  }();
  return fmt::format("collision: {} spheres, {} pairs ({})\n", collision.spheres.size(),
                     collision.pairs.size(), origin);
}

/// As in a robot.json.
Json CollisionJson(const RobotModel& model) {
  Json json = WriteValue(OptionsOfCollision(model));
  json.erase("source");
  return json;
}

std::string UnphysicalTable(const RobotOverview& overview) {
  const std::vector<UnphysicalBody>& bodies = overview.robot.unphysical;
  if (bodies.empty()) return "every inertia is physical\n";
  std::size_t width = 0;
  for (const UnphysicalBody& body : bodies) width = std::max(width, body.name.size());
  width = std::min<std::size_t>(width, 36);
  std::string text = "no body has the inertia of\n";
  for (const UnphysicalBody& body : bodies) {
    text += fmt::format("  {:<{}}  {}\n", Shorten(body.name, width), width, body.reason);
  }
  return text;
}

/// Sign of a standard parameter in the table of what can be identified.
const char* Sign(const IdentifiableParameters& identifiable, int parameter) {
  if (!std::ranges::binary_search(identifiable.considered, parameter)) return "";
  if (!identifiable.base) return "?";
  const BaseParameters& base = *identifiable.base;
  const auto own = std::ranges::lower_bound(base.independent, parameter);
  if (own != base.independent.end() && *own == parameter) {
    const auto row = static_cast<Eigen::Index>(own - base.independent.begin());
    return (base.B.row(row).array() != 0.0).count() > 1 ? "R" : "x";
  }
  return base.B.col(parameter).isZero(0.0) ? "·" : "r";
}

constexpr std::string_view kSignRow =
    "{:>2}  {:>1} {:>1} {:>1}  {:>2} {:>2} {:>2} {:>2} {:>2} {:>2}";

std::string Signs(const IdentifiableParameters& identifiable, int first) {
  const auto sign = [&](int k) { return Sign(identifiable, first + k); };
  return fmt::format(kSignRow, sign(0), sign(1), sign(2), sign(3), sign(4), sign(5), sign(6),
                     sign(7), sign(8), sign(9));
}

std::string IdentifiableTable(const RobotOverview& overview) {
  const RobotModel& model = overview.robot.model;
  const ParameterLayout layout(model);
  const std::string heads =
      fmt::format(kSignRow, "m", "x", "y", "z", "xx", "xy", "yy", "xz", "yz", "zz");
  std::size_t width = 4;
  for (int body = -1; body < model.dofs(); ++body) {
    width = std::max(width, model.BodyName(body).size());
  }
  width = std::min<std::size_t>(width, kWidth - 4 - 2 - 2 * (3 + 28));
  constexpr std::string_view kRow = "{:>4}  {:<{}}   {:<28}   {:<28}";
  const auto line = [&](const auto&... columns) {
    std::string text = fmt::format(kRow, columns...);
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  std::string text = line("", "", width, "from joint torques", "from the base wrench");
  text += line("", "", width, " m   m·c   inertia", " m   m·c   inertia");
  text += line("#", "link", width, heads, heads);
  for (int body = -1; body < model.dofs(); ++body) {
    if (body >= 0 && model.link(body).massless) continue;
    const int first = layout.Body(body);
    text += line(body + 1, Shorten(model.BodyName(body), width), width,
                 Signs(overview.identifiable[0], first), Signs(overview.identifiable[1], first));
  }
  return text +
         "x: a base parameter; R: one with others regrouped into it; r: regrouped into others; "
         "·: no effect\n";
}

/// One line of at most kWidth columns, terms that do not fit are counted.
std::string ExpressionLine(const std::string& expression) {
  std::string line = "  " + expression;
  std::string tail;
  for (int dropped = 1; Columns(line) + Columns(tail) > kWidth; ++dropped) {
    // Either sign may be missing, and npos is the greatest number.
    const auto last = [&line](const char* sign) {
      return static_cast<std::ptrdiff_t>(line.rfind(sign));
    };
    const std::ptrdiff_t term = std::max(last(" + "), last(" - "));
    if (term < 0) break;
    line.erase(static_cast<std::size_t>(term));
    tail = fmt::format(" + {} more", dropped);
  }
  return line + tail + "\n";
}

/// The first term of an expression is what the base parameter is called after.
std::string Expressions(const IdentifiableParameters& identifiable) {
  if (!identifiable.base) return "";
  std::string lines;
  const BaseParameters& base = *identifiable.base;
  for (std::size_t k = 0; k < base.names.size(); ++k) {
    if (base.names[k].ends_with("_R")) lines += ExpressionLine(base.expressions[k]);
  }
  if (lines.empty()) return "";
  return "regrouped, from joint torques (in full: --format json)\n" + lines + "\n";
}

std::string CountText(const IdentifiableParameters& identifiable) {
  if (!identifiable.base) return "not certain";
  const int none = static_cast<int>(identifiable.base->unidentifiable.size());
  return fmt::format("{:>4} of {} standard parameters, {} have no effect",
                     identifiable.base->size(), identifiable.considered.size(), none);
}

std::string BaseSummary(const RobotOverview& overview) {
  constexpr std::size_t kIndent = 17;
  std::string text =
      fmt::format("base parameters  joint torques  {}\n", CountText(overview.identifiable[0]));
  text += fmt::format("                 base wrench    {}\n", CountText(overview.identifiable[1]));
  for (std::size_t k = 2; k < overview.identifiable.size(); ++k) {
    text +=
        fmt::format("                 {:<13}  {}\n", Shorten(overview.identifiable[k].equation, 13),
                    CountText(overview.identifiable[k]));
  }
  for (const IdentifiableParameters& identifiable : overview.identifiable) {
    if (!identifiable.base) text += Wrapped(identifiable.refusal, kIndent);
  }
  const SelfCheckResult& check = overview.self_check;
  text += fmt::format(
      "self-check       {:.1e} of max |τ|: greatest error against MuJoCo on {} random states\n",
      check.max_relative_error, check.states);
  if (!check.repaired.empty()) {
    text += Wrapped("with repaired inertias, as MuJoCo refuses those that are written: " +
                        ListSome(check.repaired),
                    kIndent);
  }
  return text;
}

double TotalMass(const RobotOverview& overview) {
  double mass = 0.0;
  for (int body = -1; body < overview.robot.model.dofs(); ++body) mass += MassOf(overview, body);
  return mass;
}

Json TermsJson(const Robot& robot) {
  Json terms = Json::array();
  Eigen::Index k = ParameterLayout(robot.model).size() - std::ssize(robot.model.terms());
  for (const Term& term : robot.model.terms()) {
    terms.push_back(
        {{"name", term.name}, {"unit", term.unit}, {"value", robot.FindSet("")->pi[k++]}});
  }
  return terms;
}

Json LimitJson(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json JointsJson(const RobotModel& model) {
  Json joints = Json::array();
  for (int i = 0; i < model.dofs(); ++i) {
    const Link& link = model.link(i);
    const JointLimits& limits = model.limits();
    joints.push_back({{"name", link.joint},
                      {"type", TypeName(link)},
                      {"parent", model.BodyName(link.parent)},
                      {"link", link.name},
                      {"lower", LimitJson(limits.lower[i])},
                      {"upper", LimitJson(limits.upper[i])},
                      {"velocity", LimitJson(limits.velocity[i])},
                      {"acceleration", LimitJson(limits.acceleration[i])},
                      {"effort", LimitJson(limits.effort[i])}});
  }
  return joints;
}

}  // namespace

RobotOverview LookAtRobot(const std::string& name_or_file, const RobotPart& part) {
  RobotOverview overview{LoadRobot(name_or_file, part), {}, {}};
  const RobotModel& model = overview.robot.model;
  std::vector<std::pair<std::string, PlacedEquation>> equations = {
      {"joint_torque", Equation::kTorque}, {"base_wrench", Equation::kWrench}};
  for (const Cut& cut : model.cuts()) {
    equations.emplace_back(NameAt(kWrenchAtCut, cut.name),
                           PlacedEquation(Equation::kCut, model.CutIndex(cut.name)));
  }
  for (const auto& [name, equation] : equations) {
    IdentifiableParameters identifiable{name, ConsideredParameters(model, {equation}, {}), {}, {}};
    try {
      identifiable.base = FindBaseParameters(model, {equation}, identifiable.considered);
    } catch (const std::domain_error& error) {
      identifiable.refusal = error.what();
    }
    overview.identifiable.push_back(std::move(identifiable));
  }
  overview.self_check = SelfCheck(overview.robot);
  return overview;
}

std::string RobotText(const RobotOverview& overview) {
  const Robot& robot = overview.robot;
  std::string text =
      robot.title == robot.file.filename()
          ? fmt::format("{}: {}\n", robot.name, robot.file.string())
          : fmt::format("{}: {}\n{}\n", robot.name, robot.title, robot.file.string());
  text += fmt::format("{} joints, {} links with the base, {:.4g} kg; inertias: set {}\n\n",
                      robot.model.dofs(), robot.model.dofs() + 1, TotalMass(overview),
                      robot.nominal_set);
  text += JointTable(overview) + "\n" + LimitTable(robot.model) + "\n";
  text += HeldTable(robot);
  text += MotorTable(robot.model) + SensorTable(robot.model) + TermTable(robot);
  text += UnphysicalTable(overview) + "\n";
  text += CollisionLine(robot) + "\n";
  text += IdentifiableTable(overview) + "\n";
  text += Expressions(overview.identifiable[0]);
  return text + BaseSummary(overview);
}

Json RobotJson(const RobotOverview& overview) {
  const Robot& robot = overview.robot;
  const RobotModel& model = robot.model;
  const std::vector<std::string> names = ParameterNames(model);
  Json bodies = Json::array();
  for (int body = -1; body < model.dofs(); ++body) {
    bodies.push_back({{"name", model.BodyName(body)}, {"mass_kg", MassOf(overview, body)}});
  }
  Json counts, expressions, without_effect, uncertain;
  for (const IdentifiableParameters& identifiable : overview.identifiable) {
    const std::string& equation = identifiable.equation;
    counts[equation] = nullptr;
    if (!identifiable.base) {
      uncertain[equation] = identifiable.refusal;
      continue;
    }
    const BaseParameters& base = *identifiable.base;
    counts[equation] = base.size();
    expressions[equation] = Json::object();
    for (std::size_t k = 0; k < base.names.size(); ++k) {
      expressions[equation][base.names[k]] = base.expressions[k];
    }
    without_effect[equation] = Json::array();
    for (const int k : base.unidentifiable) {
      without_effect[equation].push_back(names[static_cast<std::size_t>(k)]);
    }
  }
  Json unphysical = Json::array();
  Json reasons = Json::object();
  for (const UnphysicalBody& body : robot.unphysical) {
    unphysical.push_back(body.name);
    reasons[body.name] = body.reason;
  }
  const SelfCheckResult& check = overview.self_check;
  return {{"name", robot.name},
          {"title", robot.title},
          {"file", robot.file.string()},
          {"set", robot.nominal_set},
          {"dofs", model.dofs()},
          {"links", model.dofs() + 1},
          {"base", model.base_name()},
          {"joints", JointsJson(model)},
          {"held_joints", HeldJson(robot)},
          {"left_out", robot.left_out},
          {"motors", MotorsJson(model)},
          {"force_torque_sensors", SensorsJson(model)},
          {"terms", TermsJson(robot)},
          {"collision", CollisionJson(model)},
          {"bodies", bodies},
          {"base_parameters", counts},
          {"base_parameter_expressions", expressions},
          {"without_effect", without_effect},
          {"uncertain_rank", uncertain},
          {"unphysical_links", unphysical},
          {"unphysical_reasons", reasons},
          {"self_check",
           {{"max_relative_error", LimitJson(check.max_relative_error)},
            {"states", check.states},
            {"repaired_links", check.repaired}}},
          {"warnings", robot.notes}};
}

}  // namespace idbench
