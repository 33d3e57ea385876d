#pragma once

#include <optional>
#include <string>

#include "estimators/interface/estimator.h"
#include "estimators/observers/model_residual.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Butterworth low-pass of residual rows, see ButterworthLowpass.
struct ResidualLowpassOptions {
  double cutoff_hz = 4.0;
  int order = 4;
  bool zero_phase = true;

  bool operator==(const ResidualLowpassOptions&) const = default;
};
FieldTable Visit(ResidualLowpassOptions& options);
/// Returns ArmNeeds() of an observer with that low-pass: data of a rate that it takes.
EstimatorNeeds FilteredNeeds(const std::optional<ResidualLowpassOptions>& lowpass);

/// Filters each row of a residual over time, in place. To filter r = y − W·π is to filter both
/// sides of its equation, friction columns among them:
///
///   F·r = F·y − (F·W)·π,
///
/// F forward and backward ("zero phase": no delay, gain |H|², depends on later samples), or forward
/// alone (causal). Ends and beginnings are those of ButterworthLowpass: an odd reflection and the
/// steady state of the first sample.
///
/// A number that is missing stays so. For the filter it lies on the straight line between its
/// neighbours in time (zero phase), or is the last one before it (causal); before the first number
/// of a row it is that one, behind the last one that. The filter is designed for the median step,
/// to 9 digits: it is the only thing that all stamps decide.
///
/// @param label  of the dataset, for messages.
/// @throws EstimationFailure (refused) if a step differs from the median step by more than 1 %, the
///         cut-off is not below half the rate, or a filter of zero phase has no more samples than
///         ButterworthLowpass::default_padding().
void FilterResidual(const ResidualLowpassOptions& options, const std::string& label,
                    ModelResidual& residual);

}  // namespace idbench
