#include "reports/charts/performance_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace idbench {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const MetricSummary* FindOverall(const EstimatorSummary& estimator, const std::string& metric) {
  const MetricSummary* found = estimator.Find(metric);
  return found != nullptr && found->overall ? found : nullptr;
}

/// The median, +∞ where failures decide it or nothing is left.
double MedianOf(const EstimatorSummary& estimator, const std::string& metric) {
  const MetricSummary* found = FindOverall(estimator, metric);
  return found != nullptr ? found->overall->median.value_or(kInfinity) : kInfinity;
}

double Ratio(double value, double reference) {
  if (std::isinf(value)) return kInfinity;
  if (std::isinf(reference)) return 0.0;
  return value == reference ? 1.0 : value / reference;  // 0/0: both are perfect.
}

ProfileCurve CurveOf(const std::string& label, std::vector<double> ratios) {
  ProfileCurve curve{label, {}, {}};
  std::ranges::sort(ratios);
  for (std::size_t k = 0; k < ratios.size() && std::isfinite(ratios[k]); ++k) {
    const double fraction = static_cast<double>(k + 1) / static_cast<double>(ratios.size());
    if (!curve.ratio.empty() && curve.ratio.back() == ratios[k]) {
      curve.fraction.back() = fraction;
    } else {
      curve.ratio.push_back(ratios[k]);
      curve.fraction.push_back(fraction);
    }
  }
  return curve;
}

}  // namespace

std::vector<ProfileCurve> PerformanceProfiles(const Summary& summary, const std::string& metric,
                                              const std::string& reference) {
  if (summary.cells.empty()) return {};
  const std::vector<EstimatorSummary>& estimators = summary.cells.front().estimators;
  const auto found = std::ranges::find(estimators, reference, &EstimatorSummary::label);
  if (found == estimators.end()) {
    throw std::invalid_argument(fmt::format(
        "PerformanceProfiles: got the reference \"{}\", accepted is an estimator of the run",
        reference));
  }
  const auto r = static_cast<std::size_t>(found - estimators.begin());
  std::vector<ProfileCurve> curves;
  for (std::size_t e = 0; e < estimators.size(); ++e) {
    const bool applies = std::ranges::any_of(summary.cells, [&](const CellSummary& cell) {
      return FindOverall(cell.estimators[e], metric) != nullptr;
    });
    if (!applies) continue;
    std::vector<double> ratios;
    for (const CellSummary& cell : summary.cells) {
      ratios.push_back(
          Ratio(MedianOf(cell.estimators[e], metric), MedianOf(cell.estimators[r], metric)));
    }
    curves.push_back(CurveOf(estimators[e].label, std::move(ratios)));
  }
  return curves;
}

}  // namespace idbench
