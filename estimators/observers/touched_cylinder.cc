#include "estimators/observers/touched_cylinder.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

namespace idbench {
namespace {

constexpr double kNoPlace = std::numeric_limits<double>::quiet_NaN();
/// Steps at most. Each leaves at most half of the error, for an R that is diagonal with the same
/// variance of all forces and of all moments: |g|/(2·|f|·|m|) of it.
constexpr int kMostSteps = 100;
/// Part of |f| and of |m| by which a last step moves them.
constexpr double kNoStep = 1e-13;
/// Sine of the angle between a force and an axis below which it is along the axis.
constexpr double kAlongAxis = 1e-9;

}  // namespace

ForceAndMoment WrenchOfForce(const Eigen::Matrix<double, 6, 1>& measured,
                             const Eigen::Matrix<double, 6, 6>& R) {
  Eigen::Matrix<double, 6, 1> w = measured, last, gradient, across;
  for (int step = 0; step < kMostSteps; ++step) {
    last = w;
    gradient << w.tail<3>(), w.head<3>();
    across.noalias() = R * gradient;
    const double left = w.head<3>().dot(w.tail<3>()) + gradient.dot(measured - w);
    w = measured - across * (left / gradient.dot(across));
    const bool rests = (w - last).head<3>().norm() <= kNoStep * w.head<3>().norm() &&
                       (w - last).tail<3>().norm() <= kNoStep * w.tail<3>().norm();
    if (rests) return {w.head<3>(), w.tail<3>()};
  }
  return {Eigen::Vector3d::Constant(kNoPlace), Eigen::Vector3d::Constant(kNoPlace)};
}

Eigen::Vector3d PlaceOfForce(const TouchedCylinder& cylinder, const ForceAndMoment& wrench) {
  const double size = wrench.f.norm();
  const Eigen::Vector3d direction = wrench.f / size;
  const Eigen::Vector3d nearest = wrench.f.cross(wrench.m) / (size * size);
  // Across the axis, from it.
  const Eigen::Vector3d start = nearest - cylinder.from;
  const Eigen::Vector3d d = direction - cylinder.axis * cylinder.axis.dot(direction);
  const Eigen::Vector3d x = start - cylinder.axis * cylinder.axis.dot(start);
  // |x + λ·d|² = radius²
  const double a = d.squaredNorm(), b = x.dot(d);
  if (!(a > kAlongAxis * kAlongAxis)) return Eigen::Vector3d::Constant(kNoPlace);
  const double c = x.squaredNorm() - cylinder.radius * cylinder.radius;
  const double lambda = (-b - std::sqrt(std::max(b * b - a * c, 0.0))) / a;
  const double along =
      std::clamp(cylinder.axis.dot(start + lambda * direction), 0.0, cylinder.length);
  return cylinder.from + along * cylinder.axis + cylinder.radius * (x + lambda * d).normalized();
}

Eigen::Vector3d ForceAt(const Eigen::Vector3d& p, const Eigen::Matrix<double, 6, 1>& measured,
                        const Eigen::Matrix<double, 6, 6>& R) {
  Eigen::Matrix<double, 6, 3> G;
  G.topRows<3>().setIdentity();
  for (Eigen::Index axis = 0; axis < 3; ++axis) {
    G.col(axis).tail<3>() = p.cross(Eigen::Vector3d::Unit(axis));
  }
  const Eigen::LLT<Eigen::Matrix<double, 6, 6>> root(R);
  const Eigen::Matrix<double, 6, 1> whitened = root.matrixL().solve(measured);
  root.matrixL().solveInPlace(G);
  return G.householderQr().solve(whitened);
}

}  // namespace idbench
