#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>

#include "scenarios/options/enum_names.h"
#include "sim/sensors/sensor_effect.h"

namespace idbench {

/// How often a shift of the zero is drawn.
enum class ShiftDraw : std::uint8_t {
  kExperiment,  ///< Anew in each experiment.
  kTrial,       ///< Once for all experiments of a trial: it belongs to the robot.
};
template <>
inline constexpr auto kEnumNames<ShiftDraw> = std::to_array<EnumName<ShiftDraw>>(
    {{ShiftDraw::kExperiment, "experiment"}, {ShiftDraw::kTrial, "trial"}});

/// Zero that is another in each experiment or trial, x ← x + σ_j·z_j, with z_j the unit draw of
/// (seed, trial, "<run>/bias_shift", joint j, 0), see SensorKey::run: a controller is fed back the
/// same one that the data have. Of one for a trial the stream is "<channel>/bias_shift".
class BiasShift : public SensorEffect {
 public:
  /// @param std  σ, one per joint, in the channel's unit.
  /// @throws std::invalid_argument if one is negative or not finite.
  explicit BiasShift(Eigen::VectorXd std, ShiftDraw draw = ShiftDraw::kExperiment);

  void Reset(const SensorKey& key) override;
  bool Apply(double t, std::uint64_t index, Eigen::VectorXd& sample) override;

 private:
  Eigen::VectorXd std_;
  ShiftDraw draw_;
  Eigen::VectorXd shift_;  ///< Of the experiment; 0 before the first.
};

}  // namespace idbench
