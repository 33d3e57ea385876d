#include "reports/tables/fit_sentences.h"

#include <doctest/doctest.h>

#include <optional>

#include "reports/run/sample_run_test.h"
#include "reports/tables/table.h"

namespace idbench {
namespace {

/// Numbers of a record that should be 1.
struct Numbers {
  double chi_square = 1.0, over_sigma = 1.0, nis = 1.0;
  int freedom = 10000;
  std::optional<double> nis_of_first = {};  ///< In trial 0, in place of `nis`.
};

/// Sentences about `ols` and `wls` with these numbers in both cells.
std::vector<std::string> Sentences(const Numbers& ols, const Numbers& wls = {},
                                   const Json& more = Json::object()) {
  const TemporaryFolder folder;
  SampleRun run;
  const auto metric = [](const char* unit) {
    return Json{{"unit", unit}, {"components", Json::array()}};
  };
  run.manifest["metrics"]["chi_square"] = metric("1");
  run.manifest["metrics"]["nis"] = metric("1");
  run.manifest["metrics"]["joint_torque_rmse_over_sigma@a"] = metric("1");
  run.manifest["metrics"]["joint_torque_rmse_over_sigma@b"] = metric("1");
  run.manifest["scenario"]["experiments"] = {{"a", {{"role", "identification"}}},
                                             {"b", {{"role", "validation"}}}};
  run.manifest.merge_patch(more);
  run.change = [&](Json& record) {
    const Numbers& of = record["estimator"] == "ols" ? ols : wls;
    Json& metrics = record["metrics"];
    metrics["chi_square"] = {{"value", of.chi_square * of.freedom}, {"count", of.freedom}};
    const bool is_first = record["trial"] == 0;
    metrics["nis"] = {{"value", is_first ? of.nis_of_first.value_or(of.nis) : of.nis}};
    metrics["joint_torque_rmse_over_sigma@a"] = {{"value", of.over_sigma}};
    metrics["joint_torque_rmse_over_sigma@b"] = {{"value", 50.0}};
  };
  run.WriteTo(folder.path());
  const RunFolder read(folder.path());
  const Summary summary = Summarise(read);
  const TableOptions options = {.rows = TableSide("cell"), .metric = "relative_error"};
  return FitSentences(SelectItems(options, VocabularyOf(read.manifest()), summary),
                      read.manifest());
}

TEST_CASE("Of residuals as large as σ says nothing is said, whatever held-out data show") {
  CHECK(Sentences({}).empty());
  CHECK(Sentences({.chi_square = 1.09, .over_sigma = 1.04, .nis = 0.92}).empty());
}

TEST_CASE("Residuals beyond the band are told in σ, of each estimator, with what may be wrong") {
  CHECK(Sentences({.chi_square = 7225.0, .over_sigma = 85.0, .nis = 7651.0}) ==
        std::vector<std::string>{
            "residuals are larger than the declared σ: ols 85 σ (χ²/dof 7.22e+03, rms over σ 85, "
            "NIS 7.65e+03, in 2 of 2 cells); accepted is χ²/dof or, without it, rms over σ of "
            "0.9–1.1, more where data are few: the model lacks something that moves the torques, "
            "or σ is too small"});
  CHECK(Sentences({.chi_square = 1.21}, {.chi_square = 4.0})
            .front()
            .starts_with("residuals are larger than the declared σ: ols 1.1 σ (χ²/dof 1.21, rms "
                         "over σ 1, NIS 1, in 2 "
                         "of 2 cells), wls 2 σ ("));
}

TEST_CASE("Residuals below the band, and innovations alone, have sentences of their own") {
  const auto small = Sentences({.chi_square = 0.25, .over_sigma = 0.5});
  REQUIRE(small.size() == 1);
  CHECK(small.front().starts_with("residuals are smaller than the declared σ: ols 0.5 σ ("));
  CHECK(small.front().ends_with(
      "σ is too large, or what was measured was smoothed after it was declared"));
  const auto innovations = Sentences({.nis = 3.0});
  REQUIRE(innovations.size() == 1);
  CHECK(innovations.front().starts_with(
      "innovations do not have the size that filters state: ols (χ²/dof 1, rms over σ 1, NIS 3, "));
}

TEST_CASE("An extreme trial does not excuse the others, of which none is near 1") {
  // As of a filter with NIS 17 to 261 in five trials: the spread of the mean covers 1.
  const auto sentences = [](double common) {
    return Sentences({.nis = common, .nis_of_first = 4000.0});
  };
  CHECK(sentences(17.0).size() == 1);
  CHECK(sentences(1.0).empty());
}

TEST_CASE("Few degrees of freedom leave more to chance") {
  // 12 trials of 2: a standard deviation of the mean of √(2/24) = 0.29.
  CHECK(Sentences({.chi_square = 1.8, .freedom = 2}).empty());
  CHECK(Sentences({.chi_square = 2.1, .freedom = 2}).size() == 1);
}

TEST_CASE("A method that takes no data has no residuals of its own") {
  CHECK(Sentences({.chi_square = 7225.0}, {}, {{"untaught", Json::array({"ols"})}}).empty());
}

}  // namespace
}  // namespace idbench
