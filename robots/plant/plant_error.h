#pragma once

#include <stdexcept>

namespace idbench {

/// Failure of the plant; the trial's outcome reports it.
class PlantError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace idbench
