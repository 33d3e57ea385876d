#include "robots/dynamics/equations.h"

#include <algorithm>

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
    const auto found = std::ranges::find(kChannels, info.channel, &ChannelInfo::name);
    return found != kChannels.end() && found->mount == info.mount;
  });
}
static_assert(ReadAtTheirPlaces());
static_assert(InOrder() && kEquationKinds.size() == kEnumNames<Equation>.size());

}  // namespace

int RowsOf(Equation equation, int dofs) {
  const ChannelInfo& channel = ChannelNamed(InfoOf(equation).channel);
  const std::size_t components = ComponentsOf(channel).size();
  return components == 0 ? dofs : static_cast<int>(components);
}

std::vector<PlacedEquation> EverywhereDefined(const std::vector<PlacedEquation>& equations) {
  std::vector<PlacedEquation> defined;
  for (const PlacedEquation& equation : equations) {
    const RowsFrom rows = InfoOf(equation.kind).rows;
    if (rows == RowsFrom::kStateRows) continue;
    const bool by_torques = rows == RowsFrom::kMappedRows || rows == RowsFrom::kDriveRows;
    defined.push_back(by_torques ? Equation::kTorque : equation);
  }
  if (defined.empty()) defined.emplace_back(Equation::kTorque);
  std::ranges::sort(defined);
  const auto repeated = std::ranges::unique(defined);
  defined.erase(repeated.begin(), repeated.end());
  return defined;
}

std::vector<PlacedEquation> WithoutDrives(const std::vector<PlacedEquation>& equations) {
  if (!HaveRowsFrom(equations, RowsFrom::kDriveRows)) return equations;
  std::vector<PlacedEquation> others;
  for (const PlacedEquation& equation : equations) {
    const bool of_drives = InfoOf(equation.kind).rows == RowsFrom::kDriveRows;
    others.push_back(of_drives ? Equation::kTorque : equation);
  }
  std::ranges::sort(others);
  const auto repeated = std::ranges::unique(others);
  others.erase(repeated.begin(), repeated.end());
  return others;
}

bool HaveRowsFrom(const std::vector<PlacedEquation>& equations, RowsFrom source) {
  return std::ranges::any_of(equations, [source](const PlacedEquation& equation) {
    return InfoOf(equation.kind).rows == source;
  });
}

}  // namespace idbench
