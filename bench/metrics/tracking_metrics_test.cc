#include "bench/metrics/tracking_metrics.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "bench/metrics/metric_value_test.h"
#include "bench/metrics/metrics.h"
#include "bench/metrics/tracked_run_test.h"
#include "bench/small_run_test.h"
#include "bench/trial/labelled_estimators.h"
#include "estimators/interface/sample.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("Errors over a window are those of their definitions") {
  TrackedRun run(PayloadScenario());
  // 40 % off, falling by 10 % of the truth every 0.1 s from 0.5 s on, then 1 % off.
  const auto error = [](double t_s) {
    return std::max(0.4 - std::max(t_s - 0.5, 0.0), 0.01) * (t_s < 1.2 ? 1.0 : -1.0);
  };
  const auto values = run.Judge(run.Track(error, 0.05));
  const MetricValue& worst = Find(values, "tracking_max_error_fraction@rest");
  CHECK(*worst.value == doctest::Approx(0.4));
  CHECK(worst.components.size() == 1);
  // Below 5 % from 0.85 s on, and below 10 % from 0.8 s on, to a sample of 0.01 s.
  CHECK(*Find(values, "tracking_settling_s@rest").value == doctest::Approx(0.35).epsilon(0.03));
  const MetricValue& moments = Find(values, "tracking_settling_s@moments");
  CHECK(moments.components[1] == doctest::Approx(0.3).epsilon(0.04));
  CHECK(*moments.value == std::max(moments.components[0], moments.components[1]));
  CHECK(*Find(values, "tracking_settling_s@ramp").value == 0.0);
  CHECK(*Find(values, "tracking_reaching_s@rest").value ==
        *Find(values, "tracking_settling_s@rest").value);

  // 1 % of 2 kg falling to 1 kg on 51 samples: √Σm²/51.
  double squares = 0.0;
  for (int k = 100; k <= 150; ++k) squares += std::pow(0.01 * TrueMass(0.01 * k), 2);
  const MetricValue& rmse = Find(values, "tracking_rmse@ramp");
  CHECK(rmse.components[0] == doctest::Approx(std::sqrt(squares / 51)));
  CHECK(rmse.components[1] == doctest::Approx(0.125 * std::sqrt(squares / 51)));
  CHECK_FALSE(rmse.value);  // kg and kg·m²
  CHECK(rmse.failure.empty());
  CHECK(*Find(values, "tracking_rmse@before").value == 0.0);
  const MetricValue& of_moments = Find(values, "tracking_rmse@moments");
  CHECK(*of_moments.value ==
        doctest::Approx(std::sqrt(0.5 * (std::pow(of_moments.components[0], 2) +
                                         std::pow(of_moments.components[1], 2)))));
  // The estimate falls from 1.4 to 1.01 of 2 kg.
  CHECK(*Find(values, "tracking_drift@rest").value == doctest::Approx(0.78));
  CHECK_FALSE(Find(values, "tracking_drift@ramp").value);
  // |error| ≤ 1.96·5 % from 0.802 s on: 19 of 50 samples.
  CHECK(*Find(values, "tracking_coverage95@rest").value == doctest::Approx(19.0 / 50));
  CHECK(*Find(values, "tracking_locked_in@rest").value == 0.0);
}

TEST_CASE("An unknown reaches its fraction when it is first below, and settles when it stays") {
  TrackedRun run(PayloadScenario());
  // Below 5 % from 0.6 s to 0.7 s, and again from 0.8 s on.
  const auto error = [](double t_s) {
    return (t_s > 0.595 && t_s < 0.695) || t_s > 0.795 ? 0.01 : 0.3;
  };
  const auto values = run.Judge(run.Track(error, 0.1));
  CHECK(*Find(values, "tracking_reaching_s@rest").value == doctest::Approx(0.1));
  CHECK(*Find(values, "tracking_settling_s@rest").value == doctest::Approx(0.3));
}

