#include "bench/run/export_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>
#include <stdexcept>

#include "bench/metrics/torque_metrics.h"
#include "bench/notes/told_apart.h"
#include "bench/run/attached_export.h"
#include "bench/run/exported_set.h"
#include "estimators/interface/aligned_equations.h"
#include "reports/files/atomic_file.h"
#include "robots/attached_options.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/export/export_check.h"
#include "robots/export/export_robot.h"
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

/// With which s(q̇) Coulomb friction was estimated, which model files do not hold; "" without any.
std::string ShapeNote(const Problem& problem) {
  const auto coulomb = [](const std::string& name) {
    return name.find(".fc") != std::string::npos || name.ends_with(".fs");
  };
  if (std::ranges::none_of(problem.parameters.names, coulomb)) return "";
  const FrictionShape& shape = problem.friction;
  if (!shape.own_widths_rad_s.empty()) {
    return fmt::format("; s(q̇) of Coulomb friction is tanh(q̇/w), w = {:g} rad/s joint by joint",
                       fmt::join(shape.own_widths_rad_s, ", "));
  }
  if (shape.coulomb_width_rad_s == 0.0) return "; s(q̇) of Coulomb friction is sign(q̇)";
  return fmt::format("; s(q̇) of Coulomb friction is tanh(q̇/{:g} rad/s)", shape.coulomb_width_rad_s);
}

/// States on which an export is checked.
struct CheckedMotion {
  Eigen::MatrixXd q, qd, qdd;
  std::string name;

  StateSamples samples() const { return {q, qd, qdd}; }
};

/// The finite states of a dataset; nothing if it lacks positions or rates.
std::optional<CheckedMotion> MotionOf(const Problem& problem, const Dataset& dataset) {
  try {
    const AlignedView view = AlignEquations(problem, dataset, {});
    std::vector<Eigen::Index> finite;
    for (Eigen::Index k = 0; k < view.size(); ++k) {
      if (view[0].row(k).allFinite() && view[1].row(k).allFinite() && view[2].row(k).allFinite()) {
        finite.push_back(k);
      }
    }
    if (finite.empty()) return std::nullopt;
    return CheckedMotion{view[0](finite, Eigen::all), view[1](finite, Eigen::all),
                         view[2](finite, Eigen::all), dataset.label()};
  } catch (const EstimationFailure&) {
    return std::nullopt;
  }
}

/// The first validation motion, else the first of another role, else fixed states.
CheckedMotion MotionToCheck(const TrialData& data) {
  for (const bool validation : {true, false}) {
    for (const Dataset& dataset : data.datasets) {
      if ((dataset.role() == Role::kValidation) != validation) continue;
      if (std::optional<CheckedMotion> motion = MotionOf(data.problem(), dataset)) {
        return *std::move(motion);
      }
    }
  }
  constexpr Eigen::Index kStates = 100;
  const FixedStates states =
      MakeFixedStates(data.problem().model, kStates, StateSet::kWrittenModel);
  return {states.q, states.qd, states.qdd, "fixed states"};
}

/// Refuses a set that predicts other joint torques than the estimate that it completes.
void CheckPrediction(const Problem& problem, const Eigen::VectorXd& estimated,
                     const Eigen::VectorXd& completed, const CheckedMotion& motion,
                     const std::filesystem::path& model) {
  const Dynamics dynamics(problem.model, problem.friction);
  Dynamics::Scratch scratch(dynamics);
  Eigen::MatrixXd wanted(motion.q.rows(), motion.q.cols()), got = wanted;
  dynamics.InverseDynamics(estimated, motion.samples(), scratch, wanted);
  dynamics.InverseDynamics(completed, motion.samples(), scratch, got);
  const double error = (got - wanted).cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
  if (error <= kSameTorque * wanted.cwiseAbs().maxCoeff<Eigen::PropagateNaN>()) return;
  throw ConfigError(model.string(), "",
                    fmt::format("the exported set predicts torques on {} that differ by {:.2g} N·m "
                                "from those of the estimate",
                                motion.name, error));
}

/// What the comparison of an export with its estimate has shown.
std::string CheckNote(const MotionCheck& check, const CheckedMotion& motion) {
  const std::string agreement = fmt::format(
      "within {:.1g} of the greatest torque of the estimate on {} (bodies, damping, "
      "armature)",
      check.relative_error, motion.name);
  if (check.refused_by_mujoco.empty()) {
    return fmt::format("  checked: MuJoCo's inverse dynamics of the file is {}\n", agreement);
  }
  return fmt::format(
      "  checked: what is read from the file is {}; MuJoCo itself does not load it: "
      "{}\n",
      agreement, check.refused_by_mujoco);
}

