#pragma once

#include <Eigen/Core>
#include <vector>

#include "bench/cell_context.h"
#include "sim/payload.h"

namespace idbench {

/// The true values of the unknowns: those of the simulated robot; where the problem's
/// parametrisation is a payload, of what it carries at the instant; where it is the joints' state,
/// that state.
class TrueUnknowns {
 public:
  explicit TrueUnknowns(const CellContext& context);

  /// @param data  of a simulation; must outlive what is asked for next.
  void SetTrial(const TrialData& data);

  /// True if they do not change with time.
  bool constant() const { return stretches_.empty(); }

  /// x after `recorded_s` of identification time (see recorded_time.h); infinite for the end.
  Eigen::VectorXd At(double recorded_s) const;

 private:
  /// An identification experiment in which the unknowns change.
  struct Stretch {
    std::size_t experiment;
    std::vector<Payload> payloads;   ///< What the robot carries in it.
    const Signals* clean = nullptr;  ///< How it moves, of the trial.
    double start_s = 0.0;            ///< Stamp of its first sample.
    double recorded_s = 0.0;         ///< Identification time before it.
  };
  /// (q, q̇) at the sample nearest to `time_s`.
  static Eigen::VectorXd StateAt(const Signals& clean, double time_s);

  ParameterLayout layout_;
  const Parametrisation* parameters_ = nullptr;  ///< Of the trial.
  bool is_state_ = false;                        ///< The unknowns are the joints' state.
  std::vector<Stretch> stretches_;               ///< None if the unknowns are the robot's own.
  Eigen::VectorXd robot_;  ///< x of the robot as such; of a payload π without one.
};

}  // namespace idbench
