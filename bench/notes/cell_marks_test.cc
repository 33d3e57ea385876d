#include "bench/notes/cell_marks.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/cell/prepared_cell.h"
#include "bench/metrics/metric_table.h"
#include "bench/metrics/tracked_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

using Sentences = std::vector<std::string>;

/// Marks of planar2 with noisy torques, and states as `more` says, but TruePriorNote().
/// @param of_manifest  the scenario is that of a run.
Sentences MarksWith(const char* more, bool of_manifest = false) {
  Json json = ParseJson(R"({
    "name": "m", "control": {"type": "exact_replay"},
    "robot": {"model": "planar2", "truth": {"rotor_inertia_kgm2": 0,
      "friction": {"viscous_nms_rad": 0, "coulomb_nm": 0, "offset_nm": 0}}},
    "experiments": {"slow": {"motion": {"type": "fourier", "base_frequency_hz": 1, "duration_s": 1, "candidates": 1}}},
    "sensors": {"joint_position": {"origin": "measured"}, "joint_velocity": {"origin": "measured"},
                "joint_acceleration": {"origin": "measured"}, "joint_torque": {"noise_std_nm": 0.1}},
    "problem": {}, "estimators": {"ols": {}}, "trials": 2})",
                        "test");
  json.merge_patch(ParseJson(more, "more"));
  LoadedScenario loaded = LoadScenario(json, "test", {}, AllMetrics());
  loaded.of_manifest = of_manifest;
  RolloutStore rollouts;
  Sentences marks = PreparedCell(loaded, loaded.cells[0], rollouts).marks();
  std::erase_if(marks,
                [](const std::string& mark) { return mark.starts_with("the prior is the truth"); });
  return marks;
}

const std::string kTrueSigma = "true σ of the torque sensors declared";

TEST_CASE("Of a simulation whose every channel is measured only σ is to be told") {
  CHECK(MarksWith("{}") == Sentences{kTrueSigma});
}

TEST_CASE("Errors of sensors that are no noise are told, and motors that nothing reads") {
  const char* sensors =
      R"({"sensors": {"joint_position": {"bias_rad": 0.05, "sine_error_rad": 0.01},
      "joint_velocity": {"dropout_fraction": 0.3}}})";
  const Sentences marks = MarksWith(sensors);
  CHECK(std::ranges::find(
            marks,
            "errors of sensors beside noise, in no true σ: joint_position (an angle off its axis "
            "of up to 0.01 rad, a bias of up to 0.05 rad), joint_velocity (30 % of the readings "
            "lost, the "
            "last held)") != marks.end());
  // What comes and goes is no offset, though one is estimated.
  const Sentences wandering =
      MarksWith(R"({"sensors": {"joint_torque": {"bias_nm": 0.3, "bias_shift_std_nm": 0.1,
                                                 "drift_std_nm": [0, 0.2]},
                     "base_wrench": {"origin": "measured", "noise_std_n_nm": 1,
                                     "calibration_error": {"relative_std": 0.03}}},
                    "problem": {"parametrisation": {"friction": ["offset"]}}})");
  CHECK(std::ranges::find(
            wandering,
            "errors of sensors beside noise, in no true σ: joint_torque (a shift between "
            "experiments with a σ of up to 0.1 N·m, a drift with a σ of up to 0.2 N·m), "
            "base_wrench (a calibration error with a σ of 3 %); shifts and drifts are in no true "
            "offset") != wandering.end());
  // A bias of the torques is an offset, if one is estimated.
  const auto tells_bias = [](const char* more) {
    return std::ranges::any_of(MarksWith(more), [](const std::string& mark) {
      return mark.find("joint_torque (a bias of up to 0.3 N·m)") != std::string::npos;
    });
  };
  CHECK(tells_bias(R"({"sensors": {"joint_torque": {"bias_nm": [0.3, 0]}}})"));
  CHECK_FALSE(tells_bias(R"({"sensors": {"joint_torque": {"bias_nm": [0.3, 0]}},
                             "problem": {"parametrisation": {"friction": ["offset"]}}})"));
  CHECK(MarksWith(R"({"robot": {"truth": {"motor": {"gear_efficiency": 0.5}}}})") ==
        Sentences{"in the true motors, but without effect, as no equation has what they are fed: "
                  "losses of the gears",
                  kTrueSigma});
}

