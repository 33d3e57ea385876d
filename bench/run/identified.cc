#include "bench/run/identified.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>

#include "bench/run/identifiability.h"
#include "bench/trial/labelled_estimators.h"
#include "reports/tables/estimate_notes.h"
#include "scenarios/carried_payloads.h"
#include "scenarios/options/json.h"
#include "scenarios/problem/parameter_kind.h"
#include "scenarios/problem/parametrisations.h"

namespace idbench {
namespace {

/// %σ above which an unknown counts as hardly determined.
constexpr double kHardlyPercent = 30.0;
/// A value below this part of the largest of its kind is small, and its σ is compared with that.
constexpr double kSmallValue = 0.1;
/// A value below this part of its σ, or of the largest of its kind, is rounding.
constexpr double kRounding = 1e-9;

/// Largest magnitude in each kind of parameters (masses, first moments along x …).
std::map<std::string, double> LargestOfKinds(const Json& parameters, const char* key) {
  std::map<std::string, double> largest;
  for (const Json& entry : parameters) {
    double& most = largest[ParameterKind(entry["name"])];
    most = std::max(most, std::abs(entry[key].get<double>()));
  }
  return largest;
}

/// Erases percentages of values that are not above their σ, or are rounding beside others of their
/// kind: of what may be 0, no σ is a part.
void EraseMeaningless(Json& parameters) {
  const std::map<std::string, double> largest = LargestOfKinds(parameters, "value");
  for (Json& entry : parameters) {
    if (!entry.contains("percent_sigma")) continue;
    const double value = std::abs(entry["value"].get<double>());
    const bool is_rounding = value <= kRounding * largest.at(ParameterKind(entry["name"]));
    if (is_rounding || value <= entry["sigma"].get<double>()) entry.erase("percent_sigma");
  }
}

/// @param truth  nothing for recordings.
Json ParametersOf(const Parametrisation& parameters, const std::optional<Eigen::VectorXd>& truth,
                  const Estimate& estimate) {
  const auto sigma = estimate.sigma();
  const auto percent = estimate.percent_sigma();
  Json list = Json::array();
  for (Eigen::Index k = 0; k < estimate.x.size(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    Json entry = {
        {"name", parameters.names[at]}, {"unit", parameters.units[at]}, {"value", estimate.x[k]}};
    if (sigma && !std::isnan((*sigma)[k])) entry["sigma"] = (*sigma)[k];
    if (percent && std::isfinite((*percent)[k])) entry["percent_sigma"] = (*percent)[k];
    if (truth) entry["true"] = (*truth)[k];
    list.push_back(std::move(entry));
  }
  EraseMeaningless(list);
  return list;
}

/// The covariance of an estimate of which the structure hides directions: of each combination what
/// ParametersOf() tells of an unknown, and its factors, and the covariance of all.
Json CombinationsOf(const Parametrisation& parameters, const std::optional<Eigen::VectorXd>& truth,
                    const Estimate& estimate) {
  const Combinations& stated = *estimate.combinations;
  const Eigen::MatrixXd& covariances = *stated.covariance;
  Json basis = Json::array(), covariance = Json::array();
  const Eigen::VectorXd value = stated.B * estimate.x;
  for (Eigen::Index i = 0; i < value.size(); ++i) {
    Json factors = Json::object();
    for (Eigen::Index k = 0; k < stated.B.cols(); ++k) {
      if (stated.B(i, k) == 0.0) continue;
      factors[parameters.names[static_cast<std::size_t>(k)]] = stated.B(i, k);
    }
    const double sigma = std::sqrt(std::max(covariances(i, i), 0.0));
    Json entry = {{"name", stated.names[static_cast<std::size_t>(i)]},
                  {"unit", stated.units[static_cast<std::size_t>(i)]},
                  {"value", value[i]},
                  {"sigma", sigma},
                  {"factors", std::move(factors)}};
    if (value[i] != 0.0) entry["percent_sigma"] = 100.0 * sigma / std::abs(value[i]);
    if (truth) entry["true"] = stated.B.row(i).dot(*truth);
    basis.push_back(std::move(entry));
    const Eigen::VectorXd row = covariances.row(i);
    covariance.push_back(std::vector<double>(row.begin(), row.end()));
  }
  EraseMeaningless(basis);
  return {{"basis", std::move(basis)}, {"covariance", std::move(covariance)}};
}

/// Names of the unknowns whose σ is more than 30 % of them, or of a tenth of the largest of their
/// kind if they are smaller, with their σ: in percent where the value is above it. Of a kind whose
/// true values are all 0, as offsets that are not there, every σ is more than all of the value, and
/// says nothing of the motion.
std::map<std::string, std::string> HardlyDetermined(const Json& parameters) {
  const std::map<std::string, double> largest = LargestOfKinds(parameters, "value");
  std::map<std::string, double> of_truth;
  if (!parameters.empty() && parameters.front().contains("true")) {
    of_truth = LargestOfKinds(parameters, "true");
  }
  std::map<std::string, double> of_unit;
  for (const Json& entry : parameters) {
    double& most = of_unit[entry["unit"]];
    most = std::max(most, std::abs(entry["value"].get<double>()));
  }
  std::map<std::string, std::string> hardly;
  for (const Json& entry : parameters) {
    if (!entry.contains("sigma")) continue;
    const std::string name = entry["name"];
    const std::string kind = ParameterKind(name);
    const double size =
        std::max(std::abs(entry["value"].get<double>()), kSmallValue * largest.at(kind));
    const double sigma = entry["sigma"].get<double>();
    if (of_truth.contains(kind) && of_truth[kind] <= kRounding * sigma) continue;
    // A σ of rounding holds an unknown where it is: no motion is at fault.
    const bool is_held = sigma <= kRounding * of_unit.at(entry["unit"]);
    if (is_held || size <= kRounding * sigma) continue;
    if (!(100.0 * sigma > kHardlyPercent * size) || !std::isfinite(sigma)) continue;
    const double value = std::abs(entry["value"].get<double>());
    hardly[name] =
        value > sigma ? fmt::format("σ {:.0f} %", 100.0 * sigma / value)
                      : fmt::format("σ {:.2g} {} of a value of {:.2g}", sigma,
                                    entry["unit"].get<std::string>(), entry["value"].get<double>());
  }
  return hardly;
}

/// What an estimator states σ of: its combinations, or its unknowns.
const Json& StatedOf(const Json& estimator) {
  return estimator.contains("covariance") ? estimator["covariance"]["basis"]
                                          : estimator["parameters"];
}

Json StandardOf(const Identifiability& model, const std::map<std::string, std::string>& hardly) {
  const BaseParameters& base = model.base();
  Json list = Json::array();
  for (const ParameterVerdict& verdict : model.verdicts()) {
    Json entry = {{"name", verdict.name},
                  {"unit", verdict.unit},
                  {"identifiable", ToString(verdict.kind)},
                  {"in", Json::array()},
                  {"expressions", Json::array()}};
    std::string why = verdict.why;
    for (const int i : verdict.in) {
      const std::string& name = base.names[static_cast<std::size_t>(i)];
      entry["in"].push_back(name);
      entry["expressions"].push_back(base.expressions[static_cast<std::size_t>(i)]);
      auto found = hardly.find(name);
      if (found == hardly.end()) found = hardly.find(verdict.name);
      if (found == hardly.end()) continue;
      const BetterMotion better = model.BestShownBy(i);
      why += fmt::format("{}this motion excites {} too little ({}); it shows most {}: {}",
                         why.empty() ? "" : "; ", name, found->second, better.shown, better.cure);
      entry["hardly"].push_back({{"name", name}, {"cure", better.cure}});
    }
    entry["why"] = why;
    list.push_back(std::move(entry));
  }
  return list;
}

Json TrialOf(const PreparedCell& context, const std::optional<Identifiability>& model,
             const KeptTrial& kept) {
  Json estimators = Json::array();
  const auto truth = HasTrueUnknowns(context.scenario(), context.robot()) ? kept.x : std::nullopt;
  const LabelledEstimators methods = MakeEstimators(context.scenario());
  for (std::size_t k = 0; k < kept.estimates.size(); ++k) {
    const Estimate& estimate = kept.estimates[k];
    Json entry = {{"label", context.scenario().estimators[k].first}};
    std::map<std::string, std::string> hardly;
    if (estimate.ok()) {
      entry["parameters"] = ParametersOf(context.problem().parameters, truth, estimate);
      if (estimate.combinations && estimate.combinations->covariance) {
        entry["covariance"] = CombinationsOf(context.problem().parameters, truth, estimate);
      }
      if (IsUntaught(*methods[k].second)) {
        entry["untaught"] = true;  // no motion taught it anything
      } else {
        hardly = HardlyDetermined(StatedOf(entry));
      }
      const std::vector<std::string> notes = HealthNotes(estimate.notes);
      if (!notes.empty()) entry["notes"] = notes;
    } else {
      entry["failure"] = estimate.reason;
      entry["parameters"] = Json::array();
    }
    entry["standard"] = model ? StandardOf(*model, hardly) : Json::array();
    estimators.push_back(std::move(entry));
  }
  return estimators;
}

/// True if two cells, which have the same robot, can show the same.
bool HaveSameEquations(const PreparedCell& a, const PreparedCell& b) {
  return a.asked() == b.asked() && a.problem().equations() == b.problem().equations() &&
         a.problem().friction == b.problem().friction;
}

std::string Number(const Json& entry, const char* key) {
  return entry.contains(key) ? fmt::format("{:.4g}", entry[key].get<double>()) : "";
}

std::string ParameterTable(const Json& parameters) {
  std::string text = "| parameter | unit | value | σ | %σ | true |\n|:--|:--|--:|--:|--:|--:|\n";
  for (const Json& entry : parameters) {
    text +=
        fmt::format("| {} | {} | {} | {} | {} | {} |\n", entry["name"].get<std::string>(),
                    entry["unit"].get<std::string>(), Number(entry, "value"),
                    Number(entry, "sigma"), Number(entry, "percent_sigma"), Number(entry, "true"));
  }
  return text + "\n";
}

/// What was left out of the fits of a cell, a sentence each.
std::string LeftOutText(const Json& cell) {
  std::string text;
  if (!cell.contains("left_out")) return text;
  for (const Json& left : cell["left_out"]) {
    text += fmt::format("{} and are left out.\n\n", left["in_words"].get<std::string>());
  }
  return text;
}

std::vector<std::string> NamesOf(const Json& standard, Identifiable kind) {
  std::vector<std::string> names;
  for (const Json& entry : standard) {
    if (entry["identifiable"] == ToString(kind)) names.push_back(entry["name"]);
  }
  return names;
}

/// Standard parameters of one kind, those with the same reason in one line.
std::string Reasons(const Json& standard, Identifiable kind) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  for (const Json& entry : standard) {
    if (entry["identifiable"] != ToString(kind)) continue;
    const std::string why = entry["why"];
    const auto group = std::ranges::find(groups, why, [](const auto& g) { return g.first; });
    if (group != groups.end()) {
      group->second.push_back(entry["name"]);
    } else {
      groups.push_back({why, {entry["name"]}});
    }
  }
  std::string text;
  for (const auto& [why, names] : groups) {
    text += fmt::format("- {}{}{}\n", fmt::join(names, ", "), why.empty() ? "" : ": ", why);
  }
  return text;
}

std::string Combinations(const Json& standard) {
  std::map<std::string, std::string> expressions;
  for (const Json& entry : standard) {
    if (entry["identifiable"] != ToString(Identifiable::kCombination)) continue;
    for (std::size_t k = 0; k < entry["in"].size(); ++k) {
      expressions[entry["in"][k]] = entry["expressions"][k];
    }
  }
  std::string text;
  for (const auto& [name, expression] : expressions) {
    text += fmt::format("- {} = {}\n", name, expression);
  }
  return text;
}

std::string StandardText(const Json& standard) {
  if (standard.empty()) return "";
  std::string text = "### Standard parameters\n\n";
  text += "Identifiable alone:\n\n" + Reasons(standard, Identifiable::kAlone);
  text += "\nOnly in combinations:\n\n" + Combinations(standard) + "\n";
  text += Reasons(standard, Identifiable::kCombination);
  return text + "\nNot at all:\n\n" + Reasons(standard, Identifiable::kNo) + "\n";
}

Json HeldIn(const Robot& robot) {
  Json list = Json::array();
  for (const HeldJoint& joint : robot.held) {
    list.push_back({{"name", joint.name}, {"position", joint.position}});
  }
  return list;
}

/// Joints that do not move, for which alone the values hold; "" if there is none.
std::string HeldTable(const Json& identified) {
  if (!identified.contains("held_joints")) return "";
  std::string text = "| held joint | at [rad, m] |\n|:--|--:|\n";
  for (const Json& joint : identified["held_joints"]) {
    text += fmt::format("| {} | {:.6g} |\n", joint["name"].get<std::string>(),
                        joint["position"].get<double>());
  }
  return text + "\n";
}

}  // namespace

Json Identified(const LoadedScenario& loaded, const PreparedCells& contexts,
                const std::vector<TrialRange>& trials, KeptTrials& kept_trials) {
  Json cells = Json::array();
  const PreparedCell* judged = nullptr;  // the cell that `model` was made for
  std::optional<Identifiability> model;
  for (std::size_t cell = 0; cell < contexts.size(); ++cell) {
    std::vector<std::int64_t> kept = loaded.scenario.keep_series;
    std::erase_if(kept, [&](std::int64_t trial) {
      return trial < trials[cell].begin || trial >= trials[cell].end;
    });
    if (kept.empty()) continue;
    if (judged == nullptr || !HaveSameEquations(*contexts[cell], *judged)) {
      judged = contexts[cell].get();
      model.reset();
      try {
        // No standard parameter of the robot is asked for where the unknowns are a payload, a state
        // or the parameters of a planar Lagrangian.
        const std::string& type = judged->scenario().problem.parametrisation.type;
        if (KindNamed(type).supplies.HasAllOf(
                {Capability::kConstantUnknowns, Capability::kStandardUnknowns})) {
          model.emplace(judged->problem(), judged->asked());
        }
      } catch (const std::domain_error&) {
        // The rank is not certain: nothing can be said of standard parameters.
      }
    }
    for (const std::int64_t trial : kept) {
      const KeptTrial& found = kept_trials.Get(cell, trial);
      if (!found.plant_failure.empty()) continue;  // its records tell
      cells.push_back({{"cell", cell},
                       {"trial", trial},
                       {"estimators", TrialOf(*contexts[cell], model, found)}});
      for (const LeftOutRows& left : found.left_out) {
        cells.back()["left_out"].push_back({{"equation", left.equation},
                                            {"rows", left.rows},
                                            {"left_out", left.left_out},
                                            {"in_words", left.Describe()}});
      }
    }
  }
  Json identified = {{"format", 1}};
  if (!loaded.robot.held.empty()) identified["held_joints"] = HeldIn(loaded.robot);
  identified["cells"] = std::move(cells);
  return identified;
}

std::string IdentifiedMarkdown(const Json& identified) {
  std::string text = "# What was identified\n\n" + HeldTable(identified);
  Json last;  // the same for all estimators but for what their σ says
  for (const Json& cell : identified["cells"]) {
    for (const Json& estimator : cell["estimators"]) {
      text += fmt::format("## {}, cell {}, trial {}\n\n", estimator["label"].get<std::string>(),
                          cell["cell"].get<std::size_t>(), cell["trial"].get<std::int64_t>());
      if (estimator.contains("failure")) {
        text += fmt::format("Failed: {}\n\n", estimator["failure"].get<std::string>());
      } else {
        text += LeftOutText(cell);
        for (const Json& note : estimator.value("notes", Json::array())) {
          text += fmt::format("- {}\n", note.get<std::string>());
        }
        text += (estimator.contains("notes") ? "\n" : "") + ParameterTable(estimator["parameters"]);
        if (estimator.contains("covariance")) {
          text += "What the equations show of them:\n\n" +
                  ParameterTable(estimator["covariance"]["basis"]);
        }
      }
      const bool same = estimator["standard"] == last;
      text +=
          same ? "### Standard parameters\n\nAs above.\n\n" : StandardText(estimator["standard"]);
      last = estimator["standard"];
    }
  }
  return text;
}

std::string IdentifiedInShort(const Json& identified) {
  std::string text;
  for (const Json& cell : identified["cells"]) {
    const Json& estimators = cell["estimators"];
    if (estimators.empty()) continue;
    const Json& standard = estimators.front()["standard"];
    if (!standard.empty()) {
      text += fmt::format(
          "identifiable of {} standard parameters: {} alone, {} in combinations, {} not at all\n",
          standard.size(), NamesOf(standard, Identifiable::kAlone).size(),
          NamesOf(standard, Identifiable::kCombination).size(),
          NamesOf(standard, Identifiable::kNo).size());
    }
    for (const Json& estimator : estimators) {
      if (estimator.contains("untaught")) continue;
      std::vector<std::string> names;
      for (const auto& [name, sigma] : HardlyDetermined(StatedOf(estimator))) {
        names.push_back(fmt::format("{} ({})", name, sigma));
      }
      if (names.empty()) continue;
      text += fmt::format("{}: hardly determined by these data: {}\n",
                          estimator["label"].get<std::string>(), ListSome(names));
    }
  }
  return text;
}

}  // namespace idbench
