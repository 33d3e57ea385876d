#include "bench/cell/simulated_experiment.h"

#include <cstddef>
#include <type_traits>
#include <utility>

#include "robots/physical_inertia.h"
#include "scenarios/motion/controllers.h"
#include "scenarios/motion/motions.h"
#include "scenarios/problem/drawn_set.h"

namespace idbench {
namespace {

/// Sets the trial of a motion and of those that it is told of, as far as they are drawn. One that
/// is not is told of none that is: see CheckExperiments().
void SetTrial(std::int64_t trial, MotionDesign& design) {
  if (!DrawnPerTrial(design.options)) return;
  design.trial = trial;
  for (std::vector<MotionDesign>& of_part : design.given) {
    for (MotionDesign& other : of_part) SetTrial(trial, other);
  }
}

}  // namespace

SimulatedExperiment::SimulatedExperiment(
    const HashedRobot& robot, const Scenario& scenario,
    const std::pair<std::string, ExperimentOptions>& experiment, std::vector<ShownParameters> shown,
    const Seeds& seeds)
    : model_(robot.robot().model),
      scenario_(scenario),
      label_(experiment.first),
      options_(experiment.second),
      seeds_(seeds),
      control_(ControlOf(scenario, experiment.second)) {
  if (auto* replay = std::get_if<TorqueReplayOptions>(&control_)) {
    torque_ = ReadTorqueTable(*replay, model_);
    initial_state_ = MakeInitialState(*replay, torque_, model_);
    replay->file.reset();
    return;
  }
  design_.emplace(MotionDesign{.robot = robot,
                               .options = *options_.motion,
                               .tables = ReadMotionTables(*options_.motion, model_),
                               .shown = std::move(shown),
                               .seed = seeds.all,
                               .configuration = model_.ConfigurationIndex(options_.configuration)});
  std::size_t part_index = 0;
  ForEachPart(design_->options, [&]<class Part>(Part& part, const std::string&) {
    if constexpr (std::is_same_v<Part, RecordedMotionOptions>) part.file.clear();
    if constexpr (std::is_same_v<Part, ExcitingMotionOptions>) {
      AddPrior(robot.robot(), part, design_->configuration, design_->shown[part_index]);
    }
    ++part_index;
  });
}

void SimulatedExperiment::Tell(const std::vector<const SimulatedExperiment*>& others) {
  if (!design_) return;
  std::vector<std::vector<MotionDesign>> given;
  bool told = false;
  ForEachPart(design_->options, [&]<class Part>(const Part& part, const std::string&) {
    std::vector<MotionDesign>& of_part = given.emplace_back();
    if constexpr (std::is_same_v<Part, ExcitingMotionOptions>) {
      for (const std::string& label : part.given) {
        const auto other = std::ranges::find(others, label, &SimulatedExperiment::label);
        if (other == others.end() || !(*other)->design_) continue;  // which CheckGiven() refuses
        of_part.push_back(*(*other)->design_);
        told = true;
      }
    }
  });
  if (told) design_->given = std::move(given);
}

bool SimulatedExperiment::is_fed_back_measured() const {
  const ControlLoopOptions* loop = LoopOf(control_);
  return loop != nullptr && loop->feedback == Feedback::kMeasured;
}

bool SimulatedExperiment::motion_drawn_per_trial() const {
  return design_ && DrawnPerTrial(design_->options);
}

std::string SimulatedExperiment::MotionKey() const { return design_ ? KeyOf(*design_) : label_; }

bool SimulatedExperiment::drawn_per_trial() const {
  const ControlLoopOptions* loop = LoopOf(control_);
  const auto& environment = options_.environment;
  return is_fed_back_measured() || motion_drawn_per_trial() ||
         (environment && DrawnPerTrial(*environment)) || DrawnPerTrial(*scenario_.robot.truth) ||
         (loop != nullptr && loop->model == ControlModel::kPrior &&
          DrawnPerTrial(*scenario_.problem.prior));
}

DesiredMotion SimulatedExperiment::MotionOf(std::int64_t trial, MotionStore& motions) const {
  if (!design_) return {.motion = initial_state_.get()};
  if (trial < 0 || !motion_drawn_per_trial()) return motions.Get(*design_);
  MotionDesign design = *design_;
  SetTrial(seeds_.DrawOf(trial), design);
  return trial < MotionStore::kTrialsKept ? motions.Get(design) : motions.Make(design);
}

DesiredMotion SimulatedExperiment::DesignedMotion(MotionStore& motions) const {
  if (!design_) return MotionOf(-1, motions);
  MotionDesign whole = *design_;
  ForEachPart(whole.options, []<class Part>(Part& part, const std::string&) {
    if constexpr (std::is_same_v<Part, FourierOptions>) {
      if (!part.design_duration_s) return;
      part.duration_s = *part.design_duration_s;
      if (part.start_q_rad) part.duration_s += part.rest_s + part.blend_s;
    }
  });
  return motions.Get(whole);
}

Recipe SimulatedExperiment::RecipeOf(const Motion& motion, const Truth& truth,
                                     const Eigen::VectorXd& own_pi, const SensorOptions& sensors,
                                     std::int64_t trial) const {
  Recipe recipe{.truth = truth.Of(options_),
                .motion = motion,
                .control = control_,
                .torque = torque_,
                .control_pi = ControlPi(truth, own_pi),
                .rate_hz = sensors.rate_hz,
                .signals = SourcesOf(sensors),
                .release = options_.release};
  if (is_fed_back_measured()) {
    recipe.feedback =
        FeedbackRecipe{sensors, {seeds_.noise, seeds_.DrawOf(trial), label_ + "/feedback"}};
  }
  if (options_.environment) {
    const double released_s = options_.release ? options_.release->duration_s : 0.0;
    recipe.environment = MakeEnvironment(*options_.environment, truth.robot.robot(),
                                         model_.ConfigurationIndex(options_.configuration),
                                         {seeds_.all, seeds_.DrawOf(trial), label_},
                                         motion.duration_s() + released_s);
  }
  return recipe;
}

std::vector<SimulatedExperiment> SimulatedExperiments(const HashedRobot& robot,
                                                      const Scenario& scenario,
                                                      ShownByMotions& shown, const Seeds& seeds) {
  std::vector<SimulatedExperiment> experiments;
  for (const auto& experiment : scenario.experiments) {
    SimulatedExperiment one(robot, scenario, experiment, shown.Of(experiment.second), seeds);
    std::vector<const SimulatedExperiment*> before;
    for (const SimulatedExperiment& other : experiments) before.push_back(&other);
    one.Tell(before);
    experiments.push_back(std::move(one));
  }
  return experiments;
}

/// Parameters that a controller calculates with; empty if it has no model.
Eigen::VectorXd SimulatedExperiment::ControlPi(const Truth& truth,
                                               const Eigen::VectorXd& own_pi) const {
  const ControlLoopOptions* loop = LoopOf(control_);
  if (loop == nullptr) return {};
  if (loop->model == ControlModel::kTruth) return truth.robot.recipe().pi;
  // What was estimated is judged as it is.
  if (loop->model == ControlModel::kEstimate) return own_pi;
  // With an M(q) that is not positive definite, a controller would drive away from its goal.
  return MakePhysical(model_, own_pi).pi;
}

}  // namespace idbench
