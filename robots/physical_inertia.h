#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "robots/dynamics/parameters.h"
#include "robots/dynamics/parameters/pseudo_inertia.h"

namespace idbench {

/// Returns PhysicalConsistency() by mass and moments alone; about the centre of mass no
/// digits are lost.
Consistency ConsistencyOf(CentralInertia inertia);

/// Returns why no rigid body with extent has this inertia; nothing if one has. Also reports a rod,
/// a plate and a point. See PhysicalConsistency().
/// @param inertia  finite.
std::optional<std::string> WhyUnphysical(const CentralInertia& inertia);

/// Body whose inertia, as stated in its file, is impossible for a rigid body. A frame, point, rod
/// or plate counts only if the bodies that it is welded to do not supply what it lacks.
struct UnphysicalBody {
  std::string name;
  std::string reason;  ///< See WhyUnphysical().
};

/// Returns the nearest physical inertia: the centre of mass stays; the mass becomes at least
/// `least_mass` [kg]; and the second moments of mass about the centre, Σ = ½ tr(I)·1 − I = ∫ r rᵀ
/// dm, take the nearest eigenvalues (Frobenius norm) that are at least max(m·(1 mm)², 1e-6·tr Σ₊),
/// with Σ₊ the positive part of Σ: a mass spread by at least a millimetre. A physical inertia
/// stays unchanged.
CentralInertia MadePhysical(const CentralInertia& inertia, double least_mass);

/// Parameters of a robot with every link made physical, as a simulator needs them.
struct PhysicalParameters {
  Eigen::VectorXd pi;
  std::vector<std::string> changed;  ///< Names of the links that were not physical.
};

/// Applies MadePhysical() to every moving link, and to the base and attached bodies that have any
/// inertia; attached rods, plates and points stay such. Each link gets at least a millionth of the
/// greatest mass.
/// @param pi  see ParameterLayout, finite.
PhysicalParameters MakePhysical(const RobotModel& model,
                                const Eigen::Ref<const Eigen::VectorXd>& pi);

}  // namespace idbench
