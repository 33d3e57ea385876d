#include "scenarios/motion/controllers.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "robots/plant/rail_test.h"

namespace idbench {
namespace {

RobotModel RailRobot(double effort) {
  std::vector<Link> links(1);
  links[0].name = "carriage";
  links[0].joint = "rail";
  links[0].type = JointType::kPrismatic;
  const Eigen::VectorXd all = Eigen::VectorXd::Constant(1, std::numeric_limits<double>::infinity());
  return RobotModel("cart", "base", links, Eigen::Vector3d::Zero(),
                    {-all, all, all, all, Eigen::VectorXd::Constant(1, effort)});
}

/// Torque for an error of 1 m on the rail.
double TorqueOf(const ControlOptions& options, double effort) {
  const std::unique_ptr<Controller> controller =
      MakeController(options, RailRobot(effort), RailModel, Rest(1.0));
  JointState feedback = JointState::Zero(1);
  feedback.q(0) = -1.0;
  Command command = Command::Zero(1);
  controller->Act(JointState::Zero(1), ReadingOf(feedback), command);
  return command.value(0);
}

PdGravityOptions Stiff(bool effort_limits) {
  PdGravityOptions options{.loop = {.effort_limits = effort_limits}};
  options.kp_nm_rad = PerJoint{{100.0}};
  options.kd_nms_rad = PerJoint{{1.0}};
  return options;
}

std::string ControlIssues(const ControlOptions& options, double effort) {
  const std::vector<Issue> issues = CheckControl(options, RailRobot(effort), "/control");
  return issues.empty() ? "" : ConfigError("s.json", issues).what();
}

TEST_CASE("Each kind of control has its controller, exact replay and open-loop torque none") {
  CHECK(TorqueOf(Stiff(false), 10.0) == 103.0);
  const ComputedTorqueOptions computed{.natural_frequency_hz = 1.0};
  // τ = m·ω²·e + 3
  CHECK(TorqueOf(computed, 10.0) == doctest::Approx(2.0 * 39.4784176 + 3.0).epsilon(1e-8));
  CHECK(MakeController(ExactReplayOptions{}, RailRobot(10.0), RailModel, Rest(1.0)) == nullptr);
  CHECK(MakeController(TorqueReplayOptions{.q_rad = {0.0}, .qd_rad_s = {}}, RailRobot(10.0),
                       RailModel, Rest(1.0)) == nullptr);
  CHECK(LoopOf(ExactReplayOptions{}) == nullptr);
}

TEST_CASE("Torques are clipped at the effort limits where that is asked for") {
  CHECK(TorqueOf(Stiff(true), 10.0) == 10.0);
  CHECK(TorqueOf(Stiff(true), 1000.0) == 103.0);
  CHECK(TorqueOf(Stiff(true), std::numeric_limits<double>::infinity()) == 103.0);
  const std::unique_ptr<Controller> limited =
      MakeController(Stiff(true), RailRobot(1.0), RailModel, Rest(1.0));
  CHECK(limited->hold_s() == 1e-3);
  JointState feedback = JointState::Zero(1);
  feedback.q(0) = 1.0;
  Command command = Command::Zero(1);
  limited->Act(JointState::Zero(1), ReadingOf(feedback), command);
  CHECK(command.value(0) == -1.0);
}

TEST_CASE("A controller lets go of the robot where that is asked for, within its limits") {
  const auto released = [](const ControlOptions& options, double effort, ReleaseTorque torque) {
    const std::unique_ptr<Controller> controller = MakeController(
        options, RailRobot(effort), RailModel, Rest(1.0), ReleaseOptions{2.0, torque});
    CHECK(controller->released_s() == 2.0);
    Command command = Command::Zero(1);
    command.value(0) = 9.0;
    controller->LetGo(ReadingOf(JointState::Zero(1)), command);
    return command.value(0);
  };
  for (const ControlOptions& options :
       {ControlOptions(ComputedTorqueOptions{}), ControlOptions(Stiff(true))}) {
    CHECK(released(options, 10.0, ReleaseTorque::kNone) == 0.0);
    CHECK(released(options, 10.0, ReleaseTorque::kGravity) == 3.0);
  }
  CHECK(released(Stiff(true), 1.0, ReleaseTorque::kGravity) == 1.0);
  CHECK(MakeController(Stiff(true), RailRobot(1.0), RailModel, Rest(1.0))->released_s() == 0.0);
}

TEST_CASE("What has no controller cannot let go") {
  CHECK(CheckRelease(Stiff(false), "/release").empty());
  CHECK(CheckRelease(ComputedTorqueOptions{}, "/release").empty());
  const auto refused = [](const ControlOptions& options) {
    return std::string(ConfigError("s.json", CheckRelease(options, "/release")).what());
  };
  CHECK(
      refused(ExactReplayOptions{}) ==
      "s.json: /release: has no meaning with the control exact_replay, which has no controller to "
      "let go\n  remove it, or give the experiment a control with feedback: computed_torque, "
      "pd_gravity");
  CHECK(refused(TorqueReplayOptions{})
            .starts_with("s.json: /release: has no meaning with the control torque_replay, "));
}

TEST_CASE("Options that contradict the robot are refused") {
  CHECK(ControlIssues(Stiff(true), 10.0).empty());
  CHECK(ControlIssues(ExactReplayOptions{}, 10.0).empty());
  CHECK(ControlIssues(Stiff(true), std::numeric_limits<double>::infinity()) ==
        "s.json: /control/effort_limits: cart has no effort limits\n"
        "  add them to the robot, or set this to false");
  PdGravityOptions lists = Stiff(false);
  lists.kd_nms_rad = PerJoint{{1.0, 2.0}};
  CHECK(ControlIssues(lists, 10.0) ==
        "s.json: /control/kd_nms_rad: got a list of 2\n"
        "  accepted here: one number, or a list with one for each of rail");
}

TEST_CASE("A robot with a joint that nothing drives takes open-loop torque alone") {
  std::vector<Link> links(2);
  links[0].name = "leg";
  links[0].joint = "ankle";
  links[1].name = "torso";
  links[1].joint = "hip";
  links[1].parent = 0;
  const Eigen::VectorXd all = Eigen::VectorXd::Constant(2, std::numeric_limits<double>::infinity());
  RobotModel walker("walker", "base", links, Eigen::Vector3d(0.0, 0.0, -9.81),
                    {-all, all, all, all, all});
  walker.SetActuation({{"hip"}, Eigen::Vector2d(0.0, 1.0)});
  for (const ControlOptions& options :
       {ControlOptions(ComputedTorqueOptions{}), ControlOptions(PdGravityOptions{}),
        ControlOptions(ExactReplayOptions{})}) {
    const std::vector<Issue> issues = CheckControl(options, walker, "/control");
    REQUIRE(issues.size() == 1);
    CHECK(ConfigError("s.json", issues).what() ==
          std::string("s.json: /control: this control needs a motor on every joint, but nothing "
                      "drives ankle\n"
                      "  set it to {\"type\": \"torque_replay\", …}\n"
                      "  or hold what nothing drives: \"joints\" and \"held_at\" of /robot"));
  }
  const TorqueReplayOptions replay{.q_rad = {0.0, 0.0}, .qd_rad_s = {}};
  CHECK(CheckControl(replay, walker, "/control").empty());
}

}  // namespace
}  // namespace idbench
