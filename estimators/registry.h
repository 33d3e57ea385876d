#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "estimators/interface/estimator.h"

namespace idbench {

/// Measured channels whose errors a method does not model.
enum class TakenAsExact {
  kNothing,
  kStates,        ///< Positions, velocities and accelerations of the joints, unless it fits them.
  kDrivenAngles,  ///< Positions of the joints that motors drive: a walker's relative angles.
};

/// Registry entry of a method.
struct EstimatorEntry {
  std::string_view type;
  std::string_view title;   ///< One line for `idbench list`.
  std::string_view source;  ///< Publication of the method.
  TakenAsExact exact;
  std::unique_ptr<Estimator> (*make)();
  /// By what a method that takes one sample after another reads later ones all the same; "": by
  /// nothing, or it is a batch method.
  std::string_view ahead = "";
};

/// Returns all built-in methods.
std::span<const EstimatorEntry> EstimatorRegistry();
/// Returns the `type` of each registered method, in the registry's order.
std::vector<std::string> EstimatorTypes();
/// Returns the entry of that type, or nullptr if there is none.
const EstimatorEntry* FindEstimator(std::string_view type);
/// Returns true if the method makes experiments of its own: an ActiveEstimator.
bool IsActive(const EstimatorEntry& entry);

}  // namespace idbench
