#include "bench/notes/exceeded_torques.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "bench/cell/prepared_cell.h"
#include "bench/small_run_test.h"
#include "robots/robot.h"

namespace idbench {
namespace {

Signals TorquesOf(const RobotModel& model, double fraction) {
  Signals clean;
  clean.time_s = Eigen::Vector2d(0.0, 0.1);
  clean[kJointTorque] = Eigen::MatrixXd::Zero(2, model.dofs());
  clean[kJointTorque](1, 1) = -fraction * model.limits().effort[1];
  return clean;
}

TEST_CASE("Torques beyond the limits that a design kept are told, with joint and amount") {
  const RobotModel model = LoadRobot("kuka_lwr4_mdh").model;
  ExcitingMotionOptions exciting;
  const auto note = [&](double fraction) {
    return ExceededTorqueNote(model, "a", exciting, TorquesOf(model, fraction));
  };
  CHECK(note(1.0).empty());
  CHECK(
      note(1.25).starts_with("torques of a go beyond the limits that its motion keeps on the "
                             "nominal robot: joint2 (220 of 176 N·m); "));
  exciting.torque_limits = false;
  CHECK(note(1.25).empty());
  CHECK(ExceededTorqueNote(model, "a", FourierOptions(), TorquesOf(model, 1.25)).empty());
}

TEST_CASE("A cell tells friction of the truth that takes a design beyond its torques") {
  Json json = ParseJson(R"({
    "name": "r", "robot": {"model": "kuka_lwr4_mdh", "truth": {"friction": {"coulomb_nm": 300}}},
    "control": {"type": "exact_replay"},
    "experiments": {"identification": {"motion": {"type": "exciting", "criterion": null,
      "duration_s": 1}}},
    "sensors": {"rate_hz": 100, "joint_torque": {"noise_std_nm": 0.1}},
    "problem": {"parametrisation": {"friction": ["viscous", "coulomb"]}}, "estimators": {"ols": {}}})",
                        "test");
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  const PreparedCell cell(loaded, loaded.cells.front(), rollouts);
  CHECK(std::ranges::any_of(cell.notes(), [](const std::string& note) {
    return note.starts_with("torques of identification go beyond the limits ");
  }));
}

}  // namespace
}  // namespace idbench
