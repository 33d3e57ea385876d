#include "estimators/solvers/parallel_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "estimators/interface/estimate.h"

namespace idbench {
namespace {

/// A low-pass leaves about this many independent samples per period of its cut-off.
constexpr double kSamplesPerCutoff = 2.5;
/// Share of a step by which time may jitter, and of a rate by which it may miss a round ratio.
constexpr double kRateTolerance = 0.01;

double CheckedRate(const ParallelFilter& options, const AlignedView& view) {
  if (view.size() < 2) Refuse(fmt::format("{} samples are too few to filter", view.size()));
  if (!view.IsUniform(kRateTolerance)) {
    Refuse(
        "the parallel filter needs uniform time: resample the recording "
        "(/processing/resample_rate_hz)");
  }
  const double rate_hz = view.nominal_rate_hz();
  if (options.cutoff_hz >= 0.5 * rate_hz) {
    Refuse(
        fmt::format("the parallel filter's cut-off of {} Hz is not below half the sample rate "
                    "of {:.6g} Hz",
                    options.cutoff_hz, rate_hz));
  }
  return rate_hz;
}

}  // namespace

FieldTable Visit(ParallelFilter& o) {
  FieldTable table;
  table
      .Add("cutoff_hz", o.cutoff_hz,
           {.doc = "Half-power frequency of each of the two passes",
            .unit = "Hz",
            .lower = 0.0,
            .lower_open = true})
      .Add("order", o.order, {.doc = "Order of each of the two passes", .lower = 1, .upper = 20});
  return table;
}

void AddParallelFilter(std::optional<ParallelFilter>& filter, FieldTable& table) {
  table.Add("parallel_filter", filter,
            {.doc = "Low-pass applied alike to the measured side and to every column of the "
                    "regressor; null: none"});
}

EstimatorNeeds FilteredNeeds(const std::optional<ParallelFilter>& filter, Capabilities more) {
  EstimatorNeeds needs = ArmNeeds(more);
  if (filter) needs.cutoff_hz = filter->cutoff_hz;
  return needs;
}

DecimatingLowpass::DecimatingLowpass(const ParallelFilter& options, const AlignedView& view)
    : lowpass_(options.order, options.cutoff_hz, CheckedRate(options, view)) {
  const double ratio = lowpass_.rate_hz() / (kSamplesPerCutoff * options.cutoff_hz);
  step_ = std::max<Eigen::Index>(
      1, static_cast<Eigen::Index>(std::ceil(ratio * (1.0 - kRateTolerance))));
  if (view.size() <= std::max(2 * edge_samples(), lowpass_.default_padding())) {
    Refuse(
        fmt::format("{} samples are too few for a low-pass at {} Hz, which spoils {} at each end",
                    view.size(), options.cutoff_hz, edge_samples()));
  }
}

Eigen::MatrixXd DecimatingLowpass::Apply(Eigen::MatrixXd columns) const {
  lowpass_.ApplyZeroPhase(columns);
  const Eigen::Index last = columns.rows() - edge_samples() - 1;
  return columns(Eigen::seq(edge_samples(), last, step_), Eigen::all);
}

}  // namespace idbench
