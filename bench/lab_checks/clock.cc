#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "bench/lab_checks/cure.h"
#include "bench/lab_checks/speed_limits.h"

namespace idbench {
namespace {

/// Log of the speeds at which a search begins, up to 20 times either way.
constexpr double kLogStep = 0.2;
constexpr int kSteps = 15;

/// What a clock is chosen by.
using LossOf = double (*)(const DataChange&, LabFit&);

double LossOfStructure(const DataChange& change, LabFit& fit) { return fit.SearchLoss(change); }
double LossOfFile(const DataChange& change, LabFit& fit) { return fit.File(change).Loss(); }

DataChange WithSpeed(const DataChange& now, double log_speed) {
  DataChange change = now;
  change.clock_speed *= std::exp(log_speed);
  return change;
}

double Refined(const DataChange& now, LabFit& fit, LossOf loss, double log_speed, double reach) {
  return GoldenSection([&](double x) { return loss(WithSpeed(now, x), fit); }, log_speed, reach,
                       2e-3);
}

/// Words and value are of the whole change, not of its last step.
Cure WithClock(const DataChange& now, LossOf loss, double log_speed) {
  Cure cure{.check = "clock", .columns = {}, .change = WithSpeed(now, log_speed)};
  const double speed = cure.change.clock_speed;
  const int digits = loss == &LossOfFile ? 2 : 3;
  cure.value = 1.0 / speed;
  cure.numbers = 1;
  cure.does = fmt::format(
      "with time stamps times {:.{}g} (velocities times {:.{}g}, accelerations times {:.{}g})",
      cure.value, digits, speed, digits, speed * speed, digits);
  cure.advice = fmt::format(
      "check the unit of the time stamps, or the rate that was given for them: the motion takes "
      "{:.{}g} times the time that they say (--unit time=…, --rate HZ)",
      cure.value, digits);
  cure.refine = [now, loss, log_speed](LabFit& finer) {
    return WithClock(now, loss, Refined(now, finer, loss, log_speed, 0.5 * kLogStep));
  };
  if (loss == &LossOfFile) return cure;  // which other changes hardly shift
  cure.anew = [](const DataChange& all, LabFit& finer) {
    return WithClock(all, &LossOfStructure, Refined(all, finer, &LossOfStructure, 0.0, kLogStep));
  };
  return cure;
}

std::optional<Cure> BestClock(const DataChange& now, LabFit& fit, LossOf loss, double least_error) {
  double best = 0.0, least = loss(now, fit);
  for (int k = -kSteps; k <= kSteps; ++k) {
    if (k == 0) continue;
    const double of_step = loss(WithSpeed(now, kLogStep * k), fit);
    if (of_step >= least) continue;
    least = of_step;
    best = kLogStep * k;
  }
  const double log_speed = Refined(now, fit, loss, best, kLogStep);
  if (std::abs(log_speed) < std::log1p(least_error)) return std::nullopt;
  if (std::abs(log_speed) > kLogStep * kSteps) return std::nullopt;  // no best one
  if (log_speed > 0.0 &&
      IsTooFast(fit.robot(), fit.rows().processed(), WithSpeed(now, log_speed))) {
    return std::nullopt;
  }
  return WithClock(now, loss, log_speed);
}

}  // namespace

std::vector<Cure> ClockCures(const DataChange& now, LabFit& fit) {
  std::optional<Cure> cure = BestClock(now, fit, &LossOfStructure, kLeastClockError);
  if (!cure) return {};
  return {std::move(*cure)};
}

std::optional<Cure> ClockOfFile(const DataChange& now, LabFit& fit, double least_error) {
  if (fit.guessed()) return std::nullopt;
  return BestClock(now, fit, &LossOfFile, least_error);
}

}  // namespace idbench
