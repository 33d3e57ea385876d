#include "bench/metrics/wrench_metrics.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bench/biped_test.h"
#include "bench/metrics/planar_metrics_test.h"

namespace idbench {
namespace {

/// planar3, exactly moved, with a sensor at its elbow that has offsets, and one before its wrist.
LoadedScenario WristScenario(const char* more = "{}") {
  Json json = ParseJson(R"({
    "name": "w", "robot": {"model": "planar3",
      "truth": {"mass_scale": 1.2, "terms": {"elbow.offset_fx": 1.5, "elbow.offset_mz": -0.2}},
      "force_torque_sensors": {"elbow": {"link": "link2", "link_side": "distal"},
        "wrist": {"link": "link2", "point_m": [0, 0, -0.4], "link_side": "proximal"}}},
    "control": {"type": "exact_replay"},
    "experiments": {
      "identification": {"motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 4, "candidates": 1}},
      "validation": {"role": "validation",
        "motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 4, "stream": "validation", "candidates": 1}}},
    "sensors": {"joint_torque": {"origin": "absent"}, "wrench": {"elbow": {}, "wrist": {}}},
    "problem": {"parametrisation": {"type": "standard"}, "prior": {},
      "equations": [{"type": "wrench", "mount": "elbow"}, {"type": "wrench", "mount": "wrist"}],
      "terms": [{"type": "offset", "sensors": "elbow"}]},
    "estimators": {"ols": {}}, "trials": 1})",
                        "test");
  json.merge_patch(ParseJson(more, "more"));
  return LoadScenario(json, "test", {}, AllMetrics());
}

/// Index into π of a parameter.
Eigen::Index PlaceOf(const OneCell& cell, const std::string& name) {
  const std::vector<std::string> names = ParameterNames(cell.context.problem().model);
  const auto found = std::ranges::find(names, name);
  REQUIRE(found != names.end());
  return found - names.begin();
}

/// The wrench at the first cut that is measured in a dataset less that of parameters π.
Eigen::MatrixXd LeftAtElbow(const OneCell& cell, const Dataset& dataset,
                            const Eigen::VectorXd& pi) {
  const RobotModel& model = cell.context.problem().model;
  const Dynamics dynamics(model, {}, model.ConfigurationIndex(dataset.configuration()));
  Dynamics::Scratch scratch(dynamics);
  Eigen::MatrixXd wrench(dataset.Get(kJointPosition).samples.rows(), 6);
  dynamics.CutWrench(0, pi,
                     {dataset.Get(kJointPosition).samples, dataset.Get(kJointVelocity).samples,
                      dataset.Get(kJointAcceleration).samples},
                     scratch, wrench);
  return dataset.Get("wrench/elbow").samples - wrench;
}

// MuJoCo's inverse dynamics against ours: rounding of wrenches up to 100 N and 100 N·m.
constexpr double kWrenchExact = 1e-10;

TEST_CASE("An offset that is off by a constant is the error of its sensor, and has no deviation") {
  OneCell cell(WristScenario());
  Estimate estimate = TrueEstimate(cell.context);
  for (const char* part : {"force_error_n", "moment_error_nm"}) {
    CHECK(*cell.Metric(estimate, std::string("ft_") + part + "@validation").value < kWrenchExact);
  }
  estimate.pi[PlaceOf(cell, "elbow.offset_fx")] += 3.0;
  estimate.pi[PlaceOf(cell, "elbow.offset_fz")] -= 4.0;
  estimate.pi[PlaceOf(cell, "elbow.offset_my")] += 0.25;
  for (const std::string experiment : {"@identification", "@validation"}) {
    const MetricValue force = cell.Metric(estimate, "ft_force_error_n" + experiment);
    REQUIRE(force.components.size() == 2);
    CHECK(force.components[0] == doctest::Approx(5.0).epsilon(kWrenchExact));
    CHECK(force.components[1] < kWrenchExact);
    CHECK(*force.value == doctest::Approx(2.5).epsilon(kWrenchExact));
    const MetricValue moment = cell.Metric(estimate, "ft_moment_error_nm" + experiment);
    CHECK(moment.components[0] == doctest::Approx(0.25).epsilon(kWrenchExact));
    CHECK(*moment.value == doctest::Approx(0.125).epsilon(kWrenchExact));
    CHECK(*cell.Metric(estimate, "ft_force_error_sd_n" + experiment).value < kWrenchExact);
    CHECK(*cell.Metric(estimate, "ft_moment_error_sd_nm" + experiment).value < kWrenchExact);
    // Constant errors are gone where both sides are centred.
    CHECK(*cell.Metric(estimate, "ft_force_centred_error_n" + experiment).value < kWrenchExact);
    CHECK(*cell.Metric(estimate, "ft_moment_centred_error_nm" + experiment).value < kWrenchExact);
  }
  const auto listed =
      std::ranges::find(cell.loaded.metrics, "ft_force_error_n@validation", &RunMetric::name);
  REQUIRE(listed != cell.loaded.metrics.end());
  CHECK(listed->components == std::vector<std::string>{"elbow", "wrist"});
  CHECK(listed->unit == "N");
}

TEST_CASE("Beside the truth the errors are the length of the sensor's noise, and its deviation") {
  OneCell cell(WristScenario(R"({"sensors": {"wrench": {"elbow": {"noise_std_n_nm":
      [0.15, 0.15, 0.15, 0.005, 0.005, 0.005]}}}})"));
  const Estimate estimate = TrueEstimate(cell.context);
  // Of Maxwell's law: σ·√(8/π) and σ·√(3 − 8/π). 400 samples: 2 % and 4 %, of which 4 deviations.
  const double mean = std::sqrt(8.0 / std::numbers::pi);
  const double sd = std::sqrt(3.0 - 8.0 / std::numbers::pi);
  const auto of_elbow = [&](const char* name) {
    return cell.Metric(estimate, std::string(name) + "@validation").components[0];
  };
  CHECK(of_elbow("ft_force_error_n") == doctest::Approx(0.15 * mean).epsilon(0.08));
  CHECK(of_elbow("ft_moment_error_nm") == doctest::Approx(0.005 * mean).epsilon(0.08));
  CHECK(of_elbow("ft_force_error_sd_n") == doctest::Approx(0.15 * sd).epsilon(0.16));
  CHECK(of_elbow("ft_moment_error_sd_nm") == doctest::Approx(0.005 * sd).epsilon(0.16));
  CHECK(of_elbow("ft_force_centred_error_n") < kWrenchExact);  // without noise
}

