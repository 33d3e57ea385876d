#include "scenarios/simulation_check.h"

#include <doctest/doctest.h>

#include "scenarios/loaded_test.h"

namespace idbench {
namespace {

TEST_CASE("Unknown sets and joints are answered with those that there are") {
  Json json = SmallSimulation();
  json["robot"]["truth"] = {{"set", "nominl"}};
  CHECK(LoadMessage(json) ==
        "test.json: /robot/truth/set: planar2 has no set \"nominl\"\n"
        "  accepted here: nominal\n  did you mean 'nominal'?");
  json = SmallSimulation();
  json["sensors"]["joint_torque"]["joints"] = {{"joint3", {{"noise_std_nm", 1}}}};
  CHECK(LoadMessage(json).find("test.json: /sensors/joint_torque/joints/joint3: ") == 0);
}

TEST_CASE("A walker takes no control that needs a motor on every joint") {
  Json json = SmallSimulation();
  json["robot"]["model"] = "biped3";
  json["experiments"]["identification"]["control"] = {{"type", "exact_replay"}};
  CHECK(
      LoadMessage(json).find("test.json: /experiments/identification/control: this control needs a "
                             "motor on every joint, but nothing drives q1\n") != std::string::npos);
}

TEST_CASE("The true joints are checked against the robot") {
  Json json = SmallSimulation();
  json["robot"]["truth"] =
      Json::parse(R"({"mass_scale": 1.1, "friction": {"coulomb_nm": [1, 2, 3]}})");
  CHECK(LoadMessage(json) ==
        "test.json: /robot/truth/friction/coulomb_nm: got a list of 3\n"
        "  accepted here: one number, or a list with one for each of joint1, joint2");
  json["robot"]["truth"]["friction"]["coulomb_nm"] = {1, 2};
  CHECK((*LoadSmall(json).expanded)["robot"]["truth"]["friction"]["coulomb_nm"] ==
        Json({1.0, 2.0}));
}

TEST_CASE("A mismatch with a state cannot be replayed exactly") {
  Json json = SmallSimulation();
  json["control"] = {{"type", "exact_replay"}};
  json["robot"]["truth"] = Json::parse(R"({"mismatch": {"frictionloss_nm": 1}})");
  CHECK(LoadMessage(json) ==
        "test.json: /robot/truth/mismatch: LuGre friction, frictionloss or torques in steps needs "
        "experiments that "
        "are simulated step by step\n"
        "  set /control/type to one other than \"exact_replay\"\n  or remove it");
}

TEST_CASE("Presliding and cables, functions of the way and of the pose, can be replayed exactly") {
  Json json = SmallSimulation();
  json["control"] = {{"type", "exact_replay"}};
  json["robot"]["force_torque_sensors"] = {{"ft", {{"link", "link2"}, {"link_side", "distal"}}}};
  json["robot"]["truth"] = Json::parse(R"({"mismatch": {"presliding_rad": 0.002, "cables": [
      {"joint": "joint2", "stiffness_nm_rad": 0.1, "rest_rad": 1},
      {"type": "wrench", "sensor": "ft", "component": "Fx", "amplitude_n_nm": 0.3,
       "angle": {"joint2": 2}}]}})");
  CHECK(LoadMessage(json).empty());
  json["robot"]["truth"]["mismatch"]["cables"][1]["sensor"] = "wrist";
  json["robot"]["truth"]["mismatch"]["cables"][0]["joint"] = "elbow";
  CHECK(LoadMessage(json) ==
        "test.json: /robot/truth/mismatch/cables/0/joint: the robot has no joint \"elbow\"\n"
        "  accepted here: joint1, joint2\n"
        "test.json: /robot/truth/mismatch/cables/1/sensor: the robot has no force/torque sensor "
        "\"wrist\"\n  accepted here: ft");
  json["robot"]["truth"] = Json::parse(R"({"mismatch": {"presliding_rad": -0.002}})");
  CHECK(LoadMessage(json) ==
        "test.json: /robot/truth/mismatch/presliding_rad: got -0.002\n"
        "  accepted here: a number, at least 0 [rad]");
}

