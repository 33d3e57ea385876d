#include "robots/dynamics/parameters/parametrisation.h"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "robots/dynamics/equations_test.h"
#include "robots/robot.h"

namespace idbench {
namespace {

const std::vector<JointParameter> kFrictionAndRotor = {
    JointParameter::kViscous, JointParameter::kCoulomb, JointParameter::kRotorInertia};

/// Torques of π on fixed states.
Eigen::MatrixXd Torques(const RobotModel& model, const Eigen::VectorXd& pi) {
  const Dynamics dynamics(model);
  Dynamics::Scratch scratch(dynamics);
  const FixedStates states = MakeFixedStates(model, 20, 51);
  Eigen::MatrixXd tau(20, model.dofs());
  dynamics.InverseDynamics(pi, states.samples(), scratch, tau);
  return tau;
}

void CheckIsAffine(const Parametrisation& p) {
  Eigen::VectorXd x(p.size());
  for (Eigen::Index k = 0; k < x.size(); ++k) x[k] = std::sin(0.5 + 1.9 * static_cast<double>(k));
  const Eigen::VectorXd pi = p.Pi(x);
  REQUIRE(pi.size() == p.pi_size());
  CHECK((p.FromPi(pi) - x).norm() < 1e-13 * x.norm());  // round-off
  REQUIRE(p.affine() != nullptr);
  CHECK((p.affine()->pi0 + p.affine()->A * x - pi).norm() < 1e-14 * pi.norm());
  CHECK(p.Jacobian(x) == p.affine()->A);
  CHECK(p.lower == Eigen::VectorXd::Constant(p.size(), -std::numeric_limits<double>::infinity()));
  CHECK(p.upper == Eigen::VectorXd::Constant(p.size(), std::numeric_limits<double>::infinity()));
  CHECK_FALSE(p.prior.has_value());
  CHECK(p.units.size() == p.names.size());
}

TEST_CASE("Standard: x are the considered parameters, all others are zero") {
  const Robot robot = LoadRobot("planar2");
  const std::vector<int> considered = ConsideredParameters(robot.model, kTorque, kFrictionAndRotor);
  const Parametrisation p = StandardParametrisation(robot.model, considered);
  CheckIsAffine(p);
  CHECK(p.type() == "standard");
  CHECK_FALSE(p.representative);
  CHECK(p.expressions.empty());
  REQUIRE(p.size() == 26);
  CHECK(p.names[0] == "link1.m");
  CHECK(p.units[1] == "kg·m");
  CHECK(p.names[25] == "joint2.ia");
  const Eigen::VectorXd& pi = robot.FindSet("")->pi;
  const Eigen::VectorXd back = p.Pi(p.FromPi(pi));
  CHECK(back.head(10).isZero(0.0));  // the base is not considered
  CHECK(back.tail(pi.size() - 10) == pi.tail(pi.size() - 10));
}

TEST_CASE("Base: lifting to π and back changes nothing, and predicts what any π of its kind does") {
  for (const char* name : {"planar3", "puma560", "barrett_wam7", "kuka_lwr4"}) {
    CAPTURE(name);
    const Robot robot = LoadRobot(name);
    const BaseParameters base = FindBaseParameters(
        robot.model, kTorque, ConsideredParameters(robot.model, kTorque, kFrictionAndRotor));
    const Parametrisation p = BaseParametrisation(robot.model, base);
    CheckIsAffine(p);
    CHECK(p.type() == "base");
    CHECK(p.representative);
    CHECK(p.names == base.names);
    CHECK(p.expressions == base.expressions);
    for (const ParameterSet& set : robot.sets) {
      CAPTURE(set.name);
      Eigen::VectorXd pi = set.pi;
      for (int i = 0; i < robot.model.dofs(); ++i) {
        pi[ParameterLayout(robot.model.dofs()).Joint(i, JointParameter::kOffset)] = 0.0;
      }
      const Eigen::MatrixXd tau = Torques(robot.model, pi);
      const Eigen::MatrixXd lifted = Torques(robot.model, p.Pi(p.FromPi(pi)));
      // B carries the round-off of a QR decomposition, condition of a few hundred.
      CHECK((lifted - tau).norm() < 1e-11 * tau.norm());
    }
  }
}

TEST_CASE("Masses and moments are exact where centres and principal axes are those of the truth") {
  const Robot robot = LoadRobot("barrett_wam7");
  const std::vector<int> considered = ConsideredParameters(robot.model, kTorque, kFrictionAndRotor);
  const Eigen::VectorXd& truth = robot.FindSet("ac02_friction_sousa2014")->pi;
  // What is known: the same centres and axes, but other masses and moments.
  const ParameterLayout layout(robot.model.dofs());
  Eigen::VectorXd known = truth;
  for (int i = 0; i < robot.model.dofs(); ++i) {
    CentralInertia body = FromStandard(truth.segment<kInertialCount>(layout.Body(i)));
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(body.I_com);
    body.mass *= 1.3;
    body.I_com = principal.eigenvectors() *
                 Eigen::Vector3d(0.9, 1.1, 1.2).cwiseProduct(principal.eigenvalues()).asDiagonal() *
                 principal.eigenvectors().transpose();
    known.segment<kInertialCount>(layout.Body(i)) = ToStandard(body);
  }
  const Parametrisation p = MassesAndMoments(robot.model, considered, known);
  CheckIsAffine(p);
  CHECK(p.type() == "masses_and_moments");
  CHECK_FALSE(p.representative);
  REQUIRE(p.size() == 4 * 7 + 3 * 7);
  CHECK(p.names[0] == "link1.m");
  CHECK(p.names[1] == "link1.J1");
  CHECK(p.names[3] == "link1.J3");
  CHECK(p.units[0] == "kg");
  CHECK(p.units[3] == "kg·m²");
  CHECK(p.names[28] == "joint1.fv");

  const Eigen::VectorXd x = p.FromPi(truth);
  for (int i = 0; i < 7; ++i) {
    const CentralInertia body = FromStandard(truth.segment<kInertialCount>(layout.Body(i)));
    CHECK(x[4 * i] == body.mass);
    const Eigen::Vector3d moments =
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(body.I_com).eigenvalues();
    CHECK((x.segment<3>(4 * i + 1) - moments).norm() < 1e-9 * moments.norm());
    // What remains is round-off of moving inertias by up to 0.4 m and of the axes' directions.
    CHECK((p.Pi(x) - truth).segment<kInertialCount>(layout.Body(i)).norm() < 1e-13 * truth.norm());
  }
  Eigen::VectorXd joints = truth.tail(28);
  for (int i = 0; i < 7; ++i) joints[4 * i + 2] = 0.0;  // offsets are not considered
  CHECK(p.Pi(x).tail(28) == joints);
}

TEST_CASE("Masses and moments of a body by hand: h = m·c, I = R·diag(J)·Rᵀ + m(|c|²·1 − c·cᵀ)") {
  const RobotModel model = LoadRobot("planar1").model;
  const ParameterLayout layout(1);
  const Eigen::Matrix3d R =
      Eigen::AngleAxisd(0.5, Eigen::Vector3d(1.0, 2.0, 3.0).normalized()).toRotationMatrix();
  CentralInertia body;
  body.mass = 1.0;
  body.com = {0.1, 0.2, -0.3};
  body.I_com = R * Eigen::Vector3d(0.1, 0.2, 0.25).asDiagonal() * R.transpose();
  Eigen::VectorXd known = Eigen::VectorXd::Zero(layout.size());
  known.segment<kInertialCount>(layout.Body(0)) = ToStandard(body);
  const Parametrisation p =
      MassesAndMoments(model, ConsideredParameters(model, kTorque, {}), known);
  REQUIRE(p.size() == 4);
  body.mass = 2.5;
  body.I_com = R * Eigen::Vector3d(0.4, 0.5, 0.6).asDiagonal() * R.transpose();
  const Eigen::VectorXd pi = p.Pi(Eigen::Vector4d(2.5, 0.4, 0.5, 0.6));
  CHECK((pi.segment<kInertialCount>(layout.Body(0)) - ToStandard(body)).norm() < 1e-14);
}

TEST_CASE("Masses and moments refuse a body without a known centre, and half a body") {
  const Robot robot = LoadRobot("planar2");
  const ParameterLayout layout(2);
  std::vector<int> considered = ConsideredParameters(robot.model, kTorque, {});
  Eigen::VectorXd known = robot.FindSet("")->pi;
  known[layout.Body(1)] = 0.0;
  CHECK_THROWS_WITH_AS(
      static_cast<void>(MassesAndMoments(robot.model, considered, known)),
      "masses_and_moments: link2.m is not positive in the known set, so its centre of mass is not "
      "known; use the parametrisation 'standard' or 'base'",
      std::invalid_argument);
  considered.erase(considered.begin() + 3);  // link1.mcz
  CHECK_THROWS_WITH_AS(
      static_cast<void>(MassesAndMoments(robot.model, considered, robot.FindSet("")->pi)),
      "masses_and_moments: of a body all ten parameters must be considered, or none; link1 has 9",
      std::invalid_argument);
}

/// The WAM with friction and rotors; its set, which has neither, is what is known.
struct MappedFixture {
  MappedFixture() : robot(LoadRobot("barrett_wam7")), known(robot.FindSet("")->pi) {
    considered = ConsideredParameters(robot.model, kTorque, kFrictionAndRotor);
  }
  Robot robot;
  Eigen::VectorXd known;
  std::vector<int> considered;
};

/// Near the unknowns of the known set, but for the friction that it has not.
Eigen::VectorXd Somewhere(const Parametrisation& p, const Eigen::VectorXd& known) {
  Eigen::VectorXd x = p.FromPi(known);
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    x[k] *= 1.0 + 0.2 * std::sin(1.0 + 2.3 * static_cast<double>(k));
    if (x[k] == 0.0) x[k] = 1e-3;
  }
  return x;
}

void CheckIsMapped(const Parametrisation& p, const Eigen::VectorXd& x) {
  CHECK(p.affine() == nullptr);
  const Eigen::VectorXd pi = p.Pi(x);
  REQUIRE(pi.size() == p.pi_size());
  CHECK((p.FromPi(pi) - x).norm() < 1e-12 * x.norm());  // round-off of 7 Cholesky factors
  const Eigen::MatrixXd J = p.Jacobian(x);
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    const double h = 1e-5;
    const Eigen::VectorXd step = h * Eigen::VectorXd::Unit(x.size(), k);
    const Eigen::VectorXd difference = (p.Pi(x + step) - p.Pi(x - step)) / (2.0 * h);
    // Third derivatives over m ≥ 0.05 kg times h²/6, round-off of π over h.
    CHECK((J.col(k) - difference).norm() < 1e-7 * (1.0 + difference.norm()));
  }
  Linearisation at = p.MakeLinearisation();
  for (int again = 0; again < 2; ++again) {
    p.Linearise(x, at);
    CHECK(at.pi == pi);
    CHECK(Eigen::MatrixXd(at.J) == J);
  }
  for (const int k : p.UsedPi()) CHECK(J.row(k).cwiseAbs().maxCoeff() > 0.0);
  CHECK(p.units.size() == p.names.size());
}

