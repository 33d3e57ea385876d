#include "bench/metrics/true_unknowns.h"

#include <algorithm>

#include "estimators/interface/recorded_time.h"

namespace idbench {

TrueUnknowns::TrueUnknowns(const Scenario& scenario, const Problem& problem)
    : layout_(problem.model) {
  truth_of_ = KindNamed(scenario.problem.parametrisation.type).truth;
  if (truth_of_ == TrueValues::kOfRobot) return;
  for (std::size_t i = 0; i < scenario.experiments.size(); ++i) {
    const ExperimentOptions& experiment = scenario.experiments[i].second;
    if (experiment.role != Role::kIdentification) continue;
    stretches_.push_back({i, experiment.events});
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
  for (Stretch& stretch : stretches_) {
    stretch.payloads = MakePayloads(stretch.events, data.truth->robot.robot());
    const RecordedTime time = RecordedTimeOf(data.datasets[stretch.experiment]);
    stretch.clean = data.clean[stretch.experiment];
    stretch.start_s = time.start_s;
    stretch.recorded_s = recorded_s;
    recorded_s += time.duration_s;
  }
}

Eigen::VectorXd TrueUnknowns::At(double recorded_s) const {
  return constant() ? robot_ : At(InstantOf(recorded_s));
}

Eigen::VectorXd TrueUnknowns::AtLastSampleBy(double checkpoint_s) const {
  if (constant()) return robot_;
  const Instant instant = InstantOf(checkpoint_s);
  const Eigen::VectorXd& time = instant.stretch.clean->time_s;
  const auto after = std::ranges::upper_bound(time, instant.time_s + kCheckpointTolerance);
  return At({instant.stretch, after == time.begin() ? time[0] : *std::prev(after)});
}

TrueUnknowns::Instant TrueUnknowns::InstantOf(double recorded_s) const {
  // The last one that has begun; the first has always.
  const auto next = std::ranges::find_if(
      stretches_.begin() + 1, stretches_.end(),
      [&](const Stretch& stretch) { return !HasBegun(stretch.recorded_s, recorded_s); });
  const Stretch& stretch = *(next - 1);
  return {stretch, stretch.start_s + (recorded_s - stretch.recorded_s)};
}

Eigen::VectorXd TrueUnknowns::At(const Instant& instant) const {
  const auto& [stretch, time_s] = instant;
  if (truth_of_ == TrueValues::kOfState) return StateAt(*stretch.clean, time_s);
  Eigen::VectorXd pi = robot_;
  for (const Payload& payload : stretch.payloads) {
    pi.segment<kInertialCount>(layout_.Body(payload.link)) +=
        payload.PartAt(time_s) * ToStandard(payload.inertia);
  }
  return parameters_->FromPi(pi);
}

Eigen::VectorXd TrueUnknowns::StateAt(const Signals& clean, double time_s) {
  const Eigen::VectorXd& time = clean.time_s;
  Eigen::Index at = std::lower_bound(time.begin(), time.end(), time_s) - time.begin();
  at = std::min(at, time.size() - 1);
  if (at > 0 && time_s - time[at - 1] < time[at] - time_s) --at;
  const Eigen::MatrixXd& q = clean[kJointPosition];
  Eigen::VectorXd state(2 * q.cols());
  state << q.row(at).transpose(), clean[kJointVelocity].row(at).transpose();
  return state;
}

}  // namespace idbench
