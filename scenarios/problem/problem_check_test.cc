#include "scenarios/problem/problem_check.h"

#include <doctest/doctest.h>

#include "robots/robot_file.h"
#include "scenarios/loaded_test.h"

namespace idbench {
namespace {

TEST_CASE("Bounds are two numbers, σ of the prior is declared in one way, reach needs a prior") {
  Json json = SmallSimulation();
  json["problem"]["parametrisation"]["bounds"] = {{"fv", {1.0, 0.0}}};
  json["problem"]["prior"]["relative_std"] = 0.5;
  json["problem"]["prior"]["std_of_bounds"] = 0.5;
  CHECK(LoadMessage(json) ==
        "test.json: /problem/parametrisation/bounds/fv: is not a lower and an upper bound\n"
        "  accepted here: a list of two numbers that increase\n"
        "test.json: /problem/prior/std_of_bounds: is given together with relative_std\n"
        "  give only one of them");
  json = SmallSimulation();
  json["control"]["model"] = "truth";
  json["problem"].erase("prior");
  json["problem"]["parametrisation"] = {{"first_moment_reach_m", 0.1}};
  CHECK(LoadMessage(json) ==
        "test.json: /problem/parametrisation/first_moment_reach_m: needs a prior\n"
        "  declare /problem/prior");
}

TEST_CASE("A planar Lagrangian needs a prior, and reads joint torques alone") {
  Json json = SmallSimulation();
  json["problem"] = {{"parametrisation", {{"type", "planar_lagrangian"}}},
                     {"equations", {"joint_torque", "base_wrench"}}};
  json["control"] = {{"type", "exact_replay"}};
  CHECK(LoadMessage(json) ==
        "test.json: /problem/parametrisation/type: needs a prior\n  declare /problem/prior\n"
        "test.json: /problem/equations/1: base_wrench needs standard parameters for its unknowns\n"
        "  accepted here: joint_torque");
}

TEST_CASE("An equation is a name, or an object that says which channel measures it") {
  Json json = SmallSimulation();
  json["problem"]["parametrisation"] = {{"type", "joint_state"}};
  json["problem"]["equations"] =
      Json::parse(R"(["joint_position", {"type": "joint_position", "mount": "joints",
                                         "channel": "hall_position"}])");
  json["estimators"] = {{"prior_only", Json::object()}};
  const LoadedScenario loaded = LoadSmall(json);
  CHECK((*loaded.expanded)["problem"]["equations"] == json["problem"]["equations"]);
  CHECK(LoadSmall(*loaded.expanded).expanded == loaded.expanded);

  json["problem"]["equations"][1]["channel"] = "joint_torque";
  CHECK(LoadMessage(json) ==
        "test.json: /problem/equations/1/channel: \"joint_torque\" does not measure "
        "joint_position\n"
        "  accepted here: joint_position, hall_position");
  json["problem"]["equations"][1].erase("mount");
  json["problem"]["equations"][1]["channel"] = "hall_position";
  CHECK(LoadSmall(json).expanded == loaded.expanded);
  json["problem"]["equations"][1] = {{"channel", "hall_position"}};
  CHECK(LoadMessage(json).starts_with("test.json: /problem/equations/1/type: missing"));
  json["problem"]["equations"] = Json::array();
  CHECK(LoadMessage(json) ==
        "test.json: /problem/equations: is empty\n"
        "  accepted here: joint_torque, base_wrench, wrench, end_effector_wrench, motor_torque, "
        "motor_current, motor_pwm, joint_position, joint_velocity");
}

TEST_CASE("A channel of the same form that reads another signal measures no such equation") {
  Json json = SmallSimulation();
  json["problem"]["equations"] =
      Json::parse(R"([{"type": "base_wrench", "channel": "end_effector_wrench"}])");
  CHECK(LoadMessage(json) ==
        "test.json: /problem/equations/0/channel: \"end_effector_wrench\" does not measure "
        "base_wrench\n"
        "  accepted here: base_wrench");
}

TEST_CASE("An equation has rows for the place of its kind alone") {
  Json json = SmallSimulation();
  json["problem"]["equations"] = Json::parse(R"([{"type": "joint_torque", "mount": "joints"}])");
  CHECK((*LoadSmall(json).expanded)["problem"]["equations"] == Json({"joint_torque"}));
  json["problem"]["equations"] = Json::parse(R"([{"type": "base_wrench", "mount": "hand"}])");
  CHECK(LoadMessage(json) ==
        "test.json: /problem/equations/0/mount: base_wrench has no rows for \"hand\"\n"
        "  accepted here: base");
}

