#include "hw/recording_check.h"

#include <doctest/doctest.h>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

RecordingOptions OfSevenJoints() {
  RecordingOptions options;
  options.columns[kTime] = "t_s";
  options.columns[kJointPosition] = "q{1..7}_rad";
  options.columns[kJointVelocity] = "qd{1..7}_rad_s";
  options.columns[kJointAcceleration] = "qdd{1..7}_rad_s2";
  options.columns[kJointTorque] = "tau{1..7}_nm";
  return options;
}

TEST_CASE("Each channel needs as many columns as the robot has joints") {
  CHECK(CheckDofs(OfSevenJoints(), 7).empty());
  const std::vector<Issue> issues = CheckDofs(OfSevenJoints(), 6);
  REQUIRE(issues.size() == 4);
  CHECK(issues[0].where == "/columns/joint_position");
  CHECK(issues[0].what == "names 7 columns, but the robot has 6 joints");
  CHECK(issues[0].details[0] == "one column per joint, in the order of the model, is accepted");
}

TEST_CASE("A base wrench is three forces and three moments, whatever the robot") {
  RecordingOptions options = OfSevenJoints();
  options.columns[kBaseWrench] = "f{x,y,z}_n, m{x,y,z}_nm";
  CHECK(CheckDofs(options, 7).empty());
  for (const char* bad : {"f{x,y,z}_n", "m{x,y,z}_nm, f{x,y,z}_n"}) {
    options.columns[kBaseWrench] = bad;
    const std::vector<Issue> issues = CheckDofs(options, 7);
    REQUIRE(issues.size() == 1);
    CHECK(issues[0].where == "/columns/base_wrench");
    CHECK(issues[0].what.ends_with("columns that are not a wrench"));
    CHECK(issues[0].details[0] ==
          "three forces, then three moments are accepted, as in f{x,y,z}_n, m{x,y,z}_nm");
  }
}

TEST_CASE("Wrenches at cuts are recorded by the names of their sensors") {
  const char* const text =
      R"({"root": ".", "columns": {"time": "t_s", "joint_position": "q{1..7}_rad",
      "wrench": {"elbow": "f{x,y,z}_n, m{x,y,z}_nm", "wrist": "w{1..6}"}},
    "derived": ["wrench"], "units": {"wrench": {"wrist": "n"}},
    "declared_sigma": {"wrench_n_nm": {"elbow": [1, 1, 2, 0.1, 0.1, 0.1]}}})";
  RecordingOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), ParseJson(text, "test"), "", issues);
  REQUIRE(issues.empty());
  CHECK(options.columns["wrench/wrist"] == "w{1..6}");
  CHECK((*options.declared_sigma["wrench/elbow"])[2] == 2.0);
  CHECK(ResolveColumns(options, issues).back().channel == "wrench/wrist");
  std::vector<Issue> found = CheckDofs(options, 7);
  REQUIRE(found.size() == 1);  // six forces are no wrench
  CHECK(found[0].where == "/columns/wrench/wrist");
  options.columns["wrench/wrist"].reset();
  CHECK(CheckDofs(options, 7).empty());
  CHECK(CheckPlaces(options, {"elbow"}).empty());
  found = CheckPlaces(options, {"knee"});
  REQUIRE(found.size() == 1);
  CHECK(found[0].where == "/columns/wrench/elbow");
  CHECK(found[0].what == "the robot has no force/torque sensor \"elbow\"");
  options.declared_sigma["wrench/wrist"] = PerJoint{{1}};
  found = CheckDofs(options, 7);
  REQUIRE(found.size() == 1);
  CHECK(found[0].where == "/declared_sigma/wrench_n_nm/wrist");
  const RecordingFiles files{.by_channel = {{"joint_position", "a"}, {"wrench/elbow", "b"}}};
  CHECK(CheckFiles(files, options).empty());
}

