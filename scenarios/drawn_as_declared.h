#pragma once

#include "scenarios/scenario.h"

namespace idbench {

/// Returns true if prior and truth of each trial are drawn from each other, so that averages over
/// trials are averages over the prior: masses and moments are the only unknowns, the truth has the
/// values of the prior's set, and the prior's errors follow the law that it declares.
bool DrawnAsDeclared(const Scenario& scenario);
inline constexpr const char* kNotDrawnAsDeclared =
    "truth and prior are not drawn from each other as it takes them: by errors of the type "
    "\"declared\" of masses and moments alone, drawn per trial about the set of the truth";

}  // namespace idbench
