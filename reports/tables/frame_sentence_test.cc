#include "reports/tables/frame_sentence.h"

#include <doctest/doctest.h>

#include "reports/run/sample_run_test.h"

namespace idbench {
namespace {

/// What is said of a table of one metric, `change` applied to the manifest of a sample run.
std::string FramesSaid(const char* metric, void (*change)(Json& manifest),
                       const std::vector<std::string>& estimators = {}) {
  const TemporaryFolder folder;
  SampleRun run;
  change(run.manifest);
  run.WriteTo(folder.path());
  const RunFolder read(folder.path());
  const Summary summary = Summarise(read);
  const TableOptions options = {
      .rows = TableSide("cell"), .metric = metric, .estimators = estimators};
  return FrameSentence(SelectItems(options, VocabularyOf(read.manifest()), summary),
                       read.manifest());
}

void FrameBoth(Json& manifest) {
  manifest["metrics"]["relative_error"]["framed"] = true;
  manifest["framed"] = {{"ols", "its state"}, {"wls", "its state"}};
}

TEST_CASE("A table says which metrics and methods depend on body frames, and why") {
  CHECK(
      FramesSaid("relative_error", FrameBoth) ==
      "dependent on the choice of body frames: relative_error (others may rank otherwise: none is "
      "the best); ols, wls (its state)");
  CHECK(FramesSaid("rmse_nm@validation", FrameBoth, {"wls"}) ==
        "dependent on the choice of body frames: wls (its state)");
}

TEST_CASE("Of a metric that ranks nothing no rank is denied") {
  CHECK(FramesSaid("relative_error", [](Json& manifest) {
          manifest["metrics"]["relative_error"] = {
              {"unit", "1"}, {"components", Json::array()}, {"framed", true}};
        }) == "dependent on the choice of body frames: relative_error");
}

TEST_CASE("A table says nothing of frames where nothing depends on them") {
  CHECK(FramesSaid("relative_error", [](Json&) {}).empty());
  const auto frame_other = [](Json& manifest) { manifest["framed"] = {{"wls", "bounds"}}; };
  CHECK(FramesSaid("rmse_nm@validation", frame_other, {"ols"}).empty());
}

TEST_CASE("Methods that depend on frames for different reasons are told apart") {
  CHECK(FramesSaid("rmse_nm@validation", [](Json& manifest) {
          manifest["framed"] = {{"ols", "bounds"}, {"wls", "the prior's σ"}};
        }) == "dependent on the choice of body frames: ols (bounds); wls (the prior's σ)");
}

TEST_CASE("What an observer finds with the model of a framed method depends on frames as that") {
  const TemporaryFolder folder;
  SampleRun run;
  run.manifest["framed"] = {{"ols", "bounds"}};
  run.manifest["metrics"]["auc"] = {
      {"unit", "1"}, {"components", Json::array()}, {"observed", true}};
  run.manifest["observers"] = {{{"label", "T2"}, {"models", {"ols", "truth"}}}};
  run.change = [](Json& record) {
    if (record.contains("observer")) record["metrics"] = {{"auc", {{"value", 0.5}}}};
  };
  run.WriteTo(folder.path());
  const RunFolder read(folder.path());
  const Summary summary = Summarise(read);
  const TableOptions options = {.rows = TableSide("cell"), .metric = "auc"};
  CHECK(FrameSentence(SelectItems(options, VocabularyOf(read.manifest()), summary),
                      read.manifest()) == "dependent on the choice of body frames: ols (bounds)");
}

}  // namespace
}  // namespace idbench
