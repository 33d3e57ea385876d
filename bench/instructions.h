#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "bench/gate_run.h"
#include "scenarios/options/json.h"

namespace idbench {

/// Instructions of one call of each workload (bench/workloads.h) with the AVX2 kernel, under
/// valgrind's callgrind: the same number in every run on every machine, however busy it is.
///
/// Counted is what this program's own code executes, libraries left out: they differ from machine
/// to machine, and it is this code that is gated.
struct InstructionCounts {
  Json build = Json::object();  ///< What the numbers hang on: compiler, libraries, build type.
  std::map<std::string, double> cases;
};

/// The document {"format": 1, "tolerance": 0.01, "build": {…}, "cases": {"…": 1234.5}}.
Json ToJson(const InstructionCounts& counts);

/// Runs this program's workloads under valgrind. @param mode  of RunWorkloads(): count or slow.
/// @throws std::runtime_error if valgrind is missing or fails, in one line.
InstructionCounts CountInstructions(const std::string& mode = "count");

/// Instructions that the code of `program` executes itself, from the text of a callgrind file that
/// was written without compressed strings.
double OwnInstructions(std::string_view text, std::string_view program);

/// Compares counts with a baseline of ToJson(): a case that grew by more than the tolerance that
/// the baseline declares is a regression; another build makes the two incomparable.
/// @throws ConfigError (source: `source`) for a damaged baseline.
GateReport JudgeInstructions(const Json& baseline, const std::string& source,
                             const InstructionCounts& counts);

/// Counts and judges. Without valgrind, or in a build of another kind than the baseline's, the
/// outcome is incomparable, and says why.
GateOutcome GateInstructionCounts(const std::filesystem::path& baseline);

/// Counts and writes a baseline.
void WriteInstructionBaseline(const std::filesystem::path& file);

}  // namespace idbench
