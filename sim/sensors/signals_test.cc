#include "sim/sensors/signals.h"

#include <doctest/doctest.h>

#include <stdexcept>

namespace idbench {
namespace {

TEST_CASE("Channels that measure the same share its signal, all others have their own") {
  Signals signals;
  for (std::size_t k = 0; k < kChannels.size(); ++k) {
    if (kChannels[k].signal == kChannels[k].name) {
      signals[kChannels[k].name] = Eigen::MatrixXd::Constant(1, 1, static_cast<double>(k));
    }
  }
  const Signals& read = signals;
  for (const ChannelInfo& channel : kChannels) {
    CAPTURE(channel.name);
    REQUIRE(read[channel.name].size() == 1);
    CHECK(read[channel.name](0, 0) == static_cast<double>(IndexOf(ChannelNamed(channel.signal))));
  }
  CHECK(&read[kHallPosition] == &read[kJointPosition]);
  CHECK_THROWS_AS(signals["no_such_channel"], std::invalid_argument);
}

}  // namespace
}  // namespace idbench
