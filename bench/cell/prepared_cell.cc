#include "bench/cell/prepared_cell.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "bench/cell/cell_check.h"
#include "bench/cell/plant_check.h"
#include "bench/cell/recorded_data.h"
#include "bench/cell/simulated_data.h"
#include "bench/notes/acceleration_noise.h"
#include "bench/notes/cell_marks.h"
#include "bench/notes/data_notes.h"
#include "bench/notes/exact_channels.h"
#include "bench/notes/held_by_prior.h"
#include "bench/notes/true_prior.h"
#include "bench/notes/unshown_parameters.h"
#include "robots/plant/plant_error.h"
#include "scenarios/problem/drawn_set.h"
#include "scenarios/problem/parametrisations.h"
#include "scenarios/problem/problem_builder.h"
#include "sim/signal_sources.h"

namespace idbench {
namespace {

/// σ of the torques B·diag(v)·gains on all joints, N·m, at known gains or those of the prior;
/// nothing where one in `rows` is not known at all.
/// @param sigma  of v.
Eigen::VectorXd ThroughGains(const Eigen::VectorXd& sigma, const EquationRows& rows,
                             const Problem& problem) {
  const Parametrisation& parameters = problem.parameters;
  const RobotModel& model = problem.model;
  if (sigma.size() != model.dofs()) return {};
  const Eigen::VectorXd pi = parameters.Pi(
      parameters.prior ? parameters.prior->mean : Eigen::VectorXd::Zero(parameters.size()));
  Eigen::VectorXd variance = Eigen::VectorXd::Zero(model.dofs());
  Eigen::Index k = pi.size() - std::ssize(model.terms());
  for (const Term& term : model.terms()) {
    const double gain = pi[k++];
    if (!InRows(term, {rows.placed()}) || term.rows != TermRows::kDrives) continue;
    if (gain == 0.0) return {};
    for (const Term::Share& share : term.shares) {
      variance[share.joint] += std::pow(share.factor * gain * sigma[term.input], 2);
    }
  }
  return variance.cwiseSqrt();
}

/// What is known in trial −1.
PriorKnowledge KnownOfCell(const LoadedScenario& loaded, const Cell& cell) {
  const Problem problem = BuildProblem(cell.robot, cell.scenario.problem, loaded.source);
  const std::uint64_t seed = loaded.scenario.seed;
  const auto& prior = cell.scenario.problem.prior;
  Eigen::VectorXd true_pi;
  if (prior && DrawsAboutTruth(*prior)) {
    true_pi = MakeTruth(HashedRobot(cell.robot), cell.scenario, seed, -1).pi;
  }
  return KnowledgeOf(problem, cell.robot, cell.scenario, &true_pi, seed, -1);
}

}  // namespace

PreparedCell::PreparedCell(const LoadedScenario& loaded, const Cell& cell, RolloutStore& rollouts)
    : loaded_(loaded),
      cell_(cell),
      asked_(AskedParameters(cell.robot, cell.scenario.problem)),
      known_(KnownOfCell(loaded, cell)) {
  if (scenario().simulated()) {
    source_ = std::make_unique<SimulatedData>(loaded, cell, known_, asked_, rollouts);
  } else {
    source_ = std::make_unique<RecordedData>(scenario(), cell.robot, loaded.source);
  }
  shared_motion_ = source_->SharedMotion();
  DeclareNoise();
  CheckMeasured(loaded, cell, problem(), *source_);
  CheckNeeds(loaded, cell, problem());
  warnings_ = CheckPriorSigma(loaded, cell, problem());
  std::ranges::move(CheckRefusals(loaded, cell, problem()), std::back_inserter(warnings_));
  std::ranges::move(CheckDrawnPriors(loaded, cell, problem(), *source_),
                    std::back_inserter(warnings_));
  TrialData first;
  try {
    first = Run(0);
  } catch (const GainUsedUp& error) {
    RefuseCell(loaded, cell, {{"/robot/truth/motor/gain_drift_per_min", error.what(), {}}});
  } catch (const PlantError& error) {
    // Trial 0 drew a motion that fails: its record will say so.
    first_failure_ = error.what();
    marks_ = MarksOf(cell_.robot, scenario(), *source_, Subject(0));
    return;
  } catch (const ConfigError& error) {
    RefuseCell(loaded, cell, error.issues());
  }
  CheckAgainstData(loaded, cell, problem(), first.datasets);
  CheckPlant(loaded, cell, first);
  marks_ = MarksOf(cell_.robot, scenario(), *source_, first);
  for (std::string& note : source_->Notes()) notes_.push_back(std::move(note));
  for (std::string& note : ProcessingNotes(scenario(), sensors(), first.datasets)) {
    notes_.push_back(std::move(note));
  }
  const auto add = [](std::string sentence, std::vector<std::string>& to) {
    if (!sentence.empty()) to.push_back(std::move(sentence));
  };
  add(AccelerationNoiseWarning(scenario(), first), warnings_);
  add(TruePriorNote(scenario(), first), warnings_);
  std::ranges::move(HeldByPriorNotes(first), std::back_inserter(warnings_));
  add(KnownNote(scenario(), cell_.robot, first), notes_);
  add(ExactChannelsNote(scenario(), problem(), sensors()), notes_);
  std::ranges::move(UnshownParameterNotes(cell_.robot, scenario(), asked_),
                    std::back_inserter(notes_));
  marks_.insert(marks_.end(), warnings_.begin(), warnings_.end());
  marks_.insert(marks_.end(), notes_.begin(), notes_.end());
}

void PreparedCell::DeclareNoise() {
  for (EquationRows& rows : known_.problem.rows) {
    const ChannelNoise noise = NoiseOf(rows.measured());
    const auto of_rows = [&](Eigen::VectorXd sigma) {
      if (rows.of_drives()) sigma = ThroughGains(sigma, rows, known_.problem);
      if (sigma.size() > 0 && !rows.chosen.empty()) sigma = sigma(rows.chosen).eval();
      return sigma;
    };
    rows.sigma = of_rows(noise.fit_sigma());
    if (rows.sigma.size() == 0 || noise.is_white()) continue;
    rows.sample_sigma = of_rows(noise.sample_sigma());
    rows.autocorrelation = noise.autocorrelation();
  }
}

TrialData PreparedCell::Subject(std::int64_t trial) const {
  TrialData data;
  data.trial = trial;
  data.known = &known_;
  source_->AddTruth(data);
  const auto& prior = scenario().problem.prior;
  const Seeds seeds = loaded_.scenario.seeds();
  if (trial >= 0 && prior && DrawnPerTrial(*prior)) {
    data.drawn_known = std::make_unique<PriorKnowledge>(KnowledgeOf(
        problem(), cell_.robot, scenario(), data.true_pi(), seeds.all, seeds.DrawOf(trial)));
    data.known = data.drawn_known.get();
  }
  return data;
}

TrialData PreparedCell::Run(std::int64_t trial) const {
  TrialData data = Subject(trial);
  source_->AddDatasets(data);
  return data;
}

}  // namespace idbench
