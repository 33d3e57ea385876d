#include "bench/gate_command.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <functional>

#include "bench/captured_output_test.h"
#include "bench/gate/baseline.h"
#include "bench/gate/gate_run.h"
#include "bench/gate/planted_changes.h"
#include "bench/metrics/metrics.h"
#include "bench/run/exit_code.h"
#include "bench/run/runner.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// A quick simulation, gated by the error of its base parameters.
Json GatedDescription() {
  return ParseJson(R"({
    "name": "g", "robot": {"model": "planar1"}, "control": {"type": "exact_replay"},
    "experiments": {"identification": {"motion": {"type": "fourier", "base_frequency_hz": 0.5,
      "duration_s": 2, "candidates": 1}}},
    "sensors": {"joint_torque": {"noise_std_nm": 0.1}},
    "problem": {"parametrisation": {"friction": ["viscous", "coulomb"],
                                    "rotor_inertia": true}},
    "estimators": {"ols": {}, "wls": {}}, "trials": 24, "timing_trials": 0, "keep_series": [],
    "metrics": ["base_parameter_relative_error"],
    "gate": {"tolerance": 0.02, "reserve_trials": 20}})",
                   "test");
}

/// A run, a copy of it to be changed, and the run's baseline.
class GatedRun {
 public:
  explicit GatedRun(double tolerance = 0.02) {
    Json json = GatedDescription();
    json["gate"]["tolerance"] = tolerance;
    const Redirected errors(stderr, folder_.path() / "progress");
    RunScenario(LoadScenario(json, "test", {}, AllMetrics()), {.folder = Path("run")});
    WriteBaseline(Path("run"), Path("base"));
  }

  std::filesystem::path Path(const std::string& name) const { return folder_.path() / name; }

  ProgramResult Gate(const std::string& run = "run", const std::string& base = "base") const {
    return Call({"gate", Path(run), "--baseline", Path(base), "--jobs", "1"});
  }

  /// A copy of the run with other records.
  void Copy(const std::string& name, const std::function<void(Json&)>& change) const {
    std::filesystem::create_directories(Path(name));
    std::filesystem::copy_file(Path("run") / "manifest.json", Path(name) / "manifest.json");
    std::ifstream lines(Path("run") / "records.jsonl");
    std::ofstream changed(Path(name) / "records.jsonl");
    for (std::string line; std::getline(lines, line);) {
      Json record = Json::parse(line);
      change(record);
      changed << record.dump() << '\n';
    }
  }

  /// Changes a copy of the run's manifest.
  void CopyManifest(const std::string& name, const std::function<void(Json&)>& change) const {
    Copy(name, [](Json&) {});
    Json manifest = ReadJsonFile(Path(name) / "manifest.json");
    change(manifest);
    std::ofstream(Path(name) / "manifest.json") << manifest.dump();
  }

  static void Scale(Json& record, double factor) {
    if (record["estimator"] != "wls") return;
    Json& value = record["metrics"]["base_parameter_relative_error"]["value"];
    value = factor * value.get<double>();
  }

 private:
  TemporaryFolder folder_;
};

TEST_CASE("The same run again is identical and passes, and gate.json says so") {
  const GatedRun gated;
  const ProgramResult result = gated.Gate();
  CHECK(result.code == kExitFine);
  CHECK(result.output ==
        "gate: pass: 2 identical\n- trials share one motion: what is said holds for that motion\n");
  const Json json = ReadJsonFile(gated.Path("run") / "gate.json");
  CHECK(json["verdict"] == "pass");
  CHECK(json["members"].size() == 2);
  CHECK(json["members"][1]["estimator"] == "wls");
  CHECK(json["members"][1]["verdict"] == "identical");
}

TEST_CASE("A loss that the reserve trials of the same program do not show is chance") {
  const GatedRun gated;
  gated.Copy("changed", [](Json& record) { GatedRun::Scale(record, 1.05); });
  const ProgramResult result = gated.Gate("changed");
  CHECK(result.code == kExitFine);
  CHECK(result.output.find("but on 20 reserve trials 0 % (p = 1): chance") != std::string::npos);
}

