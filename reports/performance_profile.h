#pragma once

#include <string>
#include <vector>

#include "reports/summary.h"

namespace idbench {

/// A step function: `fraction[k]` of the cells have a ratio of at most `ratio[k]`.
struct ProfileCurve {
  std::string label;             ///< Of the estimator.
  std::vector<double> ratio;     ///< Increasing, each once, finite.
  std::vector<double> fraction;  ///< Of all cells; ends below 1 where the estimator failed.
};

/// Performance profiles over the cells of a run: ρ(τ) = part of the cells in which an estimator's
/// median of `metric` over the trials is at most τ times that of the reference.
///
/// The reference is fixed, not the best of each cell as in Dolan & Moré, Mathematical Programming
/// 91, 2002: a curve does not change with the company that it is in (Gould & Scott, ACM TOMS 43(2),
/// 2016, show that it must not). A median that failures decide is +∞ and counts in no τ; where the
/// reference's is, whoever has one is infinitely better, a ratio of 0.
///
/// @param metric  full name, of one that is better the smaller it is; its overall value counts.
/// @returns one curve per estimator that has the metric in a cell, in the run's order.
/// @throws std::invalid_argument if the reference is no estimator of the run.
std::vector<ProfileCurve> PerformanceProfiles(const Summary& summary, const std::string& metric,
                                              const std::string& reference);

}  // namespace idbench
