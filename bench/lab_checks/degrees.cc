#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "bench/lab_checks/cure.h"

namespace idbench {
namespace {

constexpr double kRadians = std::numbers::pi / 180.0;

}  // namespace

std::vector<Cure> DegreesCures(const DataChange& now, LabFit& fit) {
  const RobotModel& model = fit.robot().model;
  std::vector<Cure> cures;
  const auto add = [&](std::vector<int> columns, double factor, const std::string& whose) {
    Cure cure{.check = "degrees", .columns = std::move(columns), .change = now};
    for (const int c : cure.columns) cure.change.position_scale[c] *= factor;
    if (factor < 1.0) {
      cure.does = fmt::format("with the positions of {} read as degrees", whose);
      cure.advice = "state the unit: end the names of these columns in _deg";
    } else {
      cure.does = fmt::format("with the positions of {} read as radians", whose);
      cure.advice =
          "the columns are read as degrees but hold radians: end their names in _rad, or say "
          "--unit joint_position=rad";
    }
    cures.push_back(std::move(cure));
  };
  std::vector<int> revolute;
  for (int j = 0; j < model.dofs(); ++j) {
    const int c = now.position_of[static_cast<std::size_t>(j)];
    if (model.link(j).type == JointType::kRevolute) revolute.push_back(c);
  }
  // Radians that would leave the file's limits are none.
  const auto fits = [&](int c, double factor) {
    const Eigen::VectorXd &lower = model.limits().lower, &upper = model.limits().upper;
    if (factor < 1.0 || c >= lower.size() || c >= upper.size()) return true;
    const Eigen::VectorXd q = factor * fit.rows().Positions(now).col(c);
    const double range = upper[c] - lower[c];
    return !std::isfinite(range) || q.maxCoeff() - q.minCoeff() <= 1.1 * range;
  };
  for (const double factor : {kRadians, 1.0 / kRadians}) {
    std::erase_if(revolute, [&](int c) { return !fits(c, factor); });
    if (revolute.size() > 1) add(revolute, factor, NamesOf(model, revolute));
    for (const int c : revolute) add({c}, factor, model.link(c).joint);
  }
  return cures;
}

}  // namespace idbench
