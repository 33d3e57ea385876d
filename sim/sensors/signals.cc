#include "sim/sensors/signals.h"

namespace idbench {
namespace {

std::size_t PlaceOf(std::string_view channel) {
  return IndexOf(ChannelNamed(ChannelNamed(channel).signal));
}

}  // namespace

Eigen::MatrixXd& Signals::operator[](std::string_view channel) {
  return signals_[PlaceOf(channel)];
}

const Eigen::MatrixXd& Signals::operator[](std::string_view channel) const {
  return signals_[PlaceOf(channel)];
}

}  // namespace idbench
