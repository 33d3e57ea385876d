#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "estimators/problem.h"
#include "estimators/recorded_time.h"

namespace idbench {

/// What is known of one instant. Make one and fill it again and again: its sizes stay.
struct Sample {
  explicit Sample(const Problem& problem);

  double t_s = 0.0;         ///< Since the beginning [s].
  Eigen::VectorXd q;        ///< n [rad or m]
  Eigen::VectorXd qd, qdd;  ///< n
  /// Measured side of the equations: the rows of Problem::rows, one kind behind the other.
  Eigen::VectorXd y;
};

/// The aligned samples of the identification datasets, one after another, with recorded time (see
/// recorded_time.h) for t_s.
class SampleReader {
 public:
  /// Both must outlive this.
  /// @throws EstimationFailure (refused) if there is no identification dataset.
  SampleReader(const Problem& problem, std::span<const Dataset> datasets);

  /// Fills in the next sample, if there is one by the checkpoint.
  /// @throws EstimationFailure (refused) at a dataset that AlignEquations() refuses and at a number
  ///         that is not finite, and again whenever called after that.
  bool Next(double checkpoint_s, Sample& sample);

  /// Samples read.
  Eigen::Index count() const { return count_; }

 private:
  void Fill(const Dataset& dataset, Sample& sample) const;

  const Problem& problem_;
  std::vector<const Dataset*> datasets_;
  std::size_t current_ = 0;  ///< The dataset that is being read.
  std::optional<AlignedView> view_;
  RecordedTime time_;        ///< Of the current one.
  double recorded_s_ = 0.0;  ///< Before the current one.
  Eigen::Index next_ = 0, count_ = 0;
};

}  // namespace idbench
