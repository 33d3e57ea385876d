#include "robots/plant/controller.h"

#include <algorithm>
#include <cmath>

namespace idbench {

HeldControl::HeldControl(Controller& controller, const Motion& motion, int dofs, double step_s)
    : controller_(controller),
      motion_(motion),
      step_s_(step_s),
      motion_steps_(std::llround(motion.duration_s() / step_s)),
      released_steps_(std::llround(controller.released_s() / step_s)),
      steps_per_hold_(std::max<std::int64_t>(std::llround(controller.hold_s() / step_s), 1)),
      desired_(JointState::Zero(dofs)),
      command_(Command::Zero(dofs)) {}

const JointState& HeldControl::Initial() {
  motion_.Evaluate(0.0, desired_);
  return desired_;
}

void HeldControl::Ask(std::int64_t step, const Reading& reading) {
  if (IsReleased(step)) return controller_.LetGo(reading, command_);
  motion_.Evaluate(static_cast<double>(step) * step_s_, desired_);
  controller_.Act(desired_, reading, command_);
}

}  // namespace idbench
