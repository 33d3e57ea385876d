#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/small_run_test.h"
#include "reports/run/merge_runs.h"
#include "reports/run/run_folder.h"

/// Experiments that are controlled with what estimators found.
namespace idbench {
namespace {

/// A planar arm that is identified under control with a prior that is 40 % off, and then follows a
/// motion with what each estimator found.
Json Staged() {
  Json json = Description();
  json.erase("sweep");
  json["problem"]["prior"] = {{"mass_scale", 1.4}, {"inertia_scale", 1.4}};
  json["estimators"] = ParseJson(R"({"prior_only": {}, "ols": {}})", "estimators");
  json["trials"] = 3;
  json["timing_trials"] = 0;
  json["metrics"] = {"following_error_rad"};
  json["experiments"]["following"] = ParseJson(R"({
    "role": "application",
    "motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 2, "candidates": 1,
               "stream": "following"},
    "control": {"type": "computed_torque", "model": "estimate", "natural_frequency_hz": 1.0}})",
                                               "following");
  return json;
}

double FollowingError(const Json& record) {
  return record.at("metrics").at("following_error_rad@following").at("value").get<double>();
}

TEST_CASE("A robot follows its motion better with a better estimate") {
  const TemporaryFolder folder;
  const std::vector<Json> lines = LinesIn(Records(Staged(), folder / "run"));
  REQUIRE(lines.size() == 6);
  for (std::size_t k = 0; k < lines.size(); k += 2) {
    CHECK(lines[k]["estimator"] == "prior_only");
    CHECK(FollowingError(lines[k]) > 10.0 * FollowingError(lines[k + 1]));
    // One motion and one prior: each trial moves the robot alike.
    CHECK(FollowingError(lines[k]) == FollowingError(lines[0]));
    CHECK(lines[k]["metrics"]["following_error_rad@following"]["components"].size() == 2);
  }
  CHECK(FollowingError(lines[1]) != FollowingError(lines[3]));
}

TEST_CASE("Control with an estimate of the true values is control with the truth") {
  const TemporaryFolder folder;
  Json json = Staged();
  json["trials"] = 1;
  json["problem"]["prior"] = Json::object();  // the truth
  const LoadedScenario exact = Load(json);
  const double by_estimate = FollowingError(LinesIn(Records(json, folder / "estimate"))[0]);
  const Cell& cell = exact.cells.front();
  RolloutStore rollouts;
  const PreparedCell prepared(exact, cell, rollouts);
  const TrialData data = prepared.Run(0);
  const StagedExperiments staged = prepared.RunStaged(data, data.truth->robot.recipe().pi);
  REQUIRE(staged.size() == 1);
  json["experiments"]["following"]["control"]["model"] = "truth";
  json["experiments"]["following"]["role"] = "validation";
  json.erase("metrics");
  const LoadedScenario plain = Load(json);
  const PreparedCell shared(plain, plain.cells.front(), rollouts);
  const TrialData same = shared.Run(0);
  REQUIRE(same.datasets.back().label() == "following");
  CHECK(staged[0].clean[kJointPosition] == (*same.clean.back())[kJointPosition]);
  const Eigen::MatrixXd error = staged[0].clean[kDesiredPosition] - staged[0].clean[kJointPosition];
  CHECK(by_estimate == doctest::Approx(std::sqrt(error.cwiseAbs2().mean())).epsilon(1e-6));
  CHECK(staged[0].data->Get(kJointTorque).samples ==
        same.datasets.back().Get(kJointTorque).samples);
}

TEST_CASE("Records of staged depend on neither jobs nor shards, nor on who wrote defaults") {
  const TemporaryFolder folder;
  Json json = Staged();
  json["experiments"]["following"]["control"]["feedback"] = "measured";
  json["keep_series"] = {1};
  const std::string whole = Records(json, folder / "whole");
  CHECK(Records(json, folder / "jobs", 3) == whole);
  const LoadedScenario loaded = Load(json);
  CHECK(Records(*loaded.expanded, folder / "expanded") == whole);
  std::vector<std::filesystem::path> shards;
  for (const int index : {2, 1}) {
    shards.push_back(folder / std::to_string(index));
    RunScenario(loaded, {.folder = shards.back(), .shard = Shard{index, 2}});
  }
  MergeRuns(shards, folder / "merged");
  CHECK(ReadText(folder / "merged" / "records.jsonl") == whole);
}

