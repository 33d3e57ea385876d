#pragma once

#include <Eigen/Core>

#include "robots/dynamics/parameters/parametrisation.h"

namespace idbench {

/// Makes x = (m, Ixx, Iyy, Izz) of a body fixed to a link of a known robot:
///   π = π_known + A·x.
/// The body's centre of mass c is given; its inertia about c, in axes parallel to the link's, has
/// no products: h = m·c, I_o = diag(Ixx, Iyy, Izz) + m·(|c|²·1 − c·cᵀ).
///
/// Names are `payload.m` [kg], `payload.Ixx`, `payload.Iyy` and `payload.Izz` [kg·m²]. FromPi()
/// reads the excess of π over π_known on that link, as far as x can represent it.
/// @param link      index of the link that carries the body.
/// @param com       c in the link's frame [m].
/// @param pi_known  π of the robot without the body.
/// @throws std::invalid_argument if there is no such link. Source: Joukov, Bonnet, Venture & Kulić,
///         IROS 2015, section IV (figure 6).
Parametrisation PayloadParametrisation(const RobotModel& model, int link,
                                       const Eigen::Vector3d& com,
                                       const Eigen::Ref<const Eigen::VectorXd>& pi_known);

}  // namespace idbench
