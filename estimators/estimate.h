#pragma once

#include <Eigen/Core>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace idbench {

/// How an estimation ended. All but kOk are failures: data, not exceptions.
enum class Outcome {
  kOk,
  kRankDeficient,  ///< The data do not determine the unknowns.
  kNotConverged,   ///< Iterations ran out.
  kDiverged,       ///< Iterations ran away.
  kNonFinite,      ///< The result holds a NaN or an infinity.
  kRefused,        ///< The data or the problem are not of a kind that the method takes.
  kCrashed,        ///< An unexpected exception.
};
/// "ok", "rank_deficient", "not_converged" …, as in records.
std::string_view ToString(Outcome outcome);

/// What an estimator found.
struct Estimate {
  Outcome outcome = Outcome::kOk;
  std::string reason;  ///< A sentence, where the outcome is a failure.
  Eigen::VectorXd x;   ///< The unknowns of the Problem's parametrisation.
  /// Covariance of x, where the method can stand by one.
  std::optional<Eigen::MatrixXd> covariance;
  Eigen::VectorXd pi;  ///< Standard parameters, π(x); filled in by Estimator::Run().
  /// Numbers worth keeping: condition, iterations, rank … Units in their names.
  std::map<std::string, double> diagnostics;
  /// Sentences worth reading, e.g. why no covariance is stated.
  std::map<std::string, std::string> notes;

  bool ok() const { return outcome == Outcome::kOk; }
  /// √diag of the covariance.
  std::optional<Eigen::VectorXd> sigma() const;
  /// 100·σ_k/|x_k| [%]: how well the data determine each unknown; infinite where x_k = 0 ≠ σ_k, and
  /// 0 where both are 0.
  std::optional<Eigen::VectorXd> percent_sigma() const;
};

/// Ends an estimation; Estimator::Run() turns it into a failed Estimate.
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