TEST_CASE("Observers watch what was made with their model, the prior and the truth among them") {
  const TemporaryFolder folder;
  Json json = Staged();
  json.erase("metrics");
  json["trials"] = 1;
  json["keep_series"] = {0};
  json["experiments"]["following"]["environment"] = ParseJson(R"({"touches": [
      {"link": "link2", "point_m": [0.2, 0, 0], "force_n": [0, 0, 8], "from_s": 0.8,
       "hold_s": 0.4}]})",
                                                              "environment");
  json["observers"] = ParseJson(R"({"T2": {"type": "contact_statistic"}})", "observers");
  const std::vector<Json> lines = LinesIn(Records(json, folder / "run"));
  REQUIRE(lines.size() == 2 + 4);  // prior, prior_only, ols and truth
  for (std::size_t k = 2; k < lines.size(); ++k) {
    CAPTURE(lines[k].dump());
    CHECK(lines[k]["outcome"] == "ok");
    CHECK(lines[k]["metrics"]["detection_auc@following"].contains("value"));
  }
  CHECK(lines[5]["estimator"] == "truth");
  CHECK(lines[5]["metrics"]["detection_auc@following"]["value"] > 0.9);
  const std::vector<Json> traces =
      LinesIn(ReadText(folder / "run" / "series" / "observations.jsonl"));
  REQUIRE(traces.size() == 4);
  for (const Json& trace : traces) {
    CHECK(trace["experiment"] == "following");
    CHECK(std::ranges::count(trace["there"], Json(1)) > 10);
    CHECK(std::ranges::count(trace["there"], Json(0)) > 10);
  }
}

TEST_CASE("A stage that fails with an estimate is a failed metric, and told") {
  const TemporaryFolder folder;
  Json json = Staged();
  json["trials"] = 1;
  // A controller that takes the robot for so heavy a one overdoes all that it corrects.
  json["problem"]["prior"] = {{"mass_scale", 60.0}, {"inertia_scale", 60.0}};
  json["experiments"]["following"]["control"]["natural_frequency_hz"] = 20.0;
  const std::vector<Json> lines = LinesIn(Records(json, folder / "run"));
  const Json& failed = lines[0]["metrics"]["following_error_rad@following"];
  CAPTURE(failed.dump());
  REQUIRE(failed.contains("failed"));
  CHECK(failed["failed"].get<std::string>().find("t = ") != std::string::npos);
  CHECK(lines[1]["metrics"]["following_error_rad@following"].contains("value"));
}

TEST_CASE("What the robot does after it is let go is not what it was to follow") {
  const TemporaryFolder folder;
  Json json = Staged();
  json["trials"] = 1;
  const std::vector<Json> alone = LinesIn(Records(json, folder / "alone"));
  json["experiments"]["following"]["release"] = {{"duration_s", 0.2}};
  const std::vector<Json> released = LinesIn(Records(json, folder / "released"));
  for (std::size_t k = 0; k < alone.size(); ++k) {
    CHECK(FollowingError(released[k]) == FollowingError(alone[k]));
  }
}

TEST_CASE("A model that drives the robot into its stop fails there, and says so; others go on") {
  const TemporaryFolder folder;
  Json json = Staged();
  json["trials"] = 1;
  json["keep_series"] = {0};
  // Gravity of a prior that is three times too heavy throws a soft controller over.
  json["problem"]["prior"] = {{"mass_scale", 3.0}, {"inertia_scale", 3.0}};
  json["control"] = {{"type", "exact_replay"}};
  json["experiments"]["following"]["control"]["natural_frequency_hz"] = 0.1;
  const std::vector<Json> lines = LinesIn(Records(json, folder / "run"));
  REQUIRE(lines.size() == 2);
  const Json& metric = lines[0]["metrics"]["following_error_rad@following"];
  CAPTURE(metric.dump());
  const std::string failed = metric.at("failed").get<std::string>();
  CHECK(failed.find("hit its stop") != std::string::npos);
  CHECK(failed.find("the motion is at ") != std::string::npos);
  CHECK(failed.find("the control has this row's model, in which bodies") != std::string::npos);
  CHECK(FollowingError(lines[1]) < 0.1);
  CHECK(LinesIn(ReadText(folder / "run" / "series" / "following.jsonl")).size() == 1);
}

