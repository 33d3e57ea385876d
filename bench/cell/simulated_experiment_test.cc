#include "bench/cell/simulated_experiment.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bench/metrics/metric_table.h"
#include "robots/physical_inertia.h"
#include "robots/plant/canonical_text.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/json.h"
#include "scenarios/problem/problem_builder.h"

namespace idbench {
namespace {

/// The experiments of a cell of planar2, moved by `more`, and what they are made of.
struct ExperimentsOfCell {
  explicit ExperimentsOfCell(const char* more)
      : loaded(LoadScenario(Patched(more), "test", {}, AllMetrics())),
        robot(loaded.robot),
        problem(BuildProblem(loaded.robot, scenario().problem, "test")),
        truth(MakeTruth(robot, scenario(), 1, -1)) {
    for (const auto& experiment : scenario().experiments) {
      made.emplace_back(
          robot, scenario(), experiment,
          std::vector<ShownParameters>(2, {.equations = {Equation::kTorque}, .columns = {0}}),
          loaded.scenario.seeds());
    }
  }

  static Json Patched(const char* more) {
    Json json = ParseJson(R"({
      "name": "e", "robot": {"model": "planar2"}, "control": {"type": "exact_replay"},
      "experiments": {"identification": {"motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 1, "candidates": 1}}},
      "sensors": {"rate_hz": 50, "joint_torque": {"noise_std_nm": 0.1}},
      "problem": {"prior": {"mass_scale": 1.2}}, "estimators": {"ols": {}}, "trials": 2})",
                          "test");
    json.merge_patch(ParseJson(more, "more"));
    return json;
  }
  const Scenario& scenario() const { return loaded.cells[0].scenario; }
  Recipe RecipeOf(const SimulatedExperiment& experiment, const Eigen::VectorXd& prior_pi,
                  std::int64_t trial) {
    motion = experiment.MotionOf(trial, motions);
    return experiment.RecipeOf(*motion.motion, truth, prior_pi, *scenario().sensors, trial);
  }

  LoadedScenario loaded;
  HashedRobot robot;
  Problem problem;
  Truth truth;
  MotionStore motions;
  DesiredMotion motion;
  std::vector<SimulatedExperiment> made;
};

TEST_CASE("What a motion is told of decides it, and is that of the same trial") {
  const auto made = [](const char* draw, const char* given) {
    Json more = Json::parse(R"({"experiments": {
        "first": {"motion": {"type": "exciting", "duration_s": 2}},
        "second": {"motion": {"type": "exciting", "duration_s": 2, "stream": "second"}}}})");
    for (const char* label : {"first", "second"}) {
      more["experiments"][label]["motion"]["draw"] = draw;
    }
    if (*given != '\0') more["experiments"]["second"]["motion"]["given"] = {given};
    return std::make_unique<ExperimentsOfCell>(more.dump().c_str());
  };
  const auto text_of = [](const std::vector<SimulatedExperiment>& experiments, std::int64_t trial,
                          MotionStore& motions) {
    const DesiredMotion motion = experiments.at(2).MotionOf(trial, motions);
    CanonicalText text;
    motion.motion->Describe(text);
    return text.text();
  };
  const auto all = [](const ExperimentsOfCell& cell) {
    const std::vector<int> asked = AskedParameters(cell.loaded.robot, cell.scenario().problem);
    ShownByMotions shown(cell.loaded.robot.model, cell.problem, asked);
    return SimulatedExperiments(cell.robot, cell.scenario(), shown, cell.loaded.scenario.seeds());
  };
  MotionStore motions;
  const auto alone = made("cell", ""), told = made("cell", "first"), drawn = made("trial", "first");
  const std::vector<SimulatedExperiment> of_alone = all(*alone), of_told = all(*told),
                                         of_drawn = all(*drawn);
  CHECK_FALSE(of_told[2].motion_drawn_per_trial());
  CHECK(of_drawn[1].motion_drawn_per_trial());
  CHECK(of_drawn[2].motion_drawn_per_trial());
  CHECK(of_told[2].MotionKey() != of_alone[2].MotionKey());
  const std::string told_text = text_of(of_told, -1, motions);
  CHECK(told_text != text_of(of_alone, -1, motions));
  const std::string of_trial = text_of(of_drawn, 1, motions);
  CHECK(of_trial != told_text);
  CHECK(of_trial != text_of(of_drawn, 2, motions));
  CHECK(of_trial == text_of(of_drawn, 1, motions));
}

