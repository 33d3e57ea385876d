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

/// Returns all sentences about the gate as a whole: what would decide it and what it can find
/// first.
std::vector<std::string> SentencesOf(const GateReport& report);

/// Returns the reason of the gate's verdict: the first sentence of its worst member, else the first
/// sentence about the whole; "" if there is none.
std::string ReasonOf(const GateReport& report);

/// Returns the document `gate.json`, format 2:
///
///     {"format": 2, "baseline": "…", "verdict": "pass", "alpha": 0.05, "tolerance": 0.02,
///      "members": [{"cell": 0, "axes": {}, "estimator": "ols", "kind": "accuracy", "metric": "…",
///        "verdict": "same", "effect": 0.05, "tolerance": 0.02, "interval": [lo, hi], "p": …,
///        "adjusted_p": …, "reserve": {"effect": …, "p": …}, "sentence": "…"}],
///      "powers": [{"metric": "…", "tolerance": 0.02, "must_find": 0.04, "finds": …,
///        "decides": …}],
///      "needed": {"first": 360, "reserve": 290, "rollouts": false}, "sentences": ["…"]}
///
/// Absent values have no key. In format 1, p was two-sided and of the hypothesis of no change;
/// `sentences` held what is now `needed`.
Json ToJson(const GateReport& report);

/// Reads `gate.json` of a run folder, of either format; nothing if there is none. Workloads have
/// cell 0, as the file has it.
/// @throws ConfigError if the file is damaged.
std::optional<GateReport> ReadGate(const std::filesystem::path& run);

/// Returns the verdict, a table of the members that are neither same nor identical, worst first,
/// and sentences.
std::string RenderGate(const GateReport& report);

}  // namespace idbench
