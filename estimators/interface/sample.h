#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "estimators/interface/problem.h"
#include "estimators/interface/recorded_time.h"

namespace idbench {

/// All that is known at one instant. Construct it once and refill it: its sizes stay fixed.
struct Sample {
  /// Sizes all members for `problem` and sets them to 0.
  explicit Sample(const Problem& problem);

  double t_s = 0.0;       ///< Recorded time since the beginning [s].
  int configuration = 0;  ///< What is attached: index into RobotModel::configurations().
  Eigen::VectorXd q;      ///< Joint positions, n [rad or m].
  /// Joint velocities [rad/s or m/s] and accelerations [rad/s² or m/s²], n each.
  Eigen::VectorXd qd, qdd;
  /// Measured side of the equations, Problem::row_count() entries in the order of Problem::rows; 0
  /// for drives.
  Eigen::VectorXd y;
  /// What was measured and stands among columns, see StateSamples::inputs; empty if no equation
  /// needs any.
  Eigen::VectorXd inputs;
};

/// Reads the aligned samples of the identification datasets, one after another; t_s is recorded
/// time (see recorded_time.h).
class SampleReader {
 public:
  /// Keeps references: both arguments must outlive this object.
  /// @throws EstimationFailure (refused) if there is no identification dataset.
  SampleReader(const Problem& problem, std::span<const Dataset> datasets);

  /// Reads the next sample if it was recorded up to the checkpoint; returns false otherwise.
  /// @throws EstimationFailure (refused) at a dataset that AlignEquations() refuses, or at a number
  ///         that is not finite; calling it again throws again.
  bool Next(double checkpoint_s, Sample& sample);

  /// Returns the number of samples read so far.
  Eigen::Index count() const { return count_; }

 private:
  void Fill(const Dataset& dataset, Sample& sample) const;

  const Problem& problem_;
  std::vector<const Dataset*> datasets_;
  std::vector<std::vector<int>> read_;    ///< See ReadColumns().
  std::vector<std::vector<int>> chosen_;  ///< Columns that are measured sides, by equation.
  std::size_t current_ = 0;               ///< The dataset that is being read.
  std::optional<AlignedView> view_;
  int configuration_ = 0;    ///< Of dataset `current_`.
  RecordedTime time_;        ///< Of dataset `current_`.
  double recorded_s_ = 0.0;  ///< Duration of all datasets before `current_`.
  Eigen::Index next_ = 0, count_ = 0;
};

}  // namespace idbench
