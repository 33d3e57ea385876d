#include "bench/motion_command.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "bench/captured_output_test.h"
#include "bench/run/exit_code.h"
#include "robots/robot.h"
#include "robots/temporary_folder_test.h"

namespace idbench {
namespace {

constexpr const char* kDesigned = R"({
  "name": "designed", "robot": {"model": "planar2"}, "control": {"type": "exact_replay"},
  "experiments": {
    "v": {"role": "validation", "motion": {"type": "fourier", "candidates": 1}},
    "a": {"motion": {"type": "exciting", "duration_s": 3, "self_collision": false,
                     "optimiser": {"rounds": 2, "evaluations": 20}}}},
  "sensors": {"joint_torque": {"noise_std_nm": 0.1}},
  "problem": {}, "estimators": {"fit": {"type": "ols"}}, "trials": 2})";

/// The program's exit code and output, of a scenario in a folder of its own.
struct Called {
  explicit Called(std::vector<std::string> more, const std::string& scenario = kDesigned) {
    std::ofstream(folder.path() / "s.json") << scenario;
    std::vector<std::string> arguments = {"motion", (folder.path() / "s.json").string(), "--out",
                                          (folder.path() / "out").string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult result = Call(arguments);
    code = result.code;
    output = result.output + result.errors;
  }
  TemporaryFolder folder;
  int code = 0;
  std::string output;
};

TEST_CASE("The motion of the first experiment for identification is judged and written") {
  const Called called({});
  CAPTURE(called.output);
  REQUIRE(called.code == kExitFine);
  CHECK(called.output.starts_with("designed: a\n3 s, "));
  CHECK(called.output.find("\n  jd ") != std::string::npos);
  const std::string csv = ReadText(called.folder.path() / "out/motion.csv");
  CHECK(csv.starts_with("t_s,q1_rad,q2_rad,qd1_rad_s"));
  CHECK(csv.find("\n3,") != std::string::npos);
  CHECK(ReadText(called.folder.path() / "out/motion.html").starts_with("<!DOCTYPE html>"));
  // What is written again is the same.
  const Called again({});
  CHECK(ReadText(again.folder.path() / "out/motion.csv") == csv);
  CHECK(ReadText(Called({"--seed", "9"}).folder.path() / "out/motion.csv") != csv);
}

TEST_CASE("Another experiment, rate and options are taken") {
  const Called called({"--experiment", "v", "--rate", "10"});
  CAPTURE(called.output);
  REQUIRE(called.code == kExitFine);
  CHECK(called.output.starts_with("designed: v\n10 s, "));
  const std::string csv = ReadText(called.folder.path() / "out/motion.csv");
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 102);
}

/// The arm of a Franka Emika Panda as labs have it: limits of its datasheet, inertias invented.
std::string PandaUrdf() {
  struct JointOfPanda {
    const char* origin;
    double lower, upper, effort, velocity;
  };
  constexpr JointOfPanda kJoints[] = {
      {R"(xyz="0 0 0.333" rpy="0 0 0")", -2.8973, 2.8973, 87, 2.175},
      {R"(xyz="0 0 0" rpy="-1.57079632679 0 0")", -1.7628, 1.7628, 87, 2.175},
      {R"(xyz="0 -0.316 0" rpy="1.57079632679 0 0")", -2.8973, 2.8973, 87, 2.175},
      {R"(xyz="0.0825 0 0" rpy="1.57079632679 0 0")", -3.0718, -0.0698, 87, 2.175},
      {R"(xyz="-0.0825 0.384 0" rpy="-1.57079632679 0 0")", -2.8973, 2.8973, 12, 2.61},
      {R"(xyz="0 0 0" rpy="1.57079632679 0 0")", -0.0175, 3.7525, 12, 2.61},
      {R"(xyz="0.088 0 0" rpy="1.57079632679 0 0")", -2.8973, 2.8973, 12, 2.61}};
  std::string urdf = R"(<robot name="panda"><link name="panda_link0"/>)";
  for (int i = 1; i <= 7; ++i) {
    const JointOfPanda& joint = kJoints[i - 1];
    urdf += fmt::format(
        R"(<link name="panda_link{0}"><inertial><origin xyz="0.01 0.02 -0.05"/><mass value="{1}"/>
          <inertia ixx="0.03" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="panda_joint{0}" type="revolute"><origin {3}/><parent link="panda_link{2}"/>
          <child link="panda_link{0}"/><axis xyz="0 0 1"/>
          <limit lower="{4}" upper="{5}" effort="{6}" velocity="{7}"/></joint>)",
        i, i < 5 ? 3.0 : 1.0, i - 1, joint.origin, joint.lower, joint.upper, joint.effort,
        joint.velocity);
  }
  return urdf + "</robot>";
}

