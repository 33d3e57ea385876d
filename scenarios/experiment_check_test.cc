#include "scenarios/experiment_check.h"

#include <doctest/doctest.h>

#include "robots/temporary_folder_test.h"
#include "scenarios/loaded_test.h"

namespace idbench {
namespace {

TEST_CASE("What a simulation lacks or has too much is told") {
  Json json = SmallSimulation();
  json["experiments"] = Json::parse(R"({"v": {"role": "validation", "file": "x.csv"}})");
  CHECK(LoadMessage(json) ==
        "test.json: /experiments: none has the role \"identification\"\n"
        "  estimators need at least one\n"
        "test.json: /experiments/v/motion: missing\n"
        "  a simulation needs a motion, unless its control is torque_replay\n"
        "test.json: /experiments/v/file: has no meaning for a simulation\n"
        "  add /recording to read recordings");
  json = SmallSimulation();
  json["problem"].erase("prior");
  json["problem"]["parametrisation"] = {{"type", "masses_and_moments"}};
  CHECK(LoadMessage(json) ==
        "test.json: /control/model: \"prior\" needs a prior\n"
        "  declare /problem/prior\n  or set /control/model to \"truth\"\n"
        "test.json: /problem/parametrisation/type: needs a prior\n"
        "  declare /problem/prior");
  json = SmallSimulation();
  json["sensors"]["rate_hz"] = 130;
  CHECK(LoadMessage(json).find("test.json: /sensors/rate_hz: ") == 0);
}

TEST_CASE("Estimators interpolate no causal data") {
  Json json = SmallSimulation();
  json["processing"] = {{"causal", true}};
  CHECK(LoadMessage(json).empty());
  json["problem"]["alignment"] = {{"policy", "resample"}};
  CHECK(LoadMessage(json) ==
        "test.json: /problem/alignment/policy: is \"resample\", which interpolates with later "
        "samples, and /processing/causal is set\n"
        "  remove it, and set /processing/resample_rate_hz, which causal processing does with what "
        "was there");
  json["processing"]["causal"] = false;
  CHECK(LoadMessage(json).empty());
}

TEST_CASE("Counts of adaptive windows are those of the robot's joints") {
  Json json = SmallSimulation();
  json["processing"] = Json::parse(
      R"({"differentiate": ["joint_velocity"],
          "difference": {"type": "adaptive_window", "count_rad": [1e-4, 1e-4]}})");
  CHECK(LoadMessage(json).empty());
  json["processing"]["difference"]["count_rad"] = 1e-4;
  CHECK(LoadMessage(json).empty());
  json["processing"]["difference"]["count_rad"] = {1e-4, 1e-4, 1e-4};
  CHECK(LoadMessage(json) ==
        "test.json: /processing/difference/count_rad: got a list of 3\n"
        "  accepted here: one number, or a list with one for each of joint1, joint2");
}

TEST_CASE("Random points are checked against the robot's joints") {
  Json json = SmallSimulation();
  json["experiments"]["identification"]["motion"] = Json::parse(
      R"({"type": "random_points", "least_step_rad": 0.1, "least_step_joints": "joint{1..2}"})");
  CHECK(LoadMessage(json).empty());
  json["experiments"]["identification"]["motion"]["least_step_joints"] = "elbow";
  CHECK(LoadMessage(json) ==
        "test.json: /experiments/identification/motion/least_step_joints: the robot has no "
        "\"elbow\"\n  accepted here: joint1, joint2");
}

TEST_CASE("Payload events are checked against the robot") {
  Json json = SmallSimulation();
  json["experiments"]["identification"]["events"] =
      Json::parse(R"([{"at_s": 1, "mass_kg": 2, "link": "link3"}])");
  CHECK(LoadMessage(json) ==
        "test.json: /experiments/identification/events/0/link: unknown link \"link3\"\n"
        "  accepted here: link1, link2\n  did you mean 'link1'?");
  json["experiments"]["identification"]["events"][0]["link"] = "link2";
  CHECK(LoadMessage(json).empty());
}

TEST_CASE("What touches the robot is checked against robot, plant and configuration") {
  Json json = SmallSimulation();
  json["experiments"]["contact"] =
      Json::parse(R"({"role": "validation", "motion": {"type": "fourier"},
    "environment": {"touches": [
      {"link": "link3", "force_n": [0, 0, -10], "from_s": 2, "hold_s": 1},
      {"type": "push", "link": "link2", "impulse_ns": [1, 0, 0], "at_s": 5, "duration_s": 0.002}]}})");
  CHECK(LoadMessage(json) ==
        "test.json: /experiments/contact/environment/touches/0/link: unknown link \"link3\"\n"
        "  accepted here: link1, link2\n  did you mean 'link1'?\n"
        "test.json: /experiments/contact/environment/touches/1/duration_s: 0.002 s are 8 steps of "
        "the plant, too few to follow half a sine\n  accepted here: at least 0.0025 s\n"
        "  or make /plant/timestep_s smaller");
  json["experiments"]["contact"]["environment"]["touches"][0]["link"] = "link2";
  json["experiments"]["contact"]["control"] = {{"type", "exact_replay"}};  // which has no steps
  CHECK(LoadMessage(json).empty());
  // Without the key nothing touches; that is what is written of a scenario without it.
  const Json expanded = *LoadSmall(SmallSimulation()).expanded;
  CHECK(expanded["experiments"]["identification"]["environment"] == nullptr);
  CHECK_FALSE(expanded["sensors"].contains("external_wrench"));
}

