#include "reports/run/run_record.h"

#include <doctest/doctest.h>

#include <cmath>

#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

RunManifest SampleManifest() {
  const TemporaryFolder folder;
  SampleRun().WriteTo(folder.path());
  return ReadManifest(folder.path() / "manifest.json");
}

std::string RecordTextMessage(const std::string& text) {
  const RunManifest manifest = SampleManifest();
  return MessageOf("no_folder", [&] { ParseRecord(text, manifest, "records.jsonl", 7); });
}

std::string RecordMessage(const Json& record) { return RecordTextMessage(record.dump()); }

TEST_CASE("A record is read") {
  const RunRecord record =
      ParseRecord(SampleRun::Record(1, 10, "wls").dump(), SampleManifest(), "records.jsonl", 1);
  CHECK(record.cell == 1);
  CHECK(record.trial == 10);
  CHECK(record.estimator == 1);
  CHECK(record.rollout == "00000001");
  CHECK(record.ok());
  REQUIRE(record.Find("rmse_nm@validation") != nullptr);
  CHECK(record.Find("rmse_nm@validation")->value.value() == 2.0);
  CHECK(record.Find("rmse_nm@validation")->components == std::vector<double>{1.0, 3.0});
  CHECK(record.Find("nees") == nullptr);
}

TEST_CASE("What trials have in common is their motion, else their roll-out, else nothing") {
  Json json = SampleRun::Record(1, 10, "wls");
  const auto unit = [&json] { return ParseRecord(json.dump(), SampleManifest(), "r", 1).Unit(); };
  CHECK(unit() == "00000001");
  json["motion"] = "m";
  CHECK(unit() == "m");
  json["rollout"] = kNoRollout;
  CHECK(unit() == "m");
  json.erase("motion");
  CHECK(unit() == "failed 10");
}

TEST_CASE("A failed estimate keeps its outcome and its sentence") {
  Json json = SampleRun::Record(0, 0, "ols");
  SampleRun::Fail(json, "rank_deficient", "rank 9 of 10");
  const RunRecord record = ParseRecord(json.dump(), SampleManifest(), "records.jsonl", 1);
  CHECK_FALSE(record.ok());
  CHECK(record.outcome == "rank_deficient");
  CHECK(record.reason == "rank 9 of 10");
  CHECK(record.metrics.empty());
}

TEST_CASE("A failed metric keeps its reason, and what is not finite is a failure") {
  Json json = SampleRun::Record(0, 0, "ols");
  json["metrics"]["rmse_nm@validation"] = {{"failed", "replay diverged"}};
  json["metrics"]["relative_error"] = {{"value", nullptr}, {"count", 14}};
  const RunRecord record = ParseRecord(json.dump(), SampleManifest(), "records.jsonl", 1);
  CHECK(record.Find("rmse_nm@validation")->failure == "replay diverged");
  CHECK_FALSE(record.Find("rmse_nm@validation")->value.has_value());
  CHECK(record.Find("relative_error")->failure == "not finite");
  CHECK(std::isnan(record.Find("relative_error")->value.value()));
  CHECK(record.Find("relative_error")->count.value() == 14);
}

TEST_CASE("A component that is not finite is a failure of its own") {
  Json json = SampleRun::Record(0, 0, "ols");
  json["metrics"]["rmse_nm@validation"] = {{"components", {nullptr, 2.0}}};
  const RunRecord record = ParseRecord(json.dump(), SampleManifest(), "records.jsonl", 1);
  CHECK_FALSE(record.Find("rmse_nm@validation")->value.has_value());
  CHECK(std::isnan(record.Find("rmse_nm@validation")->components[0]));
  CHECK(record.Find("rmse_nm@validation")->components[1] == 2.0);
  CHECK(record.Find("rmse_nm@validation")->failure.empty());
}

TEST_CASE("Text that is not JSON is refused with its line and column") {
  CHECK(RecordTextMessage("{\"cell\": 0,, }").starts_with("records.jsonl: line 7, column 12: "));
  CHECK(RecordTextMessage("{\"cell\": 0, \"cell\": 1}") ==
        "records.jsonl: line 7, /cell: duplicate key\n  remove one of the two");
  CHECK(RecordTextMessage("3") == "records.jsonl: line 7: got 3\n  accepted here: an object {…}");
}

TEST_CASE("All contradictions of a record to the manifest are reported at once") {
  CHECK(RecordMessage({{"cell", 2}, {"trial", -1}, {"estimator", "wsl"}, {"rollout", 5}}) ==
        "records.jsonl: line 7, /cell: got 2\n"
        "  accepted here: an integer below 2, as the manifest says\n"
        "records.jsonl: line 7, /trial: got -1\n"
        "  accepted here: an integer below 12, as the manifest says\n"
        "records.jsonl: line 7, /estimator: got \"wsl\"\n"
        "  accepted here: ols, wls\n"
        "  did you mean 'wls'?\n"
        "records.jsonl: line 7, /rollout: got 5\n"
        "  accepted here: a text in quotes\n"
        "records.jsonl: line 7, /outcome: missing\n"
        "records.jsonl: line 7, /metrics: missing");
}