TEST_CASE("What the window cannot show fails with the reason") {
  TrackedRun run(PayloadScenario());
  Estimate track = run.Track([](double) { return 0.06; }, 0.1);
  track.series.pop_back();  // σ
  track.series[0].values.row(120).setConstant(std::numeric_limits<double>::quiet_NaN());
  const auto values = run.Judge(track);
  CHECK(Find(values, "tracking_max_error_fraction@before").failure ==
        "the true value of payload.m is 0 at 0 s");
  CHECK(Find(values, "tracking_settling_s@before").failure ==
        "the true value of payload.m is 0 at 0 s");
  CHECK(Find(values, "tracking_settling_s@rest").failure ==
        "payload.m is not within 5 % of the truth where the window ends");
  CHECK(Find(values, "tracking_reaching_s@rest").failure ==
        "payload.m is nowhere in the window within 5 % of the truth");
  CHECK(Find(values, "tracking_coverage95@rest").failure == "the method states no covariance");
  CHECK(Find(values, "tracking_rmse@ramp").failure == "the estimate failed at 1.2 s");
  KeepSamples(track.series, 0, 100);
  CHECK(Find(run.Judge(track), "tracking_rmse@ramp").failure == "no sample lies in the window");
}

TEST_CASE(
    "An estimate is locked in if it stays at a bound through the window, and the truth does not") {
  TrackedRun run(PayloadScenario());
  const Estimate low = run.Track([](double) { return -0.97; }, 0.1);  // 0.06 of 4 kg
  auto values = run.Judge(low);
  CHECK(*Find(values, "tracking_locked_in@rest").value == 1.0);
  CHECK(*Find(values, "tracking_locked_in@before").value == 0.0);  // nothing is attached
  // Ixx of 0.1 kg·m² is estimated as 0.003 of 0 to 1.
  CHECK(Find(values, "tracking_locked_in@moments").components == std::vector<double>{1.0, 1.0});
  Estimate moving = low;
  moving.series[0].values(75, 0) = 0.1;  // for one sample
  CHECK(*Find(run.Judge(moving), "tracking_locked_in@rest").value == 0.0);
  const Estimate beyond = run.Track([](double) { return 3.0; }, 0.1);  // 8 of 4 kg
  CHECK(*Find(run.Judge(beyond), "tracking_locked_in@rest").value == 1.0);
}

TEST_CASE("NEES and coverage of a payload compare with what is attached at the end") {
  TrackedRun run(PayloadScenario());
  Estimate estimate = run.Track([](double) { return 0.0; }, 0.1);
  CHECK(estimate.x[0] == 1.0);
  estimate.series.clear();
  estimate.covariance = 0.01 * *run.context.problem().parameters.prior->covariance;
  const auto values =
      MetricEvaluator(run.context, run.loaded.metrics).Evaluate({{estimate}}, run.data);
  CHECK(*Find(values, "nees").value < 1e-20);  // rounding
  CHECK(*Find(values, "coverage95").value == 1.0);
  CHECK_THROWS_AS(Find(values, "tracking_rmse@rest"), std::out_of_range);  // there is no track
}

TEST_CASE("A run records windows of online methods, with the same bits on any number of threads") {
  const TemporaryFolder folder;
  const std::string records = Records(PayloadScenario(), folder / "a");
  CHECK(records == Records(PayloadScenario(), folder / "b", 2));
  std::istringstream stream(records);
  int lines = 0;
  for (std::string line; std::getline(stream, line); ++lines) {
    const Json record = Json::parse(line);
    CHECK(record["outcome"] == "ok");
    const bool online = record["estimator"] == "ekf";
    CHECK(record["metrics"].contains("tracking_rmse@ramp") == online);
    if (!online) continue;
    CHECK(record["metrics"]["tracking_rmse@ramp"]["components"].size() == 2);
    CHECK_FALSE(record["metrics"]["tracking_rmse@ramp"].contains("value"));
    CHECK(record["metrics"]["tracking_rmse@rest"].contains("value"));
  }
  CHECK(lines == 4);
}

TEST_CASE("Bounds of the joints' state hold the sigmoids alone") {
  const LoadedScenario loaded = Load(ParticleScenario());
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  const TrialData data = context.Run(0);
  // A sine of amplitude 1 is beyond ±0.7 in 1 − 2/π·asin(0.7) of the time; samples are 1/200 of it.
  const double outside = 1.0 - 2.0 / std::numbers::pi * std::asin(0.7);
  for (const auto& [label, method] : MakeEstimators(loaded.scenario)) {
    CAPTURE(label);
    auto& online = dynamic_cast<OnlineEstimator&>(*method);
    const std::vector<MetricValue> values =
        MetricEvaluator(context, loaded.metrics)
            .Evaluate(online.Track(data.problem(), data.datasets), data);
    const MetricValue& out = Find(values, "tracking_out_of_bounds_fraction@all");
    const MetricValue& within = Find(values, "tracking_rmse_within_bounds@all");
    const MetricValue& all = Find(values, "tracking_rmse@all");
    if (label == "ekf") {
      CHECK(std::abs(out.components[0] - outside) < 0.03);  // noise of 0.02 rad about the bounds
      CHECK(all.components[0] < 0.04);
    } else {
      CHECK(out.components[0] == 0.0);
      CHECK(all.components[0] > 0.1);  // at most 0.3 rad short, half of the time
    }
    CHECK(within.components[0] < 0.04);  // two σ of the sensor
  }
}

