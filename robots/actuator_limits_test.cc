#include "robots/actuator_limits.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "robots/mjspec.h"
#include "robots/model_reader.h"
#include "robots/temporary_folder_test.h"

namespace idbench {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

Eigen::VectorXd EffortsOf(const std::filesystem::path& file) {
  const SpecPtr spec = ParseSpec(file);
  return ReadTree(*Compile(spec.get(), file), "arm").model.limits().effort;
}

/// Joints j1, j2 … in a row with the attributes given, and actuators.
std::string Driven(const std::vector<std::string>& joints, const std::string& actuators) {
  std::string bodies;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    bodies += fmt::format(
        R"(<body><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint name="j{}" {}/>)",
        i + 1, joints[i]);
  }
  for (std::size_t i = 0; i < joints.size(); ++i) bodies += "</body>";
  return R"(<mujoco><compiler angle="radian"/>
    <default><default class="strong"><general forcerange="-87 87"/>
      <default class="weak"><position kp="9" forcerange="-12 12"/></default></default></default><worldbody>)" +
         bodies + R"(</worldbody><tendon><fixed name="cable"><joint joint="j1" coef="1"/></fixed>
    </tendon><actuator>)" +
         actuators + "</actuator></mujoco>";
}

Eigen::VectorXd EffortsOf(const std::vector<std::string>& joints, const std::string& actuators) {
  const TemporaryFolder folder;
  return EffortsOf(folder.Write("arm.xml", Driven(joints, actuators)));
}

double EffortOfOne(const std::string& actuators, const std::string& joint = "") {
  return EffortsOf({joint}, actuators)[0];
}

TEST_CASE("The range of an actuator's force times its gear limits the effort of its joint") {
  CHECK(EffortOfOne(R"(<general joint="j1" forcerange="-87 87"/>)") == 87.0);
  CHECK(EffortOfOne(R"(<general jointinparent="j1" forcerange="-87 87"/>)") == 87.0);
  CHECK(EffortOfOne(R"(<general joint="j1" class="strong"/>)") == 87.0);
  CHECK(EffortOfOne(R"(<position joint="j1" class="weak" ctrlrange="-2 2"/>)") == 12.0);
  CHECK(EffortOfOne(R"(<motor joint="j1" gear="-3" forcerange="-5 7"/>)") == 15.0);
  CHECK(EffortOfOne(R"(<motor joint="j1" forcelimited="false" forcerange="-5 7"/>)") == kNoLimit);
}

TEST_CASE("Controls limit the torque of motors, not of servos, integrators, muscles or tendons") {
  CHECK(EffortOfOne(R"(<motor joint="j1" gear="50" ctrlrange="-2 1"/>)") == 50.0);
  CHECK(EffortOfOne(R"(<general joint="j1" gear="5" gainprm="-4" ctrlrange="-2 3"/>)") == 40.0);
  CHECK(EffortOfOne(R"(<general joint="j1" dyntype="filter" ctrlrange="-2 3"/>)") == 2.0);
  CHECK(EffortOfOne(R"(<motor joint="j1" ctrllimited="false" ctrlrange="-2 2"/>)") == kNoLimit);
  CHECK(EffortOfOne(R"(<position joint="j1" kp="9" ctrlrange="-2 2"/>)") == kNoLimit);
  CHECK(EffortOfOne(R"(<velocity joint="j1" kv="9" ctrlrange="-2 2"/>)") == kNoLimit);
  CHECK(EffortOfOne(R"(<general joint="j1" dyntype="integrator" ctrlrange="-2 2"/>)") == kNoLimit);
  CHECK(EffortOfOne(R"(<motor tendon="cable" ctrlrange="-2 2" forcerange="-1 1"/>)") == kNoLimit);
}

TEST_CASE("The narrower of control, force and joint counts; actuators of one joint add up") {
  CHECK(EffortOfOne(R"(<motor joint="j1" ctrlrange="-9 9" forcerange="-5 7"/>)") == 5.0);
  CHECK(EffortOfOne(R"(<motor joint="j1" ctrlrange="-4 4" forcerange="-5 7"/>)") == 4.0);
  const std::string two = R"(<motor joint="j1" ctrlrange="-4 4"/>
    <position joint="j1" gear="2" forcerange="-3 3"/>)";
  CHECK(EffortOfOne(two) == 10.0);
  CHECK(EffortOfOne(two, R"(actuatorfrcrange="-8 9")") == 8.0);
  CHECK(EffortOfOne(two, R"(actuatorfrcrange="-20 20")") == 10.0);
  CHECK(EffortOfOne(two + R"(<velocity joint="j1" kv="1"/>)") == kNoLimit);
  CHECK(EffortOfOne(two + R"(<velocity joint="j1" kv="1" gear="0"/>)") == 10.0);
}

TEST_CASE("What pulls one way is no limit both ways, a pair of them is") {
  const std::string pulls = R"(<motor joint="j1" ctrlrange="0 6"/>)";
  CHECK(EffortOfOne(pulls) == kNoLimit);
  CHECK(EffortOfOne(pulls + R"(<motor joint="j1" gear="-2" ctrlrange="0 2"/>)") == 4.0);
  CHECK(EffortOfOne("", R"(actuatorfrcrange="0 6")") == kNoLimit);
  // A range without a width is none that MuJoCo would compile.
  CHECK(EffortOfOne(pulls, R"(actuatorfrcrange="-6 -3")") == kNoLimit);
  CHECK(EffortOfOne(R"(<motor joint="j1" gear="0" forcerange="-1 1"/>)") == kNoLimit);
}

/// Torques on the joints where all actuators have the same control.
Eigen::VectorXd TorquesAt(const mjModel& model, mjData& data, double control) {
  std::fill_n(data.ctrl, model.nu, control);
  mj_forward(&model, &data);
  return Eigen::Map<const Eigen::VectorXd>(data.qfrc_actuator, model.nv);
}

TEST_CASE("Limits of effort are what MuJoCo's actuators can give") {
  const TemporaryFolder folder;
  const std::string file = folder.Write(
      "arm.xml",
      Driven({"", R"(type="slide")", R"(actuatorfrcrange="-8 9")", "", ""},
             R"(<general joint="j1" class="strong" gear="1.5" gainprm="1e3" biastype="affine"/>
                <motor joint="j2" gear="7" ctrlrange="-3 2" forcerange="-2.5 4"/>
                <motor joint="j3" ctrlrange="-6 6"/><motor joint="j3" forcerange="-5 4"/>
                <general joint="j4" gear="3" gainprm="2" ctrlrange="1 4" forcerange="-9 1.5"/>
                <motor joint="j4" gear="2" ctrlrange="-8 1"/>
                <motor joint="j5" forcerange="5 7" ctrlrange="-1 1"/>
                <motor joint="j5" ctrlrange="-20 30"/>)"));
  std::array<char, 1000> error{};
  const ModelPtr model(mj_loadXML(file.c_str(), nullptr, error.data(), std::ssize(error)));
  INFO(std::string(error.data()));
  REQUIRE(model);
  const DataPtr data(mj_makeData(model.get()));
  constexpr double kBeyondAllRanges = 1e6;
  const Eigen::VectorXd most = TorquesAt(*model, *data, kBeyondAllRanges);
  const Eigen::VectorXd least = TorquesAt(*model, *data, -kBeyondAllRanges);
  REQUIRE((most.array() > 0.0 && least.array() < 0.0).all());
  CHECK(EffortsOf(file) == most.cwiseMin(-least));
}

}  // namespace
}  // namespace idbench
