#include "bench/nightly/nightly.h"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "bench/captured_output_test.h"
#include "bench/nightly/nightly_page.h"
#include "bench/small_run_test.h"
#include "scenarios/options/json.h"
#include "scenarios/options/text_form_test.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;

/// A suite and its scenarios in a folder of their own.
class Suite {
 public:
  explicit Suite(const std::string& scenarios) {
    folder.Write("small.json", Description().dump());
    folder.Write("nightly.json", "{\"scenarios\": " + scenarios + "}");
  }

  ProgramResult Run() const {
    return Call({"nightly", path("nightly.json"), "--out", path("out"), "--history", path("h")});
  }
  Json Results() const { return ReadJsonFile(path("out/nightly.json"))["scenarios"]; }
  std::string path(const char* name) const { return (folder.path() / name).string(); }

  TemporaryFolder folder;
};

TEST_CASE("The first night has nothing to compare with, the second has the same bytes") {
  const Suite suite(R"({"a": {"file": "small.json", "jobs": 2}})");
  const ProgramResult first = suite.Run();
  CHECK(first.code == 0);
  CHECK(Has(first.output, "a  first run"));
  CHECK(Has(first.output, "page: " + suite.path("out/index.html")));
  const std::string baseline = suite.Results()[0]["folder"];

  const ProgramResult second = suite.Run();
  CHECK(second.code == 0);
  const Json result = suite.Results()[0];
  CHECK(result["verdict"] == "pass");
  CHECK(result["sentence"] == "4 identical");
  CHECK(result["scenario"] == "r");
  CHECK(fs::equivalent(result["baseline"].get<std::string>(), baseline));
  CHECK(result["folder"] != baseline);
  CHECK(fs::exists(result["folder"].get<std::string>() + "/gate.json"));
  CHECK(fs::exists(result["folder"].get<std::string>() + "/summary.json"));
  CHECK(Has(Call({"history", "list", "--db", suite.path("h")}).output, "\n2 "));

  const std::string page = ReadText(suite.path("out/index.html"));
  CHECK(Has(page, "<span class=\"verdict good\">pass</span>"));
  CHECK(Has(page, "href=\"trends.html\""));
  CHECK(Has(page, "href=\"a/"));
  CHECK(Has(ReadText(suite.path("out/trends.html")), "Trends of benchmark runs"));
  CHECK(Has(ReadText(suite.path("out/junit.xml")), "tests=\"1\" failures=\"0\" errors=\"0\""));
}

TEST_CASE("What cannot be read stops itself alone, and is the night's exit code") {
  const Suite suite(R"({"gone": {"file": "gone.json"}, "a": {"file": "small.json"}})");
  const ProgramResult result = suite.Run();
  CHECK(result.code == 2);
  const Json results = suite.Results();
  CHECK(results[0]["verdict"] == "refused");
  CHECK(Has(results[0]["sentence"], "gone.json: cannot be read"));
  CHECK(results[0]["folder"] == "");
  CHECK(results[1]["verdict"] == "first run");
  CHECK(Has(ReadText(suite.path("out/junit.xml")), "<error type=\"refused\" message="));
}

TEST_CASE("A scenario that needs an unset variable is skipped, and that is fine") {
  ::unsetenv("IDBENCH_NOWHERE");
  const Suite suite(R"({"a": {"file": "small.json", "needs": ["IDBENCH_NOWHERE"]}})");
  const ProgramResult result = suite.Run();
  CHECK(result.code == 0);
  CHECK(Has(result.output, "a  skipped"));
  CHECK(suite.Results()[0]["sentence"] == "IDBENCH_NOWHERE is not set");
  CHECK(Has(ReadText(suite.path("out/junit.xml")),
            "<skipped message=\"IDBENCH_NOWHERE is not set\"/>"));
  CHECK(Has(ReadText(suite.path("out/trends.html")), "The history holds no runs."));
}

