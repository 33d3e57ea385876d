#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/run_manifest.h"

namespace idbench {

/// A run folder that is to be merged with others.
struct RunPart {
  std::filesystem::path folder;
  Json manifest_json;    ///< As in the file.
  RunManifest manifest;  ///< The same, read.
  bool finished = true;  ///< It has its records.

  Shard shard() const { return manifest.shard.value_or(Shard{}); }
};

/// Reads the manifests of run folders and orders the folders by shard; those of the same shard stay
/// in the order given.
/// @throws ConfigError if one cannot be read or is damaged; if they are not parts of one run: all
///         folders that differ from the first one in format, scenario, seed, trials, floating-point
///         fingerprint, version of MuJoCo or of idbench, estimators, metrics or what was prepared,
///         each with what both have.
std::vector<RunPart> ReadParts(const std::vector<std::filesystem::path>& folders);

/// The manifest of the run that the parts make: that of the run in one piece, and `shards`, with
/// index, count, machine and commit of each part. Machines and commits that differ stand in
/// `machine` and `commit` with " and " between them.
/// @param parts  at least one.
Json MergeManifests(const std::vector<RunPart>& parts);

}  // namespace idbench
