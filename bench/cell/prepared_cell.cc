#include "bench/cell/prepared_cell.h"

#include "bench/cell/cell_check.h"
#include "bench/cell/cell_marks.h"
#include "bench/cell/recorded_data.h"
#include "bench/cell/simulated_data.h"
#include "robots/plant/plant.h"
#include "scenarios/problem/drawn_set.h"
#include "scenarios/problem/parametrisations.h"
#include "scenarios/problem/problem_builder.h"

namespace idbench {

PreparedCell::PreparedCell(const LoadedScenario& loaded, const Cell& cell, RolloutStore& rollouts)
    : loaded_(loaded),
      cell_(cell),
      asked_(AskedParameters(cell.robot, cell.scenario.problem)),
      known_(KnowledgeOf(BuildProblem(cell.robot, cell.scenario.problem, loaded.source), cell.robot,
                         cell.scenario, loaded.scenario.seed, -1)) {
  if (scenario().simulated()) {
    source_ = std::make_unique<SimulatedData>(loaded, cell, known_, asked_, rollouts);
  } else {
    source_ = std::make_unique<RecordedData>(scenario(), cell.robot, loaded.source);
  }
  shared_motion_ = source_->SharedMotion();
  for (EquationRows& rows : known_.problem.rows) {
    rows.sigma = source_->DeclaredSigma(rows.measured());
  }
  CheckMeasured(loaded, cell, problem(), *source_);
  CheckNeeds(loaded, cell, problem());
  TrialData first;
  try {
    first = Run(0);
  } catch (const PlantError&) {
    // Trial 0 drew a motion that fails: its record will say so.
    marks_ = MarksOf(cell_.robot, scenario(), sensors(), Subject(0));
    return;
  } catch (const ConfigError& error) {
    RefuseCell(loaded, cell, error.issues());
  }
  CheckAgainstData(loaded, cell, problem(), first.datasets);
  marks_ = MarksOf(cell_.robot, scenario(), sensors(), first);
}

TrialData PreparedCell::Subject(std::int64_t trial) const {
  TrialData data;
  data.trial = trial;
  data.known = &known_;
  const auto& prior = scenario().problem.prior;
  const Seeds seeds = loaded_.scenario.seeds();
  if (trial >= 0 && prior && DrawnPerTrial(*prior)) {
    data.drawn_known = std::make_unique<PriorKnowledge>(
        KnowledgeOf(problem(), cell_.robot, scenario(), seeds.all, seeds.DrawOf(trial)));
    data.known = data.drawn_known.get();
  }
  source_->AddTruth(data);
  return data;
}

TrialData PreparedCell::Run(std::int64_t trial) const {
  TrialData data = Subject(trial);
  source_->AddDatasets(data);
  return data;
}

}  // namespace idbench
