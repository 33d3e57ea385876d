#include "robots/recording/channels.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace idbench {
namespace {

TEST_CASE("Each channel has a name and columns of its own, and reads a known signal") {
  std::set<std::string> names, columns;
  for (const ChannelInfo& channel : kChannels) {
    CAPTURE(std::string(channel.name));
    CHECK(names.emplace(channel.name).second);
    CHECK(columns.emplace(ColumnName(channel, 0)).second);
    CHECK(FindChannel(channel.name) == &channel);
    CHECK(&kChannels[IndexOf(channel)] == &channel);
    CHECK(ChannelNamed(channel.signal).signal == channel.signal);
    CHECK_FALSE(channel.doc.empty());
    CHECK_FALSE(channel.sensor.empty());
    CHECK_FALSE(channel.units[0].empty());
    CHECK_FALSE(channel.suffix.empty());
  }
}

TEST_CASE("Data have all channels but the truth") {
  CHECK(ChannelNamed(kExternalWrench).truth);
  CHECK(ComponentsOf(ChannelNamed(kExternalWrench)).size() == 6);
  CHECK(kDataChannels.size() == kChannels.size() - 1);
  for (const ChannelInfo& channel : kDataChannels) CHECK_FALSE(channel.truth);
  const std::vector<std::string_view> names = PerChannel<int>().names();
  CHECK(std::ranges::find(names, kExternalWrench) == names.end());
}

TEST_CASE("A second sensor of the joint positions reads their signal") {
  CHECK(ChannelNamed(kHallPosition).signal == kJointPosition);
  CHECK(ChannelNamed(kJointTorque).signal == kJointTorque);
}

TEST_CASE("Like a channel are those that read its signal at a place") {
  using Names = std::vector<std::string>;
  const ChannelInfo& position = ChannelNamed(kJointPosition);
  CHECK(ChannelsLike(position, kAtJoints) == Names{"joint_position", "hall_position"});
  CHECK(ChannelsLike(position, kAtMotors).empty());
  CHECK(ChannelsLike(ChannelNamed(kBaseWrench), kAtBase) == Names{"base_wrench"});
}

TEST_CASE("Columns are numbered, or named after the components of a wrench") {
  CHECK(ColumnName(ChannelNamed(kJointPosition), 0) == "q1_rad");
  CHECK(ColumnName(ChannelNamed(kAccelerometer), 2) == "acc3_m_s2");
  CHECK(ColumnName(ChannelNamed(kBaseWrench), 3) == "mx_nm");
  CHECK(ColumnName(ChannelNamed(kEndEffectorWrench), 0) == "end_effector_fx_n");
}

TEST_CASE("Components are those that no robot changes") {
  const auto components = [](std::string_view name) {
    const auto names = ComponentsOf(ChannelNamed(name));
    return std::vector<std::string_view>(names.begin(), names.end());
  };
  CHECK(components(kJointPosition).empty());
  CHECK(components(kActuatorTorque).empty());
  CHECK(components(kBaseWrench).size() == 6);
  CHECK(components(kGyroscope) == std::vector<std::string_view>{"x", "y", "z"});
  CHECK(components(kDistance) == std::vector<std::string_view>{"distance"});
  CHECK(PartOf(ChannelNamed(kJointPosition)) == "joint");
  CHECK(PartOf(ChannelNamed(kActuatorTorque)) == "motor");
  CHECK(PartOf(ChannelNamed(kDistance)) == "component");
}

TEST_CASE("A wrench is a channel at each cut, one for each name, of one kind") {
  const ChannelInfo& wrist = ChannelNamed("wrench/wrist_ft");
  CHECK(&wrist == &ChannelNamed(NameAt(kWrenchAtCut, "wrist_ft")));
  CHECK(&wrist != &ChannelNamed("wrench/ankle_ft"));
  CHECK(wrist.name == "wrench/wrist_ft");
  CHECK(wrist.signal == wrist.name);
  CHECK(wrist.mount == "wrist_ft");
  CHECK(wrist.kind == FindChannel(kWrenchAtCut));
  CHECK(!wrist.several);
  CHECK(IndexOf(wrist) == IndexOf(*wrist.kind));
  CHECK(ComponentsOf(wrist).size() == 6);
  CHECK(ColumnName(wrist, 1) == "wrench_wrist_ft_fy_n");
  CHECK(IsOfKind("wrench/wrist_ft", kWrenchAtCut));
  CHECK(!IsOfKind("wrench", kWrenchAtCut));
  CHECK(!IsOfKind("base_wrench", kWrenchAtCut));
  CHECK(ChannelsLike(*wrist.kind, "wrist_ft") == std::vector<std::string>{"wrench/wrist_ft"});
  CHECK(FindChannel("wrench/") == nullptr);
  CHECK(FindChannel("base_wrench/wrist_ft") == nullptr);
}

TEST_CASE("A value per channel keeps those of several places apart") {
  PerChannel<int> values;
  const PerChannel<int>& read = values;
  CHECK(read["wrench/a"] == 0);
  CHECK(read.names().size() == kDataChannels.size() - 1);  // without the kind itself
  values[kJointTorque] = 1;
  values["wrench/a"] = 2;
  values["wrench/b"] = 3;
  values["wrench/a"] += 10;
  CHECK(read[kJointTorque] == 1);
  CHECK(read["wrench/a"] == 12);
  CHECK(read["wrench/b"] == 3);
  CHECK(read["wrench/c"] == 0);
  CHECK(read.names().size() == kDataChannels.size() + 1);
  CHECK(read.PlacesOf(ChannelNamed(kWrenchAtCut)).size() == 2);
  CHECK_THROWS_AS(values["wrist"], std::invalid_argument);
}

TEST_CASE("A channel that is not known is refused by its name") {
  CHECK(FindChannel("joint_positions") == nullptr);
  CHECK_THROWS_WITH_AS(ChannelNamed("joint_positions"), "there is no channel 'joint_positions'",
                       std::invalid_argument);
}

}  // namespace
}  // namespace idbench
