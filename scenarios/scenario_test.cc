#include "scenarios/scenario.h"

#include <doctest/doctest.h>

#include "estimators/registry.h"
#include "scenarios/options/json.h"
#include "scenarios/options/text_form_test.h"

namespace idbench {
namespace {

std::vector<Issue> Read(const char* text, Scenario& scenario) {
  std::vector<Issue> issues;
  ReadFields(Visit(scenario), ParseJson(text, "test"), "", issues);
  return issues;
}

constexpr const char* kSmall = R"({
  "name": "small", "robot": {"model": "planar2"},
  "experiments": {"one": {"motion": {"type": "fourier"}}},
  "estimators": {"ols": {}, "heavy ridge": {"type": "ridge", "lambda": 1}}
})";

TEST_CASE(
    "An estimator's type is its label unless it says otherwise; its options are spelled out") {
  Scenario scenario;
  REQUIRE(Read(kSmall, scenario).empty());
  REQUIRE(scenario.estimators.size() == 2);
  CHECK(scenario.estimators[0].second.type == "ols");
  CHECK(scenario.estimators[1].first == "heavy ridge");
  CHECK(scenario.estimators[1].second.type == "ridge");
  CHECK(scenario.estimators[1].second.options->at("lambda") == 1);
}

TEST_CASE("What is written with all defaults reads back to the same") {
  Scenario scenario;
  REQUIRE(Read(kSmall, scenario).empty());
  const Json written = WriteFields(Visit(scenario));
  Scenario again;
  REQUIRE(Read(written.dump().c_str(), again).empty());
  CHECK(WriteFields(Visit(again)) == written);
}

TEST_CASE("A misspelt estimator is answered with those that there are") {
  Scenario scenario;
  const auto issues = Read(R"({"name": "x", "robot": {"model": "planar2"},
    "experiments": {}, "estimators": {"olss": {}}})",
                           scenario);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].where == "/estimators/olss");
  CHECK(issues[0].what == "no such estimator: \"olss\"");
  REQUIRE(issues[0].details.size() == 3);
  CHECK(issues[0].details[1] == "did you mean 'ols'?");
}

TEST_CASE("An estimator's unknown option is answered with its options") {
  Scenario scenario;
  const auto issues = Read(R"({"name": "x", "robot": {"model": "planar2"},
    "experiments": {}, "estimators": {"wls": {"reweighting": 2}}})",
                           scenario);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].where == "/estimators/wls/reweighting");
  CHECK(issues[0].details.back() == "did you mean 'reweightings'?");
}

TEST_CASE("An axis takes its labels from `values`, else from the first list") {
  AxisOptions axis{"a", {}, {{"/x", {Json(0.5), Json("text")}}}};
  CHECK(axis.ValueLabels() == std::vector<std::string>{"0.5", "text"});
  axis.values = {Json("one"), Json(2)};
  CHECK(axis.ValueLabels() == std::vector<std::string>{"one", "2"});
}

TEST_CASE("A sweep over nothing, and lists of different lengths, are refused") {
  Scenario scenario;
  const auto issues = Read(R"({"name": "x", "robot": {"model": "planar2"},
    "experiments": {}, "estimators": {},
    "sweep": [{"name": "a", "set": {}}, {"name": "b", "set": {"/plant": []}},
              {"name": "c", "values": [1, 2], "set": {"/plant": [{}]}}]})",
                           scenario);
  REQUIRE(issues.size() == 3);
  CHECK(issues[0].where == "/sweep/0/set");
  CHECK(issues[0].what == "sweeps over nothing");
  CHECK(issues[1].where == "/sweep/1/set/~1plant");
  CHECK(issues[1].what == "sweeps over nothing");
  CHECK(issues[2].what == "got a list of 1, but the axis has 2 values");
}

TEST_CASE("The schema names every key of a scenario and every estimator") {
  const Json schema = ScenarioSchema();
  CHECK(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema");
  CHECK(schema["additionalProperties"] == false);
  CHECK(schema["anyOf"][0]["required"] == Json::array({"extends"}));
  CHECK(schema["anyOf"][1]["required"].dump().find("\"robot\"") != std::string::npos);
  for (const char* key : {"name", "robot", "recording", "experiments", "sensors", "problem",
                          "estimators", "trials", "seed", "metrics", "tables", "sweep"}) {
    CAPTURE(key);
    CHECK(schema["properties"].contains(key));
  }
  CHECK(schema["properties"]["estimators"].dump().find("\"ridge\"") != std::string::npos);
  for (const char* control : {"computed_torque", "pd_gravity", "exact_replay", "torque_replay"}) {
    CAPTURE(control);
    const std::string quoted = std::string("\"") + control + '"';
    CHECK(schema["properties"]["control"].dump().find(quoted) != std::string::npos);
    CHECK(schema["properties"]["experiments"].dump().find(quoted) != std::string::npos);
  }
  for (const char* motion : {"\"fourier\"", "\"way_points\"", "\"recorded\"", "\"sequence\""}) {
    CAPTURE(motion);
    CHECK(schema["properties"]["experiments"].dump().find(motion) != std::string::npos);
  }
}

TEST_CASE(
    "Options of scenarios and estimators, and estimators themselves, are described in one form") {
  for (const std::string& fault : FormFaults(ScenarioSchema())) FAIL_CHECK(fault);
  for (const EstimatorEntry& entry : EstimatorRegistry()) {
    CAPTURE(entry.type);
    CHECK(FormFault(entry.title, entry.type) == "");
    for (const std::string& fault : FormFaults(SchemaOf(entry.make()->Fields()))) FAIL_CHECK(fault);
  }
}

}  // namespace
}  // namespace idbench
