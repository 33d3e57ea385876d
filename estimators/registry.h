#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "estimators/interface/estimator.h"

namespace idbench {

/// Registry entry of a method.
struct EstimatorEntry {
  std::string_view type;
  std::string_view title;   ///< One line for `idbench list`.
  std::string_view source;  ///< Publication of the method.
  std::unique_ptr<Estimator> (*make)();
};

/// Returns all built-in methods.
std::span<const EstimatorEntry> EstimatorRegistry();
/// Returns the `type` of each registered method, in the registry's order.
std::vector<std::string> EstimatorTypes();
/// Returns the entry of that type, or nullptr if there is none.
const EstimatorEntry* FindEstimator(std::string_view type);

}  // namespace idbench