TEST_CASE("A walker's IMU has three axes, its distance meter one reading, its motors one each") {
  RecordingOptions options;
  options.columns[kTime] = "t_s";
  options.columns[kJointPosition] = "q{1..2}_rad";
  options.columns[kActuatorTorque] = "u1_nm";
  options.columns[kAccelerometer] = "acc{1..3}_m_s2";
  options.columns[kGyroscope] = "gyro{1..3}_rad_s";
  options.columns[kHallPosition] = "q_hall{1..2}_deg";
  options.columns[kDistance] = "distance1_mm";
  options.declared_sigma[kJointPosition] = PerJoint{{0.001, 0.0}};
  options.declared_sigma[kGyroscope] = PerJoint{{0.02}};
  CHECK(CheckDofs(options, 2, 1).empty());
  CHECK(CheckDofs(options, 2).empty());
  const std::vector<Issue> motors = CheckDofs(options, 2, 2);
  REQUIRE(motors.size() == 1);
  CHECK(motors[0].where == "/columns/actuator_torque");
  CHECK(motors[0].what == "names 1 columns, but the robot has 2 motors");
  CHECK(motors[0].details[0] ==
        "one column per motor, in the order of the robot's actuators, is accepted");
  options.columns[kGyroscope] = "gyro{1..2}_rad_s";
  options.columns[kDistance] = "distance{1..2}_mm";
  const std::vector<Issue> issues = CheckDofs(options, 2);
  REQUIRE(issues.size() == 2);
  CHECK(issues[0].where == "/columns/gyroscope");
  CHECK(issues[0].what == "names 2 columns, expected 3");
  CHECK(issues[0].details[0] == "those of the axes x, y and z of the link are accepted");
  CHECK(issues[1].where == "/columns/distance");
  CHECK(issues[1].what == "names 2 columns, expected 1");
  CHECK(issues[1].details[0] == "a single one is accepted");
}

TEST_CASE("A declared σ is positive, of a recorded channel, and one or as many as its columns") {
  RecordingOptions options = OfSevenJoints();
  options.declared_sigma[kJointTorque] = PerJoint{{1, 2, 3, 4, 5, 6, 7}};
  CHECK(CheckDofs(options, 7).empty());
  options.declared_sigma[kJointTorque] = PerJoint{{1, 2}};
  options.declared_sigma[kBaseWrench] = PerJoint{{1}};
  const std::vector<Issue> issues = CheckDofs(options, 7);
  REQUIRE(issues.size() == 2);
  CHECK(issues[0].where == "/declared_sigma/joint_torque_nm");
  CHECK(issues[0].what == "got a list of 2");
  CHECK(issues[0].details[0] == "accepted here: one number, or a list of 7");
  CHECK(issues[1].where == "/declared_sigma/base_wrench_n_nm");
  CHECK(issues[1].what == "belongs to a channel that is not recorded");
  RecordingSigma sigma;
  std::vector<Issue> found;
  ReadFields(Visit(sigma), ParseJson(R"({"joint_torque_nm": 0})", "test"), "", found);
  REQUIRE(found.size() == 1);
  CHECK(found[0].where == "/joint_torque_nm");
}

TEST_CASE("Factors and offsets are of a recorded channel, one or as many as its columns, none 0") {
  RecordingOptions options = OfSevenJoints();
  options.factors[kJointTorque] = PerJoint{{1, 2, 3, 4, 5, 6, -7}};
  options.offsets[kJointPosition] = PerJoint{{0.0}};
  CHECK(CheckDofs(options, 7).empty());
  options.factors[kJointTorque] = PerJoint{{1, 0}};
  options.offsets[kMotorCurrent] = PerJoint{{1}};
  const std::vector<Issue> issues = CheckDofs(options, 7);
  REQUIRE(issues.size() == 3);
  CHECK(issues[0].where == "/factors/joint_torque");
  CHECK(issues[0].what == "got a list of 2");
  CHECK(issues[1].where == "/offsets/motor_current");
  CHECK(issues[1].what == "belongs to a channel that is not recorded");
  CHECK(issues[2].what == "a factor of 0 leaves nothing");
}

}  // namespace
}  // namespace idbench