TEST_CASE("What touches the robot is what its configuration says") {
  Json json = SmallSimulation();
  json["configurations"]["touched"] = {{"touched", "link2"}};
  json["experiments"]["contact"] = Json::parse(R"({"role": "validation", "configuration": "touched",
    "motion": {"type": "fourier"}, "environment": {"touches": [
      {"link": "link1", "force_n": [0, 0, -10], "from_s": 2, "hold_s": 1}]}})");
  CHECK(LoadMessage(json) ==
        "test.json: /experiments/contact/environment/touches/0/link: got \"link1\", but the "
        "configuration \"touched\" says that \"link2\" is touched\n"
        "  touch \"link2\", or change /configurations/touched/touched");
  json["experiments"]["contact"]["environment"]["touches"][0]["link"] = "link2";
  CHECK(LoadMessage(json).empty());
}

TEST_CASE("Only a controller with feedback lets the robot go") {
  Json json = SmallSimulation();
  json["experiments"]["identification"]["release"] = {{"duration_s", 1}};
  CHECK(LoadMessage(json).empty());
  json["experiments"]["identification"]["control"] = {{"type", "exact_replay"}};
  CHECK(LoadMessage(json) ==
        "test.json: /experiments/identification/release: has no meaning with the control "
        "exact_replay, which has no controller to let go\n"
        "  remove it, or give the experiment a control with feedback: computed_torque, pd_gravity");
  CHECK((*LoadSmall(SmallSimulation()).expanded)["experiments"]["identification"]["release"] ==
        nullptr);
}

TEST_CASE("Parts of a sequence are checked against the robot, with their place") {
  Json json = SmallSimulation();
  json["experiments"]["identification"]["motion"] = ParseJson(
      R"({"type": "sequence", "parts": [{"type": "fourier"},
          {"type": "way_points", "points_rad": [[9, 0]], "dwell_s": 1}]})",
      "sequence");
  CHECK(LoadMessage(json) ==
        "test.json: /experiments/identification/motion/parts/1/points_rad/0/0: got 9, out of the "
        "range of joint 'joint1'\n  accepted here: -2.8 to 2.8");
}

TEST_CASE("A motion is told of motions that stand before it, and of its own parameters") {
  Json json = SmallSimulation();
  const Json exciting = Json::parse(R"({"type": "exciting", "duration_s": 2})");
  Json told = exciting;
  told["given"] = {"first"};
  json["robot"]["model"] = "kuka_lwr4_mdh";
  json["experiments"] = Json::object();
  json["experiments"]["first"]["motion"] = exciting;
  json["experiments"]["second"]["motion"] = told;
  CHECK(LoadMessage(json) == "");
  json["experiments"]["first"]["motion"] = told;
  CHECK(
      LoadMessage(json) ==
      "test.json: /experiments/first/motion/given/0: \"first\" is no experiment with a motion that "
      "stands before this one\n"
      "  there is none: move this experiment behind one");
  json["experiments"]["first"]["motion"] = exciting;
  json["experiments"]["second"]["motion"]["given"] = {"third"};
  json["experiments"]["second"]["motion"]["errors"] = {{"noise_std_nm", {1, 2}}};
  json["experiments"]["second"]["motion"]["prior_std"] = {{"body", 0.1}, {"fv", 0.1}};
  CHECK(
      LoadMessage(json) ==
      "test.json: /experiments/second/motion/errors/noise_std_nm: got a list of 2\n"
      "  accepted here: one number, or a list with one for each of joint1, joint2, joint3, joint4, "
      "joint5, joint6, joint7\n"
      "test.json: /experiments/second/motion/prior_std/fv: no unknown has this kind or name\n"
      "  accepted here: body, m, mcx, mcy, mcz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz\n"
      "test.json: /experiments/second/motion/given/0: \"third\" is no experiment with a motion "
      "that "
      "stands before this one\n"
      "  accepted here: first");
}