TEST_CASE("A loss that is in the reserve trials too is a regression, exit 1") {
  const GatedRun gated;
  const auto loss = [](Json& record) { GatedRun::Scale(record, 1.05); };
  gated.Copy("changed", loss);
  const GateReport report =
      GateRun(gated.Path("changed"), gated.Path("base"), ChangedRecords(RecordsRunHere(1), loss));
  CHECK(ExitCodeOf(report.verdict) == kExitRegression);
  CHECK(report.members[0].estimator == "wls");
  CHECK(report.members[0].effect == doctest::Approx(0.05));
  CHECK(report.members[0].reserve.value().effect == doctest::Approx(0.05));
  CHECK(report.members[1].verdict == MemberVerdict::kIdentical);
}

TEST_CASE("Without reserve trials every second trial is kept back, and the program exits with 1") {
  const GatedRun gated;
  gated.Copy("changed", [](Json& record) { GatedRun::Scale(record, 1.05); });
  const ProgramResult result = gated.Gate("changed", "run");
  CHECK(result.code == kExitRegression);
  CHECK(result.output.find("gate: regression: 1 regression, 1 identical") == 0);
  CHECK(result.output.find("and on 12 reserve trials 5 %") != std::string::npos);
  CHECK(result.output.find("the baseline has no reserve trials (see --write-baseline)") !=
        std::string::npos);
}

TEST_CASE(
    "Trials that are too few are inconclusive, exit 3, and the number that would do is told") {
  const GatedRun gated;
  gated.Copy("changed", [](Json& record) {
    GatedRun::Scale(record, record["trial"].get<int>() % 2 == 0 ? 1.4 : 0.7);
  });
  const ProgramResult result = gated.Gate("changed");
  CHECK(result.code == kExitInconclusive);
  CHECK(result.output.find("gate: inconclusive: 1 inconclusive, 1 identical") == 0);
  CHECK(result.output.find(" trials would do for all that is inconclusive") != std::string::npos);
}

TEST_CASE("Another scenario, seed or simulator is incomparable, exit 4, with the place") {
  const GatedRun gated;
  gated.CopyManifest("rate",
                     [](Json& manifest) { manifest["scenario"]["sensors"]["rate_hz"] = 50; });
  const ProgramResult rate = gated.Gate("rate");
  CHECK(rate.code == kExitIncomparable);
  CHECK(rate.output.find("gate: incomparable\n- another scenario: /sensors/rate_hz is 50 here, "
                         "100.0 there\n") == 0);
  gated.CopyManifest("mujoco", [](Json& manifest) { manifest["versions"]["mujoco"] = "9.9"; });
  CHECK(gated.Gate("mujoco").code == kExitIncomparable);
  gated.CopyManifest("metric", [](Json& manifest) {
    manifest["metrics"]["other"] = {{"unit", "1"}, {"components", Json::array()}};
    manifest["scenario"]["gate"]["metric"] = "other";
  });
  CHECK(gated.Gate("metric").output == "gate: incomparable\n- the baseline has no other\n");
}

TEST_CASE("What does not change a trial does not matter, nor another arithmetic, which is told") {
  const GatedRun gated;
  gated.CopyManifest("free", [](Json& manifest) {
    manifest["scenario"]["title"] = "other";
    manifest["scenario"]["estimators"]["wls"]["reweightings"] = 7;
    manifest["fingerprint"] = "other";
  });
  const ProgramResult result = gated.Gate("free");
  CHECK(result.code == kExitFine);
  CHECK(result.output.find("another floating-point arithmetic") != std::string::npos);
}

TEST_CASE("A baseline holds the headline alone, and its reserve has a seed of its own") {
  const GatedRun gated;
  const RunFolder base(gated.Path("base"));
  const RunFolder reserve(gated.Path("base") / kReserveFolder);
  CHECK(base.manifest().metrics.size() == 1);
  CHECK(reserve.manifest().trials == 20);
  CHECK(reserve.manifest().seed == ReserveSeed(1));
  CHECK(reserve.manifest().seed != base.manifest().seed);
  CHECK_FALSE(std::filesystem::exists(gated.Path("base.part")));
  CHECK(ReadText(gated.Path("base") / "records.jsonl").find("\"x\"") == std::string::npos);
}

