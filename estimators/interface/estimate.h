#pragma once

#include <Eigen/Core>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace idbench {

/// How an estimation ended. Every outcome but kOk is a failure, reported as data, not
/// as an exception.
enum class Outcome {
  kOk,
  kRankDeficient,  ///< The data do not determine the unknowns.
  kNotConverged,   ///< The iterations reached their limit.
  kDiverged,       ///< The iterations diverged.
  kNonFinite,      ///< The result holds a NaN or an infinity.
  kRefused,        ///< The method does not accept such data or such a problem.
  kCrashed,        ///< An unexpected exception.
};
/// Returns the name that records use: "ok", "rank_deficient", "not_converged" …
std::string_view ToString(Outcome outcome);

/// Result of one estimation.
struct Estimate {
  Outcome outcome = Outcome::kOk;
  std::string reason;  ///< Says why the estimation failed; empty if it did not.
  Eigen::VectorXd x;   ///< Unknowns of the Problem's parametrisation, in its order.
  /// Covariance of x, if the method can vouch for one.
  std::optional<Eigen::MatrixXd> covariance;
  /// Covariance of x before the data, if the method's is not the problem's.
  std::optional<Eigen::MatrixXd> prior_covariance;
  Eigen::VectorXd pi;  ///< Standard parameters π(x); Estimator::Run() fills them in.
  /// Numbers worth recording: condition, iterations, rank … A unit is part of the name.
  std::map<std::string, double> diagnostics;
  /// Sentences worth reading, for example why the method states no covariance.
  std::map<std::string, std::string> notes;

  bool ok() const { return outcome == Outcome::kOk; }
  /// Returns the standard deviations √diag(covariance), in the units of x; nothing
  /// without a covariance.
  std::optional<Eigen::VectorXd> sigma() const;
  /// Returns 100·σ_k/|x_k| [%]: how well the data determine each unknown. Infinite where
  /// x_k = 0 ≠ σ_k, 0 where σ_k = 0; nothing without a covariance.
  std::optional<Eigen::VectorXd> percent_sigma() const;
};

/// Thrown inside a method to end an estimation; Estimator::Run() turns it into a failed Estimate.
class EstimationFailure : public std::runtime_error {
 public:
  EstimationFailure(Outcome outcome, const std::string& reason)
      : std::runtime_error(reason), outcome_(outcome) {}
  Outcome outcome() const { return outcome_; }

 private:
  Outcome outcome_;
};

/// Ends an estimation for data or a problem that the method does not take.
/// @throws EstimationFailure (refused).
[[noreturn]] void Refuse(const std::string& reason);

}  // namespace idbench
