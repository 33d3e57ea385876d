#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "bench/lab_checks/lab_context.h"

namespace idbench {
namespace {

/// Part of a joint's torques that may drift before it is told.
constexpr double kLeastDriftPart = 0.02;

}  // namespace

std::vector<LabFinding> TellDrift(const LabContext& context) {
  if (context.search == nullptr || NothingFits(context)) return {};
  const DataChange& change = context.search->change;
  const LabRows& rows = *context.rows;
  const Eigen::Index n = rows.joints();
  // −½ … ½ over the log: coefficients are changes from its beginning to its end.
  const Eigen::ArrayXd time =
      (rows.time_s().array() - rows.time_s()[0]) / (rows.time_s().tail(1)[0] - rows.time_s()[0]) -
      0.5;
  const Eigen::MatrixXd qd = rows.Velocities(change);
  std::vector<Eigen::MatrixXd> extras;
  for (Eigen::Index j = 0; j < n; ++j) {
    Eigen::MatrixXd columns(rows.size(), 2);
    columns << time, time * qd.col(j).array().sign();
    extras.push_back(std::move(columns));
  }
  const ExtraFit fit = context.fit->WithExtras(change, extras);
  const double critical = CriticalT(2.0 * static_cast<double>(n));
  std::vector<LabFinding> findings;
  for (Eigen::Index j = 0; j < n; ++j) {
    const auto at = static_cast<std::size_t>(j);
    std::vector<std::string> changes;
    for (const Eigen::Index k : {0, 1}) {
      const double value = fit.coefficient[at][k], sigma = fit.sigma[at][k];
      if (std::abs(value) < critical * sigma || fit.part[at][k] < kLeastDriftPart) continue;
      changes.push_back(fmt::format(
          "{} changes by {:.3g} ± {:.1g} (σ) N·m, {:.2g} % of its torques",
          k == 0 ? "the offset" : "Coulomb friction", value, sigma, 100.0 * fit.part[at][k]));
    }
    if (changes.empty()) continue;
    findings.push_back(
        {.check = "drift",
         .joint = context.joint(j),
         .evidence = fmt::format("from beginning to end of the log {}", fmt::join(changes, ", ")),
         .cure = "warm the robot up until it does not, and let sensors settle; of a long log use "
                 "the last part"});
  }
  return findings;
}

}  // namespace idbench
