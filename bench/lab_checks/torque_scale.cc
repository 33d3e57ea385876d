#include <fmt/format.h>

#include <cmath>

#include "bench/lab_checks/cure.h"

namespace idbench {
namespace {

/// Factors within this of 1 are what torque sensors and constants of motors are known to.
constexpr double kLeastScale = 0.1;

double LossOf(const DataChange& now, LabFit& fit, int column, double log_scale) {
  DataChange change = now;
  change.torque_scale[column] *= std::exp(log_scale);
  return fit.SearchLoss(change);
}

}  // namespace

double BestLogScale(const DataChange& now, LabFit& fit, int column, double start, double step) {
  double best = start, least = LossOf(now, fit, column, start);
  while (step > 2e-3) {
    const double middle = best;
    for (int k = -10; k <= 10; ++k) {
      if (k == 0) continue;
      const double loss = LossOf(now, fit, column, middle + step * k);
      if (loss >= least) continue;
      least = loss;
      best = middle + step * k;
    }
    step /= 7.0;
  }
  return best;
}

namespace {

Cure Scaled(const DataChange& now, const LabFit& fit, int column, double log_scale) {
  const std::string& joint = fit.robot().model.link(column).joint;
  const double scale = std::exp(log_scale);
  Cure cure{.check = "torque_scale", .columns = {column}, .change = now};
  cure.change.torque_scale[column] *= scale;
  cure.value = scale;
  cure.numbers = 1;
  cure.does = fmt::format("with the torques of {} times {:.3g}", joint, scale);
  cure.advice = fmt::format(
      "check the gear ratio and the torque constant of {}: its torques want a factor of {:.3g}",
      joint, scale);
  cure.refine = [now, column, log_scale](LabFit& finer) {
    return Scaled(now, finer, column, BestLogScale(now, finer, column, log_scale, 0.02));
  };
  return cure;
}

}  // namespace

std::vector<Cure> TorqueScaleCures(const DataChange& now, LabFit& fit) {
  std::vector<Cure> cures;
  for (int d = 0; d < fit.robot().model.dofs(); ++d) {
    const double log_scale = BestLogScale(now, fit, d, 0.0, 0.45);  // a factor of 90 either way
    if (std::abs(std::exp(log_scale) - 1.0) < kLeastScale) continue;
    cures.push_back(Scaled(now, fit, d, log_scale));
  }
  return cures;
}

}  // namespace idbench
