#include "scenarios/scenario_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "hw/environment.h"
#include "reports/run/metric_name.h"
#include "scenarios/motion/controllers.h"
#include "scenarios/motion/motions.h"
#include "scenarios/problem/parametrisations.h"
#include "sim/rollout.h"

namespace idbench {
namespace {

/// Collects issues; knows which parts of the scenario are broken already.
class Checker {
 public:
  Checker(const Scenario& scenario, const Robot& robot, std::span<const MetricInfo> metrics,
          const std::vector<Issue>& known)
      : scenario_(scenario), robot_(robot), metrics_(metrics), known_(known) {}

  std::vector<Issue> Run() {
    CheckSets();
    CheckSimulatedOrRecorded();
    CheckExperiments();
    if (scenario_.simulated()) {
      CheckSimulation();
    } else {
      CheckRecordings();
    }
    CheckProblem();
    CheckWindows();
    CheckMetricNames();
    return std::move(issues_);
  }

 private:
  bool Sound(const std::string& part) const {
    return std::ranges::none_of(
        known_, [&part](const Issue& issue) { return issue.where.starts_with(part); });
  }

  void Add(std::string where, std::string what, std::vector<std::string> details = {}) {
    issues_.push_back({std::move(where), std::move(what), std::move(details)});
  }

  void CheckSet(const std::string& where, const SetOptions& options) {
    if (robot_.FindSet(options.set) != nullptr) return;
    Add(where + "/set", fmt::format("{} has no set \"{}\"", robot_.name, options.set),
        AcceptedNames(options.set, robot_.set_names()));
  }

  void CheckSets() {
    if (scenario_.robot.truth && Sound("/robot")) {
      CheckSet("/robot/truth", *scenario_.robot.truth);
      for (Issue& issue : CheckTrueJoints(scenario_.robot.truth->joints, "/robot/truth",
                                          robot_.model.joint_names())) {
        issues_.push_back(std::move(issue));
      }
    }
    if (scenario_.problem.prior && Sound("/problem/prior")) {
      CheckSet("/problem/prior", *scenario_.problem.prior);
    }
  }

  void CheckSimulatedOrRecorded() {
    if (scenario_.simulated()) return;
    const auto refuse = [this](bool there, const std::string& where) {
      if (there) {
        Add(where, "has no meaning for a recording",
            {"remove it, or remove /recording to simulate"});
      }
    };
    refuse(scenario_.robot.truth.has_value(), "/robot/truth");
    refuse(scenario_.plant.has_value(), "/plant");
    refuse(scenario_.control.has_value(), "/control");
    refuse(scenario_.sensors.has_value(), "/sensors");
    refuse(scenario_.trials.has_value(), "/trials");
  }

  void CheckExperiments() {
    if (!Sound("/experiments")) return;
    const auto& experiments = scenario_.experiments;
    if (std::ranges::none_of(experiments, [](const auto& experiment) {
          return experiment.second.role == Role::kIdentification;
        })) {
      Add("/experiments", "none has the role \"identification\"", {"estimators need at least one"});
    }
    for (const auto& [label, experiment] : experiments) {
      const std::string where = PointerTo("/experiments", label);
      if (label.empty() || label.find_first_of("@/\\") != std::string::npos ||
          label.starts_with("t=")) {
        Add(where, "a label must not be empty, contain @, / or \\, or begin with t=");
      }
      if (scenario_.simulated()) {
        CheckTheMotion(where + "/motion", experiment);
        if (experiment.file) {
          Add(where + "/file", "has no meaning for a simulation",
              {"add /recording to read recordings"});
        }
        for (Issue& issue :
             CheckPayloadEvents(experiment.events, where + "/events", robot_.model)) {
          issues_.push_back(std::move(issue));
        }
      } else {
        if (experiment.motion) Add(where + "/motion", "has no meaning for a recording");
        if (experiment.control) Add(where + "/control", "has no meaning for a recording");
        if (!experiment.events.empty()) {
          Add(where + "/events", "has no meaning for a recording");
        }
        if (!experiment.file) Add(where + "/file", "missing", {"name a file in /recording/root"});
      }
    }
  }