TEST_CASE("A motion is not told of what would count twice, otherwise or for nobody") {
  Json json = SmallSimulation();
  const Json exciting = Json::parse(R"({"type": "exciting", "duration_s": 2})");
  json["robot"]["model"] = "kuka_lwr4_mdh";
  json["experiments"] = Json::object();
  json["experiments"]["first"]["motion"] = exciting;
  json["experiments"]["second"]["motion"] = exciting;
  json["experiments"]["second"]["motion"]["given"] = {"first"};
  const auto message = [&](const char* patch) {
    Json patched = json;
    patched.merge_patch(Json::parse(patch));
    return LoadMessage(patched);
  };
  CHECK(message("{}") == "");
  const std::string at = "test.json: /experiments/second/motion/given/0: \"first\" ";
  CHECK(message(R"({"experiments": {"first": {"role": "validation"}}})") ==
        at + "is not for identification: no estimator learns from its data\n"
             "  name experiments with the role \"identification\"");
  CHECK(message(R"({"experiments": {"first": {"motion": {"errors": {"noise_std_nm": 3}}}}})") ==
        at + "has other errors: what it shows would count with those of this one\n"
             "  give both the same errors");
  CHECK(message(R"({"experiments": {"first": {"motion": {"draw": "trial"}}}})") ==
        at + "is drawn in each trial, and this one, which is told of it, is not\n"
             "  set \"draw\" to \"trial\" here, or to \"cell\" there");
  CHECK(message(R"({"experiments": {"second": {"motion": {"given": ["first", "first"]}}}})") ==
        "test.json: /experiments/second/motion/given/1: \"first\" is named twice\n  name it once");
  CHECK(
      message(R"({"experiments": {"second": {"motion": {
            "errors": {"noise_std_nm": 1}, "prior_std": {"body": 0.1}, "torque_sigmas": 2,
            "design": {"friction": ["viscous"]}}}}})") ==
      "test.json: /experiments/second/motion/torque_sigmas: counts σ of torques, but prior_std has "
      "none of joint1.fv, joint2.fv, joint3.fv, joint4.fv, joint5.fv, joint6.fv, joint7.fv\n"
      "  give prior_std a σ of all that design names: of \"body\" and of each kind of friction");
}

TEST_CASE("Open-loop torque stands instead of a motion, in an experiment or the whole scenario") {
  const Json replay = Json::parse(R"({"type": "torque_replay", "q_rad": [0, 0], "duration_s": 1,
    "actuators": {"joint1": {"amplitude_nm": [1], "frequency_hz": [1]}}})");
  Json json = SmallSimulation();
  json["experiments"]["identification"]["control"] = replay;
  CHECK(LoadMessage(json) ==
        "test.json: /experiments/identification/motion: has no meaning with the control "
        "torque_replay, which follows no motion\n"
        "  remove it, or give the experiment a control that follows a motion");
  json["experiments"]["identification"].erase("motion");
  json["problem"].erase("prior");  // nobody uses the scenario's control, which needs one
  CHECK(LoadMessage(json).empty());
  json = SmallSimulation();
  json["control"] = replay;
  json["experiments"]["identification"].erase("motion");
  CHECK(LoadMessage(json).empty());
  json["control"]["q_rad"] = {0, 9};
  CHECK(LoadMessage(json).find(
            "test.json: /control/q_rad/1: got 9, out of the range of joint 'joint2'") == 0);
}

TEST_CASE("A label that would not fit into a metric's address is refused") {
  Json json = SmallSimulation();
  json["experiments"]["a@b"] = json["experiments"]["identification"];
  CHECK(LoadMessage(json) ==
        "test.json: /experiments/a@b: a label must not be empty, contain @, "
        "/ or \\, or begin with t=");
}

TEST_CASE("A recording refuses what only a simulation has, and says where a missing file may be") {
  const TemporaryFolder folder;
  Json json = SmallRecording(folder);
  json.merge_patch(ParseJson(R"({
    "recording": {"source": "the shelf"},
    "robot": {"truth": {}}, "trials": 5, "noise_seed": 2, "sensors": {},
    "experiments": {"a": {"events": [{"at_s": 1, "mass_kg": 2}], "environment": {},
                          "release": {"duration_s": 1}},
      "b": {"file": "gone.csv"}}})",
                             "what only a simulation has"));
  CHECK(LoadMessage(json) ==
        "test.json: /robot/truth: has no meaning for a recording\n"
        "  remove it, or remove /recording to simulate\n"
        "test.json: /sensors: has no meaning for a recording\n"
        "  remove it, or remove /recording to simulate\n"
        "test.json: /trials: has no meaning for a recording\n"
        "  remove it, or remove /recording to simulate\n"
        "test.json: /noise_seed: has no meaning for a recording\n"
        "  remove it, or remove /recording to simulate\n"
        "test.json: /experiments/a/events: has no meaning for a recording\n"
        "test.json: /experiments/a/environment: has no meaning for a recording\n"
        "test.json: /experiments/a/release: has no meaning for a recording\n"
        "test.json: /experiments/b/file: no such recording: " +
            (folder / "gone.csv").string() +
            "\n  check /recording/root and the file's name\n  available from: the shelf");
}

}  // namespace
}  // namespace idbench
