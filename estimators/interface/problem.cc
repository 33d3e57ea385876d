#include "estimators/interface/problem.h"

#include <algorithm>

namespace idbench {

std::vector<Equation> KindsOf(const std::vector<EquationRows>& rows) {
  std::vector<Equation> kinds;
  for (const EquationRows& each : rows) kinds.push_back(each.equation);
  return kinds;
}

std::vector<EquationRows> Problem::rows_in_order() const {
  std::vector<EquationRows> ordered;
  for (const EquationRows& each : rows) {
    const bool there = std::ranges::any_of(ordered, [&each](const EquationRows& other) {
      return other.equation == each.equation && other.measured() == each.measured();
    });
    if (!there) ordered.push_back(each);
  }
  std::ranges::stable_sort(ordered, {}, &EquationRows::equation);
  return ordered;
}

std::vector<Equation> Problem::equations() const { return KindsOf(rows); }

std::vector<std::string_view> Problem::measured_channels() const {
  std::vector<std::string_view> channels;
  for (const EquationRows& row : rows) {
    channels.push_back(row.measured());
  }
  return channels;
}

int Problem::row_count() const {
  int count = 0;
  for (const EquationRows& row : rows) count += RowsOf(row.equation, model.dofs());
  return count;
}

}  // namespace idbench
