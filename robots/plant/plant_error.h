#pragma once

#include <stdexcept>
#include <string>

namespace idbench {

/// Failure of the plant; the trial's outcome reports it.
class PlantError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A joint has left its range.
class StopHit : public PlantError {
 public:
  StopHit(int joint, const std::string& what) : PlantError(what), joint_(joint) {}
  int joint() const { return joint_; }

 private:
  int joint_;
};

}  // namespace idbench
