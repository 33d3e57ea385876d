#pragma once

#include <string>
#include <vector>

#include "reports/run/summary.h"

namespace idbench {

/// Step function: `fraction[k]` of the cells have a ratio of at most `ratio[k]`.
struct ProfileCurve {
  std::string label;             ///< Label of the estimator.
  std::vector<double> ratio;     ///< Strictly increasing, finite.
  std::vector<double> fraction;  ///< Of all cells; ends below 1 if the estimator failed in some.
};

/// Computes performance profiles over the cells of a run: ρ(τ) = fraction of the cells in which an
/// estimator's median of `metric` over the trials is at most τ times that of the reference.
///
/// The reference is fixed, not the best of each cell as in Dolan & Moré, Mathematical Programming
/// 91, 2002, so that a curve does not depend on the other estimators (Gould & Scott, ACM TOMS
/// 43(2), 2016, show why it must not). A median that failures decide is +∞ and counts for no τ; if
/// the reference's median is +∞, an estimator with a finite one has the ratio 0.
///
/// @param metric  full name, of a metric of which less is better; its overall value counts.
/// @return one curve per estimator that has the metric in a cell, in the run's order.
/// @throws std::invalid_argument if the reference is no estimator of the run.
std::vector<ProfileCurve> PerformanceProfiles(const Summary& summary, const std::string& metric,
                                              const std::string& reference);

}  // namespace idbench
