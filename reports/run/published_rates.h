#pragma once

#include <string>
#include <vector>

#include "scenarios/options/fields.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

/// How often a detector printed elsewhere finds contacts: a mark in charts of the characteristic.
struct PublishedRates {
  std::string source;
  double false_positive_rate = 0.0;
  double true_positive_rate = 0.0;
  std::string experiment;  ///< Ours beside which it stands; "": all.

  bool operator==(const PublishedRates&) const = default;
};
FieldTable Visit(PublishedRates& rates);

/// Returns those that an expanded scenario declares for an experiment.
std::vector<PublishedRates> PublishedRatesOf(const Json& scenario, const std::string& experiment);

}  // namespace idbench
