#include "bench/cell_context.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "bench/cell_marks.h"
#include "bench/labelled_estimators.h"
#include "bench/motion_condition.h"
#include "estimators/estimator.h"
#include "estimators/recorded_time.h"
#include "hw/csv_recording.h"
#include "robots/physical_inertia.h"
#include "robots/plant/random_stream.h"
#include "robots/recording/processing.h"
#include "scenarios/drawn_set.h"
#include "scenarios/motion/controllers.h"
#include "scenarios/motion/motions.h"
#include "scenarios/options/json.h"
#include "scenarios/problem_builder.h"
#include "sim/compile_truth.h"
#include "sim/measure.h"
#include "sim/measured_feedback.h"
#include "sim/rollout.h"

namespace idbench {
namespace {

bool IsFedBackMeasured(const ControlOptions& control) {
  const ControlLoopOptions* loop = LoopOf(control);
  return loop != nullptr && loop->feedback == "measured";
}

/// Files that decide what a roll-out is.
std::vector<std::string> FilesOf(const ControlOptions& control,
                                 const std::optional<MotionOptions>& motion) {
  std::vector<std::string> files;
  const auto* replay = std::get_if<TorqueReplayOptions>(&control);
  if (replay != nullptr && replay->file) files.push_back(*replay->file);
  const auto* recorded = motion ? std::get_if<RecordedMotionOptions>(&*motion) : nullptr;
  if (recorded != nullptr) files.push_back(recorded->file);
  return files;
}

std::string ContentOf(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Declared σ of an equation's rows; empty if none is declared.
Eigen::VectorXd DeclaredSigma(const SensorOptions& sensors, Equation equation) {
  const std::optional<PerJoint>& declared = NoiseOf(sensors, equation).declared_sigma;
  if (!declared) return {};
  return Eigen::Map<const Eigen::VectorXd>(declared->values.data(),
                                           static_cast<Eigen::Index>(declared->values.size()));
}

/// Identification time of the data [s]: N samples stand for N periods.
double IdentificationPeriods(const std::vector<Dataset>& datasets) {
  double recorded_s = 0.0;
  for (const Dataset& dataset : datasets) {
    if (dataset.role() != Role::kIdentification || dataset.channels().empty()) continue;
    const Eigen::Index samples = dataset.channels().front().time_s.size();
    recorded_s += RecordedTimeOf(dataset).duration_s * static_cast<double>(samples) /
                  static_cast<double>(std::max<Eigen::Index>(samples - 1, 1));
  }
  return recorded_s;
}

}  // namespace

CellContext::CellContext(const LoadedScenario& loaded, const Cell& cell, RolloutStore& rollouts)
    : loaded_(loaded),
      cell_(cell),
      rollouts_(rollouts),
      asked_(AskedParameters(loaded.robot, cell.scenario.problem)),
      known_(KnowledgeOf(BuildProblem(loaded.robot, cell.scenario.problem, loaded.source),
                         loaded.robot, cell.scenario, loaded.scenario.seed, -1)) {
  if (scenario().simulated()) {
    PrepareSimulation();
  } else {
    PrepareRecordings();
  }
  CheckNeeds();
  TrialData first;
  try {
    first = Run(0);
  } catch (const PlantError&) {
    // Trial 0 drew a motion that fails: its record will say so.
    marks_ = MarksOf(loaded_.robot, scenario(), sensors_, Subject(0));
    return;
  } catch (const ConfigError& error) {
    Refuse("/processing" + error.issues().front().where, error.issues().front().what);
  }
  CheckCheckpoints(first.datasets);
  CheckWindows(first.datasets);
  CheckChannels(first.datasets);
  marks_ = MarksOf(loaded_.robot, scenario(), sensors_, first);
}

void CellContext::Refuse(const std::string& where, const std::string& what) const {
  std::vector<std::string> details;
  if (loaded_.cells.size() > 1) details.push_back("in the sweep's " + cell_.coordinates.Label());
  throw ConfigError(loaded_.source, where, what, details);
}

void CellContext::PrepareSimulation() {
  truth_.emplace(MakeTruth(loaded_.robot, scenario(), loaded_.scenario.seed, -1));
  motion_columns_ =
      FindBaseParameters(loaded_.robot.model, problem().equations(), asked_, problem().friction)
          .independent;
  sensors_ = ResolveSensors();
  for (EquationRows& rows : known_.problem.rows) {
    rows.sigma = DeclaredSigma(*sensors_, rows.equation);
  }
  const TrialData subject = Subject(-1);
  for (const auto& [label, experiment] : scenario().experiments) {
    SharedRollout rollout;
    if (!DrawnPerTrial(experiment)) {
      rollout.key = Key(label, experiment, subject, -1);
      try {
        rollout.signals =
            &rollouts_.Get(rollout.key, [&] { return Simulate(label, experiment, subject, -1); });
      } catch (const PlantError& error) {
        Refuse(PointerTo("/experiments", label), error.what());
      }
    }
    shared_.push_back(std::move(rollout));
  }
}

void CellContext::PrepareRecordings() {
  for (const auto& [label, experiment] : scenario().experiments) {
    const Dataset raw = ReadCsvRecording(*scenario().recording, *experiment.file, label,
                                         RoleOf(experiment), loaded_.robot.model.dofs());
    recordings_.push_back(
        WithDeclaredSigma(Process(raw, scenario().processing), *scenario().recording));
  }
  for (EquationRows& rows : known_.problem.rows) {
    const Channel* measured = recordings_.front().Find(MeasuredChannel(rows.equation));
    if (measured != nullptr) rows.sigma = measured->sigma;
  }
}

/// The σ of a peak fraction is that of the nominal robot on the first identification motion, so
/// that it is the same for all experiments and says nothing of the truth. Open-loop torque has no
/// motion: there it is that of the roll-out itself.
SensorOptions CellContext::ResolveSensors() const {
  const SensorOptions& sensors = *scenario().sensors;
  Signals desired;
  if (HasPeakFraction(sensors)) {
    const auto first = std::ranges::find_if(scenario().experiments, [](const auto& experiment) {
      return experiment.second.role == "identification";
    });
    const auto& [label, experiment] = *first;
    try {
      if (experiment.motion) {
        const Eigen::VectorXd pi =
            MakePhysical(loaded_.robot.model, loaded_.robot.FindSet("")->pi).pi;
        TrueJointOptions joints;
        joints.motor = scenario().robot.truth->joints.motor;  // not a thing to be estimated
        const TrueRobot nominal = CompileTruth(
            loaded_.robot, pi, std::get<MujocoPlantOptions>(*scenario().plant), joints);
        desired = ReplayExactly(nominal, *MakeMotion(experiment, -1), sensors.rate_hz,
                                ExtraSignalsOf(sensors));
      } else {
        desired = Simulate(label, experiment, Subject(-1), -1);
      }
    } catch (const PlantError& error) {
      Refuse(PointerTo("/experiments", label), error.what());
    }
  }
  return Resolve(sensors, PartsOf(loaded_.robot.model), desired);
}

bool CellContext::DrawnPerTrial(const ExperimentOptions& experiment) const {
  const ControlOptions& control = ControlOf(scenario(), experiment);
  const ControlLoopOptions* loop = LoopOf(control);
  return IsFedBackMeasured(control) ||
         (experiment.motion && idbench::DrawnPerTrial(*experiment.motion)) ||
         idbench::DrawnPerTrial(*scenario().robot.truth) ||
         (loop != nullptr && loop->model == "prior" &&
          idbench::DrawnPerTrial(*scenario().problem.prior));
}

/// The desired motion; of open-loop torque, its initial state.
std::unique_ptr<Motion> CellContext::MakeMotion(const ExperimentOptions& experiment,
                                                std::int64_t trial) const {
  if (!experiment.motion) {
    return MakeInitialState(std::get<TorqueReplayOptions>(ControlOf(scenario(), experiment)),
                            loaded_.robot.model);
  }
  const Dynamics dynamics(loaded_.robot.model, problem().friction);
  const RowRegressor rows(dynamics, problem().equations(), motion_columns_);
  return idbench::MakeMotion(
      *experiment.motion, loaded_.robot.model, loaded_.scenario.seed, trial,
      [&](const Motion& motion) { return MotionCondition(dynamics, rows, motion); });
}

Signals CellContext::Simulate(const std::string& label, const ExperimentOptions& experiment,
                              const TrialData& subject, std::int64_t trial) const {
  const ControlOptions& control = ControlOf(scenario(), experiment);
  const std::unique_ptr<Motion> motion = MakeMotion(experiment, trial);
  const SensorOptions& sensors = *scenario().sensors;  // they may not be resolved yet
  const ExtraSignals extras = ExtraSignalsOf(sensors);
  const TrueRobot& truth = subject.truth->Of(experiment);
  if (std::holds_alternative<ExactReplayOptions>(control)) {
    return ReplayExactly(truth, *motion, sensors.rate_hz, extras);
  }
  if (const auto* replay = std::get_if<TorqueReplayOptions>(&control)) {
    const std::unique_ptr<TorqueLaw> law = MakeTorqueLaw(*replay, loaded_.robot.model);
    Signals signals = idbench::Simulate(truth, *law, *motion, sensors.rate_hz, extras);
    // Where open-loop torque leads is not known before.
    if (signals.time_s.size() > 1) {
      CheckFrictionStep(truth, SplineMotion({signals.time_s, signals.q}));
    }
    return signals;
  }
  const Eigen::VectorXd pi = ControlModel(control, subject);
  const Dynamics dynamics(loaded_.robot.model, truth.friction_shape());
  Dynamics::Scratch scratch(dynamics);
  std::unique_ptr<Controller> controller = MakeController(
      control, loaded_.robot.model,
      [&](const Eigen::VectorXd& q, const Eigen::VectorXd& qd, const Eigen::VectorXd& qdd,
          Eigen::VectorXd& tau) { dynamics.InverseDynamics(pi, q, qd, qdd, scratch, tau); },
      *motion);
  if (IsFedBackMeasured(control)) {
    controller = std::make_unique<MeasuredFeedback>(
        std::move(controller), *sensors_, LoopOf(control)->velocity_cutoff_hz,
        SensorKey{loaded_.scenario.seed, trial, label + "/feedback"});
  }
  return idbench::Simulate(truth, *controller, *motion, sensors.rate_hz, extras);
}

/// Parameters that a controller calculates with; empty if it has no model.
Eigen::VectorXd CellContext::ControlModel(const ControlOptions& control,
                                          const TrialData& subject) const {
  const ControlLoopOptions* loop = LoopOf(control);
  if (loop == nullptr) return {};
  if (loop->model == "truth") return subject.truth->pi;
  // With an M(q) that is not positive definite, a controller would drive away from its goal.
  return MakePhysical(loaded_.robot.model, subject.prior_pi()).pi;
}

/// Everything that decides a roll-out.
std::string CellContext::Key(const std::string& label, const ExperimentOptions& experiment,
                             const TrialData& subject, std::int64_t trial) const {
  const auto values = [](const Eigen::VectorXd& pi) {
    return std::vector<double>(pi.begin(), pi.end());
  };
  const ControlOptions& control = ControlOf(scenario(), experiment);
  Json key = {{"robot", scenario().robot.model},
              {"truth", values(subject.truth->pi)},
              {"plant", WriteValue(*scenario().plant)},
              {"control", WriteValue(control)},
              {"motion", WriteValue(experiment.motion)},
              {"design", motion_columns_},
              {"rate_hz", scenario().sensors->rate_hz},
              {"seed", loaded_.scenario.seed},
              {"trial", DrawnPerTrial(experiment) ? trial : -1},
              {"model", values(ControlModel(control, subject))}};
  const ExtraSignals extras = ExtraSignalsOf(*sensors_);
  if (extras != ExtraSignals()) {
    key["signals"] = {{"base_wrench", extras.base_wrench}, {"motors", extras.motors}};
  }
  if (extras.end_effector_wrench) {
    const EndEffector& end_effector = loaded_.robot.model.end_effector();
    key["end_effector"] = {end_effector.link, values(end_effector.p_LE_L)};
  }
  if (extras.actuators) key["signals"]["actuators"] = true;
  if (extras.imu) {
    const ImuMount& imu = *loaded_.robot.model.imu();
    key["imu"] = {imu.link, values(imu.p_LS_L), scenario().robot.truth->imu_offset_m};
  }
  if (extras.distance) {
    const DistanceMeter& meter = *loaded_.robot.model.distance_meter();
    key["distance"] = {meter.link, values(meter.p_LS_L), values(meter.axis_L)};
  }
  TrueJointOptions joints = scenario().robot.truth->joints;
  if (joints != TrueJointOptions()) {
    FieldTable table;
    AddFields(table, joints);
    key["joints"] = WriteFields(table);
  }
  if (!experiment.events.empty()) {
    key["events"] = WriteValue(experiment.events);
  }
  for (const std::string& file : FilesOf(control, experiment.motion)) {
    key["files"].push_back(Hash64(ContentOf(file)));
  }
  if (IsFedBackMeasured(control)) {
    key["sensors"] = WriteValue(*sensors_);
    key["experiment"] = label;  // it names the noise
  }
  const std::string text = key.dump();
  return fmt::format("{:016x}{:016x}", Hash64(text), Hash64(text, 0x9e3779b97f4a7c15ULL));
}

TrialData CellContext::Subject(std::int64_t trial) const {
  TrialData data;
  data.trial = trial;
  const auto& prior = scenario().problem.prior;
  if (trial >= 0 && prior && idbench::DrawnPerTrial(*prior)) {
    data.drawn_known = std::make_unique<PriorKnowledge>(
        KnowledgeOf(problem(), loaded_.robot, scenario(), loaded_.scenario.seed, trial));
  }
  if (trial >= 0 && scenario().simulated() && idbench::DrawnPerTrial(*scenario().robot.truth)) {
    data.drawn_truth =
        std::make_unique<Truth>(MakeTruth(loaded_.robot, scenario(), loaded_.scenario.seed, trial));
  }
  data.known = data.drawn_known ? data.drawn_known.get() : &known_;
  data.truth = data.drawn_truth ? data.drawn_truth.get() : truth_ ? &*truth_ : nullptr;
  return data;
}

TrialData CellContext::Run(std::int64_t trial) const {
  TrialData data = Subject(trial);
  if (!scenario().simulated()) {
    data.datasets = recordings_;
    data.rollout = "recording";
    return data;
  }
  std::uint64_t identity = Hash64("");
  for (std::size_t i = 0; i < shared_.size(); ++i) {
    const auto& [label, experiment] = scenario().experiments[i];
    const SharedRollout& shared = shared_[i];
    const bool own = shared.signals == nullptr;
    if (own)
      data.drawn.push_back(std::make_unique<Signals>(Simulate(label, experiment, data, trial)));
    data.clean.push_back(own ? data.drawn.back().get() : shared.signals);
    if (experiment.role == "identification") {
      identity = Hash64(own ? Key(label, experiment, data, trial) : shared.key, identity);
    }
    const Dataset raw = Measure(*data.clean.back(), *sensors_, loaded_.scenario.seed, trial, label,
                                RoleOf(experiment));
    data.datasets.push_back(Process(raw, scenario().processing));
  }
  data.rollout = fmt::format("{:016x}", identity);
  return data;
}

void CellContext::CheckCheckpoints(const std::vector<Dataset>& datasets) const {
  if (scenario().evaluate_at_s.empty()) return;
  const double recorded_s = IdentificationPeriods(datasets);
  const double last = scenario().evaluate_at_s.back();
  if (IsRecorded(last, recorded_s)) return;
  Refuse("/evaluate_at_s",
         fmt::format("{} s lies beyond the end of the identification data, {:.6g} s", last,
                     recorded_s));
}

void CellContext::CheckWindows(const std::vector<Dataset>& datasets) const {
  const double recorded_s = IdentificationPeriods(datasets);
  const std::vector<std::string>& names = problem().parameters.names;
  for (const auto& [label, window] : scenario().windows) {
    const std::string where = PointerTo("/windows", label);
    if (!IsRecorded(window.until_s, recorded_s)) {
      Refuse(where + "/until_s",
             fmt::format("{} s lies beyond the end of the identification data, {:.6g} s",
                         window.until_s, recorded_s));
    }
    for (std::size_t i = 0; i < window.unknowns.size(); ++i) {
      if (std::ranges::find(names, window.unknowns[i]) != names.end()) continue;
      throw ConfigError(loaded_.source, fmt::format("{}/unknowns/{}", where, i),
                        fmt::format("no such unknown: \"{}\"", window.unknowns[i]),
                        AcceptedNames(window.unknowns[i], names));
    }
  }
}

void CellContext::CheckNeeds() const {
  for (const auto& [label, estimator] : MakeEstimators(scenario())) {
    const std::vector<std::string> unmet = UnmetNeeds(estimator->needs(), problem());
    if (!unmet.empty()) Refuse(PointerTo("/estimators", label), unmet.front());
  }
}

void CellContext::CheckChannels(const std::vector<Dataset>& datasets) const {
  const LabelledEstimators estimators = MakeEstimators(scenario());
  for (const Dataset& dataset : datasets) {
    if (dataset.role() != Role::kIdentification) continue;
    std::vector<std::string> available;
    for (const Channel& channel : dataset.channels()) available.push_back(channel.name);
    for (const auto& [label, estimator] : estimators) {
      const std::vector<std::string> unmet = UnmetNeeds(estimator->needs(), problem(), available);
      if (unmet.empty()) continue;
      Refuse(PointerTo("/estimators", label),
             fmt::format("{}; the experiment '{}' has {}", unmet.front(), dataset.label(),
                         fmt::join(available, ", ")));
    }
  }
}

}  // namespace idbench
