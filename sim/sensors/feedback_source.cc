#include "sim/sensors/feedback_source.h"

#include "robots/recording/channels.h"

namespace idbench {

void TrueFeedback::Read(const JointState& state, Reading& reading) {
  ChannelReading& position = reading.At(kJointPosition);
  position.t = reading.t;
  position.value = state.q;
  ChannelReading& velocity = reading.At(kJointVelocity);
  velocity.t = reading.t;
  velocity.value = state.qd;
}

}  // namespace idbench
