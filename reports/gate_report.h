#pragma once

#include <string>
#include <vector>

#include "reports/gate.h"

namespace idbench {

/// "regression", "inconclusive", "improved", "same" or "identical".
std::string ToString(MemberVerdict verdict);
/// "pass", "regression", "inconclusive" or "incomparable".
std::string ToString(GateVerdict verdict);

/// What a gate's members came to: "1 regression, 31 identical"; "" without members.
std::string PrintTally(const GateReport& report);

/// All that is said of the gate as a whole, units_needed first.
std::vector<std::string> SentencesOf(const GateReport& report);

/// Why a gate decided as it did: the first sentence of its members, the worst first, else the first
/// of the whole; "" if there is none.
std::string ReasonOf(const GateReport& report);

/// The document `gate.json`, format 1:
///
///     {"format": 1, "baseline": "…", "verdict": "pass", "alpha": 0.05, "tolerance": 0.02,
///      "members": [{"cell": 0, "axes": {}, "estimator": "ols", "kind": "accuracy", "metric": "…",
///        "verdict": "same", "effect": 0.05, "interval": [lo, hi], "p": …, "adjusted_p": …,
///        "reserve": {"effect": …, "p": …}, "sentence": "…"}], "sentences": ["…"]}
///
/// What is absent has no key.
Json ToJson(const GateReport& report);

/// The verdict, what is neither same nor identical as a table, worst first, and sentences.
std::string RenderGate(const GateReport& report);

}  // namespace idbench
