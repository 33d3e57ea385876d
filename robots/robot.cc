#include "robots/robot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <utility>

#include "robots/collision_options.h"
#include "robots/collision_spheres.h"
#include "robots/dynamics/actuation.h"
#include "robots/mjspec.h"
#include "robots/model_files.h"
#include "robots/model_reader.h"
#include "robots/reduced_robot.h"
#include "robots/robot_file.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

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
  const ParameterLayout layout(model);
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
  std::vector<std::string> own;
  for (const Term& term : model.terms()) own.push_back(term.name);
  for (const auto& [name, value] : options.terms) {
    const auto at = Find(own, name, pointer + "/terms", "term", issues);
    if (at) set.pi[layout.size() - std::ssize(own) + *at] = value;
  }
  return set;
}

/// What robot.json says of limits counts, and where it says nothing, the model file.
RobotModel WithLimits(const RobotModel& model, const RobotFile& file, std::vector<Issue>& issues) {
  JointLimits limits = model.limits();
  for (const auto& [name, limit] : file.joints) {
    const auto at = Find(model.joint_names(), name, "/joints", "joint", issues);
    if (!at) continue;
    limits.velocity[*at] = limit.velocity_limit_rad_s.value_or(limits.velocity[*at]);
    limits.acceleration[*at] = limit.acceleration_limit_rad_s2.value_or(limits.acceleration[*at]);
  }
  RobotModel limited(file.name, model.base_name(), model.links(), model.gravity(),
                     std::move(limits));
  limited.SetCollision(model.collision());
  return limited;
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

/// B and q₀ of a transmission; or issues with its sizes.
std::optional<Actuation> ActuationOf(const RobotFileTransmission& file, const RobotModel& model,
                                     std::vector<Issue>& issues) {
  const std::size_t before = issues.size();
  const auto joints = static_cast<std::size_t>(model.dofs());
  Actuation actuation{file.motors, Eigen::MatrixXd::Zero(model.dofs(), std::ssize(file.matrix))};
  for (std::size_t k = 0; k < file.matrix.size(); ++k) {
    if (file.matrix[k].size() != joints) {
      issues.push_back({fmt::format("/transmission/matrix/{}", k),
                        fmt::format("got {} numbers for {} joints", file.matrix[k].size(), joints),
                        {}});
      continue;
    }
    actuation.B.col(static_cast<Eigen::Index>(k)) =
        Eigen::Map<const Eigen::VectorXd>(file.matrix[k].data(), model.dofs());
  }
  if (file.motors.empty()) {
    for (std::size_t k = 1; k <= file.matrix.size(); ++k) {
      actuation.names.push_back(fmt::format("motor{}", k));
    }
  } else if (file.motors.size() != file.matrix.size()) {
    issues.push_back({"/transmission/motors",
                      fmt::format("got {} names for {} rows of the matrix", file.motors.size(),
                                  file.matrix.size()),
                      {}});
  }
  if (file.offset_rad.size() == joints) {
    actuation.zero = Eigen::Map<const Eigen::VectorXd>(file.offset_rad.data(), model.dofs());
  } else if (!file.offset_rad.empty()) {
    issues.push_back({"/transmission/offset_rad",
                      fmt::format("got {} numbers for {} joints", file.offset_rad.size(), joints),
                      {}});
  }
  return issues.size() == before ? std::optional(std::move(actuation)) : std::nullopt;
}

void SetTransmission(const RobotFile& file, RobotModel& model, std::vector<Issue>& issues) {
  if (!file.transmission) return;
  if (file.actuators) {
    issues.push_back({"/transmission",
                      "is given together with actuators",
                      {"give one of them: B of actuators is the transposed matrix"}});
    return;
  }
  std::optional<Actuation> actuation = ActuationOf(*file.transmission, model, issues);
  if (!actuation) return;
  try {
    MotorsOfJointTorque(*actuation);
    model.SetActuation(std::move(*actuation));
  } catch (const std::invalid_argument& error) {
    issues.push_back({"/transmission", error.what(), {}});
  }
}

void SetTerms(const RobotFile& file, RobotModel& model, std::vector<Issue>& issues) {
  std::vector<Term> terms = MakeTerms(file.terms, model, "/terms", issues);
  const std::vector<Term> joint_terms = TermsOf(model);
  std::erase_if(terms, [&](const Term& term) {
    const bool has_it = std::ranges::find(joint_terms, term) != joint_terms.end();
    if (has_it) {
      issues.push_back({"/terms",
                        fmt::format("every robot has {}", term.name),
                        {"remove it; its value is in `joints` of a set"}});
    }
    return has_it;
  });
  model.SetTerms(std::move(terms));
}

/// Gives a robot the spheres that its model file has shapes for.
void SetDefaultCollision(std::vector<BodyGeom> geoms, Robot& robot) {
  ReadMeshBoxes(geoms);
  CollisionModel collision;
  collision.spheres = SpheresOfGeoms(geoms, robot.bodies);
  if (collision.spheres.empty()) {
    collision.spheres = SpheresOfSegments(robot.model, robot.bodies);
  } else {
    robot.collision_origin = CollisionOrigin::kGeoms;
    robot.collision_geoms = static_cast<int>(geoms.size());
  }
  collision.pairs = DefaultPairs(robot.model, collision.spheres);
  collision.above_floor = DefaultAboveFloor(collision.spheres);
  robot.model.SetCollision(std::move(collision));
}

Robot LoadFile(const std::filesystem::path& file, const RobotPart& part, ModelExtent extent) {
  Robot robot;
  ParsedModel parsed = ParseModel(file, part, extent);
  robot.name = file.stem().string();
  robot.title = file.filename().string();
  robot.file = file;
  robot.files = FilesOfModel(file, parsed.spec.get());
  robot.part = part;
  robot.held = std::move(parsed.held);
  robot.left_out = std::move(parsed.left_out);
  robot.notes = std::move(parsed.notes);
  RobotDescription read = ReadRobot(parsed.spec.get(), robot.name, file);
  robot.model = std::move(read.model);
  robot.bodies = std::move(read.bodies);
  SetDefaultCollision(std::move(parsed.geoms), robot);
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

/// Gives a robot that is a whole model what its robot.json says.
void Describe(const RobotFile& options, Robot& robot, std::vector<Issue>& issues) {
  robot.name = options.name;
  robot.title = options.title;
  robot.model = WithLimits(robot.model, options, issues);
  SetActuators(options, robot.model, issues);
  SetTransmission(options, robot.model, issues);
  AddCuts(options.force_torque_sensors, "/force_torque_sensors", robot, issues);
  SetTerms(options, robot.model, issues);
  if (options.collision) SetCollision(*options.collision, "/collision", robot, issues);
  robot.log = options.log.value_or(LogColumns());
  if (options.sets.empty()) {  // that of the model file, with 0 for the robot's own terms
    Eigen::VectorXd& pi = robot.sets.front().pi;
    const Eigen::Index own = ParameterLayout(robot.model).size() - pi.size();
    pi.conservativeResize(pi.size() + own);
    pi.tail(own).setZero();
    return;
  }
  robot.nominal_set = options.nominal_set;
  robot.sets.clear();
  for (const auto& [label, set] : options.sets) {
    robot.sets.push_back(ToSet(label, set, robot.model, issues));
  }
  if (robot.FindSet(robot.nominal_set) == nullptr) {
    issues.push_back({"/nominal_set", fmt::format("got \"{}\"", robot.nominal_set),
                      AcceptedNames(robot.nominal_set, robot.set_names())});
  }
}

Robot LoadCatalogued(const std::filesystem::path& folder, const RobotPart& part,
                     ModelExtent extent) {
  const std::filesystem::path json_file = folder / kRobotFile;
  const RobotFile options = ReadRobotFile(json_file);
  std::vector<Issue> issues;
  const bool reduce = extent == ModelExtent::kPart && !part.whole();
  Robot robot = LoadFile(folder / options.model, {}, reduce ? ModelExtent::kRobot : extent);
  Describe(options, robot, issues);
  if (!issues.empty()) throw ConfigError(json_file.string(), issues);
  if (reduce) robot = ReducedRobot(robot, LoadFile(folder / options.model, part, extent));
  robot.files.push_back(json_file);
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

Robot LoadPath(const std::filesystem::path& path, const RobotPart& part, ModelExtent extent) {
  std::error_code ignored;
  if (path.filename() == kRobotFile) return LoadCatalogued(path.parent_path(), part, extent);
  if (std::filesystem::is_regular_file(path / kRobotFile, ignored)) {
    return LoadCatalogued(path, part, extent);
  }
  return IsDescribed(path) ? LoadCatalogued(path.parent_path(), part, extent)
                           : LoadFile(path, part, extent);
}

/// Why a term of the robot is not the one that is declared again; nothing if it is.
std::optional<Issue> WhyOther(const Term& own, const Term& declared, const std::string& where) {
  Term same = declared;
  if (declared.unit.empty() || own.unit.empty()) same.unit = own.unit;  // of any equation
  if (own == same) return std::nullopt;
  if (own.stribeck_velocity != declared.stribeck_velocity) {
    return Issue{where,
                 fmt::format("{} has the velocity {} in the robot's own terms, here it is {}",
                             own.name, own.stribeck_velocity, declared.stribeck_velocity),
                 {"say the same velocity as robot.json"}};
  }
  if (own.unit != same.unit) {
    return Issue{where,
                 fmt::format("{} is in {} in the robot's own terms, here it is in {}", own.name,
                             own.unit, declared.unit),
                 {"say the same equation as robot.json"}};
  }
  return Issue{where,
               fmt::format("{} acts otherwise in the robot's own terms", own.name),
               {"declare it as robot.json does, or give its motor another name"}};
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

void AddTerms(const std::vector<TermOptions>& options, const std::string& where, Robot& robot,
              std::vector<Issue>& issues) {
  const std::vector<Term> present = TermsOf(robot.model);
  std::vector<Term> own = robot.model.terms();
  for (Term& term : MakeTerms(options, robot.model, where, issues)) {
    const auto same = std::ranges::find(present, term.name, &Term::name);
    if (same == present.end()) {
      own.push_back(std::move(term));
    } else if (std::optional<Issue> issue = WhyOther(*same, term, where)) {
      issues.push_back(*std::move(issue));
    }
  }
  const Eigen::Index size = ParameterLayout(robot.model).size();
  const auto added = static_cast<Eigen::Index>(own.size() - robot.model.terms().size());
  robot.model.SetTerms(std::move(own));
  for (ParameterSet& set : robot.sets) {
    set.pi.conservativeResize(size + added);
    set.pi.tail(added).setZero();
  }
}

void AddGains(Equation equation, const std::string& where, Robot& robot,
              std::vector<Issue>& issues) {
  const std::string unit(InfoOf(equation).gain_unit);
  std::vector<Issue> none;  // all motors are there
  AddTerms({{.type = TermKind::kGain}}, "", robot, none);
  std::vector<Term> terms = robot.model.terms();
  std::vector<std::string> others;
  std::string other_unit;
  for (Term& term : terms) {
    if (term.rows != TermRows::kDrives) continue;
    if (!term.unit.empty() && term.unit != unit) {
      others.push_back(term.name);
      other_unit = term.unit;
    }
    term.unit = unit;
  }
  robot.model.SetTerms(std::move(terms));
  if (others.empty()) return;
  issues.push_back({where,
                    fmt::format("has gains in {}, and in the robot's own terms these are in {}: {}",
                                unit, other_unit, ListSome(others)),
                    {"use the equation that they are of, or remove them from `terms` and `sets` of "
                     "robot.json"}});
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

Robot LoadWhole(const Robot& robot) { return LoadPath(robot.file, {}, ModelExtent::kRobot); }

namespace {

Robot Load(const std::string& name_or_file, const RobotPart& part, ModelExtent extent) {
  const bool is_path = name_or_file.find_first_of("/.") != std::string::npos;
  if (is_path) return LoadPath(name_or_file, part, extent);
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
  return LoadCatalogued(RobotFolder() / name_or_file, part, extent);
}

}  // namespace

Robot LoadWhole(const std::string& name_or_file) {
  return Load(name_or_file, {}, ModelExtent::kRobot);
}

Robot LoadRobot(const std::string& name_or_file, const RobotPart& part) {
  return Load(name_or_file, part, ModelExtent::kPart);
}

std::string SimulatorVersion() { return mj_versionString(); }

}  // namespace idbench
