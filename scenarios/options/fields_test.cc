#include "scenarios/options/fields.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

struct Noise {
  double std_nm = 0.0;
  bool operator==(const Noise&) const = default;
};

FieldTable Visit(Noise& options) {
  FieldTable table;
  table.Add("std_nm", options.std_nm, {.doc = "Deviation", .unit = "N·m", .lower = 0});
  return table;
}

struct Still {
  static constexpr std::string_view kType = "still";
  bool operator==(const Still&) const = default;
};

FieldTable Visit(Still&) { return {}; }

struct Sine {
  static constexpr std::string_view kType = "sine";
  double duration_s = 10.0;
  double period_s = 1.0;
  bool operator==(const Sine&) const = default;
};

FieldTable Visit(Sine& options) {
  FieldTable table;
  table
      .Add("duration_s", options.duration_s,
           {.doc = "Length", .unit = "s", .lower = 0, .lower_open = true})
      .Add("period_s", options.period_s,
           {.doc = "Period", .unit = "s", .lower = 0, .lower_open = true})
      .Check([&options](std::vector<Issue>& issues) {
        if (options.period_s > options.duration_s) {
          issues.push_back({"/period_s", "longer than duration_s", {}});
        }
      });
  return table;
}

/// Every kind of member there is.
struct Study {
  std::string name;
  bool paired = true;
  int trials = 100;
  std::uint64_t seed = 1;
  double rate_hz = 100.0;
  std::string draw = "cell";
  std::optional<double> cutoff_hz = 20.0;
  PerJoint bias_nm;
  std::vector<std::string> metrics = {"nees"};
  Labelled<Noise> sensors;
  std::variant<Still, Sine> motion;
  std::vector<Sine> ripples;
  std::optional<Noise> payload;
  JsonValue published;
  bool operator==(const Study&) const = default;
};

FieldTable Visit(Study& study) {
  FieldTable table;
  table.Add("name", study.name, {.doc = "Name of the study", .required = true})
      .Add("paired", study.paired, {.doc = "Paired"})
      .Add("trials", study.trials, {.doc = "Trials", .lower = 1})
      .Add("seed", study.seed, {.doc = "Seed"})
      .Add("rate_hz", study.rate_hz,
           {.doc = "Rate", .unit = "Hz", .lower = 0, .upper = 1e4, .lower_open = true})
      .Add("draw", study.draw, {.doc = "Draw", .choices = {"cell", "trial"}})
      .Add("cutoff_hz", study.cutoff_hz, {.doc = "Cut-off", .unit = "Hz", .lower = 0})
      .Add("bias_nm", study.bias_nm, {.doc = "Bias", .unit = "N·m"})
      .Add("metrics", study.metrics, {.doc = "Metrics", .choices = {"nees", "coverage95"}})
      .Add("sensors", study.sensors, {.doc = "Sensors"})
      .Add("motion", study.motion, {.doc = "Motion"})
      .Add("ripples", study.ripples, {.doc = "Ripples"})
      .Add("payload", study.payload, {.doc = "Payload"})
      .Add("published", study.published, {.doc = "Published values"})
      .Check([&study](std::vector<Issue>& issues) {
        if (study.cutoff_hz && *study.cutoff_hz >= study.rate_hz / 2) {
          issues.push_back({"/cutoff_hz", "not below half of rate_hz", {"lower it"}});
        }
      })
      .Check([&study](std::vector<Issue>& issues) {
        if (study.trials == 13) issues.push_back({"", "an unlucky study", {}});
      });
  return table;
}

Study Read(const Json& json) {
  Study study;
  std::vector<Issue> issues;
  ReadFields(Visit(study), json, "", issues);
  if (!issues.empty()) throw ConfigError("a.json", issues);
  return study;
}

