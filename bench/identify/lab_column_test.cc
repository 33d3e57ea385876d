#include "bench/identify/lab_column.h"

#include <doctest/doctest.h>

#include <string>

#include "robots/recording/channels.h"

namespace idbench {
namespace {

const std::vector<std::string> kJoints = {"shoulder_pan_joint", "elbow_joint", "panda_joint1"};

/// "joint_position 3 rad", with the joint's name in place of the number if there is one.
std::string ReadAs(const std::string& name) {
  const LabColumn column = ReadLabColumn(name, kJoints);
  std::string text(ChannelOf(column));
  if (column.source == ColumnSource::kMeasured) text += " measured";
  if (column.source == ColumnSource::kCommanded) text += " commanded";
  if (!column.joint.empty()) {
    text += " " + column.joint;
  } else if (column.number) {
    text += " " + std::to_string(*column.number);
  }
  if (column.unit) text += " " + std::string(column.unit->suffix);
  return column.rest.empty() ? text : text + " (" + column.rest + ")";
}

TEST_CASE("Names of columns are read as labs write them") {
  CHECK(ReadAs("q1") == "joint_position 1");
  CHECK(ReadAs("q_1") == "joint_position 1");
  CHECK(ReadAs("q[0]") == "joint_position 0");
  CHECK(ReadAs("qd3_rad_s") == "joint_velocity 3 rad_s");
  CHECK(ReadAs("ddq7") == "joint_acceleration 7");
  CHECK(ReadAs("tau_J4") == "joint_torque 4");
  CHECK(ReadAs("jointEffort5") == "joint_torque 5");
  CHECK(ReadAs("joint_pos_2") == "joint_position 2");
  CHECK(ReadAs("time") == "time");
  CHECK(ReadAs("t_ms") == "time ms");
  CHECK(ReadAs("timestamp [ns]") == "time ns");
  CHECK(ReadAs("secs") == "time s");
  CHECK(ReadAs("header.stamp.nanosec") == "time ns (header)");
  CHECK(ReadAs("current_3") == "motor_current 3");
}

TEST_CASE("Names in German and French are read") {
  CHECK(ReadAs("Achse3 Istwinkel [°]") == "joint_position 3 deg");
  CHECK(ReadAs("Winkel Achse 2 (Ist)") == "joint_position measured 2");
  CHECK(ReadAs("Achse3 Moment [Nm]") == "joint_torque 3 nm");
  CHECK(ReadAs("Drehmoment_4_soll") == "joint_torque commanded 4");
  CHECK(ReadAs("Zeit [ms]") == "time ms");
  CHECK(ReadAs("Motorstrom 5") == "motor_current 5");
  CHECK(ReadAs("couple_axe_2") == "joint_torque 2");
}

TEST_CASE("Units stand at the end of a name, or in brackets") {
  CHECK(ReadAs("Joint 2 Torque (Nm)") == "joint_torque 2 nm");
  CHECK(ReadAs("q1 [deg]") == "joint_position 1 deg");
  CHECK(ReadAs("vel_1(deg/s)") == "joint_velocity 1 deg_s");
  CHECK(ReadAs("q3_deg") == "joint_position 3 deg");
  CHECK(ReadAs("q1 [furlong]") == "joint_position 1 (furlong)");
}

TEST_CASE("A suffix that is no unit of the quantity is none") {
  CHECK(ReadAs("tau_m") == "motor_torque");
  CHECK(ReadAs("q1_nm") == "joint_position 1");
}

TEST_CASE("What was commanded is told from what was measured") {
  CHECK(ReadAs("q_d3") == "joint_position commanded 3");
  CHECK(ReadAs("tau_J_d[2]") == "joint_torque commanded 2");
  CHECK(ReadAs("target_q_0") == "joint_position commanded 0");
  CHECK(ReadAs("actual_qd_5") == "joint_velocity measured 5");
  CHECK(ReadAs("/controller/elbow_joint/reference/position_rad") ==
        "joint_position commanded elbow_joint rad (controller)");
}

TEST_CASE("Joints are known by the robot's names, the longest that fits") {
  CHECK(ReadAs("/joint_states/shoulder_pan_joint/effort_nm") ==
        "joint_torque shoulder_pan_joint nm");
  CHECK(ReadAs("elbow_joint_position") == "joint_position elbow_joint");
  CHECK(ReadAs("panda_joint1.velocity") == "joint_velocity panda_joint1");
  CHECK(ReadAs("motor_position_1") == "motor_position 1");
}

TEST_CASE("Other quantities of joints are none of these") {
  for (const char* name : {"q_error_1", "temperature1", "tau_ext_hat_1", "mode", "7"}) {
    CAPTURE(name);
    CHECK(ChannelOf(ReadLabColumn(name, kJoints)).empty());
  }
}

}  // namespace
}  // namespace idbench
