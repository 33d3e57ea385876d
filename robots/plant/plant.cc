#include "robots/plant/plant.h"

#include <algorithm>
#include <cmath>

namespace idbench {

std::int64_t StepsPerHold(const Plant& plant, const Controller& controller) {
  return std::max<std::int64_t>(std::llround(controller.hold_s() / plant.step_s()), 1);
}

void RunExperiment(Plant& plant, Controller& controller, const Motion& motion,
                   const std::function<void(const TrueSample&)>& record) {
  const int n = plant.dofs();
  JointState desired = JointState::Zero(n);
  JointState feedback = JointState::Zero(n);
  TrueSample sample{0.0, JointState::Zero(n), Eigen::VectorXd::Zero(n)};
  Eigen::VectorXd tau = Eigen::VectorXd::Zero(n);

  motion.Evaluate(0.0, desired);
  plant.Reset(desired.q, desired.qd);
  const std::int64_t hold = StepsPerHold(plant, controller);
  const std::int64_t steps = std::llround(motion.duration_s() / plant.step_s());
  for (std::int64_t i = 0; i < steps; ++i) {
    if (i % hold == 0) {
      const double t = static_cast<double>(i) * plant.step_s();
      motion.Evaluate(t, desired);
      plant.Feedback(feedback);
      controller.Torque(t, desired, feedback, tau);
    }
    plant.Step(tau, sample);
    record(sample);
  }
}

}  // namespace idbench
