#pragma once

#include <Eigen/Core>
#include <limits>
#include <optional>

#include "scenarios/options/fields.h"

namespace idbench {

/// Rounds of a fit whose row weights follow from the residuals of the fit before:
///
///     Reweighting rounds(options.reweightings);
///     while (rounds.Continue()) {
///       weights = ...;  // from the last fit's residuals
///       rounds.Took(weights);
///       fit with them
///       rounds.Moved(x of that fit, x of the fit before);
///     }
///
/// Ends after a given number of rounds, or once a round changes no weight by more than kTolerance
/// of itself, or does not move the fit: residuals that are round-off change from fit to fit.
/// Weights that follow their own residuals need a floor of the variance or a cap of their ratio, or
/// they collapse onto one row.
class Reweighting {
 public:
  /// Relative change of a weight that counts as none: 1e-6, a thousandth of what the residuals of
  /// a million samples tell of a variance.
  static constexpr double kTolerance = 1e-6;
  /// Part of ‖x‖ by which a fit that counts as the same may differ.
  static constexpr double kSameFit = 1e-9;
  /// Rounds after which weights that still change count as not converging.
  static constexpr int kMostRounds = 200;

  /// @param rounds  how many; absent: until the weights converge.
  explicit Reweighting(std::optional<int> rounds) : wanted_(rounds) {}

  /// Returns true if another round is due.
  /// @throws EstimationFailure (not_converged) if kMostRounds did not suffice.
  bool Continue() const;
  /// Counts a round. @param weights  w_j > 0, scaled as those of all other rounds.
  void Took(const Eigen::VectorXd& weights);

  /// Tells what the round's fit changed.
  void Moved(const Eigen::VectorXd& x, const Eigen::VectorXd& before) {
    same_fit_ = (x - before).norm() <= kSameFit * x.norm();
  }

  /// Returns the number of rounds so far.
  int rounds() const { return rounds_; }
  /// Returns max_j |w_j/w_j,before − 1| of the last round; infinite before the second.
  double change() const { return change_; }

 private:
  std::optional<int> wanted_;
  Eigen::VectorXd weights_;
  double change_ = std::numeric_limits<double>::infinity();
  int rounds_ = 0;
  bool same_fit_ = false;
};

/// Adds the field `reweightings` to a method's table.
void AddReweightings(std::optional<int>& reweightings, FieldTable& table);

}  // namespace idbench
