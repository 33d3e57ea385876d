#include "robots/robot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "robots/dynamics/actuation.h"
#include "robots/mjspec.h"
#include "robots/model_files.h"
#include "robots/model_reader.h"
#include "robots/robot_file.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<std::string> BodyNames(const RobotModel& model) {
  std::vector<std::string> names = {model.base_name()};
  for (const Link& link : model.links()) names.push_back(link.name);
  return names;
}

/// Position of `label` in `names`; an issue if it is not there.
std::optional<int> Find(const std::vector<std::string>& names, const std::string& label,
                        const std::string& pointer, const char* kind, std::vector<Issue>& issues) {
  const auto at = std::ranges::find(names, label);
  if (at != names.end()) return static_cast<int>(at - names.begin());
  issues.push_back({PointerTo(pointer, label), fmt::format("the model has no such {}", kind),
                    AcceptedNames(label, names)});
  return std::nullopt;
}

CentralInertia ToCentral(const RobotFileBody& body) {
  const std::vector<double>& f = body.inertia_com_kgm2;
  CentralInertia inertia{body.mass_kg, Eigen::Vector3d(body.com_m.data()), {}};
  inertia.I_com << f[0], f[3], f[4], f[3], f[1], f[5], f[4], f[5], f[2];
  return inertia;
}

ParameterSet ToSet(const std::string& label, const RobotFileSet& options, const RobotModel& model,
                   std::vector<Issue>& issues) {
  const std::string pointer = PointerTo("/sets", label);
  const ParameterLayout layout(model.dofs());
  ParameterSet set{label, options.source, options.note, Eigen::VectorXd::Zero(layout.size())};
  const std::vector<std::string> bodies = BodyNames(model);
  for (const auto& [name, body] : options.bodies) {
    const auto at = Find(bodies, name, pointer + "/bodies", "body", issues);
    if (at) set.pi.segment<kInertialCount>(layout.Body(*at - 1)) = ToStandard(ToCentral(body));
  }
  for (const std::string& body : bodies) {
    const bool given =
        std::ranges::any_of(options.bodies, [&body](const auto& b) { return b.first == body; });
    if (!given) issues.push_back({PointerTo(pointer + "/bodies", body), "missing", {}});
  }
  for (const auto& [name, joint] : options.joints) {
    const auto at = Find(model.joint_names(), name, pointer + "/joints", "joint", issues);
    if (!at) continue;
    set.pi.segment<kJointParameterCount>(layout.Joint(*at, JointParameter::kViscous))
        << joint.viscous_nms_rad,
        joint.coulomb_nm, joint.offset_nm, joint.rotor_inertia_kgm2;
  }
  return set;
}

RobotModel WithLimits(const RobotModel& model, const RobotFile& file, std::vector<Issue>& issues) {
  JointLimits limits = model.limits();
  for (const auto& [name, limit] : file.joints) {
    const auto at = Find(model.joint_names(), name, "/joints", "joint", issues);
    if (!at) continue;
    limits.velocity[*at] = limit.velocity_limit_rad_s.value_or(kInfinity);
    limits.acceleration[*at] = limit.acceleration_limit_rad_s2.value_or(kInfinity);
  }
  return {file.name, model.base_name(), model.links(), model.gravity(), std::move(limits)};
}

void SetActuators(const RobotFile& file, RobotModel& model, std::vector<Issue>& issues) {
  if (!file.actuators) return;
  Actuation actuation{{}, Eigen::MatrixXd::Zero(model.dofs(), std::ssize(*file.actuators))};
  bool known = true;
  for (const auto& [motor, joints] : *file.actuators) {
    const auto column = std::ssize(actuation.names);
    actuation.names.push_back(motor);
    for (const auto& [name, torque] : joints) {
      const auto at =
          Find(model.joint_names(), name, PointerTo("/actuators", motor), "joint", issues);
      known = known && at;
      if (at) actuation.B(*at, column) = torque;
    }
  }
  if (!known) return;
  try {
    MotorsOfJointTorque(actuation);
    model.SetActuation(std::move(actuation));
  } catch (const std::invalid_argument&) {
    issues.push_back({"/actuators",
                      "some motor drives no joint, or joints as others do",
                      {"give each the joints that it drives, or leave this out for a motor on each "
                       "joint"}});
  }
}

