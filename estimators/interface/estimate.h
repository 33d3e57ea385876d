#pragma once

#include <Eigen/Core>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "estimators/interface/series.h"
#include "robots/plant/metered_plant.h"

namespace idbench {

/// Series of an estimate: the unknowns after every sample, over recorded time (see
/// recorded_time.h), NaN where the method failed, and their σ, NaN where none is stated.
inline constexpr std::string_view kParameters = "parameters";
inline constexpr std::string_view kParameterSigma = "parameter_sigma";

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
  kPlantFailed,    ///< There were no data, or no experiments, to estimate from.
};
/// Returns the name that records use: "ok", "rank_deficient", "not_converged" …
std::string_view ToString(Outcome outcome);

/// What shows of x where the structure of robot and equations hides directions of it that the
/// method knows nothing of: combinations B·x.
struct Combinations {
  std::vector<std::string> names;  ///< Of the combinations, r: `link2.Izz`, `link2.Izz_R`.
  std::vector<std::string> units;
  Eigen::MatrixXd B;  ///< r × p, without a common direction among its rows.
  /// p × r, B·basis = 1: x̂ moves by basis·δ where the combinations move by δ.
  Eigen::MatrixXd basis;
  std::optional<Eigen::MatrixXd> covariance;  ///< Of B·x̂, r × r, if the method vouches for one.

  /// Returns the combination that is unknown k alone, or −1: k shows with others or not at all.
  Eigen::Index Alone(Eigen::Index k) const;
};

/// How far x may be off before the data.
struct PriorSpread {
  Eigen::MatrixXd covariance;
  Eigen::MatrixXd unknown = {};  ///< See Parametrisation::Prior::unknown.

  /// Returns that of L·x.
  PriorSpread Of(const Eigen::MatrixXd& L) const;
};

/// Result of one estimation.
struct Estimate {
  Outcome outcome = Outcome::kOk;
  std::string reason;  ///< Says why the estimation failed; empty if it did not.
  Eigen::VectorXd x;   ///< Unknowns of the Problem's parametrisation, in its order.
  /// Covariance of x, if the method can vouch for one.
  std::optional<Eigen::MatrixXd> covariance;
  /// With a covariance in place of `covariance` where the structure hides directions of x.
  std::optional<Combinations> combinations;
  /// That of the method, if it is not the problem's.
  std::optional<PriorSpread> own_prior;
  Eigen::VectorXd pi;  ///< Standard parameters π(x); Estimator::Run() fills them in.
  /// The method knows something, from the covariance of a prior, of directions of x that the
  /// structure of robot and equations hides. Otherwise x is one of many that predict the same, and
  /// where what is hidden is of bodies, single links have no meaning.
  bool knows_hidden = true;
  /// Numbers worth recording: condition, iterations, rank … A unit is part of the name.
  std::map<std::string, double> diagnostics;
  std::vector<Series> series = {};  ///< Those above, where they were asked for.
  std::vector<Labels> labels = {};  ///< What the method recognised.
  /// What a method that experiments asked of its plant, zeros of one that needs neither plant nor
  /// data; nothing for one that reads data.
  std::optional<PlantUse> plant_use = std::nullopt;
  /// Sentences worth reading, for example why the method states no covariance.
  std::map<std::string, std::string> notes;

  bool ok() const { return outcome == Outcome::kOk; }
  /// Returns the standard deviations √diag(covariance), in the units of x; NaN for unknowns that
  /// show in combinations alone, or not at all; nothing without a covariance.
  std::optional<Eigen::VectorXd> sigma() const;
  /// Returns 100·σ_k/|x_k| [%]: how well the data determine each unknown. Infinite where
  /// x_k = 0 ≠ σ_k, 0 where σ_k = 0; NaN as sigma() is; nothing without a covariance.
  std::optional<Eigen::VectorXd> percent_sigma() const;
  /// Returns the covariance L·P·Lᵀ of L·x; nothing without a covariance.
  /// @param L  rows × p, which see nothing of what the structure hides.
  std::optional<Eigen::MatrixXd> CovarianceOf(const Eigen::MatrixXd& L) const;
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

/// What an exception that a method threw makes of its result. Made inside a catch (...) block.
struct CaughtFailure {
  /// @throws std::bad_alloc  if that was caught: the machine's failure, not the method's.
  CaughtFailure();

  Outcome outcome = Outcome::kCrashed;
  std::string reason;
};

/// Ends an estimation for data or a problem that the method does not take.
/// @throws EstimationFailure (refused).
[[noreturn]] void Refuse(const std::string& reason);

}  // namespace idbench
