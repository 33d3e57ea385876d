#include "reports/gate/gate_stages.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reports/statistics/normal_law.h"

namespace idbench {
namespace {

constexpr double kFound = 0.8;          ///< Of gates that find what must be found.
constexpr double kFoundByAStage = 0.9;  ///< So that both stages together exceed kFound.
constexpr double kInconclusive = 0.05;  ///< Of gates with nothing changed, at most.
constexpr double kMargin = 1.3;         ///< For a spread that is estimated.

std::size_t WithMargin(double units) {
  return static_cast<std::size_t>(std::ceil(kMargin * units));
}

/// The least x with reaches(x), which is monotonic, to a relative 10⁻⁶; infinity if no x does.
template <class Reaches>
double Least(double begin, const Reaches& reaches) {
  double high = begin;
  while (!reaches(high)) {
    if (high > 1e6 * begin) return std::numeric_limits<double>::infinity();
    high *= 2;
  }
  double low = 0;
  while (high - low > 1e-6 * high) {
    const double middle = (low + high) / 2;
    (reaches(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

GateStages::GateStages(double alpha, std::size_t members, std::size_t first, std::size_t reserve)
    : first_{first, alpha},
      reserve_{reserve, alpha / static_cast<double>(std::max<std::size_t>(1, members))},
      members_(std::max<std::size_t>(1, members)) {}

double GateStages::unchanged_power() const {
  return 1 - kInconclusive / static_cast<double>(members_);
}

double GateStages::Power(double margin, double spread) const {
  return first_.Power(margin, spread) * reserve_.Power(margin, spread);
}

double GateStages::LeastFound(double limit, double spread) const {
  const auto found = [&](double margin) { return Power(margin, spread) >= kFound; };
  return spread > 0 ? limit + Least(spread, found) : limit;
}

double GateStages::LeastDecidable(double spread) const {
  const auto decided = [&](double limit) {
    return first_.Power(limit, spread) >= unchanged_power();
  };
  return spread > 0 ? Least(spread, decided) : 0;
}

GateNeeds GateStages::Needs(double limit, double must_find, double spread) const {
  const double margin = must_find - limit;
  const std::size_t same = UnitsForPower(first_.level, unchanged_power(), limit, spread);
  const std::size_t flagged = UnitsForPower(first_.level, kFoundByAStage, margin, spread);
  const std::size_t confirmed = UnitsForPower(reserve_.level, kFoundByAStage, margin, spread);
  return {WithMargin(static_cast<double>(std::max(same, flagged))),
          WithMargin(static_cast<double>(confirmed))};
}

std::size_t TrialsForRate(double alpha, std::size_t members, double increase, double discordant) {
  const double power = 1 - kInconclusive / static_cast<double>(std::max<std::size_t>(1, members));
  const double root =
      (NormalQuantile(1 - alpha) * std::sqrt(discordant + increase * (1 - increase)) +
       NormalQuantile(power) * std::sqrt(discordant)) /
      increase;
  return WithMargin(root * root);
}

}  // namespace idbench
