#include "sim/simulated_robot.h"

#include <cstdint>

namespace idbench {

void RunExperiment(SimulatedRobot& robot, Controller& controller, FeedbackSource& feedback,
                   const Motion& motion, const std::function<void(const TrueSample&)>& record) {
  const int n = robot.dofs();
  HeldControl control(controller, motion, n, robot.step_s());
  JointState state = JointState::Zero(n);
  TrueSample sample{0.0, JointState::Zero(n), Eigen::VectorXd::Zero(n)};
  Reading reading;

  const JointState& initial = control.DesiredAt(0);
  robot.Reset(initial.q, initial.qd);
  feedback.Reset(initial.qd);
  for (std::int64_t step = 0; step < control.steps(); ++step) {
    if (control.IsAsked(step)) {
      control.DesiredAt(step);
      robot.State(state);
      reading.t = static_cast<double>(step) * robot.step_s();
      feedback.Read(state, reading);
      control.Ask(reading);
    }
    robot.Step(control.command().value, sample);
    record(sample);
  }
}

}  // namespace idbench
