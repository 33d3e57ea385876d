#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "estimators/active/swing.h"
#include "estimators/active/upright_method.h"

namespace idbench {

/// Which factors a search lowers.
enum class DinoSearch : std::uint8_t {
  kByJoint,   ///< Of one joint after the other, the others at their guess.
  kTogether,  ///< One factor of all joints.
};
template <>
inline constexpr auto kEnumNames<DinoSearch> = std::to_array<EnumName<DinoSearch>>(
    {{DinoSearch::kByJoint, "by_joint"}, {DinoSearch::kTogether, "together"}});

struct DinoOptions {
  DinoSearch search = DinoSearch::kByJoint;
  SwingOptions swing = {};
  PushDirection push = PushDirection::kTip;
  std::vector<double> steps = {0.05, 0.01, 0.001};

  bool operator==(const DinoOptions&) const = default;
};
FieldTable Visit(DinoOptions& options);

/// Dynamics identification through natural oscillation (DINO), by falls.
///
/// Lowers the factor f of the compensated gravity f·b̃, b̃ the guess, until the robot falls; steps
/// back, and lowers it by finer steps. The last factor under which it stood is b̂/b̃. (The paper
/// lowers it as long as a frequency falls; but the lowest frequency of a chain is blind to its
/// other joints.) Where the robot falls under the guess itself, all factors are raised first.
///
/// Estimates the gravity parameters alone; inertias, couplings and friction stay those of the
/// prior. States no covariance; a note tells where friction or another equilibrium has a part in
/// the swing under the guess (see BesideGravity()), and where experiments are too short: the model
/// of the guess, with gravity two steps greater than what was found, does not fall. Source:
/// Jamisola & Dadios, A Novel Dynamics Identification Method for Rigid-Body Manipulators, section
/// III.B.
class Dino : public UprightMethod<DinoOptions> {
 public:
  double least_use_s() const override { return options_.swing.duration_s; }

 protected:
  Estimate Experiment(const Problem& problem, Plant& plant) override;
};

}  // namespace idbench