/// What friction losses cost: the difference from Coulomb friction as it was estimated.
std::string FrictionlossNote(const std::filesystem::path& model, const Robot& robot,
                             const Eigen::VectorXd& pi, const FrictionShape& friction,
                             const CheckedMotion& motion) {
  const Eigen::VectorXd rms = FrictionlossError(model, robot, pi, friction, motion.samples());
  std::vector<std::string> joints;
  for (int i = 0; i < robot.model.dofs(); ++i) {
    joints.push_back(fmt::format("{} {:.3g}", robot.model.link(i).joint, rms[i]));
  }
  return fmt::format(
      "  friction losses, which MuJoCo makes soft constraints, differ from the Coulomb friction of "
      "the estimate on {} by {:.3g} N·m rms: {}\n",
      motion.name, std::sqrt(rms.squaredNorm() / static_cast<double>(rms.size())),
      fmt::join(joints, ", "));
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
      const auto& only = options_.only;
      if (!only.empty() && std::ranges::find(only, label) == only.end()) continue;
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
        completed.note + HeldNote(context_.robot()) + ShapeNote(context_.problem()) +
            (divided.empty() ? "" : "; " + divided) + (back_emf.empty() ? "" : "; " + back_emf),
        WithoutAttached(context_.robot().model, WithLinksWhole(context_.robot(), completed.pi))};
    const std::filesystem::path folder = folder_ / FolderName(label, taken_);
    try {
      Write(label, {completed, set, split, {divided, back_emf}}, estimate, data, folder);
    } catch (const ConfigError& error) {
      report_.refusals.push_back(fmt::format("{}: {}", Name(label), error.what()));
    }
  }

  /// What is written of one estimate.
  struct Subject {
    const CompletedSet& completed;
    const ParameterSet& set;
    const std::vector<int>& split;
    std::vector<std::string> notes;
  };

  /// Writes to a folder of another name until all is checked.
  void Write(const std::string& label, const Subject& subject, const Estimate& estimate,
             const TrialData& data, const std::filesystem::path& folder) {
    const Robot robot = WithoutAttached(context_.robot());
    const RobotExport files =
        ExportRobot(robot, subject.set, options_.format, options_.locked, options_.coulomb);
    const std::filesystem::path unchecked =
        folder_ / FolderName(folder.filename().string() + ".refused", taken_);
    const std::filesystem::path model = unchecked / files.model_name;
    WriteAtomically(model, files.model);
    WriteAtomically(unchecked / kRobotFile, files.description);
    CheckExport(model, robot, subject.set);
    const CheckedMotion motion = MotionToCheck(data);
    const CompletedSet& completed = subject.completed;
    if (!completed.predicts_otherwise) {
      CheckPrediction(data.problem(), estimate.pi, completed.pi, motion, model);
    }
    const MotionCheck check = CheckExportOnMotion(model, robot, subject.set.pi, motion.samples());
    std::string checked = CheckNote(check, motion);
    if (options_.coulomb == ExportedCoulomb::kFrictionloss && check.refused_by_mujoco.empty()) {
      checked += FrictionlossNote(model, robot, subject.set.pi, data.problem().friction, motion);
    }
    std::filesystem::rename(unchecked, folder);
    report_.text +=
        fmt::format("exported: {} to {}\n  {} ({:.1f} ms)\n", Name(label),
                    (folder / files.model_name).string(), completed.note, completed.milliseconds);
    for (const std::string& note : files.notes) report_.text += fmt::format("  {}\n", note);
    report_.text += checked;
    for (const std::string& note : subject.notes) {
      if (!note.empty()) report_.text += fmt::format("  {}\n", note);
    }
    if (const std::string own = OwnTermsNote(context_.robot().model); !own.empty()) {
      report_.text += fmt::format("  {}\n", own);
    }
    report_.text += SplitNote(context_.robot(), subject.split);
    if (subject.split.size() < context_.robot().model.attached().size()) {
      WriteAttached(folder, completed.pi, subject.split);
    }
    if (completed.predicts_otherwise) report_.text += Cost(context_, data, estimate, completed.pi);
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