TEST_CASE("The CAD model is the prior with the mean offset of the data for identification") {
  OneCell cell(WristScenario(R"({"problem": {"prior": {"terms": {"elbow.offset_fx": 7}}}})"));
  const Problem& problem = cell.data.problem();
  const Eigen::VectorXd prior = problem.parameters.Pi(problem.parameters.prior->mean);
  Estimate cad;
  cad.x = problem.parameters.prior->mean;
  cad.pi = prior;
  const Eigen::RowVectorXd offset =
      LeftAtElbow(cell, cell.data.datasets[0], prior).colwise().mean();
  const Eigen::Index first = PlaceOf(cell, "elbow.offset_fx");
  cad.pi.segment<6>(first) += offset.transpose();
  for (const std::string quantity : {"ft_force_ratio_to_cad", "ft_moment_ratio_to_cad"}) {
    CAPTURE(quantity);
    CHECK(cell.Metric(cad, quantity + "@validation").components[0] ==
          doctest::Approx(1.0).epsilon(1e-9));
    CHECK(cell.Metric(cad, quantity + "@identification").components[0] ==
          doctest::Approx(1.0).epsilon(1e-9));
  }
  // Twice the error, twice the ratio; overall it is of the means over sensors.
  const Eigen::VectorXd& truth = *cell.data.true_pi();
  Estimate twice = cad;
  twice.pi = truth + 2.0 * (cad.pi - truth);
  const MetricValue ratio = cell.Metric(twice, "ft_force_ratio_to_cad@validation");
  CHECK(ratio.components[0] == doctest::Approx(2.0).epsilon(1e-9));
  const MetricValue errors = cell.Metric(twice, "ft_force_error_n@validation");
  const double of_cad =
      errors.components[0] / ratio.components[0] + errors.components[1] / ratio.components[1];
  CHECK(*ratio.value ==
        doctest::Approx((errors.components[0] + errors.components[1]) / of_cad).epsilon(1e-9));
  // Centred, offsets do not count.
  twice.pi[first] += 100.0;
  for (const char* quantity : {"ft_force_centred_ratio_to_cad", "ft_moment_centred_ratio_to_cad"}) {
    const MetricValue centred = cell.Metric(twice, std::string(quantity) + "@validation");
    CHECK(centred.components[0] == doctest::Approx(2.0).epsilon(1e-9));
    CHECK(centred.components[1] == doctest::Approx(2.0).epsilon(1e-9));
    CHECK(*centred.value == doctest::Approx(2.0).epsilon(1e-9));
  }
}