TEST_CASE("A trial has a roll-out of its own just where something that decides it is drawn") {
  const auto drawn = [](const char* more) {
    return ExperimentsOfCell(more).made[0].drawn_per_trial();
  };
  CHECK_FALSE(drawn("{}"));
  CHECK(drawn(R"({"experiments": {"identification": {"motion": {"draw": "trial"}}}})"));
  CHECK(drawn(R"({"robot": {"truth": {"draw": "trial", "mass_error": {"type": "uniform"}}}})"));
  CHECK_FALSE(
      drawn(R"({"robot": {"truth": {"draw": "cell", "mass_error": {"type": "uniform"}}}})"));
  CHECK(drawn(R"({"control": {"type": "computed_torque", "feedback": "measured"}})"));
  CHECK_FALSE(drawn(R"({"control": {"type": "computed_torque"}})"));
  const auto touched = [&](const std::string& draw) {
    return drawn((R"({"experiments": {"identification": {"environment": {"touches": [
        {"link": "link1", "force_n": [1, 0, 0], "from_s": 0, "hold_s": 1},
        {"type": "drawn_touches", "link": "link2", "axis_from_m": [0, 0, 0],
         "axis_to_m": [0, 0, 0.1], "radius_m": 0.05, "force_n": [1, 2], "ramp_s": [0.1, 0.1],
         "hold_s": [0.1, 0.2], "gap_s": [0.1, 0.2], "draw": ")" +
                  draw + R"("}]}}}})")
                     .c_str());
  };
  CHECK(touched("trial"));
  CHECK_FALSE(touched("cell"));
  // A prior counts where a controller calculates with it.
  const std::string prior =
      R"("problem": {"prior": {"draw": "trial", "mass_error": {"type": "uniform"}}}})";
  CHECK_FALSE(drawn(("{" + prior).c_str()));
  CHECK(drawn((R"({"control": {"type": "computed_torque"}, )" + prior).c_str()));
  CHECK_FALSE(
      drawn((R"({"control": {"type": "computed_torque", "model": "truth"}, )" + prior).c_str()));
}

TEST_CASE("A controller calculates with the truth, or with its prior made physical; a replay not") {
  const Eigen::VectorXd prior = -Eigen::VectorXd::Ones(ParameterLayout(2).size());
  ExperimentsOfCell replay("{}");
  const Recipe exact = replay.RecipeOf(replay.made[0], prior, 0);
  CHECK(exact.control_pi.size() == 0);
  CHECK_FALSE(exact.feedback);
  CHECK(exact.rate_hz == 50.0);

  ExperimentsOfCell by_truth(R"({"control": {"type": "computed_torque", "model": "truth"}})");
  CHECK(by_truth.RecipeOf(by_truth.made[0], prior, 0).control_pi == by_truth.truth.pi);

  ExperimentsOfCell by_prior(R"({"control": {"type": "computed_torque"}})");
  const Eigen::VectorXd used = by_prior.RecipeOf(by_prior.made[0], prior, 0).control_pi;
  for (const int link : {0, 1}) {
    const InertialParameters body = used.segment<kInertialCount>(ParameterLayout(2).Body(link));
    CHECK(PhysicalConsistency(body) == Consistency::kConsistent);
  }
  const Eigen::VectorXd nominal = by_prior.loaded.robot.FindSet("")->pi;
  CHECK(by_prior.RecipeOf(by_prior.made[0], nominal, 0).control_pi == nominal);
}

