#include "bench/gate_command.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/gate/baseline.h"
#include "bench/gate/calibration.h"
#include "bench/gate/gate_run.h"
#include "bench/gate/planted_changes.h"
#include "bench/gated_run_test.h"
#include "bench/metrics/metrics.h"
#include "bench/run/exit_code.h"
#include "bench/run/runner.h"
#include "reports/run/run_folder.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

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

TEST_CASE("A loss that the reserve trials of the same program do not show is open, exit 3") {
  const GatedRun gated;
  gated.Copy("changed", [](Json& record) { GatedRun::Scale(record, 1.05); });
  const ProgramResult result = gated.Gate("changed");
  CHECK(result.code == kExitInconclusive);
  CHECK(result.output.find("but on 20 reserve trials 0 % (p = 1): not confirmed") !=
        std::string::npos);
}

TEST_CASE("A change does not choose its own gate, the command line may") {
  const GatedRun gated;
  gated.CopyManifest("lax", [](Json& manifest) { manifest["scenario"]["gate"]["tolerance"] = 9; });
  const ProgramResult result = gated.Gate("lax");
  CHECK(result.code == kExitIncomparable);
  CHECK(result.output.find("9 is the tolerance and 18 must be found here; lower, 0.02 and 0.04 in "
                           "the baseline; a change does not choose its own gate") !=
        std::string::npos);
  CHECK(gated.Gate("lax", "base", {"--tolerance", "0.1"}).code == kExitFine);
  gated.Copy("changed", [](Json& record) { GatedRun::Scale(record, 1.05); });
  const ProgramResult wide = gated.Gate("changed", "run", {"--tolerance", "0.1"});
  CHECK(wide.code == kExitFine);
  CHECK(wide.output.find("gate: pass: 1 same, 1 identical") == 0);
  CHECK(gated.Gate("changed", "run", {"--tolerance", "0"}).errors ==
        "--tolerance: got 0\n  accepted here: above 0, at most 1000\n");
}

TEST_CASE("Where the scenario names no metric, the torque error on held-out data is gated") {
  const GatedRun gated(SimulationWithoutGateMetric());
  const auto scaled = [&gated](const char* name, const char* metric) {
    gated.Copy(name, [&](Json& record) { GatedRun::Scale(record, 1.05, metric); });
    return gated.Gate(name, "run");
  };
  CHECK(scaled("other", "base_parameter_relative_error").output.find("gate: pass: 2 identical") ==
        0);
  const ProgramResult held_out = scaled("held_out", kHeldOutError);
  CHECK(held_out.code == kExitRegression);
  CHECK(held_out.output.find("gate: regression: 1 regression, 1 identical") == 0);
  // A baseline keeps the metric that its run is gated by.
  CHECK(gated.Gate("other").output.find("gate: pass: 2 identical") == 0);
  const RunFolder base(gated.Path("base"));
  REQUIRE(base.manifest().metrics.size() == 1);
  CHECK(base.manifest().metrics[0].name == kHeldOutError);
}

TEST_CASE("What vanished is told: a metric of an estimator, an estimator, a metric of the run") {
  const GatedRun gated;
  gated.Copy("lost", [](Json& record) {
    if (record["estimator"] == "wls") record["metrics"] = Json::object();
  });
  const ProgramResult lost = gated.Gate("lost");
  CHECK(lost.code == kExitRegression);
  CHECK(lost.output.find("cell 0, wls gives no base_parameter_relative_error any more") !=
        std::string::npos);
  gated.Copy("fewer", [](Json&) {});
  Json manifest = ReadJsonFile(gated.Path("fewer") / "manifest.json");
  manifest["estimators"] = {"ols"};
  std::ofstream(gated.Path("fewer") / "manifest.json") << manifest.dump();
  std::ifstream lines(gated.Path("run") / "records.jsonl");
  std::ofstream kept(gated.Path("fewer") / "records.jsonl");
  for (std::string line; std::getline(lines, line);) {
    if (Json::parse(line)["estimator"] == "ols") kept << line << '\n';
  }
  kept.close();
  const ProgramResult fewer = gated.Gate("fewer");
  CHECK(fewer.code == kExitIncomparable);
  CHECK(fewer.output ==
        "gate: incomparable\n- wls of the baseline is not in the run; "
        "--allow-missing gates the rest\n");
  CHECK(gated.Gate("fewer", "base", {"--allow-missing"}).code == kExitFine);
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
  CHECK(result.output.find("and on 12 reserve trials 5 % (p = 0.00024)") != std::string::npos);
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
  CHECK(result.output.find(" reserve trials would decide all that is inconclusive") !=
        std::string::npos);
  CHECK(gated.Gate("changed", "base", {"--inconclusive-ok"}).code == kExitFine);
  // Nobody failed in 24 trials: 0.05^(1/24) = 0.883.
  CHECK(result.output.find("exclude an increase of the failure rate above 12 %, not of 2 %") !=
        std::string::npos);
}