std::string StudyError(std::string_view text) {
  try {
    Read(ParseJson(text, "a.json"));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "none";
}

const std::string kStudyKeys =
    "  accepted here: name, paired, trials, seed, rate_hz, draw, cutoff_hz, bias_nm, metrics, "
    "sensors, motion, ripples, payload, published\n";

TEST_CASE("Where a list is missing, the error says what it lists") {
  CHECK(StudyError(R"({"name": "n", "metrics": "nees"})") ==
        "a.json: /metrics: got \"nees\"\n"
        "  accepted here: a list […]\n"
        "  what it lists: Metrics");
  CHECK(StudyError(R"({"name": "n", "metrics": ["nis"]})").find("lists") == std::string::npos);
  CHECK(StudyError(R"({"name": "n", "trials": "all"})").find("lists") == std::string::npos);
}

TEST_CASE("Absent keys keep the struct's defaults") {
  Study expected;
  expected.name = "n";
  CHECK(Read({{"name", "n"}}) == expected);
}

TEST_CASE("An unknown key is refused with the nearest name") {
  CHECK(StudyError(R"({"name": "n", "trails": 5})") ==
        "a.json: /trails: unknown key\n" + kStudyKeys + "  did you mean 'trials'?");
}

TEST_CASE("A key that means something elsewhere is refused with that") {
  double ratio = 1.0;
  FieldTable table;
  table.Add("gear_ratio", ratio, {.doc = "Gear"}).Refuse("truth", "is for metrics alone");
  std::vector<Issue> issues;
  ReadFields(table, ParseJson(R"({"truth": 1, "gear": 2})", "test"), "/motor", issues);
  REQUIRE(issues.size() == 2);
  CHECK(issues[0].where == "/motor/truth");
  CHECK(issues[0].what == "is for metrics alone");
  CHECK(issues[0].details.front() == "accepted here: gear_ratio");
  CHECK(issues[1].what == "unknown key");
}

TEST_CASE("A key without its unit is refused with the key that has it") {
  CHECK(StudyError(R"({"name": "n", "motion": {"type": "sine", "duration": 5}})") ==
        "a.json: /motion/duration: unknown key\n"
        "  accepted here: duration_s, period_s, type\n"
        "  a key carries its unit: did you mean 'duration_s'?");
}

TEST_CASE("A key of a struct without fields is refused") {
  CHECK(StudyError(R"({"name": "n", "motion": {"speed": 5}})") ==
        "a.json: /motion/speed: unknown key\n  accepted here: type");
  Still still;
  std::vector<Issue> issues;
  ReadFields(Visit(still), {{"speed", 5}}, "", issues);
  CHECK(std::string(ConfigError("a.json", issues).what()) ==
        "a.json: /speed: unknown key\n  nothing is accepted here");
}

TEST_CASE("A former key is read in place of its successor, but not beside it") {
  double ratio = 1.0;
  FieldTable table;
  table.Add("gear_ratio", ratio, {.doc = "Gear", .required = true, .former_key = "gear"});
  std::vector<Issue> issues;
  ReadFields(table, Json{{"gear", 50}}, "/motor", issues);
  CHECK(issues.empty());
  CHECK(ratio == 50.0);
  CHECK(WriteFields(table) == Json{{"gear_ratio", 50.0}});
  ReadFields(table, Json{{"gear", "fifty"}}, "/motor", issues);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].where == "/motor/gear");
  issues.clear();
  ReadFields(table, Json{{"gear", 50}, {"gear_ratio", 60}}, "/motor", issues);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].where == "/motor/gear");
  CHECK(issues[0].what == "unknown key");
  CHECK(ratio == 60.0);
  issues.clear();
  ReadFields(table, Json::object(), "/motor", issues);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].where == "/motor/gear_ratio");
  CHECK(issues[0].what == "missing");
}

TEST_CASE("A missing required key is named with what it is for") {
  CHECK(StudyError("{}") == "a.json: /name: missing\n  needed here: Name of the study");
}

TEST_CASE("Only an object is read as a struct") {
  CHECK(StudyError("[]") == "a.json: got a list of 0\n  accepted here: an object {…}");
}

TEST_CASE("All issues are reported at once, unknown keys first") {
  CHECK(StudyError(R"({"trials": 0, "rate_hz": "fast", "x/y": 1,
                    "sensors": {"joint~torque": {"std_nm": -1}, "b": 4},
                    "ripples": [{}, {"duration_s": 0, "period_s": 0}]})") ==
        "a.json: /x~1y: unknown key\n" + kStudyKeys.substr(0, kStudyKeys.size() - 1) +
            "\n"
            "a.json: /name: missing\n"
            "  needed here: Name of the study\n"
            "a.json: /trials: got 0\n"
            "  accepted here: an integer, at least 1\n"
            "a.json: /rate_hz: got \"fast\"\n"
            "  accepted here: a number, greater than 0 and at most 10000 [Hz]\n"
            "a.json: /sensors/joint~0torque/std_nm: got -1\n"
            "  accepted here: a number, at least 0 [N·m]\n"
            "a.json: /sensors/b: got 4\n"
            "  accepted here: an object {…}\n"
            "a.json: /ripples/1/duration_s: got 0\n"
            "  accepted here: a number, greater than 0 [s]\n"
            "a.json: /ripples/1/period_s: got 0\n"
            "  accepted here: a number, greater than 0 [s]");
}

