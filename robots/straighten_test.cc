#include "robots/straighten.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <numbers>
#include <string>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/model_reader.h"
#include "robots/mujoco_reference_test.h"
#include "robots/robot.h"
#include "robots/temporary_folder_test.h"

namespace idbench {
namespace {

constexpr double kPi = std::numbers::pi;

/// A body `a`, turned as said, with a hinge along `axis`.
SpecPtr Spec(const std::string& orientation, const std::string& axis = "0 0 1") {
  const std::string text =
      fmt::format(R"(<mujoco><compiler angle="radian" eulerseq="XYZ"/><worldbody>
        <frame {0}><body name="b"/></frame>
        <body name="a" {0}><joint name="j" axis="{1}"/></body></worldbody></mujoco>)",
                  orientation, axis);
  return SpecPtr(mj_parseXMLString(text.c_str(), nullptr, nullptr, 0));
}

Eigen::Matrix3d Rotation(const double* quat) {
  return Eigen::Quaterniond(quat[0], quat[1], quat[2], quat[3]).normalized().toRotationMatrix();
}

Eigen::Matrix3d RotationOfBody(const mjSpec* spec) {
  return Rotation(mjs_findBody(spec, "a")->quat);
}

TEST_CASE("Angles rounded to 1.5708, 1.5707 or 1.571 become right angles, in bodies and frames") {
  for (const double rounded : {1.5708, 1.5707, 1.571, -1.5708, 3.1416, 3.14159}) {
    CAPTURE(rounded);
    const double exact = std::round(rounded / (kPi / 2.0)) * (kPi / 2.0);
    const SpecPtr spec = Spec(fmt::format("euler=\"{} 0 0\"", rounded));
    CHECK(StraightenAxes(spec.get()) == doctest::Approx(std::abs(rounded - exact)).epsilon(1e-6));
    const Eigen::Matrix3d expected(Eigen::AngleAxisd(exact, Eigen::Vector3d::UnitX()));
    CHECK((RotationOfBody(spec.get()) - expected).norm() < 1e-15);  // round-off
    const mjsFrame* const frame = mjs_asFrame(Elements(spec.get(), mjOBJ_FRAME).front());
    CHECK((Rotation(frame->quat) - expected).norm() < 1e-15);
    CHECK(StraightenAxes(spec.get()) == 0.0);  // once is enough
  }
}

TEST_CASE("The other two axes keep their angle where one is straightened") {
  const SpecPtr spec = Spec("euler=\"1.5708 0 0.3\"");  // Rz·Rx: the body's y is along z
  CHECK(StraightenAxes(spec.get()) == doctest::Approx(1.5708 - kPi / 2.0).epsilon(1e-6));
  const Eigen::Matrix3d expected(Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitZ()) *
                                 Eigen::AngleAxisd(kPi / 2.0, Eigen::Vector3d::UnitX()));
  CHECK((RotationOfBody(spec.get()) - expected).norm() < 1e-15);
}

TEST_CASE("A calibrated 1e-3 rad stays, and so does what is oblique") {
  for (const char* euler : {"1.5718 0 0", "0.3 -1.1 0.7", "0 0.001 0"}) {
    CAPTURE(euler);
    const SpecPtr spec = Spec(fmt::format("euler=\"{}\"", euler));
    const SpecPtr other = Spec(fmt::format("euler=\"{}\"", euler));
    mjsBody* const body = mjs_findBody(other.get(), "a");
    ResolveOrientation(body->element, body->quat, body->alt);
    CHECK(StraightenAxes(spec.get()) == 0.0);
    CHECK(RotationOfBody(spec.get()) == RotationOfBody(other.get()));
  }
}

TEST_CASE("A joint's axis is straightened along its body's axes") {
  const auto axis = [](const std::string& written) {
    const SpecPtr spec = Spec("", written);
    const double angle = StraightenAxes(spec.get());
    const mjsJoint* const joint = mjs_asJoint(Elements(spec.get(), mjOBJ_JOINT).front());
    return std::pair(angle, Eigen::Vector3d(joint->axis[0], joint->axis[1], joint->axis[2]));
  };
  const auto [angle, straight] = axis("1e-4 -2 0");
  CHECK(angle == doctest::Approx(5e-5));
  CHECK(straight == Eigen::Vector3d(0.0, -1.0, 0.0));
  CHECK(axis("0 0.7071 0.7072") == std::pair(0.0, Eigen::Vector3d(0.0, 0.7071, 0.7072)));
  CHECK(axis("0 0 0").first == 0.0);  // what MuJoCo will refuse is left to it
}

/// Three parallel hinges, by way of frames that are turned back and forth by `angle`.
std::string ParallelArm(const std::string& angle) {
  const std::string inertial = R"(<inertial><origin xyz="0.1 0.02 0.03"/><mass value="1"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0.01" ixz="0" iyz="0"/></inertial>)";
  const auto joint = [](const std::string& name, const std::string& parent,
                        const std::string& child, const std::string& rpy, const char* axis) {
    return fmt::format(R"(<joint name="{}" type="continuous"><parent link="{}"/><child link="{}"/>
      <origin xyz="0.3 0.1 0.2" rpy="{}"/><axis xyz="{}"/></joint>)",
                       name, parent, child, rpy, axis);
  };
  return "<robot name=\"arm\"><link name=\"base\"/><link name=\"a\">" + inertial +
         "</link><link name=\"b\">" + inertial + "</link><link name=\"c\">" + inertial + "</link>" +
         joint("j1", "base", "a", angle + " 0 0", "0 0 1") +
         joint("j2", "a", "b", angle + " 0 0", "0 1 0") +
         joint("j3", "b", "c", "-" + angle + " 0 0", "0 0 1") + "</robot>";
}

TEST_CASE("A URDF that writes 1.5708 has the base parameters of its drawing, and says why") {
  const TemporaryFolder folder;
  const auto expressions = [](const Robot& robot) {
    return FindBaseParameters(robot.model, {Equation::kTorque},
                              ConsideredParameters(robot.model, {Equation::kTorque}, {}))
        .expressions;
  };
  const Robot exact = LoadRobot(folder.Write("exact.urdf", ParallelArm("1.5707963267948966")));
  const Robot rounded = LoadRobot(folder.Write("rounded.urdf", ParallelArm("1.5708")));
  CHECK(exact.notes.empty());
  CHECK(rounded.notes ==
        std::vector<std::string>{"axes along another but for at most 4e-06 rad (rounded in the "
                                 "file?) lie along it here"});
  CHECK(expressions(exact) == expressions(rounded));
  CHECK(expressions(exact).size() == 9);
}

}  // namespace
}  // namespace idbench
