#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "robots/dynamics/model.h"
#include "scenarios/options/config_error.h"
#include "scenarios/problem/prior_entries.h"
#include "scenarios/problem/robot_options.h"

namespace idbench {

/// Returns a σ for what the prior knows nothing of, from the limits of the joints: wide enough for
/// what a joint that does its work can have, so that data decide. With effort τ_max and speed
/// q̇_max, the largest over the joints of
///
///   0.1·τ_max               times a number of at most 1 (fc, fo …): a tenth of the effort
///   0.1·τ_max/q̇_max         times a speed (fv …): a tenth of the effort at full speed
///   0.1·τ_max·(0.1 s)/q̇_max times an acceleration (ia): a tenth of the effort brings the rotor to
///                           full speed in 0.1 s
///
/// rounded up to two digits. Nothing for kinds that are no terms of joints or motors, and where no
/// joint has the limits.
/// @param kind  of a parameter, see ParameterKind().
std::optional<double> SigmaFromLimits(const std::string& kind, const JointLimits& limits);

/// Returns the names of those parameters whose σ is 0 by the prior's entries: relative_std gives
/// none to what is 0, as all of its kind. What `std` speaks of, also with its body, is none of
/// them.
/// @param of  as for CovarianceByEntries().
std::vector<std::string> WithoutSigma(const PriorOptions& options, const PriorParameters& of);

/// Returns the prior's `std`, as JSON to paste, with an entry for the kind of each of `names` too:
/// SigmaFromLimits(); of moments of bodies relative_std times the largest about any axis; null, for
/// no information, of the rest. `"std": {"fv": 4.0, "fc": 8.7}`
std::string StdToPaste(const PriorOptions& options, const PriorParameters& of,
                       const std::vector<std::string>& names);

/// Returns the issue about parameters whose σ is 0, with what to write instead; nothing if there
/// are none.
/// @param known  kinds that can be held, see KnownOf(): others have no such cure.
std::optional<Issue> SigmaIssue(const PriorOptions& options, const PriorParameters& of,
                                const std::function<bool(const std::string& kind)>& known);

}  // namespace idbench
