#include <fmt/format.h>

#include <numeric>

#include "bench/lab_checks/cure.h"

namespace idbench {
namespace {

/// Robots of more joints have too many pairs.
constexpr int kMostInPairs = 9;

/// Groups of columns that labs turn together: one joint, two, all.
std::vector<std::vector<int>> LikelyGroups(int n) {
  std::vector<std::vector<int>> groups;
  for (int a = 0; a < n; ++a) groups.push_back({a});
  for (int a = 0; a < n && n <= kMostInPairs; ++a) {
    for (int b = a + 1; b < n; ++b) groups.push_back({a, b});
  }
  std::vector<int> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  if (n > 2) groups.push_back(std::move(all));
  return groups;
}

}  // namespace

std::vector<Cure> SignCures(const DataChange& now, LabFit& fit) {
  const RobotModel& model = fit.robot().model;
  std::vector<Cure> cures;
  const auto add = [&](const std::vector<int>& columns, bool positions, bool torques) {
    Cure cure{.check = "sign", .columns = columns, .change = now};
    for (const int c : columns) {
      if (positions) cure.change.position_scale[c] *= -1.0;
      if (torques) cure.change.torque_scale[c] *= -1.0;
    }
    const std::string_view what =
        positions && torques ? "positions and torques" : (positions ? "positions" : "torques");
    cure.does = fmt::format("with the {} of {} turned in sign", what, NamesOf(model, columns));
    cure.turns_torques = !positions;
    const bool one = columns.size() == 1;
    cure.advice =
        positions && torques
            ? fmt::format(
                  "the log counts {}: turn the sign of both columns, or the {} in the "
                  "model file",
                  one ? "this joint about the opposite axis"
                      : "these joints about the opposite axes",
                  one ? "axis" : "axes")
            : fmt::format("turn the sign of the {} columns", positions ? "position" : "torque");
    // Of two joints as many as an order of two; that all are turned is one mistake.
    if (std::ssize(columns) < model.dofs()) cure.numbers = static_cast<int>(columns.size()) - 1;
    cures.push_back(std::move(cure));
  };
  for (const auto& [positions, torques] : {std::pair{true, false}, {false, true}, {true, true}}) {
    for (const std::vector<int>& columns : LikelyGroups(model.dofs())) {
      add(columns, positions, torques);
    }
  }
  return cures;
}

}  // namespace idbench
