#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "bench/lab_checks/cure.h"

namespace idbench {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;
/// Below this, flexible joints and calibration explain what an offset would [rad].
constexpr double kLeastOffset = 2.0 * kDegree;
/// Where a search begins.
constexpr double kGridDegrees[] = {3,  -3,  15,  -15,  30,  -30,  60, -60,
                                   90, -90, 120, -120, 150, -150, 180};
/// What a second search, of more samples, looks over [rad].
constexpr double kRefineReach = 5.0 * kDegree;
/// What one wrong zero puts another off by [rad].
constexpr double kAnewReach = 20.0 * kDegree;

/// Offset of least loss near `start`.
double Refined(const DataChange& now, LabFit& fit, int joint, double start, double reach) {
  const auto loss = [&](double offset) {
    DataChange change = now;
    change.position_offset[joint] += offset;
    return fit.SearchLoss(change);
  };
  return GoldenSection(loss, start, reach, 0.1 * kDegree);
}

void WordOffset(Cure& cure, const std::string& joint, int digits) {
  cure.does = fmt::format("with {:.{}f}° added to the positions of {}", cure.value, digits, joint);
  cure.advice =
      fmt::format("add {:.4g} rad to the positions of {}, or set its zero in the model file",
                  cure.value * kDegree, joint);
}

Cure Shifted(const DataChange& now, const LabFit& fit, int joint, double offset, bool searched) {
  const RobotModel& model = fit.robot().model;
  Cure cure{.check = "position_offset",
            .columns = {now.position_of[static_cast<std::size_t>(joint)]},
            .change = now};
  cure.change.position_offset[joint] += offset;
  cure.value = offset / kDegree;
  const std::string& name = model.link(joint).joint;
  const int digits = searched ? 1 : 0;
  WordOffset(cure, name, digits);
  cure.count = [name, digits](Cure& last, const Cure& earlier) {
    last.value += earlier.value;
    WordOffset(last, name, digits);
  };
  if (searched) {
    cure.numbers = 1;
    cure.refine = [now, joint, offset](LabFit& finer) {
      return Shifted(now, finer, joint, Refined(now, finer, joint, offset, kRefineReach), true);
    };
    cure.anew = [joint](const DataChange& all, LabFit& finer) {
      return Shifted(all, finer, joint, Refined(all, finer, joint, 0.0, kAnewReach), true);
    };
  }
  return cure;
}

}  // namespace

std::vector<Cure> PositionOffsetCures(const DataChange& now, LabFit& fit) {
  const RobotModel& model = fit.robot().model;
  std::vector<Cure> cures;
  const double as_is = fit.SearchLoss(now);
  for (int j = 0; j < model.dofs(); ++j) {
    if (model.link(j).type != JointType::kRevolute) continue;
    for (const double quarter : {-90.0, 90.0, 180.0}) {
      cures.push_back(Shifted(now, fit, j, quarter * kDegree, false));
    }
    double best = 0.0, least = as_is;
    for (const double offset : kGridDegrees) {
      DataChange change = now;
      change.position_offset[j] += offset * kDegree;
      const double loss = fit.SearchLoss(change);
      if (loss >= least) continue;
      least = loss;
      best = offset;
    }
    if (best == 0.0) continue;
    const double reach = std::abs(best) < 10.0 ? 10.0 : (std::abs(best) < 20.0 ? 12.0 : 30.0);
    const double offset = Refined(now, fit, j, best * kDegree, reach * kDegree);
    if (std::abs(offset) >= kLeastOffset) cures.push_back(Shifted(now, fit, j, offset, true));
  }
  return cures;
}

}  // namespace idbench