TEST_CASE("Friction warms up by any fraction above -1 in some time, in exact replays too") {
  Json json = SmallSimulation();
  json["control"] = {{"type", "exact_replay"}};
  json["robot"]["truth"] = Json::parse(R"({"mismatch": {"friction_warm_up": {"fraction": 0.4}}})");
  CHECK(LoadMessage(json).empty());
  CHECK((*LoadSmall(json).expanded)["robot"]["truth"]["mismatch"]["friction_warm_up"] ==
        Json({{"fraction", 0.4}, {"time_s", 600.0}}));
  Json& mismatch = json["robot"]["truth"]["mismatch"];
  mismatch["friction_warm_up"] = {{"fraction", -1}, {"time_s", 0}};
  CHECK(LoadMessage(json) ==
        "test.json: /robot/truth/mismatch/friction_warm_up/fraction: got -1\n"
        "  accepted here: a number, greater than -1\n"
        "test.json: /robot/truth/mismatch/friction_warm_up/time_s: got 0\n"
        "  accepted here: a number, greater than 0 [s]");
  json["control"] = {{"type", "pd_gravity"}};
  mismatch = Json::parse(R"({"friction_warm_up": {"fraction": 0.4}, "frictionloss_nm": [0, 1]})");
  CHECK(LoadMessage(json) ==
        "test.json: /robot/truth/mismatch/friction_warm_up: cannot be combined with "
        "frictionloss_nm, a constraint of MuJoCo, which does not warm up\n"
        "  declare /robot/truth/friction/coulomb_nm in place of frictionloss_nm");
}

TEST_CASE("Gains of drives drift by at most all of a gain in a second") {
  Json json = SmallSimulation();
  json["robot"]["truth"] = Json::parse(R"({"motor": {"gain_drift_per_min": [-60, 0.01]}})");
  CHECK(LoadMessage(json).empty());
  json["robot"]["truth"]["motor"]["gain_drift_per_min"] = {-61, 0.01};
  CHECK(LoadMessage(json) ==
        "test.json: /robot/truth/motor/gain_drift_per_min/0: got -61\n"
        "  accepted here: a number, at least -60 and at most 60 [1/min]");
}

TEST_CASE("Implicit friction is refused where it cannot be, and explicit is the default") {
  CHECK((*LoadSmall(SmallSimulation()).expanded)["plant"]["friction_integration"] == "explicit");
  Json json = SmallSimulation();
  json["plant"] = {{"friction_integration", "implicit"}};
  CHECK(LoadMessage(json).empty());
  json["plant"]["integrator"] = "RK4";
  CHECK(LoadMessage(json) ==
        "test.json: /plant/friction_integration: implicit friction needs a semi-implicit step: "
        "integrator \"implicitfast\", \"Euler\" or \"discrete\", not \"RK4\"");
  json["plant"].erase("integrator");
  json["robot"]["truth"] = Json::parse(R"({"mismatch": {"frictionloss_nm": 1}})");
  CHECK(LoadMessage(json).starts_with(
      "test.json: /plant/friction_integration: MuJoCo's frictionloss, a constraint, cannot be"));
  json["plant"] = {{"friction_integration", "linear"}};
  CHECK(LoadMessage(json).find("accepted here: explicit, implicit") != std::string::npos);
}

TEST_CASE("Controls and motions that contradict robot or sensors are refused") {
  Json json = SmallSimulation();
  json["experiments"]["identification"]["motion"] = {
      {"type", "way_points"}, {"points_rad", {{0.0}}}, {"dwell_s", 1}};
  CHECK(LoadMessage(json) ==
        "test.json: /experiments/identification/motion/points_rad/0: got a list of 1\n"
        "  accepted here: one number for each of joint1, joint2");
  json = SmallSimulation();
  json["control"] = {{"type", "pd_gravity"}, {"feedback", "measured"}};
  json["sensors"]["joint_position"] = {{"origin", "oracle"}};
  CHECK(LoadMessage(json) ==
        "test.json: /control/feedback: \"measured\" needs measured joint positions; those "
        "here are oracle\n"
        "  set /sensors/joint_position/origin to \"measured\"\n"
        "  or set /control/feedback to \"true_state\"");
  json = SmallSimulation();
  json["experiments"]["identification"]["control"] = {{"type", "pd_gravity"}, {"rate_hz", 900}};
  CHECK(LoadMessage(json).find(
            "test.json: /experiments/identification/control/rate_hz: a rate of 900 "
            "Hz does not divide") == 0);
}

}  // namespace
}  // namespace idbench
