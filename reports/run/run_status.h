#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/run/run_manifest.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

/// State of a run.
enum class RunState {
  kRunning,      ///< A process computes it now.
  kFinished,     ///< It has all its records.
  kInterrupted,  ///< Stopped or killed: `--resume` finishes it.
};

/// Returns "running", "finished" or "interrupted".
std::string ToString(RunState state);

/// Progress of a cell.
struct CellStatus {
  std::string label;
  std::int64_t planned = 0;  ///< Trials; for a shard, its own.
  std::int64_t done = 0;
  std::int64_t failed_estimates = 0;
};

/// Progress of the run in a folder, from its files.
struct RunStatus {
  std::filesystem::path folder;
  std::string scenario;
  RunState state = RunState::kInterrupted;
  std::optional<Shard> shard;
  /// Number of folders that it was merged from; 0 for a run in one piece.
  std::size_t merged_from = 0;
  std::size_t estimators = 0;  ///< Records of a trial, those of observers too.
  bool observed = false;       ///< Whether some are of observers.
  std::vector<CellStatus> cells;
  /// Since the start of the running process; nothing before its first block, or if none is running.
  std::optional<double> trials_per_s;

  std::int64_t planned() const;
  std::int64_t done() const;
  std::int64_t failed_estimates() const;
  std::optional<double> seconds_left() const;
};

/// Reads the state of a run, also during the run. Reads every record that exists.
/// @throws ConfigError if the manifest, the records or a block are damaged.
RunStatus ReadRunStatus(const std::filesystem::path& folder);

/// Returns text for a terminal: a paragraph per folder and, for several, a line about all of them.
std::string RenderStatus(std::span<const RunStatus> runs);

/// Returns, for programs: {"format": 1, "runs": [{"folder", "scenario", "state", "shard" {"index",
/// "count"} (for a shard), "merged_from" (for a merged run), "trials" {"planned", "done"},
/// "estimates_failed", "trials_per_s" and "seconds_left" (if known), "cells": [{"label", "planned",
/// "done", "estimates_failed"}]}]}.
Json StatusToJson(std::span<const RunStatus> runs);

}  // namespace idbench
