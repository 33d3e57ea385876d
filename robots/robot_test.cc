#include "robots/robot.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "robots/dynamics/actuation.h"
#include "robots/dynamics/parameters/pseudo_inertia.h"
#include "robots/mjspec.h"
#include "robots/model_reader.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

/// Sets IDBENCH_ROBOTS while it lives.
class Catalogue {
 public:
  explicit Catalogue(const std::filesystem::path& folder) {
    if (const char* before = std::getenv(kVariable)) before_ = before;
    setenv(kVariable, folder.c_str(), 1);
  }
  Catalogue(const Catalogue&) = delete;
  Catalogue& operator=(const Catalogue&) = delete;
  ~Catalogue() {
    if (before_) {
      setenv(kVariable, before_->c_str(), 1);
    } else {
      unsetenv(kVariable);
    }
  }

 private:
  static constexpr const char* kVariable = "IDBENCH_ROBOTS";
  std::optional<std::string> before_;
};

constexpr std::string_view kModel = R"(<mujoco><worldbody><body name="base">
  <inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/><body name="arm">
  <inertial pos="0.1 0 0" mass="2" diaginertia="0.3 0.2 0.1"/><joint name="shoulder"/>
  </body></body></worldbody></mujoco>)";

constexpr std::string_view kBodies =
    R"("base": {"mass_kg": 3, "com_m": [0, 0, 0], "inertia_com_kgm2": [1, 1, 1, 0, 0, 0]},
       "arm": {"mass_kg": 2, "com_m": [0.1, 0, 0], "inertia_com_kgm2": [0.3, 0.2, 0.1, 0, 0, 0]})";

/// A catalogue of one robot, `swing`, with this robot.json.
std::string RobotJson(std::string_view sets, std::string_view rest = R"("nominal_set": "good")") {
  return R"({"name": "swing", "title": "One hinge", "model": "swing.xml", )" + std::string(rest) +
         R"(, "sets": )" + std::string(sets) + "}";
}

std::string GoodSets(std::string_view more = "") {
  return R"({"good": {"source": "invented", "bodies": {)" + std::string(kBodies) + "}" +
         std::string(more) + "}}";
}

Robot Load(const std::string& json) {
  const TemporaryFolder folder;
  folder.Write("swing/swing.xml", kModel);
  folder.Write("swing/robot.json", json);
  const Catalogue catalogue(folder.path());
  return LoadRobot("swing");
}

/// What refuses that robot.json, without the folder's name.
std::string RobotJsonRefusal(const std::string& json) {
  try {
    Load(json);
  } catch (const ConfigError& error) {
    return WithoutFolder(error.what(), error.source());
  }
  return "none";
}

