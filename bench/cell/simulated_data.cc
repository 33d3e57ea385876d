#include "bench/cell/simulated_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "bench/cell/cell_check.h"
#include "bench/cell/shown_parameters.h"
#include "bench/notes/exceeded_torques.h"
#include "bench/notes/experiment_marks.h"
#include "bench/notes/scaled_motion.h"
#include "robots/dynamics/calibration.h"
#include "robots/physical_inertia.h"
#include "robots/plant/plant_error.h"
#include "robots/random/random_stream.h"
#include "robots/recording/processing.h"
#include "scenarios/problem/drawn_set.h"
#include "scenarios/problem/problem_parts.h"
#include "sim/rollout.h"
#include "sim/sensors/measure.h"
#include "sim/sensors/per_joint.h"
#include "sim/simulated_plant.h"
#include "sim/truth/compile_truth.h"

namespace idbench {
namespace {

/// Refuses an experiment of which no sample is left.
void CheckLeft(const Dataset& measured, const std::string& source) {
  for (const Channel& channel : measured.channels()) {
    if (channel.time_s.size() > 0) continue;
    throw ConfigError(source, PointerTo("/experiments", measured.label()),
                      fmt::format("no sample of {} is left of its {:.6g} s", channel.name,
                                  RecordedTimeOf(measured).duration_s),
                      {"data begin when the longest delay_s of the sensors has passed"});
  }
}

}  // namespace

SimulatedData::SimulatedData(const LoadedScenario& loaded, const Cell& cell,
                             const PriorKnowledge& known, const std::vector<int>& asked,
                             RolloutStore& rollouts)
    : loaded_(loaded),
      cell_(cell),
      rollouts_(rollouts),
      robot_(cell.robot),
      truth_(MakeTruth(robot_, cell.scenario, loaded.scenario.seed, -1)) {
  ShownByMotions shown(cell.robot.model, known.problem, asked);
  for (SimulatedExperiment& experiment :
       SimulatedExperiments(robot_, cell.scenario, shown, loaded.scenario.seeds())) {
    simulated_.push_back({std::move(experiment)});
  }
  sensors_ = ResolveSensors(known);
  for (auto& [experiment, signals, rollout, environment] : simulated_) {
    if (experiment.drawn_per_trial()) {
      CheckSharedMotion(experiment);
      continue;
    }
    if (experiment.is_staged()) {
      CheckStaged(experiment);
      continue;
    }
    try {
      const DesiredMotion motion = experiment.MotionOf(-1, rollouts_.motions());
      const Recipe recipe =
          experiment.RecipeOf(*motion.motion, truth_, known.prior_pi, sensors_, -1);
      rollout = KeyOf(recipe);
      signals = &rollouts_.Get(recipe);
      environment = recipe.environment;
      TellScaled(experiment, *motion.motion);
      if (experiment.has_motion()) {
        AddNote(ExceededTorqueNote(cell_.robot.model, experiment.label(),
                                   *experiment.options().motion, *signals));
      }
    } catch (const PlantError& error) {
      RefuseCell(loaded_, cell_,
                 {{PointerTo("/experiments", experiment.label()), error.what(), {}}});
    }
  }
}

void SimulatedData::CheckSharedMotion(const SimulatedExperiment& experiment) {
  if (!experiment.has_motion() || experiment.motion_drawn_per_trial()) return;
  try {
    TellScaled(experiment, *experiment.MotionOf(-1, rollouts_.motions()).motion);
  } catch (const PlantError& error) {
    RefuseCell(loaded_, cell_, {{PointerTo("/experiments", experiment.label()), error.what(), {}}});
  }
}

void SimulatedData::TellScaled(const SimulatedExperiment& experiment, const Motion& motion) {
  if (!experiment.has_motion()) return;
  AddNote(ScaledMotionNote(cell_.robot, experiment.label(), *experiment.options().motion, motion));
}

void SimulatedData::AddNote(std::string note) {
  if (!note.empty()) notes_.push_back(std::move(note));
}

/// The σ of a peak fraction is that of the nominal robot on the first identification motion, over
/// the duration for which that was designed, so that it is the same for all experiments, however
/// long they are, and says nothing of the truth. A release, which follows no motion, has no part in
/// it. Open-loop torque has no motion: there it is that of the roll-out itself.
SensorOptions SimulatedData::ResolveSensors(const PriorKnowledge& known) const {
  const SensorOptions& sensors = *cell_.scenario.sensors;
  Signals desired;
  if (HasPeakFraction(sensors)) {
    const SimulatedExperiment& first =
        std::ranges::find_if(simulated_, [](const Simulated& simulated) {
          return simulated.experiment.options().role == Role::kIdentification;
        })->experiment;
    try {
      desired = Desired(first, known);
    } catch (const PlantError& error) {
      RefuseCell(loaded_, cell_, {{PointerTo("/experiments", first.label()), error.what(), {}}});
    }
  }
  return Resolve(sensors, PartsOf(cell_.robot.model), desired);
}

Signals SimulatedData::Desired(const SimulatedExperiment& first,
                               const PriorKnowledge& known) const {
  const Scenario& scenario = cell_.scenario;
  const SensorOptions& sensors = *scenario.sensors;
  const DesiredMotion motion = first.DesignedMotion(rollouts_.motions());
  if (!first.has_motion()) {
    const Recipe recipe = first.RecipeOf(*motion.motion, truth_, known.prior_pi, sensors, -1);
    return first.drawn_per_trial() ? Simulate(recipe) : rollouts_.Get(recipe);
  }
  const Eigen::VectorXd pi = MakePhysical(cell_.robot.model, cell_.robot.FindSet("")->pi).pi;
  TrueJointOptions joints;
  joints.motor = scenario.robot.truth->joints.motor;  // not a thing to be estimated
  joints.motor.gain_drift_per_min = {};               // nor of a nominal robot
  const TrueRobot nominal = CompileTruth(
      cell_.robot, pi, std::get<MujocoPlantOptions>(*scenario.plant), joints,
      AttachedPayloads(cell_.robot.model,
                       cell_.robot.model.ConfigurationIndex(first.options().configuration), pi));
  return ReplayExactly(nominal, *motion.motion, sensors.rate_hz, SourcesOf(sensors));
}

void SimulatedData::CheckStaged(const SimulatedExperiment& experiment) {
  TrialData data;
  data.truth = &truth_;
  StagedExperiment stage;
  try {
    stage = RunOneStaged(experiment, data, truth_.robot.recipe().pi);
  } catch (const ConfigError& error) {
    RefuseCell(loaded_, cell_, error.issues());
  }
  if (!stage.failure.empty()) {
    RefuseCell(loaded_, cell_,
               {{PointerTo("/experiments", experiment.label()),
                 "fails even with the true model: " + stage.failure,
                 {}}});
  }
  CheckEvents(loaded_, cell_, {*stage.data});
  if (ReachesNoWall(experiment.options(), stage.clean)) {
    notes_.push_back(
        fmt::format("no wall is reached with the true model, so that nothing acts on the robot: {}",
                    experiment.label()));
  }
  const Eigen::VectorXd errors = FollowingErrors(stage);
  if (errors.size() == 0) return;
  std::string over_joints;
  if (errors.size() > 1) {
    Eigen::Index worst = 0;
    errors.maxCoeff(&worst);
    const RobotModel& model = cell_.robot.model;
    const bool slides = std::ranges::any_of(
        model.links(), [](const Link& link) { return link.type == JointType::kPrismatic; });
    over_joints = fmt::format(" over joints{}; the worst is {} with {:.3g}",
                              slides ? ", m of prismatic ones" : "",
                              model.joint_names()[static_cast<std::size_t>(worst)], errors[worst]);
  }
  notes_.push_back(
      fmt::format("with the true model, in a draw of no trial, the robot follows its motion in {} "
                  "to {:.3g} rad (root mean square{})",
                  experiment.label(), std::sqrt(errors.cwiseAbs2().mean()), over_joints));
}

StagedExperiment SimulatedData::RunOneStaged(const SimulatedExperiment& experiment,
                                             const TrialData& data,
                                             const Eigen::VectorXd& pi) const {
  const Seeds seeds = loaded_.scenario.seeds();
  StagedExperiment stage{.experiment = experiment.label()};
  try {
    const DesiredMotion motion = experiment.MotionOf(data.trial, rollouts_.motions());
    Recipe recipe = experiment.RecipeOf(*motion.motion, *data.truth, pi, sensors_, data.trial);
    std::vector<std::string_view> channels = SignalsOf(sensors_);
    channels.push_back(kDesiredPosition);
    recipe.signals = SourcesOf(channels);
    stage.followed_s = motion.motion->duration_s();
    stage.clean = Simulate(recipe);
  } catch (const PlantError& error) {
    stage.failure = error.what();
    return stage;
  }
  Dataset raw = Measure(stage.clean, sensors_, seeds.noise, seeds.DrawOf(data.trial),
                        experiment.label(), experiment.options().role);
  CheckLeft(raw, loaded_.source);
  raw.set_configuration(experiment.options().configuration);
  stage.data = Process(raw, cell_.scenario.processing);
  return stage;
}

StagedExperiments SimulatedData::RunStaged(const TrialData& data, const Eigen::VectorXd& pi) const {
  StagedExperiments staged;
  for (const Simulated& simulated : simulated_) {
    if (simulated.experiment.is_staged()) {
      staged.push_back(RunOneStaged(simulated.experiment, data, pi));
      std::string& failure = staged.back().failure;
      if (!failure.empty()) {
        failure +=
            "; the control has this row's model, in which bodies that cannot exist "
            "(consistent_wls finds none) or other errors may drive it so";
      }
    }
  }
  return staged;
}

bool SimulatedData::Measures(std::string_view channel) const {
  return sensors_[channel].origin != SensorOrigin::kAbsent;
}

ChannelNoise SimulatedData::NoiseOf(std::string_view channel) const {
  const ChannelSensorOptions& sensor = sensors_[channel];
  const Origin origin =
      sensor.origin == SensorOrigin::kMeasured ? Origin::kMeasured : Origin::kOracle;
  Eigen::VectorXd sigma;
  if (sensor.declared_sigma) {
    sigma =
        ToVector(*sensor.declared_sigma, static_cast<int>(sensor.declared_sigma->values.size()));
  }
  ChannelNoise noise =
      NoiseAfter({std::move(sigma), sensors_.rate_hz}, channel, origin, cell_.scenario.processing);
  const AlignmentOptions& alignment = cell_.scenario.problem.alignment;
  if (alignment.rate_hz) noise.Resample(*alignment.rate_hz, alignment.interpolation);
  return noise;
}

std::string SimulatedData::SharedMotion() const {
  bool own_rollouts = false;
  std::uint64_t identity = Hash64("motion");
  for (const Simulated& simulated : simulated_) {
    const SimulatedExperiment& experiment = simulated.experiment;
    if (experiment.options().role != Role::kIdentification) continue;
    if (experiment.motion_drawn_per_trial()) return "";
    own_rollouts |= experiment.drawn_per_trial();
    identity = Hash64(experiment.MotionKey(), identity);
  }
  return own_rollouts ? fmt::format("{:016x}", identity) : "";
}

std::optional<DataSource::ShowingMotion> SimulatedData::MotionOf(const TrialData& data,
                                                                 const std::string& label) const {
  const auto found = std::ranges::find_if(simulated_, [&label](const Simulated& simulated) {
    return simulated.experiment.label() == label;
  });
  if (found == simulated_.end() || !found->experiment.has_motion()) return std::nullopt;
  ShowingMotion showing{.shown = &found->experiment.shown(),
                        .configuration = found->experiment.configuration()};
  if (const auto drawn = data.drawn_motions.find(label); drawn != data.drawn_motions.end()) {
    showing.desired.motion = drawn->second.get();
  } else {
    showing.desired = found->experiment.MotionOf(data.trial, rollouts_.motions());
  }
  return showing;
}

void SimulatedData::AddTruth(TrialData& data) const {
  data.truth = &truth_;
  const bool drawn = DrawnPerTrial(*cell_.scenario.robot.truth);
  const bool calibrated = HasCalibration(cell_.robot.model);
  if (data.trial < 0 || !(drawn || calibrated)) return;
  const Seeds seeds = loaded_.scenario.seeds();
  const std::int64_t draw = seeds.DrawOf(data.trial);
  Truth truth = MakeTruth(robot_, cell_.scenario, seeds.all, drawn ? draw : -1);
  SetCalibrations(cell_.scenario, cell_.robot, {seeds.noise, draw, ""}, truth);
  data.drawn_truth = std::make_unique<Truth>(std::move(truth));
  data.truth = data.drawn_truth.get();
}

PlantSource SimulatedData::PlantsOf(const Truth& truth, const SensorKey& key) const {
  const LaboratoryOptions laboratory = cell_.scenario.laboratory.value_or(LaboratoryOptions{});
  const TrueRobot& robot = truth.robot.true_robot();
  const double rate_hz = laboratory.rate_hz.value_or(1.0 / robot.options().timestep_s);
  return [&robot, this, rate_hz, key, laboratory] {
    return std::make_unique<MeteredPlant>(
        std::make_unique<SimulatedPlant>(robot, sensors_, rate_hz, key), laboratory.longest_use_s);
  };
}

void SimulatedData::AddDatasets(TrialData& data) const {
  const Seeds seeds = loaded_.scenario.seeds();
  data.make_plant = PlantsOf(*data.truth, {seeds.noise, seeds.DrawOf(data.trial), "laboratory"});
  std::uint64_t identity = Hash64("");
  std::vector<Dataset> measured;  // for scores
  for (const auto& [experiment, signals, shared_rollout, shared_environment] : simulated_) {
    if (experiment.is_staged()) continue;
    const Signals* clean = signals;
    const Environment* environment = shared_environment ? &*shared_environment : nullptr;
    std::string rollout = shared_rollout;
    if (clean == nullptr) {
      DesiredMotion motion = experiment.MotionOf(data.trial, rollouts_.motions());
      Recipe recipe =
          experiment.RecipeOf(*motion.motion, *data.truth, data.prior_pi(), sensors_, data.trial);
      rollout = KeyOf(recipe);
      data.drawn.push_back(std::make_unique<Signals>(Simulate(recipe)));
      clean = data.drawn.back().get();
      if (recipe.environment) {
        data.drawn_environments.push_back(
            std::make_unique<const Environment>(*std::move(recipe.environment)));
        environment = data.drawn_environments.back().get();
      }
      if (motion.own != nullptr) {
        data.drawn_motions.emplace(experiment.label(), std::move(motion.own));
      }
    }
    data.clean.push_back(clean);
    data.environments.push_back(environment);
    const Role role = experiment.options().role;
    if (role == Role::kIdentification) identity = Hash64(rollout, identity);
    Dataset raw =
        Measure(*clean, sensors_, seeds.noise, seeds.DrawOf(data.trial), experiment.label(), role);
    CheckLeft(raw, loaded_.source);
    raw.set_configuration(experiment.options().configuration);
    data.datasets.push_back(Process(raw, cell_.scenario.processing));
    if (cell_.scenario.scoring) measured.push_back(std::move(raw));
  }
  if (cell_.scenario.scoring) {
    data.drawn_scores = std::make_unique<const Scores>(
        MakeScores(*cell_.scenario.scoring, cell_.scenario.processing, measured, data.datasets,
                   Process, ScoredChannels(cell_.scenario.problem)));
    data.scores = data.drawn_scores.get();
  }
  data.rollout = fmt::format("{:016x}", identity);
}

}  // namespace idbench
