#include "estimators/walkers/per_time.h"

#include <doctest/doctest.h>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

struct Options {
  Duration width = {.seconds = 0.05};
  Duration knot = {};
  CutOff half_power = {.hz = 12.5};
  LongestStep step = {.seconds = 0.005};

  FieldTable Fields() {
    FieldTable table;
    AddDuration(width, {.key = "width_s", .former = "width_samples", .doc = "Width"}, table);
    AddDuration(knot,
                {.key = "knot_s", .former = "knot_samples", .doc = "Knot", .may_be_absent = true},
                table);
    AddCutOff(half_power, "", table);
    AddLongestStep(step, table);
    return table;
  }
  std::vector<Issue> Read(const char* json) {
    std::vector<Issue> issues;
    ReadFields(Fields(), Json::parse(json), "", issues);
    return issues;
  }
};

TEST_CASE("A time is as many samples as the rate makes of it") {
  const Duration span{.seconds = 0.05};
  CHECK(span.CountAt(0.01) == 5);
  CHECK(span.CountAt(0.001) == 50);
  CHECK(span.CountAt(0.02) == 3);  // 2.5
  CHECK(span.CountAt(0.2) == 1);
  CHECK(Duration{}.CountAt(0.01) == 1);
  CHECK(CutOff{.hz = 12.5}.ShareAt(0.01) == 0.25);
  CHECK(CutOff{.hz = 12.5}.ShareAt(0.001) == 0.025);
  CHECK(CutOff{.hz = 12.5}.ShareAt(0.05) == 1.0);
  CHECK(CutOff{}.ShareAt(0.01) == 1.0);
  CHECK(LongestStep{.seconds = 0.005}.CountAt(0.01) == 2);
  CHECK(LongestStep{.seconds = 0.005}.CountAt(0.011) == 3);
  CHECK(LongestStep{.seconds = 0.005}.CountAt(0.001) == 1);
}

TEST_CASE("A former key takes the place of the present one") {
  Options options;
  CHECK(options.Read(R"({"width_samples": 7, "half_power": 0.5, "sub_steps": 3})").empty());
  for (const double Ts : {0.01, 0.001}) {
    CHECK(options.width.CountAt(Ts) == 7);
    CHECK(options.half_power.ShareAt(Ts) == 0.5);
    CHECK(options.step.CountAt(Ts) == 3);
  }
  // What is written holds one of the two, and reads as it was.
  Options again;
  std::vector<Issue> issues;
  const Json written = WriteFields(options.Fields());
  CHECK(written["width_s"].is_null());
  CHECK(written["half_power_hz"].is_null());
  CHECK(written["longest_step_s"].is_null());
  ReadFields(again.Fields(), written, "", issues);
  CHECK(issues.empty());
  CHECK(again.width == options.width);
  CHECK(again.half_power == options.half_power);
  CHECK(again.step == options.step);
}

TEST_CASE("Both keys, and none where one is needed, are refused") {
  const std::vector<Issue> both = Options().Read(R"({"width_s": 0.1, "width_samples": 7})");
  REQUIRE(both.size() == 1);
  CHECK(both[0].where == "/width_samples");
  CHECK(both[0].what == "is the former spelling of width_s, which stands beside it");
  CHECK(Options().Read(R"({"half_power_hz": 5, "half_power": 0.1})").size() == 1);
  CHECK(Options().Read(R"({"longest_step_s": 0.1, "sub_steps": 1})").size() == 1);
  CHECK(Options().Read(R"({"width_s": null})").size() == 1);
  CHECK(Options().Read(R"({"longest_step_s": null})").size() == 1);
  CHECK(Options().Read(R"({"half_power_hz": null, "knot_s": null})").empty());
}

}  // namespace
}  // namespace idbench
