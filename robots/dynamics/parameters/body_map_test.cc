#include "robots/dynamics/parameters/body_map.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <cmath>

namespace idbench {
namespace {

Eigen::Matrix3d SomeAxes() {
  return Eigen::AngleAxisd(0.7, Eigen::Vector3d(1.0, -2.0, 0.5).normalized()).toRotationMatrix();
}

/// A body of 2.5 kg off its frame's origin.
CentralInertia SomeBody() {
  CentralInertia body;
  body.mass = 2.5;
  body.com = {0.1, -0.2, 0.3};
  body.I_com = SomeAxes() * Eigen::Vector3d(0.04, 0.05, 0.06).asDiagonal() * SomeAxes().transpose();
  return body;
}

/// ∂π/∂x against central differences.
template <class Map>
void CheckJacobian(const Map& map, const typename Map::Unknowns& x) {
  const auto J = map.Jacobian(x);
  for (int k = 0; k < Map::kSize; ++k) {
    constexpr double kStep = 1e-5;
    const typename Map::Unknowns step = kStep * Map::Unknowns::Unit(k);
    const InertialParameters difference = (map.Pi(x + step) - map.Pi(x - step)) / (2.0 * kStep);
    // Third derivatives times step²/6, and round-off over the step.
    CHECK((J.col(k) - difference).norm() < 1e-8 * (1.0 + difference.norm()));
  }
}

TEST_CASE("Mass, first moments and principal moments are those of the body they stand for") {
  const CentralInertia body = SomeBody();
  FirstMomentsMap::Unknowns x;
  x << body.mass, body.mass * body.com, 0.04, 0.05, 0.06;
  const FirstMomentsMap map{SomeAxes()};
  CHECK((map.Pi(x) - ToStandard(body)).norm() < 1e-15);
  CHECK((map.FromPi(ToStandard(body)) - x).norm() < 1e-15);
  CheckJacobian(map, x);
}

TEST_CASE("Log-Cholesky is the factor of the pseudo-inertia, there and back") {
  const InertialParameters pi = ToStandard(SomeBody());
  const LogCholeskyMap map;
  const LogCholeskyMap::Unknowns x = map.FromPi(pi);
  CHECK(std::exp(2.0 * x[0]) == doctest::Approx(2.5).epsilon(1e-15));
  CHECK((x.tail<3>() - SomeBody().com).norm() < 1e-15);
  // Round-off, a few times over in the Schur complements.
  CHECK((map.Pi(x) - pi).norm() < 1e-14 * pi.norm());
  CheckJacobian(map, x);
}

TEST_CASE(
    "Whatever the ten numbers, log-Cholesky gives a body that can exist, and they come back") {
  const LogCholeskyMap map;
  for (int trial = 0; trial < 50; ++trial) {
    LogCholeskyMap::Unknowns x;
    for (int k = 0; k < x.size(); ++k) x[k] = std::sin(1.0 + 3.7 * k + 1.3 * trial);
    const InertialParameters pi = map.Pi(x);
    CHECK(PhysicalConsistency(pi) == Consistency::kConsistent);
    // Round-off times the condition of the second moments, below e⁴.
    CHECK((map.FromPi(pi) - x).norm() < 1e-12 * x.norm());
    CheckJacobian(map, x);
  }
}

TEST_CASE("What has no log-Cholesky gives numbers that are not finite") {
  const LogCholeskyMap map;
  CentralInertia body = SomeBody();
  body.I_com(0, 0) *= 10.0;
  CHECK_FALSE(map.FromPi(ToStandard(body)).allFinite());
  CHECK_FALSE(map.FromPi(InertialParameters::Zero()).allFinite());
}

TEST_CASE("Names of a mapped body's unknowns have units") {
  CHECK(FirstMomentsMap::kNames[6] == "J3");
  CHECK(FirstMomentsMap::kUnits[6] == "kg·m²");
  CHECK(LogCholeskyMap::kNames[9] == "t3");
  CHECK(LogCholeskyMap::kUnits[9] == "m");
}

}  // namespace
}  // namespace idbench
