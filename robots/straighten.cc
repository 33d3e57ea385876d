#include "robots/straighten.h"

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "robots/mjspec.h"

namespace idbench {
namespace {

constexpr double kLargestAngle = 5e-4;  // [rad]
/// Of what is smaller every user of the model has as much by round-off.
constexpr double kSmallestAngle = 1e-12;

/// R with those axes straightened that lie along another but for kLargestAngle; the rest turns to
/// the nearest rotation that keeps them.
Eigen::Matrix3d Straightened(const Eigen::Matrix3d& R) {
  Eigen::Matrix3d straight = R;
  for (Eigen::Index row = 0; row < 3; ++row) {
    Eigen::Index column = 0;
    R.row(row).cwiseAbs().maxCoeff(&column);
    Eigen::RowVector3d others = R.row(row);  // their norm is the sine of the angle
    others[column] = 0.0;
    if (others.norm() > kLargestAngle) continue;
    straight.row(row).setZero();
    straight.col(column).setZero();
    straight(row, column) = R(row, column) < 0.0 ? -1.0 : 1.0;
  }
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(straight, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return svd.matrixU() * svd.matrixV().transpose();
}

/// Angle θ of the rotation that leads from A to B: |A − B|_F = 2√2·sin(θ/2).
double AngleBetween(const Eigen::Matrix3d& A, const Eigen::Matrix3d& B) {
  return 2.0 * std::asin(std::min(1.0, (A - B).norm() / (2.0 * std::sqrt(2.0))));
}

/// Straightens an orientation of a body or frame in place. @return the angle [rad].
double Straighten(mjsElement* element, double* quat, mjsOrientation& alt) {
  ResolveOrientation(element, quat, alt);
  const Eigen::Quaterniond written(quat[0], quat[1], quat[2], quat[3]);
  const Eigen::Matrix3d R = written.normalized().toRotationMatrix();
  const Eigen::Matrix3d straight = Straightened(R);
  const double angle = AngleBetween(R, straight);
  if (angle < kSmallestAngle) return 0.0;
  const Eigen::Quaterniond result(straight);
  quat[0] = result.w();
  quat[1] = result.x();
  quat[2] = result.y();
  quat[3] = result.z();
  return angle;
}

double StraightenAxis(double* axis) {
  const Eigen::Vector3d written = Eigen::Map<Eigen::Vector3d>(axis).normalized();
  Eigen::Index largest = 0;
  written.cwiseAbs().maxCoeff(&largest);
  Eigen::Vector3d others = written;
  others[largest] = 0.0;
  const double angle = others.norm();
  if (!(angle <= kLargestAngle) || angle < kSmallestAngle) return 0.0;
  for (Eigen::Index i = 0; i < 3; ++i) {
    axis[i] = i == largest ? std::copysign(1.0, written[largest]) : 0.0;
  }
  return angle;
}

}  // namespace

double StraightenAxes(mjSpec* spec) {
  double greatest = 0.0;
  for (mjsElement* element : Elements(spec, mjOBJ_BODY)) {
    mjsBody* const body = mjs_asBody(element);
    greatest = std::max(greatest, Straighten(element, body->quat, body->alt));
  }
  for (mjsElement* element : Elements(spec, mjOBJ_FRAME)) {
    mjsFrame* const frame = mjs_asFrame(element);
    greatest = std::max(greatest, Straighten(element, frame->quat, frame->alt));
  }
  for (mjsElement* element : Elements(spec, mjOBJ_JOINT)) {
    greatest = std::max(greatest, StraightenAxis(mjs_asJoint(element)->axis));
  }
  return greatest;
}

}  // namespace idbench
