#include "scenarios/sweep.h"

#include <doctest/doctest.h>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

AxisOptions Axis(const std::string& name, const Labelled<std::vector<Json>>& set,
                 const std::vector<Json>& values = {}) {
  AxisOptions axis{name, {values.begin(), values.end()}, {}};
  for (const auto& [pointer, list] : set) {
    axis.set.emplace_back(pointer, std::vector<JsonValue>(list.begin(), list.end()));
  }
  return axis;
}

Json Document() {
  return Json::parse(R"({"sensors": {"noise": 0.1, "rate_hz": 100}, "plant": {"type": "mujoco"},
                         "experiments": {"a": {"list": [1, 2]}}, "trials": 3, "sweep": [1]})");
}

TEST_CASE("Axes multiply, the last one fastest; what stands in one axis advances together") {
  std::vector<Issue> issues;
  const auto cells =
      ExpandSweep(Document(),
                  {Axis("noise", {{"/sensors/noise", {1, 2}}, {"/sensors/rate_hz", {10, 20}}}),
                   Axis("first", {{"/experiments/a/list/0", {7, 8, 9}}}, {"x", "y", "z"})},
                  issues);
  REQUIRE(issues.empty());
  REQUIRE(cells.size() == 6);
  CHECK(cells[4].coordinates.index == 4);
  CHECK(cells[4].coordinates.Label() == "noise 2, first y");
  CHECK(cells[4].json["sensors"] == Json({{"noise", 2}, {"rate_hz", 20}}));
  CHECK(cells[4].json["experiments"]["a"]["list"] == Json({8, 2}));
  CHECK(cells[4].json["sweep"] == Json::array());
}

TEST_CASE("A scenario without a sweep has one cell without coordinates") {
  std::vector<Issue> issues;
  const auto cells = ExpandSweep(Document(), {}, issues);
  REQUIRE(cells.size() == 1);
  CHECK(cells[0].coordinates.axes.empty());
}

TEST_CASE("Axes that contradict each other are refused") {
  std::vector<Issue> issues;
  ExpandSweep(Document(),
              {Axis("a", {{"/sensors/noise", {1}}}), Axis("a", {{"/sensors/noise", {2}}}),
               Axis("b", {{"/plant/type", {"mujoco"}}}), Axis("c", {{"/trials", {1}}})},
              issues);
  REQUIRE(issues.size() == 4);
  CHECK(issues[0].where == "/sweep/1/name");
  CHECK(issues[0].what == "a second axis called \"a\"");
  CHECK(issues[1].where == "/sweep/1/set/~1sensors~1noise");
  CHECK(issues[1].what == "is set by two axes");
  CHECK(issues[2].what == "sweeps a type without the options that belong to it");
  CHECK(issues[2].details[0] == "set the whole object \"/plant\"");
  CHECK(issues[3].what == "cannot be swept");
}

TEST_CASE("Options of an observer can be swept, what tables list cannot") {
  Json document = Document();
  document["observers"] = {{"T2", {{"samples", 1}, {"models", {"ols"}}}}};
  const auto refused = [&](const char* pointer) {
    std::vector<Issue> issues;
    ExpandSweep(document, {Axis("a", {{pointer, {1}}})}, issues);
    return !issues.empty() && issues[0].what == "cannot be swept";
  };
  CHECK_FALSE(refused("/observers/T2/samples"));
  CHECK(refused("/observers/T2/models"));
  CHECK(refused("/observers/T2/models/0"));
  CHECK(refused("/observers/T2/experiments"));
  CHECK(refused("/observers/T2"));
  CHECK(refused("/observers"));
}

TEST_CASE("A pointer that leads nowhere is refused with the nearest name") {
  std::vector<Issue> issues;
  const auto cells = ExpandSweep(Document(), {Axis("a", {{"/sensors/niose", {1}}})}, issues);
  CHECK(cells.empty());
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].where == "/sweep/0/set/~1sensors~1niose");
  CHECK(issues[0].what == "leads nowhere: no \"niose\" in \"/sensors\"");
  CHECK(issues[0].details ==
        std::vector<std::string>{"accepted here: noise, rate_hz", "did you mean 'noise'?"});
}

TEST_CASE("SetAt creates a last key only if asked to, and never goes through a number") {
  Json json = Document();
  std::vector<Issue> issues;
  CHECK(SetAt(json, "/sensors/new", 5, true, "x", issues));
  CHECK(json["sensors"]["new"] == 5);
  CHECK_FALSE(SetAt(json, "/sensors/other", 5, false, "x", issues));
  CHECK_FALSE(SetAt(json, "/trials/deep", 5, true, "x", issues));
  CHECK(issues.back().details[0] == "\"/trials\" is 3");
  CHECK_FALSE(SetAt(json, "/experiments/a/list/9", 5, true, "x", issues));
  CHECK_FALSE(SetAt(json, "/laboratory/rate_hz", 5, true, "x", issues));
  CHECK(issues.back().what == "leads nowhere: no \"laboratory\" in \"\"");
  CHECK(issues.back().details.back() ==
        "an object that is not there yet is set as a whole: /laboratory={…}");
  CHECK_FALSE(SetAt(json, "no slash", 5, true, "x", issues));
  CHECK(issues.back().what == "is not a JSON pointer");
}

}  // namespace
}  // namespace idbench
