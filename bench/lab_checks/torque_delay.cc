#include <fmt/format.h>

#include <cmath>

#include "bench/lab_checks/cure.h"

namespace idbench {
namespace {

/// Where a search begins [s].
constexpr double kGridSeconds[] = {0.002, -0.002, 0.005, -0.005, 0.01, -0.01,
                                   0.02,  -0.02,  0.04,  -0.04,  0.08, -0.08};
/// Shorter ones bias friction less than its own shape does [s].
constexpr double kLeastDelay = 0.5e-3;

double LossOfDelay(const DataChange& now, LabFit& fit, double delay) {
  DataChange change = now;
  change.torque_delay_s += delay;
  return fit.SearchLoss(change);
}

void WordDelay(Cure& cure) {
  const bool late = cure.value > 0.0;
  const double milliseconds = 1e3 * std::abs(cure.value);
  cure.does = fmt::format("with torques {:.2g} ms {}", milliseconds, late ? "earlier" : "later");
  cure.advice = fmt::format(
      "torques are {0:.2g} ms {1} beside positions: shift their time stamps by {2}{0:.2g} ms. A "
      "torque that is held over a sample belongs half a sample later; a filter of one of them "
      "delays it",
      milliseconds, late ? "late" : "early", late ? "−" : "+");
}

/// Words and value are of the whole change, not of its last step.
Cure Delayed(const DataChange& now, double delay) {
  Cure cure{.check = "torque_delay", .columns = {}, .change = now};
  cure.change.torque_delay_s += delay;
  cure.value = cure.change.torque_delay_s;
  cure.numbers = 1;
  cure.least_gain = 0.05;
  WordDelay(cure);
  cure.refine = [now, delay](LabFit& finer) {
    const double reach = std::max(0.002, 0.3 * std::abs(delay));
    return Delayed(now, GoldenSection([&](double x) { return LossOfDelay(now, finer, x); }, delay,
                                      reach, 1e-4));
  };
  cure.anew = [](const DataChange& all, LabFit& finer) {
    return Delayed(
        all, GoldenSection([&](double x) { return LossOfDelay(all, finer, x); }, 0.0, 0.005, 1e-4));
  };
  return cure;
}

}  // namespace

std::vector<Cure> TorqueDelayCures(const DataChange& now, LabFit& fit) {
  double best = 0.0, least = LossOfDelay(now, fit, 0.0);
  for (const double delay : kGridSeconds) {
    const double loss = LossOfDelay(now, fit, delay);
    if (loss >= least) continue;
    least = loss;
    best = delay;
  }
  const double reach = std::max(0.003, std::abs(best));
  const double delay =
      GoldenSection([&](double x) { return LossOfDelay(now, fit, x); }, best, reach, 2e-4);
  if (std::abs(delay) < kLeastDelay || std::abs(delay) > LabRows::kLongestDelay) return {};
  return {Delayed(now, delay)};
}

}  // namespace idbench
