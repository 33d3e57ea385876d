#include "reports/gate/gate_options.h"

#include <doctest/doctest.h>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

RunManifest Gated(const char* scenario) {
  RunManifest manifest;
  *manifest.scenario = Json::parse(scenario);
  manifest.metrics = {{"rmse@validation", "N·m", {}, Better::kLower},
                      {"fraction", "1", {}, Better::kHigher},
                      {"nees", "1", {}}};
  return manifest;
}

TEST_CASE(
    "Without headlines the first metric is the default, and says itself which values are better") {
  const GateRules rules = GateRulesOf(Gated(R"({"gate": {"alpha": 0.01}})"), "m");
  CHECK(rules.metrics == std::vector<GateMetric>{{"rmse@validation", Better::kLower, 0.02, 0.04}});
  CHECK(rules.alpha == 0.01);
  CHECK(GateRulesOf(Gated(R"({"gate": {"metric": "fraction"}})"), "m").metrics[0].better ==
        Better::kHigher);
  CHECK(GateRulesOf(Gated(R"({"gate": {"better": "higher"}})"), "m").metrics[0].better ==
        Better::kHigher);
}

TEST_CASE("The default is the first headline metric of the end that ranks, where there is one") {
  RunManifest manifest = Gated("{}");
  RunMetric headline{"error@validation@t=5", "1", {}, Better::kLower};
  headline.headline = true;
  manifest.metrics.push_back(headline);
  headline.name = "coverage95";
  headline.better = {};
  manifest.metrics.push_back(headline);
  CHECK(GateRulesOf(manifest, "m").metrics[0].name == "rmse@validation");  // none yet
  headline.name = "error@validation";
  headline.better = Better::kLower;
  manifest.metrics.push_back(headline);
  CHECK(GateRulesOf(manifest, "m").metrics[0].name == "error@validation");
}

TEST_CASE("What cannot be gated is refused with the place") {
  CHECK_THROWS_WITH_AS(GateRulesOf(Gated(R"({"gate": {"metric": "ness"}})"), "m"),
                       "m: /scenario/gate/metric: the run has no metric \"ness\"\n"
                       "  accepted here: rmse@validation, fraction, nees\n  did you mean 'nees'?",
                       ConfigError);
  CHECK_THROWS_WITH_AS(GateRulesOf(Gated(R"({"gate": {"metric": "nees"}})"), "m"),
                       "m: /scenario/gate/better: nees does not say which of its values are "
                       "better\n  say \"lower\" or \"higher\", or gate another metric",
                       ConfigError);
  RunManifest none = Gated("{}");
  none.metrics.clear();
  CHECK_THROWS_WITH_AS(GateRulesOf(none, "m"), "m: /metrics: none: there is nothing to gate",
                       ConfigError);
  CHECK_THROWS_WITH_AS(
      GateRulesOf(Gated(R"({"gate": {"tolerance": 0.05, "must_find": 0.05}})"), "m"),
      "m: /scenario/gate/must_find: 0.05 is not above the tolerance, 0.05\n"
      "  a change of the tolerance is no regression; twice as much is usual",
      ConfigError);
}

TEST_CASE("Several metrics have their own tolerances, or those of the gate") {
  const GateRules rules = GateRulesOf(Gated(R"({"gate": {"tolerance": 0.1, "must_find": 0.15,
    "metrics": {"rmse@validation": {}, "fraction": {"tolerance": 0.03},
                "nees": {"better": "lower", "must_find": 0.5}}}})"),
                                      "m");
  CHECK(rules.metrics == std::vector<GateMetric>{{"rmse@validation", Better::kLower, 0.1, 0.15},
                                                 {"fraction", Better::kHigher, 0.03, 0.06},
                                                 {"nees", Better::kLower, 0.1, 0.5}});
  CHECK_THROWS_WITH_AS(
      GateRulesOf(Gated(R"({"gate": {"metric": "fraction", "metrics": {"fraction": {}}}})"), "m"),
      "m: /scenario/gate/metrics: stands beside /metric or /better\n"
      "  name each metric in /metrics alone, with its own \"better\"",
      ConfigError);
  CHECK_THROWS_WITH_AS(GateRulesOf(Gated(R"({"gate": {"metrics": {"nees": {}}}})"), "m"),
                       "m: /scenario/gate/metrics/nees/better: nees does not say which of its "
                       "values are better\n  say \"lower\" or \"higher\", or gate another metric",
                       ConfigError);
}

RunManifest GatedMotion(const char* scenario) {
  RunManifest manifest = Gated(scenario);
  RunMetric jd{"jd@a", "1", {}, Better::kLower};
  jd.headline = jd.of_motion = jd.interval_scale = true;
  manifest.metrics.insert(manifest.metrics.begin(), jd);
  return manifest;
}

