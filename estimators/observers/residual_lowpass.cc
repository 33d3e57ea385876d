#include "estimators/observers/residual_lowpass.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "robots/recording/filter.h"
#include "robots/recording/resample.h"

namespace idbench {
namespace {

/// Largest deviation of a step from the median step, as a part of it: that of processing, too.
constexpr double kMostJitter = 0.01;
/// Digits of the rate, as a power of ten: how many of uniform stamps there are does not change it.
constexpr double kDigitsOfRate = 1e9;

double RateOf(const Eigen::VectorXd& time_s, const std::string& label) {
  const double rate_hz = NominalRate(time_s);
  if (const double jitter = LargestJitter(time_s); jitter > kMostJitter) {
    Refuse(
        fmt::format("{}: \"lowpass\" takes uniform time, and a step differs by {:.2g} % from the "
                    "median step of {:.4g} s; set /processing/resample_rate_hz",
                    label, 100.0 * jitter, 1.0 / rate_hz));
  }
  const double unit = std::pow(10.0, std::floor(std::log10(rate_hz))) / kDigitsOfRate;
  return std::round(rate_hz / unit) * unit;
}

/// Puts a number where one is missing, from x[before] to x[after]; one of them may be −1.
void Bridge(Eigen::Ref<Eigen::VectorXd> x, Eigen::Index before, Eigen::Index after, bool straight) {
  const Eigen::Index first = before + 1, end = after < 0 ? x.size() : after;
  for (Eigen::Index k = first; k < end; ++k) {
    if (before < 0) {
      x[k] = x[after];
    } else if (after < 0 || !straight) {
      x[k] = x[before];
    } else {
      const double part = static_cast<double>(k - before) / static_cast<double>(after - before);
      x[k] = x[before] + part * (x[after] - x[before]);
    }
  }
}

/// Bridges all gaps of a row, of which at least one number is there.
void BridgeGaps(Eigen::Ref<Eigen::VectorXd> x, bool straight) {
  Eigen::Index last = -1;
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    if (std::isnan(x[k])) continue;
    Bridge(x, last, k, straight);
    last = k;
  }
  Bridge(x, last, -1, straight);
}

}  // namespace

FieldTable Visit(ResidualLowpassOptions& o) {
  FieldTable table;
  table.Add(
      "cutoff_hz", o.cutoff_hz,
      {.doc = "Half-power frequency of one pass", .unit = "Hz", .lower = 0.0, .lower_open = true});
  table.Add("order", o.order, {.doc = "Order of one pass", .lower = 1, .upper = 20});
  table.Add("zero_phase", o.zero_phase,
            {.doc = "Filter forward and backward, without delay, by which the observer depends on "
                    "later samples; otherwise forward alone"});
  return table;
}

EstimatorNeeds FilteredNeeds(const std::optional<ResidualLowpassOptions>& lowpass) {
  EstimatorNeeds needs = ArmNeeds();
  if (lowpass) needs.cutoff_hz = lowpass->cutoff_hz;
  return needs;
}

void FilterResidual(const ResidualLowpassOptions& options, const std::string& label,
                    ModelResidual& residual) {
  const Eigen::Index samples = residual.r.rows();
  if (samples < 2 && !options.zero_phase) return;  // in the steady state of its only sample
  // ButterworthLowpass::default_padding(), before there is a rate.
  const Eigen::Index padding = 3 * (Eigen::Index{options.order} + 1);
  if (options.zero_phase && samples <= padding) {
    Refuse(
        fmt::format("{}: a \"lowpass\" of zero phase and order {} takes more than {} samples, "
                    "there are {}",
                    label, options.order, padding, samples));
  }
  const double rate_hz = RateOf(residual.time_s, label);
  if (options.cutoff_hz >= 0.5 * rate_hz) {
    Refuse(
        fmt::format("{}: the cutoff_hz of \"lowpass\" is {:g}, at {:.4g} Hz less than half of "
                    "that is accepted",
                    label, options.cutoff_hz, rate_hz));
  }
  const ButterworthLowpass filter(options.order, options.cutoff_hz, rate_hz);
  const Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic> missing = residual.r.array().isNaN();
  for (Eigen::Index row = 0; row < residual.r.cols(); ++row) {
    if (!missing.col(row).all()) BridgeGaps(residual.r.col(row), options.zero_phase);
  }
  if (options.zero_phase) {
    filter.ApplyZeroPhase(residual.r);
  } else {
    const Eigen::RowVectorXd first = residual.r.row(0);
    filter.ApplyCausal(residual.r);
    residual.r.row(0) = first;  // steady: not by rounding another one where it is the only one
  }
  residual.r = missing.select(std::numeric_limits<double>::quiet_NaN(), residual.r);
}

}  // namespace idbench
