#include "reports/tables/count_sentences.h"

#include <doctest/doctest.h>

#include "reports/tables/table_run_test.h"

namespace idbench {
namespace {

TEST_CASE("A ratio to a bound of linear estimators says so, in place of its directions") {
  SampleRun run = RunWith({{"cell", 0}}, 2);
  run.manifest["metrics"]["relative_error"]["law"] = "unbiased_bound_ratio";
  std::size_t count = 0;
  run.change = [&count](Json& record) { record["metrics"]["relative_error"]["count"] = count; };
  const std::string linear =
      "- relative_error: of rounded readings the bound is that of linear estimators; with noise "
      "below half a step more can be known, so less than 1 raises no alarm\n";
  const std::string rounded = Tables(run);
  CHECK(rounded.find(linear) != std::string::npos);
  CHECK(rounded.find("over 0") == std::string::npos);
  count = 3;
  CHECK(Tables(run).find("rounded readings") == std::string::npos);
}

TEST_CASE("Metrics and estimators that count over as many share a sentence") {
  SampleRun run = RunWith({{"cell", 0}}, 2);
  run.change = [](Json& record) {
    const bool more = record["estimator"] == "wls" && record["trial"] == 1;
    record["metrics"]["relative_error"]["count"] = 14;
    record["metrics"]["rmse_nm@validation"]["count"] = more ? 15 : 14;
  };
  const std::string text = Tables(run);
  CHECK(text.find("- rmse_nm@validation of wls counts over 14–15\n") != std::string::npos);
  CHECK(text.find("- relative_error of ols, wls count over 14\n") != std::string::npos);
  CHECK(text.find("- rmse_nm@validation of ols counts over 14\n") != std::string::npos);
  run.change = [](Json& record) {
    record["metrics"]["relative_error"]["count"] = 14;
    record["metrics"]["rmse_nm@validation"]["count"] = 14;
  };
  CHECK(Tables(run).find("- rmse_nm@validation, relative_error of ols, wls count over 14\n") !=
        std::string::npos);
}

}  // namespace
}  // namespace idbench
