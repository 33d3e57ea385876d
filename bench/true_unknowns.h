#pragma once

#include <Eigen/Core>
#include <vector>

#include "bench/cell_context.h"
#include "sim/payload.h"

namespace idbench {

/// The true values of the unknowns: those of the simulated robot, or, where the problem's
/// parametrisation is a payload, of what it carries at the instant.
class TrueUnknowns {
 public:
  explicit TrueUnknowns(const CellContext& context);

  /// @param data  of a simulation; must outlive what is asked for next.
  void SetTrial(const TrialData& data);

  /// True if they do not change with time.
  bool constant() const { return loads_.empty(); }

  /// x after `recorded_s` of identification time (see recorded_time.h); infinite for the end.
  Eigen::VectorXd At(double recorded_s) const;

 private:
  /// An identification experiment, and what the robot carries in it.
  struct Load {
    std::size_t experiment;
    std::vector<Payload> payloads;
    double start_s = 0.0;     ///< Stamp of its first sample.
    double recorded_s = 0.0;  ///< Identification time before it.
  };

  ParameterLayout layout_;
  const Parametrisation* parameters_ = nullptr;  ///< Of the trial.
  std::vector<Load> loads_;                      ///< None unless the unknowns are a payload's.
  Eigen::VectorXd robot_;  ///< x of the robot as such; of a payload π without one.
};

}  // namespace idbench
