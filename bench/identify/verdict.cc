#include "bench/identify/verdict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "bench/identify/identify_scenario.h"
#include "scenarios/options/config_error.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr double kWithinNoise = 1.5;  // error over noise
constexpr double kWell = 0.04;        // of the variance is not explained: NRMSE 0.2
constexpr double kRoughly = 0.25;     // NRMSE 0.5
/// Less noise, over the torque, no sensor has: the log was filtered.
constexpr double kFiltered = 1e-5;

const Json* EstimatorOf(const Json& summary, std::string_view label) {
  for (const Json& estimator : summary.at("cells").at(0).at("estimators")) {
    if (estimator.at("label") == label) return &estimator;
  }
  return nullptr;
}

/// Mean of a metric; nothing if it is absent.
std::optional<double> MeanOf(const Json& estimator, const std::string& metric) {
  const auto found = estimator.at("metrics").find(metric);
  if (found == estimator.at("metrics").end() || !found->contains("mean")) return std::nullopt;
  return found->at("mean").get<double>();
}

/// Means by component.
std::vector<std::pair<std::string, double>> ComponentsOfMetric(const Json& estimator,
                                                               const std::string& metric) {
  std::vector<std::pair<std::string, double>> components;
  for (const Json& component : estimator.at("metrics").at(metric).at("components")) {
    components.emplace_back(component.at("label").get<std::string>(),
                            component.at("mean").get<double>());
  }
  return components;
}

const Json& Needed(const Json& summary, std::string_view label) {
  const Json* estimator = EstimatorOf(summary, label);
  if (estimator != nullptr && estimator->at("failed") == 0) return *estimator;
  std::vector<std::string> reasons;
  if (estimator != nullptr) {
    for (const auto& [reason, count] : estimator->at("reasons").items()) reasons.push_back(reason);
  }
  throw ConfigError(std::string(label), "", fmt::format("failed: {}", fmt::join(reasons, ", ")),
                    {"records.jsonl has the reason in full"});
}

/// The names and the cures in a sentence of `why`: "this motion excites X too little (σ 3 …); it
/// shows most by …: accelerate joint1 more".
void CollectCures(const std::string& why, std::map<std::string, std::set<std::string>>& cures) {
  constexpr std::string_view kExcites = "this motion excites ", kTooLittle = " too little",
                             kShows = "it shows most ", kCure = ": ", kNext = "; ";
  std::size_t at = why.find(kExcites);
  while (at != std::string::npos) {
    const std::size_t name = at + kExcites.size();
    const std::size_t name_end = why.find(kTooLittle, name);
    const std::size_t shows = why.find(kShows, name);
    const std::size_t cure = why.find(kCure, shows);
    if (name_end == std::string::npos || shows == std::string::npos || cure == std::string::npos) {
      return;
    }
    const std::size_t end = why.find(kNext, cure);
    cures[why.substr(cure + kCure.size(), end - cure - kCure.size())].insert(
        why.substr(name, name_end - name));
    at = why.find(kExcites, cure);
  }
}

/// What the data tell of the standard parameters, and what motion would tell more.
std::vector<std::string> ParametersTold(const Json& identified) {
  const Json& estimators = identified.at("cells").at(0).at("estimators");
  const auto stating = std::ranges::find_if(
      estimators, [](const Json& each) { return each.at("label") == kChooser; });
  if (stating == estimators.end() || !stating->contains("standard")) return {};
  int alone = 0, combined = 0, never = 0;
  std::map<std::string, std::set<std::string>> cures;
  for (const Json& parameter : stating->at("standard")) {
    const std::string how = parameter.at("identifiable");
    alone += how == "alone" ? 1 : 0;
    combined += how == "combination" ? 1 : 0;
    never += how == "no" ? 1 : 0;
    CollectCures(parameter.value("why", ""), cures);
  }
  std::vector<std::string> told = {fmt::format(
      "of {} parameters of bodies, friction and rotors, joint torques can tell {} alone and {} in "
      "combinations; {} never show in them, whatever the motion",
      alone + combined + never, alone, combined, never)};
  std::size_t weak = 0;
  std::vector<std::pair<std::size_t, std::string>> by_count;
  for (const auto& [cure, names] : cures) {
    weak += names.size();
    by_count.emplace_back(
        names.size(), fmt::format("to tell {}: {}", ListSome({names.begin(), names.end()}), cure));
  }
  if (weak == 0) return told;
  told.push_back(fmt::format(
      "{} of what shows is hardly determined by this motion (σ above 30 % of the value)", weak));
  std::ranges::stable_sort(by_count, std::greater(), &std::pair<std::size_t, std::string>::first);
  constexpr std::size_t kShown = 6;
  for (std::size_t k = 0; k < std::min(kShown, by_count.size()); ++k) {
    told.push_back(by_count[k].second);
  }
  if (by_count.size() > kShown) {
    told.push_back(fmt::format("and {} more: see identified.md", by_count.size() - kShown));
  }
  return told;
}

}  // namespace

