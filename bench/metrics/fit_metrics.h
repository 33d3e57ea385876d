#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "bench/metrics/identified_model.h"
#include "bench/metrics/metric_value.h"
#include "bench/trial/trial_data.h"
#include "estimators/interface/row_mask.h"

namespace idbench {

/// What an estimate leaves of the data that it was identified from, in the declared noise:
///
///   S = Σ_samples Σ_rows ((y − ŷ)/σ)²,   ν = E S,
///
/// with ŷ the prediction of the problem's equations by the estimate, σ that of one sample of each
/// row, ν the number of these rows less r (less what FreedomOfResiduals() takes, where the
/// processing correlates the noise), and r the number of directions of x that the equations can
/// tell apart (the base parameters, or all of x if they are fewer). Rows in a dead zone do not
/// count. If model and σ hold and the noise is white and normal, S of a fit without a prior is χ²
/// with ν degrees of freedom; a prior keeps a part of r back, so that S is larger by less than r.
///
/// Holds its own scratch: use one object per thread.
class FitMetrics {
 public:
  /// Sums over samples, per row.
  struct RowSums {
    Eigen::VectorXd left;    ///< Σ (y − ŷ)²
    Eigen::VectorXd signal;  ///< Σ y²
  };
  /// What the prior's mean leaves of one trial's data, once that was asked for: an object a trial.
  using PriorFit = std::optional<RowSums>;

  /// @param problem, asked  of the cell: its considered parameters as indices into π. Both must
  ///         outlive this.
  /// @param absent  why no one estimate fits the data; "" if one may.
  FitMetrics(const Problem& problem, const std::vector<int>& asked, std::string absent = "");

  /// Selects a trial; `data` must outlive the calls below.
  void SetTrial(const TrialData& data);

  /// Returns S with `count` ν. Absent where rows do not depend on π, or not all of them have a
  /// declared σ above 0; failed where the data do not align or leave no degree of freedom.
  /// @param checkpoint_s  recorded time of the estimate [s]; infinite for the end.
  MetricValue ChiSquare(const Estimate& estimate, double checkpoint_s);

  /// Returns how many times the declared variance the data have beside the estimate: S/ν of
  /// ChiSquare(), at least 1, and 1 where there is none.
  double Misfit(const Estimate& estimate);

  /// Returns a sentence if an estimate leaves more of the data than the prior's mean does, by more
  /// than kWorseThanPrior in the root of Σ_samples Σ_rows ((y − ŷ)/s)²; "" if it does not, or
  /// without a prior or such sums. s is the declared σ or, unless all rows have one above 0, the
  /// root mean square of a row's y: what such an estimate ends at cannot be better than its start,
  /// whatever the method says of it.
  /// @param of_trial  filled in where it is empty; of the selected trial otherwise.
  std::string WorseThanPrior(const Estimate& estimate, PriorFit& of_trial);

 private:
  /// Σ ((y − ŷ)/σ)² and the numbers of its terms.
  struct Sum {
    double squares = 0.0;
    Eigen::VectorXd counts;  ///< Per row.
  };
  /// y and y − ŷ of a dataset, samples × rows; NaN where a row does not count.
  struct Rows {
    Eigen::MatrixXd measured, left;
  };
  /// @throws EstimationFailure (refused) if the channels do not align.
  Rows RowsOf(const Dataset& dataset, const Eigen::VectorXd& p);
  void Add(const Dataset& dataset, const Eigen::VectorXd& p, Sum& sum);
  RowSums SumsOf(const Eigen::VectorXd& p);
  /// Returns r.
  int Directions();

  const Problem& problem_;
  const std::vector<int>& asked_;
  std::vector<EquationRows> equations_;  ///< In the order of rows.
  Eigen::RowVectorXd inverse_sigma_;     ///< Of all rows; empty if not all have one above 0.
  std::string no_fit_;                   ///< Why no π leaves anything; "" if each does.
  std::string absent_;                   ///< Why there is no sum over σ; "" if there is one.
  RowMask mask_;
  IdentifiedModel model_;
  std::optional<int> directions_;
  const TrialData* data_ = nullptr;
};

}  // namespace idbench
