#include "robots/physical_inertia.h"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <string>

#include "robots/dynamics/parameters/pseudo_inertia.h"
#include "robots/robot.h"

namespace idbench {
namespace {

CentralInertia Diagonal(double mass, double a, double b, double c) {
  return {mass, Eigen::Vector3d(0.1, -0.2, 0.3), Eigen::Vector3d(a, b, c).asDiagonal()};
}

std::string Why(const CentralInertia& inertia) { return WhyUnphysical(inertia).value_or("fine"); }

TEST_CASE("What no body can have is told with its reason") {
  CHECK(Why(Diagonal(1.0, 1.0, 1.0, 1.9)) == "fine");
  CHECK(Why(Diagonal(0.0, 0.0, 0.0, 0.0)) == "no mass");
  CHECK(Why(Diagonal(0.0, 1.0, 1.0, 1.0)) == "mass 0 kg");
  CHECK(Why(Diagonal(-2.5, 1.0, 1.0, 1.0)) == "mass -2.5 kg");
  CHECK(Why(Diagonal(1.0, 0.0, 0.0, 0.0)) == "a point: mass, but no moments of inertia");
  CHECK(Why(Diagonal(1.0, 1.0, -0.5, 1.0)) ==
        "not positive definite: principal moments -0.5, 1, 1 kg·m²");
  CHECK(Why(Diagonal(1.0, 1.0, 2.0, 1.0)) ==
        "a rod or a plate without thickness: principal moments 1, 1, 2 kg·m²");
  CHECK(Why(Diagonal(1.0, 0.3, 2.0, 1.0)) ==
        "triangle inequality: principal moments 0.3, 1, 2 kg·m²");
}

TEST_CASE("What is physical stays, to the bit") {
  const CentralInertia inertia = Diagonal(1.0, 1.0, 1.5, 1.2);
  const CentralInertia same = MadePhysical(inertia, 5.0);
  CHECK(same.mass == 1.0);
  CHECK(same.I_com == inertia.I_com);
}

TEST_CASE("A negative second moment is raised to a millimetre's, the others stay") {
  // Principal moments 1, 1, 3: second moments (1.5, 1.5, −0.5), about axes that are turned.
  const Eigen::Matrix3d R(Eigen::AngleAxisd(0.7, Eigen::Vector3d(1.0, 2.0, -1.0).normalized()));
  CentralInertia inertia = Diagonal(2e6, 1.0, 1.0, 3.0);
  inertia.I_com = R * inertia.I_com * R.transpose();
  const CentralInertia physical = MadePhysical(inertia, 5.0);
  CHECK(physical.mass == inertia.mass);
  CHECK(physical.com == inertia.com);
  const double least = 2e6 * 1e-6;  // m·(1 mm)² = 2 kg·m²: all three are raised
  CHECK((physical.I_com - 2.0 * least * Eigen::Matrix3d::Identity()).norm() < 1e-14);

  inertia.mass = 1.0;
  const CentralInertia lighter = MadePhysical(inertia, 0.5);
  // Here 1e-6 of the trace, 3e-6, counts: 2nd moments (1.5, 1.5, 3e-6), moments (a, a, 3).
  const Eigen::Matrix3d expected =
      R * Eigen::Vector3d(1.5 + 3e-6, 1.5 + 3e-6, 3.0).asDiagonal() * R.transpose();
  CHECK((lighter.I_com - expected).norm() < 1e-14);
  CHECK_FALSE(WhyUnphysical(lighter));
}

TEST_CASE("A mass that is missing becomes the least mass, spread by a millimetre") {
  const CentralInertia physical = MadePhysical(CentralInertia{}, 0.02);
  CHECK(physical.mass == 0.02);
  CHECK(
      physical.I_com.isApprox(Eigen::Matrix3d(2.0 * 0.02e-6 * Eigen::Matrix3d::Identity()), 1e-15));
  CHECK_FALSE(WhyUnphysical(physical));
}

TEST_CASE("Of a robot the links that are not physical are changed and named, no others") {
  const Robot robot = LoadRobot("planar3");
  const ParameterLayout layout(3);
  const Eigen::VectorXd good = robot.FindSet("")->pi;
  CHECK(MakePhysical(robot.model, good).pi == good);
  CHECK(MakePhysical(robot.model, good).changed.empty());

  Eigen::VectorXd bad = good;
  bad[layout.Body(1)] = -1.0;
  bad.segment<kInertialCount>(layout.Body(2)).setZero();
  bad.segment<kInertialCount>(layout.Body(-1)).setZero();  // the ground needs none
  const PhysicalParameters physical = MakePhysical(robot.model, bad);
  CHECK(physical.changed == std::vector<std::string>{"link2", "link3"});
  CHECK(physical.pi.head(layout.Body(1)) == bad.head(layout.Body(1)));
  CHECK(physical.pi[layout.Body(2)] == 1e-6 * good[layout.Body(0)]);  // of the heaviest link
  CHECK(MakePhysical(robot.model, physical.pi).changed.empty());
  for (int body = 0; body < 3; ++body) {
    CHECK(PhysicalConsistency(physical.pi.segment<kInertialCount>(layout.Body(body))) ==
          Consistency::kConsistent);
  }
}

}  // namespace
}  // namespace idbench