TEST_CASE("Noise that is fed back belongs to the experiment and the trial") {
  ExperimentsOfCell cell(R"({
      "control": {"type": "computed_torque", "feedback": "measured"},
      "sensors": {"joint_position": {"noise_std_rad": 1e-3}},
      "experiments": {"again": {"role": "validation", "motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 1, "candidates": 1}}}})");
  REQUIRE(cell.made.size() == 2);
  const Eigen::VectorXd prior = cell.loaded.robot.FindSet("")->pi;
  const auto noise = [&](std::size_t k, std::int64_t trial) {
    return cell.RecipeOf(cell.made[k], prior, trial).feedback.value().noise;
  };
  CHECK(noise(0, 3).name == "identification/feedback");
  CHECK(noise(1, 3).name == "again/feedback");
  CHECK(noise(0, 3).trial == 3);
  CHECK(noise(0, 3).seed == 1);
  ExperimentsOfCell fresh(R"({
      "control": {"type": "computed_torque", "feedback": "measured"}, "noise_seed": 9,
      "sensors": {"joint_position": {"noise_std_rad": 1e-3}}})");
  CHECK(fresh.RecipeOf(fresh.made[0], prior, 3).feedback.value().noise.seed == 9);
  const auto key = [&](std::size_t k, std::int64_t trial) {
    return KeyOf(cell.RecipeOf(cell.made[k], prior, trial));
  };
  // The two have one motion and one robot; what is fed back makes other roll-outs of them.
  CHECK(key(0, 0) == key(0, 0));
  CHECK(key(0, 0) != key(1, 0));
  CHECK(key(0, 0) != key(0, 1));
}

TEST_CASE(
    "Open-loop torque has a state to begin with in place of a motion, and reads its file once") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("tau.csv", "t_s,tau1_nm,tau2_nm\n0,1,2\n0.5,3,4\n");
  ExperimentsOfCell cell((R"({"experiments": {"identification": {"motion": null}},
      "control": {"type": "torque_replay", "q_rad": [0.2, -0.1], "qd_rad_s": [0.5, 0], "file": ")" +
                          file + R"("}})")
                             .c_str());
  std::filesystem::remove(file);
  const SimulatedExperiment& experiment = cell.made[0];
  CHECK_FALSE(experiment.has_motion());
  CHECK_FALSE(experiment.drawn_per_trial());
  for (const std::int64_t trial : {-1, 0, 7}) {
    JointState state = JointState::Zero(2);
    experiment.MotionOf(trial, cell.motions).motion->Evaluate(0.0, state);
    CHECK(state.q == Eigen::Vector2d(0.2, -0.1));
    CHECK(state.qd == Eigen::Vector2d(0.5, 0.0));
  }
  CHECK(cell.motions.designed() == 0);
  const Recipe recipe = cell.RecipeOf(experiment, {}, 0);
  CHECK_FALSE(std::get<TorqueReplayOptions>(recipe.control).file);
  CHECK(Simulate(recipe)[kJointTorque].rows() == 26);  // 0.5 s at 50 Hz, both ends
}

TEST_CASE("What follows a motion is a part of the experiment, and touches may be drawn in it") {
  const std::string touches = R"("environment": {"touches": [
        {"type": "drawn_touches", "link": "link2", "axis_from_m": [0, 0, 0],
         "axis_to_m": [0, 0, 0.1], "radius_m": 0.05, "force_n": [1, 2], "ramp_s": [0.1, 0.1],
         "hold_s": [0.1, 0.2], "gap_s": [0.1, 0.2]}]})";
  ExperimentsOfCell cell((R"({"control": {"type": "computed_torque"}, "experiments": {
      "identification": {)" +
                          touches + R"(},
      "again": {"role": "validation", "release": {"duration_s": 2},
        "motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 1, "candidates": 1}, )" +
                          touches + "}}}")
                             .c_str());
  const Eigen::VectorXd prior = cell.loaded.robot.FindSet("")->pi;
  const Recipe without = cell.RecipeOf(cell.made[0], prior, 0);
  CHECK_FALSE(without.release);
  CHECK(without.environment.value().touches.back().begin_s < 1.0);
  const Recipe with = cell.RecipeOf(cell.made[1], prior, 0);
  CHECK(with.release == ReleaseOptions{.duration_s = 2.0});
  CHECK(with.environment.value().touches.back().begin_s > 2.5);
  CHECK(with.environment->touches.back().begin_s < 3.0);
  CHECK_FALSE(cell.made[1].drawn_per_trial());
}

TEST_CASE("A sequence over the durations of design is that of its Fourier parts, and reads once") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("q.csv", "t_s,q1_rad,q2_rad\n0,0,0\n0.5,0.1,0.2\n");
  ExperimentsOfCell cell((R"({"experiments": {"identification": {"motion": {"type": "sequence",
      "base_frequency_hz": null, "duration_s": null, "candidates": null, "blend_s": 2, "parts": [{"type": "recorded", "file": ")" +
                          file + R"("},
        {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 1, "design_duration_s": 4,
         "candidates": 1, "amplitude_fraction": 0.2}]}}}})")
                             .c_str());
  std::filesystem::remove(file);
  const SimulatedExperiment& experiment = cell.made[0];
  CHECK(experiment.MotionOf(-1, cell.motions).motion->duration_s() == 3.5);
  CHECK(experiment.DesignedMotion(cell.motions).motion->duration_s() == 6.5);
}

}  // namespace
}  // namespace idbench
