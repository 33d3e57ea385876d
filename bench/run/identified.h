#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/run/kept_trials.h"
#include "bench/run/manifest.h"
#include "reports/run/shard.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

/// What was identified, of the kept trials (keep_series) of each cell, as JSON of format 1:
///
///   {"format": 1, "cells": [{"cell": 0, "trial": 0, "estimators": [{"label": "ols",
///     "parameters": [{"name", "unit", "value", "sigma", "percent_sigma", "true"}],
///     "standard": [{"name": "link1.m", "unit": "kg", "identifiable": "alone"|"combination"|"no",
///                   "in": ["link1.Izz_R"], "expressions": ["link1.Izz + …"], "why": "…"}]}]}]}
///
/// A cell with dead zones has "left_out": [{"equation", "rows", "left_out", "in_words"}], counts of
/// equation rows. `sigma` and `percent_sigma` where the method states a covariance (the latter not
/// for a value that is 0 or rounding). Where the structure of robot and equations hides directions
/// of the unknowns and the method knows nothing of these, unknowns have a σ only if they show
/// alone, and the estimator has
///   "covariance": {"basis": [{"name": "link1.Izz_R", "unit", "value", "sigma", "percent_sigma",
///                             "true", "factors": {"link1.Izz": 1, "link2.Iyy": 1}}],
///                  "covariance": [[…]]},
/// the combinations of unknowns that show, and their covariance, row by row. `true` for simulated
/// robots. `notes`: see HealthNotes(). An estimator that takes no data has `"untaught": true`, and
/// nothing is said of what would teach it more. An estimator that failed has a `failure` and no
/// parameters. `standard` tells of each standard parameter what the problem's equations can show,
/// by any motion at all, and why not: in which way the body never moves, or with what it always
/// acts together; and whether a base force/moment sensor would show it. Where the model shows it,
/// but this estimate's σ is large, it names what would: gravity in more postures, or the joint
/// whose motion acts most; `hardly`, which is there only then, has the same by itself.
///
/// @param trials  of each cell, those that this run computes; a cell without any has no context.
/// @param kept    their estimates.
Json Identified(const LoadedScenario& loaded, const PreparedCells& contexts,
                const std::vector<TrialRange>& trials, KeptTrials& kept);

/// The same for people: each estimator's table of unknowns, and the standard parameters by what is
/// known of them.
std::string IdentifiedMarkdown(const Json& identified);

/// A few lines about it: counts, and which unknowns are hardly determined.
std::string IdentifiedInShort(const Json& identified);

}  // namespace idbench