TEST_CASE("A/A prints how often the gate alarms, and refuses sides of one seed") {
  const GatedRun gated;
  const ProgramResult result = Call(
      {"gate", gated.Path("run"), "--baseline", gated.Path("base"), "--aa", "200", "--jobs", "1"});
  CHECK(result.code == kExitFine);
  CHECK(result.output.find("A/A: 2 cells and estimators, seeds ") == 0);
  CHECK(result.output.find(" of 200 = ") != std::string::npos);
  const ProgramResult same =
      Call({"gate", gated.Path("run"), "--baseline", gated.Path("run"), "--aa"});
  CHECK(same.code == kExitUsage);
  CHECK(same.errors.find("--aa: the baseline has the run's seed and no reserve trials") == 0);
}

TEST_CASE("The self-test finds all that it plants in records, and says what it is") {
  const GatedRun gated(0.03);  // lost samples are told from 936 trials then, not from 2,000
  const TemporaryFolder folder;
  {
    const Redirected errors(stderr, folder.path() / "err");
    const Redirected output(stdout, folder.path() / "out");
    CHECK(TellsPlantedRecords(gated.Path("run"), 1));
  }
  const std::string output = ReadText(folder.path() / "out");
  for (const char* line : {"ok   nothing: green\n", "ok   5 % less accuracy: red: cell 0, ols: ",
                           "ok   failures: red: cell 0, ols: ", "ok   10 % lost samples: red: "}) {
    CAPTURE(line);
    CHECK(output.find(line) != std::string::npos);
  }
}

TEST_CASE("A call of the gate that lacks something is told what") {
  CHECK(Call({"gate"}).errors == "gate: which run folder?\n");
  CHECK(Call({"gate", "x"}).errors ==
        "gate: against which baseline? Name it with --baseline, or make one with "
        "--write-baseline\n");
  CHECK(Call({"gate", "x", "--jobs", "0"}).errors == "--jobs: at least 1\n");
  CHECK(Call({"gate", "--workloads", "fast"}).errors ==
        "--workloads: got 'fast'\n  accepted here: count, slow, time\n");
  CHECK(Call({"gate", "x", "--against", "y", "--pairs", "3"}).errors ==
        "--pairs: at least 6: fewer cannot show anything\n");
}

TEST_CASE("Runs and estimators are compared by the program, as a table or as JSON") {
  const GatedRun gated;
  gated.Copy("changed", [](Json& record) { GatedRun::Scale(record, 0.9); });
  const std::string run = gated.Path("run");
  const ProgramResult table = Call({"compare", run, gated.Path("changed")});
  CHECK(table.code == kExitFine);
  CHECK(table.output.find("## base_parameter_relative_error\n") == 0);
  CHECK(table.output.find("-10 % [-10, -10]") != std::string::npos);
  CHECK(Call({"compare", run, run}).output.find("byte for byte") != std::string::npos);
  const Json json =
      Json::parse(Call({"compare", run, "--estimators", "ols,wls", "--format", "json"}).output);
  CHECK(json["pairs"].size() == 1);
  CHECK(json["pairs"][0]["b"]["label"] == "wls");
}

TEST_CASE("A comparison that cannot be made is told what it lacks") {
  const GatedRun gated;
  const std::string run = gated.Path("run");
  CHECK(Call({"compare"}).errors == "compare: which run folders?\n");
  CHECK(Call({"compare", run}).errors ==
        "compare: with which other run folder? Or which --estimators of this one?\n");
  CHECK(Call({"compare", run, run, "--estimators", "ols,wls"}).errors ==
        "--estimators compares estimators of one run: give one folder\n");
  CHECK(Call({"compare", run, "--estimators", "ols"}).errors ==
        "--estimators: name two or more, between commas; the first is compared with each of the "
        "others\n");
  CHECK(Call({"compare", run, "--estimators", "ols,wsl"}).errors ==
        "the run has no estimator \"wsl\"\n  accepted here: ols, wls\n  did you mean 'wls'?\n");
  CHECK(Call({"compare", run, run, "--format", "html"}).errors ==
        "--format: got 'html'\n  accepted here: md, json\n");
  CHECK(Call({"compare", run, run, "--metric", "nees"}).errors ==
        "--metric: the run has no metric \"nees\"\n  accepted here: "
        "base_parameter_relative_error\n");
  CHECK(Call({"compare", run, run, "--better", "more"}).errors ==
        "--better: got 'more'\n  accepted here: lower, higher\n");
}

}  // namespace
}  // namespace idbench
