#include "bench/metrics/observation_metrics.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "bench/metrics/metric_table.h"
#include "bench/small_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// A planar arm that is touched with 10 N from 1 s to 2 s, with ramps of 0.1 s.
Json TouchedArm() {
  return ParseJson(R"({
    "name": "touched", "robot": {"model": "planar2"}, "control": {"type": "exact_replay"},
    "experiments": {
      "identification": {"motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 2, "candidates": 1}},
      "contact": {"role": "application",
        "motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 4, "candidates": 1},
        "environment": {"contact_from_n": 0.5, "touches": [
          {"type": "touch", "link": "link2", "point_m": [0.2, 0, 0], "force_n": [0, 0, 10],
           "axes": "base", "from_s": 1, "ramp_s": 0.1, "hold_s": 0.8}]}}},
    "sensors": {"joint_torque": {"noise_std_nm": 0.1}},
    "problem": {"prior": {"mass_scale": 1.2}},
    "estimators": {"ols": {}},
    "observers": {"T2": {"type": "contact_statistic", "samples": 1}},
    "trials": 2, "timing_trials": 0})",
                   "touched");
}

/// One cell of it, and what an observer might have found in its first trial.
struct TouchedCell {
  explicit TouchedCell(const Json& json = TouchedArm())
      : loaded(Load(json)), cell(loaded, loaded.cells[0], rollouts), data(cell.Run(0)) {}

  const Dataset& contact() const { return *data.DatasetsOf("contact").begin(); }
  /// The length of the true force at the stamps of the data: up within 0.1 s from 1 s on, down
  /// within 0.1 s up to 2 s.
  static double Force(double t_s) {
    return 10.0 * std::clamp(std::min((t_s - 1.0) / 0.1, (2.0 - t_s) / 0.1), 0.0, 1.0);
  }
  Observation With(const std::function<double(double)>& statistic,
                   const std::function<bool(double)>& alarm) const {
    const Eigen::VectorXd& t_s = contact().Get(kJointPosition).time_s;
    Observation observation;
    observation.series = {{.name = std::string(kStatistic),
                           .columns = {"s"},
                           .units = {"1"},
                           .time_s = t_s,
                           .values = t_s.unaryExpr(statistic)}};
    observation.labels = {{.name = std::string(kDetected),
                           .classes = {"free", "contact"},
                           .time_s = t_s,
                           .chosen = t_s.unaryExpr([&](double t) { return alarm(t) ? 1 : 0; })}};
    return observation;
  }
  Json Judged(Observation observation, Detects detects = Detects::kContact,
              const char* body = "") const {
    ObservationEvaluator evaluator(cell, loaded.metrics);
    Observed observed{detects, body, {}};
    observed.experiments.emplace_back("contact", std::move(observation));
    Json values = Json::object();
    for (const MetricValue& value : evaluator.Evaluate(observed, GivenBy(observed), data)) {
      Json& judged = values[value.name.substr(0, value.name.find('@'))];
      if (!value.failure.empty()) {
        judged = (value.absent ? "absent: " : "") + value.failure;
      } else if (value.value) {
        judged = *value.value;
      } else {
        judged = value.components;
      }
    }
    return values;
  }

  /// What the metrics of the tests are about, and places if some are told.
  static std::vector<std::string_view> GivenBy(const Observed& observed) {
    std::vector<std::string_view> gives = {kStatistic, kExternalForce};
    const Observation& first = observed.experiments.front().second;
    if (FindNamed(first.series, kTouchPlace) != nullptr) gives = {kTouchPlace};
    return gives;
  }

  LoadedScenario loaded;
  RolloutStore rollouts;
  PreparedCell cell;
  TrialData data;
};

TEST_CASE("A statistic that is the force itself detects without an error") {
  TouchedCell touched;
  // The label is force above 0.5 N: from 1.005 s to 1.995 s, at samples of 1 to 2 ms.
  const Json judged =
      touched.Judged(touched.With([](double t) { return TouchedCell::Force(t); },
                                  [](double t) { return TouchedCell::Force(t) > 0.5; }));
  CHECK(judged["detection_auc"] == 1.0);
  CHECK(judged["detection_tpr(fpr=0.06)"] == 1.0);
  CHECK(judged["detection_delay_s(per_minute=2)"] == 0.0);
  CHECK(judged["false_episodes_per_minute"] == 0.0);
  CHECK(judged["label_accuracy"] == 1.0);
  CHECK(judged["label_true_positive_rate"] == 1.0);
  CHECK(judged["label_false_positive_rate"] == 0.0);
  CHECK(judged["detection_roc"] == std::vector<double>(kRocRates.size(), 1.0));
}

