#include "sim/simulated_robot.h"

#include <fmt/format.h>

#include <cstdint>

#include "robots/plant/plant_error.h"

namespace idbench {
namespace {

[[noreturn]] void LetGoBefore(const PlantError& error, const Motion& motion) {
  throw PlantError(
      fmt::format("{}; the controller let go at {:.6g} s, and a shorter release ends before",
                  error.what(), motion.duration_s()));
}

}  // namespace

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
    } catch (const StopHit& error) {
      if (control.IsReleased(step)) LetGoBefore(error, motion);
      motion.Evaluate(static_cast<double>(step) * robot.step_s(), state);
      throw PlantError(
          fmt::format("{}; the motion is at {:.6g} there, and the controller did not hold it",
                      error.what(), state.q(error.joint())));
    } catch (const PlantError& error) {
      if (!control.IsReleased(step)) throw;
      LetGoBefore(error, motion);
    }
    record(sample);
  }
}

}  // namespace idbench
