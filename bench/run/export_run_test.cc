#include "bench/run/export_run.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

#include "bench/captured_output_test.h"
#include "bench/cell/labelled_estimators.h"
#include "bench/metrics/metrics.h"
#include "bench/metrics/torque_metrics.h"
#include "bench/run/exported_set.h"
#include "robots/dynamics/parameters/pseudo_inertia.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// A user's arm: comments, a mesh that is not there, a camera fixed to the last link.
constexpr const char* kUrdf = R"(<robot name="lab_arm">
  <!-- the arm of the lab -->
  <link name="foot"/>
  <link name="upper">
    <inertial><origin xyz="0.02 0 0.2"/><mass value="2.5"/>
      <inertia ixx="0.03" ixy="0" ixz="0" iyy="0.031" iyz="0" izz="0.006"/></inertial>
    <visual><geometry><mesh filename="package://lab_arm/upper.stl"/></geometry></visual>
  </link>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 0.3"/><parent link="foot"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="50" velocity="6"/>
  </joint>
  <link name="lower">
    <inertial><origin xyz="0 0.01 0.15"/><mass value="1.2"/>
      <inertia ixx="0.012" ixy="0" ixz="0" iyy="0.013" iyz="0" izz="0.003"/></inertial>
  </link>
  <joint name="elbow" type="revolute">
    <origin xyz="0 0.05 0.4"/><parent link="upper"/><child link="lower"/><axis xyz="1 0 0"/>
    <limit lower="-2" upper="2" effort="30" velocity="6"/>
  </joint>
  <link name="camera"><inertial><mass value="0.2"/>
    <inertia ixx="2e-4" ixy="0" ixz="0" iyy="2e-4" iyz="0" izz="2e-4"/></inertial></link>
  <joint name="mount" type="fixed"><origin xyz="0.05 0 0.3"/><parent link="lower"/><child link="camera"/></joint>
</robot>
)";

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

Json LabScenario(const std::string& robot, const char* parametrisation = "base") {
  return ParseJson(R"({"name": "lab", "robot": {"model": ")" + robot +
                       R"(", "truth": {"mass_scale": 1.15, "inertia_scale": 1.2}},
    "control": {"type": "exact_replay"},
    "experiments": {"identification": {"motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 2, "candidates": 2}}},
    "sensors": {"joint_torque": {"noise_std_nm": 0.001}},
    "problem": {"parametrisation": {"type": ")" +
                       parametrisation +
                       R"(", "friction": ["viscous", "coulomb"]}, "prior": {"relative_std": 1}},
    "estimators": {"least squares": {"type": "ols"}}, "trials": 1, "timing_trials": 1})",
                   "test");
}

TEST_CASE("A user's own URDF and MJCF come back with a set that reproduces the base parameters") {
  for (const auto& [name, text] : {std::pair{"lab.urdf", kUrdf}, std::pair{"lab.xml", kMjcf}}) {
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

/// What Complete() needs, on planar2.
struct Completion {
  explicit Completion(const std::string& robot = "planar2", const char* type = "standard")
      : loaded(LoadScenario(LabScenario(robot, type), "test", {}, AllMetrics())),
        context(loaded, loaded.cells[0], rollouts),
        data(context.Run(0)) {
    const Eigen::VectorXd& nominal = loaded.robot.FindSet("")->pi;
    estimate.pi = Eigen::VectorXd::Zero(nominal.size());
    estimate.pi(context.asked()) = nominal(context.asked());
  }
  CompletedSet Run(bool nearest) const {
    return Complete(loaded.robot, context, data, estimate, nearest);
  }

  LoadedScenario loaded;
  RolloutStore rollouts;
  PreparedCell context;
  TrialData data;
  Estimate estimate;
};

TEST_CASE("Consistent standard parameters are written as they are, the base as it was") {
  Completion of;
  of.estimate.pi[kInertialCount] *= 1.1;
  const CompletedSet set = of.Run(false);
  REQUIRE(set.refusal == "");
  CHECK(set.note == "as estimated");
  CHECK_FALSE(set.predicts_otherwise);
  const Eigen::VectorXd& nominal = of.loaded.robot.FindSet("")->pi;
  Eigen::VectorXd wanted = of.estimate.pi;
  wanted.head(kInertialCount) = nominal.head(kInertialCount);
  CHECK((set.pi - wanted).cwiseAbs().maxCoeff() == 0.0);
}

TEST_CASE("Inconsistent standard parameters are refused by name, or the nearest ones are found") {
  Completion of;
  of.estimate.pi[2 * kInertialCount] = -0.5;
  const std::string why = "no body has the estimated inertia of link2 (mass -0.5 kg)";
  const CompletedSet refused = of.Run(false);
  CHECK(refused.refusal ==
        why + "; --export-nearest writes the consistent set of least torque residual");
  const CompletedSet set = of.Run(true);
  REQUIRE(set.refusal == "");
  CHECK(set.predicts_otherwise);
  CHECK(set.note.find(why + "; this is the consistent set of least torque residual on the "
                            "identification data (λ = ") == 0);
  for (int i = 0; i < 2; ++i) {
    CHECK(PhysicalConsistency(set.pi.segment<kInertialCount>(kInertialCount * (i + 1))) ==
          Consistency::kConsistent);
  }
}

TEST_CASE("A link without mass in the prior is refused by name") {
  const TemporaryFolder folder;
  std::string text = kUrdf;
  text.replace(text.find("<mass value=\"1.2\"/>"), 19, "<mass value=\"0\"/>");
  text.replace(text.find("<link name=\"camera\"><inertial><mass value=\"0.2\"/>"), 47,
               "<link name=\"camera\"><inertial><mass value=\"0\"/>  ");
  Completion of(folder.Write("bare.urdf", text), "base");
  of.estimate.x = Eigen::VectorXd::Zero(of.context.problem().parameters.size());
  CHECK(of.Run(true).refusal ==
        "the prior has no mass for lower, so no set is nearest to it; give a prior set "
        "(/problem/prior) with a mass for every link");
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
