#include "bench/notes/experiment_marks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <variant>

#include "scenarios/laboratory_check.h"
#include "scenarios/motion/controllers.h"
#include "scenarios/motion/motions.h"

namespace idbench {
namespace {

/// What touches the robot, unknown to controllers and models.
void AddTouches(const Scenario& scenario, std::vector<std::string>& marks) {
  std::vector<std::string> places;
  for (const auto& [label, experiment] : scenario.experiments) {
    if (!experiment.environment || experiment.environment->empty()) continue;
    places.push_back(fmt::format("{} ({})", label, ListSome(Describe(*experiment.environment))));
  }
  if (places.empty()) return;
  marks.push_back(
      fmt::format("forces from outside that no model knows: {}", fmt::join(places, "; ")));
}

/// Experiments of which a configuration says that something touches the robot, and nothing does.
void AddUntouched(const Scenario& scenario, std::vector<std::string>& marks) {
  std::vector<std::string> labels;
  for (const auto& [label, experiment] : scenario.experiments) {
    const auto found = std::ranges::find(scenario.configurations, experiment.configuration,
                                         &Configurations::value_type::first);
    if (found == scenario.configurations.end() || found->second.touched.empty()) continue;
    const auto& there = experiment.environment;
    if (!there || (there->touches.empty() && there->walls.empty())) labels.push_back(label);
  }
  if (labels.empty()) return;
  marks.push_back(
      fmt::format("nothing touches the robot, although the configuration says so: {}; what "
                  "sensors measure there is given up for nothing",
                  fmt::join(labels, ", ")));
}

/// What follows the motion of an experiment.
void AddReleases(const Scenario& scenario, std::vector<std::string>& marks) {
  std::vector<std::string> places;
  for (const auto& [label, experiment] : scenario.experiments) {
    if (!experiment.release) continue;
    const bool none = experiment.release->torque == ReleaseTorque::kNone;
    places.push_back(fmt::format("{} ({:g} s, {})", label, experiment.release->duration_s,
                                 none ? "without torque" : "with the model's gravity torque"));
  }
  if (places.empty()) return;
  marks.push_back(
      fmt::format("controllers let the robot go after its motion: {}", fmt::join(places, ", ")));
}

/// Walls that nothing reaches in the first trial: nothing acts there.
void AddUnreachedWalls(const Scenario& scenario, const TrialData& first,
                       std::vector<std::string>& marks) {
  std::vector<std::string> labels;
  for (std::size_t k = 0; k < first.datasets.size(); ++k) {
    const std::string& label = first.datasets[k].label();
    const ExperimentOptions& experiment =
        std::ranges::find(scenario.experiments, label,
                          &Labelled<ExperimentOptions>::value_type::first)
            ->second;
    if (ReachesNoWall(experiment, *first.clean[k])) labels.push_back(label);
  }
  if (labels.empty()) return;
  marks.push_back(
      fmt::format("no wall is reached in the first trial, so that nothing acts on the robot: {}",
                  fmt::join(labels, ", ")));
}

/// Experiments that move alike in all trials while those for identification do not.
std::vector<std::string> HeldOutOnOneMotion(const Scenario& scenario) {
  const auto drawn = [](const auto& experiment) {
    return experiment.second.motion && DrawnPerTrial(*experiment.second.motion);
  };
  std::vector<std::string> alike;
  bool identified_on_many = false;
  for (const auto& experiment : scenario.experiments) {
    if (experiment.second.role == Role::kIdentification) identified_on_many |= drawn(experiment);
    const bool held_out = experiment.second.role == Role::kValidation;
    if (held_out && !drawn(experiment)) alike.push_back(experiment.first);
  }
  return identified_on_many ? alike : std::vector<std::string>();
}

/// Held-out experiments in whose first trial the robot moves as in one for identification.
void AddRepeatedMotions(const TrialData& first, std::vector<std::string>& marks) {
  for (std::size_t k = 0; k < first.datasets.size(); ++k) {
    if (first.datasets[k].role() != Role::kValidation) continue;
    for (std::size_t i = 0; i < first.datasets.size(); ++i) {
      const Eigen::MatrixXd& q = (*first.clean[i])[kJointPosition];
      const Eigen::MatrixXd& held_out = (*first.clean[k])[kJointPosition];
      const bool same = first.datasets[i].role() == Role::kIdentification && q.size() > 0 &&
                        q.rows() == held_out.rows() && q == held_out;
      if (!same) continue;
      marks.push_back(
          fmt::format("{} repeats the motion of {}: errors there are those of another recording of "
                      "the same motion, not of a new one",
                      first.datasets[k].label(), first.datasets[i].label()));
      break;
    }
  }
}

void AddExperiments(const Scenario& scenario, std::vector<std::string>& marks) {
  const std::vector<std::string> alike = HeldOutOnOneMotion(scenario);
  if (!alike.empty()) {
    marks.push_back(
        fmt::format("of all trials one motion, on which what is said of it is "
                    "conditional: {}",
                    fmt::join(alike, ", ")));
  }
  std::vector<std::string> staged;
  for (const auto& [label, experiment] : scenario.experiments) {
    if (!IsStaged(scenario, experiment)) continue;
    const auto* const pd = std::get_if<PdGravityOptions>(&ControlOf(scenario, experiment));
    staged.push_back(pd == nullptr || pd->kp_nm_rad
                         ? label
                         : label +
                               " (with gains that follow from its inertias, so that a heavier "
                               "estimate is a stiffer controller: kp_nm_rad, kd_nms_rad set "
                               "them for all)");
  }
  if (!staged.empty()) {
    marks.push_back(
        fmt::format("controlled with what each estimator found, and made anew for each, beside the "
                    "roll-outs that are counted, which are those of data for identification: {}",
                    fmt::join(staged, ", ")));
  }
  bool fed_back_measured = false;
  std::vector<std::string> fed_back_true;
  for (const auto& [label, experiment] : scenario.experiments) {
    const ControlLoopOptions* loop = LoopOf(ControlOf(scenario, experiment));
    if (loop == nullptr) continue;
    fed_back_measured |= loop->feedback == Feedback::kMeasured;
    if (IsStaged(scenario, experiment) && loop->feedback == Feedback::kTrueState) {
      fed_back_true.push_back(label);
    }
  }
  if (!fed_back_true.empty()) {
    marks.push_back(
        fmt::format("fed back the true state, without the errors of sensors "
                    "(feedback \"measured\" has them): {}",
                    fmt::join(fed_back_true, ", ")));
  }
  if (fed_back_measured) {
    marks.emplace_back("controllers are fed back measured states: a roll-out of its own per trial");
  }
}

/// On what estimators experiment, and how.
void AddLaboratory(const Scenario& scenario, std::vector<std::string>& marks) {
  const std::vector<std::string> active = ActiveEstimators(scenario);
  if (active.empty()) return;
  const double step_s = std::get<MujocoPlantOptions>(*scenario.plant).timestep_s;
  std::optional<double> rate_hz;
  if (scenario.laboratory) rate_hz = scenario.laboratory->rate_hz;
  marks.push_back(fmt::format(
      "experiments of their own, not the recorded ones: {}, each on a fresh plant, commanded and "
      "read {:.6g} times per second: torques are those that they command, no sensor's, and falls "
      "are "
      "told by the true positions",
      fmt::join(active, ", "), rate_hz.value_or(1.0 / step_s)));
}

}  // namespace

bool ReachesNoWall(const ExperimentOptions& experiment, const Signals& clean) {
  const auto& environment = experiment.environment;
  return environment && !environment->walls.empty() && environment->touches.empty() &&
         clean[kExternalWrench].isZero(0.0);
}

std::vector<std::string> ExperimentMarks(const Scenario& scenario, const TrialData& first) {
  std::vector<std::string> marks;
  AddExperiments(scenario, marks);
  AddRepeatedMotions(first, marks);
  AddLaboratory(scenario, marks);
  AddTouches(scenario, marks);
  AddUntouched(scenario, marks);
  AddUnreachedWalls(scenario, first, marks);
  AddReleases(scenario, marks);
  return marks;
}

}  // namespace idbench
