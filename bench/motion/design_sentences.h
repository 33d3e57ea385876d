#pragma once

#include <string>
#include <vector>

#include "scenarios/motion/motions.h"

namespace idbench {

/// Returns how exciting motions came about, in sentences: criterion at the random start and at the
/// end of the best start, over all starts, starts that failed, evaluations, and what was drawn back
/// to keep limits, with a cure. Nothing of other motions.
std::vector<std::string> DesignSentences(const std::vector<DesignedPart>& histories);

}  // namespace idbench
