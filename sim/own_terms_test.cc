#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "robots/dynamics/dynamics.h"
#include "robots/plant/plant_error.h"
#include "robots/robot.h"
#include "robots/term_options.h"
#include "sim/friction_step.h"
#include "sim/mujoco_robot.h"
#include "sim/rollout.h"
#include "sim/truth/compile_truth.h"
#include "sim/truth/true_dynamics.h"

/// Simulated robots with terms of their own, against the dynamics that estimators use.
namespace idbench {
namespace {

/// planar3 with a belt on joints 1 and 2, and every kind of term.
struct Belt {
  Robot robot = LoadRobot("planar3");
  Eigen::VectorXd pi;

  Belt() {
    Eigen::Matrix3d B;
    B << 3.0, 0.0, 0.0,  //
        0.0, 2.0, 1.5,   //
        0.0, 0.0, -1.5;
    robot.model.SetActuation({{"a", "b", "belt"}, B});
    std::vector<Issue> issues;
    AddTerms({{.type = TermKind::kRotorInertia, .on = TermPlace::kMotors},
              {.type = TermKind::kAsymmetric, .motors = "belt"},
              {.type = TermKind::kStribeck, .joints = "joint1", .velocity_rad_s = 0.4},
              {.type = TermKind::kOffset, .motors = "belt"}},
             "", robot, issues);
    REQUIRE(issues.empty());
    pi = robot.FindSet("")->pi;
    const Eigen::Index own = std::ssize(robot.model.terms());
    pi.tail(own) = Eigen::VectorXd::LinSpaced(own, 0.02, 0.1);
  }

  TrueRobot Compile(const MujocoPlantOptions& options = {}) const {
    return CompileTruth(robot, pi, options);
  }
};

TEST_CASE("A true robot has the torques and the mass matrix of its own terms") {
  const Belt belt;
  const MujocoPlantOptions options;
  const TrueRobot robot = belt.Compile(options);
  CHECK(robot.terms().size() == belt.robot.model.terms().size());
  TrueDynamics truth(robot);
  const Dynamics dynamics(belt.robot.model, {options.coulomb_width_rad_s});
  Dynamics::Scratch scratch(dynamics);
  Eigen::VectorXd tau(3), expected(3);
  Eigen::MatrixXd M(3, 3), expected_M(3, 3);
  for (int k = 0; k < 20; ++k) {
    const Eigen::Vector3d q = Eigen::Vector3d(0.3, 1.0, -0.5) * std::sin(1.0 + k);
    const Eigen::Vector3d qd = Eigen::Vector3d(0.4, -1.0, 0.9) * std::cos(2.0 * k);
    const Eigen::Vector3d qdd = Eigen::Vector3d(3.0, 2.0, -5.0) * std::sin(3.0 * k);
    truth.Torque(q, qd, qdd, tau);
    dynamics.InverseDynamics(belt.pi, q, qd, qdd, scratch, expected);
    CHECK((tau - expected).norm() < 1e-12 * expected.norm());
    truth.MassMatrix(q, M);
    dynamics.MassMatrix(belt.pi, q, scratch, expected_M);
    CHECK((M - expected_M).norm() < 1e-12 * expected_M.norm());
  }
}

TEST_CASE("A simulated step satisfies the model with its own terms, whatever the integrator") {
  const Belt belt;
  for (const char* integrator : {"implicitfast", "Euler", "implicit", "RK4", "discrete"}) {
    CAPTURE(integrator);
    const TrueRobot robot = belt.Compile({.integrator = integrator});
    MujocoRobot plant(robot);
    plant.Reset(Eigen::Vector3d(0.3, -0.5, 0.2), Eigen::Vector3d(1.0, 0.0, -0.5));
    TrueDynamics truth(robot);
    TrueSample sample{0.0, JointState::Zero(3), Eigen::VectorXd::Zero(3)};
    Eigen::VectorXd tau(3);
    for (int k = 0; k < 500; ++k) {
      plant.Step(Eigen::Vector3d(2.0 * std::sin(0.01 * k), 1.0, -0.5), sample);
      truth.Torque(sample.state.q, sample.state.qd, sample.state.qdd, tau);
      CHECK((tau - sample.tau).norm() < 1e-11 * (1.0 + tau.norm()));
    }
  }
}

TEST_CASE("Friction of a motor that is too steep for the step is refused by name") {
  Belt belt;
  for (std::size_t k = 0; k < belt.robot.model.terms().size(); ++k) {
    const Eigen::Index at = belt.pi.size() - std::ssize(belt.robot.model.terms());
    belt.pi[at + static_cast<Eigen::Index>(k)] =
        belt.robot.model.terms()[k].name == "belt.fc-" ? 1e4 : 0.0;
  }
  const TrueRobot robot = belt.Compile();
  /// At rest.
  class Rest : public Motion {
   public:
    double duration_s() const override { return 1.0; }
    void Evaluate(double, JointState& state) const override { state = JointState::Zero(3); }
    void Describe(CanonicalText&) const override {}
  };
  CHECK_THROWS_WITH_AS(CheckFrictionStep(robot, Rest()),
                       doctest::Contains("friction belt.fc- would chatter: timestep_s is "),
                       PlantError);
}

}  // namespace
}  // namespace idbench
