#include "bench/true_unknowns.h"

#include <algorithm>

#include "estimators/recorded_time.h"

namespace idbench {

TrueUnknowns::TrueUnknowns(const CellContext& context) : layout_(context.problem().model.dofs()) {
  const Scenario& scenario = context.scenario();
  if (scenario.problem.parametrisation.type != "payload") return;
  for (std::size_t i = 0; i < scenario.experiments.size(); ++i) {
    const ExperimentOptions& experiment = scenario.experiments[i].second;
    if (experiment.role != "identification") continue;
    loads_.push_back({i, MakePayloads(experiment.events, context.problem().model)});
  }
}

void TrueUnknowns::SetTrial(const TrialData& data) {
  parameters_ = &data.problem().parameters;
  if (constant()) {
    robot_ = parameters_->FromPi(*data.true_pi());
    return;
  }
  robot_ = parameters_->affine()->pi0;
  double recorded_s = 0.0;
  for (Load& load : loads_) {
    const RecordedTime time = RecordedTimeOf(data.datasets[load.experiment]);
    load.start_s = time.start_s;
    load.recorded_s = recorded_s;
    recorded_s += time.duration_s;
  }
}

Eigen::VectorXd TrueUnknowns::At(double recorded_s) const {
  if (constant()) return robot_;
  // The last one that has begun; the first has always.
  const auto next = std::ranges::find_if(loads_.begin() + 1, loads_.end(), [&](const Load& load) {
    return !HasBegun(load.recorded_s, recorded_s);
  });
  const Load& load = *(next - 1);
  Eigen::VectorXd pi = robot_;
  for (const Payload& payload : load.payloads) {
    pi.segment<kInertialCount>(layout_.Body(payload.link)) +=
        payload.PartAt(load.start_s + (recorded_s - load.recorded_s)) * ToStandard(payload.inertia);
  }
  return parameters_->FromPi(pi);
}

}  // namespace idbench
