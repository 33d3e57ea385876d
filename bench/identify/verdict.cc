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

constexpr double kMuchRepeated = 0.5;  ///< Part of a motion from which on it is told.
constexpr double kWithinNoise = 1.5;
constexpr double kWell = 0.2;
constexpr double kRoughly = 0.5;
/// Less noise, over the torque, no sensor has: the log was filtered.
constexpr double kFiltered = 1e-5;

/// "2.53 %", "1400 %", never "1.4e+03 %".
std::string ThreeDigits(double part) {
  const double percent = 100.0 * part;
  return percent < 1000.0 ? fmt::format("{:.3g} %", percent) : fmt::format("{:.0f} %", percent);
}

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

/// An estimator that has the metric.
const Json& Needed(const Json& summary, std::string_view label, const std::string& metric) {
  const Json* estimator = EstimatorOf(summary, label);
  const bool ok = estimator != nullptr && estimator->at("failed") == 0;
  if (ok && MeanOf(*estimator, metric)) return *estimator;
  if (ok) {
    throw ConfigError(std::string(label), "", fmt::format("has no {}", metric),
                      {"report.html says why; is the time that was held out long enough?"});
  }
  std::vector<std::string> reasons;
  if (estimator != nullptr) {
    for (const auto& [reason, count] : estimator->at("reasons").items()) reasons.push_back(reason);
  }
  throw ConfigError(std::string(label), "", fmt::format("failed: {}", fmt::join(reasons, ", ")),
                    {"records.jsonl has the reason in full"});
}

std::string Listed(std::string_view title, const Json& sentences) {
  std::string text = fmt::format("## {}\n\n", title);
  for (const Json& sentence : sentences) {
    text += fmt::format("- {}\n", sentence.get<std::string>());
  }
  return text + "\n";
}

/// One entry of `validation`.
/// @param told  notes of entries before, which are not told again; gets its own.
std::string ValidationMarkdown(const Json& validation, std::set<std::string>& told) {
  if (validation.contains("no_verdict")) {
    return fmt::format("No verdict on {}: {}\n\n", validation["experiment"].get<std::string>(),
                       validation["no_verdict"].get<std::string>());
  }
  std::string text = validation.at("sentence").get<std::string>() + "\n\n";
  text += "| joint | torque (sd) | the file's own | identified | noise | predicted |\n";
  text += "| :-- | --: | --: | --: | --: | :-- |\n";
  for (const Json& joint : validation.at("joints")) {
    const Json& noise = joint.at("noise_nm");
    text += fmt::format("| {} | {:.3g} | {:.3g} | {:.3g} | {} | {} |\n",
                        joint.at("joint").get<std::string>(), joint.at("torque_nm").get<double>(),
                        joint.at("file_nm").get<double>(), joint.at("identified_nm").get<double>(),
                        noise.is_null() ? "–" : fmt::format("{:.2g}", noise.get<double>()),
                        joint.at("predicted").get<std::string>());
  }
  for (const Json& note : validation.at("notes")) {
    if (!told.insert(note.get<std::string>()).second) continue;
    text += fmt::format("\n{}\n", note.get<std::string>());
  }
  return text + "\n";
}

}  // namespace

JointVerdict::Judgement JointVerdict::Judge() const {
  if (identified_nm <= kWithinNoise * noise_nm) return {"to within its noise", "good"};
  if (identified_nm > file_nm) return {"worse than the file's own parameters", "bad"};
  if (identified_nm <= kWell * torque_nm) return {"well", "good"};
  if (identified_nm <= kRoughly * torque_nm) return {"roughly", "fair"};
  return {"badly", "bad"};
}

Verdict Judge(const Json& summary, const std::string& experiment, const Eigen::VectorXd& noise_nm) {
  const std::string relative = "joint_torque_relative_error@" + experiment;
  const std::string rmse = "joint_torque_rmse_nm@" + experiment;
  const std::string nrmse = "joint_torque_nrmse@" + experiment;
  const Json& file = Needed(summary, "prior_only", relative);
  const Json& exported = Needed(summary, kExported, relative);
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
  return verdict;
}

Json Verdict::ToJson() const {
  Json json = {
      {"experiment", experiment},
      {"sentence",
       fmt::format("Held-out torque ({}, neither fitted nor used to choose anything): the "
                   "identified model ({}) is off by {} of it, the file's own parameters by {}{}",
                   experiment, kExported, ThreeDigits(identified_fraction),
                   ThreeDigits(file_fraction),
                   best == kExported ? "."
                                     : fmt::format(", and the best of all, {}, by {}.", best,
                                                   ThreeDigits(best_fraction)))},
      {"identified_fraction", identified_fraction},
      {"file_fraction", file_fraction},
      {"best", best},
      {"best_fraction", best_fraction},
      {"joints", Json::array()},
      {"repeated", repeated},
      {"notes", Json::array()}};
  bool filtered = false, unknown = false;
  for (const JointVerdict& joint : joints) {
    const auto [word, grade] = joint.Judge();
    const bool is_filtered = joint.noise_nm < kFiltered * joint.torque_nm;
    filtered = filtered || is_filtered;
    unknown = unknown || std::isnan(joint.noise_nm);
    json["joints"].push_back(
        {{"joint", joint.joint},
         {"torque_nm", joint.torque_nm},
         {"file_nm", joint.file_nm},
         {"identified_nm", joint.identified_nm},
         {"noise_nm",
          is_filtered || std::isnan(joint.noise_nm) ? Json(nullptr) : Json(joint.noise_nm)},
         {"predicted", word},
         {"grade", grade}});
  }
  json["notes"].push_back(fmt::format(
      "Errors are root mean squares in N·m (N of sliding joints) behind the low-pass by which all "
      "are compared; so is the noise. Predicted to within its noise: an error of at most {:g} "
      "times the noise; well: {:g} of the "
      "torque's standard deviation; roughly: {:g}.",
      kWithinNoise, kWell, kRoughly));
  if (filtered) {
    json["notes"].push_back("The torque of the log was filtered before: its noise cannot be told.");
  }
  if (unknown) {
    json["notes"].push_back(
        "Noise that is not told (–): too little of the spectrum is above the low-pass. A higher "
        "rate, or a longer log, tells it.");
  }
  if (repeated > kMuchRepeated) {
    json["notes"].push_back(fmt::format(
        "{:.0f} % of this motion repeats the fitted one (positions, velocities and accelerations "
        "of all joints within a tenth of their spread): that shows what noise does to the fit, not "
        "how the model predicts other motions. A log of another motion tells: --validate LOG",
        100.0 * repeated));
  }
  return json;
}