TEST_CASE("Series of a kept trial tell how the robot followed with each estimate") {
  const TemporaryFolder folder;
  Json json = Staged();
  json["trials"] = 2;
  json["keep_series"] = {1};
  const std::vector<Json> records = LinesIn(Records(json, folder / "run"));
  const std::vector<Json> lines = LinesIn(ReadText(folder / "run" / "series" / "following.jsonl"));
  REQUIRE(lines.size() == 2);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const Json& line = lines[k];
    CHECK(line["trial"] == 1);
    CHECK(line["estimator"] == records[2 + k]["estimator"]);
    CHECK(line["experiment"] == "following");
    CHECK(line["joints"] == Json({"joint1", "joint2"}));
    REQUIRE(line["t_s"].size() == line["position"][1].size());
    double squares = 0.0;
    for (std::size_t i = 0; i < line["t_s"].size(); ++i) {
      for (const int j : {0, 1}) {
        squares +=
            std::pow(line["desired"][j][i].get<double>() - line["position"][j][i].get<double>(), 2);
      }
    }
    // Of every other sample or so, and of six digits.
    const double error = std::sqrt(squares / (2.0 * static_cast<double>(line["t_s"].size())));
    CHECK(error == doctest::Approx(FollowingError(records[2 + k])).epsilon(0.02));
  }
}

TEST_CASE("Tables say what an estimate controls, and where its gains follow from it") {
  const auto says = [](const Json& json, const std::string& mark) {
    const LoadedScenario loaded = Load(json);
    RolloutStore rollouts;
    const PreparedCell prepared(loaded, loaded.cells.front(), rollouts);
    return std::ranges::any_of(prepared.marks(), [&mark](const std::string& each) {
      return each.find(mark) != std::string::npos;
    });
  };
  Json json = Staged();
  CHECK(says(
      json,
      "with the true model, in a draw of no trial, the robot follows its motion in following to "));
  CHECK(says(json, "rad (root mean square over joints; the worst is joint"));
  CHECK(says(json, "controlled with what each estimator found, and made anew for each, beside"));
  CHECK_FALSE(says(json, "gains that follow from its inertias"));
  CHECK(says(json, "fed back the true state, without the errors of sensors"));
  json["experiments"]["following"]["control"]["feedback"] = "measured";
  CHECK_FALSE(says(json, "fed back the true state"));
  json["experiments"]["following"]["control"]["feedback"] = "true_state";
  json["experiments"]["following"]["environment"] = ParseJson(
      R"({"walls": [{"link": "link2", "through_m": [0, 0, -5], "normal": [0, 0, 1],
                     "stiffness_n_m": 1000}]})",
      "environment");
  CHECK(says(json, "no wall is reached with the true model, so that nothing acts on the robot: "));
  json["experiments"]["following"].erase("environment");
  json["experiments"]["following"]["control"] = {{"type", "pd_gravity"}, {"model", "estimate"}};
  CHECK(says(json, "following (with gains that follow from its inertias"));
  json["experiments"]["following"]["control"]["kp_nm_rad"] = 50.0;
  json["experiments"]["following"]["control"]["kd_nms_rad"] = 5.0;
  CHECK_FALSE(says(json, "gains that follow from its inertias"));
}

std::string MessageOf(const Json& json) {
  try {
    const TemporaryFolder folder;
    const LoadedScenario loaded = Load(json);
    RolloutStore rollouts;
    const PreparedCell prepared(loaded, loaded.cells.front(), rollouts);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("What cannot be a stage is refused with what can") {
  const auto refused = [](const Json& json, const char* part) {
    const std::string message = MessageOf(json);
    CAPTURE(message);
    return message.find(part) != std::string::npos;
  };
  CHECK(MessageOf(Staged()).empty());
  Json json = Staged();
  json["experiments"]["following"]["role"] = "validation";
  CHECK(refused(json, "/experiments/following/control/model"));
  CHECK(refused(json, "give following the role application"));
  json = Staged();
  json["control"] = {{"type", "computed_torque"}, {"model", "estimate"}};
  CHECK(refused(json, "/control/model: is \"estimate\", and identification has the role"));
  json = Staged();
  json["metrics"] = {"following_error_rad@identification"};
  CHECK(refused(json, "is of experiments that are controlled with an estimate"));
  json = Staged();
  json["evaluate_at_s"] = {0.5};
  json["metrics"] = {"following_error_rad@following@t=0.5"};
  CHECK(refused(json, "one value per experiment, not per checkpoint"));
  json = Staged();
  json["experiments"]["following"]["environment"] = ParseJson(
      R"({"touches": [{"link": "link2", "force_n": [0, 0, 8], "from_s": 99, "hold_s": 1}]})",
      "environment");
  CHECK(
      refused(json, "/experiments/following/environment/touches/0/from_s: 99 s is behind the end"));
  // What fails with the truth fails with any estimate.
  json = Staged();
  json["experiments"]["following"]["environment"] = ParseJson(
      R"({"walls": [{"link": "link2", "through_m": [0, 0, -5], "normal": [0, 0, -1],
                     "stiffness_n_m": 1000}]})",
      "environment");
  CHECK(refused(json,
                "/experiments/following: fails even with the true model: the experiment begins"));
}

}  // namespace
}  // namespace idbench
