#include "bench/metrics/motion_metrics.h"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <set>

#include "bench/small_run_test.h"
#include "reports/report.h"
#include "reports/run/run_folder.h"
#include "reports/run/summary.h"
#include "reports/tables/table.h"

namespace idbench {
namespace {

/// planar2 on random motions of 3 s, each trial on one of its own.
Json Scenario(const char* draw = "trial") {
  Json json = Description();
  json.erase("sweep");
  Json motion = {{"type", "exciting"},
                 {"criterion", nullptr},
                 {"duration_s", 3.0},
                 {"self_collision", false},
                 {"draw", draw}};
  motion["design"] = {{"friction", {"viscous", "coulomb"}}};
  Json other = motion;
  other["stream"] = "validation";
  other["draw"] = "cell";
  json["experiments"] = {{"identification", {{"motion", motion}}},
                         {"validation", {{"role", "validation"}, {"motion", other}}}};
  json["trials"] = 4;
  return json;
}

std::vector<Json> MotionRecords(const Json& json, const TemporaryFolder& folder,
                                const std::string& experiment) {
  std::vector<Json> motions;
  for (const Json& record : LinesIn(Records(json, folder.path() / "run"))) {
    if (record.value("experiment", "") == experiment) motions.push_back(record);
  }
  return motions;
}

double Value(const Json& record, const char* metric) {
  return MetricOf(record, std::string(metric) + "@" + record["experiment"].get<std::string>());
}

TEST_CASE("The motion of each experiment that is designed has a record of its own") {
  const TemporaryFolder folder;
  const std::vector<Json> drawn = MotionRecords(Scenario(), folder, "identification");
  REQUIRE(drawn.size() == 4);
  std::set<double> values;
  for (const Json& record : drawn) {
    CHECK(record["outcome"] == "ok");
    CHECK(!record.contains("estimator"));
    values.insert(Value(record, "excitation_jd"));
    CHECK(Value(record, "excitation_jh") <= Value(record, "excitation_jd"));
    CHECK(Value(record, "excitation_log_cond") ==
          doctest::Approx(std::log(Value(record, "excitation_jc"))));
    const Json& jd = record["metrics"]["excitation_jd@identification"];
    CHECK(Value(record, "excitation_jd_timeless") ==
          doctest::Approx(Value(record, "excitation_jd") +
                          jd["count"].get<double>() * std::log(3.0)));
  }
  CHECK(values.size() == 4);  // a motion in each trial
  const TemporaryFolder other;
  std::set<double> shared;
  for (const Json& record : MotionRecords(Scenario(), other, "validation")) {
    shared.insert(Value(record, "excitation_jd"));
  }
  CHECK(shared.size() == 1);
}

TEST_CASE("Criteria are those of the motion that the robot was to follow") {
  const LoadedScenario loaded = Load(Scenario());
  RolloutStore rollouts;
  const PreparedCell cell(loaded, loaded.cells.front(), rollouts);
  const MotionEvaluator evaluator(cell, loaded.metrics);
  CHECK(evaluator.Experiments() == std::vector<std::string>{"identification", "validation"});
  for (const std::int64_t trial : {0, 7}) {  // kept by the store of motions, and not
    const TrialData data = cell.Run(trial);
    const auto evaluated = evaluator.Evaluate(data);
    CHECK(evaluated[0].second[0].name == "excitation_jd@identification");
    // The true states of exact replay, sampled at 100 Hz, are those of the motion.
    const Signals& clean = *data.clean[0];
    const auto showing = cell.MotionOf(data, "identification");
    REQUIRE(showing);
    const Dynamics dynamics(cell.robot().model, showing->shown->friction);
    const RowRegressor rows(dynamics, showing->shown->equations, showing->shown->columns);
    Dynamics::Scratch scratch(dynamics);
    Eigen::MatrixXd W(rows.row_count(), rows.column_count());
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(W.cols(), W.cols());
    REQUIRE(clean.time_s.size() >= 300);
    for (Eigen::Index k = 0; k < 300; ++k) {
      rows.Single(clean[kJointPosition].row(k).transpose(),
                  clean[kJointVelocity].row(k).transpose(),
                  clean[kJointAcceleration].row(k).transpose(), scratch, W);
      M += W.transpose() * W;
    }
    CHECK(*evaluated[0].second[0].value ==
          doctest::Approx(-std::log(M.determinant())).epsilon(1e-9));
    CHECK(*evaluated[0].second[0].count == static_cast<std::size_t>(W.cols()));
  }
}

TEST_CASE("The motion of a trial that failed is not judged, and says why") {
  Json json = Scenario();
  json["control"] = {{"type", "computed_torque"}, {"model", "truth"}};
  json["plant"] = {{"max_steps", 10}};
  json["experiments"].erase("validation");  // of all trials: it would be refused before
  const TemporaryFolder folder;
  const std::vector<Json> records = MotionRecords(json, folder, "identification");
  REQUIRE(records.size() == 4);
  for (const Json& record : records) {
    CHECK(record["outcome"] == "plant_failed");
    CHECK(record["reason"] ==
          "not judged, for the trial failed: the experiment takes more than max_steps = 10 steps "
          "of 0.00025 s");
    CHECK(record["metrics"].empty());
  }
}

TEST_CASE("Motions that are no designs have metrics for who asks, replayed torques never") {
  Json json = Description();
  CHECK(std::ranges::none_of(Load(json).metrics, [](const RunMetric& metric) {
    return metric.subject() == MetricSubject::kMotion;
  }));
  json["metrics"] = {"excitation_jc"};
  const LoadedScenario loaded = Load(json);
  REQUIRE(loaded.metrics.size() == 1);
  CHECK(loaded.metrics[0].name == "excitation_jc@identification");
  json["metrics"] = {"excitation_jc@identification@t=1"};
  json["evaluate_at_s"] = {1.0};
  CHECK(FirstRefusal(json).find("one value per experiment") != std::string::npos);
}

TEST_CASE("Summary and tables show motions beside the estimators") {
  const TemporaryFolder folder;
  Json json = Scenario();
  json["metrics"] = {"excitation_jd", "joint_torque_clean_rmse_nm@validation"};
  json["sweep"] = {
      {{"name", "noise"}, {"set", {{"/sensors/joint_torque/noise_std_nm", {0.1, 0.2}}}}}};
  json["tables"] = {
      {{"rows", "noise"},
       {"columns", "metric"},
       {"estimators", {"wls"}},
       {"metrics", {"excitation_jd@identification", "joint_torque_clean_rmse_nm@validation"}}}};
  Records(json, folder.path() / "run");
  const RunFolder run(folder.path() / "run");
  const Summary summary = Summarise(run);
  const Json motions = ToJson(summary)["cells"][0]["motions"];
  REQUIRE(motions.size() == 2);
  CHECK(motions[0]["label"] == "identification");
  CHECK(motions[0]["trials"] == 4);
  CHECK(motions[0]["metrics"].contains("excitation_jd@identification"));
  CHECK(!motions[0]["metrics"].contains("excitation_jd@validation"));
  const std::vector<Table> tables = MakeTables(summary, run.manifest());
  REQUIRE(tables.size() == 1);
  REQUIRE(tables[0].columns.size() == 2);
  for (std::size_t cell = 0; cell < 2; ++cell) {
    CAPTURE(cell);
    const Json of_cell = ToJson(summary)["cells"][cell];
    const Json& jd = of_cell["motions"][0]["metrics"]["excitation_jd@identification"];
    const Json& rmse = of_cell["estimators"][1]["metrics"]["joint_torque_clean_rmse_nm@validation"];
    CHECK(*tables[0].columns[0].entries[cell].value == jd["mean"].get<double>());
    CHECK(*tables[0].columns[1].entries[cell].value == rmse["mean"].get<double>());
  }
}

TEST_CASE("No motion has a lower bound than the least, which depends on the validation alone") {
  const TemporaryFolder folder;
  Json json = Scenario("cell");
  json["estimators"] = {{"ols", Json::object()}, {"wls", Json::object()}};
  json["metrics"] = {"prediction_excess_bound_nm@validation",
                     "prediction_excess_least_nm@validation"};
  json["trials"] = 1;
  json["sensors"]["rate_hz"] = 100;
  const auto least_of = [&](const char* name) {
    std::vector<double> least;
    for (const Json& record : LinesIn(Records(json, folder.path() / name))) {
      const Json& metrics = record["metrics"];
      CAPTURE(record.dump());
      REQUIRE(metrics["prediction_excess_least_nm@validation"]["value"].is_number());
      least.push_back(metrics["prediction_excess_least_nm@validation"]["value"].get<double>());
      CHECK(least.back() < metrics["prediction_excess_bound_nm@validation"]["value"].get<double>());
      CHECK(least.back() > 0.0);
    }
    return least;
  };
  const std::vector<double> one = least_of("one");
  REQUIRE(one.size() == 2);
  CHECK(one[0] == one[1]);
  json["experiments"]["identification"]["motion"]["stream"] = "other";
  const std::vector<double> other = least_of("other");
  CHECK(other[0] == doctest::Approx(one[0]).epsilon(0.02));
  // Half the samples are worth √½.
  json["sensors"]["rate_hz"] = 50;
  CHECK(least_of("fewer")[0] == doctest::Approx(std::sqrt(2.0) * one[0]).epsilon(0.02));
}

TEST_CASE("Least squares errs beyond the true parameters as the bound says") {
  const TemporaryFolder folder;
  Json json = Scenario("cell");
  json["estimators"] = {{"ols", Json::object()}};
  json["metrics"] = {"prediction_excess_nm@validation", "prediction_excess_bound_nm@validation"};
  json["trials"] = 400;
  Eigen::Vector2d squares = Eigen::Vector2d::Zero(), bound = Eigen::Vector2d::Zero();
  for (const Json& record : LinesIn(Records(json, folder.path() / "run"))) {
    const Json& excess = record["metrics"]["prediction_excess_nm@validation"];
    const Json& limit = record["metrics"]["prediction_excess_bound_nm@validation"];
    for (Eigen::Index j = 0; j < 2; ++j) {
      const auto k = static_cast<std::size_t>(j);
      squares[j] += std::pow(excess["components"][k].get<double>(), 2) / 400.0;
      bound[j] = limit["components"][k].get<double>();
    }
    CHECK(excess["value"].get<double>() ==
          doctest::Approx(0.5 * (excess["components"][0].get<double>() +
                                 excess["components"][1].get<double>())));
  }
  // Nine unknowns: the mean square of 400 trials has an error of some 4 %.
  for (Eigen::Index j = 0; j < 2; ++j) {
    CAPTURE(j);
    CHECK(squares[j] == doctest::Approx(bound[j] * bound[j]).epsilon(0.2));
  }
}

}  // namespace
}  // namespace idbench
