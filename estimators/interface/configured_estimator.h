#pragma once

#include <concepts>

#include "estimators/interface/estimator.h"

namespace idbench {

/// Method that holds its options, a struct whose Visit() makes the table of Fields().
/// @tparam Kind  Estimator or OnlineEstimator.
template <HasFields Options, std::derived_from<Estimator> Kind = Estimator>
class ConfiguredEstimator : public Kind {
 public:
  FieldTable Fields() final { return Visit(options_); }

 protected:
  Options options_;
};

}  // namespace idbench