TEST_CASE("What a statistic misses and takes for contact is counted") {
  TouchedCell touched;
  const Json constant =
      touched.Judged(touched.With([](double) { return 3.0; }, [](double) { return false; }));
  CHECK(constant["detection_auc"] == 0.5);
  CHECK(constant["detection_tpr(fpr=0.06)"].get<double>() == doctest::Approx(0.06));
  CHECK(constant["detection_delay_s(per_minute=2)"] ==
        "most episodes are not detected at 2 false ones a minute");
  // 0.99 s of 4 s are contact.
  CHECK(constant["label_accuracy"].get<double>() == doctest::Approx(0.7525).epsilon(0.003));

  // Late by 0.25 s, and one false alarm within the 3.01 s without contact, a third of their time.
  const Json late = touched.Judged(
      touched.With([](double t) { return t > 1.255 && t < 1.995 ? 2.0 : (t > 3.0 ? 1.0 : 0.0); },
                   [](double t) { return (t > 1.255 && t < 1.995) || t > 3.0; }));
  CHECK(late["detection_delay_s(per_minute=2)"].get<double>() ==
        doctest::Approx(0.25).epsilon(0.01));
  CHECK(late["false_episodes_per_minute"].get<double>() ==
        doctest::Approx(60.0 / 3.01).epsilon(0.01));
  // Of contacts 0.74 / 0.99 are above all else; the rest tie with two thirds of what is none.
  const double found = 0.74 / 0.99, free = 1.0 / 3.01;
  CHECK(late["detection_auc"].get<double>() ==
        doctest::Approx(found + (1.0 - found) * (1.0 - free) / 2.0).epsilon(0.005));
  CHECK(late["label_accuracy"].get<double>() ==
        doctest::Approx(1.0 - (0.25 + 1.0) / 4.0).epsilon(0.005));
  CHECK(late["label_true_positive_rate"].get<double>() == doctest::Approx(found).epsilon(0.005));
  CHECK(late["label_false_positive_rate"].get<double>() == doctest::Approx(free).epsilon(0.005));
}

TEST_CASE("The error of a force is that of its components in axes of the base") {
  Json json = TouchedArm();
  json["robot"]["model"] = "planar3";
  json["observers"]["force"] = {{"type", "force_kalman"}};
  TouchedCell touched(json);
  const Eigen::VectorXd& t_s = touched.contact().Get(kJointPosition).time_s;
  Eigen::MatrixXd force = Eigen::MatrixXd::Zero(t_s.size(), 3);
  for (Eigen::Index k = 0; k < t_s.size(); ++k) force(k, 2) = TouchedCell::Force(t_s[k]);
  const auto with = [&](const Eigen::RowVector3d& error) {
    Observation observation;
    observation.series = {{.name = std::string(kExternalForce),
                           .columns = {"x", "y", "z"},
                           .units = {"N", "N", "N"},
                           .time_s = t_s,
                           .values = force.rowwise() + error}};
    return observation;
  };
  CHECK(touched.Judged(with({3.0, 0.0, -4.0}), Detects::kNothing)["external_force_rmse_n"]
            .get<double>() == doctest::Approx(5.0).epsilon(1e-9));
  CHECK(touched.Judged(with({0.0, 0.0, 0.0}), Detects::kNothing)["external_force_rmse_n"]
            .get<double>() == doctest::Approx(0.0));
  // A sample without a force counts as if it told none acted; none at all is a failure.
  Observation gaps = with({0.0, 0.0, 0.0});
  double missed = 0.0;
  for (Eigen::Index k = 0; k < t_s.size(); ++k) {
    if (TouchedCell::Force(t_s[k]) < 10.0) continue;
    gaps.series[0].values.row(k).setConstant(std::nan(""));
    missed += 100.0;
  }
  CHECK(touched.Judged(gaps, Detects::kNothing)["external_force_rmse_n"].get<double>() ==
        doctest::Approx(std::sqrt(missed / static_cast<double>(t_s.size()))).epsilon(1e-6));
  gaps.series[0].values.setConstant(std::nan(""));
  CHECK(touched.Judged(gaps, Detects::kNothing)["external_force_rmse_n"] ==
        "no sample has a force");
}