TEST_CASE("Metrics of the robot's parameters are absent for a payload, by name") {
  const LoadedScenario loaded = Load(PayloadScenario());
  std::vector<std::string> names;
  for (const auto& [name, reason] : loaded.absent_metrics) {
    names.push_back(name);
    CHECK(reason == "the robot is known, and its payload comes and goes: see windows");
  }
  CHECK(names == std::vector<std::string>{
                     "base_parameter_relative_error", "base_parameter_error_bound", "crlb_ratio",
                     "link_mass_error_fraction", "link_mass_error_bound",
                     "parameter_error_fraction", "parameter_error_bound",
                     "link_entropic_divergence", "van_trees_ratio", "link_mass_kg",
                     "consistent_link_fraction", "pseudo_inertia_margin", "negative_moment_count"});
}

std::string Message(const Json& patch) {
  Json json = PayloadScenario();
  json.merge_patch(patch);
  try {
    TrackedRun run(json);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("Windows that do not fit the data or the unknowns are refused") {
  CHECK(Message(Json::parse(R"({"windows": {"rest": {"until_s": 3}}})")) ==
        "test: /windows/rest/until_s: 3 s lies beyond the end of the identification data, 2 s");
  CHECK(
      Message(Json::parse(R"({"windows": {"rest": {"unknowns": ["payload.m", "payload.Iz"]}}})")) ==
      "test: /windows/rest/unknowns/1: no such unknown: \"payload.Iz\"\n"
      "  accepted here: payload.m, payload.Ixx, payload.Iyy, payload.Izz\n"
      "  did you mean 'payload.Izz'?");
}

TEST_CASE("What comes where a window ends is not in it, whatever the plant and the control") {
  const auto error_before = [](const char* control) {
    Json json = PayloadScenario();
    json["control"] = ParseJson(control, "test");
    TrackedRun run(json);
    const TrialData& data = run.data;
    SampleReader reader(run.context.problem(), data.datasets);
    Estimate track = run.Track([](double) { return 0.0; }, 0.1);
    track.series.pop_back();
    Series& x = track.series[0];
    x.values.setZero();  // that nothing is carried, to the end
    Eigen::Index k = 0;
    for (Sample sample(run.context.problem());
         reader.Next(std::numeric_limits<double>::infinity(), sample);) {
      x.time_s[k++] = sample.t_s;
    }
    REQUIRE(k >= 199);
    KeepSamples(track.series, 0, k);
    const auto metrics = run.Judge(track);
    CHECK(*Find(metrics, "tracking_rmse@rest").value == doctest::Approx(2.0));
    return *Find(metrics, "tracking_rmse@before").value;
  };
  CHECK(error_before(R"({"type": "exact_replay"})") == 0.0);
  CHECK(error_before("{}") == 0.0);  // the first sample half a hold of control after t = 0
  CHECK(error_before(R"({"rate_hz": 50})") == 0.0);
}

TEST_CASE("Windows count from the experiment's beginning, whatever was dropped there") {
  const auto windows = [](const char* processing) {
    Json json = PayloadScenario();
    json["estimators"] = {{"ekf", {{"process_noise", 0.06}, {"process_noise_decay_s", nullptr}}}};
    json["processing"] = ParseJson(processing, "test");
    TrackedRun run(json);
    const LabelledEstimators estimators = MakeEstimators(run.loaded.scenario);
    auto& filter = dynamic_cast<OnlineEstimator&>(*estimators[0].second);
    return run.Judge(filter.Track(run.context.problem(), run.data.datasets).back());
  };
  const auto all = windows("{}"), skipped = windows(R"({"skip_samples": 30})");
  for (const char* name : {"tracking_rmse@rest", "tracking_settling_s@rest",
                           "tracking_reaching_s@rest", "tracking_max_error_fraction@rest"}) {
    CAPTURE(name);
    // The filter had forgotten by then what it had been told before.
    CHECK(*Find(skipped, name).value == doctest::Approx(*Find(all, name).value).epsilon(0.01));
  }
  CHECK(*Find(skipped, "tracking_rmse@before").value < 0.1);  // no payload has come yet
}

}  // namespace
}  // namespace idbench
