#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "bench/gate/workloads.h"
#include "reports/gate/gate.h"
#include "scenarios/options/json_value.h"

namespace idbench {

/// Instructions of one call of each workload (bench/gate/workloads.h) with the AVX2 kernel, under
/// valgrind's callgrind: the same number in every run on every machine, however busy it is.
///
/// Counts only this program's own code, without libraries: these differ between machines, and the
/// gate concerns this code.
struct InstructionCounts {
  /// What the numbers depend on: compiler, libraries, build type.
  JsonValue build = JsonValue::EmptyObject();
  std::map<std::string, double> cases;
  /// Estimators that are no workload, because they refuse its problem, by type: why.
  std::map<std::string, std::string> left_out;
};

/// Returns the document {"format": 1, "tolerance": 0.01, "build": {…}, "cases": {"…": 1234.5},
/// "left_out": {"…": "…"}}.
Json ToJson(const InstructionCounts& counts);

/// Returns the estimators that a run of workloads left out, by type, from what it wrote on stderr.
std::map<std::string, std::string> WorkloadsLeftOut(std::string_view errors);

/// Returns why a program that ran under valgrind ended, from what both wrote on stderr: the
/// program's last line, else valgrind's.
std::string CauseUnderValgrind(std::string_view errors);

/// Runs this program's workloads under valgrind.
/// @param mode  kCounted or kSlowed.
/// @throws std::runtime_error, in one line, if valgrind is missing or fails, with the cause, or
/// this
///         program was built with a sanitizer.
InstructionCounts CountInstructions(WorkloadMode mode = WorkloadMode::kCounted);

/// Returns the instructions that the code of `program` executes itself, from the text of a
/// callgrind file written without compressed strings.
double OwnInstructions(std::string_view text, std::string_view program);

/// Compares counts with a baseline made by ToJson(): a case that grew by more than the baseline's
/// tolerance is a regression; with another build, or without a case of the baseline, the two are
/// incomparable. What was left out is told, and why.
/// @throws ConfigError (source: `source`) if the baseline is damaged.
GateReport JudgeInstructions(const Json& baseline, const std::string& source,
                             const InstructionCounts& counts);

/// Counts and judges. Without valgrind, or if the baseline is of another kind of build, the report
/// says incomparable and why.
GateReport GateInstructionCounts(const std::filesystem::path& baseline);

/// Counts and writes a baseline. @return what was counted.
InstructionCounts WriteInstructionBaseline(const std::filesystem::path& file);

}  // namespace idbench
