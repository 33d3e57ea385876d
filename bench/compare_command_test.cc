#include "bench/compare_command.h"

#include <doctest/doctest.h>

#include <string>

#include "bench/gated_run_test.h"
#include "bench/run/exit_code.h"
#include "reports/run/run_folder.h"

namespace idbench {
namespace {

TEST_CASE("Runs and estimators are compared by the program, as a table or as JSON") {
  const GatedRun gated;
  gated.Copy("changed", [](Json& record) { GatedRun::Scale(record, 0.9); });
  const std::string run = gated.Path("run");
  const ProgramResult table = Call({"compare", run, gated.Path("changed")});
  CHECK(table.code == kExitFine);
  CHECK(table.output.find("## base_parameter_relative_error, lower is better\n") == 0);
  CHECK(table.output.find("-10 % [-10, -10]") != std::string::npos);
  CHECK(Call({"compare", run, run}).output.find("byte for byte") != std::string::npos);
  const Json json =
      Json::parse(Call({"compare", run, "--estimators", "ols,wls", "--format", "json"}).output);
  CHECK(json["notes"][0] == "A: ols, B: wls, of " + run);
  CHECK(json["pairs"].size() == 1);
  CHECK(json["pairs"][0]["b"]["label"] == "wls");
  CHECK(Call({"compare", run, "--estimators", "ols,wls,ols"}).errors ==
        "--estimators: ols stands there twice\n  name each once\n");
}

TEST_CASE("A comparison names the metrics of the gate that it leaves out") {
  const TemporaryFolder folder;
  Json json = GatedSimulation();
  json["metrics"] = {"base_parameter_relative_error", "coverage95"};
  json["gate"] = {{"metrics",
                   {{"base_parameter_relative_error", Json::object()},
                    {"coverage95", {{"better", "higher"}}}}}};
  {
    const Redirected errors(stderr, folder.path() / "progress");
    RunScenario(LoadScenario(json, "test", {}, AllMetrics()), {.folder = folder.path() / "run"});
  }
  const std::string run = folder.path() / "run";
  constexpr const char* kNote = "not compared, though gated too: coverage95 (--metric)";
  CHECK(Call({"compare", run, run}).output.find(kNote) != std::string::npos);
  CHECK(Call({"compare", run, "--estimators", "ols,wls"}).output.find(kNote) != std::string::npos);
  CHECK(
      Call({"compare", run, run, "--metric", "base_parameter_relative_error"}).output.find(kNote) ==
      std::string::npos);
}

TEST_CASE("Where the gate names no metric, the torque error on held-out data is compared") {
  const GatedRun gated(SimulationWithoutGateMetric());
  const std::string run = gated.Path("run");
  // The default is not what stands first.
  REQUIRE(RunFolder(run).manifest().metrics.front().name != kHeldOutError);
  const std::string title = std::string("## ") + kHeldOutError + ",";
  CHECK(Call({"compare", run, run}).output.starts_with(title));
  CHECK(Call({"compare", run, "--estimators", "ols,wls"}).output.starts_with(title));
  gated.Copy("changed", [](Json& record) { GatedRun::Scale(record, 0.9, kHeldOutError); });
  const std::string changed = Call({"compare", run, gated.Path("changed")}).output;
  CHECK(changed.starts_with(title));
  CHECK(changed.find("-10 % [-10, -10]") != std::string::npos);
}

TEST_CASE("A comparison tells what pairs its trials") {
  const GatedRun gated;
  /// The run against one whose `wls` is better, with another manifest.
  const auto compared = [&gated](const char* name, const std::function<void(Json&)>& change) {
    gated.Copy(name, [](Json& record) { GatedRun::Scale(record, 0.9); });
    Json manifest = ReadJsonFile(gated.Path(name) / "manifest.json");
    change(manifest);
    std::ofstream(gated.Path(name) / "manifest.json") << manifest.dump();
    return Call({"compare", gated.Path("run"), gated.Path(name)}).output;
  };
  const std::string title =
      compared("title", [](Json& manifest) { manifest["scenario"]["title"] = "t"; });
  CHECK(title.find("- paired by trial; ") != std::string::npos);
  CHECK(title.find("**") != std::string::npos);
  const std::string seed =
      compared("seed", [](Json& manifest) { manifest["scenario"]["seed"] = 77; });
  CHECK(seed.find("- not paired: ") != std::string::npos);
  const std::string sensors = compared("sensors", [](Json& manifest) {
    manifest["scenario"]["sensors"]["joint_torque"]["noise_std_nm"] = 0.2;
  });
  CHECK(sensors.find("- paired by the number of a trial: these are not the same trials, but have "
                     "the same seeds and roll-outs; ") != std::string::npos);
}

TEST_CASE("No side is better where a metric of either run depends on body frames") {
  const GatedRun gated;
  gated.Copy("framed", [](Json& record) { GatedRun::Scale(record, 0.9); });
  Json manifest = ReadJsonFile(gated.Path("framed") / "manifest.json");
  manifest["metrics"]["base_parameter_relative_error"]["framed"] = true;
  std::ofstream(gated.Path("framed") / "manifest.json") << manifest.dump();
  const std::string a = gated.Path("run"), b = gated.Path("framed");
  for (const std::string& text : {Call({"compare", a, b}).output, Call({"compare", b, a}).output}) {
    CHECK(text.find("**") == std::string::npos);
    CHECK(text.find("depends on the choice of body frames") != std::string::npos);
  }
}

TEST_CASE("A run of one trial is compared without a winner") {
  const GatedRun gated(0.02, 1);
  gated.Copy("changed", [](Json& record) { GatedRun::Scale(record, 0.9); });
  const std::string text = Call({"compare", gated.Path("run"), gated.Path("changed")}).output;
  CHECK(text.find("**") == std::string::npos);
  CHECK(text.find("- 1 pair (least adjusted p 1) cannot tell anything apart at 0.05") !=
        std::string::npos);
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