TEST_CASE("The error of a place counts where it is told of a touch of that body alone") {
  Json json = TouchedArm();
  json["observers"]["place"] =
      ParseJson(R"({"type": "touch_force", "link": "link2", "axis_from_m": [0, 0, 0],
                    "axis_to_m": [0.4, 0, 0], "radius_m": 0})",
                "place");
  json["sensors"]["base_wrench"]["origin"] = "measured";
  json["problem"]["equations"] = {"joint_torque", "base_wrench"};
  const auto told = [](const TouchedCell& touched, const char* body) {
    const Eigen::VectorXd& t_s = touched.contact().Get(kJointPosition).time_s;
    Eigen::MatrixXd place = Eigen::MatrixXd::Constant(t_s.size(), 3, std::nan(""));
    for (Eigen::Index k = 0; k < t_s.size(); ++k) {
      // Right from 1.4 s on, 0.05 m off before, and none at all behind 1.8 s.
      if (t_s[k] < 1.8) {
        place.row(k) << 0.2 + (t_s[k] < 1.4 ? 0.03 : 0.0), 0.0, t_s[k] < 1.4 ? 0.04 : 0.0;
      }
    }
    Observation observation;
    observation.series = {{.name = std::string(kTouchPlace),
                           .columns = {"x", "y", "z"},
                           .units = {"m", "m", "m"},
                           .time_s = t_s,
                           .values = place}};
    return touched.Judged(observation, Detects::kContact, body)["touch_place_rmse_m"];
  };
  TouchedCell touched(json);
  // 0.395 s of the 0.795 s that count.
  CHECK(told(touched, "link2").get<double>() ==
        doctest::Approx(0.05 * std::sqrt(0.395 / 0.795)).epsilon(0.01));
  const std::string none =
      "absent: no touch of the body that the observer looks at acts alone, at a known place";
  CHECK(told(touched, "link1") == none);
  CHECK(told(touched, "") == none);
  // A second touch, of the other link, from 1.4 s on.
  Json twice = json;
  twice["experiments"]["contact"]["environment"]["touches"].push_back(
      ParseJson(R"({"type": "touch", "link": "link1", "force_n": [0, 0, 3], "from_s": 1.4,
                    "hold_s": 2})",
                "second"));
  CHECK(told(TouchedCell(twice), "link2").get<double>() == doctest::Approx(0.05).epsilon(1e-9));
  // Touches that begin where nothing is told any more.
  Json late = json;
  late["experiments"]["contact"]["environment"]["touches"][0]["from_s"] = 2.0;
  CHECK(told(TouchedCell(late), "link2") == "no sample of a touch has a place");
  // A wall presses where nobody knows beforehand.
  late["experiments"]["contact"].erase("environment");
  CHECK(told(TouchedCell(late), "link2") == none);
}

TEST_CASE("Where nothing touches the robot, or nothing was observed, there is no detection") {
  Json json = TouchedArm();
  json["experiments"]["contact"].erase("environment");
  TouchedCell untouched(json);
  const Json judged = untouched.Judged(
      untouched.With([](double t) { return t; }, [](double t) { return t > 3.0; }));
  const std::string one_class =
      "absent: all of the experiment is with what is to be detected, or without it";
  CHECK(judged["detection_auc"] == one_class);
  CHECK(judged["detection_roc"] == one_class);
  CHECK(judged["detection_tpr(fpr=0.06)"] == one_class);
  CHECK(judged["detection_delay_s(per_minute=2)"] == one_class);
  CHECK(judged["false_episodes_per_minute"].get<double>() ==
        doctest::Approx(15.0).epsilon(0.01));  // one in 4 s
  CHECK(judged["label_accuracy"].get<double>() == doctest::Approx(0.75).epsilon(0.01));

  TouchedCell touched;
  Observation failed;
  failed.outcome = Outcome::kDiverged;
  failed.reason = "why";
  CHECK(touched.Judged(failed)["detection_auc"] == "diverged: why");
}