TEST_CASE("A run over its budget is kept, and goes on by the call that is told") {
  const Suite suite(
      R"({"a": {"file": "small.json", "trials": 1000000, "budget_s": 0.3, "jobs": 1},
          "b": {"file": "small.json"}})");
  const ProgramResult night = suite.Run();
  CHECK(night.code == 5);
  const Json result = suite.Results()[0];
  CHECK(result["verdict"] == "over budget");
  const std::string folder = result["folder"];
  const std::string sentence = result["sentence"];
  CHECK(sentence.starts_with("stopped after its budget of 0 s with "));
  CHECK(sentence.ends_with(" of 2000000 trials; go on with: idbench run " +
                           suite.path("small.json") + " --trials 1000000 --resume --out " +
                           folder));
  CHECK(suite.Results()[1]["verdict"] == "first run");
  CHECK(Has(Call({"status", folder}).output, ": interrupted\n"));
}

TEST_CASE("A baseline may be a folder, or none") {
  const Suite suite(R"({"a": {"file": "small.json", "baseline": "kept"},
                        "b": {"file": "small.json", "baseline": "none"},
                        "c": {"file": "small.json", "baseline": "gone"}})");
  Records(Description(), suite.folder.path() / "kept");
  const ProgramResult result = suite.Run();
  CHECK(result.code == 2);
  const Json results = suite.Results();
  CHECK(results[0]["verdict"] == "pass");
  CHECK(results[0]["baseline"] == suite.path("kept"));
  CHECK(results[1]["verdict"] == "not gated");
  CHECK(results[2]["verdict"] == "refused");
  CHECK(Has(results[2]["sentence"], "gone"));
  CHECK(fs::exists(results[2]["folder"].get<std::string>() + "/summary.json"));
}

TEST_CASE("The last run of the scenario as it is now is the baseline, not a later one of another") {
  const Suite suite(R"({"a": {"file": "small.json"}})");
  CHECK(suite.Run().code == 0);
  Json other = Description();
  other["seed"] = 7;
  Records(other, suite.folder.path() / "other");
  fs::last_write_time(suite.folder.path() / "other" / "records.jsonl",
                      fs::file_time_type::clock::now() + std::chrono::hours(1));
  CHECK(Call({"history", "add", suite.path("other"), "--db", suite.path("h")}).code == 0);
  CHECK(suite.Run().code == 0);
  CHECK(suite.Results()[0]["verdict"] == "pass");
}

TEST_CASE("A run of another scenario in the baseline is incomparable") {
  const Suite suite(R"({"a": {"file": "small.json", "baseline": "kept"}})");
  Json other = Description();
  other["sensors"]["rate_hz"] = 50;
  Records(other, suite.folder.path() / "kept");
  CHECK(suite.Run().code == 4);
  CHECK(suite.Results()[0]["verdict"] == "incomparable");
  CHECK(suite.Results()[0]["sentence"] ==
        "another scenario: /sensors/rate_hz is 100.0 here, 50.0 there");
}

TEST_CASE("A night tells the worst member's sentence and the tally, as the gate prints them") {
  const Suite suite(R"({"a": {"file": "small.json", "baseline": "kept"}})");
  std::istringstream lines(Records(Description(), suite.folder.path() / "kept"));
  std::ofstream changed(suite.folder.path() / "kept" / "records.jsonl");
  for (std::string line; std::getline(lines, line);) {
    Json record = Json::parse(line);
    if (record["estimator"] == "wls" && record["cell"] == 1) {
      for (Json& metric : record["metrics"]) {
        if (metric.contains("value")) metric["value"] = 0.5 * metric["value"].get<double>();
      }
    }
    changed << record.dump() << '\n';
  }
  changed.close();
  CHECK(suite.Run().code == 3);  // nine trials are too few
  const Json result = suite.Results()[0];
  CHECK(result["verdict"] == "inconclusive");
  const std::string told = result["sentence"];
  CHECK(told.starts_with("noise 0.2, wls: "));
  CHECK(told.ends_with(" (1 inconclusive, 3 identical)"));
  const std::string gate =
      Call({"gate", result["folder"], "--baseline", suite.path("kept"), "--jobs", "1"}).output;
  CHECK(gate.starts_with("gate: inconclusive: 1 inconclusive, 3 identical\n"));
  CHECK(Has(gate, "\n- " + told.substr(0, told.rfind(" (")) + "\n- "));
}

