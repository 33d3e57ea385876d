#include "sim/truth/compiled_truth.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include "scenarios/options/json.h"
#include "sim/sensors/per_joint.h"
#include "sim/truth/compile_truth.h"

namespace idbench {
namespace {

// Each function here names all members of what it adds in one structured binding: with a further
// member it no longer compiles.

CanonicalText TextOf(const Link& link) {
  const auto& [name, joint, parent, type, R0, p0, axis, anchor, reference, massless] = link;
  CanonicalText text;
  text.Add("name", name).Add("joint", joint).Add("parent", parent).Add("type", type);
  text.Add("R0", R0).Add("p0", p0).Add("axis", axis).Add("anchor", anchor);
  text.Add("reference", reference).Add("massless", massless);
  return text;
}

CanonicalText TextOf(const JointLimits& limits) {
  const auto& [lower, upper, velocity, acceleration, effort] = limits;
  CanonicalText text;
  text.Add("lower", lower).Add("upper", upper).Add("velocity", velocity);
  text.Add("acceleration", acceleration).Add("effort", effort);
  return text;
}

CanonicalText TextOf(const Actuation& actuation) {
  const auto& [names, B, zero] = actuation;
  CanonicalText text;
  for (const std::string& name : names) text.Add("motor", name);
  text.Add("B", B);
  if (!zero.isZero(0.0)) text.Add("zero", zero);
  return text;
}

/// Where the end effector or the IMU is.
template <class Mount>
CanonicalText TextOfMount(const Mount& mount) {
  const auto& [link, p_L] = mount;
  CanonicalText text;
  text.Add("link", link).Add("p_L", p_L);
  return text;
}

CanonicalText TextOf(const DistanceMeter& meter) {
  const auto& [link, p_LS_L, axis_L] = meter;
  CanonicalText text;
  text.Add("link", link).Add("p_LS_L", p_LS_L).Add("axis_L", axis_L);
  return text;
}

CanonicalText TextOf(const Term& term) {
  const auto& [name, unit, argument, shape, shares, stribeck_velocity, rows, cut, input] = term;
  CanonicalText text;
  text.Add("name", name).Add("unit", unit).Add("argument", argument).Add("shape", shape);
  for (const auto& [joint, factor] : shares) text.Add("joint", joint).Add("factor", factor);
  text.Add("stribeck_velocity", stribeck_velocity);
  if (rows != TermRows::kJoints) text.Add("rows", rows).Add("cut", cut).Add("input", input);
  return text;
}

CanonicalText TextOf(const Cut& cut) {
  const auto& [name, link, R_LS, p_LS_L, link_beyond] = cut;
  CanonicalText text;
  text.Add("name", name).Add("link", link).Add("R_LS", R_LS).Add("p_LS_L", p_LS_L);
  text.Add("link_beyond", link_beyond);
  return text;
}

CanonicalText TextOf(const AttachedBody& body) {
  const auto& [name, link, R_LA, p_LA_L, known] = body;
  CanonicalText text;
  text.Add("name", name).Add("link", link).Add("R_LA", R_LA).Add("p_LA_L", p_LA_L);
  text.Add("known", known);
  return text;
}

CanonicalText TextOf(const Configuration& configuration) {
  // What touches the robot is part of the truth; `touched` is what estimators are told of it.
  const auto& [name, attached, identified, own_terms, touched] = configuration;
  CanonicalText text;
  text.Add("name", name).Add("identified", identified);
  for (const int body : attached) text.Add("attached", body);
  for (const auto& [shared, own] : own_terms) text.Add("shared", shared).Add("own", own);
  return text;
}

CanonicalText TextOf(const RobotModel& model) {
  CanonicalText text;
  text.Add("name", model.name()).Add("base_name", model.base_name());
  for (const Link& link : model.links()) text.Add("link", TextOf(link));
  text.Add("gravity", model.gravity()).Add("limits", TextOf(model.limits()));
  text.Add("end_effector", TextOfMount(model.end_effector()));
  text.Add("actuation", TextOf(model.actuation()));
  for (const Term& term : model.terms()) text.Add("term", TextOf(term));
  if (model.imu()) text.Add("imu", TextOfMount(*model.imu()));
  if (model.distance_meter()) text.Add("distance_meter", TextOf(*model.distance_meter()));
  for (const Cut& cut : model.cuts()) text.Add("cut", TextOf(cut));
  const bool plain = std::ranges::all_of(
      model.configurations(), [](const Configuration& each) { return each.own.empty(); });
  if (model.attached().empty() && plain) return text;
  for (const AttachedBody& body : model.attached()) text.Add("attached", TextOf(body));
  for (const Configuration& each : model.configurations()) text.Add("configured", TextOf(each));
  return text;
}

std::string ContentOf(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string TextOf(const MujocoPlantOptions& options) {
  Json json = WriteValue(options);
  // Roll-outs keep the names that they had before there was a choice.
  if (options.friction_integration == FrictionIntegration::kExplicit) {
    json.erase("friction_integration");
  }
  return json.dump();
}

/// Roll-outs keep the names that they had before motors had windings, drives a resolution and a
/// drift, cogging random phases, friction presliding, a warm-up and a part that grows with the
/// load, robots cables, and bases a tilt.
std::string TextOf(const TrueJointOptions& joints) {
  TrueJointOptions written = joints;
  FieldTable table;
  AddFields(table, written);
  Json json = WriteFields(table);
  const Json defaults = WriteValue(MotorOptions());
  for (const char* key :
       {"resistance_ohm", "supply_voltage_v", "back_emf_constant_vs_rad", "gain_drift_per_min"}) {
    if (json["motor"][key] == defaults[key]) json["motor"].erase(key);
  }
  if (joints.mismatch.cogging && !joints.mismatch.cogging->random_phase) {
    json["mismatch"]["cogging"].erase("random_phase");
  }
  if (!AnyNonZero(joints.friction.load_coefficient)) json["friction"].erase("load_coefficient");
  const Json matched = WriteValue(MismatchOptions());
  for (const char* key :
       {"torque_resolution_nm", "presliding_rad", "cables", "base_tilt_rad", "friction_warm_up"}) {
    if (json["mismatch"][key] == matched[key]) json["mismatch"].erase(key);
  }
  return json.dump();
}

/// The model holds what is left of the file; but bodies whose joints are held have no place of
/// their own in it.
CanonicalText TextOf(const Robot& robot) {
  CanonicalText text;
  text.Add("name", robot.name).Add("model", TextOf(robot.model)).Add("file", ContentOf(robot.file));
  if (!robot.part.whole()) text.Add("part", WriteValue(robot.part).dump());
  return text;
}

TrueRobot Compile(const Robot& robot, const TruthRecipe& recipe) {
  std::vector<Payload> payloads = AttachedPayloads(robot.model, recipe.configuration, recipe.pi);
  for (Payload& payload : MakePayloads(recipe.events, robot)) {
    payloads.push_back(std::move(payload));
  }
  return CompileTruth(robot, ActingParameters(robot.model, recipe.configuration, recipe.pi),
                      recipe.plant, recipe.joints, payloads, recipe.imu_offset_L);
}

}  // namespace

HashedRobot::HashedRobot(const Robot& robot) : robot_(&robot), hash_(TextOf(robot).Hash()) {}

CompiledTruth::CompiledTruth(const HashedRobot& robot, TruthRecipe recipe)
    : robot_(&robot), recipe_(std::move(recipe)), true_robot_(Compile(robot.robot(), recipe_)) {}

void CompiledTruth::Describe(CanonicalText& text) const {
  const auto& [pi, plant, joints, events, imu_offset_L, configuration] = recipe_;
  text.Add("robot", robot_->hash())
      .Add("pi", pi)
      .Add("plant", TextOf(plant))
      .Add("joints", TextOf(joints))
      .Add("events", WriteValue(events).dump())
      .Add("imu_offset_L", imu_offset_L);
  if (configuration != 0) text.Add("configuration", configuration);
}

}  // namespace idbench