TEST_CASE("What the true robot has and nobody asks for is told, and what is asked for is not") {
  const char* friction = R"({"robot": {"truth": {"friction": {"viscous_nms_rad": [0.1, 0]},
      "rotor_inertia_kgm2": 0.01}}})";
  CHECK(MarksWith(friction) == Sentences{"in the true robot, but neither estimated nor known: "
                                         "joint1.fv, joint1.ia, joint2.ia",
                                         kTrueSigma});
  const char* asked = R"({"robot": {"truth": {"friction": {"viscous_nms_rad": 0.1}}},
      "problem": {"parametrisation": {"friction": ["viscous"]}}})";
  CHECK(MarksWith(asked) == Sentences{kTrueSigma});
  // Rotor inertia of the first joint is regrouped into its link.
  const char* regrouped = R"({"robot": {"truth": {"rotor_inertia_kgm2": 0.01}},
      "problem": {"parametrisation": {"rotor_inertia": true}}})";
  CHECK(MarksWith(regrouped) == Sentences{kTrueSigma});
}

TEST_CASE("Friction that is known as 0, or of each configuration's own, is not left out") {
  const auto marks = [](const char* more) {
    Json json = ParseJson(R"({"robot": {"truth": {"friction": {"coulomb_nm": [0.1, 0]}}},
        "problem": {"parametrisation": {"friction": ["coulomb"]}}})",
                          "friction");
    json.merge_patch(ParseJson(more, "more"));
    return MarksWith(json.dump().c_str());
  };
  const auto left_out = [](const Sentences& sentences) {
    return std::ranges::any_of(sentences, [](const std::string& mark) {
      return mark.starts_with("in the true robot, but neither estimated nor known");
    });
  };
  CHECK(left_out(marks(R"({"problem": {"parametrisation": {"friction": []}}})")));
  CHECK(!left_out(marks("{}")));
  CHECK(!left_out(
      marks(R"({"problem": {"prior": {"mean": {"joint1.fc": 0}, "known": ["joint1.fc"]}}})")));
  CHECK(!left_out(marks(R"({"configurations": {"hot": {"own": ["joint1.fc"]}},
                            "experiments": {"slow": {"configuration": "hot"}}})")));
}

TEST_CASE("Friction that a planar Lagrangian has not is told") {
  const auto marks = [](const char* kinds) {
    Json more = ParseJson(R"({"robot": {"model": "rods1", "truth": {"rotor_inertia_kgm2": null,
        "friction": {"coulomb_nm": 0.1}}}, "estimators": {"ols": null, "prior_only": {}},
        "problem": {"parametrisation": {"type": "planar_lagrangian"}, "prior": {"mass_scale": 1.1}}})",
                          "rod");
    more["problem"]["parametrisation"]["friction"] = Json::parse(kinds);
    return MarksWith(more.dump().c_str());
  };
  const std::string sigma = "no σ of the position sensors declared";
  CHECK(marks("[]") ==
        Sentences{"in the true robot, but neither estimated nor known: joint1.fc", sigma});
  CHECK(marks(R"(["coulomb"])") == Sentences{sigma});
}

TEST_CASE("Bodies that data do not tell apart are told, and where that matters") {
  CHECK(MarksWith(R"({"attached": {"tool": {"link": "link2", "truth": {"mass_kg": 1}}},
    "configurations": {"loaded": {"attached": ["tool"]}},
    "experiments": {"slow": {"configuration": "loaded"}, "bare": {"role": "validation",
      "motion": {"type": "fourier", "base_frequency_hz": 1, "duration_s": 2, "candidates": 1}}}})") ==
        Sentences{"tool, which is to be estimated, is attached in: slow",
                  "data for identification tell only the sum of: link2, tool; predictions of bare, "
                  "where others of them are attached, mean nothing",
                  kTrueSigma});
}

TEST_CASE("Exact channels are told once, in the order of their names") {
  CHECK(
      MarksWith(
          R"({"sensors": {"joint_velocity": {"origin": "oracle"}, "joint_acceleration": {"origin": "oracle"}},
      "experiments": {"fast": {"role": "validation", "motion": {"type": "fourier", "base_frequency_hz": 1, "duration_s": 2, "candidates": 1}}}})") ==
      Sentences{"exact (oracle) channels: joint_acceleration, joint_velocity", kTrueSigma});
}

