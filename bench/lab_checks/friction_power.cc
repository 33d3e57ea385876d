#include "bench/lab_checks/friction_power.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "bench/lab_checks/common_cures.h"

namespace idbench {
namespace {

/// t over blocks of a sum over columns, each in units of its mean size.
double SumT(const Eigen::MatrixXd& dissipated, const std::vector<Eigen::Index>& columns) {
  Eigen::VectorXd of_block = Eigen::VectorXd::Zero(dissipated.rows());
  for (const Eigen::Index d : columns) {
    const double size = dissipated.col(d).cwiseAbs().mean();
    if (size > 0.0) of_block += dissipated.col(d) / size;
  }
  const double mean = of_block.mean();
  const double count = static_cast<double>(of_block.size());
  const double error = std::sqrt((of_block.array() - mean).square().sum() / (count - 1.0) / count);
  return error > 0.0 ? mean / error : 0.0;
}

/// The cures that turn the torques of a column, or the positions of the joint that reads it.
std::vector<Cure> TurnsOf(const DataChange& now, LabFit& fit, int column) {
  const auto joint = std::ranges::find(now.torque_of, column) - now.torque_of.begin();
  const int positions = now.position_of[static_cast<std::size_t>(joint)];
  std::vector<Cure> cures = SignCures(now, fit);
  std::erase_if(cures, [&](const Cure& cure) {
    const bool turns_positions = cure.change.position_scale != now.position_scale;
    const bool turns_torques = cure.change.torque_scale != now.torque_scale;
    return turns_positions == turns_torques ||
           cure.columns != std::vector{turns_positions ? positions : column};
  });
  // Torques first, of which the sign is a matter of convention more often.
  std::ranges::stable_partition(cures, &Cure::turns_torques);
  return cures;
}

}  // namespace

double DissipationT(const FitScore& score, Eigen::Index without) {
  std::vector<Eigen::Index> columns;
  for (Eigen::Index d = 0; d < score.dissipated.cols(); ++d) {
    if (d != without) columns.push_back(d);
  }
  return SumT(score.dissipated, columns);
}

bool CreatesPower(const FitScore& score, Eigen::Index column) {
  if (!score.Explains(column)) return false;
  const double critical = CriticalT(static_cast<double>(score.rms.size()));
  const double own = SumT(score.dissipated, {column}), others = DissipationT(score, column);
  return std::abs(own) > critical && std::abs(others) > critical && (own > 0.0) != (others > 0.0);
}

void AddSignsByFriction(LabFit& fit, CureSearch& search) {
  const RobotModel& model = fit.robot().model;
  for (int d = 0; d < model.dofs(); ++d) {
    if (!CreatesPower(search.score, d)) continue;
    FoundCure found;
    FitScore score;
    const double own = SumT(search.score.dissipated, {d});
    for (Cure& cure : TurnsOf(search.change, fit, d)) {
      const FitScore turned = fit.Structure(cure.change);
      if (CreatesPower(turned, d) || !turned.Explains(d)) continue;
      if (GainOf(turned, search.score).t < -kToldApart) continue;
      if (!found.cure.check.empty()) {
        found.rivals.push_back(std::move(cure));
        continue;
      }
      score = turned;
      found.evidence = fmt::format(
          "friction of {} would {} power (t = {:.1f}), that of the other joints the other way "
          "round; "
          "{}, it is as theirs, and rigid bodies fit as well (they leave {} of its torques "
          "unexplained, and {} as they are)",
          model.link(d).joint, own < 0.0 ? "create" : "dissipate", own, cure.does,
          Percent(turned.relative[d]), Percent(search.score.relative[d]));
      found.cure = std::move(cure);
    }
    if (found.cure.check.empty()) continue;
    search.change = found.cure.change;
    search.score = std::move(score);
    search.found.push_back(std::move(found));
  }
}

}  // namespace idbench
