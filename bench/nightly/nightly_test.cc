#include "bench/nightly/nightly.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include "bench/captured_output_test.h"
#include "bench/nightly/nightly_page.h"
#include "bench/run/sanitized.h"
#include "bench/small_run_test.h"
#include "reports/history/history.h"
#include "scenarios/options/json.h"
#include "scenarios/options/text_form_test.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;

/// A suite and its scenarios in a folder of their own.
class Suite {
 public:
  explicit Suite(const std::string& scenarios) {
    Json description = Description();
    folder.Write("small.json", description.dump());
    description["name"] = "other";
    folder.Write("other.json", description.dump());
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
  const std::string history = Call({"history", "list", "--db", suite.path("h")}).output;
  CHECK(Has(history, "  r         first run  pinned    2 × 9"));
  CHECK(Has(history, "  r         pass       accepted  2 × 9"));

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

TEST_CASE("A byte that is not UTF-8 costs one scenario, not the night's files") {
  const Suite suite(R"({"odd": {"file": "odd.json"}, "a": {"file": "small.json"}})");
  suite.folder.Write("odd.json", "{\"name\": \"q_\xB0\"}");
  CHECK(suite.Run().code == 2);
  const Json results = suite.Results();
  CHECK(results[0]["verdict"] == "refused");
  CHECK(Has(results[0]["sentence"], "\xEF\xBF\xBD"));
  CHECK(results[1]["verdict"] == "first run");
  for (const char* name : {"out/junit.xml", "out/index.html", "out/trends.html"}) {
    CAPTURE(name);
    CHECK(fs::exists(suite.path(name)));
  }
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
          "b": {"file": "other.json"}})");
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

/// Asks for 4 GiB, which it does not touch.
void Eat() {
#if IDBENCH_SANITIZED
  throw std::bad_alloc();  // there is no limit then
#else
  std::vector<std::unique_ptr<char[]>> eaten;
  for (int k = 0; k < 4; ++k) eaten.push_back(std::make_unique_for_overwrite<char[]>(1 << 30));
#endif
}

/// Stands in for scenarios that misbehave, by their labels.
NightlyResult Misbehave(const NightlyTask& task, const std::atomic<bool>& stop) {
  if (task.label == "crashes") {
    std::signal(SIGABRT, SIG_DFL);  // else the test program's handler prints
    std::abort();
  }
  while (task.label == "hangs") ::pause();
  if (task.label == "eats") Eat();
  return RunNightlyTask(task, stop);
}

TEST_CASE("What crashes, hangs or eats memory ends alone, and the files tell of it at once") {
  const Suite suite(R"({"first": {"file": "small.json", "jobs": 1},
                        "crashes": {"file": "small.json"},
                        "hangs": {"file": "small.json", "budget_s": 0.1, "grace_s": 0.1},
                        "eats": {"file": "small.json", "memory_mib": 2048},
                        "last": {"file": "other.json", "jobs": 1}})");
  const NightlyPlaces places{suite.path("nightly.json"), suite.path("out"), suite.path("h")};
  std::vector<std::string> verdicts;  // in the file, each time it is written
  const std::vector<NightlyResult> results = RunNightly(
      places, false,
      [&](const std::vector<NightlyResult>& so_far) {
        WriteNightlyPages({"s", "t", "c"}, so_far, places.out);
        std::string line;
        for (const Json& result : suite.Results()) {
          line += (line.empty() ? "" : ", ") + result["verdict"].get<std::string>();
        }
        verdicts.push_back(line);
      },
      &Misbehave);
  CHECK(verdicts == std::vector<std::string>{"not run, not run, not run, not run, not run",
                                             "first run, not run, not run, not run, not run",
                                             "first run, crashed, not run, not run, not run",
                                             "first run, crashed, killed, not run, not run",
                                             "first run, crashed, killed, killed, not run",
                                             "first run, crashed, killed, killed, first run"});
  CHECK(results[1].sentence == "signal 6 (Aborted) ended it");
  CHECK(results[2].sentence == "killed after its budget_s of 0 s and its grace_s of 0 s");
  CHECK(results[2].duration_s >= 0.2);
  CHECK(results[3].sentence == "refused memory or a thread: its memory_mib is 2048");
  CHECK(WorstExitCode(results) == 5);
  CHECK(Has(ReadText(suite.path("out/junit.xml")), "tests=\"5\" failures=\"0\" errors=\"3\""));
  CHECK(Has(ReadText(suite.path("out/index.html")), "<span class=\"verdict bad\">crashed</span>"));
  CHECK(History(places.history).Runs().size() == 2);
}

TEST_CASE("A run that is killed is told with the call that goes on with it") {
  const Suite suite(
      R"({"a": {"file": "small.json", "trials": 3, "budget_s": 0.1, "grace_s": 0.5}})");
  const NightlyPlaces places{suite.path("nightly.json"), suite.path("out"), suite.path("h")};
  const std::vector<NightlyResult> results = RunNightly(
      places, false, [](const auto&) {},
      [](const NightlyTask& task, const std::atomic<bool>& stop) -> NightlyResult {
        RunNightlyTask(task, stop);
        for (;;) ::pause();
      });
  CHECK(results[0].verdict == NightlyVerdict::kKilled);
  CHECK(results[0].folder.starts_with(suite.path("out/a")));
  CHECK(results[0].sentence.ends_with(" of 6 trials; go on with: idbench run " +
                                      suite.path("small.json") + " --trials 3 --resume --out " +
                                      results[0].folder));
}

TEST_CASE("A night that is stopped from outside says so and leaves the rest") {
  const Suite suite(R"({"a": {"file": "small.json"}, "b": {"file": "small.json"}})");
  std::atomic<bool> stop = true;
  const NightlyPlaces places{suite.path("nightly.json"), suite.path("out"), suite.path("h")};
  const std::vector<NightlyResult> results = RunNightly(places, stop, [](const auto&) {});
  REQUIRE(results.size() == 2);
  CHECK(results[1].verdict == NightlyVerdict::kNotRun);
  CHECK(results[1].sentence == "the suite was stopped before it");
  CHECK(WorstExitCode(results) == 5);
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
            "/scenarios/a/budget: unknown key\n  accepted here: file, trials, budget_s, grace_s, "
            "memory_mib"));
  CHECK(Has(message(R"({"a": {"file": "x", "budget_s": 0}})"), "/scenarios/a/budget_s: got 0"));
  CHECK(Has(message(R"({"a": {"file": "x", "trials": 0}})"), "/scenarios/a/trials: got 0"));
  CHECK(Has(message(R"({"a": {"file": "x", "grace_s": 1e300}})"),
            "/scenarios/a/grace_s: got 1e+300"));
  CHECK(
      Has(message(R"({"a": {"file": "x", "memory_mib": 1e15}})"), "/scenarios/a/memory_mib: got"));
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
        file.string() + ": fine: a nightly suite of 38 scenarios\n");
}

}  // namespace
}  // namespace idbench
