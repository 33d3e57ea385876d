#include "sim/friction_step.h"

#include <doctest/doctest.h>

#include <string>

#include "robots/control/computed_torque.h"
#include "robots/plant/plant_error.h"
#include "scenarios/motion/trajectory/fourier.h"
#include "sim/rollout.h"
#include "sim/truth/true_dynamics.h"
#include "sim/two_link_test.h"

namespace idbench {
namespace {

/// A light hinge with 0.06 N·m of sharp Coulomb friction (WAM joint 7), with and without its rotor.
TrueRobot Wrist(const std::string& armature, double timestep_s, const TrueFriction& friction,
                FrictionIntegration integration = FrictionIntegration::kExplicit) {
  return TrueRobot(CompileMjcf(R"(<mujoco><worldbody><body>
      <inertial pos="0 0 0" mass="0.07" diaginertia="0.0003 0.0003 0.0003"/>
      <joint name="wrist" armature=")" +
                               armature + R"("/></body></worldbody></mujoco>)"),
                   {"wrist"}, friction,
                   {.timestep_s = timestep_s,
                    .coulomb_width_rad_s = 0.005,
                    .friction_integration = integration});
}

TrueRobot Wrist(const std::string& armature, double timestep_s) {
  TrueFriction friction = TrueFriction::None(1);
  friction.coulomb(0) = 0.06;
  return Wrist(armature, timestep_s, friction);
}

FourierMotion WristMotion() {
  return {FourierSeries{0.5, Eigen::VectorXd::Zero(1), Eigen::MatrixXd::Ones(1, 1),
                        Eigen::MatrixXd::Ones(1, 1)},
          1.0};
}

TEST_CASE("A step at which friction would chatter is refused with the largest that does") {
  // h·f′/I = 0.00025·(0.06/0.005)/0.0003 = 10; the bound is 0.0003/12 = 2.5e-5 s.
  CHECK_THROWS_WITH_AS(
      CheckFrictionStep(Wrist("0", 0.00025), WristMotion()),
      "friction of joint 'wrist' would chatter: timestep_s is 0.00025 s, at most "
      "2.5e-05 s does; or set /plant/friction_integration to \"implicit\", or give "
      "the joint its rotor inertia, or take a larger coulomb_width_rad_s than "
      "0.005",
      PlantError);
  CHECK_NOTHROW(CheckFrictionStep(Wrist("0", 2.4e-5), WristMotion()));
  CHECK_NOTHROW(CheckFrictionStep(Wrist("0.01", 0.00025), WristMotion()));
}

TEST_CASE("The step check counts static friction, which is steepest") {
  // h·(fc + excess)/w/I: the bound is 0.0003·0.005/(0.06 + 0.04) = 1.5e-5 s.
  TrueFriction friction = TrueFriction::None(1);
  friction.coulomb(0) = 0.06;
  friction.stribeck_excess(0) = 0.04;
  const auto message = [&](double timestep_s) -> std::string {
    try {
      CheckFrictionStep(Wrist("0", timestep_s, friction), WristMotion());
    } catch (const PlantError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(message(2.4e-5).find("at most 1.5e-05 s does") != std::string::npos);
  CHECK(message(1.4e-5).empty());
}

/// The wrist with bristles of 0.06 N·m, and with `coulomb_nm` of Coulomb friction.
TrueRobot BristledWrist(FrictionIntegration integration, double coulomb_nm, double damping_nms) {
  TrueFriction friction = TrueFriction::None(1);
  friction.coulomb(0) = coulomb_nm;
  TrueParts parts;
  parts.mismatch.lugre = LugreOptions{.stiffness_nm_rad = {{100.0}},
                                      .damping_nms_rad = {{damping_nms}},
                                      .coulomb_nm = {{0.05}},
                                      .static_nm = {{0.06}}};
  return TrueRobot(CompileMjcf(R"(<mujoco><worldbody><body>
      <inertial pos="0 0 0" mass="0.07" diaginertia="0.0003 0.0003 0.0003"/>
      <joint name="wrist"/></body></worldbody></mujoco>)"),
                   {"wrist"}, friction,
                   {.coulomb_width_rad_s = 0.005, .friction_integration = integration}, parts);
}

TEST_CASE("The step check offers implicit friction where it is the cure") {
  const auto message = [](FrictionIntegration integration, double coulomb_nm, double damping_nms) {
    try {
      CheckFrictionStep(BristledWrist(integration, coulomb_nm, damping_nms), WristMotion());
    } catch (const PlantError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  using enum FrictionIntegration;
  const std::string implicit = "set /plant/friction_integration to \"implicit\", or ";
  CHECK(message(kExplicit, 0.06, 0.01).find(implicit) != std::string::npos);
  CHECK(message(kImplicit, 0.06, 0.01).empty());
  // h·2σ1/I = 16.7: bristles are explicit.
  for (const FrictionIntegration integration : {kExplicit, kImplicit}) {
    CHECK(
        message(integration, 0.06, 10.0).ends_with(" s does; or give the joint its rotor inertia"));
  }
  // Friction that drives at high speed is explicit, and its slope at rest is steep.
  TrueFriction driving = TrueFriction::None(1);
  driving.coulomb(0) = 0.06;
  driving.viscous(0) = -0.01;
  for (const FrictionIntegration integration : {kExplicit, kImplicit}) {
    CHECK_THROWS_WITH_AS(
        CheckFrictionStep(Wrist("0", 0.00025, driving, integration), WristMotion()),
        doctest::Contains(" s does; or give the joint its rotor inertia, or take a larger "
                          "coulomb_width_rad_s than 0.005"),
        PlantError);
  }
}

TEST_CASE("Simulate refuses a step at which friction would chatter") {
  const TrueRobot robot = Wrist("0", 0.00025);
  TrueDynamics dynamics(robot);
  ComputedTorque controller({}, [&dynamics](const auto& q, const auto& qd, const auto& qdd,
                                            auto& tau) { dynamics.Torque(q, qd, qdd, tau); });
  CHECK_THROWS_AS(Simulate(robot, controller, ExactFeedback(), WristMotion(), 100.0), PlantError);
}

TEST_CASE("A robot whose mass matrix is not positive definite cannot be simulated") {
  ModelPtr model = CompileMjcf(TwoLinkMjcf());
  for (int i = 0; i < model->nv; ++i) model->dof_armature[i] = -10.0;
  const TrueRobot robot(std::move(model), {"joint1", "joint2"}, TwoLinkFriction(), {});
  CHECK_THROWS_WITH_AS(CheckFrictionStep(robot, TwoLinkMotion(1.0)),
                       "the true robot's mass matrix is not positive definite on the motion",
                       PlantError);
}

}  // namespace
}  // namespace idbench