TEST_CASE("What a sensor reads is predicted through its calibration, not from what it read") {
  OneCell cell(WristScenario(R"({"robot": {"terms": [{"type": "calibration", "sensors": "elbow"}]},
    "sensors": {"wrench": {"elbow": {"calibration_error": {"relative_std": 0.05},
                                     "bias_n_nm": [2, 0, -1, 0.1, 0, 0.3]}}}})"));
  Estimate estimate = TrueEstimate(cell.context);
  estimate.pi = *cell.data.true_pi();
  const Eigen::Index first = PlaceOf(cell, "elbow.d_fx_fx");
  CHECK(estimate.pi.segment(first, 36).norm() > 0.05);
  const auto of_elbow = [&](const char* name) {
    return cell.Metric(estimate, std::string(name) + "@validation").components[0];
  };
  CHECK(of_elbow("ft_force_error_n") < kWrenchExact);
  CHECK(of_elbow("ft_moment_error_nm") < kWrenchExact);
  CHECK(of_elbow("ft_force_centred_error_n") < kWrenchExact);
  // For D = −1/2 it reads twice as much; before any effect nothing changes.
  estimate.pi = TrueEstimate(cell.context).pi;
  CHECK(of_elbow("ft_force_error_n") > 1e-2);
  for (int k = 0; k < 6; ++k) estimate.pi[first + 7 * k] = -0.5;
  const Dataset& validation = cell.data.datasets[1];
  const Eigen::MatrixXd once =
      validation.Get("wrench/elbow").samples - LeftAtElbow(cell, validation, estimate.pi);
  const Eigen::MatrixXd twice = validation.Get("wrench/elbow").samples - 2.0 * once;
  CHECK(of_elbow("ft_force_error_n") ==
        doctest::Approx(twice.leftCols(3).rowwise().norm().mean()).epsilon(1e-9));
  CHECK(of_elbow("ft_force_centred_error_n") < kWrenchExact);
}

/// Two runs between which the offsets shift, and a weight in the hand of a third.
constexpr const char* kLater = R"({
  "robot": {"truth": {"terms": {"elbow.offset_fx@later": -2, "elbow.offset_my@later": 0.3}}},
  "attached": {"weight": {"link": "link3", "p_LB_L_m": [0, 0, -0.4], "known": true, "prior": {"mass_kg": 0.5}}},
  "configurations": {"later": {"own": ["elbow.offset"]}, "loaded": {"attached": ["weight"]}},
  "experiments": {
    "second": {"configuration": "later", "motion": {"type": "fourier", "base_frequency_hz": 0.5,
      "duration_s": 4, "stream": "second", "candidates": 1}},
    "carrying": {"configuration": "loaded", "motion": {"type": "fourier", "base_frequency_hz": 0.5,
      "duration_s": 4, "stream": "third", "candidates": 1}},
    "validation": {"configuration": "later"}}})";

TEST_CASE("Each experiment is judged in its configuration, with what it carries and its offsets") {
  OneCell cell(WristScenario(kLater));
  Estimate estimate = TrueEstimate(cell.context);
  for (const std::string experiment : {"@identification", "@second", "@carrying", "@validation"}) {
    CAPTURE(experiment);
    CHECK(*cell.Metric(estimate, "ft_force_error_n" + experiment).value < kWrenchExact);
    CHECK(*cell.Metric(estimate, "ft_moment_error_nm" + experiment).value < kWrenchExact);
    CHECK(*cell.Metric(estimate, "ft_force_centred_error_n" + experiment).value < kWrenchExact);
  }
  estimate.pi[PlaceOf(cell, "elbow.offset_fx@later")] += 2.0;
  const auto error = [&](const char* experiment) {
    return cell.Metric(estimate, std::string("ft_force_error_n@") + experiment).components[0];
  };
  CHECK(error("validation") == doctest::Approx(2.0).epsilon(kWrenchExact));
  CHECK(error("second") == doctest::Approx(2.0).epsilon(kWrenchExact));
  CHECK(error("identification") < kWrenchExact);
  CHECK(error("carrying") < kWrenchExact);
}