  void CheckTheMotion(const std::string& where, const ExperimentOptions& experiment) {
    const bool open_loop = IsTorqueReplay(scenario_, experiment);
    if (open_loop && experiment.motion) {
      Add(where, "has no meaning with the control torque_replay, which follows no motion",
          {"remove it, or give the experiment a control that follows a motion"});
    } else if (!open_loop && !experiment.motion) {
      Add(where, "missing", {"a simulation needs a motion, unless its control is torque_replay"});
    } else if (experiment.motion) {
      for (Issue& issue : CheckMotion(*experiment.motion, robot_.model, where)) {
        issues_.push_back(std::move(issue));
      }
    }
  }

  void CheckSimulation() {
    if (!Sound("/sensors") || !Sound("/plant")) return;
    for (Issue& issue : CheckSensors(*scenario_.sensors, "/sensors", PartsOf(robot_.model))) {
      issues_.push_back(std::move(issue));
    }
    CheckMounts();
    bool stepped = false;  // some experiment is simulated step by step
    bool replayed = false;
    bool inherited = false;
    for (const auto& [label, experiment] : scenario_.experiments) {
      const bool exact =
          std::holds_alternative<ExactReplayOptions>(ControlOf(scenario_, experiment));
      (exact ? replayed : stepped) = true;
      inherited |= !experiment.control;
      if (!experiment.control) continue;
      CheckTheControl(PointerTo("/experiments", label) + "/control", *experiment.control);
    }
    if (inherited) CheckTheControl("/control", *scenario_.control);
    if (replayed && scenario_.robot.truth->joints.mismatch.NeedsSimulation()) {
      Add("/robot/truth/mismatch", "LuGre friction and frictionloss need a simulation",
          {"remove them, or set /control/type to one other than \"exact_replay\""});
    }
    if (stepped) CheckTheRate("/sensors/rate_hz", scenario_.sensors->rate_hz);
  }

  /// Sensors that are somewhere on the robot.
  void CheckMounts() {
    for (const SignalSource& source : SignalSources()) {
      if (source.mount.empty() || source.has_mount(robot_.model)) continue;
      for (const std::string_view channel : source.channels) {
        const SensorOrigin origin = (*scenario_.sensors)[channel].origin;
        if (origin == SensorOrigin::kAbsent) continue;
        Add(fmt::format("/sensors/{}/origin", channel),
            fmt::format("is \"{}\", but the robot has no such sensor", ToString(origin)),
            {fmt::format("declare its place in /robot/{}", source.mount)});
      }
    }
    if (scenario_.robot.truth->imu_offset_m == std::vector<double>(3, 0.0) || robot_.model.imu()) {
      return;
    }
    Add("/robot/truth/imu_offset_m", "is the offset of an IMU that the robot does not have",
        {"declare /robot/imu, or remove the offset"});
  }

  void CheckTheRate(const std::string& where, double rate_hz) {
    const double step_s = std::get<MujocoPlantOptions>(*scenario_.plant).timestep_s;
    if (auto issue = CheckRate(where, rate_hz, step_s)) issues_.push_back(std::move(*issue));
  }

  void CheckTheControl(const std::string& where, const ControlOptions& control) {
    if (!Sound(where)) return;
    for (Issue& issue : CheckControl(control, robot_.model, where)) {
      issues_.push_back(std::move(issue));
    }
    const ControlLoopOptions* loop = LoopOf(control);
    if (loop == nullptr) return;
    CheckTheRate(where + "/rate_hz", loop->rate_hz);
    if (loop->model == ControlModel::kPrior && !scenario_.problem.prior) {
      Add(where + "/model", "is \"prior\", but the problem has no prior",
          {fmt::format("declare /problem/prior, or set {}/model to \"truth\"", where)});
    }
    const SensorOrigin origin = (*scenario_.sensors)[kJointPosition].origin;
    if (loop->feedback == Feedback::kMeasured && origin != SensorOrigin::kMeasured) {
      Add(where + "/feedback",
          fmt::format("is \"measured\", but joint_position is {}", ToString(origin)),
          {"set /sensors/joint_position/origin to \"measured\", or the feedback to "
           "\"true_state\""});
    }
  }