TEST_CASE("Metrics that contradict the manifest are reported") {
  Json json = SampleRun::Record(0, 0, "ols");
  json["metrics"] = {
      {"rmse_nm", {{"value", 1}}},
      {"rmse_nm@validation", {{"value", "1"}, {"components", {1, "x", 3}}, {"count", -1}}},
      {"relative_error", {{"failed", 1}}}};
  CHECK(RecordMessage(json) ==
        "records.jsonl: line 7, /metrics/rmse_nm: is not a metric of the manifest\n"
        "records.jsonl: line 7, /metrics/rmse_nm@validation/value: got \"1\"\n"
        "  accepted here: a number, or null for one that is not finite\n"
        "records.jsonl: line 7, /metrics/rmse_nm@validation/components: got a list of 3\n"
        "  accepted here: a list of 2: joint1, joint2\n"
        "records.jsonl: line 7, /metrics/rmse_nm@validation/count: got -1\n"
        "  accepted here: an integer, at least 0\n"
        "records.jsonl: line 7, /metrics/relative_error/failed: got 1\n"
        "  accepted here: a text in quotes");
  json["metrics"] = {{"rmse_nm@validation", 1},
                     {"relative_error", {{"value", 1}, {"components", {1}}}}};
  CHECK(RecordMessage(json) ==
        "records.jsonl: line 7, /metrics/rmse_nm@validation: got 1\n"
        "  accepted here: an object {…}\n"
        "records.jsonl: line 7, /metrics/relative_error/components: got a list of 1\n"
        "  accepted here: nothing, the manifest names no components");
  json["metrics"] = {{"rmse_nm@validation", {{"value", 1}}}, {"relative_error", Json::object()}};
  CHECK(RecordMessage(json) ==
        "records.jsonl: line 7, /metrics/rmse_nm@validation/components: missing\n"
        "records.jsonl: line 7, /metrics/relative_error/value: missing");
  json["metrics"] = 4;
  CHECK(RecordMessage(json) ==
        "records.jsonl: line 7, /metrics: got 4\n  accepted here: an object {…}");
}

RunManifest ObservedSample() {
  const TemporaryFolder folder;
  SampleRun run;
  run.AddObservers();
  run.WriteTo(folder.path());
  return ReadManifest(folder.path() / "manifest.json");
}

TEST_CASE("A record of an observer and its model has a place behind the estimators") {
  const RunManifest manifest = ObservedSample();
  const auto estimator = [&](const Json& json) {
    return ParseRecord(json.dump(), manifest, "records.jsonl", 1).estimator;
  };
  CHECK(estimator(SampleRun::Record(0, 0, "wls")) == 1);
  CHECK(estimator(SampleRun::ObserverRecord(0, 0, "T2", "prior")) == 2);
  CHECK(estimator(SampleRun::ObserverRecord(0, 0, "T2", "ols")) == 3);
  CHECK(estimator(SampleRun::ObserverRecord(0, 0, "force", "ols")) == 5);
}

TEST_CASE("An unknown observer, its unknown model and a metric of others are refused") {
  const RunManifest manifest = ObservedSample();
  const auto message = [&](const Json& json) {
    return MessageOf("no_folder", [&] { ParseRecord(json.dump(), manifest, "records.jsonl", 7); });
  };
  CHECK(message(SampleRun::ObserverRecord(0, 0, "T3", "ols"))
            .starts_with("records.jsonl: line 7, /observer: got \"T3\"\n"
                         "  accepted here: T2, force\n"
                         "  did you mean 'T2'?"));
  CHECK(message(SampleRun::ObserverRecord(0, 0, "force", "truth")) ==
        "records.jsonl: line 7, /estimator: got \"truth\"\n"
        "  accepted here: ols");
  Json json = SampleRun::ObserverRecord(0, 0, "T2", "ols");
  json["observer"] = "";
  CHECK(message(json).starts_with("records.jsonl: line 7, /observer: got \"\"\n"));
  json["observer"] = 2;
  CHECK(message(json) ==
        "records.jsonl: line 7, /observer: got 2\n  accepted here: a text in quotes");
  // The label of tables is not that of an estimator.
  CHECK(message(SampleRun::Record(0, 0, "T2 of ols")) ==
        "records.jsonl: line 7, /estimator: got \"T2 of ols\"\n"
        "  accepted here: ols, wls");
  json = SampleRun::Record(0, 0, "ols");
  json["metrics"] = {{"detection_auc@contact", {{"value", 1.0}}}};
  CHECK(message(json) ==
        "records.jsonl: line 7, /metrics/detection_auc@contact: is a metric of observers\n"
        "  the record is of an estimator");
}

}  // namespace
}  // namespace idbench