TEST_CASE("What is drawn is told of prior and truth, and what a draw made impossible") {
  const Sentences marks = MarksWith(R"({
      "problem": {"prior": {"mass_error": {"type": "random_sign", "size": 0.1}}},
      "robot": {"truth": {"draw": "trial", "inertia_error": {"type": "random_sign", "size": 0.9}}}})");
  REQUIRE(marks.size() == 4);
  CHECK(marks[0] == "errors of the prior drawn once: masses ±10 %, signs drawn");
  CHECK(marks[1].starts_with("errors of the truth drawn per trial: "));
  // Moments that differ as 0.1 : 1.9 break the triangle inequality.
  CHECK(marks[2].starts_with(
      "simulated with inertias made physical (trial by trial; in the first): link"));
  CHECK(marks[3] == kTrueSigma);
}

TEST_CASE("Payloads are to be found where they are unknown, and disturb where they are not") {
  const std::string events = R"("experiments": {"slow": {"events": [{"at_s": 0.5, "mass_kg": 1}]},
      "bare": {"motion": {"type": "fourier", "base_frequency_hz": 1, "duration_s": 1, "candidates": 1}}})";
  const std::string changes =
      "what the robot carries changes in slow (at 0.5 s): torque errors there are those of the "
      "estimate before each sample, of online methods alone";
  CHECK(MarksWith(("{" + events + "}").c_str()) ==
        Sentences{"payloads that the model does not know: 1 kg at link2 in slow from 0.5 s on",
                  changes + "; methods that take it for constant: ols (fit all samples)",
                  kTrueSigma});
  CHECK(MarksWith(("{" + events + R"(, "estimators": {"ols": null, "ekf": {}},
      "problem": {"prior": {"relative_std": 1}, "parametrisation": {"type": "payload",
        "payload": {"com_m": [0.1, 0, 0], "mass_bounds_kg": [0, 4], "moment_bounds_kgm2": [0, 1]}}}})")
                      .c_str()) ==
        Sentences{
            "payloads that the estimators are to find: 1 kg at link2 in slow from 0.5 s on",
            changes +
                "; methods that take it for constant: ekf (without process noise and forgetting)",
            kTrueSigma});
}

TEST_CASE("Forces from outside are told with their experiments") {
  CHECK(
      MarksWith(R"({"experiments": {"slow": {"environment": {"touches": [
      {"link": "link2", "force_n": [3, 0, 4], "from_s": 0.2, "ramp_s": 0.1, "hold_s": 0.3},
      {"type": "drawn_touches", "link": "link1", "axis_from_m": [0, 0, 0], "axis_to_m": [0, 0, 0.1],
       "radius_m": 0.05, "force_n": [1, 2], "ramp_s": [0.1, 0.1], "hold_s": [0.1, 0.2],
       "gap_s": [0.1, 0.2], "draw": "trial"}]}}}})") ==
      Sentences{"forces from outside that no model knows: slow (5 N on link2 from 0.2 s to 0.7 s, "
                "touches of link1 with 1 to 2 N, drawn per trial)",
                kTrueSigma});
  CHECK(MarksWith(R"({"experiments": {"slow": {"environment": {}}}})") == Sentences{kTrueSigma});
}

TEST_CASE("A wall is told, and where nothing reaches it") {
  const auto marks = [](double x_m) {
    Json more =
        ParseJson(R"({"control": {"type": "pd_gravity", "model": "truth"}, "experiments": {"slow": {
        "motion": {"type": "way_points", "points_rad": [[0.3, 0], [-0.3, 0]], "dwell_s": 0.1},
        "environment": {"walls": [{"link": "link2", "point_m": [0, 0, -0.45],
                                   "normal": [-1, 0, 0], "stiffness_n_m": 1000}]}}}})",
                  "wall");
    more["experiments"]["slow"]["motion"]["candidates"] = nullptr;  // of the motion before
    more["experiments"]["slow"]["motion"]["base_frequency_hz"] = nullptr;
    more["experiments"]["slow"]["motion"]["duration_s"] = nullptr;
    more["experiments"]["slow"]["environment"]["walls"][0]["through_m"] = {x_m, 0, 0};
    return MarksWith(more.dump().c_str());
  };
  // The tip goes from x = -0.28 m to 0.28 m.
  const std::string wall =
      "forces from outside that no model knows: slow (a wall of 1000 N/m before link2)";
  CHECK(marks(0.1) == Sentences{wall, kTrueSigma});
  CHECK(marks(0.5) ==
        Sentences{wall,
                  "no wall is reached in the first trial, so that nothing acts on the robot: slow",
                  kTrueSigma});
}

