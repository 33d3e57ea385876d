#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "robots/dynamics/rows.h"

namespace idbench {

/// The base (minimal) parameters β = B·π of a robot for given equations: the combinations of
/// standard parameters that these equations can tell apart.
///
/// Found numerically: columns of the regressor on random states are taken in π's order, and one
/// that depends on earlier ones is regrouped into them (Gautier 1991; the order makes links nearer
/// to the base keep their parameters, as in Khalil's rules).
struct BaseParameters {
  std::vector<int> independent;  ///< Indices into π, increasing: β's own columns.
  Eigen::MatrixXd B;  ///< independent.size() × size of π; the identity on `independent`.
  std::vector<std::string> names;        ///< `link2.Izz`, or `link2.Izz_R` where regrouped.
  std::vector<std::string> expressions;  ///< "link2.Izz + link3.Iyy + 0.25·link3.m" …
  std::vector<int> unidentifiable;       ///< Indices of considered parameters without any effect.
  double singular_value_gap = 0.0;       ///< Last kept over first dropped; infinite at full rank.

  int size() const { return static_cast<int>(independent.size()); }
};

/// @param considered  indices into π, increasing; other parameters are taken as known.
/// @throws std::domain_error if no gap of at least 1e6 separates the singular values of the scaled
///         regressor, so that its rank is not certain; names the robot and the gap.
BaseParameters FindBaseParameters(const RobotModel& model, const std::vector<Equation>& equations,
                                  const std::vector<int>& considered,
                                  const FrictionShape& friction = {});

/// `count` fixed pseudo-random states: q in ±π [rad] or ±1 [m], q̇ in ±5, q̈ in ±20 (SI).
/// The same for every call with the same model size; `salt` chooses another set.
struct FixedStates {
  Eigen::MatrixXd q, qd, qdd;  ///< count × n
  StateSamples samples() const { return {q, qd, qdd}; }
};
FixedStates MakeFixedStates(const RobotModel& model, Eigen::Index count, unsigned salt);

/// Indices into π of what can be asked for: the moving links' inertial parameters (massless links
/// have none), the base link's if the equations hold the base wrench, and the named joint
/// parameters.
std::vector<int> ConsideredParameters(const RobotModel& model,
                                      const std::vector<Equation>& equations,
                                      const std::vector<JointParameter>& joint_parameters);

}  // namespace idbench
