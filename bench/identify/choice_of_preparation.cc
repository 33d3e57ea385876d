#include "bench/identify/choice_of_preparation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <set>
#include <utility>

#include "bench/identify/identify_scenario.h"
#include "bench/metrics/metrics.h"
#include "bench/run/runner.h"
#include "reports/files/atomic_file.h"
#include "reports/report.h"
#include "scenarios/options/json.h"
#include "scenarios/options/utf8.h"
#include "scenarios/problem/problem_check.h"
#include "scenarios/scenario_reader.h"

namespace idbench {
namespace {

/// Factor on the least error within which a simpler candidate is taken.
constexpr double kAsGood = 1.05;

struct Candidate {
  std::string name;
  Preparation preparation;
};

/// Errors of a candidate by joint, averaged over the tuning experiments; NaN of a joint whose
/// torque has no spread: nothing of it has to be explained. Nothing if the fit failed.
using JointErrors = std::optional<Eigen::VectorXd>;

/// Infinity if the fit failed.
double MeanOf(const JointErrors& errors) {
  if (!errors) return std::numeric_limits<double>::infinity();
  double sum = 0.0;
  int count = 0;
  for (const double error : *errors) {
    if (std::isnan(error)) continue;
    sum += error;
    ++count;
  }
  return count > 0 ? sum / count : std::numeric_limits<double>::infinity();
}

/// Index of the simplest candidate that is as good as the best one.
std::size_t SimplestAsGood(const std::vector<double>& errors) {
  const double least = std::ranges::min(errors);
  const auto first =
      std::ranges::find_if(errors, [least](double error) { return error <= kAsGood * least; });
  return static_cast<std::size_t>(first - errors.begin());
}

/// Candidates of one choice, the simplest first.
struct Choice {
  std::string folder;
  std::string subject;
  std::vector<Candidate> candidates;
};

std::string ShapeName(double width_rad_s) {
  return width_rad_s == 0.0 ? "sign(q̇)" : fmt::format("tanh(q̇/{:g} rad/s)", width_rad_s);
}

Choice FrictionChoice(const MotionFacts& facts, const Preparation& start) {
  Choice choice{"1_friction", "Coulomb friction and rotor inertia", {}};
  for (const bool rotor : {false, true}) {
    for (const double width : facts.coulomb_widths_rad_s) {
      Candidate& candidate = choice.candidates.emplace_back(
          ShapeName(width) + (rotor ? ", rotor inertia" : ""), start);
      candidate.preparation.coulomb_width_rad_s = PerJoint{{width}};
      candidate.preparation.rotor_inertia = rotor;
    }
  }
  return choice;
}

/// Widths between those of FrictionChoice(), which are about threefold; none below the least, which
/// is of the velocities' noise.
std::optional<Choice> FinerChoice(const MotionFacts& facts, const Preparation& taken) {
  const double width = taken.coulomb_width_rad_s.values.front();
  if (width == 0.0) return {};
  Choice choice{"2_width", "width of Coulomb friction to start from", {}};
  for (const double candidate : {width, width / std::numbers::sqrt3, width * std::numbers::sqrt3}) {
    if (candidate < facts.coulomb_widths_rad_s.front()) continue;
    const double rounded = candidate == width ? width : FourDigits(candidate);
    choice.candidates.push_back({ShapeName(rounded), taken});
    choice.candidates.back().preparation.coulomb_width_rad_s = PerJoint{{rounded}};
  }
  return choice;
}

/// Errors of widths that all joints have in common, of one kind of rotor inertias.
struct CommonWidths {
  std::vector<double> widths;
  std::vector<Eigen::VectorXd> errors;