TEST_CASE("What follows a motion is told with its experiment") {
  CHECK(MarksWith(R"({"control": {"type": "pd_gravity", "model": "truth"}, "experiments": {
      "slow": {"release": {"duration_s": 0.25}},
      "again": {"role": "validation", "release": {"duration_s": 0.1, "torque": "gravity"},
        "motion": {"type": "way_points", "points_rad": [[0, 0]], "dwell_s": 0.1}}}})") ==
        Sentences{"controllers let the robot go after its motion: slow (0.25 s, without torque), "
                  "again (0.1 s, with the model's gravity torque)",
                  kTrueSigma});
}

/// A robot that is touched from 0.2 s on, and carries something from 1 s on.
Sentences ObservedMarks(const std::string& robot, const Json& change) {
  Json watched = ParseJson(R"({"experiments": {
      "slow": {"motion": {"duration_s": 2}},
      "contact": {"role": "application",
        "motion": {"type": "fourier", "base_frequency_hz": 1, "duration_s": 2, "candidates": 1},
        "environment": {"touches": [{"type": "touch", "link": "link2", "point_m": [0.1, 0, 0],
                                     "force_n": [3, 0, 4], "from_s": 0.2, "hold_s": 0.3}]},
        "events": [{"type": "attach", "at_s": 1, "mass_kg": 0.5}]}}})",
                           "watched");
  watched["robot"]["model"] = robot;
  watched.merge_patch(change);
  Sentences marks = MarksWith(watched.dump().c_str());
  std::erase_if(marks, [](const std::string& mark) {
    return mark == kTrueSigma || mark.starts_with("forces from outside") ||
           mark.starts_with("loads of applications");
  });
  return marks;
}

Json ObserverOf(const char* type) { return {{"observers", {{"o", {{"type", type}}}}}}; }

TEST_CASE("Observers that look for something else than what acts are told") {
  const std::string loaded =
      "a load counts as no force and no contact, and its detection as false: o in contact";
  CHECK(ObservedMarks("puma560", ObserverOf("end_effector_force")) ==
        Sentences{"forces are sought at the end effector, a point of link6; the robot is touched "
                  "elsewhere, which their errors include: o in contact",
                  loaded});
  CHECK(ObservedMarks("planar2", ObserverOf("contact_statistic")) == Sentences{loaded});
  CHECK(ObservedMarks("planar2", ObserverOf("payload_change")) ==
        Sentences{"a touch counts as no change of the load, and its detection as false: o in "
                  "contact"});
  // What the robot carried all along is in its model.
  Json carried = ObserverOf("contact_statistic");
  for (const char* label : {"slow", "contact"}) {
    carried["experiments"][label]["events"] =
        ParseJson(R"([{"type": "attach", "at_s": 0, "mass_kg": 0.5}])", "events");
  }
  const Sentences same = ObservedMarks("planar2", carried);
  CHECK(std::ranges::find(same, loaded) == same.end());
  // At the end effector, and nothing else: nothing to tell.
  const EndEffector E = LoadRobot("puma560").model.end_effector();
  Json at_end = ObserverOf("end_effector_force");
  at_end["experiments"]["contact"]["events"] = nullptr;
  at_end["experiments"]["contact"]["environment"]["touches"] = {
      {{"type", "touch"},
       {"link", "link6"},
       {"point_m", {E.p_LE_L.x(), E.p_LE_L.y(), E.p_LE_L.z()}},
       {"force_n", {3, 0, 4}},
       {"from_s", 0.2},
       {"hold_s", 0.3}}};
  CHECK(ObservedMarks("puma560", at_end).empty());
  // A wall before another link, reached or not.
  Json wall = at_end;
  wall["control"] = {{"type", "pd_gravity"}, {"model", "truth"}};
  wall["plant"]["friction_integration"] = "implicit";
  wall["experiments"]["contact"]["environment"]["touches"] = nullptr;
  wall["experiments"]["contact"]["environment"]["walls"] = {{{"link", "link3"},
                                                             {"through_m", {0, 0, -5}},
                                                             {"normal", {0, 0, 1}},
                                                             {"stiffness_n_m", 1000}}};
  const Sentences before = ObservedMarks("puma560", wall);
  REQUIRE(before.size() == 2);
  CHECK(
      before[0].starts_with("forces are sought at the end effector, a point of link6; the robot"));
  CHECK(before[1].starts_with("no wall is reached"));
}

