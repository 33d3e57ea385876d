#pragma once

#include <string>

#include "bench/trial/data_source.h"
#include "scenarios/scenario.h"

namespace idbench {

/// Greatest bᵀP⁻¹b/n beside which the covariance P is said to hold: NEES is then 1.05 at most.
inline constexpr double kCoveredFilterBias = 0.05;

/// What processing without any noise does to a fit.
struct FilterBias {
  double squared = 0.0;   ///< bᵀP⁻¹b/n of n unknowns, with P⁻¹ the information of the data.
  std::string worst;      ///< Name of the unknown with the greatest |b_k|/σ_k.
  double in_sigma = 0.0;  ///< That ratio.
};

/// Returns the bias b that processing gives to weighted least squares: its estimate from processed
/// data less that from data as recorded, both without any sensor effect, with declared σ. It is not
/// 0 because the equations are not linear in the state, W(F q) ≠ F W(q), and where only one side of
/// them is filtered.
///
/// @param datasets  processed, without sensor effects; likewise `recorded` before the processing.
/// @param about     unknowns to which directions go that the data do not show.
/// @throws EstimationFailure as LinearRegression does.
FilterBias BiasOfProcessing(const Problem& problem, const std::vector<Dataset>& datasets,
                            const std::vector<Dataset>& recorded, const Eigen::VectorXd& about);

/// Returns a sentence where σ does not cover that bias in a simulated trial; "" where it does,
/// where nothing is filtered, interpolated or differentiated, and where no σ is declared or the
/// unknowns are not affine.
/// @param source  of simulated data.
std::string FilterBiasMark(const Scenario& scenario, const DataSource& source,
                           const TrialData& first);

}  // namespace idbench