  void Add(const Choice& choice, const std::vector<JointErrors>& of_candidates, bool rotor) {
    for (std::size_t k = 0; k < of_candidates.size(); ++k) {
      const Preparation& preparation = choice.candidates[k].preparation;
      if (!of_candidates[k] || preparation.rotor_inertia != rotor) continue;
      widths.push_back(preparation.coulomb_width_rad_s.values.front());
      errors.push_back(*of_candidates[k]);
    }
  }
};

/// The common width with the least error of each joint: Coulomb friction of a joint is in its own
/// torque alone. One that hardly differs from that which was taken is no better.
PerJoint BestOfEach(const CommonWidths& common, const Preparation& taken) {
  constexpr double kHardly = 1e-3;
  const double width = taken.coulomb_width_rad_s.values.front();
  const auto of_taken =
      static_cast<std::size_t>(std::ranges::find(common.widths, width) - common.widths.begin());
  PerJoint best{{}};
  for (Eigen::Index joint = 0; joint < common.errors.front().size(); ++joint) {
    std::vector<double> of_joint;
    for (const Eigen::VectorXd& each : common.errors) of_joint.push_back(each[joint]);
    const auto least = std::ranges::min_element(of_joint);
    const bool better = of_joint[of_taken] > (1.0 + kHardly) * *least;  // or NaN
    best.values.push_back(better ? common.widths[static_cast<std::size_t>(least - of_joint.begin())]
                                 : width);
  }
  return best;
}

/// The widths times a factor and over it, none below the least one; those that are 0 stay.
Choice RefinedChoice(const MotionFacts& facts, const Preparation& start, std::string folder,
                     double factor) {
  Choice choice{std::move(folder), "widths of Coulomb friction of each joint", {}};
  for (const double times : {1.0, factor, 1.0 / factor}) {
    const std::string name = times == 1.0 ? "as they are" : fmt::format("times {:.3g}", times);
    std::vector<double>& widths =
        choice.candidates.emplace_back(name, start).preparation.coulomb_width_rad_s.values;
    for (double& width : widths) {
      if (width == 0.0) continue;
      width = std::max(FourDigits(times * width), facts.coulomb_widths_rad_s.front());
    }
  }
  return choice;
}

/// Where the parabola through (−left, down), (0, middle) and (right, up) is least between its ends.
double LeastOfParabola(double left, double right, double down, double middle, double up) {
  const double to_left = (down - middle) / left, to_right = (up - middle) / right;
  const double curvature = (to_left + to_right) / (left + right);
  const double slope = (to_right * left - to_left * right) / (left + right);
  if (curvature <= 0.0) return up < down ? right : -left;
  return std::clamp(-0.5 * slope / curvature, -left, right);
}

/// Widths of least error, each joint's by the parabola through the squared errors of the candidates
/// of RefinedChoice() over the logarithm of its width. A joint of which they hardly differ keeps
/// its own.
/// @param squares  see FittedSquares(), of the candidates.
PerJoint RefinedWidths(const Choice& refined, const std::vector<JointErrors>& squares) {
  constexpr double kHardly = 1e-3;  // of the squared error
  const auto width = [&refined](std::size_t candidate, std::size_t joint) {
    const std::vector<double>& widths =
        refined.candidates[candidate].preparation.coulomb_width_rad_s.values;
    return widths.size() == 1 ? widths.front() : widths[joint];
  };
  PerJoint found{{}};
  for (std::size_t j = 0; j < static_cast<std::size_t>(squares.front()->size()); ++j) {
    const auto square = [&](std::size_t candidate) {
      return (*squares[candidate])[static_cast<Eigen::Index>(j)];
    };
    const double now = width(0, j), wider = width(1, j), narrower = width(2, j);
    found.values.push_back(now);
    if (now == 0.0) continue;
    const double middle = square(0), up = square(1), down = square(2);
    const double differ = std::max({middle, up, down}) - std::min({middle, up, down});
    if (!(differ > kHardly * middle)) continue;  // or NaN
    const double left = std::log(now / narrower), right = std::log(wider / now);
    const double shift = left > 0.0 ? LeastOfParabola(left, right, down, middle, up)
                                    : (up < middle ? right : 0.0);  // now is the least width
    found.values.back() = FourDigits(now * std::exp(shift));
  }
  return found;
}

Choice FilterChoice(const MotionFacts& facts, const Preparation& start) {
  Choice choice{"6_filter", "filter", {}};
  for (const bool held : {false, true}) {
    for (const double cutoff : facts.cutoffs_hz) {
      Candidate& candidate = choice.candidates.emplace_back(
          fmt::format("{:g} Hz{}", cutoff, held ? ", torque held over a sample" : ""), start);
      candidate.preparation.cutoff_hz = cutoff;
      candidate.preparation.held_torque = held;
    }
  }
  return choice;
}

/// What the robot's file declares already, as one that was identified does, is in all candidates.
Choice TermsChoice(const RobotModel& model, const MotionFacts& facts, const Preparation& start) {
  Choice choice{"7_terms", "further friction", {}};
  const std::vector<TermOptions> own = OptionsOfTerms(model);
  const auto has = [&own](TermKind kind) {
    return std::ranges::find(own, kind, &TermOptions::type) != own.end();
  };
  for (const bool stribeck : {false, true}) {
    if (stribeck && has(TermKind::kStribeck)) continue;
    for (const bool asymmetric : {false, true}) {
      if (asymmetric && has(TermKind::kAsymmetric)) continue;
      const std::string at = fmt::format("Stribeck at {:g} rad/s", facts.stribeck_velocity_rad_s);
      const std::string name = fmt::format("{}{}{}", asymmetric ? "of each direction" : "",
                                           asymmetric && stribeck ? ", " : "", stribeck ? at : "");
      Candidate& candidate = choice.candidates.emplace_back(name.empty() ? "none" : name, start);
      candidate.preparation.asymmetric = asymmetric;
      candidate.preparation.stribeck = stribeck;
    }
  }
  return choice;
}

/// What of the values below a pointer differs between scenarios, by pointer: their values, null
/// or an empty object where one has none.
void CollectDifferences(const std::vector<const Json*>& all, const std::string& pointer,
                        std::size_t depth, Json& set) {
  const Json* first = all.front();
  if (std::ranges::all_of(all, [first](const Json* each) { return *each == *first; })) return;
  if (depth == 0 || !std::ranges::all_of(all, [](const Json* each) { return each->is_object(); })) {
    Json values = Json::array();
    for (const Json* each : all) values.push_back(*each);
    set[pointer] = std::move(values);
    return;
  }
  std::set<std::string> keys;
  for (const Json* each : all) {
    for (const auto& [key, value] : each->items()) keys.insert(key);
  }
  for (const std::string& key : keys) {
    const auto has = [&key](const Json* each) { return each->contains(key); };
    const bool objects = (*std::ranges::find_if(all, has))->at(key).is_object();
    const Json none = objects ? Json::object() : Json();
    std::vector<const Json*> below;
    for (const Json* each : all) below.push_back(has(each) ? &each->at(key) : &none);
    CollectDifferences(below, PointerTo(pointer, key), depth - 1, set);
  }
}

/// One scenario with all candidates: what differs between them is swept.
Json SweptScenario(const LabLogs& logs, const MotionFacts& facts, const Choice& choice) {
  std::vector<Json> scenarios;
  Json values = Json::array();
  for (const Candidate& candidate : choice.candidates) {
    values.push_back(candidate.name);
    scenarios.push_back(IdentifyScenario(logs, facts, candidate.preparation, true));
  }
  std::vector<const Json*> all;
  for (const Json& scenario : scenarios) all.push_back(&scenario);
  constexpr std::size_t kDepth = 3;  // /processing/lowpass/cutoff_hz, /experiments/tuning/window
  Json set = Json::object();
  CollectDifferences(all, "", kDepth, set);
  Json scenario = scenarios.front();
  scenario["sweep"] = Json::array({{{"name", "preparation"}, {"values", values}, {"set", set}}});
  return scenario;
}

/// Errors of a cell of summary.json.
/// @param spread  of each joint's torque, see MotionFacts.
JointErrors ErrorsOf(const Json& cell, const Eigen::VectorXd& spread) {
  const Json& metrics = cell.at("estimators").at(0).at("metrics");
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(spread.size());
  int experiments = 0;
  for (const auto& [name, metric] : metrics.items()) {
    if (!name.starts_with(fmt::format("{}@tuning", kChoosingMetric))) continue;
    if (!metric.contains("mean")) return std::nullopt;
    Eigen::Index joint = 0;
    for (const Json& component : metric.at("components")) {
      sum[joint++] += component.at("mean").get<double>();
    }
    ++experiments;
  }
  if (experiments == 0 || !(spread.array() > 0.0).any()) return std::nullopt;
  return (spread.array() > 0.0)
      .select(sum.array() / spread.array() / experiments, std::numeric_limits<double>::quiet_NaN())
      .matrix();
}

/// Mean squared errors of each joint in all of the fitted time [N² or N²·m²]: what is left of its
/// torque where the fit was made counts as well for a width, which makes no model richer.
/// Nothing if the fit failed.
JointErrors FittedSquares(const Json& cell) {
  const Json& metrics = cell.at("estimators").at(0).at("metrics");
  Eigen::VectorXd squares;
  for (const auto& [name, metric] : metrics.items()) {
    if (!name.starts_with(fmt::format("{}@", kChoosingMetric))) continue;
    if (!metric.contains("mean")) return std::nullopt;
    const bool tuning = name.starts_with(fmt::format("{}@tuning", kChoosingMetric));
    const double part = tuning ? kTuningPart : 1.0 - kTuningPart;
    const Json& components = metric.at("components");
    if (squares.size() == 0) squares.setZero(std::ssize(components));
    Eigen::Index joint = 0;
    for (const Json& component : components) {
      const double error = component.at("mean").get<double>();
      squares[joint++] += part * error * error;
    }
  }
  return squares;
}

/// Why the first candidate failed, of its records.
std::string FailureOf(const Json& summary) {
  const Json& reasons = summary.at("cells").at(0).at("estimators").at(0).at("reasons");
  return reasons.empty() ? "no error was computed" : reasons.begin().key();
}

/// Of all candidates.
struct Outcomes {
  std::vector<JointErrors> errors;   ///< Those on the tuning time, see ErrorsOf().
  std::vector<JointErrors> squares;  ///< See FittedSquares().
};

/// Runs all candidates; nothing if the run was interrupted.
/// @throws ConfigError if all of them fail.
std::optional<Outcomes> RunCandidates(const LabLogs& logs, const MotionFacts& facts,
                                      const Choice& choice, const std::filesystem::path& folder,
                                      RunOptions options) {
  const Json scenario = SweptScenario(logs, facts, choice);
  options.folder = folder / choice.folder;
  const std::string source = (options.folder / "scenario.json").string();
  const LoadedScenario loaded = LoadScenario(scenario, source, {}, AllMetrics());
  if (RunScenario(loaded, options) == RunResult::kInterrupted) return std::nullopt;
  WriteAtomically(source, JsonText(scenario, 2) + "\n");
  WriteReport(options.folder);
  const Json summary = ReadJsonFile((options.folder / "summary.json").string());
  Outcomes outcomes;
  for (const Json& cell : summary.at("cells")) {
    outcomes.errors.push_back(ErrorsOf(cell, facts.torque_spread));
    outcomes.squares.push_back(FittedSquares(cell));
  }
  if (std::ranges::none_of(outcomes.errors,
                           [](const JointErrors& each) { return each.has_value(); })) {
    throw ConfigError(
        source, "",
        fmt::format("{} fails with every {}: {}", kChooser, choice.subject, FailureOf(summary)),
        {"is the log long enough, some periods of its motion, and do all joints move in it?"});
  }
  return outcomes;
}

/// Takes the simplest of the candidates that are as good as the best one, and says so.
Preparation Decide(const Choice& choice, const std::vector<JointErrors>& of_joints,
                   std::vector<std::string>& sentences) {
  std::vector<double> errors;
  for (const JointErrors& each : of_joints) errors.push_back(MeanOf(each));
  const std::size_t taken = SimplestAsGood(errors);
  // Those that fail have none.
  const auto fitted = std::ranges::remove(errors, std::numeric_limits<double>::infinity()).begin();
  const auto [least, most] = std::ranges::minmax(std::vector(errors.begin(), fitted));
  sentences.push_back(fmt::format("{}: {} (of {} tried, with errors of {:.3g} to {:.3g} %)",
                                  choice.subject, choice.candidates[taken].name,
                                  choice.candidates.size(), 100.0 * least, 100.0 * most));
  return choice.candidates[taken].preparation;
}

}  // namespace

ChosenPreparation ChoosePreparation(const LabLogs& logs, const MotionFacts& facts,
                                    const std::filesystem::path& folder, int jobs,
                                    const std::atomic<bool>* stop) {
  ChosenPreparation chosen;
  chosen.preparation.cutoff_hz = facts.cutoffs_hz.front();
  RunOptions options;
  options.jobs = jobs;
  options.stop = stop;
  options.quiet_s = kQuietRun;
  const auto run = [&](const Choice& choice) {
    auto outcomes = RunCandidates(logs, facts, choice, folder, options);
    chosen.interrupted = !outcomes;
    return outcomes;
  };
  const auto decide = [&](const Choice& choice) {
    auto outcomes = run(choice);
    if (outcomes) chosen.preparation = Decide(choice, outcomes->errors, chosen.sentences);
    return outcomes;
  };
  chosen.sentences.push_back(fmt::format(
      "each choice below is the simplest within {:.0f} % of the least torque error, over the "
      "torque's standard deviation, on the tuning time: the last {:.2g} of what is fitted (all "
      "errors: tuning/*/report.md)",
      100.0 * (kAsGood - 1.0), kTuningPart));
  const Choice friction = FrictionChoice(facts, chosen.preparation);
  const auto coarse = decide(friction);
  if (!coarse) return chosen;
  CommonWidths common;
  common.Add(friction, coarse->errors, chosen.preparation.rotor_inertia);
  if (const auto finer = FinerChoice(facts, chosen.preparation)) {
    const auto outcomes = decide(*finer);
    if (!outcomes) return chosen;
    common.Add(*finer, outcomes->errors, chosen.preparation.rotor_inertia);
  }
  if (FrictionOfNoSingleJoint(logs.robot.model) == nullptr) {
    PerJoint& widths = chosen.preparation.coulomb_width_rad_s;
    widths = BestOfEach(common, chosen.preparation);
    for (const auto& [name, factor] :
         {std::pair("3_own_widths", 1.8), {"4_own_widths", 1.3}, {"5_own_widths", 1.1}}) {
      if (std::ranges::max(widths.values) == 0.0) break;
      const Choice refined = RefinedChoice(facts, chosen.preparation, name, factor);
      const auto outcomes = run(refined);
      if (!outcomes) return chosen;
      const auto fits = [](const JointErrors& squares) { return squares.has_value(); };
      if (!std::ranges::all_of(outcomes->squares, fits)) break;
      widths = RefinedWidths(refined, outcomes->squares);
    }
    chosen.sentences.push_back(
        fmt::format("widths of Coulomb friction that are used, of each joint that of the least "
                    "torque error in all of the fitted time, between those tried too: {:g} rad/s",
                    fmt::join(widths.values, ", ")));
  }
  if (decide(FilterChoice(facts, chosen.preparation))) {
    decide(TermsChoice(logs.robot.model, facts, chosen.preparation));
  }
  return chosen;
}

}  // namespace idbench
