#include "bench/lab_checks/common_cures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "bench/lab_checks/common_scale.h"
#include "bench/lab_checks/friction_power.h"
#include "bench/lab_checks/load_of_file.h"
#include "bench/lab_checks/speed_limits.h"

namespace idbench {
namespace {

/// A common factor of all torques within this and its reciprocal is what files err by.
constexpr double kFileFactor = 2.0;

/// Where the last cure turned the torques of some joints, or may as well have: turns those of all
/// others in place of all. False if it did not.
bool TakeOthers(const RobotModel& model, const FoundCure& last, Cure& all, std::string& evidence) {
  const Cure* some = &last.cure;
  for (const Cure& rival : last.rivals) {  // of three joints, one and two are rivals
    const bool fewer = !some->turns_torques || rival.columns.size() < some->columns.size();
    if (rival.turns_torques && fewer) some = &rival;
  }
  if (!some->turns_torques) return false;
  std::erase_if(all.columns, [some](int column) {
    return std::ranges::find(some->columns, column) != some->columns.end();
  });
  if (some != &last.cure) {
    all.change = some->change;
    all.change.torque_scale *= -1.0;
  }
  all.does = fmt::format("with the torques of {} turned in sign", NamesOf(model, all.columns));
  all.advice = some->advice;
  evidence = fmt::format("{}; {}, they fit as well, and with those of {} alone, {}", last.evidence,
                         all.does, NamesOf(model, some->columns), evidence);
  return true;
}

bool IsClear(const CommonScale& scale) {
  return scale.explained >= CommonScale::kLeastExplained &&
         std::abs(scale.factor) >= CriticalT(1) * scale.sigma;
}

/// A load at the last link that would explain how torques differ from the file's, if it is clear.
std::optional<LoadOfFile> LoadInstead(LabFit& fit, const DataChange& change) {
  LoadOfFile load = FindLoad(fit, change);
  return load.IsClear() ? std::optional(std::move(load)) : std::nullopt;
}

}  // namespace

std::string Percent(double part) {
  constexpr double kThreeDigits = 99.5;
  const double percent = 100.0 * part;
  return percent < kThreeDigits ? fmt::format("{:.2g} %", percent)
                                : fmt::format("{:.0f} %", percent);
}

double FarScale(const LabFit& fit, const DataChange& change) {
  constexpr double kFar = 20.0;
  if (fit.guessed()) return 1.0;
  const CommonScale scale = FindCommonScale(fit.robot(), fit.rows(), change);
  const double factor = std::abs(scale.factor);
  return IsClear(scale) && (factor > kFar || factor < 1.0 / kFar) ? factor : 1.0;
}

void FindCommonCures(LabFit& fit, CureSearch& search, double far) {
  const RobotModel& model = fit.robot().model;
  CommonScale scale = FindCommonScale(fit.robot(), fit.rows(), search.change);
  if (!IsClear(scale)) {
    if (far == 1.0) return;
    scale.factor = 1.0;
  }
  const bool each_has_its_own = std::ranges::any_of(
      search.found, [](const FoundCure& found) { return found.cure.check == "torque_is_current"; });
  if (each_has_its_own) far = 1.0;  // it is in theirs
  const double dissipation = DissipationT(search.score);
  const bool creates = dissipation < -CriticalT(1);
  if (fit.guessed() && (scale.factor > 0.0 || !creates)) return;  // guesses have no size
  std::vector<int> all(static_cast<std::size_t>(model.dofs()));
  std::iota(all.begin(), all.end(), 0);
  const auto add = [&](Cure cure, std::string evidence) {
    search.change = cure.change;
    search.found.push_back({std::move(cure), std::move(evidence), {}});
  };
  const std::string told = fmt::format(
      "torques are {:.3g} ± {:.2g} (σ) times those that the file's inertias imply, which then "
      "explain {} of what friction leaves",
      far * scale.factor, far * scale.sigma, Percent(scale.explained));
  if (scale.factor < 0.0) {
    Cure cure{.check = "sign", .columns = all, .change = search.change};
    cure.change.torque_scale *= -1.0;
    cure.does = "with the torques of all joints turned in sign";
    cure.advice = "turn the sign of all torque columns: they are those on the environment";
    std::string evidence = fmt::format("{}; friction would {} power (t = {:.1f})", told,
                                       creates ? "create" : "not clearly dissipate", dissipation);
    if (!search.found.empty() && TakeOthers(model, search.found.back(), cure, evidence)) {
      search.found.pop_back();
    }
    add(std::move(cure), std::move(evidence));
  }
  const double factor = far * std::abs(scale.factor);
  if (fit.guessed()) return;
  if (factor < kFileFactor && factor > 1.0 / kFileFactor) return;
  std::optional<LoadOfFile> load;
  if (far == 1.0) {  // else neither another clock nor a load explains it
    if (IsTooFast(fit.robot(), fit.rows().processed(), search.change)) return;
    load = LoadInstead(fit, search.change);
  }
  if (load && load->with > FindLoad(fit, search.change, std::abs(scale.factor)).without) return;
  Cure cure{.check = "torque_scale", .columns = all, .change = search.change};
  cure.change.torque_scale /= std::abs(scale.factor);
  cure.value = 1.0 / factor;
  cure.does = fmt::format("with the torques of all joints times {:.3g}", cure.value);
  cure.advice = fmt::format(
      "check the unit of the torques: those of the file want a factor of {:.3g}; a known load in "
      "the hand would tell it without the file",
      cure.value);
  std::string evidence = told + "; only the file's own masses tell it";
  if (load) {
    evidence += fmt::format(
        ". A load of {:.2g} kg at the last link would explain a part of it too (χ² less by {:.0f})",
        load->load[0], load->explained);
  }
  add(std::move(cure), std::move(evidence));
  search.found.back().by_file = true;
}

}  // namespace idbench
