#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/run_manifest.h"

namespace idbench {

enum class RunState {
  kRunning,      ///< A process is at it now.
  kFinished,     ///< All records are there.
  kInterrupted,  ///< Stopped or killed: `--resume` finishes it.
};

/// "running", "finished" or "interrupted".
std::string ToString(RunState state);

/// How far a cell is.
struct CellStatus {
  std::string label;
  std::int64_t planned = 0;  ///< Trials; of a shard, its own.
  std::int64_t done = 0;
  std::int64_t failed_estimates = 0;
};

/// How far the run in a folder is, as its files tell.
struct RunStatus {
  std::filesystem::path folder;
  std::string scenario;
  RunState state = RunState::kInterrupted;
  std::optional<Shard> shard;
  std::size_t merged_from = 0;  ///< Folders that it was merged from; 0 of a run in one piece.
  std::size_t estimators = 0;
  std::vector<CellStatus> cells;
  /// Since the process that is running began; nothing before its first block, or if none is.
  std::optional<double> trials_per_s;

  std::int64_t planned() const;
  std::int64_t done() const;
  std::int64_t failed_estimates() const;
  std::optional<double> seconds_left() const;
};

/// Reads the state of a run, also while it is being written. Every record that is there is read.
/// @throws ConfigError if the manifest, the records or a block are damaged.
RunStatus ReadRunStatus(const std::filesystem::path& folder);

/// For a terminal: a paragraph per folder and, of several, a line about all of them.
std::string RenderStatus(std::span<const RunStatus> runs);

/// For programs: {"format": 1, "runs": [{"folder", "scenario", "state", "shard" {"index", "count"}
/// (of one), "merged_from" (of a merged run), "trials" {"planned", "done"}, "estimates_failed",
/// "trials_per_s" and "seconds_left" (if known), "cells": [{"label", "planned", "done",
/// "estimates_failed"}]}]}.
Json StatusToJson(std::span<const RunStatus> runs);

}  // namespace idbench
