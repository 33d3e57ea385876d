#include "robots/pose_options.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>

namespace idbench {
namespace {

/// A cosine of the pitch below this is round-off.
constexpr double kUpright = 1e-12;
/// Part of a principal moment that is round-off.
constexpr double kMomentRounding = 1e-9;

}  // namespace

void CheckThree(const std::vector<double>& numbers, const std::string& where,
                std::vector<Issue>& issues) {
  if (numbers.size() == 3) return;
  issues.push_back(
      {where, fmt::format("got a list of {}", numbers.size()), {"accepted here: three numbers"}});
}

Eigen::Matrix3d RotationOfRpy(const std::vector<double>& rpy_rad) {
  return (Eigen::AngleAxisd(rpy_rad[2], Eigen::Vector3d::UnitZ()) *
          Eigen::AngleAxisd(rpy_rad[1], Eigen::Vector3d::UnitY()) *
          Eigen::AngleAxisd(rpy_rad[0], Eigen::Vector3d::UnitX()))
      .toRotationMatrix();
}

std::vector<double> RpyOfRotation(const Eigen::Matrix3d& R) {
  const double across = std::hypot(R(0, 0), R(1, 0));
  const double pitch = std::atan2(-R(2, 0), across);
  if (across > kUpright) {
    return {std::atan2(R(2, 1), R(2, 2)), pitch, std::atan2(R(1, 0), R(0, 0))};
  }
  return {std::atan2(-R(1, 2), R(1, 1)), pitch, 0.0};
}

Eigen::Matrix3d InertiaOfEntries(const std::vector<double>& values) {
  Eigen::Matrix3d I = Eigen::Matrix3d::Zero();
  I.diagonal() << values[0], values[1], values[2];
  if (values.size() == 6) {
    I(0, 1) = I(1, 0) = values[3];
    I(0, 2) = I(2, 0) = values[4];
    I(1, 2) = I(2, 1) = values[5];
  }
  return I;
}

void CheckInertia(const std::vector<double>& values, const std::string& where,
                  std::vector<Issue>& issues) {
  if (values.size() != 3 && values.size() != 6) {
    issues.push_back(
        {where,
         fmt::format("got a list of {}", values.size()),
         {"accepted here: Ixx, Iyy, Izz, or these and Ixy, Ixz, Iyz, about the centre of mass"}});
    return;
  }
  const Eigen::Vector3d moments = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(
                                      InertiaOfEntries(values), Eigen::EigenvaluesOnly)
                                      .eigenvalues();
  const double slack = kMomentRounding * moments[2];
  if (moments[0] >= -slack && moments[0] + moments[1] >= moments[2] - slack) return;
  issues.push_back({where,
                    fmt::format("no body has the principal moments {:.6g}, {:.6g}, {:.6g}",
                                moments[0], moments[1], moments[2]),
                    {"accepted here: none is negative, none is more than the sum of the others"}});
}

}  // namespace idbench
