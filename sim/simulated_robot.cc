#include "sim/simulated_robot.h"

#include <fmt/format.h>

#include <cstdint>

#include "robots/plant/plant_error.h"

namespace idbench {

void RunExperiment(SimulatedRobot& robot, Controller& controller, FeedbackSource& feedback,
                   const Motion& motion, const std::function<void(const TrueSample&)>& record) {
  const int n = robot.dofs();
  HeldControl control(controller, motion, n, robot.step_s());
  JointState state = JointState::Zero(n);
  TrueSample sample{0.0, JointState::Zero(n), Eigen::VectorXd::Zero(n)};
  Reading reading;

  const JointState& initial = control.Initial();
  robot.Reset(initial.q, initial.qd);
  feedback.Reset(initial.qd);
  for (std::int64_t step = 0; step < control.steps(); ++step) {
    if (control.IsAsked(step)) {
      robot.State(state);
      reading.t = static_cast<double>(step) * robot.step_s();
      feedback.Read(state, reading);
      control.Ask(step, reading);
    }
    try {
      robot.Step(control.command().value, sample);
    } catch (const PlantError& error) {
      if (!control.IsReleased(step)) throw;
      throw PlantError(
          fmt::format("{}; the controller let go at {:.6g} s, and a shorter release ends before",
                      error.what(), motion.duration_s()));
    }
    record(sample);
  }
}

}  // namespace idbench
