#pragma once

#include <string>
#include <vector>

#include "reports/gate/gate.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

/// Returns "regression", "inconclusive", "improved", "same" or "identical".
std::string ToString(MemberVerdict verdict);
/// Returns "pass", "regression", "inconclusive" or "incomparable".
std::string ToString(GateVerdict verdict);

/// Returns the count of members by verdict: "1 regression, 31 identical"; "" without members.
std::string PrintTally(const GateReport& report);

/// Returns all sentences about the gate as a whole, units_needed first.
std::vector<std::string> SentencesOf(const GateReport& report);

/// Returns the reason of the gate's verdict: the first sentence of its worst member, else the first
/// sentence about the whole; "" if there is none.
std::string ReasonOf(const GateReport& report);

/// Returns the document `gate.json`, format 1:
///
///     {"format": 1, "baseline": "…", "verdict": "pass", "alpha": 0.05, "tolerance": 0.02,
///      "members": [{"cell": 0, "axes": {}, "estimator": "ols", "kind": "accuracy", "metric": "…",
///        "verdict": "same", "effect": 0.05, "interval": [lo, hi], "p": …, "adjusted_p": …,
///        "reserve": {"effect": …, "p": …}, "sentence": "…"}], "sentences": ["…"]}
///
/// Absent values have no key.
Json ToJson(const GateReport& report);

/// Returns the verdict, a table of the members that are neither same nor identical, worst first,
/// and sentences.
std::string RenderGate(const GateReport& report);

}  // namespace idbench
