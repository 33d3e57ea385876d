#include "bench/cell/staged_experiment.h"

#include <algorithm>

namespace idbench {

const StagedExperiment* FindStaged(const StagedExperiments& staged, const std::string& experiment) {
  const auto stage = std::ranges::find(staged, experiment, &StagedExperiment::experiment);
  return stage == staged.end() ? nullptr : &*stage;
}

}  // namespace idbench
