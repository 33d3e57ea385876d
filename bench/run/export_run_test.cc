#include "bench/run/export_run.h"

#include <doctest/doctest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "bench/captured_output_test.h"
#include "bench/metrics/metrics.h"
#include "bench/metrics/torque_metrics.h"
#include "bench/run/exported_set.h"
#include "bench/run/lab_arm_test.h"
#include "bench/trial/labelled_estimators.h"
#include "robots/dynamics/parameters/pseudo_inertia.h"
#include "robots/mjspec.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr const char* kMjcf = R"(<mujoco model="lab_arm">
  <!-- the arm of the lab -->
  <compiler angle="radian" boundmass="0.01"/>
  <default><geom density="900"/><default class="iron"><geom density="7800"/></default></default>
  <worldbody><body name="foot"><geom size="0.1"/>
    <body name="upper" pos="0 0 0.3">
      <joint name="shoulder" axis="0 1 0" range="-2 2"/>
      <geom class="iron" type="capsule" size="0.02" fromto="0.02 0 0 0.02 0 0.4"/>
      <body name="lower" pos="0 0.05 0.4">
        <joint name="elbow" axis="1 0 0" range="-2 2"/>
        <geom type="capsule" size="0.05" fromto="0 0 0 0 0 0.3"/>
        <body name="camera" pos="0.05 0 0.3"><geom size="0.03"/></body>
      </body>
    </body>
  </body></worldbody>
</mujoco>
)";

TEST_CASE("A user's own URDF and MJCF come back with a set that reproduces the base parameters") {
  for (const auto& [name, text] :
       {std::pair{"lab.urdf", kLabArmUrdf}, std::pair{"lab.xml", kMjcf}}) {
    CAPTURE(name);
    const TemporaryFolder folder;
    const Json scenario = LabScenario(folder.Write(name, text));
    const std::string out = (folder.path() / "run").string();
    const ProgramResult result =
        Call({"run", folder.Write("lab.json", scenario.dump()), "--out", out, "--trials", "3",
              "--export", (folder.path() / "new").string(), "--export-trial", "0"});
    CAPTURE(result.output);
    CAPTURE(result.errors);
    REQUIRE(result.code == 0);
    const std::filesystem::path file = folder.path() / "new" / "least_squares" / name;
    CHECK(result.output.find("exported: least squares to " + file.string()) != std::string::npos);
    CHECK(result.output.find("the consistent set nearest to the prior that reproduces the base "
                             "parameters") != std::string::npos);
    const std::string written = ReadText(file);
    CHECK(written.find("<!-- the arm of the lab -->") != std::string::npos);
    CHECK(written.find("fixed to lower, whose inertia holds that of this one") !=
          std::string::npos);

    const LoadedScenario loaded = LoadScenario(scenario, "test", {}, AllMetrics());
    RolloutStore rollouts;
    const PreparedCell context(loaded, loaded.cells[0], rollouts);
    const Robot again = LoadRobot(file.string());
    const Json identified = ReadJsonFile(folder.path() / "run" / "identified.json");
    const Json& parameters = identified["cells"][0]["estimators"][0]["parameters"];
    const Eigen::VectorXd x = context.problem().parameters.FromPi(again.FindSet("")->pi);
    REQUIRE(parameters.size() == static_cast<std::size_t>(x.size()));
    for (Eigen::Index k = 0; k < x.size(); ++k) {
      const double wanted = parameters[static_cast<std::size_t>(k)]["value"].get<double>();
      CHECK(std::abs(x[k] - wanted) <= 1e-10);  // round-off of numbers of 1 and of their null space
    }
    for (int i = 0; i < 2; ++i) {
      CHECK(PhysicalConsistency(again.FindSet("")->pi.segment<kInertialCount>(
                kInertialCount * (i + 1))) == Consistency::kConsistent);
    }
  }
}

/// The arm with friction that its file has and no run counts.
std::string OiledArm() {
  std::string text = kMjcf;
  text.replace(text.find("<default>"), 9,
               "<default><joint damping=\"10\" armature=\"0.1\" frictionloss=\"1\"/>");
  return text;
}

/// The scenario with friction and rotors of the true robot, and all of them to be found.
Json OiledScenario(const std::string& model) {
  Json scenario = LabScenario(model, "standard");
  scenario["robot"]["truth"]["friction"] = {
      {"viscous_nms_rad", 2.0}, {"coulomb_nm", 0.5}, {"offset_nm", 0.25}};
  scenario["robot"]["truth"]["rotor_inertia_kgm2"] = 0.25;
  scenario["problem"]["parametrisation"]["friction"] = {"viscous", "coulomb", "offset"};
  scenario["problem"]["parametrisation"]["rotor_inertia"] = true;
  scenario["problem"]["prior"] = {{"mass_scale", 1.2}};
  scenario["estimators"] = {{"fit", {{"type", "consistent_wls"}}}};
  Json held_out = scenario["experiments"]["identification"];
  held_out["role"] = "validation";
  held_out["motion"]["stream"] = "held out";
  scenario["experiments"]["held_out"] = held_out;
  return scenario;
}

