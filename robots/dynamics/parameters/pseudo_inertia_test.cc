#include "robots/dynamics/parameters/pseudo_inertia.h"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>
#include <limits>
#include <string>
#include <vector>

#include "robots/robot.h"

namespace idbench {
namespace {

InertialParameters MakeBody(double mass, const Eigen::Vector3d& com,
                            const Eigen::Vector3d& moments) {
  CentralInertia body;
  body.mass = mass;
  body.com = com;
  body.I_com = moments.asDiagonal();
  return ToStandard(body);
}

const Eigen::Vector3d kBeside(0.3, -0.2, 0.1);

TEST_CASE("The pseudo-inertia sums ρ·(r, 1)(r, 1)ᵀ over the points of a body") {
  // Four points of mass; of each h = m r and I = m (|r|²·1 − r rᵀ).
  const std::vector<std::pair<double, Eigen::Vector3d>> points = {{1.0, {0.1, 0.2, 0.3}},
                                                                  {2.0, {-0.3, 0.1, 0.0}},
                                                                  {0.5, {0.0, -0.4, 0.2}},
                                                                  {0.7, {0.5, 0.0, -0.1}}};
  InertialParameters parameters = InertialParameters::Zero();
  Eigen::Matrix4d expected = Eigen::Matrix4d::Zero();
  for (const auto& [mass, r] : points) {
    parameters += MakeBody(mass, r, Eigen::Vector3d::Zero());
    const Eigen::Vector4d homogeneous = r.homogeneous();
    expected += mass * homogeneous * homogeneous.transpose();
  }
  CHECK((PseudoInertia(parameters) - expected).norm() < 1e-15);  // round-off
  CHECK((FromPseudoInertia(expected) - parameters).norm() < 1e-15);
}

TEST_CASE("Pseudo-inertia and standard parameters are one linear map apart, for any numbers") {
  InertialParameters parameters;
  parameters << 1.0, -2.0, 3.0, -4.0, 5.0, -6.0, 7.0, -8.0, 9.0, -10.0;
  CHECK((FromPseudoInertia(PseudoInertia(parameters)) - parameters).norm() < 1e-14);  // round-off
}

TEST_CASE("A solid body is consistent wherever its frame stands") {
  CHECK(PhysicalConsistency(MakeBody(2.0, {0.0, 0.0, 0.0}, {0.2, 0.3, 0.4})) ==
        Consistency::kConsistent);
  CHECK(PhysicalConsistency(MakeBody(2.0, kBeside, {0.2, 0.3, 0.4})) == Consistency::kConsistent);
}

TEST_CASE("A rod, a plate, a point and nothing at all are degenerate") {
  CHECK(PhysicalConsistency(MakeBody(2.0, kBeside, {0.3, 0.3, 0.0})) == Consistency::kDegenerate);
  CHECK(PhysicalConsistency(MakeBody(2.0, kBeside, {0.1, 0.2, 0.3})) == Consistency::kDegenerate);
  CHECK(PhysicalConsistency(MakeBody(2.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0})) ==
        Consistency::kDegenerate);
  CHECK(PhysicalConsistency(InertialParameters::Zero()) == Consistency::kDegenerate);
}

TEST_CASE("No body has a negative mass, moments without mass, or moments that break the triangle") {
  CHECK(PhysicalConsistency(MakeBody(2.0, kBeside, {0.1, 0.2, 0.31})) ==
        Consistency::kInconsistent);
  CHECK(PhysicalConsistency(MakeBody(2.0, kBeside, {-0.1, 0.2, 0.2})) ==
        Consistency::kInconsistent);
  CHECK(PhysicalConsistency(MakeBody(2.0, kBeside, {-0.1, -0.1, -0.1})) ==
        Consistency::kInconsistent);
  CHECK(PhysicalConsistency(MakeBody(-1e-9, kBeside, {0.1, 0.2, 0.2})) ==
        Consistency::kInconsistent);
  CHECK(PhysicalConsistency(MakeBody(0.0, kBeside, {0.1, 0.2, 0.2})) == Consistency::kInconsistent);
  InertialParameters first_moment_alone = InertialParameters::Zero();
  first_moment_alone[1] = 0.1;
  CHECK(PhysicalConsistency(first_moment_alone) == Consistency::kInconsistent);
  InertialParameters not_finite = MakeBody(2.0, kBeside, {0.2, 0.3, 0.4});
  not_finite[5] = std::numeric_limits<double>::quiet_NaN();
  CHECK(PhysicalConsistency(not_finite) == Consistency::kInconsistent);
}

TEST_CASE(
    "One principal moment that is 20 % off leaves the WAM's links 3, 4 and 7 without a body") {
  const Robot robot = LoadRobot("barrett_wam7");
  const ParameterLayout layout(robot.model.dofs());
  std::vector<std::string> broken;
  for (int i = 0; i < robot.model.dofs(); ++i) {
    const InertialParameters written =
        robot.FindSet("ac02")->pi.segment<kInertialCount>(layout.Body(i));
    CHECK(PhysicalConsistency(written) == Consistency::kConsistent);
    const CentralInertia body = FromStandard(written);
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(body.I_com);
    Eigen::Vector3d moments = principal.eigenvalues();
    moments[2] *= 1.2;  // the greatest
    CentralInertia off = body;
    off.I_com =
        principal.eigenvectors() * moments.asDiagonal() * principal.eigenvectors().transpose();
    if (PhysicalConsistency(ToStandard(off)) == Consistency::kInconsistent) {
      broken.push_back(robot.model.link(i).name);
    }
  }
  CHECK(broken == std::vector<std::string>{"link3", "link4", "link7"});
}

TEST_CASE("Projection makes any body consistent and leaves a consistent one alone") {
  const InertialParameters good = MakeBody(2.0, kBeside, {0.2, 0.3, 0.4});
  CHECK((ProjectToConsistent(good) - good).norm() < 1e-14);  // round-off

  std::vector<InertialParameters> bad = {
      MakeBody(2.0, kBeside, {0.1, 0.2, 0.5}), MakeBody(2.0, kBeside, {-0.1, 0.2, 0.2}),
      MakeBody(-1.0, kBeside, {0.1, 0.2, 0.2}), MakeBody(2.0, kBeside, {0.3, 0.3, 0.0}),
      MakeBody(2.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0})};
  bad.emplace_back(InertialParameters::Zero());
  bad.back()[1] = 0.1;
  for (const InertialParameters& parameters : bad) {
    CHECK(PhysicalConsistency(ProjectToConsistent(parameters)) == Consistency::kConsistent);
  }
}

TEST_CASE("Projection is the nearest: it cuts off the negative eigenvalues") {
  const InertialParameters parameters = MakeBody(2.0, kBeside, {0.1, 0.2, 0.5});
  const Eigen::Matrix4d J = PseudoInertia(parameters);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> eigen(J);
  REQUIRE(eigen.eigenvalues()[0] < 0.0);
  REQUIRE(eigen.eigenvalues()[1] > 0.0);
  const double moved = (PseudoInertia(ProjectToConsistent(parameters)) - J).norm();
  // The floor of 1e-8 tr J is all that it goes beyond the boundary.
  CHECK(moved == doctest::Approx(-eigen.eigenvalues()[0]).epsilon(1e-5));
}

}  // namespace
}  // namespace idbench