TEST_CASE("Touches of another body than is looked at are told, and observers that look ahead") {
  Json place = {{"observers",
                 {{"o",
                   {{"type", "touch_force"},
                    {"link", "link3"},
                    {"axis_from_m", {0, 0, 0}},
                    {"axis_to_m", {0.4, 0, 0}},
                    {"radius_m", 0.03}}}}}};
  place["experiments"]["contact"]["events"] = nullptr;
  place["sensors"]["base_wrench"]["origin"] = "measured";
  place["problem"]["equations"] = {"base_wrench"};
  const std::string no_sigma = "no σ of the base-wrench sensors declared";
  CHECK(ObservedMarks("puma560", place) ==
        Sentences{"places of touches are sought on one body; the robot is touched elsewhere, which "
                  "the errors of forces include: o in contact",
                  no_sigma});
  place["observers"]["o"]["link"] = "link2";
  CHECK(ObservedMarks("puma560", place) == Sentences{no_sigma});
  place["observers"]["o"]["lowpass"]["zero_phase"] = false;
  CHECK(ObservedMarks("puma560", place) == Sentences{no_sigma});
  place["observers"]["o"]["lowpass"]["zero_phase"] = true;
  CHECK(ObservedMarks("puma560", place) ==
        Sentences{"observers that look ahead, by a low-pass of zero phase: no one can know at an "
                  "instant what they say, and delays of their detections are too short: o",
                  no_sigma});
}

TEST_CASE("Touches that are too light to count, and processing that looks ahead, are told") {
  Json light = ObserverOf("contact_statistic");
  light["experiments"]["contact"]["events"] = nullptr;
  light["experiments"]["contact"]["environment"]["contact_from_n"] = 5.0;
  CHECK(ObservedMarks("planar2", light) ==
        Sentences{"touches of no more than contact_from_n count as no contact (in the first trial: "
                  "1 of 1 in contact)"});
  light["experiments"]["contact"]["environment"]["contact_from_n"] = 4.9;
  CHECK(ObservedMarks("planar2", light).empty());
  light["processing"] = {{"lowpass", {{"cutoff_hz", 20}}}};
  const Sentences ahead = ObservedMarks("planar2", light);
  const auto looks_ahead = [](const std::string& mark) {
    return mark.starts_with("processing looks ahead: ");
  };
  CHECK(std::ranges::count_if(ahead, looks_ahead) == 1);
  light["processing"]["causal"] = true;
  CHECK(std::ranges::count_if(ObservedMarks("planar2", light), looks_ahead) == 0);
}

TEST_CASE("Who follows a state that changes is not named, and who takes it for constant is") {
  Json json = ParticleScenario();
  json["estimators"] = {{"ekf", Json::object()},
                        {"follows", {{"type", "ekf"}, {"process_noise_per_s", 1.0}}}};
  const TrackedRun run(json);
  const Sentences marks = run.context.marks();
  CHECK(std::ranges::count(marks,
                           "the state of the joints changes; methods that take it for constant: "
                           "ekf (without process noise and forgetting)") == 1);
}

