#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "scenarios/options/enum_names.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Velocity of a step of which the true friction is.
enum class FrictionIntegration : std::uint8_t {
  kExplicit,  ///< That before it.
  kImplicit,  ///< That after it, see ImplicitFriction.
};
template <>
inline constexpr auto kEnumNames<FrictionIntegration> =
    std::to_array<EnumName<FrictionIntegration>>({{FrictionIntegration::kExplicit, "explicit"},
                                                  {FrictionIntegration::kImplicit, "implicit"}});

/// Options of the simulation of the true robot with MuJoCo.
struct MujocoPlantOptions {
  static constexpr std::string_view kType = "mujoco";
  double timestep_s = 0.00025;
  std::string integrator = "implicitfast";
  double coulomb_width_rad_s = 0.02;
  FrictionIntegration friction_integration = FrictionIntegration::kExplicit;
  std::int64_t max_steps = 100'000'000;

  bool operator==(const MujocoPlantOptions&) const = default;
};
FieldTable Visit(MujocoPlantOptions& options);

/// Returns true if a step is q̇ ← q̇ + h·q̈, then q ← q + h·q̇, so that what is implicit in it can be
/// solved for outside of MuJoCo.
bool HasSemiImplicitStep(const MujocoPlantOptions& options);

/// What an experiment runs on; the first is the default.
using PlantOptions = std::variant<MujocoPlantOptions>;

}  // namespace idbench
