#include "scenarios/experiment_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "hw/environment.h"
#include "hw/recording_check.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "scenarios/motion/controllers.h"
#include "scenarios/motion/motions.h"
#include "scenarios/problem/design_prior.h"
#include "sim/truth/wall.h"

namespace idbench {
namespace {

constexpr const char* kNotForRecording = "has no meaning for a recording";

void CheckTheMotion(const Scenario& scenario, const ExperimentOptions& experiment,
                    const RobotModel& model, const std::string& where, std::vector<Issue>& issues) {
  const bool open_loop = IsTorqueReplay(scenario, experiment);
  if (open_loop && experiment.motion) {
    issues.push_back({where,
                      "has no meaning with the control torque_replay, which follows no motion",
                      {"remove it, or give the experiment a control that follows a motion"}});
  } else if (!open_loop && !experiment.motion) {
    issues.push_back(
        {where, "missing", {"a simulation needs a motion, unless its control is torque_replay"}});
  } else if (experiment.motion) {
    std::ranges::move(CheckMotion(*experiment.motion, model, where), std::back_inserter(issues));
  }
}

/// What touches the robot has to be what its configuration says that estimators are told.
void CheckTouchedBody(const EnvironmentOptions& environment, const Robot& robot, int configuration,
                      const std::string& where, std::vector<Issue>& issues) {
  if (configuration < 0) return;
  const auto& there = robot.model.configurations()[static_cast<std::size_t>(configuration)];
  if (there.touched < 0) return;
  const auto check = [&](const std::string& link, const std::string& at) {
    std::vector<Issue> told;  // of another check
    const auto place = TouchedPlaceOf(link, robot, configuration, at, told);
    const bool same = !place || (place->body.link == robot.model.CarrierOf(there.touched) &&
                                 place->beyond_cuts == (there.touched >= robot.model.dofs()));
    if (same) return;
    const std::string& touched = robot.model.BodyName(there.touched);
    issues.push_back({at,
                      fmt::format("got \"{}\", but the configuration \"{}\" says that \"{}\" is "
                                  "touched",
                                  link, there.name, touched),
                      {fmt::format("touch \"{}\", or change {}/touched", touched,
                                   PointerTo("/configurations", there.name))}});
  };
  for (std::size_t k = 0; k < environment.touches.size(); ++k) {
    check(LinkOf(environment.touches[k]), fmt::format("{}/touches/{}/link", where, k));
  }
  for (std::size_t k = 0; k < environment.walls.size(); ++k) {
    check(environment.walls[k].link, fmt::format("{}/walls/{}/link", where, k));
  }
}

/// σ that a design counts as known speak of its parameters.
void CheckDesignPriors(const ExperimentOptions& experiment, const Robot& robot,
                       const std::string& where, std::vector<Issue>& issues) {
  if (!experiment.motion) return;
  ForEachPart(*experiment.motion, [&]<class Part>(const Part& part, const std::string& at) {
    if constexpr (std::is_same_v<Part, ExcitingMotionOptions>) {
      if (part.prior_std.empty()) return;
      const std::vector<int> considered = ConsideredParameters(
          robot.model, part.design.placed_equations(), part.design.joint_parameters());
      std::ranges::move(
          CheckDesignPrior(robot, part.prior_std, considered, where + at + "/prior_std"),
          std::back_inserter(issues));
      if (part.torque_sigmas == 0.0) return;
      const std::vector<std::string> unknown =
          UnknownToDesignPrior(robot, part.prior_std, considered);
      if (unknown.empty()) return;
      issues.push_back(
          {where + at + "/torque_sigmas",
           fmt::format("counts σ of torques, but prior_std has none of {}", ListSome(unknown)),
           {"give prior_std a σ of all that design names: of \"body\" and of each kind "
            "of friction"}});
    }
  });
}

void CheckSimulated(const Scenario& scenario, const ExperimentOptions& experiment,
                    const Robot& robot, const std::string& where, std::vector<Issue>& issues) {
  CheckTheMotion(scenario, experiment, robot.model, where + "/motion", issues);
  CheckDesignPriors(experiment, robot, where + "/motion", issues);
  for (const auto& [there, key] : {std::pair(experiment.file.has_value(), "/file"),
                                   std::pair(experiment.window.has_value(), "/window")}) {
    if (!there) continue;
    issues.push_back(
        {where + key, "has no meaning for a simulation", {"add /recording to read recordings"}});
  }
  std::ranges::move(CheckPayloadEvents(experiment.events, where + "/events", robot),
                    std::back_inserter(issues));
  if (experiment.release) {
    std::ranges::move(CheckRelease(ControlOf(scenario, experiment), where + "/release"),
                      std::back_inserter(issues));
  }
  if (!experiment.environment) return;
  std::optional<double> step_s;
  if (!std::holds_alternative<ExactReplayOptions>(ControlOf(scenario, experiment))) {
    step_s = std::get<MujocoPlantOptions>(*scenario.plant).timestep_s;
  }
  std::ranges::move(
      CheckEnvironment(*experiment.environment, where + "/environment", robot,
                       robot.model.ConfigurationIndex(experiment.configuration), step_s),
      std::back_inserter(issues));
  CheckTouchedBody(*experiment.environment, robot,
                   robot.model.ConfigurationIndex(experiment.configuration), where + "/environment",
                   issues);
  if (experiment.environment->walls.empty() || !step_s) return;
  if (const auto why_not = WhyNoWalls(std::get<MujocoPlantOptions>(*scenario.plant),
                                      scenario.robot.truth->joints.mismatch)) {
    issues.push_back({where + "/environment/walls", *why_not, {}});
  }
}

void CheckRecorded(const ExperimentOptions& experiment, const std::string& where,
                   std::vector<Issue>& issues) {
  if (experiment.motion) issues.push_back({where + "/motion", kNotForRecording, {}});
  if (experiment.control) issues.push_back({where + "/control", kNotForRecording, {}});
  if (!experiment.events.empty()) issues.push_back({where + "/events", kNotForRecording, {}});
  if (experiment.environment) issues.push_back({where + "/environment", kNotForRecording, {}});
  if (experiment.release) issues.push_back({where + "/release", kNotForRecording, {}});
  if (!experiment.file) {
    issues.push_back({where + "/file", "missing", {"name a file in /recording/root"}});
  }
}

}  // namespace

std::vector<Issue> CheckSimulatedOrRecorded(const Scenario& scenario) {
  std::vector<Issue> issues;
  if (scenario.simulated()) return issues;
  for (const auto& [there, where] : {std::pair(scenario.robot.truth.has_value(), "/robot/truth"),
                                     std::pair(scenario.plant.has_value(), "/plant"),
                                     std::pair(scenario.control.has_value(), "/control"),
                                     std::pair(scenario.sensors.has_value(), "/sensors"),
                                     std::pair(scenario.trials.has_value(), "/trials"),
                                     std::pair(scenario.noise_seed.has_value(), "/noise_seed"),
                                     std::pair(scenario.first_trial.has_value(), "/first_trial")}) {
    if (!there) continue;
    issues.push_back({where, kNotForRecording, {"remove it, or remove /recording to simulate"}});
  }
  return issues;
}

/// Why a part of a motion cannot be told of the motion of another experiment, and the cure; nothing
/// if it can.
std::optional<std::pair<std::string, std::string>> WhyNotGiven(const ExcitingMotionOptions& part,
                                                               const ExperimentOptions& experiment,
                                                               const ExperimentOptions& other) {
  if (other.configuration != experiment.configuration) {
    return std::pair("is of another configuration", "name experiments of the same configuration");
  }
  if (other.role != Role::kIdentification) {
    return std::pair("is not for identification: no estimator learns from its data",
                     "name experiments with the role \"identification\"");
  }
  bool other_errors = false;
  ForEachPart(*other.motion, [&]<class Other>(const Other& of, const std::string&) {
    if constexpr (std::is_same_v<Other, ExcitingMotionOptions>) {
      other_errors |= of.errors && of.errors != part.errors;
    }
  });
  if (other_errors) {
    return std::pair("has other errors: what it shows would count with those of this one",
                     "give both the same errors");
  }
  if (DrawnPerTrial(*other.motion) && part.draw == Draw::kCell) {
    return std::pair("is drawn in each trial, and this one, which is told of it, is not",
                     "set \"draw\" to \"trial\" here, or to \"cell\" there");
  }
  return std::nullopt;
}

/// What a motion is told of has to stand before it, with a motion, of the same bodies.
void CheckGiven(const Scenario& scenario,
                const std::pair<std::string, ExperimentOptions>& experiment,
                std::vector<Issue>& issues) {
  if (!experiment.second.motion) return;
  Labelled<const ExperimentOptions*> before;
  for (const auto& [label, options] : scenario.experiments) {
    if (label == experiment.first) break;
    if (options.motion) before.emplace_back(label, &options);
  }
  std::vector<std::string> labels;
  for (const auto& [label, options] : before) labels.push_back(label);
  const std::string where = PointerTo("/experiments", experiment.first) + "/motion";
  ForEachPart(*experiment.second.motion, [&]<class Part>(const Part& part, const std::string& at) {
    if constexpr (std::is_same_v<Part, ExcitingMotionOptions>) {
      for (std::size_t k = 0; k < part.given.size(); ++k) {
        const std::string pointer = fmt::format("{}{}/given/{}", where, at, k);
        const auto other =
            std::ranges::find(before, part.given[k], [](const auto& one) { return one.first; });
        if (other == before.end()) {
          issues.push_back(
              {pointer,
               fmt::format("\"{}\" is no experiment with a motion that stands before this one",
                           part.given[k]),
               {labels.empty() ? std::string("there is none: move this experiment behind one")
                               : fmt::format("accepted here: {}", fmt::join(labels, ", "))}});
        } else if (std::ranges::count(std::span(part.given).first(k), part.given[k]) > 0) {
          issues.push_back(
              {pointer, fmt::format("\"{}\" is named twice", part.given[k]), {"name it once"}});
        } else if (const auto why = WhyNotGiven(part, experiment.second, *other->second)) {
          issues.push_back(
              {pointer, fmt::format("\"{}\" {}", part.given[k], why->first), {why->second}});
        }
      }
    }
  });
}

std::vector<Issue> CheckExperiments(const Scenario& scenario, const Robot& robot) {
  std::vector<Issue> issues;
  const auto& experiments = scenario.experiments;
  if (std::ranges::none_of(experiments, [](const auto& experiment) {
        return experiment.second.role == Role::kIdentification;
      })) {
    issues.push_back(
        {"/experiments", "none has the role \"identification\"", {"estimators need at least one"}});
  }
  for (const auto& [label, experiment] : experiments) {
    const std::string where = PointerTo("/experiments", label);
    if (label.empty() || label.find_first_of("@/\\") != std::string::npos ||
        label.starts_with("t=")) {
      issues.push_back(
          {where, "a label must not be empty, contain @, / or \\, or begin with t=", {}});
    }
    if (scenario.simulated()) {
      CheckSimulated(scenario, experiment, robot, where, issues);
      CheckGiven(scenario, {label, experiment}, issues);
    } else {
      CheckRecorded(experiment, where, issues);
    }
  }
  return issues;
}

std::vector<Issue> CheckRecordings(const Scenario& scenario, const Robot& robot) {
  const RecordingOptions& recording = *scenario.recording;
  std::vector<Issue> issues =
      CheckDofs(recording, robot.model.dofs(), static_cast<int>(robot.model.actuation().B.cols()));
  std::vector<std::string> cuts;
  for (const Cut& cut : robot.model.cuts()) cuts.push_back(cut.name);
  for (Issue& issue : CheckPlaces(recording, cuts)) issues.push_back(std::move(issue));
  for (Issue& issue : issues) issue.where = "/recording" + issue.where;
  std::filesystem::path root;
  try {
    root = ExpandEnvironment(recording.root);
  } catch (const ConfigError& error) {
    const Issue& issue = error.issues().front();
    issues.push_back({"/recording/root", issue.what, issue.details});
    return issues;
  }
  for (const auto& [label, experiment] : scenario.experiments) {
    if (!experiment.file) continue;
    const std::string where = PointerTo("/experiments", label) + "/file";
    for (Issue& issue : CheckFiles(*experiment.file, recording)) {
      issue.where = where + issue.where;
      issues.push_back(std::move(issue));
    }
    for (const std::string& file : experiment.file->names()) {
      std::error_code unreadable;
      if (std::filesystem::exists(root / file, unreadable)) continue;  // a bag is a folder
      std::vector<std::string> details = {"check /recording/root and the file's name"};
      if (!recording.source.empty()) details.push_back("available from: " + recording.source);
      issues.push_back({where, fmt::format("no such recording: {}", (root / file).string()),
                        std::move(details)});
    }
  }
  return issues;
}

std::vector<Issue> CheckDifference(const Scenario& scenario, const RobotModel& model) {
  const auto* windows = std::get_if<AdaptiveWindowOptions>(&scenario.processing.difference);
  if (windows == nullptr) return {};
  const std::size_t counts = windows->count_rad.values.size();
  if (counts == 1 || std::cmp_equal(counts, model.dofs())) return {};
  return {{"/processing/difference/count_rad",
           fmt::format("got a list of {}", counts),
           {fmt::format("accepted here: one number, or a list with one for each of {}",
                        fmt::join(model.joint_names(), ", "))}}};
}

std::vector<Issue> CheckCausality(const Scenario& scenario) {
  if (!scenario.processing.causal) return {};
  if (scenario.problem.alignment.policy == AlignmentPolicy::kRefuse) return {};
  return {{"/problem/alignment/policy",
           "is \"resample\", which interpolates with later samples, and /processing/causal is set",
           {"remove it, and set /processing/resample_rate_hz, which causal processing does with "
            "what was there"}}};
}

}  // namespace idbench