TEST_CASE("Another scenario, seed or simulator is incomparable, exit 4, with the place") {
  const GatedRun gated;
  gated.CopyManifest("rate",
                     [](Json& manifest) { manifest["scenario"]["sensors"]["rate_hz"] = 50; });
  const ProgramResult rate = gated.Gate("rate");
  CHECK(rate.code == kExitIncomparable);
  CHECK(rate.output.find("gate: incomparable\n- another scenario: /sensors/rate_hz is 50.0 here, "
                         "100.0 there\n") == 0);
  gated.CopyManifest("mujoco", [](Json& manifest) { manifest["versions"]["mujoco"] = "9.9"; });
  CHECK(gated.Gate("mujoco").code == kExitIncomparable);
  gated.CopyManifest("metric", [](Json& manifest) {
    manifest["metrics"]["other"] = {
        {"unit", "1"}, {"components", Json::array()}, {"better", "lower"}};
    manifest["scenario"]["gate"]["metric"] = "other";
  });
  CHECK(gated.Gate("metric").output.find("the gate's metrics are other here, "
                                         "base_parameter_relative_error in the baseline") !=
        std::string::npos);
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

TEST_CASE("Another input is incomparable, exit 4; another program is compared, and told") {
  const GatedRun gated;
  gated.CopyManifest("input", [](Json& manifest) {
    manifest["inputs"]["/robot/model"]["planar1.xml"] = std::string(64, 'f');
  });
  const ProgramResult input = gated.Gate("input");
  CHECK(input.code == kExitIncomparable);
  CHECK(input.output.find("gate: incomparable\n- another input: planar1.xml of /robot/model is "
                          "sha256:ffffffffffff… here, sha256:") == 0);
  gated.CopyManifest("program", [](Json& manifest) { manifest["commit"] = "0123456789ab"; });
  const ProgramResult program = gated.Gate("program");
  CHECK(program.code == kExitFine);
  CHECK(program.output.find("the runs are of different programs: /commit is \"") !=
        std::string::npos);
  CHECK(program.output.find(" in the baseline, \"0123456789ab\" in the run") != std::string::npos);
  gated.CopyManifest("older", [](Json& manifest) { manifest.erase("inputs"); });
  const ProgramResult older = gated.Gate("run", "older");
  CHECK(older.code == kExitFine);
  CHECK(older.output.find("the baseline does not tell its inputs") != std::string::npos);
  CHECK(gated.Gate().output.find("different programs") == std::string::npos);
}

TEST_CASE("A baseline holds the headline alone, and its reserve the trials behind its own") {
  const GatedRun gated;
  const RunFolder base(gated.Path("base"));
  const RunFolder reserve(gated.Path("base") / kReserveFolder);
  CHECK(base.manifest().metrics.size() == 1);
  CHECK(reserve.manifest().trials == 20);
  CHECK(reserve.manifest().seed == base.manifest().seed);
  CHECK(reserve.manifest().scenario->at("first_trial") == base.manifest().trials);
  CHECK_FALSE(std::filesystem::exists(gated.Path("base.part")));
  CHECK(ReadText(gated.Path("base") / "records.jsonl").find("\"x\"") == std::string::npos);
}

TEST_CASE("A metric that run or baseline lacks is told with its side, exit 4") {
  const GatedRun gated;
  gated.Copy("gone", [](Json& record) { record["metrics"] = Json::object(); });
  Json manifest = ReadJsonFile(gated.Path("gone") / "manifest.json");
  manifest["metrics"] = {
      {"other", {{"unit", "1"}, {"components", Json::array()}, {"better", "lower"}}}};
  manifest["scenario"]["gate"]["metric"] = "base_parameter_relative_error";
  std::ofstream(gated.Path("gone") / "manifest.json") << manifest.dump();
  const ProgramResult gone = gated.Gate("gone");
  CHECK(gone.code == kExitIncomparable);
  CHECK(gone.output ==
        "gate: incomparable\n- the run has no base_parameter_relative_error any more, which the "
        "baseline is gated by\n");
  const ProgramResult asked = gated.Gate("gone", "base", {"--metric", "other"});
  CHECK(asked.code == kExitIncomparable);
  CHECK(asked.output ==
        "gate: incomparable\n- the baseline has no other; make it anew with --write-baseline\n");
  CHECK(gated.Gate("run", "base", {"--better", "more"}).errors ==
        "--better: got 'more'\n  accepted here: lower, higher\n");
}

TEST_CASE("Fewer trials than the baseline has are judged, and it is said") {
  const GatedRun gated;
  gated.CopyManifest("fewer", [](Json& manifest) {
    manifest["trials"] = 12;
    manifest["scenario"]["trials"] = 12;
  });
  std::ifstream lines(gated.Path("run") / "records.jsonl");
  std::ofstream kept(gated.Path("fewer") / "records.jsonl");
  for (std::string line; std::getline(lines, line);) {
    if (Json::parse(line)["trial"].get<int>() < 12) kept << line << '\n';
  }
  kept.close();
  const ProgramResult result = gated.Gate("fewer");
  CHECK(result.code == kExitFine);
  CHECK(result.output.find(
            "trials of the run: 12, of the baseline: 24; only the first 12 are judged") !=
        std::string::npos);
}

TEST_CASE("A/A gates runs with fresh noise, and nothing alarms where nothing changed") {
  const GatedRun gated;
  const ProgramResult open = gated.Gate("run", "base", {"--aa", "2"});
  CHECK(open.code == kExitInconclusive);
  CHECK(open.output.find("  no gate decided: this tells nothing of false alarms") !=
        std::string::npos);
  CHECK(gated.Gate("run", "base", {"--aa", "2", "--inconclusive-ok"}).code == kExitFine);
  const ProgramResult result = gated.Gate("run", "base", {"--aa", "5", "--tolerance", "9"});
  CHECK(result.code == kExitFine);
  CHECK(result.output.find("no gate decided") == std::string::npos);
  CHECK(result.output.find("A/A: 2 subjects, 5 runs with fresh noise and nothing else changed\n"
                           "  false alarms: 0 of 5 = 0.0 %") == 0);
  CHECK(result.output.find("no contradiction (p = 1)") != std::string::npos);
  CHECK(gated.Gate("run", "base", {"--aa", "0"}).errors == "--aa: at least 1 run\n");
  gated.CopyManifest("rate",
                     [](Json& manifest) { manifest["scenario"]["sensors"]["rate_hz"] = 50; });
  CHECK(gated.Gate("rate", "base", {"--aa", "1"})
            .errors.find("the run is not of the baseline's scenario: ") != std::string::npos);
}

TEST_CASE("A/A fails where runs differ by 50 % more than by noise") {
  const GatedRun gated(0.02, 80, 80);
  const RecordSource worse =
      ChangedRecords(RecordsRunHere(1), [](Json& record) { GatedRun::Scale(record, 1.5); });
  const Calibration calibration = CalibrateGate(gated.Path("run"), gated.Path("base"), 4, worse);
  CHECK(calibration.alarms == 4);
  CHECK(calibration.p() == doctest::Approx(std::pow(0.05, 4)));
  CHECK(calibration.failed());
  CHECK(RenderCalibration(calibration).find("FAILED") != std::string::npos);
}

TEST_CASE("The self-test finds all that it plants in records, and says what it is") {
  const GatedRun gated(0.03);
  const TemporaryFolder folder;
  {
    const Redirected errors(stderr, folder.path() / "err");
    const Redirected output(stdout, folder.path() / "out");
    CHECK(TellsPlantedRecords(gated.Path("run"), 1));
  }
  const std::string output = ReadText(folder.path() / "out");
  for (const std::string& line : std::vector<std::string>{
           "ok   nothing: green\n", "ok   9 % less accuracy: red: cell 0, ols: ",
           "ok   failures: red: cell 0, ols: 12 of 24 trials failed (diverged: planted), 0 before",
           "ok   16 % lost samples: red: "}) {
    CAPTURE(line);
    CHECK(output.find(line) != std::string::npos);
  }
}

TEST_CASE("The self-test plants in the first estimator that does not fail, and names others") {
  const GatedRun gated(0.03);
  gated.Copy("failed", [](Json& record) {
    if (record["estimator"] != "ols") return;
    record["outcome"] = "refused";
    record["reason"] = "it wants masses";
    record["metrics"] = Json::object();
  });
  const TemporaryFolder folder;
  {
    const Redirected errors(stderr, folder.path() / "err");
    const Redirected output(stdout, folder.path() / "out");
    CHECK(TellsPlantedRecords(gated.Path("failed"), 1));
  }
  const std::string output = ReadText(folder.path() / "out");
  CAPTURE(output);
  CHECK(output.find("---  ols: nothing is planted, for all its estimates fail: refused: it wants "
                    "masses\n") == 0);
  CHECK(output.find("ok   failures: red: cell 0, wls: ") != std::string::npos);
}

TEST_CASE("The self-test says where lost samples leave the metric as it is") {
  const TemporaryFolder folder;
  {
    const Redirected errors(stderr, folder.path() / "err");
    const Redirected output(stdout, folder.path() / "out");
    Json json = GatedSimulation();
    json["metrics"] = {"coverage95"};
    json["estimators"].erase("wls");
    json["trials"] = 60;
    json["gate"] = {{"metric", "coverage95"}, {"better", "higher"}, {"tolerance", 0.1}};
    RunScenario(LoadScenario(json, "test", {}, AllMetrics()), {.folder = folder.path() / "run"});
    CHECK(TellsPlantedRecords(folder.path() / "run", 1));
  }
  const std::string output = ReadText(folder.path() / "out");
  CHECK(output.find("ok   30 % less accuracy: red: ") != std::string::npos);
  CHECK(output.find("---  41 % lost samples: coverage95 changes by ") != std::string::npos);
}

TEST_CASE("A baseline of another program's run is written with a note") {
  const GatedRun gated;
  gated.CopyManifest("other", [](Json& manifest) { manifest["commit"] = "0123456789ab"; });
  const ProgramResult result =
      Call({"gate", gated.Path("other"), "--write-baseline", gated.Path("new"), "--jobs", "1"});
  CHECK(result.code == kExitFine);
  CHECK(result.errors.find("note: the runs are of different programs: /commit is "
                           "\"0123456789ab\" in the run, ") != std::string::npos);
}

TEST_CASE("A baseline replaces a baseline and nothing else") {
  const GatedRun gated;
  const auto write = [&gated](const std::string& to) {
    return Call({"gate", gated.Path("run"), "--write-baseline", gated.Path(to), "--jobs", "1"});
  };
  gated.Gate("base", "run");  // exchanged: it leaves gate.json in the baseline
  REQUIRE(std::filesystem::exists(gated.Path("base") / "gate.json"));
  CHECK(write("base").code == kExitFine);
  CHECK_FALSE(std::filesystem::exists(gated.Path("base") / "gate.json"));
  const ProgramResult own = write("run");
  CHECK(own.code == kExitUsage);
  CHECK(own.errors.find("is no baseline that could be replaced: it holds ") != std::string::npos);
  CHECK(RunFolder(gated.Path("run")).manifest().metrics.size() == 1);
  std::ofstream(gated.Path("file")) << "x";
  CHECK(write("file").errors ==
        "--write-baseline: " + gated.Path("file").string() + " is no folder\n");
  gated.CopyManifest("shard", [](Json& manifest) {
    manifest["shard"] = {{"index", 1}, {"count", 2}};
  });
  CHECK(Call({"gate", gated.Path("shard"), "--write-baseline", gated.Path("new"), "--jobs", "1"})
            .errors.find("the run is a shard") != std::string::npos);
}

TEST_CASE("No trials are run for a run whose files have changed since") {
  const GatedRun gated;
  gated.CopyManifest("other", [](Json& manifest) {
    for (auto& [name, hash] : manifest["inputs"]["/robot/model"].items()) hash = "0";
  });
  const ProgramResult result =
      Call({"gate", gated.Path("other"), "--write-baseline", gated.Path("new"), "--jobs", "1"});
  CHECK(result.code == kExitUsage);
  CHECK(result.errors.find("has changed since that run") != std::string::npos);
}

TEST_CASE("A call of the gate that lacks something is told what") {
  CHECK(Call({"gate"}).errors == "gate: which run folder?\n");
  CHECK(Call({"gate", "x"}).errors ==
        "gate: against which baseline? Name it with --baseline, or make one with "
        "--write-baseline\n");
  CHECK(Call({"gate", "x", "--jobs", "0"}).errors == "--jobs: at least 1\n");
  CHECK(Call({"gate", "--workloads", "fast"}).errors ==
        "--workloads: got 'fast'\n  accepted here: count, slow, time\n");
  CHECK(Call({"gate", "x", "--aa", "3", "--self-test"}).errors ==
        "gate: --aa, --self-test in one call\n  give one of them\n");
  CHECK(Call({"gate", "x", "--baseline", "y", "--write-baseline", "z"}).errors ==
        "gate: --write-baseline compares with no baseline\n"
        "  leave out --baseline, or gate in a call of its own\n");
  CHECK(Call({"gate", "x", "--baseline", "y", "--self-test"}).errors ==
        "gate: --self-test compares with no baseline\n"
        "  leave out --baseline, or gate in a call of its own\n");
  CHECK(Call({"gate", "x", "--baseline", "y", "--pairs", "7"}).errors ==
        "--pairs: needs --against, the program to compare with\n");
  CHECK(Call({"gate", "x", "--instructions", "--baseline", "y"}).errors ==
        "gate: --instructions counts fixed workloads: a run folder means nothing for it\n");
  CHECK(Call({"gate", "--instructions", "--tolerance", "1", "--baseline", "y"}).errors ==
        "gate: --instructions counts fixed workloads: --tolerance means nothing for it\n");
  CHECK(Call({"gate", "x", "--against", "y", "--pairs", "3"}).errors ==
        "--pairs: at least 6: fewer cannot show anything\n");
}

}  // namespace
}  // namespace idbench