TEST_CASE("Masses, moments and first moments: seven of each link, then the joints") {
  const MappedFixture f;
  const Parametrisation p = MassesMomentsAndFirstMoments(f.robot.model, f.considered, f.known);
  CHECK(p.type() == "masses_moments_first_moments");
  CHECK_FALSE(p.representative);
  REQUIRE(p.size() == 7 * 7 + 3 * 7);
  CHECK(p.names[0] == "link1.m");
  CHECK(p.names[8] == "link2.mcx");
  CHECK(p.units[8] == "kg·m");
  CHECK(p.names[13] == "link2.J3");
  CHECK(p.names[49] == "joint1.fv");
  CheckIsMapped(p, Somewhere(p, f.known));
  // Axes are those of the known set, so nothing of it is lost.
  CHECK((p.Pi(p.FromPi(f.known)) - f.known).tail(98).norm() < 1e-14 * f.known.norm());
  CHECK(p.UsedPi() == f.considered);
}

TEST_CASE("Log-Cholesky: ten of each link, then the joints; no link is lost") {
  const MappedFixture f;
  const Parametrisation p = LogCholesky(f.robot.model, f.considered, f.known);
  CHECK(p.type() == "log_cholesky");
  REQUIRE(p.size() == 10 * 7 + 3 * 7);
  CHECK(p.names[0] == "link1.alpha");
  CHECK(p.names[19] == "link2.t3");
  CHECK(p.names[70] == "joint1.fv");
  CheckIsMapped(p, Somewhere(p, f.known));
  CHECK((p.Pi(p.FromPi(f.known)) - f.known).tail(98).norm() < 1e-13 * f.known.norm());
}