TEST_CASE("The same equation twice is refused, in either spelling") {
  Json json = SmallSimulation();
  json["problem"]["equations"] =
      Json::parse(R"(["joint_torque", {"type": "joint_torque", "channel": "joint_torque"}])");
  CHECK(LoadMessage(json) ==
        "test.json: /problem/equations/1: is /problem/equations/0 again\n"
        "  remove it, or name another channel that measures it");
}

TEST_CASE("A measured row counts once, and unknowns of walkers take all") {
  Json json = SmallSimulation();
  json["problem"]["equations"] = Json::parse(
      R"([{"type": "joint_torque", "joints": "joint{1..2}"}, {"type": "joint_torque", "joints": "joint2"}])");
  CHECK(LoadMessage(json) ==
        "test.json: /problem/equations/1: has rows of /problem/equations/0 again: joint2\n"
        "  choose other rows, or name another channel that measures them");
  json["problem"]["equations"][1] = "joint_torque";
  CHECK(LoadMessage(json).starts_with(
      "test.json: /problem/equations/1: has rows of /problem/equations/0 again: joint1, joint2\n"));
  json["problem"]["equations"] = Json::parse(
      R"([{"type": "base_wrench", "components": "F{x,y}"}, {"type": "base_wrench", "components": "Fx, Mz"}])");
  CHECK(LoadMessage(json).starts_with(
      "test.json: /problem/equations/1: has rows of /problem/equations/0 again: Fx\n"));
  json = SmallSimulation();
  json["problem"]["parametrisation"] = {{"type", "planar_lagrangian"}};
  json["problem"]["equations"] = Json::parse(R"([{"type": "joint_torque", "joints": "joint1"}])");
  CHECK(LoadMessage(json).find("/problem/equations/0/joints: the unknowns of \"planar_lagrangian\" "
                               "take the rows of all joints\n  remove it") != std::string::npos);
}

TEST_CASE("Terms that only other rows hold are refused") {
  Json json = SmallSimulation();
  json["problem"]["equations"] = Json::parse(R"([{"type": "joint_torque", "joints": "joint1"}])");
  json["problem"]["terms"] = Json::parse(R"([{"type": "stribeck", "joints": "joint2"}])");
  CHECK(LoadMessage(json).starts_with("test.json: /problem/terms/0: joint2.fs is in no equation"));
}

TEST_CASE("Options without a meaning for the kind of unknowns are refused") {
  Json json = SmallSimulation();
  json["problem"]["parametrisation"] = {
      {"type", "log_cholesky"}, {"lower_prior_factor", 0.9}, {"first_moment_reach_m", 0.1}};
  const std::string cure =
      "\n  remove it: such a body is always physical; bounds of friction are in "
      "/problem/parametrisation/bounds";
  CHECK(LoadMessage(json) ==
        "test.json: /problem/parametrisation/lower_prior_factor: has no meaning for "
        "\"log_cholesky\"" +
            cure +
            "\ntest.json: /problem/parametrisation/first_moment_reach_m: has no meaning for "
            "\"log_cholesky\"" +
            cure);
  json["problem"]["parametrisation"] = {{"type", "joint_state"},
                                        {"friction", {"viscous"}},
                                        {"rotor_inertia", true},
                                        {"upper_prior_factor", 2}};
  json["problem"]["equations"] = {"joint_position"};
  json["problem"]["prior"]["relative_std"] = 0.5;
  const std::string known = "\n  remove it: the robot's own parameters are known, as the set says";
  CHECK(LoadMessage(json) ==
        "test.json: /problem/parametrisation/friction: has no meaning for \"joint_state\"" + known +
            "\ntest.json: /problem/parametrisation/rotor_inertia: has no meaning for "
            "\"joint_state\"" +
            known +
            "\ntest.json: /problem/parametrisation/upper_prior_factor: has no meaning for "
            "\"joint_state\"\n  name bounds of q and qd in /problem/parametrisation/bounds\n"
            "test.json: /problem/prior/relative_std: has no meaning for \"joint_state\": a prior "
            "state is 0, and so would be its σ\n"
            "  name bounds of q and qd in /problem/parametrisation/bounds, and set "
            "/problem/prior/std_of_bounds");
}