  void CheckRecordings() {
    if (!Sound("/recording") || !Sound("/experiments")) return;
    const RecordingOptions& recording = *scenario_.recording;
    for (Issue& issue : CheckDofs(recording, robot_.model.dofs())) {
      issue.where = "/recording" + issue.where;
      issues_.push_back(std::move(issue));
    }
    std::filesystem::path root;
    try {
      root = ExpandEnvironment(recording.root);
    } catch (const ConfigError& error) {
      Add("/recording/root", error.issues().front().what, error.issues().front().details);
      return;
    }
    for (const auto& [label, experiment] : scenario_.experiments) {
      if (!experiment.file || std::filesystem::is_regular_file(root / *experiment.file)) continue;
      std::vector<std::string> details = {"check /recording/root and the file's name"};
      if (!recording.source.empty()) details.push_back("available from: " + recording.source);
      Add(PointerTo("/experiments", label) + "/file",
          fmt::format("no such recording: {}", (root / *experiment.file).string()), details);
    }
  }

  void CheckProblem() {
    if (!Sound("/problem")) return;
    const ParametrisationOptions& parametrisation = scenario_.problem.parametrisation;
    const auto needs_prior = [this](bool wanted, const std::string& where) {
      if (wanted && !scenario_.problem.prior) {
        Add(where, "needs a prior", {"declare /problem/prior"});
      }
    };
    const ParametrisationKind& kind = KindNamed(parametrisation.type);
    needs_prior(kind.needs.Has(Capability::kPrior), "/problem/parametrisation/type");
    needs_prior(parametrisation.lower_prior_factor.has_value(),
                "/problem/parametrisation/lower_prior_factor");
    needs_prior(parametrisation.upper_prior_factor.has_value(),
                "/problem/parametrisation/upper_prior_factor");
    const bool end_effector =
        std::ranges::find(scenario_.problem.equations, "end_effector_wrench") !=
        scenario_.problem.equations.end();
    if (end_effector && robot_.model.dofs() < kWrenchSize) {
      Add("/problem/equations",
          fmt::format("end_effector_wrench needs at least {} joints, {} has {}", kWrenchSize,
                      robot_.name, robot_.model.dofs()),
          {"remove it: fewer joints do not determine the wrench"});
    }
    needs_prior(parametrisation.first_moment_reach_m.has_value(),
                "/problem/parametrisation/first_moment_reach_m");
    CheckKind(kind);
    CheckEquations();
    CheckUnknownScale();
    if (scenario_.estimators.empty() && Sound("/estimators")) {
      Add("/estimators", "is empty", {"name at least one estimator"});
    }
  }

  void CheckKind(const ParametrisationKind& kind) {
    const ParametrisationOptions& parametrisation = scenario_.problem.parametrisation;
    const std::string where = "/problem/parametrisation";
    if (kind.truth != TrueValues::kOfPayload && parametrisation.payload) {
      Add(where + "/payload", fmt::format("has no meaning for \"{}\"", kind.name),
          {"remove it, or set /problem/parametrisation/type to \"payload\""});
    }
    if (kind.check == nullptr) return;
    std::vector<Issue> issues;
    kind.check(parametrisation, robot_.model, issues);
    for (Issue& issue : issues) Add(where + issue.where, issue.what, issue.details);
  }

  /// Unknowns that are a state, and equations that read it, stand together; those of a planar
  /// Lagrangian are read by joint torques alone.
  void CheckEquations() {
    const std::string& type = scenario_.problem.parametrisation.type;
    for (std::size_t i = 0; i < scenario_.problem.equations.size(); ++i) {
      const std::string& equation = scenario_.problem.equations[i];
      const bool reads_state = equation == "joint_position" || equation == "joint_velocity";
      const bool of_torque_alone = type == "planar_lagrangian" && equation != "joint_torque";
      if (reads_state == (type == "joint_state") && !of_torque_alone) continue;
      const char* accepted = "accepted only with /problem/parametrisation/type \"joint_state\"";
      if (type == "joint_state") accepted = "accepted here: joint_position, joint_velocity";
      if (type == "planar_lagrangian") accepted = "accepted here: joint_torque";
      Add(fmt::format("/problem/equations/{}", i),
          fmt::format("{} depends on no unknown of \"{}\"", equation, type), {accepted});
    }
  }

