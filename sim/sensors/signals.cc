#include "sim/sensors/signals.h"

namespace idbench {
Eigen::MatrixXd& Signals::operator[](std::string_view channel) {
  return signals_[ChannelNamed(channel).signal];
}

const Eigen::MatrixXd& Signals::operator[](std::string_view channel) const {
  return signals_[ChannelNamed(channel).signal];
}

}  // namespace idbench
