#include "robots/dynamics/walkers/planar_lagrangian.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "robots/dynamics/no_limits_test.h"
#include "robots/dynamics/parameters/parametrisation.h"

namespace idbench {
namespace {

/// A link whose joint is at `joint` on its parent and whose line is its own −z.
Link HingedLink(const char* name, int parent, const Eigen::Vector3d& joint) {
  Link link;
  link.name = name;
  link.joint = std::string("to_") + name;
  link.parent = parent;
  link.p0 = joint;
  link.axis = Eigen::Vector3d::UnitY();
  return link;
}

Eigen::Matrix<double, kInertialCount, 1> Rod(double mass, double com, double inertia) {
  return ToStandard({mass, {0.0, 0.0, com}, Eigen::Vector3d(inertia, inertia, 1e-3).asDiagonal()});
}

/// Numbers in [−1, 1] that follow no pattern the model knows of.
Eigen::VectorXd Uniform(Eigen::Index size, int index) {
  return Eigen::VectorXd::NullaryExpr(
      size, [&](Eigen::Index k) { return std::sin(12.9898 * double(k + 1) + 78.233 * index); });
}

/// A planar robot and standard parameters of it.
struct PlanarRobot {
  RobotModel model;
  Eigen::VectorXd pi;
};

/// Four links: a trunk with an arm of two links that branches off, tilted at q = 0, its second axis
/// reversed, and anchors away from the origins. All four joints have friction and rotors.
PlanarRobot Branched() {
  std::vector<Link> links = {
      HingedLink("trunk", -1, {0.0, 0.0, 0.4}), HingedLink("arm", 0, {0.1, 0.3, -0.5}),
      HingedLink("hand", 1, {0.0, 0.0, -0.35}), HingedLink("tail", 0, {0.0, -0.2, 0.25})};
  links[1].p0 = {0.0, 0.3, -0.5};
  links[1].R0 = Eigen::AngleAxisd(0.7, Eigen::Vector3d::UnitY()).toRotationMatrix();
  links[1].reference = 0.2;
  links[2].axis = -Eigen::Vector3d::UnitY();
  links[3].p0 = {0.0, -0.2, 0.15};
  links[3].anchor = {0.0, 0.1, 0.1};
  const RobotModel model("branched", "base", links, {0.0, 0.0, -9.81}, NoLimits(4));
  const ParameterLayout layout(4);
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(layout.size());
  pi.segment<10>(layout.Body(0)) = Rod(7.0, -0.2, 0.3);
  pi.segment<10>(layout.Body(1)) = Rod(2.0, -0.15, 0.05);
  pi.segment<10>(layout.Body(2)) = Rod(1.5, -0.1, 0.02);
  pi.segment<10>(layout.Body(3)) = Rod(0.8, -0.3, 0.01);
  for (int j = 0; j < 4; ++j) {
    for (int kind = 0; kind < kJointParameterCount; ++kind) {
      pi(layout.Joint(j, static_cast<JointParameter>(kind))) = 0.1 * (1 + j) + 0.03 * kind;
    }
  }
  return {model, pi};
}

const std::vector<JointParameter> kAllFriction = {JointParameter::kViscous,
                                                  JointParameter::kCoulomb, JointParameter::kOffset,
                                                  JointParameter::kRotorInertia};
constexpr FrictionShape kShape{.coulomb_width_rad_s = 0.3};

PlanarLagrangian Lagrangian(const PlanarRobot& robot) {
  return {robot.model, robot.pi, kAllFriction, kShape};
}

TEST_CASE("A physical robot's beta predicts the torques of Newton and Euler") {
  const PlanarRobot robot = Branched();
  const PlanarLagrangian lagrangian = Lagrangian(robot);
  const Eigen::VectorXd beta = lagrangian.FromPi(robot.pi);
  const Dynamics dynamics(robot.model, kShape);
  Dynamics::Scratch scratch(dynamics);
  Eigen::VectorXd expected(4), tau(4);
  Eigen::MatrixXd Z(4, lagrangian.size());
  for (int k = 0; k < 20; ++k) {
    const Eigen::VectorXd q = 3.0 * Uniform(4, 3 * k), qd = 4.0 * Uniform(4, 3 * k + 1),
                          qdd = 20.0 * Uniform(4, 3 * k + 2);
    dynamics.InverseDynamics(robot.pi, q, qd, qdd, scratch, expected);
    lagrangian.Torque(beta, q, qd, qdd, tau);
    lagrangian.Rows(q, qd, qdd, Z);
    const double scale = expected.cwiseAbs().maxCoeff();
    CHECK((tau - expected).cwiseAbs().maxCoeff() < 1e-13 * scale);
    CHECK((Z * beta - expected).cwiseAbs().maxCoeff() < 1e-13 * scale);
  }
}

TEST_CASE("The mass matrix, momenta and forward dynamics are those of the torques") {
  const PlanarRobot robot = Branched();
  const PlanarLagrangian lagrangian = Lagrangian(robot);
  const Eigen::VectorXd beta = lagrangian.FromPi(robot.pi);
  const Eigen::VectorXd q = 3.0 * Uniform(4, 100), qd = 4.0 * Uniform(4, 101),
                        qdd = 20.0 * Uniform(4, 102);
  Eigen::VectorXd tau(4), bias(4), back(4);
  Eigen::MatrixXd D(4, 4), rows(4, lagrangian.size());
  lagrangian.Torque(beta, q, qd, qdd, tau);
  lagrangian.Torque(beta, q, qd, Eigen::VectorXd::Zero(4), bias);
  lagrangian.MassMatrix(beta, q, D);
  CHECK((D * qdd + bias - tau).norm() < 1e-13 * tau.norm());
  lagrangian.MomentumRows(q, qd, rows);
  CHECK((rows * beta - D * qd).norm() < 1e-13 * (D * qd).norm());
  REQUIRE(lagrangian.ForwardDynamics(beta, q, qd, tau, back));
  CHECK((back - qdd).norm() < 1e-11 * qdd.norm());  // cond(D) is about 100
}

TEST_CASE("A mass matrix that is not positive definite has no forward dynamics") {
  const PlanarRobot robot = Branched();
  const PlanarLagrangian lagrangian = Lagrangian(robot);
  Eigen::VectorXd beta = lagrangian.FromPi(robot.pi);
  beta(2) = -5.0;
  Eigen::VectorXd qdd = Eigen::VectorXd::Constant(4, 3.0);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(4);
  CHECK_FALSE(lagrangian.ForwardDynamics(beta, zero, zero, zero, qdd));
  CHECK(qdd == Eigen::VectorXd::Constant(4, 3.0));
}

TEST_CASE("Derivatives of the torques are those of differences") {
  const PlanarRobot robot = Branched();
  const PlanarLagrangian lagrangian = Lagrangian(robot);
  const Eigen::VectorXd beta = lagrangian.FromPi(robot.pi);
  const Eigen::VectorXd q = 3.0 * Uniform(4, 110), qd = 0.5 * Uniform(4, 111),
                        qdd = 20.0 * Uniform(4, 112);
  Eigen::MatrixXd by_q(4, 4), by_qd(4, 4);
  lagrangian.TorqueDerivatives(beta, q, qd, qdd, by_q, by_qd);
  constexpr double kStep = 1e-6;
  Eigen::VectorXd plus(4), minus(4);
  for (int j = 0; j < 4; ++j) {
    const Eigen::VectorXd step = kStep * Eigen::VectorXd::Unit(4, j);
    lagrangian.Torque(beta, q + step, qd, qdd, plus);
    lagrangian.Torque(beta, q - step, qd, qdd, minus);
    // Round-off of the differences, about 1e-16·100 N·m/1e-6.
    CHECK(((plus - minus) / (2.0 * kStep) - by_q.col(j)).cwiseAbs().maxCoeff() < 1e-7);
    lagrangian.Torque(beta, q, qd + step, qdd, plus);
    lagrangian.Torque(beta, q, qd - step, qdd, minus);
    CHECK(((plus - minus) / (2.0 * kStep) - by_qd.col(j)).cwiseAbs().maxCoeff() < 1e-7);
  }
}

TEST_CASE("Parameters are named, in the order of their kinds") {
  const PlanarLagrangian lagrangian = Lagrangian(Branched());
  CHECK(lagrangian.size() == 4 + 4 + 4 + 16);
  CHECK(lagrangian.names()[3] == "tail.J");
  CHECK(lagrangian.names()[4] == "trunk.arm.P");
  CHECK(lagrangian.names()[5] == "trunk.hand.P");
  CHECK(lagrangian.names()[6] == "arm.hand.P");
  CHECK(lagrangian.names()[7] == "trunk.tail.P");
  CHECK(lagrangian.names()[8] == "trunk.G");
  CHECK(lagrangian.units()[8] == "N·m");
  CHECK(lagrangian.names()[12] == "to_trunk.fv");
  CHECK(lagrangian.names()[27] == "to_tail.ia");
  CHECK(lagrangian.units()[12] == "N·m·s/rad");
}

TEST_CASE("As a parametrisation beta has no standard parameters that stand for it") {
  const PlanarRobot robot = Branched();
  const Parametrisation parameters =
      PlanarLagrangianParametrisation(robot.model, Lagrangian(robot));
  REQUIRE(parameters.lagrangian() != nullptr);
  CHECK(parameters.affine() == nullptr);
  CHECK(parameters.representative);
  const Eigen::VectorXd beta = parameters.lagrangian()->FromPi(robot.pi);
  CHECK((parameters.FromPi(robot.pi) - beta).norm() < 1e-14 * beta.norm());
  CHECK(parameters.Pi(beta).isZero(0.0));
}

std::string LagrangianRefusal(const PlanarRobot& robot) {
  try {
    const PlanarLagrangian lagrangian(robot.model, robot.pi);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

/// Two links that hang, changed.
template <class Change>
PlanarRobot Changed(const Change& change) {
  std::vector<Link> links = {HingedLink("thigh", -1, {0.0, 0.0, 1.0}),
                             HingedLink("shank", 0, {0.0, 0.0, -0.4})};
  const ParameterLayout layout(2);
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(layout.size());
  pi.segment<10>(layout.Body(0)) = Rod(1.6, -0.18, 0.022);
  pi.segment<10>(layout.Body(1)) = Rod(1.0, -0.18, 0.014);
  Eigen::Vector3d gravity(0.0, 0.0, -9.81);
  change(links, pi, gravity);
  return {RobotModel("leg", "base", links, gravity, NoLimits(2)), pi};
}

TEST_CASE("Robots that are no chain of straight links in a vertical plane are refused by name") {
  using Links = std::vector<Link>;
  const std::string start = "robot 'leg' is no chain of straight links in a vertical plane: ";
  CHECK(LagrangianRefusal(Changed([](Links&, Eigen::VectorXd&, Eigen::Vector3d&) {})).empty());
  CHECK(LagrangianRefusal(Changed([](Links& links, Eigen::VectorXd&, Eigen::Vector3d&) {
          links[1].type = JointType::kPrismatic;
        })) == start + "joint 'to_shank' is prismatic");
  CHECK(LagrangianRefusal(Changed([](Links& links, Eigen::VectorXd&, Eigen::Vector3d&) {
          links[1].axis = Eigen::Vector3d::UnitX();
        })) == start + "the axis of joint 'to_shank' is not parallel to that of 'to_thigh'");
  CHECK(LagrangianRefusal(Changed([](Links&, Eigen::VectorXd&, Eigen::Vector3d& gravity) {
          gravity = {0.0, -1.0, -9.81};
        })) == start + "the axis of joint 'to_thigh' is not horizontal");
  CHECK(LagrangianRefusal(Changed([](Links&, Eigen::VectorXd&, Eigen::Vector3d& gravity) {
          gravity.setZero();
        })) == start + "there is no gravity that would tell what is vertical");
  CHECK(LagrangianRefusal(Changed([](Links& links, Eigen::VectorXd&, Eigen::Vector3d&) {
          links[1].parent = -1;
        })) == start + "joint 'to_shank' is on the base, as 'to_thigh' is");
  CHECK(LagrangianRefusal(Changed([](Links& links, Eigen::VectorXd&, Eigen::Vector3d&) {
          links[1].p0.x() = 0.05;
        })) == start +
                   "joint 'to_shank' is not on the line of link 'thigh' from its joint to its "
                   "centre of mass, with what hangs on it");
  CHECK(LagrangianRefusal(Changed([](Links&, Eigen::VectorXd& pi, Eigen::Vector3d&) {
          pi.segment<3>(ParameterLayout(2).Body(1) + 1).setZero();
        })) == start +
                   "the centre of mass of link 'shank' is on its joint's axis, so that the "
                   "link has no direction");
}

}  // namespace
}  // namespace idbench
