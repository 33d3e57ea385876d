#include "robots/dynamics/equations.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace idbench {
namespace {

/// The rows of kEquationKinds stand in the order of the enum, and mapped ones behind what the
/// kernel computes.
constexpr bool InOrder() {
  bool mapped = false;
  for (std::size_t k = 0; k < kEquationKinds.size(); ++k) {
    const EquationInfo& info = kEquationKinds[k];
    if (info.equation != static_cast<Equation>(k)) return false;
    const bool of_kernel = info.rows == RowsFrom::kTorqueRows ||
                           info.rows == RowsFrom::kWrenchRows || info.rows == RowsFrom::kCutRows;
    if (of_kernel && mapped) return false;
    mapped = mapped || info.rows == RowsFrom::kMappedRows || info.rows == RowsFrom::kDriveRows;
  }
  return true;
}
/// The channel of a kind is read at the place that its rows are about.
constexpr bool ReadAtTheirPlaces() {
  return std::ranges::all_of(kEquationKinds, [](const EquationInfo& info) {
    const auto found = std::ranges::find(kDataChannels, info.channel, &ChannelInfo::name);
    return found != kDataChannels.end() && found->mount == info.mount;
  });
}
static_assert(ReadAtTheirPlaces());
static_assert(InOrder() && kEquationKinds.size() == kEnumNames<Equation>.size());

/// Joint torques of the same joints in place of rows of drives.
PlacedEquation WithoutDrive(const PlacedEquation& equation) {
  if (InfoOf(equation.kind).rows != RowsFrom::kDriveRows) return equation;
  return {Equation::kTorque, -1, equation.rows};
}

}  // namespace

int RowsOf(Equation equation, int dofs) {
  const ChannelInfo& channel = ChannelNamed(InfoOf(equation).channel);
  const std::size_t components = ComponentsOf(channel).size();
  return components == 0 ? dofs : static_cast<int>(components);
}

int RowsOf(const PlacedEquation& equation, int dofs) {
  return equation.rows.empty() ? RowsOf(equation.kind, dofs)
                               : static_cast<int>(equation.rows.size());
}

std::vector<int> ChosenRows(const PlacedEquation& equation, int dofs) {
  if (!equation.rows.empty()) return equation.rows;
  std::vector<int> all(static_cast<std::size_t>(RowsOf(equation.kind, dofs)));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::vector<PlacedEquation> EachRowOnce(std::vector<PlacedEquation> equations) {
  std::ranges::sort(equations);
  std::vector<PlacedEquation> merged;
  for (PlacedEquation& equation : equations) {
    const bool again =
        !merged.empty() && merged.back().kind == equation.kind && merged.back().cut == equation.cut;
    if (!again) {
      merged.push_back(std::move(equation));
      continue;
    }
    std::vector<int>& rows = merged.back().rows;
    if (rows.empty()) continue;  // all of them, which stand first
    std::vector<int> both;
    std::ranges::set_union(rows, equation.rows, std::back_inserter(both));
    rows = std::move(both);
  }
  return merged;
}

std::vector<PlacedEquation> EverywhereDefined(const std::vector<PlacedEquation>& equations) {
  std::vector<PlacedEquation> defined;
  for (const PlacedEquation& equation : equations) {
    const RowsFrom rows = InfoOf(equation.kind).rows;
    if (rows == RowsFrom::kStateRows) continue;
    if (rows == RowsFrom::kMappedRows) {
      defined.emplace_back(Equation::kTorque);
    } else {
      defined.push_back(WithoutDrive(equation));
    }
  }
  if (defined.empty()) defined.emplace_back(Equation::kTorque);
  return EachRowOnce(std::move(defined));
}

std::vector<PlacedEquation> WithoutDrives(const std::vector<PlacedEquation>& equations) {
  if (!HaveRowsFrom(equations, RowsFrom::kDriveRows)) return equations;
  std::vector<PlacedEquation> others;
  for (const PlacedEquation& equation : equations) others.push_back(WithoutDrive(equation));
  return EachRowOnce(std::move(others));
}

bool HaveRowsFrom(const std::vector<PlacedEquation>& equations, RowsFrom source) {
  return std::ranges::any_of(equations, [source](const PlacedEquation& equation) {
    return InfoOf(equation.kind).rows == source;
  });
}

}  // namespace idbench