double JointVerdict::explained() const {
  return 1.0 - identified_nm * identified_nm / (torque_nm * torque_nm);
}

std::string_view JointVerdict::word() const {
  if (identified_nm > file_nm) return "worse than the file's own parameters";
  if (identified_nm <= kWithinNoise * noise_nm) return "to within its noise";
  const double missing = 1.0 - explained();
  if (missing <= kWell) return "well";
  return missing <= kRoughly ? "roughly" : "badly";
}

Verdict Judge(const Json& summary, const Json& identified, const std::string& experiment,
              const Eigen::VectorXd& noise_nm) {
  const Json& file = Needed(summary, "prior_only");
  const Json& exported = Needed(summary, kExported);
  const std::string relative = "joint_torque_relative_error@" + experiment;
  const std::string rmse = "joint_torque_rmse_nm@" + experiment;
  const std::string nrmse = "joint_torque_nrmse@" + experiment;
  Verdict verdict;
  verdict.experiment = experiment;
  verdict.file_fraction = MeanOf(file, relative).value();
  verdict.identified_fraction = MeanOf(exported, relative).value();
  verdict.best_fraction = std::numeric_limits<double>::infinity();
  for (const Json& estimator : summary.at("cells").at(0).at("estimators")) {
    const std::optional<double> error = MeanOf(estimator, relative);
    if (!error || *error >= verdict.best_fraction) continue;
    verdict.best = estimator.at("label");
    verdict.best_fraction = *error;
  }
  const auto of_file = ComponentsOfMetric(file, rmse);
  const auto of_exported = ComponentsOfMetric(exported, rmse);
  const auto over_torque = ComponentsOfMetric(exported, nrmse);
  for (std::size_t j = 0; j < of_file.size(); ++j) {
    const auto at = static_cast<Eigen::Index>(j);
    verdict.joints.push_back(
        {of_file[j].first, of_file[j].second, of_exported[j].second,
         of_exported[j].second / over_torque[j].second,
         at < noise_nm.size() ? noise_nm[at] : std::numeric_limits<double>::quiet_NaN()});
  }
  verdict.parameters = ParametersTold(identified);
  return verdict;
}

std::string Verdict::Text() const {
  std::string text = fmt::format(
      "Held-out torque ({}, neither fitted nor used to choose anything): the identified model is "
      "off "
      "by {:.3g} % of it, the file's own parameters by {:.3g} %{}\n\n",
      experiment, 100.0 * identified_fraction, 100.0 * file_fraction,
      best == kExported
          ? "."
          : fmt::format(", and the best of all, {}, by {:.3g} %.", best, 100.0 * best_fraction));
  text += "| joint | torque (sd) | the file's own | identified | noise | predicted |\n";
  text += "| :-- | --: | --: | --: | --: | :-- |\n";
  for (const JointVerdict& joint : joints) {
    text += fmt::format("| {} | {:.3g} | {:.3g} | {:.3g} | {} | {} |\n", joint.joint,
                        joint.torque_nm, joint.file_nm, joint.identified_nm,
                        std::isnan(joint.noise_nm) || joint.noise_nm < kFiltered * joint.torque_nm
                            ? "–"
                            : fmt::format("{:.2g}", joint.noise_nm),
                        joint.word());
  }
  if (std::ranges::any_of(joints, [](const JointVerdict& joint) {
        return joint.noise_nm < kFiltered * joint.torque_nm;
      })) {
    text += "\nThe torque of the log was filtered before: its noise cannot be told.\n";
  }
  text += "\n";
  for (const std::string& sentence : parameters) text += fmt::format("- {}\n", sentence);
  return text;
}

}  // namespace idbench
