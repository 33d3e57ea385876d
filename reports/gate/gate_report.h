#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "reports/gate/gate.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

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

/// Reads `gate.json` of a run folder; nothing if there is none. What units_needed said is one of
/// the sentences, and workloads have cell 0, as the file has it.
/// @throws ConfigError if the file is damaged.
std::optional<GateReport> ReadGate(const std::filesystem::path& run);

/// Returns the verdict, a table of the members that are neither same nor identical, worst first,
/// and sentences.
std::string RenderGate(const GateReport& report);

}  // namespace idbench
