#include "bench/run/export_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <stdexcept>

#include "bench/cell/told_apart.h"
#include "bench/metrics/torque_metrics.h"
#include "bench/run/attached_export.h"
#include "bench/run/exported_set.h"
#include "reports/files/atomic_file.h"
#include "robots/attached_options.h"
#include "robots/export_robot.h"
#include "robots/robot_file.h"

namespace idbench {
namespace {

/// A label as the name of a folder, another than those in `taken`.
std::string FolderName(const std::string& label, std::set<std::string>& taken) {
  std::string name = label;
  for (char& letter : name) {
    const auto byte = static_cast<unsigned char>(letter);
    if (std::isalnum(byte) == 0 && letter != '-' && letter != '.' && letter != '_') letter = '_';
  }
  if (name.find_first_not_of('.') == std::string::npos) name = "_" + name;
  const std::string wanted = name;
  for (int k = 2; !taken.insert(name).second; ++k) name = fmt::format("{}_{}", wanted, k);
  return name;
}

/// "12.1 → 13.0" of one error, scaled; "-" where it cannot be had.
std::string Change(const std::optional<double>& before, const std::optional<double>& after,
                   double scale) {
  if (!before || !after) return "-";
  return fmt::format("{:.4g} → {:.4g}", scale * *before, scale * *after);
}

/// What the written set costs in torque, experiment by experiment and joint by joint.
std::string Cost(const PreparedCell& context, const TrialData& data, const Estimate& estimate,
                 const Eigen::VectorXd& pi) {
  Estimate written = estimate;
  written.pi = pi;
  TorqueMetrics before(context.problem()), after(context.problem());
  before.SetTrial(data);
  before.SetEstimate(estimate);
  after.SetTrial(data);
  after.SetEstimate(written);
  std::string text = "  torque error of the estimate → of what is written\n";
  for (const auto& [label, experiment] : context.scenario().experiments) {
    const MetricValue old_errors = before.RelativeError(label);
    const MetricValue new_errors = after.RelativeError(label);
    text += fmt::format("    {}: RMSE {} N·m, relative {} %\n", label,
                        Change(before.Rmse(label).value, after.Rmse(label).value, 1.0),
                        Change(old_errors.value, new_errors.value, 100.0));
    for (std::size_t j = 0;
         j < std::min(old_errors.components.size(), new_errors.components.size()); ++j) {
      text +=
          fmt::format("      {}: {} %\n", context.problem().model.link(static_cast<int>(j)).joint,
                      Change(old_errors.components[j], new_errors.components[j], 100.0));
    }
  }
  return text;
}

/// Where joints were held: the set holds at this position alone.
std::string HeldNote(const Robot& robot) {
  const std::string held = HeldPlaces(robot.held);
  return held.empty() ? "" : "; identified with held joints: " + held;
}

/// What the data leave to the prior, between a link and what is attached to it; "" if nothing.
std::string DividedNote(const Problem& problem) {
  std::vector<std::string> notes;
  for (const std::string& bodies : NotToldApart(problem.model, problem.rows)) {
    notes.push_back(fmt::format(
        "{}: the data tell only their sum, which the prior divides; leave off what is attached in "
        "some identification experiment to tell them apart",
        bodies));
  }
  return fmt::format("{}", fmt::join(notes, "; "));
}

/// What friction of the set holds beside friction; "" if nothing.
std::string BackEmfNote(const Problem& problem) {
  const bool of_pwm = std::ranges::any_of(
      problem.rows, [](const EquationRows& rows) { return rows.equation == Equation::kPwmDrive; });
  return of_pwm ? "viscous friction that duty cycles show includes the back-EMF of the motors" : "";
}

/// Terms that configurations have of their own, which no file holds; "" if there are none.
std::string OwnTermsNote(const RobotModel& model) {
  std::vector<std::string> names;
  const std::vector<Term> terms = TermsOf(model);
  for (const Configuration& configuration : model.configurations()) {
    for (const OwnTerm& own : configuration.own) {
      names.push_back(terms[static_cast<std::size_t>(own.own)].name);
    }
  }
  if (names.empty()) return "";
  return fmt::format("terms of configurations are not in the file, see identified.json: {}",
                     fmt::join(names, ", "));
}

/// Bodies that the file has as parts of their links.
std::string SplitNote(const Robot& robot, const std::vector<int>& split) {
  std::string note;
  for (const int k : split) {
    const AttachedBody& body = robot.model.attached()[static_cast<std::size_t>(k)];
    note += fmt::format("  {} is part of {} in the file, which has both\n", body.name,
                        robot.model.link(body.link).name);
  }
  return note;
}

/// Exports the estimates of one cell.
class CellExport {
 public:
  CellExport(const LoadedScenario& loaded, const PreparedCell& context,
             const ExportOptions& options, std::filesystem::path folder, std::string cell,
             ExportReport& report)
      : loaded_(loaded),
        context_(context),
        options_(options),
        folder_(std::move(folder)),
        cell_(std::move(cell)),
        report_(report) {}