TEST_CASE("Factors of unknowns that are no amounts are refused") {
  Json json = SmallSimulation();
  json["problem"]["parametrisation"] = {{"type", "log_cholesky"}};
  json["problem"]["prior"] = {{"unknown_scale", {1.3, 0.7}}};
  CHECK(LoadMessage(json) ==
        "test.json: /problem/prior/unknown_scale: has no meaning for \"log_cholesky\"\n"
        "  remove it: a factor does not scale such unknowns");
}

TEST_CASE("Unknowns that are a state and equations that read it stand together") {
  Json json = SmallSimulation();
  json["problem"]["equations"] = {"joint_torque", "joint_velocity"};
  CHECK(LoadMessage(json) ==
        "test.json: /problem/equations/1: joint_velocity needs the parametrisation "
        "\"joint_state\"\n"
        "  accepted here: joint_torque, base_wrench, motor_torque, motor_current, motor_pwm");
  json = SmallSimulation();
  json["problem"]["parametrisation"] = {{"type", "joint_state"}};
  CHECK(LoadMessage(json).starts_with(
      "test.json: /problem/equations/0: joint_torque needs unknowns of the equations of motion\n"
      "  accepted here: joint_position, joint_velocity"));
}

/// SmallSimulation() whose unknowns are a payload.
Json WithPayload() {
  Json json = SmallSimulation();
  json["problem"]["parametrisation"] = Json::parse(
      R"({"type": "payload", "payload": {"mass_bounds_kg": [0, 4], "moment_bounds_kgm2": [0, 0.2]}})");
  return json;
}

TEST_CASE("A payload needs a link, bounds and a set, and takes nothing that is the robot's") {
  CHECK(LoadMessage(WithPayload()).empty());
  Json json = WithPayload();
  json["problem"]["parametrisation"]["payload"]["link"] = "link3";
  CHECK(LoadMessage(json) ==
        "test.json: /problem/parametrisation/payload/link: no such link: \"link3\"\n"
        "  accepted here: link1, link2\n  did you mean 'link1'?");
  json["problem"]["parametrisation"]["payload"] = {
      {"com_m", {1}}, {"mass_bounds_kg", {4}}, {"moment_bounds_kgm2", {0.2, 0.2}}};
  CHECK(LoadMessage(json) ==
        "test.json: /problem/parametrisation/payload/com_m: got a list of 1\n"
        "  accepted here: x, y, z\n"
        "test.json: /problem/parametrisation/payload/mass_bounds_kg: got a list of 1\n"
        "  accepted here: the lower bound and the upper one\n"
        "test.json: /problem/parametrisation/payload/moment_bounds_kgm2: 0.2 is not below 0.2\n"
        "  accepted here: the lower bound and the upper one");
  json = WithPayload();
  json["problem"]["parametrisation"].update({{"friction", {"viscous"}},
                                             {"rotor_inertia", true},
                                             {"upper_prior_factor", 2},
                                             {"first_moment_reach_m", 0.1}});
  CHECK(LoadMessage(json) ==
        "test.json: /problem/parametrisation/friction: has no meaning for \"payload\"\n"
        "  remove it: the robot's own parameters are known, as the set says\n"
        "test.json: /problem/parametrisation/rotor_inertia: has no meaning for \"payload\"\n"
        "  remove it: the robot's own parameters are known, as the set says\n"
        "test.json: /problem/parametrisation/upper_prior_factor: has no meaning for \"payload\"\n"
        "  bounds of a payload are in /problem/parametrisation/payload\n"
        "test.json: /problem/parametrisation/first_moment_reach_m: has no meaning for \"payload\"\n"
        "  bounds of a payload are in /problem/parametrisation/payload");
  json = WithPayload();
  json["problem"]["parametrisation"]["type"] = "standard";
  CHECK(LoadMessage(json) ==
        "test.json: /problem/parametrisation/payload: has no meaning for \"standard\"\n"
        "  remove it, or set /problem/parametrisation/type to \"payload\"");
  json["problem"]["parametrisation"] = {{"type", "payload"}};
  json["problem"].erase("prior");
  json["control"] = {{"type", "exact_replay"}};
  CHECK(LoadMessage(json) ==
        "test.json: /problem/parametrisation/type: needs a prior\n  declare /problem/prior\n"
        "test.json: /problem/parametrisation/payload: missing\n"
        "  declare the link that carries the payload, and the bounds of its mass and moments");
}

