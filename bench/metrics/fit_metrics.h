#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "bench/cell/trial_data.h"
#include "bench/metrics/identified_model.h"
#include "bench/metrics/metric_value.h"
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

 private:
  /// Σ ((y − ŷ)/σ)² and the numbers of its terms.
  struct Sum {
    double squares = 0.0;
    Eigen::VectorXd counts;  ///< Per row.
  };
  /// @throws EstimationFailure (refused) if the channels do not align.
  void Add(const Dataset& dataset, const Eigen::VectorXd& p, Sum& sum);
  /// Returns r.
  int Directions();

  const Problem& problem_;
  const std::vector<int>& asked_;
  std::vector<EquationRows> equations_;  ///< In the order of rows.
  Eigen::RowVectorXd inverse_sigma_;     ///< Of all rows.
  std::string absent_;                   ///< Why there is no sum; "" if there is one.
  RowMask mask_;
  IdentifiedModel model_;
  std::optional<int> directions_;
  const TrialData* data_ = nullptr;
};

}  // namespace idbench