TEST_CASE("A changed load is there from its event on") {
  Json json = TouchedArm();
  json["experiments"]["contact"]["events"] =
      Json::parse(R"([{"type": "attach", "at_s": 2.5, "mass_kg": 0.5, "com_m": [0.1, 0, 0]}])");
  TouchedCell loaded(json);
  const Json judged = loaded.Judged(
      loaded.With([](double t) { return t; }, [](double t) { return t > 2.5 - 1e-6; }),
      Detects::kPayload);
  CHECK(judged["detection_auc"] == 1.0);
  CHECK(judged["label_accuracy"] == 1.0);

  // What the training data carry is no change; where it is missing, is one.
  const Json carried = Json::parse(R"([{"type": "attach", "at_s": 0, "mass_kg": 0.5}])");
  json["experiments"]["identification"]["events"] = carried;
  json["experiments"]["contact"]["events"] = carried;
  json["experiments"]["contact"]["events"].push_back({{"type", "detach"}, {"at_s", 2.5}});
  const TouchedCell dropped(json);
  CHECK(dropped.Judged(
            dropped.With([](double t) { return t; }, [](double t) { return t > 2.5 - 1e-6; }),
            Detects::kPayload)["label_accuracy"] == 1.0);
  // Of a load that changes in the training data nobody can say what a change is.
  json["experiments"]["identification"]["events"][0]["at_s"] = 1.0;
  const TouchedCell unknown(json);
  const Json none = unknown.Judged(
      unknown.With([](double t) { return t; }, [](double) { return true; }), Detects::kPayload);
  CHECK(none["label_accuracy"] ==
        "absent: what the robot carries changes in the data that the model is from");
  CHECK(none["detection_auc"] == none["label_accuracy"]);
}

std::vector<std::string> NamesOf(const LoadedScenario& loaded) {
  std::vector<std::string> names;
  for (const RunMetric& metric : loaded.metrics) {
    if (metric.subject() == MetricSubject::kObserver) names.push_back(metric.name);
  }
  return names;
}

TEST_CASE("Metrics of observers are of the experiments in which one gives what they read") {
  Json json = TouchedArm();
  json["robot"]["model"] = "planar3";
  json["experiments"]["push"] = json["experiments"]["contact"];
  json["observers"]["T2"]["experiments"] = {"contact"};
  json["observers"]["force"] = {{"type", "force_kalman"}, {"experiments", {"push"}}};
  CHECK(NamesOf(Load(json)) ==
        std::vector<std::string>{"external_force_rmse_n@push", "detection_auc@contact",
                                 "detection_tpr(fpr=0.06)@contact", "detection_roc@contact",
                                 "detection_delay_s(per_minute=2)@contact",
                                 "false_episodes_per_minute@contact", "label_accuracy@contact",
                                 "label_true_positive_rate@contact",
                                 "label_false_positive_rate@contact"});
  json["metrics"] = {"detection_tpr(fpr=0.10)", "detection_tpr", "detection_tpr@contact"};
  const LoadedScenario asked = Load(json);
  CHECK(NamesOf(asked) == std::vector<std::string>{"detection_tpr(fpr=0.1)@contact",
                                                   "detection_tpr(fpr=0.06)@contact"});
  CHECK(asked.metrics.size() == 2);
  // Of what nobody observes in an experiment there is no metric; a scenario without observers is
  // not about them.
  json["metrics"] = {"detection_auc@push"};
  CHECK(
      Load(json).absent_metrics ==
      Labelled<std::string>{{"detection_auc@push", "no observer detects anything: see observers"}});
  json.erase("metrics");
  json.erase("observers");
  json["experiments"].erase("contact");
  json["experiments"].erase("push");
  const LoadedScenario without = Load(json);
  CHECK(NamesOf(without).empty());
  for (const auto& [metric, reason] : without.absent_metrics) {
    CHECK_FALSE(metric.starts_with("detection"));
  }
}

TEST_CASE("A metric of observers is refused with what it has not, and what it has") {
  const auto refusal = [](const char* metric) {
    Json json = TouchedArm();
    json["metrics"] = {metric};
    return FirstRefusal(json);
  };
  CHECK(refusal("detection_tpr(fpr=0.5)@contact") == "");
  CHECK(refusal("detection_tpr(fpr=1.5)") == "/metrics/0: got \"detection_tpr(fpr=1.5)\"");
  CHECK(refusal("detection_tpr(fpr=)") == "/metrics/0: got \"detection_tpr(fpr=)\"");
  CHECK(refusal("detection_tpr(rate=0.1)") == "/metrics/0: got \"detection_tpr(rate=0.1)\"");
  CHECK(refusal("detection_auc(fpr=0.1)") == "/metrics/0: detection_auc has no argument");
  CHECK(refusal("detection_auc@identification") ==
        "/metrics/0: detection_auc is a metric of observers, and none watches identification");
  CHECK(refusal("joint_torque_rmse_nm@contact") ==
        "/metrics/0: joint_torque_rmse_nm is no metric of observers, who watch contact");
}

}  // namespace
}  // namespace idbench