TEST_CASE("An exported model has fv and ia of the run in MuJoCo, and the rest beside it") {
  const TemporaryFolder folder;
  const std::string scenario =
      folder.Write("s.json", OiledScenario(folder.Write("lab.xml", OiledArm())).dump());
  const ProgramResult result = Call({"run", scenario, "--out", (folder.path() / "run").string(),
                                     "--export", (folder.path() / "new").string()});
  CAPTURE(result.errors);
  CAPTURE(result.output);
  REQUIRE(result.code == 0);
  const std::string file = (folder.path() / "new" / "fit" / "lab.xml").string();
  const ModelPtr model(mj_loadXML(file.c_str(), nullptr, nullptr, 0));
  REQUIRE(model);
  const Robot again = LoadRobot(file);
  const Eigen::VectorXd& pi = again.FindSet("")->pi;
  const ParameterLayout layout(again.model);
  for (int i = 0; i < 2; ++i) {
    CHECK(model->dof_damping[i] == pi[layout.Joint(i, JointParameter::kViscous)]);
    CHECK(std::abs(model->dof_damping[i] - 2.0) < 0.01);  // as estimated, noise of 0.001 N·m
    CHECK(model->dof_armature[i] == pi[layout.Joint(i, JointParameter::kRotorInertia)]);
    CHECK(model->dof_frictionloss[i] == 0.0);
    CHECK(std::abs(pi[layout.Joint(i, JointParameter::kCoulomb)] - 0.5) < 0.01);
    CHECK(std::abs(pi[layout.Joint(i, JointParameter::kOffset)] - 0.25) < 0.01);
  }
  const Json described = ReadJsonFile((folder.path() / "new" / "fit" / "robot.json").string());
  CHECK(described.dump().find("; s(q̇) of Coulomb friction is tanh(q̇/0.02 rad/s)") !=
        std::string::npos);
  for (const char* said :
       {"  joints that moved: damping is fv of the run; armature is ia of the run; frictionloss is "
        "0; Coulomb friction and offsets are in robot.json alone; the file had other values at "
        "shoulder, elbow\n",
        "  checked: MuJoCo's inverse dynamics of the file is within ",
        "of the greatest torque of the estimate on held_out (bodies, damping, armature)\n"}) {
    CAPTURE(said);
    CHECK(result.output.find(said) != std::string::npos);
  }
  CHECK(result.output.find("friction losses") == std::string::npos);
}

TEST_CASE("--export-frictionloss writes fc as friction loss, and tells what that costs") {
  const TemporaryFolder folder;
  const std::string scenario =
      folder.Write("s.json", OiledScenario(folder.Write("lab.xml", OiledArm())).dump());
  const std::vector<std::string> call = {"run", scenario, "--out", (folder.path() / "run").string(),
                                         "--export-frictionloss"};
  CHECK(Call(call).errors == "--export-frictionloss: needs --export, the folder to write to\n");
  std::vector<std::string> whole = call;
  whole.insert(whole.end(), {"--export", (folder.path() / "new").string()});
  const ProgramResult result = Call(whole);
  CAPTURE(result.output);
  REQUIRE(result.code == 0);
  const std::string file = (folder.path() / "new" / "fit" / "lab.xml").string();
  const ModelPtr model(mj_loadXML(file.c_str(), nullptr, nullptr, 0));
  REQUIRE(model);
  for (int i = 0; i < 2; ++i) CHECK(std::abs(model->dof_frictionloss[i] - 0.5) < 0.01);
  CHECK(
      result.output.find("  friction losses, which MuJoCo makes soft constraints, differ from the "
                         "Coulomb friction of the estimate on held_out by ") != std::string::npos);
}

TEST_CASE("An export that is another robot when loaded is refused, and not left under its name") {
  const TemporaryFolder folder;
  std::string text = kLabArmUrdf;  // MuJoCo scales all masses of such a file, also those written
  text.insert(text.find('>') + 1, "<mujoco><compiler settotalmass=\"3\"/></mujoco>");
  const Json scenario = LabScenario(folder.Write("lab.urdf", text));
  const std::filesystem::path to = folder.path() / "new";
  const ProgramResult result = Call({"run", folder.Write("s.json", scenario.dump()), "--out",
                                     (folder.path() / "run").string(), "--export", to.string()});
  CHECK(result.code == 5);
  CAPTURE(result.errors);
  CHECK(result.errors.find(
            "not exported: least squares: " + (to / "least_squares.refused" / "lab.urdf").string() +
            ": the export does not load as the robot that it was made from: its "
            "torques differ by up to ") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(to / "least_squares"));
  CHECK(std::filesystem::exists(to / "least_squares.refused" / "lab.urdf"));
  CHECK(result.output.find("exported: ") == std::string::npos);
}

