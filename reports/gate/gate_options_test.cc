#include "reports/gate/gate_options.h"

#include <doctest/doctest.h>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("Gate options are read from the scenario of the manifest, its first metric the default") {
  RunManifest manifest;
  *manifest.scenario = Json::parse(R"({"gate": {"alpha": 0.01}})");
  manifest.metrics = {{"rmse@validation", "N·m", {}}, {"nees", "1", {}}};
  CHECK(GateOptionsOf(manifest, "m").metric == "rmse@validation");
  CHECK(GateOptionsOf(manifest, "m").alpha == 0.01);
  *manifest.scenario = Json::parse(R"({"gate": {"metric": "ness"}})");
  CHECK_THROWS_WITH_AS(GateOptionsOf(manifest, "m"),
                       "m: /scenario/gate/metric: the run has no metric \"ness\"\n"
                       "  accepted here: rmse@validation, nees\n  did you mean 'nees'?",
                       ConfigError);
  manifest.metrics.clear();
  *manifest.scenario = Json::object();
  CHECK_THROWS_WITH_AS(GateOptionsOf(manifest, "m"), "m: /metrics: none: there is nothing to gate",
                       ConfigError);
}

TEST_CASE("Which values are better is as the gate says, else as the metric says, else the lower") {
  RunManifest manifest;
  manifest.metrics = {{"fraction", "1", {}, Better::kHigher}, {"rmse", "1", {}}};
  CHECK(BetterOf(manifest, "fraction") == Better::kHigher);
  CHECK(BetterOf(manifest, "rmse") == Better::kLower);
  *manifest.scenario = Json::object();
  CHECK(GateOptionsOf(manifest, "m").better == Better::kHigher);
  *manifest.scenario = Json::parse(R"({"gate": {"better": "lower"}})");
  CHECK(GateOptionsOf(manifest, "m").better == Better::kLower);
  *manifest.scenario = Json::parse(R"({"gate": {"metric": "rmse"}})");
  CHECK(GateOptionsOf(manifest, "m").better == Better::kLower);
}

}  // namespace
}  // namespace idbench