Robot LoadFile(const std::filesystem::path& file) {
  Robot robot;
  const SpecPtr spec = ParseSpec(file, &robot.notes);
  robot.name = file.stem().string();
  robot.title = file.filename().string();
  robot.file = file;
  robot.files = FilesOfModel(file, spec.get());
  RobotDescription read = ReadRobot(spec.get(), robot.name, file);
  robot.model = std::move(read.model);
  robot.unphysical = std::move(read.unphysical);
  if (!robot.unphysical.empty()) {
    std::vector<std::string> names;
    for (const UnphysicalBody& body : robot.unphysical) names.push_back(body.name);
    robot.notes.push_back("inertias that no body has, read as written: " + ListSome(names));
  }
  robot.nominal_set = "as_written";
  robot.sets.push_back({robot.nominal_set, file.string(), "", std::move(read.pi)});
  return robot;
}

Robot LoadCatalogued(const std::filesystem::path& folder) {
  const std::filesystem::path json_file = folder / kRobotFile;
  const RobotFile options = ReadRobotFile(json_file);
  std::vector<Issue> issues;
  Robot robot = LoadFile(folder / options.model);
  robot.files.push_back(json_file);
  robot.name = options.name;
  robot.title = options.title;
  robot.model = WithLimits(robot.model, options, issues);
  SetActuators(options, robot.model, issues);
  robot.nominal_set = options.nominal_set;
  robot.sets.clear();
  for (const auto& [label, set] : options.sets) {
    robot.sets.push_back(ToSet(label, set, robot.model, issues));
  }
  if (robot.FindSet(robot.nominal_set) == nullptr) {
    issues.push_back({"/nominal_set", fmt::format("got \"{}\"", robot.nominal_set),
                      AcceptedNames(robot.nominal_set, robot.set_names())});
  }
  if (!issues.empty()) throw ConfigError(json_file.string(), issues);
  return robot;
}

/// Whether a robot.json stands beside a model file and names it.
bool IsDescribed(const std::filesystem::path& model_file) {
  const std::filesystem::path json_file = model_file.parent_path() / kRobotFile;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(json_file, ignored)) return false;
  const Json json = ReadJsonFile(json_file);
  return json.is_object() && json.value("model", Json()) == model_file.filename().string();
}

Robot LoadPath(const std::filesystem::path& path) {
  std::error_code ignored;
  if (path.filename() == kRobotFile) return LoadCatalogued(path.parent_path());
  if (std::filesystem::is_regular_file(path / kRobotFile, ignored)) return LoadCatalogued(path);
  return IsDescribed(path) ? LoadCatalogued(path.parent_path()) : LoadFile(path);
}

}  // namespace

std::vector<std::string> Robot::set_names() const {
  std::vector<std::string> names;
  for (const ParameterSet& set : sets) names.push_back(set.name);
  return names;
}

const ParameterSet* Robot::FindSet(const std::string& set) const {
  const std::string& wanted = set.empty() ? nominal_set : set;
  const auto at = std::ranges::find(sets, wanted, &ParameterSet::name);
  return at == sets.end() ? nullptr : &*at;
}

std::filesystem::path RobotFolder() {
  if (const char* folder = std::getenv("IDBENCH_ROBOTS")) return folder;
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  std::filesystem::path installed =
      program.parent_path().parent_path() / "share" / "idbench" / "models";
  if (!error && std::filesystem::is_directory(installed)) return installed;
  return IDBENCH_SOURCE_MODELS;
}

std::vector<std::string> RobotNames() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(RobotFolder(), error)) {
    if (std::filesystem::exists(entry.path() / kRobotFile)) {
      names.push_back(entry.path().filename().string());
    }
  }
  std::ranges::sort(names);
  return names;
}

Robot LoadRobot(const std::string& name_or_file) {
  const bool is_path = name_or_file.find_first_of("/.") != std::string::npos;
  if (is_path) return LoadPath(name_or_file);
  const std::vector<std::string> names = RobotNames();
  if (std::ranges::find(names, name_or_file) == names.end()) {
    std::vector<std::string> lines = AcceptedNames(name_or_file, names);
    if (names.empty()) {
      lines = {fmt::format("no robots in {} (environment variable IDBENCH_ROBOTS)",
                           RobotFolder().string())};
    }
    lines.emplace_back("or the path of an MJCF (.xml) or URDF (.urdf) file");
    throw ConfigError(name_or_file, "", "no such robot", lines);
  }
  return LoadCatalogued(RobotFolder() / name_or_file);
}

std::string SimulatorVersion() { return mj_versionString(); }

}  // namespace idbench