TEST_CASE("A check names its place within the struct, wherever the struct stands") {
  CHECK(StudyError(R"({"name": "n", "cutoff_hz": 50})") ==
        "a.json: /cutoff_hz: not below half of rate_hz\n  lower it");
  CHECK(StudyError(R"({"name": "n", "trials": 13, "cutoff_hz": 50})") ==
        "a.json: /cutoff_hz: not below half of rate_hz\n  lower it\n"
        "a.json: an unlucky study");
  CHECK(StudyError(R"({"name": "n", "ripples": [{}, {"period_s": 20}]})") ==
        "a.json: /ripples/1/period_s: longer than duration_s");
}

TEST_CASE("Checks run only on a struct whose fields are all fine") {
  CHECK(StudyError(R"({"name": 1, "cutoff_hz": 50})") ==
        "a.json: /name: got 1\n  accepted here: a text in quotes");
  // The ripple's own check does run: nothing is wrong with its fields.
  CHECK(StudyError(R"({"name": 1, "ripples": [{"period_s": 20}]})") ==
        "a.json: /name: got 1\n"
        "  accepted here: a text in quotes\n"
        "a.json: /ripples/0/period_s: longer than duration_s");
}

TEST_CASE("An issue that was there before does not keep the checks from running") {
  Sine sine{.duration_s = 1.0, .period_s = 2.0};
  std::vector<Issue> issues = {{"/elsewhere", "missing", {}}};
  ReadFields(Visit(sine), Json::object(), "/motion", issues);
  REQUIRE(issues.size() == 2);
  CHECK(issues[1].where == "/motion/period_s");
}

/// A study in which no value is its default.
Study Unusual() {
  return {.name = "é \"n\"",
          .paired = false,
          .trials = 7,
          .seed = UINT64_MAX,
          .rate_hz = 0.1,
          .draw = "trial",
          .cutoff_hz = std::nullopt,
          .bias_nm = {{0.1, 1e-300}},
          .metrics = {},
          .sensors = {{"z/~", {0.25}}, {"a", {1.0 / 3.0}}},
          .motion = Sine{4.0, 1e-9},
          .ripples = {{2.0, 0.5}, {}},
          .payload = Noise{5.0},
          .published = Json{{"b", {1, nullptr}}, {"a", "x"}}};
}

TEST_CASE("What is written reads back as the same struct, through text too") {
  for (Study study : {Unusual(), Read({{"name", "n"}})}) {
    const Json json = WriteFields(Visit(study));
    CHECK(Read(json) == study);
    CHECK(Read(ParseJson(json.dump(2), "a.json")) == study);
  }
}

TEST_CASE("All values are written, in the table's order, with null for an absent optional") {
  Study study = Unusual();
  study.published = JsonValue();
  CHECK(WriteFields(Visit(study)).dump() ==
        R"({"name":"é \"n\"","paired":false,"trials":7,"seed":18446744073709551615,)"
        R"("rate_hz":0.1,"draw":"trial","cutoff_hz":null,"bias_nm":[0.1,1e-300],"metrics":[],)"
        R"("sensors":{"z/~":{"std_nm":0.25},"a":{"std_nm":0.3333333333333333}},)"
        R"("motion":{"type":"sine","duration_s":4.0,"period_s":1e-09},)"
        R"("ripples":[{"duration_s":2.0,"period_s":0.5},{"duration_s":10.0,"period_s":1.0}],)"
        R"("payload":{"std_nm":5.0},"published":null})");
}

TEST_CASE("The schema lists all fields with description and default, and the required ones") {
  Study study;
  const Json schema = SchemaOf(Visit(study));
  CHECK(schema["type"] == "object");
  CHECK(schema["additionalProperties"] == false);
  CHECK(schema["required"] == Json{"name"});
  const Json& properties = schema["properties"];
  CHECK(properties.size() == Visit(study).fields().size());
  CHECK(properties["name"] == ParseJson(R"({"type": "string",
      "description": "Name of the study"})",
                                        "expected"));
  CHECK(properties["rate_hz"] == ParseJson(R"({"type": "number", "exclusiveMinimum": 0,
      "maximum": 10000, "description": "Rate [Hz]", "default": 100})",
                                           "expected"));
  CHECK(properties["cutoff_hz"] == ParseJson(R"({"anyOf": [{"type": "number", "minimum": 0},
      {"type": "null"}], "description": "Cut-off [Hz]", "default": 20})",
                                             "expected"));
  CHECK(properties["metrics"] == ParseJson(R"({"type": "array", "items": {"type": "string",
      "enum": ["nees", "coverage95"]}, "description": "Metrics", "default": ["nees"]})",
                                           "expected"));
  CHECK(properties["payload"]["default"].is_null());
  CHECK_FALSE(properties["motion"].contains("default"));
}

TEST_CASE("The names of a table are those of its fields, in order") {
  Sine sine;
  CHECK(Visit(sine).Names() == std::vector<std::string>{"duration_s", "period_s"});
}

}  // namespace
}  // namespace idbench
