#include "robots/recording/segments.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

namespace idbench {
namespace {

/// Stamps of stretches that are sampled at 100 Hz, each from its first stamp [s].
Eigen::VectorXd Stamps(std::initializer_list<std::pair<double, int>> stretches) {
  std::vector<double> stamps;
  for (const auto& [from_s, count] : stretches) {
    for (int i = 0; i < count; ++i) stamps.push_back(from_s + 0.01 * i);
  }
  return Eigen::Map<Eigen::VectorXd>(stamps.data(), std::ssize(stamps));
}

/// A channel whose samples are their number.
Channel Numbered(const char* name, const Eigen::VectorXd& time_s) {
  Channel channel;
  channel.name = name;
  channel.time_s = time_s;
  channel.samples = Eigen::VectorXd::LinSpaced(time_s.size(), 0.0, double(time_s.size() - 1));
  return channel;
}

TEST_CASE("A step of more than so many median steps is a break, and one that is shorter is none") {
  // Steps at the gaps: 0.11 s and 0.1 s, eleven and ten usual ones.
  const Eigen::VectorXd time = Stamps({{0.0, 1001}, {10.11, 1001}, {20.21, 1001}});
  const std::vector<TimeBreak> breaks = FindBreaks(time, 10.5);
  REQUIRE(breaks.size() == 1);
  CHECK(breaks[0].after == 1000);
  CHECK(breaks[0].Describe() == "a gap of 0.11 s at t = 10 s");
  CHECK_FALSE(breaks[0].restarts());
  CHECK(FindBreaks(time, 9.5).size() == 2);
  CHECK(FindBreaks(time, 11.5).empty());
}

TEST_CASE("Time that jumps back is a break, and rows out of order are none") {
  const std::vector<TimeBreak> breaks = FindBreaks(Stamps({{0.0, 100}, {0.0, 100}}), 10.0);
  REQUIRE(breaks.size() == 1);
  CHECK(breaks[0].restarts());
  CHECK(breaks[0].Describe() == "time jumps back from 0.99 s to 0 s");
  CHECK(FindBreaks(Stamps({{0.0, 100}, {0.92, 100}}), 10.0).empty());
}

TEST_CASE("Stamps that come in bursts have no gaps between the bursts") {
  Eigen::VectorXd time(300);
  for (int i = 0; i < 300; ++i) {
    const int burst = i / 3;
    time[i] = 0.02 * burst + 1e-5 * (i % 3);
  }
  CHECK(FindBreaks(time, 10.0).empty());
}

TEST_CASE("Too few stamps have no breaks") {
  CHECK(FindBreaks(Eigen::VectorXd(), 10.0).empty());
  CHECK(FindBreaks(Eigen::VectorXd::Constant(1, 3.0), 10.0).empty());
  CHECK(FindBreaks(Eigen::Vector2d(3.0, 1.0), 10.0).empty());  // no step forward to compare with
}

TEST_CASE("A gap in one channel splits all, and nothing is lost but what lies in it") {
  const Channel whole = Numbered("joint_position", Stamps({{0.0, 301}}));
  const Channel torn = Numbered("joint_torque", Stamps({{0.005, 100}, {2.005, 100}}));
  const Segments split = SplitAtBreaks({whole, torn}, 10.0);
  REQUIRE(split.parts.size() == 2);
  REQUIRE(split.breaks.size() == 1);
  CHECK(split.dropped.empty());
  CHECK(split.parts[0][1].samples.rows() == 100);
  CHECK(split.parts[1][1].samples(0, 0) == 100.0);
  // The gap is from 0.995 s to 2.005 s.
  CHECK(split.parts[0][0].time_s.size() == 100);
  CHECK(split.parts[1][0].time_s[0] == doctest::Approx(2.01));
  CHECK(split.parts[1][0].samples(0, 0) == 201.0);
  CHECK(split.parts[1][0].time_s.size() == 100);
}

TEST_CASE("Channels without a break stay as they are, each with its own time") {
  const Channel a = Numbered("joint_position", Stamps({{0.0, 100}}));
  const Channel b = Numbered("joint_torque", Stamps({{0.5, 100}}));
  const Segments split = SplitAtBreaks({a, b}, 10.0);
  REQUIRE(split.parts.size() == 1);
  CHECK(split.parts[0][0].time_s == a.time_s);
  CHECK(split.parts[0][1].samples == b.samples);
  CHECK(split.breaks.empty());
}

TEST_CASE("Starts pair over channels, and each pass has gaps of its own") {
  const Channel a = Numbered("joint_position", Stamps({{0.0, 100}, {3.0, 100}, {0.0, 100}}));
  const Channel b = Numbered("joint_torque", Stamps({{0.0, 500}, {0.0, 90}}));
  const Segments split = SplitAtBreaks({a, b}, 10.0);
  REQUIRE(split.parts.size() == 3);
  CHECK(split.breaks.size() == 2);
  CHECK(split.parts[1][1].samples(0, 0) == 300.0);
  CHECK(split.parts[2][0].samples(0, 0) == 200.0);
  CHECK(split.parts[2][1].samples(0, 0) == 500.0);
  CHECK(split.parts[2][1].time_s[0] == 0.0);
  CHECK_THROWS_WITH_AS(
      SplitAtBreaks({a, Numbered("joint_torque", Stamps({{0.0, 500}}))}, 10.0),
      "the time of 'joint_position' jumps back 1 times, that of 'joint_torque' 0 times",
      std::invalid_argument);
}

TEST_CASE("A segment of one sample is dropped by name") {
  const Channel a = Numbered("joint_position", Stamps({{0.0, 100}, {3.0, 1}, {6.0, 100}}));
  const Segments split = SplitAtBreaks({a}, 10.0);
  CHECK(split.parts.size() == 2);
  REQUIRE(split.dropped.size() == 1);
  CHECK(split.dropped[0] == "the segment at 3 s: channel 'joint_position' has 1 sample");
}

TEST_CASE("The clock of an experiment runs on in gaps, and one after another where it restarts") {
  std::vector<Dataset> segments;
  for (const Eigen::VectorXd& time_s :
       {Stamps({{5.5, 51}}), Stamps({{8.0, 101}}), Stamps({{0.25, 101}})}) {
    segments.emplace_back("run", Role::kIdentification).Add(Numbered("joint_position", time_s));
  }
  SetClocks(segments, 5.0);
  CHECK(*segments[0].recorded == RecordedTime{5.0, 3.0});  // to the end of the gap
  CHECK(*segments[1].recorded == RecordedTime{8.0, 1.0});  // then time jumps back
  CHECK(*segments[2].recorded == RecordedTime{0.25, 1.0});
}

}  // namespace
}  // namespace idbench