TEST_CASE("A night that is stopped from outside says so and leaves the rest") {
  const Suite suite(R"({"a": {"file": "small.json"}, "b": {"file": "small.json"}})");
  std::atomic<bool> stop = true;
  const NightlyPlaces places{suite.path("nightly.json"), suite.path("out"), suite.path("h")};
  const std::vector<NightlyResult> results = RunNightly(places, stop);
  REQUIRE(results.size() == 2);
  CHECK(results[1].verdict == NightlyVerdict::kNotRun);
  CHECK(results[1].sentence == "the suite was stopped before it");
  CHECK(WorstExitCode(results) == 5);
}

TEST_CASE("The worst scenario decides the exit code") {
  using Verdict = NightlyVerdict;
  const auto worst = [](std::initializer_list<Verdict> verdicts) {
    std::vector<NightlyResult> results;
    for (const Verdict verdict : verdicts) results.emplace_back().verdict = verdict;
    return WorstExitCode(results);
  };
  CHECK(worst({}) == 0);
  CHECK(worst({Verdict::kPass, Verdict::kInconclusive}) == 3);
  CHECK(worst({Verdict::kInconclusive, Verdict::kIncomparable, Verdict::kPass}) == 4);
  CHECK(worst({Verdict::kIncomparable, Verdict::kRegression, Verdict::kInconclusive}) == 1);
  CHECK(worst({Verdict::kRegression, Verdict::kRefused, Verdict::kIncomparable}) == 2);
  CHECK(worst({Verdict::kRefused, Verdict::kNotRun, Verdict::kRegression}) == 5);
}

TEST_CASE("A suite is read strictly") {
  const auto message = [](const std::string& scenarios) {
    const Suite suite(scenarios);
    const ProgramResult result = suite.Run();
    CHECK(result.code == 2);
    CHECK_FALSE(fs::exists(suite.path("out")));
    const std::string prefix = suite.path("nightly.json") + ": ";
    CHECK(result.errors.find(prefix) == 0);
    return result.errors.substr(prefix.size());
  };
  CHECK(message("{}") == "/scenarios: names no scenario\n  at least one is needed\n");
  CHECK(message(R"({"a": {}})") ==
        "/scenarios/a/file: missing\n  needed here: Scenario file, relative to this file\n");
  CHECK(Has(message(R"({"a": {"file": "x", "budget": 3}})"),
            "/scenarios/a/budget: unknown key\n  accepted here: file, trials, budget_s"));
  CHECK(Has(message(R"({"a": {"file": "x", "budget_s": 0}})"), "/scenarios/a/budget_s: got 0"));
  CHECK(Has(message(R"({"a": {"file": "x", "trials": 0}})"), "/scenarios/a/trials: got 0"));
  CHECK(message(R"({"a/b": {"file": "x"}})") ==
        "/scenarios/a~1b: is no name of a folder\n"
        "  runs are kept in a folder of this name: leave out '/'\n");
}

TEST_CASE("Keys of a suite are described in one form") {
  NightlyOptions options;
  for (const std::string& fault : FormFaults(SchemaOf(Visit(options)))) FAIL_CHECK(fault);
}

TEST_CASE("The suite that comes with idbench names scenarios that are there") {
  const fs::path file = fs::path(IDBENCH_SOURCE_SCENARIOS) / "nightly.json";
  for (const auto& [label, entry] : ReadNightly(file).scenarios) {
    CHECK_MESSAGE(fs::exists(file.parent_path() / entry.file), label);
  }
  CHECK(Call({"validate", file.string()}).output ==
        file.string() + ": fine: a nightly suite of 16 scenarios\n");
}

}  // namespace
}  // namespace idbench
