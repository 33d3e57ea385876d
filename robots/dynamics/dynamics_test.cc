#include "robots/dynamics/dynamics.h"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "robots/dynamics/allocation_count_test.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/mujoco_reference_test.h"
#include "robots/robot.h"

namespace idbench {
namespace {

/// Greatest |a − b| of each column, relative to the greatest |b| of that column.
double WorstColumnError(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return ((a - b).cwiseAbs().colwise().maxCoeff().array() /
          b.cwiseAbs().colwise().maxCoeff().array())
      .maxCoeff();
}

/// A link on a hinge about the horizontal y axis, on a base without joints.
RobotModel Pendulum(JointType type = JointType::kRevolute) {
  Link link;
  link.name = "bob";
  link.joint = "hinge";
  link.axis = Eigen::Vector3d::UnitY();
  link.type = type;
  const Eigen::VectorXd none = Eigen::VectorXd::Constant(1, 1e9);
  return {"pendulum", "base", {link}, {0.0, 0.0, -9.81}, {-none, none, none, none, none}};
}

/// π of random bodies: nothing in the dynamics needs them to be physical.
Eigen::VectorXd AnyParameters(const RobotModel& model) {
  const Eigen::Index size = ParameterLayout(model.dofs()).size();
  Eigen::VectorXd pi(size);
  for (Eigen::Index k = 0; k < size; ++k) pi[k] = std::sin(1.0 + 2.3 * static_cast<double>(k));
  return pi;
}

TEST_CASE("A pendulum's torque, base wrench and mass matrix are those of the textbook") {
  const RobotModel model = Pendulum();
  const Dynamics dynamics(model);
  Dynamics::Scratch scratch(dynamics);
  // A bob of 2 kg at 0.5 m below the hinge; a base of 3 kg with its centre at (0.1, 0, 0).
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(dynamics.layout().size());
  pi.segment<10>(0) << 3.0, 0.3, 0.0, 0.0, 0.0, 0.0, 0.03, 0.0, 0.0, 0.03;
  pi.segment<10>(10) << 2.0, 0.0, 0.0, -1.0, 0.5, 0.0, 0.5, 0.0, 0.0, 0.0;
  const double q = 0.7, qd = 1.3, qdd = -2.1, g = 9.81;
  const auto one = [](double value) { return Eigen::VectorXd::Constant(1, value); };

  Eigen::VectorXd tau(1);
  dynamics.InverseDynamics(pi, one(q), one(qd), one(qdd), scratch, tau);
  // τ = m l² q̈ + m g l sin q; a positive turn about y swings the bob towards −x.
  const double expected = 0.5 * qdd + 2.0 * g * 0.5 * std::sin(q);
  CHECK(tau[0] == doctest::Approx(expected).epsilon(1e-14));

  Eigen::MatrixXd M(1, 1);
  dynamics.MassMatrix(pi, one(q), scratch, M);
  CHECK(M(0, 0) == doctest::Approx(0.5).epsilon(1e-14));

  const Eigen::MatrixXd states[] = {one(q), one(qd), one(qdd)};
  Eigen::MatrixXd wrench(1, 6);
  dynamics.BaseWrench(pi, {states[0], states[1], states[2]}, scratch, wrench);
  // m·(acceleration of the bob), at −l·(sin q, 0, cos q) from the hinge.
  const double ax = 0.5 * (-qdd * std::cos(q) + qd * qd * std::sin(q));
  const double az = 0.5 * (qdd * std::sin(q) + qd * qd * std::cos(q));
  CHECK(wrench(0, 0) == doctest::Approx(2.0 * ax).epsilon(1e-14));
  CHECK(wrench(0, 1) == 0.0);
  CHECK(wrench(0, 2) == doctest::Approx(2.0 * az + 5.0 * g).epsilon(1e-14));
  // The hinge's torque, and the base's weight of 3 kg on a lever of 0.1 m.
  CHECK(wrench(0, 4) == doctest::Approx(expected - 0.3 * g).epsilon(1e-14));
}

TEST_CASE("Newton-Euler agrees with MuJoCo's inverse dynamics for every robot and an odd tree") {
  for (MujocoReference& reference : AllReferences()) {
    CAPTURE(reference.tree.model.base_name());
    const RobotModel& model = reference.tree.model;
    const Dynamics dynamics(model);
    Dynamics::Scratch scratch(dynamics);
    const FixedStates states = MakeFixedStates(model, 37, 7);
    Eigen::MatrixXd tau(37, model.dofs()), expected(37, model.dofs());
    dynamics.InverseDynamics(reference.pi, states.samples(), scratch, tau);
    for (Eigen::Index k = 0; k < 37; ++k) {
      reference.SetState(states.q.row(k), states.qd.row(k), states.qdd.row(k));
      expected.row(k) = reference.InverseDynamics();
    }
    // Round-off of two different recursions, relative to each joint's greatest torque.
    CHECK(WorstColumnError(tau, expected) < 1e-12);
  }
}

TEST_CASE("The base wrench agrees with MuJoCo's internal forces, the base's own weight included") {
  for (MujocoReference& reference : AllReferences()) {
    CAPTURE(reference.tree.model.base_name());
    const RobotModel& model = reference.tree.model;
    const Dynamics dynamics(model);
    Dynamics::Scratch scratch(dynamics);
    const FixedStates states = MakeFixedStates(model, 21, 8);
    Eigen::MatrixXd wrench(21, 6), expected(21, 6);
    dynamics.BaseWrench(reference.pi, states.samples(), scratch, wrench);
    for (Eigen::Index k = 0; k < 21; ++k) {
      reference.SetState(states.q.row(k), states.qd.row(k), states.qdd.row(k));
      reference.InverseDynamics();
      expected.row(k) = reference.BaseWrench();
    }
    // Planar arms leave some components near zero: forces and moments each to their own scale.
    const double force = expected.leftCols(3).cwiseAbs().maxCoeff();
    const double moment = expected.rightCols(3).cwiseAbs().maxCoeff();
    CHECK((wrench - expected).leftCols(3).cwiseAbs().maxCoeff() < 1e-12 * force);
    CHECK((wrench - expected).rightCols(3).cwiseAbs().maxCoeff() < 1e-12 * moment);
  }
}

TEST_CASE("Y·π is Newton-Euler, joint torques and base wrench, for any π") {
  for (const MujocoReference& reference : AllReferences()) {
    const RobotModel& model = reference.tree.model;
    const int n = model.dofs();
    const Dynamics dynamics(model);
    Dynamics::Scratch scratch(dynamics);
    Eigen::VectorXd pi = AnyParameters(model);
    pi.tail(kJointParameterCount * n).setZero();
    const FixedStates states = MakeFixedStates(model, 9, 9);
    Eigen::MatrixXd tau(9, n), wrench(9, 6), by_Y(9, n), by_wrench_Y(9, 6);
    dynamics.InverseDynamics(pi, states.samples(), scratch, tau);
    dynamics.BaseWrench(pi, states.samples(), scratch, wrench);
    Eigen::MatrixXd Y(n, kInertialCount * n), Y_wrench(6, kInertialCount * (n + 1));
    for (Eigen::Index k = 0; k < 9; ++k) {
      const Eigen::VectorXd q = states.q.row(k), qd = states.qd.row(k), qdd = states.qdd.row(k);
      dynamics.TorqueRegressor(q, qd, qdd, scratch, Y);
      by_Y.row(k) = Y * pi.segment(kInertialCount, kInertialCount * n);
      dynamics.WrenchRegressor(q, qd, qdd, scratch, Y_wrench);
      by_wrench_Y.row(k) = Y_wrench * pi.head(kInertialCount * (n + 1));
    }
    CHECK(WorstColumnError(by_Y, tau) < 1e-12);  // round-off of two orders of summation
    CHECK(WorstColumnError(by_wrench_Y, wrench) < 1e-12);
  }
}

TEST_CASE("Blocks of a batch are the entries of Y that can differ from zero, row by row") {
  const RobotModel model = MujocoReference::FromText(kOddTree).tree.model;
  const int n = model.dofs();
  const Dynamics dynamics(model);
  Dynamics::Scratch scratch(dynamics), single(dynamics);
  const FixedStates states = MakeFixedStates(model, 11, 15);
  Eigen::MatrixXd Y(n, kInertialCount * n);
  dynamics.TorqueRegressorBlocks(
      states.samples(), scratch, [&](Eigen::Index first, const double* blocks) {
        for (Eigen::Index lane = 0; lane < std::min<Eigen::Index>(8, 11 - first); ++lane) {
          const Eigen::Index k = first + lane;
          dynamics.TorqueRegressor(states.q.row(k).transpose(), states.qd.row(k).transpose(),
                                   states.qdd.row(k).transpose(), single, Y);
          const double* entry = blocks + lane;
          for (int row = 0; row < n; ++row) {
            const int end = kInertialCount * (row + model.subtree_size(row));
            for (int column = kInertialCount * row; column < end; ++column, entry += 8) {
              CHECK(Y(row, column) == *entry);
              Y(row, column) = 0.0;
            }
          }
          CHECK(Y.isZero(0.0));  // nothing else differs from zero
        }
      });
}

TEST_CASE("Friction, offset and rotor inertia add fv·q̇ + fc·s(q̇) + fo + ia·q̈") {
  const RobotModel model = Pendulum();
  const Dynamics dynamics(model);
  Dynamics::Scratch scratch(dynamics);
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(dynamics.layout().size());
  pi.tail<4>() << 0.5, 2.0, -0.25, 0.125;
  const auto torque = [&](const Dynamics& at, double qd, double qdd) {
    Eigen::VectorXd tau(1);
    at.InverseDynamics(pi, Eigen::VectorXd::Zero(1), Eigen::VectorXd::Constant(1, qd),
                       Eigen::VectorXd::Constant(1, qdd), scratch, tau);
    return tau[0];
  };
  CHECK(torque(dynamics, 3.0, 4.0) == 0.5 * 3.0 + 2.0 - 0.25 + 0.125 * 4.0);
  CHECK(torque(dynamics, -3.0, 0.0) == -0.5 * 3.0 - 2.0 - 0.25);
  CHECK(torque(dynamics, 0.0, 0.0) == -0.25);  // sign(0) = 0

  const Dynamics smooth(model, FrictionShape{0.1});
  CHECK(torque(smooth, 0.05, 0.0) ==
        doctest::Approx(0.5 * 0.05 + 2.0 * std::tanh(0.5) - 0.25).epsilon(1e-15));
  const Dynamics own(model, FrictionShape{.coulomb_width_rad_s = 7.0, .own_widths_rad_s = {0.1}});
  CHECK(torque(own, 0.05, 0.0) == torque(smooth, 0.05, 0.0));
}

TEST_CASE("The mass matrix is MuJoCo's, and rotor inertias stand on its diagonal") {
  for (MujocoReference& reference : AllReferences()) {
    const RobotModel& model = reference.tree.model;
    const int n = model.dofs();
    const Dynamics dynamics(model);
    Dynamics::Scratch scratch(dynamics);
    const FixedStates states = MakeFixedStates(model, 5, 10);
    Eigen::VectorXd with_rotors = reference.pi;
    for (int i = 0; i < n; ++i) {
      with_rotors[dynamics.layout().Joint(i, JointParameter::kRotorInertia)] = 0.25 * (i + 1);
    }
    Eigen::MatrixXd M(n, n);
    for (Eigen::Index k = 0; k < 5; ++k) {
      dynamics.MassMatrix(reference.pi, states.q.row(k).transpose(), scratch, M);
      const Eigen::MatrixXd expected = reference.MassMatrix(states.q.row(k).transpose());
      // Round-off, relative to the scale √(Mii·Mjj) of each entry.
      const Eigen::VectorXd scale = expected.diagonal().cwiseSqrt().cwiseInverse();
      CHECK((scale.asDiagonal() * (M - expected) * scale.asDiagonal()).cwiseAbs().maxCoeff() <
            1e-12);
      CHECK(M == Eigen::MatrixXd(M.transpose()));

      Eigen::MatrixXd M_rotors(n, n);
      dynamics.MassMatrix(with_rotors, states.q.row(k).transpose(), scratch, M_rotors);
      const Eigen::VectorXd added = (M_rotors - M).diagonal();
      for (int i = 0; i < n; ++i) CHECK(added[i] == doctest::Approx(0.25 * (i + 1)).epsilon(1e-14));
    }
  }
}

TEST_CASE("A mass matrix of more joints than lanes is filled in blocks of columns") {
  // Ten equal links in a row, each hinge beside the last one's.
  std::vector<Link> links(10);
  for (std::size_t i = 0; i < links.size(); ++i) {
    links[i].name = "link" + std::to_string(i);
    links[i].joint = "joint" + std::to_string(i);
    links[i].parent = static_cast<int>(i) - 1;
    links[i].axis = i % 2 == 0 ? Eigen::Vector3d::UnitY() : Eigen::Vector3d::UnitZ();
    links[i].p0 = {0.1, 0.02, -0.3};
  }
  const Eigen::VectorXd none = Eigen::VectorXd::Constant(10, 1e9);
  const RobotModel model("chain", "base", links, {0.0, 0.0, -9.81},
                         {-none, none, none, none, none});
  const Dynamics dynamics(model);
  Dynamics::Scratch scratch(dynamics);
  Eigen::VectorXd pi = AnyParameters(model);
  const FixedStates states = MakeFixedStates(model, 2, 11);
  const Eigen::VectorXd q = states.q.row(0), qd = states.qd.row(0), qdd = states.qdd.row(0);
  Eigen::MatrixXd M(10, 10);
  dynamics.MassMatrix(pi, q, scratch, M);
  // τ(q̈) − τ(0) = M·q̈ at any q̇.
  Eigen::VectorXd tau(10), tau_rest(10);
  dynamics.InverseDynamics(pi, q, qd, qdd, scratch, tau);
  dynamics.InverseDynamics(pi, q, qd, Eigen::VectorXd::Zero(10), scratch, tau_rest);
  CHECK((M * qdd - (tau - tau_rest)).norm() < 1e-12 * tau.norm());  // round-off
}

TEST_CASE("Forward dynamics inverts inverse dynamics") {
  for (const std::string& name : RobotNames()) {
    CAPTURE(name);
    const Robot robot = LoadRobot(name);
    const int n = robot.model.dofs();
    const Dynamics dynamics(robot.model, FrictionShape{0.05});
    Dynamics::Scratch scratch(dynamics);
    for (const ParameterSet& set : robot.sets) {
      CAPTURE(set.name);
      const FixedStates states = MakeFixedStates(robot.model, 3, 12);
      for (Eigen::Index k = 0; k < 3; ++k) {
        const Eigen::VectorXd q = states.q.row(k), qd = states.qd.row(k), qdd = states.qdd.row(k);
        Eigen::MatrixXd M(n, n);
        dynamics.MassMatrix(set.pi, q, scratch, M);
        // Published sets need not be physical; where M is not positive definite, see below.
        if (Eigen::LLT<Eigen::MatrixXd>(M).info() != Eigen::Success) continue;
        Eigen::VectorXd tau(n);
        dynamics.InverseDynamics(set.pi, q, qd, qdd, scratch, tau);
        const Eigen::VectorXd back = dynamics.ForwardDynamics(set.pi, q, qd, tau, scratch);
        // Round-off times the condition of M, up to about 1e6 for light wrists.
        CHECK((back - qdd).norm() < 1e-9 * qdd.norm());
      }
    }
  }
}

TEST_CASE("Forward dynamics refuses a mass matrix that is not positive definite") {
  const RobotModel model = Pendulum();
  const Dynamics dynamics(model);
  Dynamics::Scratch scratch(dynamics);
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(dynamics.layout().size());
  pi[10 + 6] = -0.1;  // Iyy of the bob
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(1);
  CHECK_THROWS_WITH_AS(static_cast<void>(dynamics.ForwardDynamics(pi, zero, zero, zero, scratch)),
                       "forward dynamics: the mass matrix is not positive definite here",
                       std::domain_error);
}

TEST_CASE("Single samples, batches and remainders give the same bits") {
  for (const MujocoReference& reference : AllReferences()) {
    const RobotModel& model = reference.tree.model;
    const int n = model.dofs();
    const Dynamics dynamics(model);
    Dynamics::Scratch scratch(dynamics);
    const Eigen::VectorXd pi = AnyParameters(model);
    const FixedStates all = MakeFixedStates(model, 17, 13);
    Eigen::MatrixXd single(17, n);
    for (Eigen::Index k = 0; k < 17; ++k) {
      Eigen::VectorXd tau(n);
      dynamics.InverseDynamics(pi, all.q.row(k).transpose(), all.qd.row(k).transpose(),
                               all.qdd.row(k).transpose(), scratch, tau);
      single.row(k) = tau;
    }
    Eigen::MatrixXd all_wrenches(17, 6);
    dynamics.BaseWrench(pi, all.samples(), scratch, all_wrenches);
    for (Eigen::Index count = 1; count <= 17; ++count) {
      CAPTURE(count);
      const FixedStates some{all.q.topRows(count), all.qd.topRows(count), all.qdd.topRows(count)};
      Eigen::MatrixXd tau(count, n), wrench(count, 6);
      dynamics.InverseDynamics(pi, some.samples(), scratch, tau);
      CHECK(tau == single.topRows(count));
      dynamics.BaseWrench(pi, some.samples(), scratch, wrench);
      CHECK(wrench == all_wrenches.topRows(count));
    }
    // Matrices with unequal strides are copied first.
    Eigen::MatrixXd tall = Eigen::MatrixXd::Zero(30, n);
    tall.topRows(17) = all.q;
    Eigen::MatrixXd tau(17, n);
    dynamics.InverseDynamics(pi, {tall.topRows(17), all.qd, all.qdd}, scratch, tau);
    CHECK(tau == single);
  }
}

TEST_CASE("Torques, regressors and mass matrices allocate nothing") {
  const Robot robot = LoadRobot("barrett_wam7");
  const int n = robot.model.dofs();
  const Dynamics dynamics(robot.model, FrictionShape{0.05});
  Dynamics::Scratch scratch(dynamics);
  const Eigen::VectorXd& pi = robot.FindSet("")->pi;
  const FixedStates states = MakeFixedStates(robot.model, 11, 14);
  const Eigen::VectorXd q = states.q.row(0), qd = states.qd.row(0), qdd = states.qdd.row(0);
  Eigen::VectorXd tau(n);
  Eigen::MatrixXd taus(11, n), wrenches(11, 6), M(n, n);
  Eigen::MatrixXd Y(n, kInertialCount * n), Y_wrench(6, kInertialCount * (n + 1));
  const StateSamples samples = states.samples();
  const auto allocations = [](const auto& call) {
    const long before = allocation_count;
    call();
    return allocation_count - before;
  };
  // The counter counts. A copy that nothing uses might be optimised away, and its allocation too.
  Eigen::VectorXd copy;
  REQUIRE(allocations([&] { copy = q; }) == 1);
  CHECK(allocations([&] { dynamics.InverseDynamics(pi, copy, qd, qdd, scratch, tau); }) == 0);
  CHECK(allocations([&] { dynamics.InverseDynamics(pi, samples, scratch, taus); }) == 0);
  CHECK(allocations([&] { dynamics.BaseWrench(pi, samples, scratch, wrenches); }) == 0);
  CHECK(allocations([&] { dynamics.TorqueRegressor(q, qd, qdd, scratch, Y); }) == 0);
  CHECK(allocations([&] { dynamics.WrenchRegressor(q, qd, qdd, scratch, Y_wrench); }) == 0);
  CHECK(allocations([&] { dynamics.MassMatrix(pi, q, scratch, M); }) == 0);

  const std::vector<PlacedEquation> equations = {Equation::kTorque, Equation::kWrench};
  const RowRegressor rows(
      dynamics, equations,
      ConsideredParameters(robot.model, equations,
                           {JointParameter::kCoulomb, JointParameter::kRotorInertia}));
  Eigen::MatrixXd W(rows.row_count(), rows.column_count());
  CHECK(allocations([&] { rows.Single(q, qd, qdd, scratch, W); }) == 0);
}

}  // namespace
}  // namespace idbench
