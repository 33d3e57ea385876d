#pragma once

#include <optional>

#include "scenarios/options/fields.h"

namespace idbench {

/// Laboratory of a simulation, in which estimators make experiments of their own.
struct LaboratoryOptions {
  std::optional<double> rate_hz;  ///< Of commands and readings; absent: that of the steps.
  double longest_use_s = 1e5;     ///< Time in a trial after which an estimator loses its plant.

  bool operator==(const LaboratoryOptions&) const = default;
};
FieldTable Visit(LaboratoryOptions& options);

}  // namespace idbench