TEST_CASE("Widths of Coulomb friction are one number, or one of each joint of an arm") {
  Json json = SmallSimulation();
  const auto message = [&json](std::vector<double> widths) {
    json["problem"]["parametrisation"]["coulomb_width_rad_s"] = std::move(widths);
    return LoadMessage(json);
  };
  CHECK(message({0.1, 0.1, 0.1}) ==
        "test.json: /problem/parametrisation/coulomb_width_rad_s: got a list of 3, the robot has 2 "
        "joints\n  accepted here: one number for all joints, or one for each");
  CHECK(message({0.1, -0.1}).find("coulomb_width_rad_s") != std::string::npos);
  CHECK(message({0.1, 0.2}).empty());
  const ParametrisationOptions options = LoadSmall(json).scenario.problem.parametrisation;
  CHECK(options.friction_shape() == FrictionShape{.own_widths_rad_s = {0.1, 0.2}});
  json["problem"]["parametrisation"] = {{"type", "planar_lagrangian"}};
  json["control"] = {{"type", "exact_replay"}};
  json["estimators"] = {{"prior_only", Json::object()}};
  CHECK(message({0.1, 0.2}).find("got a list\n  accepted for a planar Lagrangian: one number") !=
        std::string::npos);
}

TEST_CASE("Friction of motors has no width of a joint") {
  RobotModel model = LoadRobot("planar2").model;
  CHECK(FrictionOfNoSingleJoint(model) == nullptr);
  const Term of_joint{
      .name = "joint1.fs", .unit = "N·m", .shape = TermShape::kStribeck, .shares = {{0}}};
  const Term of_motor{
      .name = "motor.fc", .unit = "N·m", .shape = TermShape::kCoulomb, .shares = {{0}, {1}}};
  model.SetTerms({of_joint});
  CHECK(FrictionOfNoSingleJoint(model) == nullptr);
  model.SetTerms({of_joint, of_motor});
  REQUIRE(FrictionOfNoSingleJoint(model) != nullptr);
  CHECK(FrictionOfNoSingleJoint(model)->name == "motor.fc");
}

TEST_CASE("A dead zone is one number or one for each joint, where friction is in the rows") {
  Json json = SmallSimulation();
  const auto message = [&json](const char* equations) {
    json["problem"]["equations"] = Json::parse(equations);
    return LoadMessage(json);
  };
  CHECK(message(R"([{"type": "joint_torque", "dead_zone_rad_s": [0.1, 0.1, 0.1]}])") ==
        "test.json: /problem/equations/0/dead_zone_rad_s: got a list of 3, the robot has 2 joints\n"
        "  accepted here: one number for all joints, or one for each");
  CHECK(message(R"(["joint_torque", {"type": "base_wrench", "dead_zone_rad_s": 0.1}])") ==
        "test.json: /problem/equations/1/dead_zone_rad_s: base_wrench holds no friction of joints\n"
        "  remove it; dead zones are for equations of the joints' torques");
  CHECK(message(R"([{"type": "joint_torque", "dead_zone_rad_s": -0.1}])")
            .starts_with("test.json: /problem/equations/0/dead_zone_rad_s: "));
  json = SmallSimulation();
  json["problem"]["parametrisation"] = {{"type", "planar_lagrangian"}};
  json["control"] = {{"type", "exact_replay"}};
  json["estimators"] = {{"prior_only", Json::object()}};
  CHECK(message(R"([{"type": "joint_torque", "dead_zone_rad_s": 0.1}])")
            .find("has no meaning for a planar Lagrangian: its methods use all samples") !=
        std::string::npos);
  json = SmallSimulation();
  CHECK(LoadSmall(json).scenario.problem.equations[0].has_dead_zone() == false);
  json["problem"]["equations"] = Json::parse(
      R"([{"type": "joint_torque", "dead_zone_rad_s": 0.1, "dead_zone_of": "sample"}])");
  const EquationOptions equation = LoadSmall(json).scenario.problem.equations[0];
  CHECK(equation.has_dead_zone());
  CHECK(equation.dead_zone_of == DeadZoneOf::kSample);
}

}  // namespace
}  // namespace idbench
