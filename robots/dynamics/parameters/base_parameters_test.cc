#include "robots/dynamics/parameters/base_parameters.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "robots/dynamics/equations_test.h"
#include "robots/robot.h"

namespace idbench {
namespace {

using Equations = std::vector<PlacedEquation>;
using JointParameters = std::vector<JointParameter>;

const JointParameters kRotor = {JointParameter::kRotorInertia};
const JointParameters kFriction = {JointParameter::kViscous, JointParameter::kCoulomb,
                                   JointParameter::kOffset};

BaseParameters Find(const RobotModel& model, const Equations& equations = kTorque,
                    const JointParameters& joint_parameters = {}) {
  return FindBaseParameters(model, equations,
                            ConsideredParameters(model, equations, joint_parameters));
}

int Count(const std::string& robot, const Equations& equations,
          const JointParameters& joint_parameters = {}) {
  return Find(LoadRobot(robot).model, equations, joint_parameters).size();
}

// Published integers: 7n − 4β − 2 for the PUMA (n = 6, β = 1); Sousa & Cortesão, IJRR 2014, for the
// WAM; Gaz, Flacco & De Luca, ICRA 2014, for the KUKA LWR4.

TEST_CASE("The PUMA 560 has 36 base parameters") { CHECK(Count("puma560", kTorque) == 36); }

TEST_CASE("The WAM has 43 base parameters from joint torque, 48 with rotor inertias") {
  CHECK(Count("barrett_wam7", kTorque) == 43);
  CHECK(Count("barrett_wam7", kTorque, kRotor) == 48);
}

TEST_CASE("The WAM has 64 base parameters with fv, fc and fo, 69 with rotor inertias too") {
  CHECK(Count("barrett_wam7", kTorque, kFriction) == 64);
  CHECK(Count("barrett_wam7", kTorque, kAllJointParameters) == 69);
}

TEST_CASE("The WAM has 50 base parameters from the base wrench, alone or with joint torque") {
  CHECK(Count("barrett_wam7", kWrench) == 50);
  CHECK(Count("barrett_wam7", kBoth) == 50);
}

TEST_CASE("The KUKA LWR4 has 43 base parameters, 64 with fv, fc and fo") {
  CHECK(Count("kuka_lwr4", kTorque) == 43);
  CHECK(Count("kuka_lwr4", kTorque, kFriction) == 64);
}

TEST_CASE("A planar arm has three base parameters per joint") {
  CHECK(Count("planar1", kTorque) == 3);
  CHECK(Count("planar2", kTorque) == 6);
  CHECK(Count("planar3", kTorque) == 9);
}

TEST_CASE("Base parameters of the two-joint arm are those of the textbook") {
  // Hinges along y, the second 0.5 m below the first: link 2's mass moves with the end of link 1.
  const RobotModel model = LoadRobot("planar2").model;
  const BaseParameters base = Find(model);
  CHECK(base.expressions == std::vector<std::string>{"link1.mcx", "link1.mcz - 0.5·link2.m",
                                                     "link1.Iyy + 0.25·link2.m", "link2.mcx",
                                                     "link2.mcz", "link2.Iyy"});
  CHECK(base.names == std::vector<std::string>{"link1.mcx", "link1.mcz_R", "link1.Iyy_R",
                                               "link2.mcx", "link2.mcz", "link2.Iyy"});
  const ParameterLayout layout(2);
  CHECK(base.independent == std::vector<int>{layout.Body(0) + 1, layout.Body(0) + 3,
                                             layout.Body(0) + 6, layout.Body(1) + 1,
                                             layout.Body(1) + 3, layout.Body(1) + 6});
  // Masses and what turns out of the plane have no effect, but for link 2's mass.
  CHECK(base.unidentifiable.size() == 13);
  CHECK(base.B(1, layout.Body(1)) == doctest::Approx(-0.5).epsilon(1e-12));
  CHECK(base.B(2, layout.Body(1)) == doctest::Approx(0.25).epsilon(1e-12));
  CHECK(base.B.leftCols(kInertialCount).isZero(0.0));  // the base link
}

TEST_CASE("B is the identity on the independent parameters") {
  const BaseParameters base = Find(LoadRobot("barrett_wam7").model, kBoth, kAllJointParameters);
  REQUIRE(base.B.rows() == base.size());
  for (int i = 0; i < base.size(); ++i) {
    const int k = base.independent[static_cast<std::size_t>(i)];
    CHECK(base.B.col(k) == Eigen::VectorXd::Unit(base.size(), i));
  }
}

TEST_CASE("What cannot be told apart predicts alike: π and its base parameters on their columns") {
  for (const std::string& name : RobotNames()) {
    CAPTURE(name);
    const RobotModel model = LoadRobot(name).model;
    for (const Equations& equations : {kTorque, kWrench, kBoth}) {
      const std::vector<int> considered =
          ConsideredParameters(model, equations, kAllJointParameters);
      const BaseParameters base = FindBaseParameters(model, equations, considered);
      Eigen::VectorXd pi = Eigen::VectorXd::Zero(base.B.cols());
      for (const int k : considered) pi[k] = std::sin(1.0 + 2.3 * k);
      const Eigen::VectorXd beta = base.B * pi;
      Eigen::VectorXd lifted = Eigen::VectorXd::Zero(pi.size());
      for (int i = 0; i < base.size(); ++i) {
        lifted[base.independent[static_cast<std::size_t>(i)]] = beta[i];
      }
      // Other states than the base parameters were found on.
      const Dynamics dynamics(model);
      Dynamics::Scratch scratch(dynamics);
      const FixedStates states = MakeFixedStates(model, 30, 99);
      Eigen::MatrixXd of_pi(30, model.dofs()), of_lifted(30, model.dofs());
      if (equations == kTorque || equations == kBoth) {
        dynamics.InverseDynamics(pi, states.samples(), scratch, of_pi);
        dynamics.InverseDynamics(lifted, states.samples(), scratch, of_lifted);
        CHECK((of_lifted - of_pi).norm() < 1e-10 * of_pi.norm());  // round-off × condition
      }
      if (equations == kWrench || equations == kBoth) {
        of_pi.resize(30, 6);
        of_lifted.resize(30, 6);
        dynamics.BaseWrench(pi, states.samples(), scratch, of_pi);
        dynamics.BaseWrench(lifted, states.samples(), scratch, of_lifted);
        CHECK((of_lifted - of_pi).norm() < 1e-10 * of_pi.norm());
      }
    }
  }
}

TEST_CASE("With friction as tanh the counts stay") {
  const RobotModel model = LoadRobot("barrett_wam7").model;
  CHECK(FindBaseParameters(model, kTorque,
                           ConsideredParameters(model, kTorque, kAllJointParameters),
                           FrictionShape{0.05})
            .size() == 69);
}

/// planar2 with the second axis turned out of the plane by `angle` [rad].
RobotModel AlmostParallel(double angle) {
  const RobotModel model = LoadRobot("planar2").model;
  std::vector<Link> links = model.links();
  links[1].axis = Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitX()) * links[1].axis;
  return {"bent", model.base_name(), links, model.gravity(), model.limits()};
}

std::string RankRefusal(const RobotModel& model) {
  try {
    Find(model);
  } catch (const std::domain_error& error) {
    return error.what();
  }
  return "none";
}

TEST_CASE("A robot whose rank is not certain, for two almost parallel joints, is refused by name") {
  CHECK(RankRefusal(AlmostParallel(1.5708 - std::numbers::pi / 2.0)) ==
        "bent: the rank of the regressor is not certain: singular values 8 and 9 of 20 differ by a "
        "factor of 2.5e+05, at least 1e+06 is needed; are two joints almost parallel, as where a "
        "file rounds pi/2 to 1.5708?");
}

TEST_CASE("Joints that are parallel but for the last digits count as parallel, bent ones as bent") {
  CHECK(Find(AlmostParallel(0.0)).size() == 6);
  CHECK(Find(AlmostParallel(1.5707963268 - std::numbers::pi / 2.0)).size() == 6);
  const int bent = Find(AlmostParallel(0.1)).size();
  CHECK(bent > 6);
  CHECK(Find(AlmostParallel(1e-3)).size() == bent);
}

TEST_CASE(
    "Considered are the moving links, the base with its wrench, and what joints are asked for") {
  const RobotModel model = LoadRobot("planar1").model;
  const ParameterLayout layout(1);
  CHECK(ConsideredParameters(model, kTorque, {}) ==
        std::vector<int>{10, 11, 12, 13, 14, 15, 16, 17, 18, 19});
  CHECK(ConsideredParameters(model, kWrench, {}).size() == 20);
  // In π's order, however they are asked for.
  const std::vector<int> with_joint = ConsideredParameters(
      model, kTorque, {JointParameter::kRotorInertia, JointParameter::kViscous});
  REQUIRE(with_joint.size() == 12);
  CHECK(with_joint[10] == layout.Joint(0, JointParameter::kViscous));
  CHECK(with_joint[11] == layout.Joint(0, JointParameter::kRotorInertia));
}

TEST_CASE("A massless link has no parameters to ask for") {
  const RobotModel model = LoadRobot("planar2").model;
  std::vector<Link> links = model.links();
  links[0].massless = true;
  const RobotModel two_joints_on_a_body("robot", "base", links, model.gravity(), model.limits());
  const std::vector<int> considered = ConsideredParameters(two_joints_on_a_body, kTorque, {});
  REQUIRE(considered.size() == 10);
  CHECK(considered[0] == ParameterLayout(2).Body(1));
}

TEST_CASE(
    "Fixed states are the same on every call, within their limits, and others for another salt") {
  const RobotModel model = LoadRobot("planar2").model;
  const FixedStates states = MakeFixedStates(model, 200, 5);
  CHECK(states.q == MakeFixedStates(model, 200, 5).q);
  CHECK(states.q != MakeFixedStates(model, 200, 6).q);
  CHECK(states.q.topRows(50) == MakeFixedStates(model, 50, 5).q);
  const auto fills = [](const Eigen::MatrixXd& values, double limit) {
    return values.cwiseAbs().maxCoeff() <= limit && values.maxCoeff() > 0.9 * limit &&
           values.minCoeff() < -0.9 * limit;
  };
  CHECK(fills(states.q, std::numbers::pi));
  CHECK(fills(states.qd, 5.0));
  CHECK(fills(states.qdd, 20.0));

  std::vector<Link> links = model.links();
  links[1].type = JointType::kPrismatic;
  const RobotModel slide("robot", "base", links, model.gravity(), model.limits());
  CHECK(fills(MakeFixedStates(slide, 200, 5).q.col(1), 1.0));
}

}  // namespace
}  // namespace idbench
