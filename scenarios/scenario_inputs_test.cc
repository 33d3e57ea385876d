#include "scenarios/scenario_inputs.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "robots/temporary_folder_test.h"
#include "scenarios/loaded_test.h"

namespace idbench {
namespace {

constexpr const char* kMotion = "t_s,q1_rad,q2_rad\n0,0,0\n1,1,1\n2,0,0\n";
constexpr const char* kTorque = "t_s,tau1_nm,tau2_nm\n0,0,0\n1,0,0\n";

/// "role name path" of each.
std::vector<std::string> Lines(const std::vector<InputFile>& inputs) {
  std::vector<std::string> lines;
  for (const InputFile& input : inputs) {
    lines.push_back(input.role + " " + input.name + " " + input.path.string());
  }
  return lines;
}

std::vector<std::string> RobotLines() {
  const std::string folder = (RobotFolder() / "planar2").string();
  return {"/robot/model planar2.xml " + folder + "/planar2.xml",
          "/robot/model robot.json " + folder + "/robot.json"};
}

TEST_CASE("A simulation with designed motions reads its robot's files alone") {
  CHECK(Lines(InputsOf(LoadSmall(SmallSimulation()))) == RobotLines());
}

TEST_CASE("Recorded motions and torques of all experiments and cells are inputs, each once") {
  const TemporaryFolder folder;
  const std::string one = folder.Write("one.csv", kMotion);
  const std::string two = folder.Write("two.csv", kMotion);
  const std::string torque = folder.Write("torque.csv", kTorque);
  Json json = SmallSimulation();
  Json& experiments = json["experiments"];
  experiments["identification"]["motion"] = {{"type", "recorded"}, {"file", one}};
  experiments["a~b"] = {
      {"role", "validation"},
      {"control", {{"type", "torque_replay"}, {"q_rad", {0, 0}}, {"file", torque}}}};
  json["sweep"] =
      Json::array({{{"name", "motion"},
                    {"values", {"first", "second"}},
                    {"set", {{"/experiments/identification/motion/file", {one, two}}}}}});
  std::vector<std::string> expected = RobotLines();
  expected.push_back("/experiments/identification/motion/file " + one + " " + one);
  expected.push_back("/experiments/a~0b/control/file " + torque + " " + torque);
  expected.push_back("/experiments/identification/motion/file " + two + " " + two);
  CHECK(Lines(InputsOf(LoadSmall(json))) == expected);
}

TEST_CASE("Recorded parts of a sequence are inputs") {
  const TemporaryFolder folder;
  const std::string one = folder.Write("one.csv", kMotion);
  Json json = SmallSimulation();
  json["experiments"]["identification"]["motion"] = {
      {"type", "sequence"},
      {"parts", {{{"type", "fourier"}}, {{"type", "recorded"}, {"file", one}}}}};
  std::vector<std::string> expected = RobotLines();
  expected.push_back("/experiments/identification/motion/parts/1/file " + one + " " + one);
  CHECK(Lines(InputsOf(LoadSmall(json))) == expected);
}

TEST_CASE("Torques that all experiments replay are one input") {
  const TemporaryFolder folder;
  const std::string torque = folder.Write("torque.csv", kTorque);
  Json json = SmallSimulation();
  json["control"] = {{"type", "torque_replay"}, {"q_rad", {0, 0}}, {"file", torque}};
  json["experiments"] = {{"one", {{"role", "identification"}}}, {"two", {{"role", "validation"}}}};
  std::vector<std::string> expected = RobotLines();
  expected.push_back("/control/file " + torque + " " + torque);
  CHECK(Lines(InputsOf(LoadSmall(json))) == expected);
}

TEST_CASE("A recording is named as declared and found below its root") {
  const TemporaryFolder folder;
  folder.Write("logs/run1.csv", "t_s,q1_rad,q2_rad,tau1_nm,tau2_nm\n0,0,0,0,0\n0.1,0,0,0,0\n");
  ::setenv("IDBENCH_TEST_LOGS", folder.path().c_str(), 1);
  const LoadedScenario loaded = LoadSmall(ParseJson(R"({
    "name": "s", "robot": {"model": "planar2"},
    "recording": {"root": "$IDBENCH_TEST_LOGS/logs",
                  "columns": {"time": "t_s", "joint_position": "q{1..2}_rad", "joint_torque": "tau{1..2}_nm"}},
    "experiments": {"one": {"role": "identification", "file": "run1.csv"}},
    "estimators": {"ols": {}}})",
                                                    "recording"));
  std::vector<std::string> expected = RobotLines();
  expected.push_back("/experiments/one/file run1.csv " + (folder / "logs/run1.csv").string());
  CHECK(Lines(InputsOf(loaded)) == expected);
  ::unsetenv("IDBENCH_TEST_LOGS");
}

}  // namespace
}  // namespace idbench
