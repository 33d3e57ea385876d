#include "bench/identify/identify.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "bench/identify/choice_of_preparation.h"
#include "bench/identify/guessed_bodies.h"
#include "bench/identify/identify_scenario.h"
#include "bench/identify/log_checks.h"
#include "bench/identify/preparation.h"
#include "bench/identify/repeated_motion.h"
#include "bench/identify/torque_noise.h"
#include "bench/identify/verdict.h"
#include "bench/metrics/metrics.h"
#include "bench/run/export_run.h"
#include "bench/run/runner.h"
#include "reports/files/atomic_file.h"
#include "reports/report.h"
#include "robots/physical_inertia.h"
#include "robots/recording/data_window.h"
#include "robots/robot_file.h"
#include "scenarios/options/json.h"
#include "scenarios/options/utf8.h"
#include "scenarios/scenario_reader.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;

/// Puts all that is in a folder into the one that holds it.
void MoveUp(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    fs::rename(entry.path(), folder.parent_path() / entry.path().filename());
  }
  fs::remove(folder);
}

/// What became of the model.
struct Exported {
  ExportReport report;
  /// Whether the links that carry held joints have the inertia of these: what would be left of them
  /// is no body.
  bool merged = false;
};

/// Runs the scenario, and puts the run into the folder. False if it was interrupted.
bool RunInto(const fs::path& folder, const Json& scenario, int jobs, const std::atomic<bool>* stop,
             Exported& exported) {
  const fs::path file = folder / "scenario.json";
  WriteAtomically(file, JsonText(scenario, 2) + "\n");
  const LoadedScenario loaded = LoadScenario(file, {}, AllMetrics());
  ExportOptions export_options;
  export_options.folder = folder / "models";
  export_options.only = {kExported};
  RunOptions options;
  options.folder = folder / "run";
  options.jobs = jobs;
  options.stop = stop;
  options.quiet_s = kQuietRun;
  options.kept_trial = 0;
  options.afterwards = [&](const PreparedCells& contexts, KeptTrials& kept) {
    exported.report = ExportRun(loaded, contexts, kept, export_options);
    if (exported.report.refusals.empty()) return;
    export_options.locked = LockedBodies::kMerged;
    ExportReport merged = ExportRun(loaded, contexts, kept, export_options);
    exported.merged = merged.refusals.empty();
    if (exported.merged) exported.report = std::move(merged);
  };
  if (RunScenario(loaded, options) == RunResult::kInterrupted) return false;
  MoveUp(options.folder);
  WriteReport(folder);
  return true;
}

/// Puts the exported model and its robot.json into the folder itself. Returns the model's name, ""
/// if there is none.
std::string PublishModel(const fs::path& folder) {
  const fs::path from = folder / "models" / kExported;
  std::error_code missing;
  if (!fs::exists(from / kRobotFile, missing)) return "";
  Json description = ReadJsonFile((from / kRobotFile).string());
  const fs::path model = description.at("model").get<std::string>();
  std::string name = "identified" + model.extension().string();
  description["model"] = name;
  fs::rename(from / model, folder / name);
  WriteAtomically(folder / kRobotFile, JsonText(description, 2) + "\n");
  fs::remove_all(folder / "models");
  return name;
}

/// Measured segments of an experiment of the scenario.
std::vector<Dataset> SegmentsOf(const LabLogs& logs, const LoadedScenario& loaded,
                                const std::string& label) {
  for (const auto& [name, experiment] : loaded.scenario.experiments) {
    if (name != label) continue;
    const Recording recording = ReadLab(logs, *experiment.file, label, experiment.role);
    const DataWindowOptions window = experiment.window.value_or(DataWindowOptions{});
    return CutOut(recording.segments, SpanOf(recording.segments, window));
  }
  return {};
}

std::vector<std::string> ValidationLabels(const LabLogs& logs) {
  return LabelsOf("validation",
                  logs.validation.empty() ? logs.identification.size() : logs.validation.size());
}

/// Cut-off over the motion's band behind which motions are compared.
constexpr double kSmoothing = 2.0;

/// Verdicts on all experiments of validation, or why there is none.
Json Verdicts(const LabLogs& logs, const MotionFacts& facts, const fs::path& folder) {
  const Json summary = ReadJsonFile((folder / "summary.json").string());
  const LoadedScenario loaded = LoadScenario(folder / "scenario.json", {}, AllMetrics());
  std::vector<Dataset> fitted;
  for (const auto& [label, experiment] : loaded.scenario.experiments) {
    if (experiment.role != Role::kIdentification) continue;
    std::ranges::move(SegmentsOf(logs, loaded, label), std::back_inserter(fitted));
  }
  Json verdicts = Json::array();
  for (const std::string& label : ValidationLabels(logs)) {
    const std::vector<Dataset> segments = SegmentsOf(logs, loaded, label);
    const Eigen::VectorXd noise = TorqueNoise(segments, facts.score_cutoff_hz);
    try {
      Verdict verdict = Judge(summary, label, noise);
      verdict.repeated =
          RepeatedPart(fitted, segments, facts.rate_hz, kSmoothing * facts.band.frequency_hz);
      verdicts.push_back(verdict.ToJson());
    } catch (const ConfigError& error) {  // what was computed is kept
      verdicts.push_back({{"experiment", label}, {"no_verdict", error.what()}});
    }
  }
  return verdicts;
}

