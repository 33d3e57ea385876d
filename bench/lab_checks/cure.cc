#include "bench/lab_checks/cure.h"

#include <fmt/format.h>

#include <cmath>

namespace idbench {

double GoldenSection(const std::function<double(double)>& f, double start, double reach,
                     double tolerance) {
  const double golden = (std::sqrt(5.0) - 1.0) / 2.0;
  double low = start - reach, high = start + reach;
  double a = high - golden * (high - low), b = low + golden * (high - low);
  double at_a = f(a), at_b = f(b);
  while (high - low > tolerance) {
    if (at_a < at_b) {
      high = b;
      b = a;
      at_b = at_a;
      a = high - golden * (high - low);
      at_a = f(a);
    } else {
      low = a;
      a = b;
      at_a = at_b;
      b = low + golden * (high - low);
      at_b = f(b);
    }
  }
  return 0.5 * (low + high);
}

std::string NamesOf(const RobotModel& model, const std::vector<int>& columns) {
  if (model.dofs() > 1 && std::ssize(columns) == model.dofs()) return "all joints";
  std::vector<std::string> names;
  for (const int c : columns) names.push_back(model.link(c).joint);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string DoesReorder(const RobotModel& model, const DataChange& from, const DataChange& to,
                        std::vector<int>& columns) {
  std::vector<std::string> sentences;
  columns.clear();
  const auto moves_of = [&](const std::vector<int>& old, const std::vector<int>& now) {
    std::vector<std::string> moves;
    for (int j = 0; j < model.dofs(); ++j) {
      const int c = now[static_cast<std::size_t>(j)];
      if (old[static_cast<std::size_t>(j)] == c) continue;
      moves.push_back(
          fmt::format("of {} from the column of {}", model.link(j).joint, model.link(c).joint));
      columns.push_back(j);
    }
    return fmt::format("{}", fmt::join(moves, ", "));
  };
  const std::string positions = moves_of(from.position_of, to.position_of);
  std::vector<int> of_positions = columns;
  columns.clear();
  const std::string torques = moves_of(from.torque_of, to.torque_of);
  for (const int c : of_positions) {
    if (std::ranges::find(columns, c) == columns.end()) columns.push_back(c);
  }
  std::ranges::sort(columns);
  if (positions.empty() && torques.empty()) return "";
  if (positions == torques) return "with the positions and torques " + positions;
  if (torques.empty()) return "with the positions " + positions;
  if (positions.empty()) return "with the torques " + torques;
  return fmt::format("with the positions {}, and the torques {}", positions, torques);
}

}  // namespace idbench