/// The scenario with another robot.
std::string DesignedWith(const std::string& model) {
  std::string scenario = kDesigned;
  scenario.replace(scenario.find("planar2"), 7, model);
  return scenario;
}

TEST_CASE("A Panda's URDF is enough for a design: its limits of speed are kept and shown") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("panda.urdf", PandaUrdf());
  const Called called({}, DesignedWith(file));
  CAPTURE(called.output);
  REQUIRE(called.code == kExitFine);
  CHECK(Has(called.output, "\ndesigned by jd, the less the better: "));
  CHECK(Has(called.output, "\n1 start led to a motion; "));
  CHECK(Has(called.output, "\n  panda_joint7  "));
  CHECK(Has(called.output, " rad/s "));
  CHECK_FALSE(Has(called.output, "no limit is known"));
  CHECK_FALSE(Has(called.output, "beyond the limit"));
  const std::string page = ReadText(called.folder.path() / "out/motion.html");
  CHECK(Has(page, "designed by jd, the less the better: "));
  // A Fourier motion is scaled to the limits of speed, and says so.
  const Called fourier({"--experiment", "v"}, DesignedWith(file));
  CHECK(Has(fourier.output, "at the limit, which allows no more: velocity of panda_joint1"));
  const std::string scenario = folder.Write("s.json", DesignedWith(file));
  CHECK(Call({"validate", scenario}).code == kExitFine);
}

TEST_CASE("What motion refuses of a robot without limits, or with undriven joints, validate does") {
  const TemporaryFolder folder;
  const std::string leg = folder.Write("leg.json", DesignedWith("leg2"));
  const ProgramResult refused = Call({"motion", leg}), validated = Call({"validate", leg});
  CHECK(refused.code == kExitUsage);
  CHECK(validated.code == kExitUsage);
  CHECK(refused.errors == validated.errors);
  CHECK(Has(refused.errors, "needs a motor on every joint, but nothing drives q1"));
  CHECK(Has(refused.errors, "or hold what nothing drives: \"joints\" and \"held_at\" of /robot"));
  CHECK(Has(refused.errors,
            "/experiments/a/motion: nothing limits how fast these joints may move: q2"));
  // Its cure: the limits beside a model file, and the undriven joint held.
  const std::filesystem::path own = RobotFolder() / "leg2" / "leg2.xml";
  std::filesystem::copy_file(own, folder.path() / "leg2.xml");
  folder.Write("robot.json", R"({"name": "leg2", "title": "leg2", "model": "leg2.xml",
      "actuators": {"knee": {"q2": 1}},
      "joints": {"q2": {"velocity_limit_rad_s": 2, "acceleration_limit_rad_s2": 10}}})");
  std::string cured = DesignedWith((folder.path() / "leg2.xml").string());
  cured.replace(cured.find("leg2.xml\""), 9,
                "leg2.xml\", \"joints\": [\"q2\"], \"held_at\": {\"q1\": 0}");
  const Called called({}, cured);
  CAPTURE(called.output);
  CHECK(called.code == kExitFine);
  CHECK(Call({"validate", folder.Write("cured.json", cured)}).code == kExitFine);
}

TEST_CASE("What there is not is refused with what there is") {
  const Called experiment({"--experiment", "b"});
  CHECK(experiment.code == kExitUsage);
  CHECK(experiment.output.find("no experiment 'b' with a motion\n  accepted here: v, a") !=
        std::string::npos);
  CHECK(Called({"--cell", "1"}).output.find("--cell: got 1, ") != std::string::npos);
  CHECK(Called({"--rate", "0"}).code == kExitUsage);
  CHECK(Called({"--trial", "-1"}).code == kExitUsage);
}

}  // namespace
}  // namespace idbench