  /// @param kept  of the trial that is exported.
  void Run(const KeptTrial& kept) {
    if (!kept.plant_failure.empty()) {
      report_.refusals.push_back(
          fmt::format("{}trial {}: {}", cell_, options_.trial, kept.plant_failure));
      return;
    }
    const TrialData data = context_.Run(options_.trial);  // the same as when they were estimated
    for (std::size_t k = 0; k < kept.estimates.size(); ++k) {
      const std::string& label = context_.scenario().estimators[k].first;
      const Estimate& estimate = kept.estimates[k];
      if (!estimate.ok()) {
        report_.text +=
            fmt::format("not exported: {}, which failed: {}\n", Name(label), estimate.reason);
        continue;
      }
      try {
        Export(label, estimate, data);
      } catch (const std::logic_error& error) {  // what one cannot do, others can
        report_.refusals.push_back(fmt::format("{}: {}", Name(label), error.what()));
      }
    }
  }

 private:
  std::string Name(const std::string& label) const { return cell_ + label; }

  void Export(const std::string& label, const Estimate& estimate, const TrialData& data) {
    const CompletedSet completed =
        Complete(context_.robot(), context_, data, estimate, options_.nearest);
    if (!completed.refusal.empty()) {
      report_.refusals.push_back(fmt::format("{}: {}", Name(label), completed.refusal));
      return;
    }
    const std::vector<int> split = SplitFromLinks(context_.robot());
    const bool some_left_out = split.size() < context_.robot().model.attached().size();
    const std::string divided = some_left_out ? DividedNote(data.problem()) : "";
    const std::string back_emf = BackEmfNote(data.problem());
    const ParameterSet set{
        "identified",
        fmt::format("idbench run {}: {}, trial {}", loaded_.source, Name(label), options_.trial),
        completed.note + HeldNote(context_.robot()) + (divided.empty() ? "" : "; " + divided) +
            (back_emf.empty() ? "" : "; " + back_emf),
        WithoutAttached(context_.robot().model, WithLinksWhole(context_.robot(), completed.pi))};
    try {
      const Robot robot = WithoutAttached(context_.robot());
      const RobotExport files = ExportRobot(robot, set, options_.format, options_.locked);
      const std::filesystem::path folder = folder_ / FolderName(label, taken_);
      const std::filesystem::path model = folder / files.model_name;
      WriteAtomically(model, files.model);
      WriteAtomically(folder / kRobotFile, files.description);
      CheckExport(model, robot, set);
      report_.text += fmt::format("exported: {} to {}\n  {} ({:.1f} ms)\n", Name(label),
                                  model.string(), completed.note, completed.milliseconds);
      for (const std::string& note : files.notes) report_.text += fmt::format("  {}\n", note);
      for (const std::string& note : {divided, back_emf, OwnTermsNote(context_.robot().model)}) {
        if (!note.empty()) report_.text += fmt::format("  {}\n", note);
      }
      report_.text += SplitNote(context_.robot(), split);
      if (some_left_out) WriteAttached(folder, completed.pi, split);
      if (completed.predicts_otherwise) {
        report_.text += Cost(context_, data, estimate, completed.pi);
      }
    } catch (const ConfigError& error) {
      report_.refusals.push_back(fmt::format("{}: {}", Name(label), error.what()));
    }
  }

  /// Writes what is attached and not in the model file.
  void WriteAttached(const std::filesystem::path& folder, const Eigen::VectorXd& pi,
                     const std::vector<int>& split) {
    const std::filesystem::path file = folder / kAttachedFile;
    WriteAtomically(file,
                    AttachedText(context_.scenario().attached, context_.robot().model, pi, split));
    report_.text += fmt::format(
        "  what is{} attached is not in the model: it is in {}, as /attached of a scenario takes "
        "it\n",
        split.empty() ? "" : " otherwise", file.string());
  }

  const LoadedScenario& loaded_;
  const PreparedCell& context_;
  const ExportOptions& options_;
  std::filesystem::path folder_;
  std::string cell_;  ///< "" or the cell's label with ": " behind it.
  ExportReport& report_;
  std::set<std::string> taken_;
};

}  // namespace

ExportReport ExportRun(const LoadedScenario& loaded, const PreparedCells& contexts,
                       KeptTrials& kept, const ExportOptions& options) {
  ExportReport report;
  std::set<std::string> taken;
  for (std::size_t cell = 0; cell < contexts.size(); ++cell) {
    const bool several = contexts.size() > 1;
    const std::string label = loaded.cells[cell].coordinates.Label();
    CellExport(loaded, *contexts[cell], options,
               several ? options.folder / FolderName(label, taken) : options.folder,
               several ? label + ": " : "", report)
        .Run(kept.Get(cell, options.trial));
  }
  return report;
}

}  // namespace idbench
