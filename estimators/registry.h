#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "estimators/estimator.h"

namespace idbench {

/// A method as the registry knows it.
struct EstimatorEntry {
  std::string_view type;
  std::string_view title;   ///< One line for `idbench list`.
  std::string_view source;  ///< Where the method is published.
  std::unique_ptr<Estimator> (*make)();
};

/// All built-in methods, one line each.
std::span<const EstimatorEntry> EstimatorRegistry();
std::vector<std::string> EstimatorTypes();
/// nullptr if there is none of that type.
const EstimatorEntry* FindEstimator(std::string_view type);

}  // namespace idbench
