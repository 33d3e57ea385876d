#pragma once

#include "robots/plant/motion.h"

namespace idbench {

/// For tests: where a motion of two joints is at time t [s].
inline JointState StateAt(const Motion& motion, double t) {
  JointState state = JointState::Zero(2);
  motion.Evaluate(t, state);
  return state;
}

}  // namespace idbench
