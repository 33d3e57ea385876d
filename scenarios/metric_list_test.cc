#include "scenarios/metric_list.h"

#include <doctest/doctest.h>

#include <array>

#include "reports/run/metric_name.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/loaded_test.h"

namespace idbench {
namespace {

constexpr auto kListedMetrics = std::to_array<MetricInfo>({
    {.name = "joint_torque_rmse_nm",
     .unit = "N·m",
     .better = Better::kLower,
     .scope = MetricInfo::Scope::kExperiment,
     .components = MetricInfo::Components::kJoints},
    {.name = "joint_torque_rmse_nm(cutoff=2)",
     .unit = "N·m",
     .better = Better::kLower,
     .scope = MetricInfo::Scope::kExperiment,
     .components = MetricInfo::Components::kJoints,
     .beside = "joint_torque_rmse_nm"},
    {.name = "joint_torque_bound_nm",
     .unit = "N·m",
     .scope = MetricInfo::Scope::kExperiment,
     .needs = {Capability::kTruth},
     .bounds = "joint_torque_rmse_nm"},
    {.name = "simulation_sse_angles",
     .unit = "rad²",
     .scope = MetricInfo::Scope::kExperiment,
     .components = MetricInfo::Components::kJoints,
     .needs = {Capability::kTruth, Capability::kTorqueReplay}},
    {.name = "tracking_rmse",
     .unit = "SI",
     .scope = MetricInfo::Scope::kWindow,
     .components = MetricInfo::Components::kUnknowns,
     .needs = {Capability::kTruth}},
});

LoadedScenario LoadListed(Json json) { return LoadSmall(std::move(json), {}, kListedMetrics); }

std::string ListMessage(Json json) { return LoadMessage(std::move(json), {}, kListedMetrics); }

/// SmallSimulation() of standard parameters with two windows.
Json WithWindows() {
  Json json = SmallSimulation();
  json.merge_patch(ParseJson(R"({
    "problem": {"parametrisation": {"type": "standard"}}, "evaluate_at_s": [1],
    "windows": {
      "rest": {"until_s": 2, "unknowns": ["link1.m"]},
      "motion": {"from_s": 2, "until_s": 3, "unknowns": ["link2.m", "link2.mcx"], "settled_fraction": 0.1}}})",
                             "windows"));
  return json;
}

TEST_CASE(
    "A score that is smoothed has itself at other smoothings beside it, and ranks with them") {
  Json json = WithWindows();
  json["metrics"] = {"joint_torque_rmse_nm@identification@t=1"};
  const std::string name = "joint_torque_rmse_nm@identification@t=1";
  const std::string twice = "joint_torque_rmse_nm(cutoff=2)@identification@t=1";
  const LoadedScenario plain = LoadListed(json);
  REQUIRE(plain.metrics.size() == 1);
  CHECK(plain.metrics[0].ranks_with.empty());
  json["scoring"] = {{"cutoff_hz", 5}};
  const LoadedScenario smoothed = LoadListed(json);
  REQUIRE(smoothed.metrics.size() == 2);
  CHECK(smoothed.metrics[0].name == name);
  CHECK(smoothed.metrics[0].ranks_with == std::vector<std::string>{twice});
  CHECK(smoothed.metrics[1].name == twice);
  CHECK(smoothed.metrics[1].ranks_with == std::vector<std::string>{name});
  json["metrics"] = {"joint_torque_rmse_nm(cutoff=2)"};
  json["scoring"] = {{"smoothing", "none"}};
  const LoadedScenario unsmoothed = LoadListed(json);
  CHECK(unsmoothed.metrics.empty());
  REQUIRE(unsmoothed.absent_metrics.size() == 1);
  CHECK(unsmoothed.absent_metrics[0].second ==
        "joint_torque_rmse_nm is not smoothed here: see /scoring");
}

TEST_CASE("Metrics of windows are listed per window, with its unknowns and without checkpoints") {
  const LoadedScenario loaded = LoadListed(WithWindows());
  REQUIRE(loaded.metrics.size() == 6);
  CHECK(loaded.metrics[4] == RunMetric{"tracking_rmse@rest", "SI", {"link1.m"}});
  CHECK(loaded.metrics[5] == RunMetric{"tracking_rmse@motion", "SI", {"link2.m", "link2.mcx"}});
  CHECK(loaded.scenario.FindWindow("rest")->settled_fraction == 0.05);
  CHECK(loaded.scenario.FindWindow("moton") == nullptr);
  CHECK(LoadListed(*loaded.expanded).expanded == loaded.expanded);

  Json json = WithWindows();
  json["metrics"] = {"tracking_rmse@motion"};
  json["tables"] =
      Json::parse(R"([{"rows": "component", "columns": "window", "metric": "tracking_rmse"}])");
  REQUIRE(LoadListed(json).metrics.size() == 1);

  json = WithWindows();  // none without windows, unless asked for
  json.erase("windows");
  CHECK(LoadListed(json).absent_metrics.empty());
  json["metrics"] = {"tracking_rmse"};
  CHECK(LoadListed(json).absent_metrics ==
        Labelled<std::string>{{"tracking_rmse", "no windows: see windows"}});
}