TEST_CASE("What --export cannot do is told before anything runs") {
  const TemporaryFolder folder;
  const std::string scenario = folder.Write("s.json", LabScenario("planar2").dump());
  const auto refusal = [&](std::vector<std::string> more) {
    std::vector<std::string> call = {"run", scenario, "--out", (folder.path() / "run").string()};
    call.insert(call.end(), more.begin(), more.end());
    const ProgramResult result = Call(call);
    CHECK(result.code == 2);
    CHECK_FALSE(std::filesystem::exists(folder.path() / "run"));
    return result.errors;
  };
  CHECK(refusal({"--export-nearest"}) ==
        "--export-nearest: needs --export, the folder to write to\n");
  CHECK(
      refusal({"--export", folder.path().string()}) ==
      "--export: " + folder.path().string() +
          " is there and not an empty folder\n  name another, or remove it: an export replaces no "
          "model\n");
  const std::string fresh = (folder.path() / "fresh").string();
  CHECK(refusal({"--export", fresh, "--export-format", "sdf"}) ==
        "--export-format: got 'sdf'\n  accepted here: urdf, mjcf\n");
  CHECK(refusal({"--export", fresh, "--export-trial", "1"}) ==
        "--export-trial: got 1, but " + scenario + " has trials 0 to 0\n");
}

const std::string kKuka = std::string(IDBENCH_SOURCE_SCENARIOS) + "/recordings/kuka_lwr4.json";

bool HasRecordings() {
  if (std::getenv("IDBENCH_DATA") != nullptr) return true;
  MESSAGE("skipped: IDBENCH_DATA is not set");
  return false;
}

TEST_CASE("An export that is refused keeps the run, and ends with code 5") {
  if (!HasRecordings()) return;
  const TemporaryFolder folder;
  const std::filesystem::path to = folder.path() / "new";
  const ProgramResult result = Call({"run", kKuka, "--out", (folder.path() / "run").string(),
                                     "--export", to.string(), "--set", "/timing_trials=1"});
  CHECK(result.code == 5);
  CHECK(result.errors.find("not exported: ols: no bodies have these base parameters: "
                           "pseudo-inertias fall short of being positive definite, in the least "
                           "violation that there is link2 by ") != std::string::npos);
  CHECK(std::filesystem::exists(folder.path() / "run" / "records.jsonl"));
  CHECK(std::filesystem::exists(to / "prior_only" / "kuka_lwr4.xml"));
  CHECK_FALSE(std::filesystem::exists(to / "ols"));
}

TEST_CASE("The KUKA recordings go to an identified URDF that predicts run 2 as it did before") {
  if (!HasRecordings()) return;
  const TemporaryFolder folder;
  const std::filesystem::path to = folder.path() / "new";
  const ProgramResult result =
      Call({"run", kKuka, "--out", (folder.path() / "run").string(), "--set", "/timing_trials=1",
            "--export", to.string(), "--export-nearest", "--export-format", "urdf"});
  CAPTURE(result.errors);
  REQUIRE(result.code == 0);

  // The set before it was written.
  const LoadedScenario loaded = LoadScenario(kKuka, {}, AllMetrics());
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  const TrialData data = context.Run(0);
  TorqueMetrics torques(context.problem());
  torques.SetTrial(data);
  const auto error = [&](const Estimate& of, const char* run) {
    torques.SetEstimate(of);
    return torques.RelativeError(run).value.value();
  };
  for (const auto& [label, estimator] : MakeEstimators(context.scenario())) {
    if (label != "ols" && label != "wls") continue;
    CAPTURE(label);
    const Estimate estimate = estimator->Run(context.problem(), data.datasets);
    Estimate exported = estimate;
    exported.pi = Complete(loaded.robot, context, data, estimate, true).pi;
    // A peer's fit by linear matrix inequalities: 1.90, 2.15, 7.1 %. Trained on run 1 alone.
    CHECK(error(exported, "run1") <= 0.020);
    CHECK(error(exported, "run2") <= 0.022);
    CHECK(error(exported, "run3") <= 0.071);
    CHECK(error(estimate, "run2") < error(exported, "run2"));  // beside the estimate's own

    Json again = ReadJsonFile(kKuka);
    again["robot"]["model"] = (to / label / "kuka_lwr4.urdf").string();
    again["problem"]["prior"] = Json::object();
    again["estimators"] = {{"prior_only", Json::object()}};
    again.erase("tables");
    const std::string out = (folder.path() / ("again_" + label)).string();
    const ProgramResult replayed = Call({"run", folder.Write("again.json", again.dump()), "--out",
                                         out, "--set", "/timing_trials=1"});
    CAPTURE(replayed.errors);
    REQUIRE(replayed.code == 0);
    const Json summary = Json::parse(ReadText(std::filesystem::path(out) / "summary.json"));
    for (const char* run : {"run1", "run2", "run3"}) {
      const double read = summary["cells"][0]["estimators"][0]["metrics"]
                                 [std::string("joint_torque_relative_error@") + run]["mean"];
      CHECK(std::abs(read - error(exported, run)) <= 1e-6);
    }
  }
}

}  // namespace
}  // namespace idbench
