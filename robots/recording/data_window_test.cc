#include "robots/recording/data_window.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "scenarios/options/config_error.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

Channel MakeChannel(const char* name, const Eigen::VectorXd& time_s,
                    const Eigen::MatrixXd& samples) {
  Channel channel;
  channel.name = name;
  channel.time_s = time_s;
  channel.samples = samples;
  return channel;
}

/// 11 samples of positions from 2 s to 3 s, and torques half as often from 2.1 s on.
Dataset Recorded() {
  Dataset dataset("run", Role::kValidation);
  const Eigen::VectorXd time = Eigen::VectorXd::LinSpaced(11, 2.0, 3.0);
  dataset.Add(MakeChannel("joint_position", time, 10.0 * time));
  const Eigen::VectorXd later = Eigen::VectorXd::LinSpaced(5, 2.1, 2.9);
  dataset.Add(MakeChannel("joint_torque", later, later));
  return dataset;
}

std::vector<Issue> IssuesOf(const char* json) {
  DataWindowOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), ParseJson(json, "test"), "", issues);
  return issues;
}

TEST_CASE("Windows by fractions share no sample, and lose none") {
  const Dataset all = Recorded();
  const TimeSpan first = SpanOf(all, {.until_fraction = 0.7});
  const TimeSpan rest = SpanOf(all, {.from_fraction = 0.7});
  CHECK_FALSE(first.Overlaps(rest));
  const Dataset a = CutOut(all, first);
  const Dataset b = CutOut(all, rest);
  for (const char* channel : {"joint_position", "joint_torque"}) {
    CAPTURE(channel);
    const Eigen::VectorXd& whole = all.Get(channel).time_s;
    Eigen::VectorXd joined(a.Get(channel).time_s.size() + b.Get(channel).time_s.size());
    joined << a.Get(channel).time_s, b.Get(channel).time_s;
    CHECK(joined == whole);
    CHECK(a.Get(channel).samples.rows() == a.Get(channel).time_s.size());
  }
  CHECK(b.Get("joint_position").samples.bottomRows(1)(0, 0) == 30.0);
  CHECK(a.role() == Role::kValidation);
  CHECK(a.label() == "run");
}

TEST_CASE("A window in seconds is in the recording's own time") {
  const Dataset part = CutOut(Recorded(), SpanOf(Recorded(), {.from_s = 2.25, .until_s = 2.65}));
  CHECK(part.Get("joint_position").time_s.size() == 4);  // 2.3 … 2.6
  CHECK(part.Get("joint_torque").time_s[0] == doctest::Approx(2.3));
}

TEST_CASE("A window without samples is refused with what there is") {
  CHECK_THROWS_WITH_AS(CutOut(Recorded(), SpanOf(Recorded(), {.from_s = 5.0, .until_s = 6.0})),
                       doctest::Contains("run: /window: the channel 'joint_position' has 0 samples "
                                         "from 5 s to 6 s"),
                       ConfigError);
}

TEST_CASE("A window whose ends contradict each other is refused") {
  CHECK(IssuesOf(R"({"from_fraction": 0.1, "until_fraction": 0.9})").empty());
  CHECK(IssuesOf(R"({"from_fraction": 0.1, "from_s": 1})")[0].where == "/from_s");
  CHECK(IssuesOf(R"({"until_fraction": 0.1, "until_s": 1})")[0].where == "/until_s");
  CHECK(IssuesOf(R"({"from_fraction": 0.7, "until_fraction": 0.7})")[0].where == "/until_fraction");
  CHECK(IssuesOf(R"({"from_s": 3, "until_s": 2})")[0].where == "/until_s");
  CHECK(IssuesOf(R"({"from_fraction": 1.5})")[0].where == "/from_fraction");
}

TEST_CASE("A window of a recording in segments has what each of them holds of it") {
  const auto segment = [](double from_s) {
    Dataset dataset("run", Role::kValidation);
    const Eigen::VectorXd time = Eigen::VectorXd::LinSpaced(11, from_s, from_s + 1.0);
    dataset.Add(MakeChannel("joint_position", time, time));
    return dataset;
  };
  const std::vector<Dataset> segments = {segment(0.0), segment(4.0), segment(9.0)};
  // The gaps count: 10 s in all.
  const TimeSpan span = SpanOf(segments, {.from_fraction = 0.05, .until_fraction = 0.45});
  CHECK(span.from_s == doctest::Approx(0.5));
  CHECK(span.until_s == doctest::Approx(4.5));
  const std::vector<Dataset> parts = CutOut(segments, span);
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].Get("joint_position").time_s[0] == doctest::Approx(0.5));
  CHECK(parts[1].Get("joint_position").time_s.size() == 5);
  CHECK_THROWS_AS(CutOut(segments, {.from_s = 2.0, .until_s = 3.0}), ConfigError);
}

}  // namespace
}  // namespace idbench