TEST_CASE("A metric of an interval scale has an absolute tolerance alone") {
  const GateRules rules = GateRulesOf(
      GatedMotion(
          R"({"gate": {"must_find": 0.3, "metrics": {"jd@a": {"absolute_tolerance": 3}}}})"),
      "m");
  CHECK(rules.metrics == std::vector<GateMetric>{{"jd@a", Better::kLower, 3.0, 6.0, true}});
  const std::string refused =
      "the 0 of jd@a is a choice, so that ratios of it mean nothing: it has no relative tolerance\n"
      "  give a change that is no regression, in its unit: \"gate\": {\"metrics\": {\"jd@a\": "
      "{\"absolute_tolerance\": 1}}}\n"
      "  or gate another metric";
  const auto message = [](const RunManifest& manifest, const GateChoices& choices = {}) {
    try {
      GateRulesOf(manifest, "m", choices);
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(message(GatedMotion(R"({"gate": {"metric": "jd@a"}})")) ==
        "m: /scenario/gate/metric: " + refused);
  CHECK(message(GatedMotion(R"({"gate": {"metrics": {"jd@a": {"tolerance": 0.1}}}})")) ==
        "m: /scenario/gate/metrics/jd@a: " + refused);
  const RunManifest absolute =
      GatedMotion(R"({"gate": {"metrics": {"jd@a": {"absolute_tolerance": 3}}}})");
  CHECK(message(absolute).empty());
  CHECK(message(absolute, {.tolerance = 0.1}) == "m: /scenario/gate/metrics/jd@a: " + refused);
  CHECK(message(GatedMotion("{}"), {.metric = "jd@a", .tolerates = false}).empty());
  CHECK(message(Gated(R"({"gate": {"metrics": {"fraction": {"absolute_tolerance": 3}}}})")) ==
        "m: /scenario/gate/metrics/fraction: absolute_tolerance is for metrics whose ratios mean "
        "nothing, and fraction has ratios\n"
        "  give a relative change as \"tolerance\"");
  CHECK(message(GatedMotion(R"({"gate": {"metrics": {"jd@a": {"absolute_tolerance": 3,
                                                              "must_find": 3}}}})")) ==
        "m: /scenario/gate/metrics/jd@a/must_find: 3 is not above the tolerance, 3\n"
        "  a change of the tolerance is no regression; twice as much is usual");
}

TEST_CASE("A metric of an interval scale is the usual one only where there is no other") {
  CHECK(GateRulesOf(GatedMotion("{}"), "m").metrics[0].name == "rmse@validation");
  RunManifest alone = GatedMotion("{}");
  alone.metrics.resize(1);
  CHECK_THROWS_WITH_AS(GateRulesOf(alone, "m"),
                       doctest::Contains("/scenario/gate/metric: the 0 of "), ConfigError);
}

TEST_CASE("Metrics that are to be gated and are not there are known before the rules") {
  CHECK(MissingGateMetrics(Gated("{}"), "m").empty());
  CHECK(MissingGateMetrics(Gated(R"({"gate": {"metrics": {"nees": {}, "gone": {}}}})"), "m") ==
        std::vector<std::string>{"gone"});
  CHECK(MissingGateMetrics(Gated("{}"), "m", {.metric = "other"}) ==
        std::vector<std::string>{"other"});
}

TEST_CASE("A call may choose metric, tolerance and α") {
  const RunManifest manifest =
      Gated(R"({"gate": {"must_find": 0.5, "metrics": {"fraction": {"tolerance": 0.03}}}})");
  const GateRules rules =
      GateRulesOf(manifest, "m", {.metric = "fraction", .tolerance = 0.1, .alpha = 0.2});
  CHECK(rules.metrics == std::vector<GateMetric>{{"fraction", Better::kHigher, 0.1, 0.2}});
  CHECK(rules.alpha == 0.2);
  CHECK(GateRulesOf(manifest, "m", {.metric = "nees", .better = Better::kLower}).metrics[0].name ==
        "nees");
}

TEST_CASE("Rules of run and baseline differ where a change could choose its own gate") {
  const auto why = [](const char* run, const char* baseline, const GateChoices& choices = {}) {
    return WhyOtherRules(Gated(run), Gated(baseline), choices);
  };
  CHECK(why(R"({"gate": {"time_tolerance": 0.3, "reserve_trials": 9}})", "{}") == "");
  CHECK(why(R"({"gate": {"metric": "rmse@validation", "must_find": 0.04}})", "{}") == "");
  CHECK(why(R"({"gate": {"tolerance": 10}})", "{}") ==
        "of rmse@validation, lower values are better, 10 is the tolerance and 20 must be found "
        "here; lower, 0.02 and 0.04 in the baseline");
  CHECK(why(R"({"gate": {"tolerance": 10}})", "{}", {.tolerance = 0.05}) == "");
  CHECK(why(R"({"gate": {"metric": "fraction"}})", "{}") ==
        "the gate's metrics are fraction here, rmse@validation in the baseline");
  CHECK(why(R"({"gate": {"alpha": 0.5}})", "{}") ==
        "the gate's alpha is 0.5 here, 0.05 in the baseline");
  CHECK(why(R"({"gate": {"failure_tolerance": 0.5}})", "{}") ==
        "the gate's failure_tolerance is 0.5 here, 0.02 in the baseline");
}

TEST_CASE("Observers are judged where the scenario says so, or no metric ranks estimators") {
  RunManifest manifest = Gated("{}");
  manifest.estimators = {"ols", "wls"};
  manifest.cells.resize(3);
  manifest.observers = {{"T2", {"ols"}}};
  manifest.AppendOtherLabels();
  const RunMetric observed{.name = "auc@contact",
                           .unit = "1",
                           .components = {},
                           .better = Better::kHigher,
                           .headline = true,
                           .observed = true};
  manifest.metrics.insert(manifest.metrics.begin(), observed);
  CHECK(GateRulesOf(manifest, "m").metrics[0].name == "auc@contact");
  const RunMetric error{
      .name = "error", .unit = "1", .components = {}, .better = Better::kLower, .headline = true};
  manifest.metrics.push_back(error);
  CHECK(GateRulesOf(manifest, "m").metrics[0].name == "error");
  const GateRules rules = GateRulesOf(manifest, "m", GateChoices{.metric = "auc@contact"});
  CHECK(rules.metrics[0].better == Better::kHigher);
  CHECK(MostMembers(rules, manifest) == 3);
  CHECK(MostMembers(GateRulesOf(manifest, "m"), manifest) == 6);
}

}  // namespace
}  // namespace idbench
