#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "robots/random/random_stream.h"
#include "scenarios/options/enum_names.h"
#include "sim/sensors/sensor_effect.h"

namespace idbench {

/// Loss of samples, of all joints of a channel at once: the reading is the last one that arrived.
///
/// A sample is lost if the uniform draw of (seed, trial, "<name>/dropout", 0, sample index)
/// is below the fraction: a greater fraction loses these samples and more. The first sample
/// is never lost.
class Dropout : public SensorEffect {
 public:
  enum class Kind {
    kHold,     ///< The loss goes unnoticed: the last reading counts as a new one.
    kMissing,  ///< There is no reading.
  };

  /// @param fraction  probability that a sample is lost.
  /// @throws std::invalid_argument if it is outside [0, 1].
  Dropout(double fraction, Kind kind);

  void Reset(const SensorKey& key) override;
  bool Apply(double t, std::uint64_t index, Eigen::VectorXd& sample) override;

 private:
  double fraction_;
  Kind kind_;
  RandomStream stream_{0, 0, ""};
  Eigen::VectorXd last_;  ///< Empty before the first sample.
};
template <>
inline constexpr auto kEnumNames<Dropout::Kind> = std::to_array<EnumName<Dropout::Kind>>(
    {{Dropout::Kind::kHold, "hold"}, {Dropout::Kind::kMissing, "missing"}});

}  // namespace idbench
