#include "scenarios/supplies.h"

#include <doctest/doctest.h>

#include "robots/temporary_folder_test.h"
#include "scenarios/drawn_as_declared.h"
#include "scenarios/loaded_test.h"
#include "scenarios/problem/parametrisations.h"

namespace idbench {
namespace {

/// What SmallSimulation() with `change` supplies.
Supplies SuppliedWith(const Json& change, const char* experiment = "") {
  Json json = SmallSimulation();
  json.merge_patch(change);
  const LoadedScenario loaded = LoadSmall(json);
  return SuppliedBy(loaded.scenario, loaded.robot, experiment);
}

TEST_CASE("A simulation supplies truth, what it measures, and what its unknowns do") {
  using enum Capability;
  const Supplies supplies = SuppliedWith(Json::object());
  CHECK(supplies.supplied() ==
        (KindNamed("base").supplies | Capabilities{kTruth, kTrueUnknowns, kPrior, kSigmaOfAll,
                                                   kSigmaOfBodies, kMeasuredTorque, kTorqueSigma,
                                                   kMeasuredPositions, kStepByStep, kDesiredMotion,
                                                   kMotorPerJoint}));
  CHECK(supplies.Unmet({kSixJoints}).front().needed == "needs at least 6 joints, planar2 has 2");
  CHECK(supplies.Unmet({kDrawnAsDeclared}).front().absent == kNotDrawnAsDeclared);
}

TEST_CASE("Each part of a scenario supplies what it declares, and nothing without it") {
  using enum Capability;
  const auto check = [](Capability capability, const char* change) {
    CAPTURE(change);
    CHECK(SuppliedWith(Json::parse(change)).Has(capability) !=
          SuppliedWith(Json::object()).Has(capability));
  };
  check(kPrior, R"({"problem": {"prior": null}, "control": {"type": "exact_replay"}})");
  check(kPriorCovariance, R"({"problem": {"prior": {"relative_std": 0.1}}})");
  check(kPriorCovariance, R"({"problem": {"prior": {"std_of_bounds": 1}}})");
  check(kBounds, R"({"problem": {"parametrisation": {"lower_prior_factor": 0.5}}})");
  check(kTorqueSigma, R"({"sensors": {"joint_torque": {"noise_std_nm": 0}}})");
  check(kMeasuredTorque, R"({"problem": {"equations": ["base_wrench"]}, "sensors": {"joint_torque":
    {"origin": "absent", "noise_std_nm": 0}, "base_wrench": {"origin": "measured"}}})");
  check(
      kTrueUnknowns,
      R"({"experiments": {"identification": {"events": [{"type": "attach", "at_s": 1, "mass_kg": 1}]}}})");
  check(kMeasuredPositions, R"({"sensors": {"joint_position": {"origin": "oracle"}}})");
  check(kStepByStep, R"({"control": {"type": "exact_replay"}})");
  check(kSixJoints, R"({"robot": {"model": "puma560"}})");
  check(kImu, R"({"robot": {"imu": {"link": "link1"}}})");
  check(kDistanceMeter, R"({"robot": {"distance_meter": {"link": "link1"}}})");
  check(kWindows, R"({"problem": {"parametrisation": {"type": "standard"}},
                      "windows": {"w": {"until_s": 1, "unknowns": ["link1.m"]}}})");
  check(kDesiredMotion, R"({"experiments": {"identification": {"release": {"duration_s": 1}}}})");
  check(kStaged, R"({"experiments": {"following": {"role": "application",
    "motion": {"type": "fourier"}, "control": {"type": "computed_torque", "model": "estimate"}}}})");
  check(kUnknownGains, R"({"problem": {"terms": [{"type": "gain", "motors": "joint1"}],
    "equations": ["joint_torque", "motor_pwm"], "prior": {"terms": {"joint2.gain": 2}}},
    "sensors": {"motor_pwm": {"origin": "measured"}}})");
  check(kDriveRows, R"({"problem": {"equations": ["joint_torque", "motor_current"],
    "prior": {"terms": {"joint1.gain": 2, "joint2.gain": 2}}},
    "sensors": {"motor_current": {"origin": "measured"}}})");
  check(kMeasuredColumns, R"({"problem": {"terms": [{"type": "gain", "motors": "joint1"}],
    "equations": ["joint_torque", "motor_pwm"], "prior": {"terms": {"joint2.gain": 2}}},
    "sensors": {"motor_pwm": {"origin": "measured"}}})");
  check(kDutyCycleRows, R"({"problem": {"equations": ["joint_torque", "motor_pwm"],
    "prior": {"terms": {"joint1.gain": 2, "joint2.gain": 2}}},
    "sensors": {"motor_pwm": {"origin": "measured"}}})");
  check(kCutRows, R"({"robot": {"force_torque_sensors": {"ft": {"link": "link2", "link_side":
    "distal"}}}, "problem": {"equations": ["joint_torque", {"type": "wrench", "mount": "ft"}]},
    "sensors": {"wrench": {"ft": {}}}})");
  check(kSingleLinks, R"({"problem": {"parametrisation": {"type": "standard"}}})");
}

TEST_CASE("A prior that knows nothing of something supplies no σ of it") {
  const auto supplied = [](const char* of) {
    Json json = SmallSimulation();
    json["problem"]["prior"]["relative_std"] = 0.1;
    json["problem"]["prior"]["std"][of] = nullptr;
    const LoadedScenario loaded = LoadSmall(json);
    return SuppliedBy(loaded.scenario, loaded.robot);
  };
  for (const char* of : {"body", "link1", "m", "link2.mcx", "fv", "joint1.fc"}) {
    CAPTURE(std::string(of));
    CHECK(!supplied(of).Has(Capability::kSigmaOfAll));
    const bool of_joint = std::string(of) == "fv" || std::string(of) == "joint1.fc";
    CHECK(supplied(of).Has(Capability::kSigmaOfBodies) == of_joint);
    CHECK(supplied(of).Has(Capability::kPriorCovariance));
  }
}

TEST_CASE("An experiment with open-loop torque supplies its replay, and no other does") {
  const Json change = Json::parse(R"({"experiments": {"replay": {"role": "validation",
    "control": {"type": "torque_replay", "q_rad": [0, 0], "duration_s": 1,
                "actuators": {"joint1": {"amplitude_nm": [1], "frequency_hz": [1]}}}}}})");
  const Capability replay = Capability::kTorqueReplay;
  CHECK(SuppliedWith(change).Has(replay));
  CHECK(SuppliedWith(change, "replay").Has(replay));
  CHECK(!SuppliedWith(change, "identification").Has(replay));
}

TEST_CASE("A recording supplies no truth, and σ where it declares one") {
  using enum Capability;
  const TemporaryFolder folder;
  Json json = SmallRecording(folder);
  const LoadedScenario plain = LoadSmall(json);
  CHECK(SuppliedBy(plain.scenario, plain.robot).supplied() ==
        (KindNamed("base").supplies |
         Capabilities{kSigmaOfAll, kSigmaOfBodies, kMeasuredTorque, kMotorPerJoint}));
  json["recording"]["declared_sigma"] = {{"joint_torque_nm", 0.5}};
  const LoadedScenario declared = LoadSmall(json);
  CHECK(SuppliedBy(declared.scenario, declared.robot).supplied() ==
        (KindNamed("base").supplies |
         Capabilities{kSigmaOfAll, kSigmaOfBodies, kMeasuredTorque, kTorqueSigma, kMotorPerJoint}));
}

}  // namespace
}  // namespace idbench
