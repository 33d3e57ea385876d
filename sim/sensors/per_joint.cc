#include "sim/sensors/per_joint.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace idbench {

void CheckCount(const PerJoint& numbers, const std::string& where,
                const std::vector<std::string>& names, std::vector<Issue>& issues) {
  if (numbers.values.size() == 1 || numbers.values.size() == names.size()) return;
  issues.push_back({where,
                    fmt::format("got a list of {}", numbers.values.size()),
                    {fmt::format("accepted here: one number, or a list with one for each of {}",
                                 fmt::join(names, ", "))}});
}

Eigen::VectorXd ToVector(const PerJoint& numbers, int n) {
  Eigen::VectorXd values(n);
  for (int i = 0; i < n; ++i) values[i] = numbers[static_cast<std::size_t>(i)];
  return values;
}

bool AnyNonZero(const PerJoint& numbers) {
  return std::ranges::any_of(numbers.values, [](double value) { return value != 0.0; });
}

}  // namespace idbench