TEST_CASE("What is attached is told with its experiments, and gains that are known") {
  CHECK(MarksWith(R"({"attached": {
      "tool": {"link": "link2", "truth": {"mass_kg": 1, "inertia_com_kgm2": [1, 1, 2]}},
      "weight": {"link": "link2", "known": true, "prior": {"mass_kg": 2}}},
    "configurations": {"loaded": {"attached": ["tool"]}, "all": {"attached": ["tool", "weight"]}},
    "experiments": {"slow": {"configuration": "loaded"},
      "bare": {"motion": {"type": "fourier", "base_frequency_hz": 1, "duration_s": 1, "candidates": 1}},
      "full": {"configuration": "all", "motion": {"type": "fourier", "base_frequency_hz": 1, "duration_s": 1, "candidates": 1}}}})") ==
        Sentences{"tool, which is to be estimated, is attached in: slow, full",
                  "weight, which is known, is attached in: full", kTrueSigma});
  // What is known need not be true.
  const auto weight = [](const char* truth) {
    return MarksWith(fmt::format(R"({{"attached": {{"weight": {{"link": "link2", "known": true,
      "prior": {{"mass_kg": 2}}, "truth": {}}}}},
      "configurations": {{"loaded": {{"attached": ["weight"]}}}},
      "experiments": {{"slow": {{"configuration": "loaded"}}}}}})",
                                 truth)
                         .c_str())
        .front();
  };
  CHECK(weight(R"({"mass_kg": 2})") == "weight, which is known, is attached in: slow");
  CHECK(weight(R"({"mass_kg": 1.5})") ==
        "weight, which is known (with 1.5 kg in the simulation, not 2 kg), is attached in: slow");
  CHECK(weight(R"({"mass_kg": 2, "com_m": [0, 0, 0.1]})") ==
        "weight, which is known (in the simulation with another centre of mass or inertia), is "
        "attached in: slow");
  // Those of a robot.json need not be those of the simulated drives.
  CHECK(
      MarksWith(R"({"robot": {"truth": {"motor": {"gear_ratio": 50, "torque_constant_nm_a": 0.1}}},
      "sensors": {"motor_current": {"origin": "measured"}},
      "problem": {"equations": ["motor_current"],
                  "prior": {"terms": {"joint1.gain": 5, "joint2.gain": 4}}}})")
          .front() ==
      "gains given as known: joint1.gain 5 N·m/A, joint2.gain 4 N·m/A (of the simulated drive: 5 "
      "N·m/A)");
  // Without drives among the equations they say nothing.
  CHECK(MarksWith(R"({"robot": {"terms": [{"type": "gain"}]},
      "problem": {"prior": {"terms": {"joint1.gain": 5}}}})") == Sentences{kTrueSigma});
  CHECK(MarksWith(R"({"robot": {"truth": {"motor": {"gear_ratio": 50}}},
      "sensors": {"motor_torque": {"origin": "measured", "noise_std_nm": 0.01}},
      "problem": {"equations": ["motor_torque"], "terms": [{"type": "gain", "motors": "joint1"}],
        "prior": {"terms": {"joint2.gain": 50}}}})") ==
        Sentences{"gains given as known: joint2.gain 50",
                  "gains are to be estimated: what motors are fed stands among the columns, so "
                  "that its noise biases estimates, and no σ counts that; methods that weigh rows "
                  "by their residuals may shrink gains to nothing",
                  "true σ of the motor torque sensors declared"});
}

TEST_CASE("Joints that are held are told with their positions") {
  CHECK(MarksWith(R"({"robot": {"joints": "joint1", "held_at": {"joint2": 0.5}}})") ==
        Sentences{"joints that are held: joint2 at 0.5", kTrueSigma});
}

TEST_CASE("Rows that count alone are told, and σ is that of these rows") {
  CHECK(MarksWith(R"({"problem": {"equations": [{"type": "joint_torque", "joints": "joint2"}]},
      "sensors": {"joint_torque": {"noise_std_nm": [0.3, 0.1], "declared_sigma_nm": [0, 0.1]}}})") ==
        Sentences{"rows of joint_torque that count: joint2; what only other rows show is 0 in all "
                  "predictions, the prior's too",
                  kTrueSigma});
  CHECK(MarksWith(R"({"problem": {"equations": ["joint_torque",
      {"type": "base_wrench", "components": "F{x,z}, My"}]},
      "sensors": {"base_wrench": {"origin": "measured", "noise_std_n_nm": 1}}})") ==
        Sentences{"rows of base_wrench that count: Fx, Fz, My; what only other rows show is 0 in "
                  "all predictions, the prior's too",
                  kTrueSigma, "true σ of the base-wrench sensors declared"});
}

