#include <fmt/format.h>

#include <numeric>

#include "bench/lab_checks/cure.h"

namespace idbench {

std::vector<Cure> SignCures(const DataChange& now, LabFit& fit) {
  const RobotModel& model = fit.robot().model;
  std::vector<Cure> cures;
  const auto add = [&](std::vector<int> columns, bool positions, bool torques,
                       const std::string& whose) {
    Cure cure{.check = "sign", .columns = std::move(columns), .change = now};
    for (const int c : cure.columns) {
      if (positions) cure.change.position_scale[c] *= -1.0;
      if (torques) cure.change.torque_scale[c] *= -1.0;
    }
    const std::string_view what =
        positions && torques ? "positions and torques" : (positions ? "positions" : "torques");
    cure.does = fmt::format("with the {} of {} turned in sign", what, whose);
    cure.advice =
        positions && torques
            ? "the log counts this joint about the opposite axis: turn the sign of both "
              "columns, or the axis in the model file"
            : fmt::format("turn the sign of the {} columns", positions ? "position" : "torque");
    cures.push_back(std::move(cure));
  };
  std::vector<int> all(static_cast<std::size_t>(model.dofs()));
  std::iota(all.begin(), all.end(), 0);
  for (const auto& [positions, torques] : {std::pair{true, false}, {false, true}, {true, true}}) {
    if (all.size() > 1) add(all, positions, torques, "all joints");
    for (const int c : all) add({c}, positions, torques, model.link(c).joint);
  }
  return cures;
}

}  // namespace idbench
