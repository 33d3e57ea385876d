#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "robots/control/computed_torque.h"
#include "robots/plant/plant_error.h"
#include "robots/robot.h"
#include "scenarios/motion/trajectory/fourier.h"
#include "sim/friction_step.h"
#include "sim/mujoco_robot.h"
#include "sim/rollout.h"
#include "sim/truth/all_shapes_test.h"
#include "sim/truth/compile_truth.h"
#include "sim/truth/true_dynamics.h"
#include "sim/two_link_test.h"

/// Friction of joints so light that an explicit step chatters: the KUKA LWR4, whose last joint
/// turns 4.2e-4 kg·m².
namespace idbench {
namespace {

constexpr FrictionIntegration kImplicitly = FrictionIntegration::kImplicit;
constexpr FrictionIntegration kExplicitly = FrictionIntegration::kExplicit;

/// The KUKA with viscous friction of Katsumata et al., 2019, and Coulomb friction of that size;
/// tanh as wide as users have it. h·f′·(M⁻¹)₇₇ = 19 with a step of 0.25 ms.
TrueRobot Kuka(FrictionIntegration integration, double timestep_s = 0.00025,
               double stribeck_excess_nm = 0.0, double width = 0.005) {
  const Robot robot = LoadRobot("kuka_lwr4");
  TrueJointOptions joints;
  joints.friction.viscous_nms_rad = PerJoint{{1.069, 0.958, 0.223, 0.689, 0.065, 0.252, 0.076}};
  joints.friction.coulomb_nm = PerJoint{{1.0, 1.0, 0.6, 0.6, 0.3, 0.16, 0.16}};
  joints.friction.stribeck_excess_nm = {{stribeck_excess_nm}};
  Eigen::VectorXd pi = robot.FindSet("")->pi;
  joints.ApplyTo(ParameterLayout(robot.model), pi);
  return CompileTruth(
      robot, pi,
      {.timestep_s = timestep_s, .coulomb_width_rad_s = width, .friction_integration = integration},
      joints);
}

/// Motion of all seven joints that comes to rest and reverses once or more in each.
FourierMotion KukaMotion(double duration_s) {
  Eigen::MatrixXd a(7, 2), b(7, 2);
  for (int i = 0; i < 7; ++i) {
    a.row(i) << 0.5 * std::cos(i), 0.4 * std::sin(2.0 * i);
    b.row(i) << 0.4 * std::sin(1.0 + i), -0.3 * std::cos(3.0 * i);
  }
  return {FourierSeries{0.5, Eigen::VectorXd::Constant(7, 0.3), a, b}, duration_s};
}

/// Moves the robot under computed torque, past the check of the step.
Signals Follow(const TrueRobot& robot, double duration_s, double rate_hz = 1000.0) {
  TrueDynamics dynamics(robot);
  ComputedTorque controller({}, [&dynamics](const auto& q, const auto& qd, const auto& qdd,
                                            auto& tau) { dynamics.Torque(q, qd, qdd, tau); });
  MujocoRobot plant(robot);
  return Record(plant, controller, ExactFeedback(), KukaMotion(duration_s), rate_hz);
}

/// Share of samples at which the acceleration of the last joint changes its sign.
double SignChanges(const Signals& signals) {
  const Eigen::VectorXd qdd = signals[kJointAcceleration].col(6);
  int changes = 0;
  for (Eigen::Index i = 1; i < qdd.size(); ++i) changes += qdd[i] * qdd[i - 1] < 0.0;
  return changes / static_cast<double>(qdd.size());
}

double Rms(const Eigen::VectorXd& values) {
  return std::sqrt(values.squaredNorm() / static_cast<double>(values.size()));
}

/// How far two roll-outs of the same samples are apart.
struct Distance {
  double acceleration = 0.0;  ///< Of the last joint, rms [rad/s²].
  double velocity = 0.0;      ///< Of any joint, greatest [rad/s].
};
Distance Between(const Signals& a, const Signals& b) {
  REQUIRE((a.time_s - b.time_s).lpNorm<Eigen::Infinity>() < 1e-12);  // multiples of two steps
  return {Rms(a[kJointAcceleration].col(6) - b[kJointAcceleration].col(6)),
          (a[kJointVelocity] - b[kJointVelocity]).cwiseAbs().maxCoeff()};
}

/// Greatest |τ − ID(q, q̇, q̈)| over the samples [N·m].
double ResidualOf(const TrueRobot& robot, const Signals& signals) {
  TrueDynamics dynamics(robot);
  Eigen::VectorXd tau(robot.dofs());
  double residual = 0.0;
  for (Eigen::Index i = 0; i < signals.time_s.size(); ++i) {
    dynamics.Torque(signals[kJointPosition].row(i), signals[kJointVelocity].row(i),
                    signals[kJointAcceleration].row(i), tau);
    tau -= signals[kJointTorque].row(i).transpose();
    residual = std::max(residual, tau.lpNorm<Eigen::Infinity>());
  }
  return residual;
}

TEST_CASE("Explicit friction of a light wrist chatters, implicit friction does not") {
  const Signals chattering = Follow(Kuka(kExplicitly), 2.0, 4000.0);
  const Signals smooth = Follow(Kuka(kImplicitly), 2.0, 4000.0);
  // Joint 7 reverses its acceleration some 6 times in 2 s, and at most once more where a torque,
  // held for four steps, is replaced at rest.
  CHECK(SignChanges(chattering) > 0.08);
  CHECK(SignChanges(smooth) < 0.008);

  // A step 20 times smaller is just below the bound of explicit friction, 12.6 µs.
  const Signals exact = Follow(Kuka(kExplicitly, 0.0000125), 2.0);
  const Distance of_explicit = Between(Follow(Kuka(kExplicitly), 2.0), exact);
  const Distance of_implicit = Between(Follow(Kuka(kImplicitly), 2.0), exact);
  CHECK(Rms(exact[kJointAcceleration].col(6)) == doctest::Approx(2.5).epsilon(0.05));
  CHECK(of_explicit.acceleration > 15.0);  // [rad/s²]
  CHECK(of_implicit.acceleration < 0.15);
  CHECK(of_explicit.velocity > 0.5);  // [rad/s]
  CHECK(of_implicit.velocity < 0.004);
}

TEST_CASE("The check of the step lets implicit friction pass, and is the cure of explicit") {
  CHECK_NOTHROW(CheckFrictionStep(Kuka(kImplicitly), KukaMotion(2.0)));
  CHECK_THROWS_WITH_AS(
      CheckFrictionStep(Kuka(kExplicitly), KukaMotion(2.0)),
      doctest::Contains("friction of joint 'joint7' would chatter: timestep_s is 0.00025 s, at "
                        "most 1.26e-05 s does; or set /plant/friction_integration to \"implicit\""),
      PlantError);
}

TEST_CASE("Implicit friction is of first order in the step") {
  const Signals exact = Follow(Kuka(kImplicitly, 0.00000625), 1.0);
  const auto error = [&](double timestep_s) {
    return Between(Follow(Kuka(kImplicitly, timestep_s), 1.0), exact).velocity;
  };
  const double coarse = error(0.0005), middle = error(0.00025), fine = error(0.000125);
  // The reference's own error is 5 % of that of the finest step.
  CHECK(coarse / middle == doctest::Approx(2.0).epsilon(0.1));
  CHECK(middle / fine == doctest::Approx(2.0).epsilon(0.1));
}

TEST_CASE("Samples with implicit friction satisfy the model up to rounding") {
  // The bound of explicit friction is 1e-9 N·m too; torques reach 100 N·m.
  for (const double stribeck_excess_nm : {0.0, 0.1}) {
    const TrueRobot kuka = Kuka(kImplicitly, 0.00025, stribeck_excess_nm);
    CHECK(ResidualOf(kuka, Follow(kuka, 1.0)) < 1e-9);
  }
  for (const char* integrator : {"implicitfast", "Euler", "discrete"}) {
    CAPTURE(integrator);
    const TrueRobot robot = AllShapes({.integrator = integrator,
                                       .coulomb_width_rad_s = 1e-3,
                                       .friction_integration = kImplicitly});
    TrueDynamics dynamics(robot);
    MujocoRobot plant(robot);
    plant.Reset(Eigen::Vector3d(0.3, -0.5, 0.2), Eigen::Vector3d(1.0, 0.0, -0.5));
    TrueSample sample{0.0, JointState::Zero(3), Eigen::VectorXd::Zero(3)};
    Eigen::VectorXd tau(3);
    for (int k = 0; k < 500; ++k) {
      plant.Step(Eigen::Vector3d(2.0 * std::sin(0.01 * k), 1.0, -0.5), sample);
      dynamics.Torque(sample.state.q, sample.state.qd, sample.state.qdd, tau);
      CHECK((tau - sample.tau).norm() < 1e-11 * (1.0 + tau.norm()));
    }
  }
}

TEST_CASE("Where a torque is held, the acceleration is the slope of the velocity") {
  const TrueRobot robot = Kuka(kImplicitly);
  const Signals signals = Follow(robot, 2.0, 4000.0);
  const Eigen::MatrixXd& qd = signals[kJointVelocity];
  const Eigen::MatrixXd& qdd = signals[kJointAcceleration];
  // q̈ at a step's beginning is the mean of the step before, but for what inertia, gravity and
  // Coriolis forces changed in 0.25 ms: a jerk of the order of 100 rad/s³. Friction, which stops
  // the wrist at 400 rad/s², does not show. Row 1 is the last step of a hold of four.
  double greatest = 0.0;
  for (Eigen::Index i = 1; i < qd.rows(); i += 4) {
    const Eigen::RowVectorXd slope = (qd.row(i) - qd.row(i - 1)) / robot.options().timestep_s;
    greatest = std::max(greatest, (slope - qdd.row(i)).cwiseAbs().maxCoeff());
  }
  CHECK(greatest < 0.05);
}

/// Two links without gravity, with friction of hardly any width.
TrueRobot Brake(FrictionIntegration integration) {
  ModelPtr model = CompileMjcf(TwoLinkMjcf());
  model->opt.gravity[2] = 0.0;
  TrueFriction friction = TwoLinkFriction();
  friction.offset.setZero();
  return TrueRobot(std::move(model), {"joint1", "joint2"}, friction,
                   {.coulomb_width_rad_s = 1e-4, .friction_integration = integration});
}

TEST_CASE("The order of the joints does not matter to implicit friction") {
  const auto velocities = [](const std::vector<std::string>& joints) {
    TrueFriction friction = TrueFriction::None(2);
    const bool reversed = joints[0] == "joint2";
    friction.coulomb = reversed ? Eigen::Vector2d(0.5, 3.0) : Eigen::Vector2d(3.0, 0.5);
    const TrueRobot robot(CompileMjcf(TwoLinkMjcf()), joints, friction,
                          {.coulomb_width_rad_s = 1e-4, .friction_integration = kImplicitly});
    MujocoRobot plant(robot);
    plant.Reset(Eigen::Vector2d::Zero(), Eigen::Vector2d::Constant(0.4));
    TrueSample sample{0.0, JointState::Zero(2), Eigen::VectorXd::Zero(2)};
    for (int k = 0; k < 200; ++k) plant.Step(Eigen::VectorXd::Zero(2), sample);
    return Eigen::Vector2d(reversed ? sample.state.qd.reverse() : sample.state.qd);
  };
  const Eigen::Vector2d in_order = velocities({"joint1", "joint2"});
  CHECK(in_order.norm() > 0.1);
  CHECK((in_order - velocities({"joint2", "joint1"})).norm() < 1e-12);  // rounding
}

/// Kinetic energy of each sample of a robot that is left to itself [J].
std::vector<double> EnergiesOf(const TrueRobot& robot) {
  TrueDynamics dynamics(robot);
  MujocoRobot plant(robot);
  plant.Reset(Eigen::Vector2d(0.3, -0.5), Eigen::Vector2d(2.0, -3.0));
  TrueSample sample{0.0, JointState::Zero(2), Eigen::VectorXd::Zero(2)};
  Eigen::MatrixXd M(2, 2);
  std::vector<double> energies;
  for (int k = 0; k < 8000; ++k) {
    plant.Step(Eigen::VectorXd::Zero(2), sample);
    dynamics.MassMatrix(sample.state.q, M);
    energies.push_back(0.5 * sample.state.qd.dot(M * sample.state.qd));
  }
  return energies;
}

TEST_CASE("Implicit friction takes energy in every step, until the robot is at rest") {
  const std::vector<double> energies = EnergiesOf(Brake(kImplicitly));
  CHECK(energies.front() > 1.0);
  int grown = 0;
  for (std::size_t k = 1; k < energies.size(); ++k) grown += energies[k] > energies[k - 1];
  CHECK(grown == 0);
  CHECK(energies.back() < 1e-30);
  // Explicit friction swings across rest by h·fc/I, 3e-3 rad/s, for ever.
  CHECK(EnergiesOf(Brake(kExplicitly)).back() > 1e-8);
}

TEST_CASE("With implicit friction a divergence is told as with explicit friction") {
  const auto message = [](const TrueRobot& robot, const Eigen::VectorXd& qd,
                          const Eigen::VectorXd& tau) -> std::string {
    MujocoRobot plant(robot);
    plant.Reset(Eigen::VectorXd::Zero(2), qd);
    TrueSample sample{0.0, JointState::Zero(2), Eigen::VectorXd::Zero(2)};
    try {
      plant.Step(tau, sample);
    } catch (const PlantError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(message(Brake(kImplicitly), Eigen::Vector2d(2e6, -2e6), Eigen::Vector2d(1e7, -1e7))
            .starts_with("simulation diverged at t = 0 s: acceleration of joint 'joint"));
  ModelPtr model = CompileMjcf(TwoLinkMjcf());
  std::fill_n(model->body_mass, model->nbody, 0.0);
  std::fill_n(model->body_inertia, 3 * model->nbody, 0.0);
  std::fill_n(model->dof_armature, model->nv, 0.0);
  const TrueRobot massless(std::move(model), {"joint1", "joint2"}, TwoLinkFriction(),
                           {.friction_integration = kImplicitly});
  CHECK(message(massless, Eigen::VectorXd::Zero(2), Eigen::VectorXd::Zero(2))
            .starts_with("simulation failed at t = 0 s: Inertia matrix is too close to singular"));
}

}  // namespace
}  // namespace idbench