TEST_CASE("Headline metrics are of held-out experiments, and of the truth where there is one") {
  using Headline = MetricInfo::Headline;
  auto infos = kListedMetrics;
  infos[0].headline = Headline::kWithoutTruth;
  infos[2].headline = Headline::kAlways;
  const auto headlines = [&](const Json& json) {
    std::vector<std::string> names;
    for (const RunMetric& metric : LoadSmall(json, {}, infos).metrics) {
      if (metric.headline && MetricName(metric.name).checkpoint.empty()) {
        names.push_back(metric.name);
      }
    }
    return names;
  };
  Json json = WithWindows();
  using Names = std::vector<std::string>;
  CHECK(headlines(json) == Names{"joint_torque_bound_nm@identification"});
  json["experiments"]["held out"] = {{"role", "validation"}, {"motion", {{"type", "fourier"}}}};
  CHECK(headlines(json) == Names{"joint_torque_bound_nm@held out"});
}

TEST_CASE("All metrics can be asked for by one word") {
  Json json = WithWindows();
  const LoadedScenario without = LoadListed(json);
  json["metrics"] = {"all"};
  CHECK(LoadListed(json).metrics == without.metrics);
  json["metrics"] = {"all", "simulation_sse_angles"};
  CHECK(LoadListed(json).metrics == without.metrics);
  CHECK(LoadListed(json).absent_metrics.size() == 1);
}

TEST_CASE("A bound names what it bounds, of the same experiment and checkpoint") {
  const LoadedScenario loaded = LoadListed(WithWindows());
  CHECK(loaded.metrics[1].name == "joint_torque_rmse_nm@identification");
  CHECK(loaded.metrics[1].better == Better::kLower);
  CHECK(loaded.metrics[1].bounds.empty());
  CHECK(loaded.metrics[2] == RunMetric{.name = "joint_torque_bound_nm@identification@t=1",
                                       .unit = "N·m",
                                       .components = {},
                                       .bounds = "joint_torque_rmse_nm@identification@t=1",
                                       .bounded = Statistic::kRootMeanSquare});
}

TEST_CASE("Windows, and metrics of them, that make no sense are refused") {
  Json json = WithWindows();
  json["metrics"] = {"tracking_rmse@ret", "tracking_rmse@rest@t=1", "tracking_rmse@t=1"};
  CHECK(ListMessage(json) ==
        "test.json: /metrics/0: no such window: \"ret\"\n"
        "  accepted here: rest, motion\n  did you mean 'rest'?\n"
        "test.json: /metrics/1: tracking_rmse has one value per window, not per checkpoint\n"
        "  write \"tracking_rmse@<window>\"\n"
        "test.json: /metrics/2: tracking_rmse has one value per window, not per checkpoint\n"
        "  write \"tracking_rmse@<window>\"");
  json["windows"] = Json::object();
  json["metrics"] = {"tracking_rmse@rest"};
  CHECK(ListMessage(json) ==
        "test.json: /metrics/0: no such window: \"rest\"\n  declare it in /windows");
  json = WithWindows();
  json["windows"]["rest"] = {{"from_s", 2}, {"until_s", 2}, {"unknowns", Json::array()}};
  CHECK(ListMessage(json) ==
        "test.json: /windows/rest/until_s: is 2 s, not after from_s\n"
        "test.json: /windows/rest/unknowns: is empty\n  name at least one unknown");
  json = WithWindows();
  json["windows"]["t=1"] = json["windows"]["rest"];
  CHECK(ListMessage(json) ==
        "test.json: /windows/t=1: a label must not be empty, contain @, or begin with t=");
}

TEST_CASE("Simulation errors exist of experiments whose torque is a law of time") {
  Json json = WithWindows();
  json.erase("windows");
  json.erase("evaluate_at_s");
  json["metrics"] = {"simulation_sse_angles"};
  CHECK(LoadListed(json).absent_metrics ==
        Labelled<std::string>{
            {"simulation_sse_angles",
             "no torque_replay: torque that depends on the state cannot be replayed"}});
  json["experiments"]["free"] = {{"role", "validation"},
                                 {"control",
                                  {{"type", "torque_replay"},
                                   {"q_rad", {0, 0}},
                                   {"duration_s", 1},
                                   {"actuators", {{"joint1", {{"offset_nm", 1}}}}}}}};
  CHECK(LoadListed(json).metrics ==
        std::vector<RunMetric>{{"simulation_sse_angles@free", "rad²", {"joint1", "joint2"}}});
  json["metrics"] = {"simulation_sse_angles@identification"};
  CHECK(LoadListed(json).absent_metrics.size() == 1);
}

TEST_CASE("Metrics are listed per experiment, with their components") {
  const LoadedScenario loaded = LoadSmall(SmallSimulation());
  REQUIRE(loaded.metrics.size() == 2);
  CHECK(loaded.metrics[0].name == "joint_torque_rmse_nm@identification");
  CHECK(loaded.metrics[0].components == std::vector<std::string>{"joint1", "joint2"});
  CHECK(loaded.metrics[1].name == "base_parameter_relative_error");
  CHECK(loaded.absent_metrics.empty());
}

TEST_CASE("Metrics that need the truth are absent for a recording, and the reason is kept") {
  const TemporaryFolder folder;
  const LoadedScenario loaded = LoadSmall(SmallRecording(folder));
  REQUIRE(loaded.metrics.size() == 1);
  REQUIRE(loaded.absent_metrics.size() == 1);
  CHECK(loaded.absent_metrics[0].first == "base_parameter_relative_error");
  CHECK(loaded.absent_metrics[0].second == "no truth: a recording of a real robot");
}

}  // namespace
}  // namespace idbench
