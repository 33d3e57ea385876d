#include "robots/dynamics/parameters/payload_parametrisation.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <utility>

namespace idbench {

Parametrisation PayloadParametrisation(const RobotModel& model, int link,
                                       const Eigen::Vector3d& com,
                                       const Eigen::Ref<const Eigen::VectorXd>& pi_known) {
  if (link < 0 || link >= model.dofs()) {
    throw std::invalid_argument(
        fmt::format("payload: there is no link {}, the robot has 0 to {}", link, model.dofs() - 1));
  }
  const int first = ParameterLayout(model).Body(link);
  CentralInertia unit;
  unit.mass = 1.0;
  unit.com = com;
  const Eigen::Matrix<double, kInertialCount, 1> unit_mass = ToStandard(unit);
  AffineMap map{pi_known, Eigen::MatrixXd::Zero(pi_known.size(), 4)};
  Eigen::MatrixXd to_x = Eigen::MatrixXd::Zero(4, pi_known.size());
  map.A.col(0).segment<kInertialCount>(first) = unit_mass;
  to_x(0, first) = 1.0;
  // Ixx, Iyy, Izz of a body's ten: I_c = I_o − m·(|c|²·1 − c·cᵀ), diagonal by diagonal.
  static constexpr std::array kMoments = {4, 6, 9};
  for (Eigen::Index k = 0; k < 3; ++k) {
    const int moment = kMoments[static_cast<std::size_t>(k)];
    map.A(first + moment, 1 + k) = 1.0;
    to_x(1 + k, first + moment) = 1.0;
    to_x(1 + k, first) = -unit_mass[moment];
  }
  Parametrisation payload("payload", std::move(map), std::move(to_x),
                          {"payload.m", "payload.Ixx", "payload.Iyy", "payload.Izz"},
                          {"kg", "kg·m²", "kg·m²", "kg·m²"});
  payload.changes = true;
  return payload;
}

}  // namespace idbench
