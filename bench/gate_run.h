#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/baseline.h"
#include "bench/exit_code.h"
#include "reports/gate.h"

namespace idbench {

/// What a gate came to.
struct GateOutcome {
  /// kExitFine, kExitRegression, kExitInconclusive or kExitIncomparable.
  int exit_code = kExitFine;
  std::string text;  ///< The verdict, a table of its members, worst first, and sentences.
  GateReport report;
};

/// The outcome that a report stands for.
GateOutcome OutcomeOf(GateReport report);

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

/// GateRun() with reserve trials in which something is planted, as in the run's records.
GateOutcome GateRun(const std::filesystem::path& run, const std::filesystem::path& baseline,
                    int jobs, const PlantedChange& planted);

/// Makes a baseline of a run: what the gate needs of its records, and the records of
/// `gate.reserve_trials` trials of every cell with a seed of their own, run here, in the folder
/// `reserve`, itself a run folder. What `directory` held of a baseline is replaced. A recording has
/// no reserve.
/// @throws ConfigError if the run folder is damaged, or has no metric to gate.
void WriteBaseline(const std::filesystem::path& run, const std::filesystem::path& directory,
                   int jobs = 1);

/// A/A: how often does the gate alarm if nothing changed? `gates` gates on the run's trials and the
/// reserve trials of the baseline, or the baseline's own where they have another seed, labels
/// exchanged at random; even trials make the first stage, odd ones the reserve. Nothing is run.
/// @throws UsageError if both sides have the same seed and there are no reserve trials.
GateOutcome GateAgainstItself(const std::filesystem::path& run,
                              const std::filesystem::path& baseline, int gates);

}  // namespace idbench