TEST_CASE("Mapped parametrisations refuse by name a body that they cannot know") {
  MappedFixture f;
  const ParameterLayout layout(7);
  f.known[layout.Body(2) + 6] *= 3.0;  // Iyy beyond the sum of the other moments
  CHECK_THROWS_WITH_AS(
      static_cast<void>(LogCholesky(f.robot.model, f.considered, f.known)),
      "log_cholesky: link3 is not physically consistent in the known set, so it has no logarithm; "
      "use the parametrisation 'standard' or 'base'",
      std::invalid_argument);
  f.known[layout.Body(1)] = 0.0;
  CHECK_THROWS_WITH_AS(
      static_cast<void>(MassesMomentsAndFirstMoments(f.robot.model, f.considered, f.known)),
      "masses_moments_first_moments: link2.m is not positive in the known set, so its centre of "
      "mass is not known; use the parametrisation 'standard' or 'base'",
      std::invalid_argument);
  f.considered.erase(f.considered.begin() + 3);  // link1.mcz
  CHECK_THROWS_WITH_AS(static_cast<void>(LogCholesky(f.robot.model, f.considered, f.known)),
                       "log_cholesky: of a body all ten parameters must be considered, or none; "
                       "link1 has 9",
                       std::invalid_argument);
}

TEST_CASE("A parametrisation whose sizes contradict each other is refused") {
  const AffineMap map{Eigen::VectorXd::Zero(3), Eigen::MatrixXd::Zero(3, 2)};
  CHECK_THROWS_WITH_AS(Parametrisation("mine", map, Eigen::MatrixXd::Zero(2, 3), {"a"}, {"kg"}),
                       "Parametrisation mine: sizes contradict each other", std::invalid_argument);
}

}  // namespace
}  // namespace idbench
