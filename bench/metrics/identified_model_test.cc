#include "bench/metrics/identified_model.h"

#include <doctest/doctest.h>

#include "robots/robot.h"
#include "scenarios/problem/problem_builder.h"

namespace idbench {
namespace {

Problem ProblemOf(const Robot& robot, const char* type) {
  ProblemOptions options;
  options.parametrisation.type = type;
  options.prior.emplace();
  return BuildProblem(robot, options, "test");
}

Estimate EstimateOf(const Problem& problem, const Eigen::VectorXd& x) {
  Estimate estimate;
  estimate.x = x;
  estimate.pi = problem.parameters.Pi(x);
  return estimate;
}

TEST_CASE("The parameters of a planar Lagrangian predict as the standard ones of that robot") {
  const Robot robot = LoadRobot("biped3");
  const Eigen::VectorXd& pi = robot.FindSet("")->pi;
  const Problem standard = ProblemOf(robot, "standard"),
                lagrangian = ProblemOf(robot, "planar_lagrangian");
  IdentifiedModel by_pi(standard), by_beta(lagrangian);
  const Estimate a = EstimateOf(standard, standard.parameters.FromPi(pi));
  const Estimate b = EstimateOf(lagrangian, lagrangian.parameters.FromPi(pi));
  CHECK(by_beta.Of(b) == by_beta.OfRobot(pi));
  CHECK(by_beta.OfUnknowns(b.x) == b.x);
  CHECK(by_pi.Of(a) == by_pi.OfUnknowns(a.x));
  const FixedStates states = MakeFixedStates(robot.model, 20, 1);
  Eigen::MatrixXd tau_a(20, 3), tau_b(20, 3);
  by_pi.Torque(by_pi.Of(a), states.samples(), tau_a);
  by_beta.Torque(by_beta.Of(b), states.samples(), tau_b);
  CHECK((tau_a - tau_b).norm() < 1e-12 * tau_a.norm());  // two orders of summation
  Eigen::MatrixXd M_a(3, 3), M_b(3, 3);
  Eigen::VectorXd qdd_a(3), qdd_b(3);
  for (Eigen::Index k = 0; k < 20; ++k) {
    const Eigen::VectorXd q = states.q.row(k), qd = states.qd.row(k), tau = tau_a.row(k);
    by_pi.MassMatrix(by_pi.Of(a), q, M_a);
    by_beta.MassMatrix(by_beta.Of(b), q, M_b);
    CHECK((M_a - M_b).norm() < 1e-12 * M_a.norm());
    REQUIRE(by_pi.ForwardDynamics(by_pi.Of(a), q, qd, tau, qdd_a));
    REQUIRE(by_beta.ForwardDynamics(by_beta.Of(b), q, qd, tau, qdd_b));
    // The torques' rounding, times the condition of the mass matrix, about 1e3.
    CHECK((qdd_a - states.qdd.row(k).transpose()).norm() < 1e-10 * states.qdd.row(k).norm());
    CHECK((qdd_b - qdd_a).norm() < 1e-10 * qdd_a.norm());
  }
}

TEST_CASE("There is no acceleration where a mass matrix is not positive definite") {
  const Robot robot = LoadRobot("biped3");
  for (const char* type : {"standard", "planar_lagrangian"}) {
    const Problem problem = ProblemOf(robot, type);
    IdentifiedModel model(problem);
    const Eigen::VectorXd p = -model.OfRobot(robot.FindSet("")->pi);
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(3);
    Eigen::VectorXd qdd = Eigen::VectorXd::Ones(3);
    CHECK_FALSE(model.ForwardDynamics(p, zero, zero, zero, qdd));
    CHECK(qdd == Eigen::VectorXd::Ones(3));
  }
}

}  // namespace
}  // namespace idbench
