#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "bench/lab_checks/common_scale.h"
#include "bench/lab_checks/cure.h"

namespace idbench {
namespace {

/// Factors within this of 1 are what torque sensors and constants of motors are known to.
constexpr double kLeastScale = 0.1;
/// Logarithm of what a file's inertias err by: 1.35.
constexpr double kLeastOfFile = 0.3;

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

void WordScale(Cure& cure, const std::string& joint) {
  cure.does = fmt::format("with the torques of {} times {:.3g}", joint, cure.value);
  cure.advice = fmt::format(
      "check the gear ratio and the torque constant of {}: its torques want a factor of {:.3g}",
      joint, cure.value);
}

Cure Scaled(const DataChange& now, const LabFit& fit, int column, double log_scale) {
  const std::string& joint = fit.robot().model.link(column).joint;
  Cure cure{.check = "torque_scale", .columns = {column}, .change = now};
  cure.value = std::exp(log_scale);
  cure.change.torque_scale[column] *= cure.value;
  cure.numbers = 1;
  WordScale(cure, joint);
  cure.count = [joint](Cure& last, const Cure& earlier) {
    last.value *= earlier.value;
    WordScale(last, joint);
  };
  cure.anew = [column](const DataChange& all, LabFit& finer) {
    return Scaled(all, finer, column, BestLogScale(all, finer, column, 0.0, 0.02));
  };
  cure.refine = [now, column, log_scale](LabFit& finer) {
    return Scaled(now, finer, column, BestLogScale(now, finer, column, log_scale, 0.02));
  };
  return cure;
}

/// Logarithms of the factors with which columns fit the file's inertias, over the median of all
/// columns; 0 if the file tells none.
Eigen::VectorXd LogScalesOfFile(const DataChange& now, const LabFit& fit) {
  const int n = fit.robot().model.dofs();
  if (fit.guessed()) return Eigen::VectorXd::Zero(n);
  const std::optional<Eigen::VectorXd> factors = FactorsOfFile(fit.robot(), fit.rows(), now);
  if (!factors) return Eigen::VectorXd::Zero(n);
  const Eigen::VectorXd logs = factors->array().log();
  std::vector<double> sorted(logs.begin(), logs.end());
  std::ranges::nth_element(sorted, sorted.begin() + n / 2);
  return logs.array() - sorted[static_cast<std::size_t>(n) / 2];
}

}  // namespace

std::vector<Cure> TorqueScaleCures(const DataChange& now, LabFit& fit) {
  std::vector<Cure> cures;
  const Eigen::VectorXd of_file = LogScalesOfFile(now, fit);
  for (int d = 0; d < fit.robot().model.dofs(); ++d) {
    double log_scale = BestLogScale(now, fit, d, 0.0, 0.45);  // a factor of 90 either way
    if (std::abs(of_file[d]) > kLeastOfFile) {  // the valley may be narrower than a step
      const double near_file = BestLogScale(now, fit, d, of_file[d], 0.1);
      if (LossOf(now, fit, d, near_file) < LossOf(now, fit, d, log_scale)) log_scale = near_file;
    }
    if (std::abs(std::exp(log_scale) - 1.0) < kLeastScale) continue;
    cures.push_back(Scaled(now, fit, d, log_scale));
  }
  return cures;
}

}  // namespace idbench
