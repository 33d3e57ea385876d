#pragma once

#include "scenarios/scenario.h"

namespace idbench {

/// Returns true if prior and truth of each trial are drawn from each other, so that averages over
/// trials are averages over the prior: its mean is drawn about the truth by a `mean_error`; or
/// masses and moments are the only unknowns, the truth has the values of the prior's set, and the
/// prior's errors follow the law that it declares.
bool DrawnAsDeclared(const Scenario& scenario);
inline constexpr const char* kNotDrawnAsDeclared =
    "truth and prior are not drawn from each other per trial: by a mean_error, or by errors of the "
    "type \"declared\" of masses and moments alone about the set of the truth";

}  // namespace idbench