namespace {

/// Entry of the estimator that states what data tell, of identified.json; nullptr if it failed.
const Json* StatingEstimator(const Json& identified) {
  for (const Json& each : identified.at("cells").at(0).at("estimators")) {
    if (each.at("label") == kChooser) return &each;
  }
  return nullptr;
}

/// Viscous and Coulomb friction that weighted least squares find to be below 0 by more than three
/// times its σ: "joint2.fc = -0.16 ± 0.04".
std::vector<std::string> NegativeFriction(const Json& identified) {
  constexpr double kDeviations = 3.0, kHalfWidth = 2.0;  // of 95 %
  const Json* const stating = StatingEstimator(identified);
  if (stating == nullptr) return {};
  std::vector<std::string> negative;
  for (const Json& parameter : stating->at("parameters")) {
    const std::string name = parameter.at("name");
    const std::string_view kind = std::string_view(name).substr(name.rfind('.') + 1);
    if (!kind.starts_with("fv") && !kind.starts_with("fc")) continue;
    if (!parameter.contains("sigma")) continue;
    const double value = parameter.at("value"), sigma = parameter.at("sigma");
    if (value >= -kDeviations * sigma) continue;
    negative.push_back(fmt::format("{} = {:.2g} ± {:.1g}", name, value, kHalfWidth * sigma));
  }
  return negative;
}

}  // namespace

void AddDoubts(const std::vector<std::string>& doubtful, bool guessed, const Json& identified,
               Json& validation) {
  std::vector<std::string> notes;
  if (!doubtful.empty()) {
    notes.push_back(
        fmt::format("The data are in doubt, see what looks wrong in them: {}. A model of such data "
                    "may predict such data well.",
                    fmt::join(doubtful, ", ")));
  }
  const std::vector<std::string> negative = NegativeFriction(identified);
  if (!negative.empty()) {
    notes.push_back(
        fmt::format("The data are in doubt: friction came out negative, which none is: {}. Look at "
                    "the signs, the order and the units of positions and torques of these joints.",
                    fmt::join(negative, "; ")));
  }
  if (guessed) notes.emplace_back("The file's own parameters are here those that were guessed.");
  for (Json& each : validation) {
    if (!each.contains("notes")) continue;  // no verdict on it
    if (!guessed && each.at("file_fraction").get<double>() > 1.0) {
      each["notes"].push_back(
          "The file's own parameters predict torques worse than their mean does: is it the file of "
          "this robot, mounted as it is, and are these the torques of its joints, with gravity?");
    }
    for (const std::string& note : notes) each["notes"].push_back(note);
  }
}

std::vector<std::string> ParametersTold(const Json& identified) {
  const Json* const stating = StatingEstimator(identified);
  if (stating == nullptr || !stating->contains("standard")) return {};
  int alone = 0, combined = 0, never = 0;
  std::map<std::string, std::set<std::string>> cures;
  for (const Json& parameter : stating->at("standard")) {
    const std::string how = parameter.at("identifiable");
    alone += how == "alone" ? 1 : 0;
    combined += how == "combination" ? 1 : 0;
    never += how == "no" ? 1 : 0;
    if (!parameter.contains("hardly")) continue;
    for (const Json& each : parameter.at("hardly")) {
      cures[each.at("cure").get<std::string>()].insert(each.at("name").get<std::string>());
    }
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
      "{} of what shows is hardly determined by this motion: see σ in identified.md", weak));
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

std::string VerdictMarkdown(const Json& verdict) {
  std::string text = fmt::format("# {}\n\n", verdict.at("title").get<std::string>());
  text += Listed("What was found in the logs", verdict.at("found"));
  text += Listed("What looks wrong in them", verdict.at("wrong"));
  text += Listed("How they were prepared", verdict.at("prepared"));
  text += "## Verdict\n\n";
  std::set<std::string> told;
  for (const Json& validation : verdict.at("validation")) {
    text += ValidationMarkdown(validation, told);
  }
  for (const Json& sentence : verdict.at("parameters")) {
    text += fmt::format("- {}\n", sentence.get<std::string>());
  }
  return text + "\n";
}

}  // namespace idbench
