#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "estimators/interface/problem.h"
#include "estimators/solvers/banded_arrow.h"
#include "estimators/walkers/absolute_motion.h"

namespace idbench {

/// Likelihood of a walker's recordings with the absolute angle unknown at every sample, (33):
///   S(z, β) = Σ_k ‖L⁻¹·(τ_k − Z_k(z)·β)‖² + Σ (y − f(z))²/σ²,  Σ_τ = L·Lᵀ of TorqueCovariance.
/// The first sum runs over the samples at which the angle has derivatives, the second over all its
/// measurements. The derivatives are differences of z, so nothing is integrated.
///
/// S is quadratic in β, which is eliminated: S(z) = min_β S(z, β), (45). Levenberg-Marquardt
/// steps of z and β together, with a banded arrow matrix, find the minimum; after each step β is
/// solved for again (Golub & Pereyra, Inverse Problems 19(2), 2003: variable projection in
/// Kaufman's form).
class WalkerLikelihood {
 public:
  /// See MleOptions.
  struct Settings {
    AngleSensor absolute_angle;
    DifferenceRule differences;
    double free_row_variance_ratio;
  };
  /// When to stop.
  struct Limits {
    int iterations;
    /// Predicted decrease of S, over the larger of S and its degrees of freedom, that
    /// ends the search.
    double tolerance;
  };
  /// Last point of a search, and whether it is a minimum.
  struct Minimum {
    Eigen::VectorXd z, beta;
    double S = 0.0;
    int iterations = 0;
    bool converged = false;
  };

  /// @param problem     kept by reference; must outlive this object.
  /// @param recordings  read with ChannelsOf() the sensor; need not outlive the call.
  /// @param filtered    one motion per recording; need not outlive the call.
  /// @throws EstimationFailure as MakeAbsoluteMotion(), DeclaredSigma() and
  ///         CovarianceOfTorques() do.
  WalkerLikelihood(const Problem& problem, const std::vector<WalkerRecording>& recordings,
                   const std::vector<FcdMotion>& filtered, const Settings& settings);

  /// Returns the size of z, which holds the unknowns of each recording's AbsoluteMotion in turn.
  Eigen::Index size() const { return z_size_; }
  /// Return the number of residuals, and its excess over the number of unknowns.
  Eigen::Index residual_count() const { return rows_ + measurements_; }
  double degrees_of_freedom() const { return static_cast<double>(residual_count() - z_size_ - p_); }
  /// Returns the pseudo-variance of the rows that no motor drives, for the first recording [N²·m²].
  double epsilon() const { return epsilon_; }

  /// Returns S(z) = min_β S(z, β).
  /// @param[out] beta  the minimising β.
  /// @throws EstimationFailure (rank_deficient) if the motion z does not determine β.
  double SumOfSquares(const Eigen::VectorXd& z, Eigen::VectorXd& beta);

  /// Minimises S from `z`.
  /// @throws EstimationFailure as SumOfSquares() does at `z`.
  Minimum Minimise(const Eigen::VectorXd& z, const Limits& limits);

  /// Returns the covariance of β̂, to first order: with M the Gauss-Newton matrix, the β block of
  /// M⁻¹ − M⁻¹·J_fᵀJ_f·M⁻¹. The second term removes what M ascribes to the rows that no motor
  /// drives, which have no errors. Returns nothing if M is not positive definite in double
  /// precision, as happens far from any sensible minimum.
  std::optional<Eigen::MatrixXd> Covariance(const Minimum& minimum);

 private:
  struct Part {
    std::unique_ptr<WalkerRegressor> regressor;
    std::unique_ptr<AbsoluteMotion> motion;
    std::vector<int> free_rows;
    Eigen::Index samples = 0, first_z = 0;
  };
  /// S and its parts at some z.
  struct Point {
    Eigen::VectorXd z, beta;
    double S = 0.0;
    std::vector<AbsoluteMotion::Sample> samples;  ///< Of all parts, one after another.
    BandedArrow::Rows Z;                          ///< L⁻¹·Z of all torque rows: rows × p.
    Eigen::MatrixXd gram;                         ///< ZᵀZ
    Eigen::VectorXd e;                            ///< Residuals of the torque rows.
  };

  void AddRecording(const Problem& problem, const WalkerRecording& recording,
                    const FcdMotion& filtered, const Settings& settings);
  Point MakePoint() const;
  /// Evaluates `point` at its z. Returns false if z does not determine β.
  bool Evaluate(Point& point) const;
  /// Evaluates the present point at z. @throws as SumOfSquares().
  void GoTo(const Eigen::VectorXd& z);
  [[noreturn]] void ThrowRankDeficient(const Point& point) const;
  /// Calls use(part, sample, k, row) for each sample k of each part; `row` is its first torque row,
  /// −1 for samples without derivatives.
  template <class Samples, class Use>
  void ForEachSample(Samples& samples, const Use& use) const;
  /// Computes ∂(L⁻¹·Z·β)/∂z at sample k of a part, in the first columns of J_.
  void LineariseTorque(const Part& part, Eigen::Index k, const AbsoluteMotion::Sample& sample,
                       const Eigen::VectorXd& beta);
  void BuildNormalEquations(const Point& point);

  const std::vector<std::string>& names_;
  std::vector<Part> parts_;
  Eigen::Index n_, p_;
  Eigen::Index z_size_ = 0, samples_ = 0, rows_ = 0, measurements_ = 0;
  double epsilon_ = 0.0;
  Eigen::VectorXd y_;  ///< L⁻¹·τ of all torque rows.
  std::unique_ptr<BandedArrow> arrow_;
  Eigen::MatrixXd derivatives_;
  BandedArrow::Rows J_;
  Point point_, candidate_;
};

}  // namespace idbench
