#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "bench/lab_checks/common_scale.h"
#include "bench/lab_checks/cure.h"

namespace idbench {
namespace {

/// Factors of torques that differ by less are errors of a sensor's calibration.
constexpr double kLeastSpread = 1.3;
/// A part of what friction leaves below which the file does not tell a common factor.
constexpr double kLeastExplained = 0.5;

Cure WithFactors(const DataChange& now, LabFit& fit, bool& spread) {
  const RobotModel& model = fit.robot().model;
  Cure cure{.check = "torque_is_current", .columns = {}, .change = now};
  cure.columns.resize(static_cast<std::size_t>(model.dofs()));
  std::iota(cure.columns.begin(), cure.columns.end(), 0);
  cure.numbers = model.dofs() - 1;
  const Eigen::VectorXd relative = fit.TorqueFactors(now);
  cure.change.torque_scale.array() *= relative.array();
  const CommonScale common = FindCommonScale(fit.robot(), fit.rows(), cure.change);
  if (common.explained >= kLeastExplained && common.factor != 0.0) {
    cure.change.torque_scale /= common.factor;
  }
  const Eigen::ArrayXd factors = cure.change.torque_scale.array() / now.torque_scale.array();
  spread = factors.minCoeff() > 0.0 && factors.maxCoeff() > kLeastSpread * factors.minCoeff();
  std::vector<std::string> each;
  for (int d = 0; d < model.dofs(); ++d) {
    each.push_back(fmt::format("{} {:.3g}", model.link(d).joint, factors[d]));
  }
  cure.does = fmt::format("with the torques times {}", fmt::join(each, ", "));
  cure.advice =
      "the columns look like motor currents, or torques before the gears: give each joint its "
      "torque constant times its gear ratio (drive gains), or let them be identified; the ratios "
      "of these factors come from the data, their common size from the file's masses";
  return cure;
}

}  // namespace

std::vector<Cure> TorqueIsCurrentCures(const DataChange& now, LabFit& fit) {
  if (fit.robot().model.dofs() < 2) return {};
  bool spread = false;
  Cure cure = WithFactors(now, fit, spread);
  if (!spread) return {};
  cure.refine = [now](LabFit& finer) {
    bool ignored = false;
    return WithFactors(now, finer, ignored);
  };
  return {std::move(cure)};
}

}  // namespace idbench