TEST_CASE("Unknowns that a prior without a σ holds are refused, or told of the run of a manifest") {
  const char* const held = R"({"problem": {"parametrisation": {"friction": ["offset"]},
      "prior": {"relative_std": 0.1}}})";
  CHECK_THROWS_WITH_AS(MarksWith(held), doctest::Contains("joint1.fo, joint2.fo"), ConfigError);
  const Sentences marks = MarksWith(held, true);
  CHECK(marks.front() ==
        "methods that take the prior's σ leave these where it has them, its σ is 0: "
        "joint1.fo, joint2.fo; relative_std gives none to what is 0: state fo in "
        "/problem/prior/std");
  CHECK(marks.back().starts_with("/problem/prior/relative_std is relative to 0 for joint1.fo"));
  CHECK(MarksWith(R"({"problem": {"parametrisation": {"friction": ["offset"]},
      "prior": {"relative_std": 0.1, "std": {"fo": 0.5}}}})")
            .front() == kTrueSigma);
}

TEST_CASE("What lies in a dead zone is told as a part of the equation's rows") {
  // Behind the speed that no joint reaches lies all, behind none of one joint the half.
  const char* const half =
      R"({"problem": {"equations": [{"type": "joint_torque", "dead_zone_rad_s": [0, 1e3]}]}})";
  CHECK(MarksWith(half) ==
        Sentences{"50 % of the rows of joint_torque lie in the dead zone (in the first trial) and "
                  "are left out of fits",
                  kTrueSigma});
}

TEST_CASE("σ is told of the sensors of each equation") {
  CHECK(MarksWith(R"({"problem": {"equations": ["joint_torque", "base_wrench"]},
      "sensors": {"base_wrench": {"origin": "measured", "noise_std_n_nm": 1, "declared_sigma_n_nm": 2}}})") ==
        Sentences{kTrueSigma, "not the true σ of the base-wrench sensors declared"});
}

TEST_CASE("σ of rounded readings is told to include that, and what it means for bounds") {
  const std::string rounding =
      "; the true one includes step²/12 of their rounding, and bounds from it are those of linear "
      "estimators: with noise below half a step more can be known, so less than such a bound "
      "raises "
      "no alarm";
  CHECK(MarksWith(R"({"sensors": {"joint_torque": {"quantisation_nm": 0.1}}})") ==
        Sentences{kTrueSigma + rounding});
  CHECK(
      MarksWith(
          R"({"sensors": {"joint_torque": {"quantisation_nm": 0.1, "declared_sigma_nm": 0.1}}})") ==
      Sentences{"not the " + kTrueSigma + rounding});
  CHECK(MarksWith(R"({"sensors": {"quantisation_in_sigma": false,
                                  "joint_torque": {"quantisation_nm": 0.1}}})") ==
        Sentences{kTrueSigma});
}

TEST_CASE("σ behind processing is told in one sentence: what was declared, and what it becomes") {
  // Ten phases of cubic interpolation leave 0.814 of the variance.
  CHECK(MarksWith(R"({"processing": {"resample_rate_hz": 1000}})").front() ==
        kTrueSigma +
            "; the processing correlates the noise: its σ becomes 3.162 times the declared one for "
            "fits (white noise of the same density), and 0.9024 times the declared one for one "
            "sample (rms over σ, NIS, χ²)");
  CHECK(MarksWith(R"({"processing": {"lowpass": {"cutoff_hz": 10}}})")
            .front()
            .starts_with(kTrueSigma +
                         "; the processing correlates the noise: its σ stays the declared one for "
                         "fits (white noise of the same density), and 0."));
  CHECK(MarksWith(R"({"processing": {"decimate_to_hz": 10}})").front() == kTrueSigma);
}

TEST_CASE("Held-out data on one motion are told where each trial is identified on its own") {
  const auto marks = [](const char* draw, const char* held_out) {
    return MarksWith(fmt::format(R"({{"experiments": {{
        "slow": {{"motion": {{"draw": "{}"}}}},
        "held": {{"role": "validation", "motion": {{"type": "fourier", "base_frequency_hz": 1,
          "duration_s": 2, "candidates": 1, "draw": "{}"}}}}}}}})",
                                 draw, held_out)
                         .c_str());
  };
  CHECK(marks("trial", "cell") ==
        Sentences{"of all trials one motion, on which what is said of it is conditional: held",
                  kTrueSigma});
  CHECK(marks("trial", "trial") == Sentences{kTrueSigma});
  CHECK(marks("cell", "cell") == Sentences{kTrueSigma});  // captions count motions
}

}  // namespace
}  // namespace idbench
