#include "scenarios/problem/parameter_kind.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

#include "robots/dynamics/inertial_kinds.h"

namespace idbench {
namespace {

/// A value below this part of the largest of its kind is 0 but for rounding.
constexpr double kRounding = 1e-12;

}  // namespace

std::string ParameterKind(const std::string& name) {
  static constexpr std::string_view kRegrouped = "_R";
  std::string kind = name.substr(0, name.find('@'));  // without the configuration whose own it is
  kind.erase(0, kind.rfind('.') + 1);
  if (kind.ends_with(kRegrouped)) kind.resize(kind.size() - kRegrouped.size());
  return kind;
}

bool IsInertialKind(const std::string& kind) {
  return std::ranges::find(kInertialKinds, kind, &InertialKind::name) != kInertialKinds.end();
}

bool IsBodyKind(const std::string& kind) {
  static constexpr auto kPrincipal = std::to_array<std::string_view>({"J", "J1", "J2", "J3"});
  return IsInertialKind(kind) || std::ranges::find(kPrincipal, kind) != kPrincipal.end();
}

Eigen::VectorXd Magnitudes(const Eigen::VectorXd& values, const std::vector<std::string>& names) {
  std::map<std::string, double> largest;
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    double& most = largest[ParameterKind(names[static_cast<std::size_t>(k)])];
    most = std::max(most, std::abs(values[k]));
  }
  Eigen::VectorXd magnitudes = values.cwiseAbs();
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    const double most = largest[ParameterKind(names[static_cast<std::size_t>(k)])];
    if (magnitudes[k] <= kRounding * most) magnitudes[k] = most;
  }
  return magnitudes;
}

}  // namespace idbench
