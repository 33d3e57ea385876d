#include "bench/notes/acceleration_noise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "robots/recording/channels.h"
#include "sim/sensors/signals.h"

namespace idbench {
namespace {

/// Part of an inertia that a fit may lose without a warning.
constexpr double kToleratedLoss = 0.05;

/// Sums of squares over the identification data, per joint.
struct AccelerationPower {
  Eigen::VectorXd derived, exact;
  double samples = 0.0, exact_samples = 0.0;
};

void AddPower(const Channel& derived, const Signals& clean, AccelerationPower& power) {
  const Eigen::MatrixXd& exact = clean[kJointAcceleration];
  const Eigen::VectorXd& time_s = clean.time_s;
  if (derived.time_s.size() == 0 || exact.cols() != derived.samples.cols()) return;
  const double* const begin = time_s.data();
  const double* const end = begin + time_s.size();
  const auto from = std::lower_bound(begin, end, derived.time_s[0]) - begin;
  const auto until =
      std::upper_bound(begin, end, derived.time_s[derived.time_s.size() - 1]) - begin;
  if (from >= until) return;
  if (power.derived.size() == 0) {
    power.derived = power.exact = Eigen::VectorXd::Zero(exact.cols());
  }
  power.derived += derived.samples.colwise().squaredNorm().transpose();
  power.exact += exact.middleRows(from, until - from).colwise().squaredNorm().transpose();
  power.samples += static_cast<double>(derived.samples.rows());
  power.exact_samples += static_cast<double>(until - from);
}

}  // namespace

std::string AccelerationNoiseWarning(const Scenario& scenario, const TrialData& first) {
  const std::vector<std::string>& derived = scenario.processing.differentiate;
  if (std::ranges::find(derived, kJointAcceleration) == derived.end()) return "";
  AccelerationPower power;
  for (std::size_t i = 0; i < first.datasets.size() && i < first.clean.size(); ++i) {
    const Channel* const channel = first.datasets[i].Find(kJointAcceleration);
    if (first.datasets[i].role() != Role::kIdentification || channel == nullptr) continue;
    AddPower(*channel, *first.clean[i], power);
  }
  if (power.samples == 0.0) return "";
  const Eigen::ArrayXd of_derived = power.derived.array() / power.samples;
  const Eigen::ArrayXd of_exact = power.exact.array() / power.exact_samples;
  Eigen::Index worst = 0;
  // A joint at rest has no acceleration to drown.
  const Eigen::ArrayXd kept = (of_exact > 0.0).select(of_exact / of_derived, 1.0);
  if (!(kept.minCoeff(&worst) < 1.0 - kToleratedLoss)) return "";
  const bool filtered = scenario.processing.lowpass.has_value();
  return fmt::format(
      "the noise of accelerations that are differences drowns the motion: at {} their rms is "
      "{:.2g}, "
      "that of the motion {:.2g}, and least squares finds inertias there {:.0f} % too small; {}",
      first.problem().model.joint_names()[static_cast<std::size_t>(worst)],
      std::sqrt(of_derived[worst]), std::sqrt(of_exact[worst]), 100.0 * (1.0 - kept[worst]),
      filtered ? "lower /processing/lowpass/cutoff_hz"
               : "set /processing/lowpass above the motion's frequencies");
}

}  // namespace idbench
