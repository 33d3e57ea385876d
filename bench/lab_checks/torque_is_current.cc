#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <optional>

#include "bench/lab_checks/common_scale.h"
#include "bench/lab_checks/cure.h"

namespace idbench {
namespace {

/// Factors of torques that differ by less are errors of a sensor's calibration.
constexpr double kLeastSpread = 1.3;
constexpr int kPasses = 3;

/// Factors near `factors` with which rows of all joints fit together: one column after another.
/// Their common size is that with which the file's inertias fit.
void FitTogether(const DataChange& now, LabFit& fit, Eigen::VectorXd& factors, double step) {
  DataChange change = now;
  change.torque_scale.array() *= factors.array();
  for (int k = 0; k < kPasses; ++k, step /= 2.0) {
    for (int d = 0; d < factors.size(); ++d) {
      change.torque_scale[d] *= std::exp(BestLogScale(change, fit, d, 0.0, step));
    }
  }
  const CommonScale common = FindCommonScale(fit.robot(), fit.rows(), change);
  if (common.explained >= CommonScale::kLeastExplained && common.factor > 0.0) {
    change.torque_scale /= common.factor;
  }
  factors = change.torque_scale.array() / now.torque_scale.array();
}

Cure WithFactors(const DataChange& now, LabFit& fit, Eigen::VectorXd factors, double step) {
  const RobotModel& model = fit.robot().model;
  FitTogether(now, fit, factors, step);
  Cure cure{.check = "torque_is_current", .columns = {}, .change = now};
  cure.columns.resize(static_cast<std::size_t>(model.dofs()));
  std::iota(cure.columns.begin(), cure.columns.end(), 0);
  cure.numbers = model.dofs();
  cure.change.torque_scale.array() *= factors.array();
  std::vector<std::string> each;
  for (int d = 0; d < model.dofs(); ++d) {
    each.push_back(
        fmt::format("{} {:.3g}", model.link(d).joint, std::abs(cure.change.torque_scale[d])));
  }
  cure.does = fmt::format("with the torques times {}", fmt::join(each, ", "));
  cure.advice =
      "the columns look like motor currents, or torques before the gears: give each joint its "
      "torque constant times its gear ratio (drive gains), or let them be identified; the ratios "
      "of these factors come from the data, their common size from the file's masses";
  cure.refine = [now, factors](LabFit& finer) { return WithFactors(now, finer, factors, 0.02); };
  return cure;
}

}  // namespace

std::vector<Cure> TorqueIsCurrentCures(const DataChange& now, LabFit& fit) {
  if (fit.robot().model.dofs() < 2 || fit.guessed()) return {};
  const std::optional<Eigen::VectorXd> factors = FactorsOfFile(fit.robot(), fit.rows(), now);
  if (!factors) return {};
  Cure cure = WithFactors(now, fit, *factors, 0.1);
  const Eigen::ArrayXd found = cure.change.torque_scale.array() / now.torque_scale.array();
  if (found.maxCoeff() < kLeastSpread * found.minCoeff()) return {};
  return {std::move(cure)};
}

}  // namespace idbench
