#include "bench/trial/staged_experiment.h"

#include <algorithm>

namespace idbench {

Eigen::VectorXd FollowingErrors(const StagedExperiment& stage) {
  const Eigen::Index followed = (stage.clean.time_s.array() <= stage.followed_s).count();
  if (followed == 0) return {};
  const Eigen::MatrixXd error =
      (stage.clean[kDesiredPosition] - stage.clean[kJointPosition]).topRows(followed);
  return error.cwiseAbs2().colwise().mean().cwiseSqrt().transpose();
}

const StagedExperiment* FindStaged(const StagedExperiments& staged, const std::string& experiment) {
  const auto stage = std::ranges::find(staged, experiment, &StagedExperiment::experiment);
  return stage == staged.end() ? nullptr : &*stage;
}

}  // namespace idbench
