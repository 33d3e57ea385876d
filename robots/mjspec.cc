#include "robots/mjspec.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <mutex>
#include <numbers>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "robots/actuator_limits.h"
#include "robots/couplings.h"
#include "robots/model_files.h"
#include "robots/model_text.h"
#include "robots/reduce_spec.h"
#include "robots/straighten.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

/// A straightened angle that is worth telling; smaller ones are π written with ten digits.
constexpr double kAngleToldOf = 1e-8;  // [rad]

void HandleLog(const mjLogMessage* message) {
  if (message->level >= mjLOG_ERROR) {
    throw std::runtime_error(fmt::format("MuJoCo: {}", message->subject));
  }
  if (message->level == mjLOG_WARNING) fmt::print(stderr, "MuJoCo: {}\n", message->subject);
}

void DeleteAll(mjSpec* spec, mjtObj type) {
  for (mjsElement* element : Elements(spec, type)) mjs_delete(spec, element);
}

bool HasGeoms(const mjsBody* body) { return mjs_firstChild(body, mjOBJ_GEOM, 0) != nullptr; }

/// Whether MuJoCo derives the inertia of this body from its geoms.
bool TakesInertiaFromGeoms(const mjSpec* spec, const mjsBody* body) {
  if (body == mjs_findBody(spec, "world")) return false;
  if (spec->compiler.inertiafromgeom == mjINERTIAFROMGEOM_TRUE) return HasGeoms(body);
  return !body->explicitinertial;
}

std::string NameOf(const mjsBody* body) { return mjs_getString(mjs_getName(body->element)); }

/// What geoms call a mesh.
std::string NameOf(const mjsMesh& mesh) {
  std::string name = mjs_getString(mjs_getName(mesh.element));
  if (!name.empty()) return name;
  return std::filesystem::path(mjs_getString(mesh.file)).stem();
}

/// Whether a mesh is to be read from a file that is not there.
bool IsMissing(const mjsMesh& mesh) {
  const std::filesystem::path file = FileOfMesh(mesh);
  return !file.empty() && !std::filesystem::exists(file);
}

/// Deletes what is neither body nor joint nor geometry.
void StripElements(mjSpec* spec) {
  for (const mjtObj type :
       {mjOBJ_KEY, mjOBJ_SENSOR, mjOBJ_ACTUATOR, mjOBJ_EQUALITY, mjOBJ_TENDON, mjOBJ_PAIR,
        mjOBJ_EXCLUDE, mjOBJ_SKIN, mjOBJ_CAMERA, mjOBJ_LIGHT, mjOBJ_SITE, mjOBJ_TUPLE}) {
    DeleteAll(spec, type);
  }
}

/// Leaves the geoms that inertias come from. What stands still and should take its inertia from a
/// mesh that is missing loses it, and is noted.
void StripGeometry(mjSpec* spec, ModelFormat format, std::vector<std::string>& notes) {
  const std::vector<mjsElement*> joints = Elements(spec, mjOBJ_JOINT);
  const std::set<const mjsElement*> moving(joints.begin(), joints.end());
  std::set<std::string> missing_meshes, used_meshes;
  for (mjsElement* element : Elements(spec, mjOBJ_MESH)) {
    const mjsMesh& mesh = *mjs_asMesh(element);
    if (IsMissing(mesh)) missing_meshes.insert(NameOf(mesh));
  }
  std::vector<std::string> bare;
  for (mjsElement* element : Elements(spec, mjOBJ_GEOM)) {
    mjsGeom* const geom = mjs_asGeom(element);
    mjsBody* const body = mjs_getParent(element);
    const std::string mesh = mjs_getString(geom->meshname);
    const bool needed = format == ModelFormat::kMjcf && TakesInertiaFromGeoms(spec, body);
    const bool stands = Carrier(body, moving) == mjs_findBody(spec, "world");
    if (needed && !(stands && missing_meshes.contains(mesh))) {
      mjs_setString(geom->material, "");
      used_meshes.insert(mesh);
      continue;
    }
    if (needed && (bare.empty() || bare.back() != NameOf(body))) bare.push_back(NameOf(body));
    mjs_delete(spec, element);
  }
  if (!bare.empty()) {
    notes.push_back("mesh files are missing, so what stands still has less inertia, or none: " +
                    ListSome(bare));
  }
  for (mjsElement* element : Elements(spec, mjOBJ_MESH)) {
    if (!used_meshes.contains(NameOf(*mjs_asMesh(element)))) mjs_delete(spec, element);
  }
  for (const mjtObj type : {mjOBJ_MATERIAL, mjOBJ_TEXTURE, mjOBJ_HFIELD}) DeleteAll(spec, type);
}

