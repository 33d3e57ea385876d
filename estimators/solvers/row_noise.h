#pragma once

#include <Eigen/Core>
#include <vector>

#include "estimators/interface/problem.h"

namespace idbench {

/// Declared noise of a problem's equation rows, as a filter meets it sample by sample.
///
/// A filter that takes noise v with the autocovariance γ_k for white noise of the variance
/// σ² = Σ_k γ_k (over lags of both signs) weighs rows rightly, if their columns vary slowly. But
/// the error e = x̂ − x of what it knew before sample t is made of noise to which v_t is correlated.
/// As P H_{t−k}ᵀ v_{t−k}/σ² is the part of sample t − k in e, with P the covariance that it
/// computes,
///   E[e·v_t] = P z,  z = Σ_{k≥1} γ_k H_{t−k}ᵀ/σ²,
/// exactly if no process noise is added. A filter that forgets has less of older samples in e, and
/// as much less in z: see Forget(). Rows of noise of their own do not mix. Lags are told across the
/// ends of datasets too, which are few.
class RowNoise {
 public:
  /// Part of a sample's variance that an innovation has at least, which the blocks of the past must
  /// not make 0.
  static constexpr double kLeastInnovation = 1e-4;

  /// @param problem   whose rows declare σ (asserted), in their order.
  /// @param unknowns  columns of H.
  RowNoise(const Problem& problem, Eigen::Index unknowns);

  /// Returns true if no row has an autocorrelation; there is nothing to remember then.
  bool is_white() const { return rows_.empty(); }
  /// Returns σ² of each row.
  const Eigen::VectorXd& variance() const { return variance_; }
  /// Returns γ_0 of each row.
  const Eigen::VectorXd& sample_variance() const { return sample_variance_; }

  /// Computes z of a row from the samples remembered so far.
  /// @param[out] z  p, overwritten.
  void Past(Eigen::Index row, Eigen::VectorXd& z) const;
  /// Lets the samples remembered so far count `kept` times as much: from one sample to the next, if
  /// a filter forgets. O(rows·p).
  void Forget(double kept);
  /// Remembers a sample; rows whose residual is not finite count as 0. O(rows·p).
  void Remember(const Eigen::Ref<const Eigen::MatrixXd>& H,
                const Eigen::Ref<const Eigen::VectorXd>& residual);

 private:
  /// The past of a row, in blocks of samples: neighbours have almost the same H.
  struct Row {
    Eigen::MatrixXd sums;     ///< Σ H over the samples of a block, p × blocks, a ring.
    Eigen::MatrixXd weights;  ///< Blocks, newest first, × samples in the newest: mean of γ_k/σ².
  };

  Eigen::VectorXd variance_, sample_variance_;
  std::vector<Row> rows_;    ///< One per row; none if all are white.
  Eigen::Index block_ = 1;   ///< Samples of a block.
  Eigen::Index newest_ = 0;  ///< Block that the next sample enters.
  Eigen::Index filled_ = 0;  ///< Samples in it.
};

}  // namespace idbench
