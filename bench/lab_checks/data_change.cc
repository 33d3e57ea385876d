#include "bench/lab_checks/data_change.h"

#include <cstddef>
#include <numeric>

namespace idbench {

DataChange DataChange::None(const RobotModel& model) {
  const int n = model.dofs();
  DataChange none;
  none.position_of.resize(static_cast<std::size_t>(n));
  std::iota(none.position_of.begin(), none.position_of.end(), 0);
  none.torque_of = none.position_of;
  none.position_scale = Eigen::VectorXd::Ones(n);
  none.position_offset = Eigen::VectorXd::Zero(n);
  none.torque_scale = Eigen::VectorXd::Ones(n);
  none.gravity = model.gravity();
  return none;
}

bool DataChange::SameRegressor(const DataChange& other) const {
  return position_of == other.position_of && position_scale == other.position_scale &&
         position_offset == other.position_offset && clock_speed == other.clock_speed &&
         gravity == other.gravity;
}

RobotModel UnderGravity(const RobotModel& model, const Eigen::Vector3d& gravity) {
  return {model.name(), model.base_name(), model.links(), gravity, model.limits()};
}

}  // namespace idbench