  void CheckUnknownScale() {
    const std::string& type = scenario_.problem.parametrisation.type;
    if (KindNamed(type).supplies.Has(Capability::kAmounts) || !scenario_.problem.prior ||
        scenario_.problem.prior->unknown_scale.empty()) {
      return;
    }
    Add("/problem/prior/unknown_scale", fmt::format("has no meaning for \"{}\"", type),
        {"remove it: a factor does not scale such unknowns"});
  }

  void CheckWindows() {
    if (!Sound("/windows")) return;
    for (const auto& [label, window] : scenario_.windows) {
      if (!label.empty() && label.find('@') == std::string::npos && !label.starts_with("t=")) {
        continue;
      }
      Add(PointerTo("/windows", label), "a label must not be empty, contain @, or begin with t=");
    }
  }

  void CheckMetricNames() {
    if (!Sound("/metrics")) return;
    for (std::size_t i = 0; i < scenario_.metrics.size(); ++i) CheckMetric(i);
  }

  void CheckMetric(std::size_t i) {
    const std::string where = fmt::format("/metrics/{}", i);
    const MetricName name(scenario_.metrics[i]);
    const auto info = std::ranges::find(metrics_, name.quantity, &MetricInfo::name);
    if (info == metrics_.end()) {
      std::vector<std::string> accepted;
      for (const MetricInfo& metric : metrics_) accepted.emplace_back(metric.name);
      return Add(where, fmt::format("no such metric: \"{}\"", name.quantity),
                 AcceptedNames(name.quantity, accepted));
    }
    if (info->per_window()) return CheckWindowOf(name, where);
    if (!name.checkpoint.empty()) {
      const std::vector<std::string> checkpoints = CheckpointLabels(scenario_);
      if (std::ranges::find(checkpoints, name.checkpoint) == checkpoints.end()) {
        std::vector<std::string> details = {"list it in /evaluate_at_s"};
        if (!checkpoints.empty()) details = AcceptedNames(name.checkpoint, checkpoints);
        return Add(where, fmt::format("no such checkpoint: \"{}\"", name.checkpoint), details);
      }
      if (info->per_experiment() && name.experiment.empty()) {
        return Add(where, fmt::format("{} has one value per experiment", name.quantity),
                   {fmt::format("write \"{}@<experiment>@{}\"", name.quantity, name.checkpoint)});
      }
    }
    if (name.experiment.empty()) return;
    if (!info->per_experiment()) {
      return Add(where,
                 fmt::format("{} has one value per estimate, not per experiment", name.quantity),
                 {fmt::format("write \"{}\"", name.quantity)});
    }
    std::vector<std::string> labels;
    for (const auto& [label, experiment] : scenario_.experiments) labels.push_back(label);
    if (std::ranges::find(labels, name.experiment) == labels.end()) {
      Add(where, fmt::format("no such experiment: \"{}\"", name.experiment),
          AcceptedNames(name.experiment, labels));
    }
  }

  void CheckWindowOf(const MetricName& name, const std::string& where) {
    if (!name.checkpoint.empty()) {
      return Add(where,
                 fmt::format("{} has one value per window, not per checkpoint", name.quantity),
                 {fmt::format("write \"{}@<window>\"", name.quantity)});
    }
    if (name.experiment.empty()) return;
    std::vector<std::string> labels;
    for (const auto& [label, window] : scenario_.windows) labels.push_back(label);
    if (std::ranges::find(labels, name.experiment) != labels.end()) return;
    std::vector<std::string> details = {"declare it in /windows"};
    if (!labels.empty()) details = AcceptedNames(name.experiment, labels);
    Add(where, fmt::format("no such window: \"{}\"", name.experiment), std::move(details));
  }

  const Scenario& scenario_;
  const Robot& robot_;
  std::span<const MetricInfo> metrics_;
  const std::vector<Issue>& known_;
  std::vector<Issue> issues_;
};

}  // namespace

std::vector<Issue> CheckScenario(const Scenario& scenario, const Robot& robot,
                                 std::span<const MetricInfo> metrics,
                                 const std::vector<Issue>& known) {
  return Checker(scenario, robot, metrics, known).Run();
}

}  // namespace idbench