std::string LoadError(const std::string& name) {
  try {
    LoadRobot(name);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "none";
}

TEST_CASE("The catalogue holds the robots of the studies") {
  CHECK(RobotNames() == std::vector<std::string>{
                            "barrett_wam7", "biped3", "franka_panda", "icub_right_arm", "kuka_lwr4",
                            "kuka_lwr4_mdh", "leg2", "planar1", "planar2", "planar3", "puma560",
                            "rods1", "rods2", "rods3", "rods4", "staubli_tx40", "ur10"});
}

TEST_CASE("Every catalogued robot loads: names, sources; arms with their limits") {
  for (const std::string& name : RobotNames()) {
    CAPTURE(name);
    const Robot robot = LoadRobot(name);
    CHECK(robot.name == name);
    CHECK(robot.model.name() == name);
    CHECK(robot.model.base_name() == "base");
    CHECK_FALSE(robot.title.empty());
    CHECK(robot.file.filename() == name + ".xml");
    CHECK(robot.unphysical.empty());
    for (const ParameterSet& set : robot.sets) {
      CHECK_FALSE(set.source.empty());
      CHECK(set.pi.allFinite());
      CHECK(set.pi.size() == ParameterLayout(robot.model).size());
    }
    if (!HasMotorOnEachJoint(robot.model)) continue;  // the walkers, whose joints turn freely
    CHECK(robot.model.limits().lower.allFinite());
    CHECK(robot.model.limits().upper.allFinite());
    CHECK(robot.model.limits().effort.allFinite());
    CHECK(robot.model.limits().velocity.allFinite());
    if (name == "ur10") continue;  // it has the names of its driver
    for (int i = 0; i < robot.model.dofs(); ++i) {
      CHECK(robot.model.link(i).name == "link" + std::to_string(i + 1));
      CHECK(robot.model.link(i).joint == "joint" + std::to_string(i + 1));
    }
  }
}

TEST_CASE("A robot's nominal set is what its model file says") {
  for (const std::string& name : RobotNames()) {
    CAPTURE(name);
    const Robot robot = LoadRobot(name);
    const ParameterSet* const nominal = robot.FindSet(robot.nominal_set);
    REQUIRE(nominal != nullptr);
    CHECK(robot.FindSet("") == nominal);
    const SpecPtr spec = ParseSpec(robot.file);
    const Eigen::VectorXd written = ReadRobot(spec.get(), name, robot.file).pi;
    const Eigen::Index inertial = kInertialCount * (robot.model.dofs() + 1);
    for (Eigen::Index body = 0; body < inertial; body += kInertialCount) {
      const InertialParameters expected = written.segment<kInertialCount>(body);
      // The same decimals, moved to the frame's origin in two ways.
      CHECK((nominal->pi.segment<kInertialCount>(body) - expected).norm() <=
            1e-12 * expected.norm());
    }
  }
}

TEST_CASE("Sets are listed in the order of the file and found by name") {
  const Robot wam = LoadRobot("barrett_wam7");
  CHECK(wam.set_names() ==
        std::vector<std::string>{"ac02", "ac02_friction_sousa2014", "libbarrett"});
  CHECK(wam.nominal_set == "ac02");
  CHECK(wam.FindSet("ac03") == nullptr);
  const ParameterLayout layout(7);
  const ParameterSet& friction = *wam.FindSet("ac02_friction_sousa2014");
  CHECK(friction.pi[layout.Joint(0, JointParameter::kViscous)] == 1.648);
  CHECK(friction.pi[layout.Joint(1, JointParameter::kCoulomb)] == 0.5332);
  CHECK(friction.pi[layout.Joint(2, JointParameter::kOffset)] == -0.0875);
  CHECK(friction.pi[layout.Joint(3, JointParameter::kRotorInertia)] == 0.03010932);
  CHECK(wam.FindSet("ac02")->pi.tail(28).isZero(0.0));
  CHECK(LoadRobot("kuka_lwr4").set_names() == std::vector<std::string>{"centroepiaggio", "gaz2016",
                                                                       "flobaroid_apriori",
                                                                       "flobaroid_identified"});
}

TEST_CASE("A file by its path is a robot with one set, as written") {
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(folder.Write("swing.xml", kModel));
  CHECK(robot.name == "swing");
  CHECK(robot.nominal_set == "as_written");
  CHECK(robot.set_names() == std::vector<std::string>{"as_written"});
  CHECK(robot.FindSet("")->pi[ParameterLayout(1).Body(0)] == 2.0);
}

TEST_CASE("A robot.json gives sets, friction and limits") {
  const Robot robot = Load(RobotJson(
      GoodSets(R"(, "joints": {"shoulder": {"viscous_nms_rad": 1, "coulomb_nm": 2, "offset_nm": 3,
                                            "rotor_inertia_kgm2": 4}})"),
      R"("nominal_set": "good", "joints": {"shoulder": {"velocity_limit_rad_s": 5,
                                                         "acceleration_limit_rad_s2": 6}})"));
  CHECK(robot.FindSet("good")->pi.tail(4) == Eigen::Vector4d(1.0, 2.0, 3.0, 4.0));
  CHECK(robot.model.limits().velocity[0] == 5.0);
  CHECK(robot.model.limits().acceleration[0] == 6.0);
  InertialParameters arm;
  arm << 2.0, 0.2, 0.0, 0.0, 0.3, 0.0, 0.2 + 0.02, 0.0, 0.0, 0.1 + 0.02;
  CHECK((robot.FindSet("")->pi.segment<kInertialCount>(10) - arm).norm() < 1e-15);  // round-off
}

TEST_CASE("A robot.json of limits alone leaves the model file's own inertias") {
  const std::string limits = R"({"name": "swing", "title": "t", "model": "swing.xml",
      "joints": {"shoulder": {"velocity_limit_rad_s": 5}},
      "terms": [{"type": "stribeck", "joints": "shoulder"}]})";
  const Robot robot = Load(limits);
  CHECK(robot.model.limits().velocity[0] == 5.0);
  CHECK(robot.nominal_set == "as_written");
  CHECK(robot.set_names() == std::vector<std::string>{"as_written"});
  const Eigen::VectorXd& pi = robot.FindSet("")->pi;
  CHECK(pi.size() == ParameterLayout(robot.model).size());
  CHECK(pi[ParameterLayout(robot.model).Body(0)] == 2.0);
  CHECK(RobotJsonRefusal(R"({"name": "swing", "title": "t", "model": "swing.xml",
                             "nominal_set": "good"})") ==
        "robot.json: /sets: missing, but nominal_set is given\n"
        "  remove it to take the inertias of the model file");
}