/// Notes which joints have friction or rotor inertia in the file: a parameter set is where these
/// are read from.
void NoteJointValues(const std::vector<mjsElement*>& moving, std::vector<std::string>& notes) {
  std::vector<std::string> joints;
  for (mjsElement* element : moving) {
    const mjsJoint& joint = *mjs_asJoint(element);
    if (joint.damping[0] == 0.0 && joint.frictionloss == 0.0 && joint.armature == 0.0) continue;
    const std::string name = mjs_getString(mjs_getName(element));
    joints.push_back(name.empty() ? "(unnamed)" : name);
  }
  if (joints.empty()) return;
  notes.push_back(fmt::format(
      "damping, friction and armature in the file count as 0 (a simulated robot gets its own at "
      "/robot/truth): {}",
      ListSome(joints)));
}

/// What helps against some of MuJoCo's complaints.
std::vector<std::string> CureOf(std::string_view words) {
  static constexpr std::pair<std::string_view, const char*> kCures[] = {
      {"already included", "a file may be included once, and not by itself"},
      {"Element 'include'", "put the files that it includes where the model looks for them"},
      {"Error opening file",
       "a body without <inertial> takes its inertia from its geoms: put their mesh files where the "
       "model looks for them, or write its <inertial>"},
  };
  for (const auto& [part, cure] : kCures) {
    if (words.find(part) != std::string_view::npos) return {cure};
  }
  return {};
}

std::string MujocoWords(std::string words) {
  words.erase(words.find_last_not_of('\n') + 1);
  return words;
}

}  // namespace

std::vector<mjsElement*> Elements(const mjSpec* spec, mjtObj type) {
  std::vector<mjsElement*> elements;
  for (mjsElement* element = mjs_firstElement(spec, type); element != nullptr;
       element = mjs_nextElement(spec, element)) {
    elements.push_back(element);
  }
  return elements;
}

void ResolveOrientation(mjsElement* element, double* quat, mjsOrientation& alt) {
  if (alt.type == mjORIENTATION_QUAT) return;
  const mjsCompiler* const compiler = mjs_getCompiler(element);
  // What it finds wrong, compiling finds too, and says where.
  if (mjs_resolveOrientation(quat, compiler->degree, compiler->eulerseq, &alt) == nullptr) {
    alt.type = mjORIENTATION_QUAT;
  }
}

double JointUnit(const mjsJoint& joint) {
  const bool degrees = joint.type == mjJNT_HINGE && mjs_getCompiler(joint.element)->degree != 0;
  return degrees ? std::numbers::pi / 180.0 : 1.0;
}

void InstallMujocoLogHandler() {
  static std::once_flag once;
  std::call_once(once, [] { mju_setLogHandler(&HandleLog); });
}

ParsedModel ParseModel(const std::filesystem::path& file, const RobotPart& part,
                       ModelExtent extent) {
  InstallMujocoLogHandler();
  const ModelFormat format = CheckModelText(file);
  std::array<char, 1000> error{};
  ParsedModel parsed;
  parsed.spec.reset(
      mj_parseXML(file.c_str(), nullptr, error.data(), static_cast<int>(error.size())));
  if (!parsed.spec) {
    const std::string words = MujocoWords(error.data());
    std::vector<std::string> cure = CureOf(words);
    if (cure.empty()) cure = {"accepted here: MJCF (.xml) or URDF (.urdf)"};
    throw ConfigError(file.string(), "", fmt::format("MuJoCo cannot read it: {}", words), cure);
  }
  mjSpec* const spec = parsed.spec.get();
  // Fused into others, bodies would lose the inertias that are written for them.
  spec->compiler.fusestatic = false;
  spec->compiler.balanceinertia = false;
  spec->compiler.boundmass = 0.0;
  spec->compiler.boundinertia = 0.0;
  const PartPlan plan = PlanPart(spec, part, extent, file);
  parsed.held = plan.held_joints;
  parsed.left_out = plan.left_out_names;
  parsed.notes = plan.notes;
  if (extent == ModelExtent::kPart) {
    CheckCouplings(spec, plan, !part.whole(), file, parsed.notes);
  }
  NoteJointValues(plan.moving, parsed.notes);
  TakeActuatorLimits(spec);
  StripElements(spec);
  LeaveOut(spec, plan);
  const double angle = StraightenAxes(spec);
  HoldJoints(spec, plan);
  parsed.geoms = GeomsOf(spec);
  StripGeometry(spec, format, parsed.notes);
  if (angle > kAngleToldOf) {
    parsed.notes.push_back(fmt::format(
        "axes along another but for at most {:.0e} rad (rounded in the file?) lie along it here",
        angle));
  }
  return parsed;
}

SpecPtr ParseSpec(const std::filesystem::path& file, std::vector<std::string>* notes) {
  ParsedModel parsed = ParseModel(file, {});
  if (notes != nullptr) *notes = std::move(parsed.notes);
  return std::move(parsed.spec);
}

ModelPtr Compile(mjSpec* spec, const std::filesystem::path& file) {
  InstallMujocoLogHandler();
  ModelPtr model(mj_compile(spec, nullptr));
  if (!model) {
    const std::string words = MujocoWords(mjs_getError(spec));
    throw ConfigError(file.string(), "", fmt::format("MuJoCo cannot compile it: {}", words),
                      CureOf(words));
  }
  return model;
}

}  // namespace idbench
