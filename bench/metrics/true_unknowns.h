#pragma once

#include <Eigen/Core>
#include <vector>

#include "bench/trial/trial_data.h"
#include "scenarios/problem/parametrisations.h"
#include "sim/truth/payload.h"

namespace idbench {

/// True values of the unknowns: those of the simulated robot; for the parametrisation of a payload,
/// those of what the robot carries at the instant; for the joints' state, that state.
class TrueUnknowns {
 public:
  /// @param scenario, problem  of the cell.
  TrueUnknowns(const Scenario& scenario, const Problem& problem);

  /// Selects a trial.
  /// @param data  of a simulation; must outlive the calls below.
  void SetTrial(const TrialData& data);

  /// Returns true if the values do not change with time.
  bool constant() const { return stretches_.empty(); }

  /// Returns x after `recorded_s` of identification time [s] (see recorded_time.h);
  /// infinite for the end.
  Eigen::VectorXd At(double recorded_s) const;

  /// Returns x at the last sample that counts at a checkpoint (see recorded_time.h), or at the
  /// first one of its experiment if none does yet: what comes at the checkpoint, behind that
  /// sample, no estimate can know.
  Eigen::VectorXd AtLastSampleBy(double checkpoint_s) const;

 private:
  /// Identification experiment in which the unknowns change.
  struct Stretch {
    std::size_t experiment;
    std::vector<PayloadEventOptions> events;
    std::vector<Payload> payloads = {};  ///< Payloads of the robot in it.
    const Signals* clean = nullptr;      ///< Its motion in the trial.
    double start_s = 0.0;                ///< Stamp of its beginning [s].
    double recorded_s = 0.0;             ///< Identification time before it [s].
  };
  /// The stretch that had begun last by `recorded_s`, and the stamp in it [s].
  struct Instant {
    const Stretch& stretch;
    double time_s;
  };
  Instant InstantOf(double recorded_s) const;
  Eigen::VectorXd At(const Instant& instant) const;
  /// Returns (q, q̇) at the sample nearest to `time_s`.
  static Eigen::VectorXd StateAt(const Signals& clean, double time_s);

  ParameterLayout layout_;
  const Parametrisation* parameters_ = nullptr;  ///< Of the trial.
  TrueValues truth_of_ = TrueValues::kOfRobot;
  std::vector<Stretch> stretches_;  ///< Empty if the unknowns belong to the robot itself.
  Eigen::VectorXd robot_;  ///< x of the robot itself; for a payload, that of a π without one.
};

}  // namespace idbench