TEST_CASE("A robot.json says which joints its motors drive, by default one each") {
  CHECK(HasMotorOnEachJoint(Load(RobotJson(GoodSets())).model));
  const Robot geared =
      Load(RobotJson(GoodSets(), R"("nominal_set": "good", "actuators": {"m": {"shoulder": -2}})"));
  CHECK(geared.model.actuation().names == std::vector<std::string>{"m"});
  CHECK(geared.model.actuation().B == Eigen::MatrixXd::Constant(1, 1, -2.0));
  CHECK(RobotJsonRefusal(RobotJson(
            GoodSets(), R"("nominal_set": "good", "actuators": {"m": {"sholder": 1}})")) ==
        "robot.json: /actuators/m/sholder: the model has no such joint\n"
        "  accepted here: shoulder\n"
        "  did you mean 'shoulder'?");
  for (const char* const actuators :
       {R"({})", R"({"m": {}})", R"({"m": {"shoulder": 1}, "n": {"shoulder": 2}})"}) {
    CAPTURE(actuators);
    CHECK(RobotJsonRefusal(RobotJson(
              GoodSets(), R"("nominal_set": "good", "actuators": )" + std::string(actuators))) ==
          "robot.json: /actuators: some motor drives no joint, or joints as others do\n"
          "  give each the joints that it drives, or leave this out for a motor on each joint");
  }
}

TEST_CASE("An unknown robot is refused with the nearest name") {
  CHECK(LoadError("baret_wam7") ==
        "baret_wam7: no such robot\n"
        "  accepted here: barrett_wam7, biped3, franka_panda, icub_right_arm, kuka_lwr4, "
        "kuka_lwr4_mdh, "
        "leg2, planar1, planar2, planar3, puma560, rods1, rods2, rods3, rods4, staubli_tx40, ur10\n"
        "  did you mean 'barrett_wam7'?\n"
        "  or the path of an MJCF (.xml) or URDF (.urdf) file");
}

TEST_CASE("A missing file is named") {
  CHECK(LoadError("nowhere/arm.urdf") ==
        "nowhere/arm.urdf: no such file\n  give the path of an MJCF or URDF file");
}

TEST_CASE("A catalogue that is not there says where it was sought") {
  const Catalogue catalogue("/nowhere");
  CHECK(RobotNames().empty());
  CHECK(LoadError("planar2") ==
        "planar2: no such robot\n"
        "  no robots in /nowhere (environment variable IDBENCH_ROBOTS)\n"
        "  or the path of an MJCF (.xml) or URDF (.urdf) file");
}

TEST_CASE("A robot.json that contradicts its model is refused, all contradictions at once") {
  CHECK(RobotJsonRefusal(RobotJson(R"({"good": {"source": "invented", "bodies": {
          "base": {"mass_kg": 3, "com_m": [0, 0, 0], "inertia_com_kgm2": [1, 1, 1, 0, 0, 0]},
          "amr": {"mass_kg": 2, "com_m": [0, 0, 0], "inertia_com_kgm2": [1, 1, 1, 0, 0, 0]}},
          "joints": {"shoulde": {"coulomb_nm": 1}}}})",
                                   R"("nominal_set": "god", "joints": {"elbow": {}})")) ==
        "robot.json: /joints/elbow: the model has no such joint\n"
        "  accepted here: shoulder\n"
        "robot.json: /sets/good/bodies/amr: the model has no such body\n"
        "  accepted here: base, arm\n"
        "  did you mean 'arm'?\n"
        "robot.json: /sets/good/bodies/arm: missing\n"
        "robot.json: /sets/good/joints/shoulde: the model has no such joint\n"
        "  accepted here: shoulder\n"
        "  did you mean 'shoulder'?\n"
        "robot.json: /nominal_set: got \"god\"\n"
        "  accepted here: good\n"
        "  did you mean 'good'?");
}

TEST_CASE("A robot.json with unknown or missing keys, or lists of another length, is refused") {
  CHECK(
      RobotJsonRefusal(RobotJson(GoodSets(), R"("nominal_sets": "good", "nominal_set": "good")")) ==
      "robot.json: /nominal_sets: unknown key\n"
      "  accepted here: name, title, model, nominal_set, joints, limits_source, "
      "kinematics_source, actuators, transmission, force_torque_sensors, terms, collision, log, "
      "sets\n"
      "  did you mean 'nominal_set'?");
  CHECK(RobotJsonRefusal(RobotJson(GoodSets(), R"("limits_source": "")")) ==
        "robot.json: /nominal_set: missing\n  needed here: Name of the set "
        "that the model file holds");
  CHECK(RobotJsonRefusal(RobotJson(R"({"good": {"source": "", "bodies": {"arm": {"mass_kg": 1,
          "com_m": [0, 0], "inertia_com_kgm2": [1, 1, 1]}}}})")) ==
        "robot.json: /sets/good/bodies/arm/com_m: needs three numbers\n"
        "robot.json: /sets/good/bodies/arm/inertia_com_kgm2: needs six numbers");
}

}  // namespace
}  // namespace idbench
