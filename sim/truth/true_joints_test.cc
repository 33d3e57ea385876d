#include "sim/truth/true_joints.h"

#include <doctest/doctest.h>

#include "robots/dynamics/parameters.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

struct Holder {
  TrueJointOptions joints;
};
FieldTable Visit(Holder& holder) {
  FieldTable table;
  AddFields(table, holder.joints);
  return table;
}

TrueJointOptions ReadJoints(const char* text) {
  Holder holder;
  std::vector<Issue> issues;
  ReadFields(Visit(holder), Json::parse(text), "", issues);
  CHECK(issues.empty());
  return holder.joints;
}

TEST_CASE("What is given replaces the set's values, joint by joint; what is not stays") {
  const ParameterLayout layout(2);
  Eigen::VectorXd pi = Eigen::VectorXd::LinSpaced(layout.size(), 1.0, layout.size());
  const Eigen::VectorXd before = pi;
  ReadJoints(R"({"friction": {"viscous_nms_rad": [0.1, 0.2], "offset_nm": -3},
           "rotor_inertia_kgm2": 0.5})")
      .ApplyTo(layout, pi);
  Eigen::VectorXd expected = before;
  for (int i = 0; i < 2; ++i) {
    expected[layout.Joint(i, JointParameter::kViscous)] = i == 0 ? 0.1 : 0.2;
    expected[layout.Joint(i, JointParameter::kOffset)] = -3.0;
    expected[layout.Joint(i, JointParameter::kRotorInertia)] = 0.5;
  }
  CHECK(pi == expected);
  TrueJointOptions().ApplyTo(layout, pi);
  CHECK(pi == expected);
}

TEST_CASE("Lists of another length than the robot's are refused") {
  const TrueJointOptions options = ReadJoints(R"({"friction": {"stribeck_excess_nm": [1, 2, 3]},
                                            "rotor_inertia_kgm2": [1, 2, 3]})");
  const std::vector<std::string> two = {"joint1", "joint2"};
  const auto issues = CheckTrueJoints(options, "/robot/truth", two, two);
  CHECK(ConfigError("s.json", issues).what() ==
        std::string("s.json: /robot/truth/friction/stribeck_excess_nm: got a list of 3\n"
                    "  accepted here: one number, or a list with one for each of joint1, joint2\n"
                    "s.json: /robot/truth/rotor_inertia_kgm2: got a list of 3\n"
                    "  accepted here: one number, or a list with one for each of joint1, joint2"));
  CHECK(CheckTrueJoints(options, "/robot/truth", {"a", "b", "c"}, two).empty());
}

TEST_CASE("Sines without periods, which are constants, are refused") {
  for (const char* json : {R"({"mismatch": {"cogging": {"periods_per_rev": 0}}})",
                           R"({"motor": {"ripple_periods_per_rev": [6, 0]}})"}) {
    Holder holder;
    std::vector<Issue> issues;
    ReadFields(Visit(holder), Json::parse(json), "", issues);
    REQUIRE(issues.size() == 1);
    CHECK(issues[0].where.find("periods_per_rev") != std::string::npos);
  }
}

TEST_CASE("Lists of motors have one number for each motor, whatever the number of joints") {
  const TrueJointOptions options = ReadJoints(R"({"motor": {"gear_ratio": [1, 2],
      "gear_efficiency": [1, 1], "torque_constant_nm_a": [1, 1], "ripple_fraction": [0, 0],
      "ripple_periods_per_rev": [6, 6], "resistance_ohm": [1, 2], "supply_voltage_v": [24, 24],
      "back_emf_constant_vs_rad": [0, 1], "gain_drift_per_min": [0, 0.1]}})");
  const std::vector<std::string> joints = {"a", "b", "c"};
  CHECK(CheckTrueJoints(options, "/robot/truth", joints, {"left", "right"}).empty());
  const auto issues = CheckTrueJoints(options, "/robot/truth", joints, joints);
  REQUIRE(issues.size() == 9);
  CHECK(issues[0].where == "/robot/truth/motor/gear_ratio");
  CHECK(issues[7].where == "/robot/truth/motor/back_emf_constant_vs_rad");
  CHECK(issues[8].where == "/robot/truth/motor/gain_drift_per_min");
  CHECK(issues[7].details[0] ==
        "accepted here: one number, or a list with one for each of a, b, c");
}

TEST_CASE("A mismatch is checked joint by joint") {
  const auto message = [](const char* text) -> std::string {
    return ConfigError("s.json", CheckTrueJoints(ReadJoints(text), "/robot/truth",
                                                 {"joint1", "joint2"}, {"m"}))
        .what();
  };
  CHECK(message(
            R"({"mismatch": {"frictionloss_nm": [1, 2, 3],
                                 "torque_resolution_nm": [1, 2, 3], "lugre": {"damping_nms_rad": [1, 2, 3]},
                                 "cogging": {"phase_rad": [1, 2, 3]}}})")
            .find("s.json: /robot/truth/mismatch/lugre/damping_nms_rad: got a list of 3\n") !=
        std::string::npos);
  CHECK(message(R"({"mismatch": {"torque_resolution_nm": [0.1, 0.1, 0.1]}})") ==
        "s.json: /robot/truth/mismatch/torque_resolution_nm: got a list of 3\n"
        "  accepted here: one number, or a list with one for each of joint1, joint2");
  CHECK(message(R"({"mismatch": {"cables": [{"joint": "joint3"}]}})") ==
        "s.json: /robot/truth/mismatch/cables/0/joint: the robot has no joint \"joint3\"\n"
        "  accepted here: joint1, joint2\n  did you mean 'joint1'?");
  CHECK(message(R"({"mismatch": {"lugre": {"coulomb_nm": [0, 1], "static_nm": [0, 0.5]}}})") ==
        "s.json: /robot/truth/mismatch/lugre: joint 'joint2' has static_nm 0.5 and coulomb_nm 1\n"
        "  accepted here: static_nm at least coulomb_nm, both above 0; or both 0");
}

