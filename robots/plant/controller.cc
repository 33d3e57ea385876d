#include "robots/plant/controller.h"

#include <algorithm>
#include <cmath>

namespace idbench {

HeldControl::HeldControl(Controller& controller, const Motion& motion, int dofs, double step_s)
    : controller_(controller),
      motion_(motion),
      step_s_(step_s),
      steps_(std::llround(motion.duration_s() / step_s)),
      steps_per_hold_(std::max<std::int64_t>(std::llround(controller.hold_s() / step_s), 1)),
      desired_(JointState::Zero(dofs)),
      command_(Command::Zero(dofs)) {}

const JointState& HeldControl::DesiredAt(std::int64_t step) {
  motion_.Evaluate(static_cast<double>(step) * step_s_, desired_);
  return desired_;
}

}  // namespace idbench