/// Gives the robot guesses in place of bodies that cannot be, see GuessBodies(), and says so.
void TakeGuesses(const IdentifyOptions& options, LabLogs& logs) {
  const std::optional<GuessedBodies> guessed = GuessBodies(LoadRobot(options.robot));
  if (!guessed) return;
  const fs::path file = fs::absolute(options.folder).lexically_normal() / "guessed" / kRobotFile;
  WriteAtomically(file, guessed->description);
  logs.robot_name = file.string();
  logs.robot = LoadRobot(logs.robot_name, logs.robot.part);
  logs.guessed = !guessed->guessed.empty();
  if (logs.guessed) {
    logs.sentences.push_back(fmt::format(
        "the model file gives no mass or no extent to {}: identification starts from guessed rods, "
        "see {}; what is called the file's own is of these, and what the data do not tell stays "
        "guessed",
        fmt::join(guessed->guessed, ", "), file.string()));
  }
  if (!guessed->mended.empty()) {
    logs.sentences.push_back(fmt::format(
        "no body can have the inertia that the model file gives to {}: the nearest that one can "
        "have stands for it, see {}",
        fmt::join(guessed->mended, ", "), file.string()));
  }
}

/// Refuses a file whose bodies cannot be, before anything is computed: the exported model is the
/// one near to them that the data ask for.
void CheckBodies(const LabLogs& logs) {
  const Robot& robot = logs.robot;
  const Eigen::VectorXd& pi = robot.FindSet("")->pi;
  const ParameterLayout layout(robot.model);
  std::vector<Issue> issues;
  for (int i = 0; i < robot.model.dofs(); ++i) {
    if (robot.model.link(i).massless) continue;
    const InertialParameters body = pi.segment<kInertialCount>(layout.Body(i));
    const std::optional<std::string> why = WhyUnphysical(FromStandard(body));
    if (!why) continue;
    issues.push_back({robot.model.BodyName(i), "no body can have its inertia: " + *why, {}});
  }
  if (issues.empty()) return;
  issues.back().details = {
      "identification starts from the file's bodies: give each a mass and moments of inertia that "
      "it may have, as of a rod of the link's length; a guess will do"};
  throw ConfigError(robot.file.string(), std::move(issues));
}

IdentifyResult IdentifyChecked(const IdentifyOptions& options, const LabLogs& logs,
                               const LogChecks& checks, const std::atomic<bool>* stop) {
  const fs::path& folder = options.folder;
  CheckBodies(logs);
  const MotionFacts facts = LookAtMotion(logs);
  const ChosenPreparation chosen =
      ChoosePreparation(logs, facts, folder / "tuning", options.jobs, stop);
  IdentifyResult result;
  result.interrupted = chosen.interrupted;
  if (result.interrupted) return result;
  Exported exported;
  const Json scenario = IdentifyScenario(logs, facts, chosen.preparation, false);
  if (!RunInto(folder, scenario, options.jobs, stop, exported)) {
    result.interrupted = true;
    return result;
  }
  const std::string model = PublishModel(folder);
  result.exported = !model.empty();

  std::vector<std::string> prepared = facts.sentences;
  std::ranges::copy(chosen.sentences, std::back_inserter(prepared));
  if (!chosen.preparation.rotor_inertia) {
    prepared.push_back(fmt::format(
        "rotor inertias are not told apart from the links': {} has what the motors add in its "
        "links, so that a simulation must not add it again",
        model.empty() ? "the model" : model));
  }
  if (exported.merged) {
    prepared.push_back(fmt::format(
        "in {} the links that carry held joints have all of the identified inertia, and the held "
        "bodies none: without those of the file what is left would be no body",
        model));
  }
  Json validation = Verdicts(logs, facts, folder);
  const Json identified = ReadJsonFile((folder / "identified.json").string());
  AddDoubts(DoubtfulData(checks), logs.guessed, identified, validation);
  const Json verdict = {{"title", logs.robot.title.empty() ? logs.robot.name : logs.robot.title},
                        {"exported", kExported},
                        {"found", logs.sentences},
                        {"wrong", CheckSentences(checks)},
                        {"prepared", prepared},
                        {"validation", validation},
                        {"parameters", ParametersTold(identified)}};
  WriteAtomically(folder / "verdict.json", JsonText(verdict, 2) + "\n");
  result.text = VerdictMarkdown(verdict);
  WriteAtomically(folder / "verdict.md", result.text);
  WriteReport(folder);  // with the verdict, which needs its statistics
  for (const std::string& refusal : exported.report.refusals) {
    result.text += fmt::format("not exported: {}\n", refusal);
  }
  if (result.exported) {
    result.text += fmt::format("model: {}, with friction in {}\n", (folder / model).string(),
                               (folder / kRobotFile).string());
  }
  result.text += fmt::format("report: {0}/report.html; run again: idbench run {0}/scenario.json\n",
                             folder.string());
  return result;
}

}  // namespace

IdentifyResult Identify(const IdentifyOptions& options, const std::atomic<bool>* stop) {
  const fs::path& folder = options.folder;
  LabLogs logs = ReadLabLogs(options);
  TakeGuesses(options, logs);
  const LogChecks checks = CheckLogs(logs);
  WriteAtomically(folder / "checks.json", JsonText(ChecksJson(checks.findings), 2) + "\n");
  try {
    return IdentifyChecked(options, logs, checks, stop);
  } catch (const ConfigError& error) {  // what looks wrong may be why
    if (checks.findings.empty()) throw;
    std::vector<Issue> issues = error.issues();
    issues.push_back({"", "what looks wrong in the logs", CheckSentences(checks)});
    throw ConfigError(error.source(), std::move(issues));
  }
}

}  // namespace idbench