TEST_CASE("Friction that grows with the load is refused where the load is not known") {
  const auto refusal = [](const char* json) {
    const std::vector<std::string> two = {"joint1", "joint2"};
    return std::string(
        ConfigError("s.json", CheckTrueJoints(ReadJoints(json), "/robot/truth", two, two)).what());
  };
  CHECK(refusal(R"({"friction": {"load_coefficient": [0, 0.003, 0]}})") ==
        "s.json: /robot/truth/friction/load_coefficient: got a list of 3\n"
        "  accepted here: one number, or a list with one for each of joint1, joint2");
  CHECK(refusal(R"({"friction": {"load_coefficient": 0.003},
                    "mismatch": {"frictionloss_nm": 1}})") ==
        "s.json: /robot/truth/friction/load_coefficient: cannot be combined with "
        "frictionloss_nm, a constraint of MuJoCo, of whose torque the load is not known\n"
        "  declare /robot/truth/friction/coulomb_nm in place of frictionloss_nm");
  CHECK(refusal(R"({"friction": {"load_coefficient": [0, 0.5]},
                    "mismatch": {"friction_warm_up": {"fraction": 1.5}}})") ==
        "s.json: /robot/truth/friction/load_coefficient: is 0.5 where friction warms up to 2.5 "
        "times its start: the joint would lock itself\n"
        "  accepted here: less than 0.4");
  CHECK(CheckTrueJoints(ReadJoints(R"({"friction": {"load_coefficient": 0.3},
                                       "mismatch": {"friction_warm_up": {"fraction": 1.5}}})"),
                        "/robot/truth", {"joint1"}, {"joint1"})
            .empty());
}

TEST_CASE("What no parameter of the model describes is named") {
  CHECK(BeyondModel(ReadJoints(R"({"friction": {"coulomb_nm": 2, "stribeck_velocity_rad_s": 1}})"))
            .empty());
  CHECK(BeyondModel(ReadJoints(R"({"friction": {"stribeck_excess_nm": [0, 0.1]}})")) ==
        std::vector<std::string>{"Stribeck friction"});
  CHECK(BeyondModel(ReadJoints(R"({"friction": {"load_coefficient": [0, 0.003]}})")) ==
        std::vector<std::string>{"friction that grows with the load"});
  CHECK(BeyondModel(
            ReadJoints(R"({"mismatch": {"frictionloss_nm": 1, "lugre": {}, "cogging": {}}})")) ==
        std::vector<std::string>{"MuJoCo's frictionloss", "LuGre friction", "cogging"});
  CHECK(BeyondModel(ReadJoints(R"({"mismatch": {"cogging": {"random_phase": "trial"}}})")) ==
        std::vector<std::string>{"cogging with phases of each trial"});
  CHECK(BeyondModel(ReadJoints(R"({"mismatch": {"cogging": {"random_phase": "cell"}}})")) ==
        std::vector<std::string>{"cogging with phases drawn once for all trials"});
  CHECK(BeyondModel(ReadJoints(
            R"({"mismatch": {"torque_resolution_nm": 0.1, "base_tilt_rad": [0, 0.01]}})")) ==
        std::vector<std::string>{"torques in steps", "a tilted base"});
  CHECK(BeyondModel(ReadJoints(R"({"mismatch": {"presliding_rad": 0.002,
                                   "cables": [{"joint": "joint1"}]}})")) ==
        std::vector<std::string>{"presliding of friction", "cables"});
  CHECK(BeyondModel(ReadJoints(R"({"mismatch": {"friction_warm_up": {"fraction": -0.3}}})")) ==
        std::vector<std::string>{"friction that warms up"});
  CHECK(BeyondModel(ReadJoints(R"({"mismatch": {"friction_warm_up": {"fraction": 0}}})")).empty());
}

TEST_CASE("What gains do not model is named where a channel shows it") {
  using Effects = std::vector<std::string>;
  const MotorOptions drifting = ReadJoints(R"({"motor": {"gain_drift_per_min": [0, -0.1]}})").motor;
  CHECK(BeyondGains(drifting, kMotorPwm) == Effects{"drive gains that drift"});
  CHECK(BeyondGains(drifting, "") == Effects{"drive gains that drift"});
  CHECK(BeyondGains(drifting, kMotorCurrent).empty());
  CHECK(BeyondGains(drifting, kMotorTorque).empty());
  CHECK(BeyondGains({}, kMotorPwm).empty());
}

}  // namespace
}  // namespace idbench
