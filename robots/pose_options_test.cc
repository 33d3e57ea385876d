#include "robots/pose_options.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <numbers>

namespace idbench {
namespace {

std::string TextOfFirst(const std::vector<Issue>& issues) {
  if (issues.size() != 1) return std::to_string(issues.size()) + " issues";
  std::string text = issues[0].where + ": " + issues[0].what;
  for (const std::string& detail : issues[0].details) text += "; " + detail;
  return text;
}

TEST_CASE("Roll, pitch and yaw turn about fixed axes, in this order") {
  const double quarter = std::numbers::pi / 2;
  // x to y by the yaw after y to z by the roll.
  const Eigen::Matrix3d R = RotationOfRpy({quarter, 0.0, quarter});
  CHECK((R.col(0) - Eigen::Vector3d::UnitY()).norm() < 1e-15);
  CHECK((R.col(1) - Eigen::Vector3d::UnitZ()).norm() < 1e-15);
  for (const std::vector<double>& rpy :
       {std::vector<double>{0.3, -0.8, 2.5}, {-2.9, 1.4, -0.2}, {0.7, quarter, 0.0}}) {
    const Eigen::Matrix3d turned = RotationOfRpy(rpy);
    CHECK((RotationOfRpy(RpyOfRotation(turned)) - turned).norm() < 1e-14);
  }
}

TEST_CASE("An inertia has three or six entries, of a body that can exist") {
  const Eigen::Matrix3d I = InertiaOfEntries({1.0, 2.0, 2.5, 0.1, 0.2, 0.3});
  CHECK(I(0, 1) == 0.1);
  CHECK(I(2, 0) == 0.2);
  CHECK(I(1, 2) == 0.3);
  CHECK(InertiaOfEntries({1.0, 2.0, 2.5}).isDiagonal(0.0));
  const auto issue = [](const std::vector<double>& values) {
    std::vector<Issue> issues;
    CheckInertia(values, "/inertia", issues);
    return issues.empty() ? "" : TextOfFirst(issues);
  };
  CHECK(issue({0.0, 0.0, 0.0}).empty());
  CHECK(issue({1.0, 1.0, 2.0}).empty());
  CHECK(issue({1.0, 1.0}) ==
        "/inertia: got a list of 2; accepted here: Ixx, Iyy, Izz, or these and Ixy, Ixz, Iyz, "
        "about the centre of mass");
  CHECK(issue({1.0, 1.0, 2.1}) ==
        "/inertia: no body has the principal moments 1, 1, 2.1; accepted here: none is negative, "
        "none is more than the sum of the others");
  CHECK(issue({1.0, 1.0, 1.0, 1.5, 0.0, 0.0}) ==
        "/inertia: no body has the principal moments -0.5, 1, 2.5; accepted here: none is "
        "negative, none is more than the sum of the others");
  std::vector<Issue> issues;
  CheckThree({1.0}, "/point", issues);
  CHECK(TextOfFirst(issues) == "/point: got a list of 1; accepted here: three numbers");
}

}  // namespace
}  // namespace idbench
