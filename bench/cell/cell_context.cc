#include "bench/cell/cell_context.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/cell/cell_marks.h"
#include "bench/cell/labelled_estimators.h"
#include "estimators/interface/estimator.h"
#include "estimators/interface/recorded_time.h"
#include "hw/csv_recording.h"
#include "robots/physical_inertia.h"
#include "robots/random/random_stream.h"
#include "robots/recording/processing.h"
#include "scenarios/options/json.h"
#include "scenarios/problem/drawn_set.h"
#include "scenarios/problem/parametrisations.h"
#include "scenarios/problem/problem_builder.h"
#include "sim/rollout.h"
#include "sim/sensors/measure.h"
#include "sim/truth/compile_truth.h"

namespace idbench {
namespace {

/// Declared σ of a channel's columns; empty if none is declared.
Eigen::VectorXd DeclaredSigma(const SensorOptions& sensors, std::string_view channel) {
  const std::optional<PerJoint>& declared = sensors[channel].declared_sigma;
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
      robot_(loaded.robot),
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
  truth_.emplace(MakeTruth(robot_, scenario(), loaded_.scenario.seed, -1));
  const std::vector<int> columns =
      FindBaseParameters(loaded_.robot.model, problem().equations(), asked_, problem().friction)
          .independent;
  for (const auto& experiment : scenario().experiments) {
    simulated_.push_back(
        {{robot_, scenario(), experiment, problem(), columns, loaded_.scenario.seed}});
  }
  sensors_ = ResolveSensors();
  for (EquationRows& rows : known_.problem.rows) {
    rows.sigma = DeclaredSigma(*sensors_, rows.measured());
  }
  const TrialData subject = Subject(-1);
  for (auto& [experiment, signals, rollout] : simulated_) {
    if (experiment.drawn_per_trial()) continue;
    try {
      const DesiredMotion motion = experiment.MotionOf(-1, rollouts_.motions());
      const Recipe recipe = RecipeOf(experiment, *motion.motion, subject, *sensors_);
      rollout = KeyOf(recipe);
      signals = &rollouts_.Get(recipe);
    } catch (const PlantError& error) {
      Refuse(PointerTo("/experiments", experiment.label()), error.what());
    }
  }
}

void CellContext::PrepareRecordings() {
  for (const auto& [label, experiment] : scenario().experiments) {
    const Dataset raw = ReadCsvRecording(*scenario().recording, *experiment.file, label,
                                         experiment.role, loaded_.robot.model.dofs());
    recordings_.push_back(
        WithDeclaredSigma(Process(raw, scenario().processing), *scenario().recording));
  }
  for (EquationRows& rows : known_.problem.rows) {
    const Channel* measured = recordings_.front().Find(rows.measured());
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
    const SimulatedExperiment& first =
        std::ranges::find_if(simulated_, [](const Simulated& simulated) {
          return simulated.experiment.options().role == Role::kIdentification;
        })->experiment;
    try {
      const DesiredMotion motion = first.MotionOf(-1, rollouts_.motions());
      if (first.has_motion()) {
        const Eigen::VectorXd pi =
            MakePhysical(loaded_.robot.model, loaded_.robot.FindSet("")->pi).pi;
        TrueJointOptions joints;
        joints.motor = scenario().robot.truth->joints.motor;  // not a thing to be estimated
        const TrueRobot nominal = CompileTruth(
            loaded_.robot, pi, std::get<MujocoPlantOptions>(*scenario().plant), joints);
        desired = ReplayExactly(nominal, *motion.motion, sensors.rate_hz, SourcesOf(sensors));
      } else {
        const TrialData subject = Subject(-1);
        const Recipe recipe = RecipeOf(first, *motion.motion, subject, sensors);
        desired = first.drawn_per_trial() ? Simulate(recipe) : rollouts_.Get(recipe);
      }
    } catch (const PlantError& error) {
      Refuse(PointerTo("/experiments", first.label()), error.what());
    }
  }
  return Resolve(sensors, PartsOf(loaded_.robot.model), desired);
}

Recipe CellContext::RecipeOf(const SimulatedExperiment& experiment, const Motion& motion,
                             const TrialData& subject, const SensorOptions& sensors) const {
  return experiment.RecipeOf(motion, *subject.truth, subject.prior_pi(), sensors, subject.trial);
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
        std::make_unique<Truth>(MakeTruth(robot_, scenario(), loaded_.scenario.seed, trial));
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
  for (const auto& [experiment, signals, shared_rollout] : simulated_) {
    const Signals* clean = signals;
    std::string rollout = shared_rollout;
    if (clean == nullptr) {
      const DesiredMotion motion = experiment.MotionOf(trial, rollouts_.motions());
      const Recipe recipe = RecipeOf(experiment, *motion.motion, data, *sensors_);
      rollout = KeyOf(recipe);
      data.drawn.push_back(std::make_unique<Signals>(Simulate(recipe)));
      clean = data.drawn.back().get();
    }
    data.clean.push_back(clean);
    const Role role = experiment.options().role;
    if (role == Role::kIdentification) identity = Hash64(rollout, identity);
    const Dataset raw =
        Measure(*clean, *sensors_, loaded_.scenario.seed, trial, experiment.label(), role);
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
