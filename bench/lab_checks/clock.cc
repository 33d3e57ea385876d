#include <fmt/format.h>

#include <cmath>

#include "bench/lab_checks/cure.h"

namespace idbench {
namespace {

/// Log of the speeds at which a search begins, up to 20 times either way.
constexpr double kLogStep = 0.2;
constexpr int kSteps = 15;
/// Clocks that err by less are rounded rates; inertias of a file err by more.
constexpr double kLeastError = 0.1;

double LossOfClock(const DataChange& now, LabFit& fit, double log_speed) {
  DataChange change = now;
  change.clock_speed *= std::exp(log_speed);
  return fit.SearchLoss(change);
}

double Refined(const DataChange& now, LabFit& fit, double log_speed, double reach) {
  return GoldenSection([&](double x) { return LossOfClock(now, fit, x); }, log_speed, reach, 2e-3);
}

Cure WithClock(const DataChange& now, double log_speed) {
  Cure cure{.check = "clock", .columns = {}, .change = now};
  const double speed = std::exp(log_speed);
  cure.change.clock_speed *= speed;
  cure.value = 1.0 / speed;
  cure.numbers = 1;
  cure.does = fmt::format(
      "with time stamps times {:.3g} (velocities times {:.3g}, accelerations times {:.3g})",
      cure.value, speed, speed * speed);
  cure.advice = fmt::format(
      "check the unit of the time stamps, or the rate that was given for them: the motion takes "
      "{:.3g} times the time that they say (--unit time=…, --rate HZ)",
      cure.value);
  cure.refine = [now, log_speed](LabFit& finer) {
    return WithClock(now, Refined(now, finer, log_speed, 0.5 * kLogStep));
  };
  return cure;
}

}  // namespace

std::vector<Cure> ClockCures(const DataChange& now, LabFit& fit) {
  double best = 0.0, least = LossOfClock(now, fit, 0.0);
  for (int k = -kSteps; k <= kSteps; ++k) {
    if (k == 0) continue;
    const double loss = LossOfClock(now, fit, kLogStep * k);
    if (loss >= least) continue;
    least = loss;
    best = kLogStep * k;
  }
  const double log_speed = Refined(now, fit, best, kLogStep);
  if (std::abs(std::expm1(log_speed)) < kLeastError) return {};
  return {WithClock(now, log_speed)};
}

}  // namespace idbench
