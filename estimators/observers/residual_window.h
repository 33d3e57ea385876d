#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace idbench {

/// The last samples of residual rows. A row of a sample that does not count is NaN.
class ResidualWindow {
 public:
  /// @param samples  of the window, at least 1.
  ResidualWindow(Eigen::Index rows, int samples);

  /// Takes the next sample, in place of the oldest one. Allocates nothing. O(rows·samples).
  void Push(const Eigen::Ref<const Eigen::RowVectorXd>& sample);
  /// Returns √k_j times the mean of the k_j samples of each row that count: of white noise it has
  /// the variance of a sample, whatever k_j. NaN for k_j = 0.
  const Eigen::RowVectorXd& z() const { return z_; }
  /// Returns √k_j of each row.
  const Eigen::RowVectorXd& roots() const { return roots_; }

 private:
  Eigen::MatrixXd samples_;  ///< A ring; rows that were not filled are NaN.
  Eigen::Index next_ = 0;
  Eigen::RowVectorXd z_, roots_;
};

/// Slow mean of each residual row, as of a sensor's offset that drifts:
///   b_j ← b_j + (1 − e^(−Δt/T))·clip(r_j − b_j, ±clip·σ_j).
/// Begins at 0. Rows that are NaN keep theirs.
class BiasTracker {
 public:
  struct Options {
    double time_s;            ///< T
    double frozen_s;          ///< T while something is detected,
    double longest_freeze_s;  ///< but no longer than this at a time.
    double clip;              ///< Over σ.
  };
  /// @param sigma  of each row.
  BiasTracker(const Options& options, const Eigen::VectorXd& sigma);

  const Eigen::RowVectorXd& b() const { return b_; }
  /// @param step_s    time since the sample before [s].
  /// @param detected  whether something is detected at this sample.
  void Update(const Eigen::Ref<const Eigen::RowVectorXd>& r, double step_s, bool detected);

 private:
  Options options_;
  Eigen::RowVectorXd b_, limit_;
  double frozen_for_s_ = 0.0;
};

/// zᵀ S⁻¹ z over the rows of z that are not NaN, with their part of S; O(rows²) a sample as long as
/// the same rows are there. Allocates nothing after construction.
class MahalanobisSquare {
 public:
  explicit MahalanobisSquare(const Eigen::MatrixXd& S);

  /// Computes the square with S; NaN if all rows are missing.
  double Of(const Eigen::Ref<const Eigen::RowVectorXd>& z);
  /// As above, with S + added, which is positive semi-definite. O(rows³).
  double Of(const Eigen::Ref<const Eigen::RowVectorXd>& z, const Eigen::MatrixXd& added);
  /// Returns the number of rows that were there in the last sample.
  int rows() const { return rows_; }

 private:
  void Factorise(const Eigen::Ref<const Eigen::RowVectorXd>& z, const Eigen::MatrixXd* added);
  double Square(const Eigen::Ref<const Eigen::RowVectorXd>& z);

  Eigen::MatrixXd S_, part_;
  Eigen::LLT<Eigen::MatrixXd> root_;
  Eigen::Array<bool, 1, Eigen::Dynamic> there_, now_;
  Eigen::VectorXd whitened_;
  int rows_ = 0;
  bool of_S_alone_ = false;
};

}  // namespace idbench
