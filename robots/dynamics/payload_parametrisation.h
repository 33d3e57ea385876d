#pragma once

#include <Eigen/Core>

#include "robots/dynamics/parametrisation.h"

namespace idbench {

/// x = (m, Ixx, Iyy, Izz) of a body that is fixed to a link, the robot itself being known:
///   π = π_known + A·x,
/// with the body's centre of mass c given and its inertia about c, in axes parallel to the link's,
/// free of products: h = m·c, I_o = diag(Ixx, Iyy, Izz) + m·(|c|²·1 − c·cᵀ).
///
/// Names are `payload.m` [kg], `payload.Ixx`, `payload.Iyy` and `payload.Izz` [kg·m²]. FromPi()
/// reads what a π has more than π_known on that link, as far as x can say it.
/// @param link      index of the link that carries the body.
/// @param com       c in the link's frame [m].
/// @param pi_known  π of the robot without the body.
/// @throws std::invalid_argument if there is no such link.
/// Source: Joukov, Bonnet, Venture & Kulić, IROS 2015, section IV (figure 6).
Parametrisation PayloadParametrisation(const RobotModel& model, int link,
                                       const Eigen::Vector3d& com,
                                       const Eigen::Ref<const Eigen::VectorXd>& pi_known);

}  // namespace idbench
