#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "robots/dynamics/parameters.h"
#include "robots/dynamics/pseudo_inertia.h"

namespace idbench {

/// PhysicalConsistency() by mass and moments alone: about the centre of mass, no digits are lost.
Consistency ConsistencyOf(CentralInertia inertia);

/// Why no rigid body has this inertia; nothing if one has. See PhysicalConsistency(): also a rod, a
/// plate and a point, which are no bodies with extent, are told of.
/// @param inertia  finite.
std::optional<std::string> WhyUnphysical(const CentralInertia& inertia);

/// A body whose inertia, as its file states it, no rigid body has; a frame, point, rod or plate
/// only if what it is welded to does not make up for what it lacks.
struct UnphysicalBody {
  std::string name;
  std::string reason;  ///< See WhyUnphysical().
};

/// The smallest change that makes an inertia physical: the centre of mass stays, the mass becomes
/// at least `least_mass` [kg], and the second moments of mass about the centre, Σ = ½ tr(I)·1 − I =
/// ∫ r rᵀ dm, take the nearest eigenvalues (Frobenius norm) that are at least max(m·(1 mm)²,
/// 1e-6·tr Σ): mass that is spread by a millimetre at least. What is physical stays.
CentralInertia MadePhysical(const CentralInertia& inertia, double least_mass);

/// A robot's parameters with every link made physical, as a simulator needs them.
struct PhysicalParameters {
  Eigen::VectorXd pi;
  std::vector<std::string> changed;  ///< Names of the links that were not physical.
};

/// MadePhysical() for every moving link, and for the base if it has any inertia. A link gets at
/// least a millionth of the greatest mass.
/// @param pi  see ParameterLayout, finite.
PhysicalParameters MakePhysical(const RobotModel& model,
                                const Eigen::Ref<const Eigen::VectorXd>& pi);

}  // namespace idbench
