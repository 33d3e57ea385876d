#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "bench/lab_checks/cure.h"

namespace idbench {
namespace {

constexpr double kInDegrees = std::numbers::pi / 180.0;
/// What floors and mounting plates are true to.
constexpr double kLeastTilt = 2.0;
/// How far tilts are searched, from the file's direction.
constexpr double kReachDegrees = 25.0;

/// Gravity turned by two angles about axes across it [degrees].
Eigen::Vector3d Tilted(const Eigen::Vector3d& gravity, const Eigen::Vector2d& degrees) {
  const Eigen::Vector3d u = gravity.unitOrthogonal(), v = gravity.normalized().cross(u);
  const Eigen::Vector3d turn = kInDegrees * (degrees[0] * u + degrees[1] * v);
  if (turn.norm() == 0.0) return gravity;
  return Eigen::AngleAxisd(turn.norm(), turn.normalized()) * gravity;
}

/// Words and value are of the whole change, from the file's direction.
Cure Under(const DataChange& now, const LabFit& fit, const Eigen::Vector3d& gravity) {
  const Eigen::Vector3d& file = fit.robot().model.gravity();
  Cure cure{.check = "gravity_direction", .columns = {}, .change = now};
  cure.change.gravity = gravity;
  const double angle =
      std::acos(std::clamp(gravity.dot(file) / (gravity.norm() * file.norm()), -1.0, 1.0)) /
      kInDegrees;
  cure.value = angle;
  cure.does = fmt::format("with gravity turned by {:.3g}°, to ({:.2f}, {:.2f}, {:.2f}) m/s²", angle,
                          gravity[0], gravity[1], gravity[2]);
  cure.advice = fmt::format(
      "the robot seems to be mounted otherwise than in its file: turn its base, so that gravity is "
      "({:.2f}, {:.2f}, {:.2f}) m/s² in the axes of {}; MJCF's <option gravity> is in those of the "
      "world",
      gravity[0], gravity[1], gravity[2], fit.robot().model.base_name());
  return cure;
}

/// Torques of which a controller has taken off what gravity asks for.
Cure WithoutGravity(const DataChange& now) {
  Cure cure{.check = "gravity_direction", .columns = {}, .change = now};
  cure.change.gravity.setZero();
  cure.does = "without gravity";
  cure.advice =
      "the torques seem to hold no gravity, as if a controller had taken its model of it off: log "
      "them before that, or set gravity to (0, 0, 0) m/s² in the model file; masses are "
      "then told by accelerations alone";
  return cure;
}

/// Tilt of least loss near `start`: along one axis after the other.
Eigen::Vector2d BestTilt(const DataChange& now, LabFit& fit, Eigen::Vector2d start, double reach) {
  for (int k = 0; k < 4; ++k, reach /= 2.0) {
    for (const int axis : {0, 1}) {
      const auto loss = [&](double degrees) {
        Eigen::Vector2d tilt = start;
        tilt[axis] = degrees;
        DataChange change = now;
        change.gravity = Tilted(now.gravity, tilt);
        return fit.SearchLoss(change);
      };
      start[axis] = GoldenSection(loss, start[axis], reach, std::max(0.2, reach / 10.0));
    }
  }
  return start;
}

Cure UnderTilt(const DataChange& now, const LabFit& fit, const Eigen::Vector2d& tilt) {
  Cure cure = Under(now, fit, Tilted(now.gravity, tilt));
  cure.numbers = 2;
  cure.refine = [now, tilt](LabFit& finer) {
    return UnderTilt(now, finer, BestTilt(now, finer, tilt, 3.0));
  };
  cure.anew = [](const DataChange& all, LabFit& finer) {
    return UnderTilt(all, finer, BestTilt(all, finer, Eigen::Vector2d::Zero(), 3.0));
  };
  return cure;
}

}  // namespace

std::vector<Cure> GravityDirectionCures(const DataChange& now, LabFit& fit) {
  const double g = now.gravity.norm();
  if (g == 0.0) return {};
  std::vector<Cure> cures = {WithoutGravity(now)};
  for (const int axis : {0, 1, 2}) {
    for (const double sign : {1.0, -1.0}) {
      const Eigen::Vector3d other = sign * g * Eigen::Vector3d::Unit(axis);
      if ((other - now.gravity).norm() > 0.1 * g) cures.push_back(Under(now, fit, other));
    }
  }
  const Eigen::Vector2d tilt = BestTilt(now, fit, Eigen::Vector2d::Zero(), kReachDegrees);
  if (tilt.norm() >= kLeastTilt) cures.push_back(UnderTilt(now, fit, tilt));
  return cures;
}

}  // namespace idbench
