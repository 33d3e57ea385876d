#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "estimators/absolute_motion.h"
#include "estimators/banded_arrow.h"
#include "estimators/problem.h"

namespace idbench {

/// Likelihood of a walker's recordings where the absolute angle is unknown at every sample, (33):
///   S(z, β) = Σ_k ‖L⁻¹·(τ_k − Z_k(z)·β)‖² + Σ (y − f(z))²/σ²,  Σ_τ = L·Lᵀ of TorqueCovariance,
/// the first sum over samples at which the angle has its derivatives, the second over all that was
/// measured of it. The derivatives are differences of z, so nothing is integrated.
///
/// β, in which S is quadratic, is eliminated: S(z) = min_β S(z, β), (45). Its minimum is found by
/// Levenberg-Marquardt steps of z and β together, whose matrix is a banded arrow; then β is solved
/// for anew (Golub & Pereyra, Inverse Problems 19(2), 2003: variable projection as Kaufman has it).
class WalkerLikelihood {
 public:
  struct Settings {
    std::string absolute_angle;
    std::string differences;
    double free_row_variance_ratio;
  };
  struct Limits {
    int iterations;
    double tolerance;  ///< Of S, over the larger of S and its degrees of freedom.
  };
  struct Minimum {
    Eigen::VectorXd z, beta;
    double S = 0.0;
    int iterations = 0;
    bool converged = false;
  };

  /// @param recordings  and filtered, one for each, need not outlive the call; `problem` has to.
  /// @throws EstimationFailure as MakeAbsoluteMotion() and CovarianceOfTorques().
  WalkerLikelihood(const Problem& problem, const std::vector<WalkerRecording>& recordings,
                   const std::vector<FcdMotion>& filtered, const Settings& settings);

  /// Entries of z: for each recording those of its AbsoluteMotion.
  Eigen::Index size() const { return z_size_; }
  /// Residuals, and what remains of them beyond the unknowns.
  Eigen::Index residual_count() const { return rows_ + measurements_; }
  double degrees_of_freedom() const { return static_cast<double>(residual_count() - z_size_ - p_); }
  /// Pseudo-variance of the rows that no motor drives, of the first recording [N²·m²].
  double epsilon() const { return epsilon_; }

  /// S(z), with the β that makes it smallest.
  /// @throws EstimationFailure (rank_deficient) if the motion z does not determine β.
  double SumOfSquares(const Eigen::VectorXd& z, Eigen::VectorXd& beta);

  /// @throws EstimationFailure as SumOfSquares() at z.
  Minimum Minimise(const Eigen::VectorXd& z, const Limits& limits);

  /// Covariance of β̂, to first order: M⁻¹ of the Gauss-Newton matrix M, less what it ascribes to
  /// the rows that no motor drives, which have no errors: (M⁻¹ − M⁻¹·J_fᵀJ_f·M⁻¹)_ββ.
  /// Nothing where M is not positive definite in double precision, far from any sensible minimum.
  std::optional<Eigen::MatrixXd> Covariance(const Minimum& minimum);

 private:
  struct Part {
    std::unique_ptr<WalkerRegressor> regressor;
    std::unique_ptr<AbsoluteMotion> motion;
    std::vector<int> free_rows;
    Eigen::Index samples = 0, first_z = 0;
  };
  /// S and what it is made of at some z.
  struct Point {
    Eigen::VectorXd z, beta;
    double S = 0.0;
    std::vector<AbsoluteMotion::Sample> samples;  ///< Of all parts, one after another.
    BandedArrow::Rows Z;                          ///< Of the torques: rows × p.
    Eigen::MatrixXd gram;                         ///< ZᵀZ
    Eigen::VectorXd e;                            ///< Residuals of the torques.
  };

  void AddRecording(const Problem& problem, const WalkerRecording& recording,
                    const FcdMotion& filtered, const Settings& settings);
  Point MakePoint() const;
  /// All of `point` at its z. False where β is not determined.
  bool Evaluate(Point& point) const;
  /// Makes z the present point. @throws as SumOfSquares().
  void GoTo(const Eigen::VectorXd& z);
  [[noreturn]] void ThrowRankDeficient(const Point& point) const;
  /// Calls use(part, sample, k, row) for each sample k of each part; `row` is the first of its
  /// torques, −1 at the ends.
  template <class Samples, class Use>
  void ForEachSample(Samples& samples, const Use& use) const;
  /// ∂(L⁻¹·Z·β)/∂z at sample k of a part, in the first columns of J_.
  void LineariseTorque(const Part& part, Eigen::Index k, const AbsoluteMotion::Sample& sample,
                       const Eigen::VectorXd& beta);
  void BuildNormalEquations(const Point& point);

  const std::vector<std::string>& names_;
  std::vector<Part> parts_;
  Eigen::Index n_, p_;
  Eigen::Index z_size_ = 0, samples_ = 0, rows_ = 0, measurements_ = 0;
  double epsilon_ = 0.0;
  Eigen::VectorXd y_;  ///< L⁻¹·τ of all rows of torques.
  std::unique_ptr<BandedArrow> arrow_;
  Eigen::MatrixXd derivatives_;
  BandedArrow::Rows J_;
  Point point_, candidate_;
};

}  // namespace idbench