TEST_CASE("The mean offset of the CAD model is of the runs with the same offsets") {
  OneCell cell(WristScenario(kLater));
  const Problem& problem = cell.data.problem();
  Estimate cad;
  cad.x = problem.parameters.prior->mean;
  cad.pi = problem.parameters.Pi(cad.x);
  const auto dataset = [&](const char* label) -> const Dataset& {
    return *std::ranges::find(cell.data.datasets, label, &Dataset::label);
  };
  const Eigen::VectorXd prior = cad.pi;
  const Eigen::MatrixXd first = LeftAtElbow(cell, dataset("identification"), prior);
  const Eigen::MatrixXd carrying = LeftAtElbow(cell, dataset("carrying"), prior);
  const Eigen::MatrixXd second = LeftAtElbow(cell, dataset("second"), prior);
  // Both have 401 samples: the mean over both runs.
  REQUIRE(first.rows() == carrying.rows());
  cad.pi.segment<6>(PlaceOf(cell, "elbow.offset_fx")) +=
      0.5 * (first.colwise().mean() + carrying.colwise().mean()).transpose();
  cad.pi.segment<6>(PlaceOf(cell, "elbow.offset_fx@later")) += second.colwise().mean().transpose();
  for (const char* experiment : {"identification", "carrying", "second", "validation"}) {
    CAPTURE(experiment);
    CHECK(cell.Metric(cad, std::string("ft_force_ratio_to_cad@") + experiment).components[0] ==
          doctest::Approx(1.0).epsilon(1e-9));
  }
}

TEST_CASE("Without data for identification that have its offsets there is no CAD model") {
  Json more = ParseJson(kLater, "test");
  more["metrics"] = {"ft_force_ratio_to_cad@validation"};
  OneCell cell(WristScenario(more.dump().c_str()));
  std::erase_if(cell.data.datasets,
                [](const Dataset& dataset) { return dataset.label() == "second"; });
  const MetricValue ratio =
      cell.Metric(TrueEstimate(cell.context), "ft_force_ratio_to_cad@validation");
  CHECK(ratio.failure ==
        "no data for identification have the offsets of the sensor elbow in validation");
  CHECK(ratio.absent);
}

TEST_CASE("Over a prior that predicts the wrenches to rounding there is no ratio") {
  OneCell cell(WristScenario(R"({"robot": {"truth": {"mass_scale": 1, "terms": null}}})"));
  const MetricValue ratio =
      cell.Metric(TrueEstimate(cell.context), "ft_force_centred_ratio_to_cad@validation");
  CHECK(ratio.failure == "no ratio: the prior predicts the wrenches exactly");
  CHECK(ratio.absent);
}

TEST_CASE("What cannot be compared has no error, and says why") {
  OneCell cell(WristScenario(R"({"experiments": {"validation": {"events":
      [{"type": "attach", "at_s": 1, "mass_kg": 1}]}}})"));
  const Estimate estimate = TrueEstimate(cell.context);
  const MetricValue changing = cell.Metric(estimate, "ft_force_error_n@validation");
  CHECK(changing.failure ==
        "what the robot carries in validation changes at 1 s: no one estimate predicts its "
        "wrenches");
  CHECK(changing.absent);
  cell.data.datasets[0] = Dataset("identification", Role::kIdentification);
  for (const char* name : {"ft_force_error_n", "ft_moment_error_sd_nm", "ft_force_ratio_to_cad"}) {
    const MetricValue missing = cell.Metric(estimate, std::string(name) + "@identification");
    CHECK(missing.failure.find("joint_position") != std::string::npos);
    CHECK_FALSE(missing.absent);
  }
}

TEST_CASE("Metrics of wrenches are absent where their needs are not met, with the reason") {
  const auto absent = [](const char* more, const std::string& name) {
    Json patch = ParseJson(more, "more");
    patch["metrics"] = {name};
    const LoadedScenario loaded = WristScenario(patch.dump().c_str());
    REQUIRE(loaded.absent_metrics.size() == 1);
    return loaded.absent_metrics[0].second;
  };
  const char* const torques = R"({"robot": {"truth": {"terms": null}},
      "problem": {"equations": ["joint_torque"], "terms": []},
      "sensors": {"joint_torque": {"origin": "measured"}}})";
  for (const char* name :
       {"ft_force_error_n", "ft_moment_error_nm", "ft_force_error_sd_n", "ft_moment_error_sd_nm",
        "ft_force_ratio_to_cad", "ft_moment_ratio_to_cad", "ft_force_centred_error_n",
        "ft_moment_centred_error_nm", "ft_force_centred_ratio_to_cad",
        "ft_moment_centred_ratio_to_cad"}) {
    CAPTURE(name);
    CHECK(absent(torques, name) == "no equation of the wrench at a force/torque sensor");
    if (std::string(name).ends_with("to_cad")) {
      CHECK(absent(R"({"problem": {"prior": null}})", name) == "no prior");
    }
  }
  // Where nobody asks, they are not even told.
  for (const auto& [name, why] : WristScenario(torques).absent_metrics) {
    CHECK(!name.starts_with("ft_"));
  }
}

}  // namespace
}  // namespace idbench
