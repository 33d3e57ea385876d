#pragma once

#include <filesystem>
#include <string>

#include "bench/command.h"

namespace idbench {

inline constexpr int kExitRegression = 1;
inline constexpr int kExitInconclusive = 3;
inline constexpr int kExitIncomparable = 4;

/// What a gate came to.
struct GateOutcome {
  /// kExitFine, kExitRegression, kExitInconclusive or kExitIncomparable.
  int exit_code = kExitFine;
  std::string text;  ///< The verdict, a table of its members, worst first, and sentences.
};

/// Gates the accuracy and the failures of a run folder against a baseline folder, as the run's
/// scenario declares in `gate`, and writes `gate.json` into the run folder.
///
/// Reserve trials of flagged cells are run by this program, on `jobs` threads; what a regression
/// is, reports/gate.h tells.
/// @param baseline  from WriteBaseline(), or any run folder of the same scenario: without reserve
///                  records, every second trial is kept back as reserve.
/// @throws ConfigError if a folder is damaged.
GateOutcome GateRun(const std::filesystem::path& run, const std::filesystem::path& baseline,
                    int jobs = 1);

/// Makes a baseline of a run: what the gate needs of its records, and the records of
/// `gate.reserve_trials` trials of every cell with a seed of their own, run here, in the folder
/// `reserve`, itself a run folder. What `directory` held of a baseline is replaced.
/// @throws ConfigError if the run folder is damaged, or the scenario names no metric to gate.
void WriteBaseline(const std::filesystem::path& run, const std::filesystem::path& directory,
                   int jobs = 1);

/// `idbench gate`: tells regressions from noise.
Command GateCommand();

}  // namespace idbench
