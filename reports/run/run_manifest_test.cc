#include "reports/run/run_manifest.h"

#include <doctest/doctest.h>

#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"
#include "scenarios/options/text_form_test.h"

namespace idbench {
namespace {

std::string ManifestMessage(const Json& manifest) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "manifest.json";
  WriteText(file, manifest.dump());
  return MessageOf(folder.path(), [&] { ReadManifest(file); });
}

TEST_CASE("A manifest is read, and keys that a report has no use for are skipped") {
  SampleRun run;
  run.manifest["absent_metrics"] = {{"nees", "no covariance"}};
  run.manifest["cells"][1]["parameters"] = {"link1.m"};
  run.manifest["cells"][1]["units"] = {"kg"};
  run.manifest["machine"] = {{"cores", 2}};
  run.manifest["fingerprint"] = "00ff";
  run.manifest["new_key"] = 1;
  const TemporaryFolder folder;
  run.WriteTo(folder.path());
  const RunManifest manifest = ReadManifest(folder.path() / "manifest.json");
  CHECK(manifest.Name() == "sample");
  CHECK(manifest.Title() == "A sample run");
  CHECK(manifest.trials == 12);
  CHECK(manifest.cells.size() == 2);
  CHECK(manifest.cells[1].Label() == "torque noise 0.2");
  CHECK(*manifest.cells[1].Find("torque noise") == "0.2");
  CHECK(manifest.cells[1].Find("duration") == nullptr);
  CHECK(manifest.estimators == std::vector<std::string>{"ols", "wls"});
  CHECK(manifest.metrics[0] ==
        RunMetric{"rmse_nm@validation", "N·m", {"joint1", "joint2"}, Better::kLower});
  CHECK(manifest.absent_metrics[0].second == "no covariance");
  CHECK(manifest.marks[0] == "rates are exact (oracle)");
  CHECK(manifest.commit == "abc123");
  CHECK(manifest.cells[1].parameters == std::vector<std::string>{"link1.m"});
  CHECK(manifest.cells[1].units == std::vector<std::string>{"kg"});
  CHECK((*manifest.versions)["idbench"] == "0.1.0");
  CHECK((*manifest.machine)["cores"] == 2);
  CHECK(manifest.fingerprint == "00ff");
}

TEST_CASE("Without a title the name stands in, and a cell without axes has its index") {
  RunManifest manifest;
  *manifest.scenario = {{"name", "sample"}};
  CHECK(manifest.Title() == "sample");
  *manifest.scenario = Json::object();
  CHECK(manifest.Title().empty());
  CHECK(RunCell{3, {}}.Label() == "cell 3");
}

TEST_CASE("A manifest of another format is refused before its keys are looked at") {
  CHECK(ManifestMessage({{"format", 2}, {"trails", 5}}) ==
        "manifest.json: /format: got 2\n"
        "  accepted here: 1\n"
        "  another version of idbench wrote this run folder: report with that one");
}

TEST_CASE("All that is missing from a manifest is reported at once") {
  Json manifest = SampleRun().manifest;
  manifest.erase("cells");
  manifest.erase("seed");
  CHECK(ManifestMessage(manifest) ==
        "manifest.json: /seed: missing\n"
        "  needed here: Seed of all random streams\n"
        "manifest.json: /cells: missing\n"
        "  needed here: Cells of the sweep");
}

TEST_CASE("Contradictions inside a manifest are reported") {
  Json manifest = SampleRun().manifest;
  manifest["scenario"] = 5;
  manifest["machine"] = "mine";
  manifest["cells"][1]["index"] = 7;
  manifest["estimators"] = {"ols", "ols"};
  CHECK(ManifestMessage(manifest) ==
        "manifest.json: /scenario: got 5\n"
        "  accepted here: an object {…}\n"
        "manifest.json: /machine: got \"mine\"\n"
        "  accepted here: an object {…}\n"
        "manifest.json: /cells/1/index: got 7\n"
        "  accepted here: 1, its place in the list\n"
        "manifest.json: /estimators/1: \"ols\" is there twice\n"
        "  labels are unique");
}

TEST_CASE("A manifest that is no object is refused") {
  CHECK(ManifestMessage(Json::array()) ==
        "manifest.json: got a list of 0\n  accepted here: an object {…}");
}

TEST_CASE("A scenario is of recordings if it declares one") {
  CHECK(IsRecording({{"recording", {{"root", "."}}}}));
  CHECK_FALSE(IsRecording({{"recording", nullptr}}));
  CHECK_FALSE(IsRecording(Json::object()));
}

TEST_CASE("Keys of a manifest's metrics, cells and shard are described in one form") {
  RunMetric metric;
  RunCell cell;
  Shard shard;
  for (const FieldTable& table : {Visit(metric), Visit(cell), Visit(shard)}) {
    for (const std::string& fault : FormFaults(SchemaOf(table))) FAIL_CHECK(fault);
  }
}

RunManifest ObservedManifest() {
  SampleRun run;
  run.AddObservers();
  const TemporaryFolder folder;
  run.WriteTo(folder.path());
  return ReadManifest(folder.path() / "manifest.json");
}

TEST_CASE("What observers find stands behind the estimators") {
  const RunManifest manifest = ObservedManifest();
  CHECK(manifest.estimators == std::vector<std::string>{"ols", "wls", "T2 of prior", "T2 of ols",
                                                        "T2 of truth", "force of ols"});
  CHECK(manifest.EstimatorCount() == 2);
  CHECK(!manifest.ObservationAt(0));
  CHECK(!manifest.ObservationAt(1));
  CHECK(!manifest.ObservationAt(6));
  CHECK(manifest.ObservationAt(2)->observer == "T2");
  CHECK(manifest.ObservationAt(2)->model == "prior");
  CHECK(manifest.ObservationAt(4)->model == "truth");
  CHECK(manifest.ObservationAt(5)->observer == "force");
  CHECK(manifest.ObservationAt(5)->model == "ols");
  CHECK(manifest.Labels(MetricSubject::kEstimator) == std::vector<std::string>{"ols", "wls"});
  CHECK(manifest.Labels(MetricSubject::kObserver).size() == 4);
  CHECK(RunManifest().EstimatorCount() == 0);
}

TEST_CASE("Observers that records could not tell apart are refused") {
  Json manifest = SampleRun().manifest;
  manifest["observers"] = {{{"label", "T2"}, {"models", {"ols", "ols"}}},
                           {{"label", "T2"}, {"models", Json::array()}}};
  CHECK(ManifestMessage(manifest) ==
        "manifest.json: /observers/0/models/1: \"ols\" is there twice\n"
        "  labels are unique\n"
        "manifest.json: /observers/1/label: \"T2\" is there twice\n"
        "  labels are unique\n"
        "manifest.json: /observers/1/models: is empty\n"
        "  accepted here: one model or more");
  manifest["observers"] = {{{"label", "T2"}, {"models", {"ols"}}}};
  manifest["estimators"] = {"ols", "T2 of ols"};
  CHECK(ManifestMessage(manifest) ==
        "manifest.json: /observers: \"T2 of ols\" is there twice\n"
        "  labels are unique");
}

TEST_CASE("A request without the argument stands for a metric of observers with any") {
  const RunMetric tpr{
      .name = "detection_tpr(fpr=0.06)@contact", .unit = "1", .components = {}, .observed = true};
  CHECK(tpr.IsRequestedBy("detection_tpr(fpr=0.06)@contact"));
  CHECK(tpr.IsRequestedBy("detection_tpr(fpr=0.06)"));
  CHECK(tpr.IsRequestedBy("detection_tpr@contact"));
  CHECK(tpr.IsRequestedBy("detection_tpr"));
  CHECK(!tpr.IsRequestedBy("detection_tpr(fpr=0.1)"));
  CHECK(!tpr.IsRequestedBy("detection_tpr@other"));
  CHECK(!tpr.IsRequestedBy("detection"));
  // Another metric's parentheses are part of its name.
  const RunMetric other{.name = "f(x=1)@run1", .unit = "1", .components = {}};
  CHECK(other.IsRequestedBy("f(x=1)"));
  CHECK(!other.IsRequestedBy("f@run1"));
}

}  // namespace
}  // namespace idbench
