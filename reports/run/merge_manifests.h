#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/run/run_manifest.h"
#include "scenarios/options/json.h"

namespace idbench {

/// Run folder to be merged with others.
struct RunPart {
  std::filesystem::path folder;
  Json manifest_json;    ///< As in the file.
  RunManifest manifest;  ///< The same, read.
  bool finished = true;  ///< It has its records.

  Shard shard() const { return manifest.shard.value_or(Shard{}); }
};

/// Reads the manifests of run folders and orders the folders by shard; those of the same shard keep
/// their given order.
/// @throws ConfigError if one cannot be read or is damaged, or if they are not parts of one run.
///         The message lists all folders that differ from the first one in identity (see
///         FindIdentityDifference()) or prepared data, each with the values of both.
std::vector<RunPart> ReadParts(const std::vector<std::filesystem::path>& folders);

/// Returns the manifest of the run that the parts make: that of the run in one piece, plus `shards`
/// with index, count, machine, commit and program of each part. Different machines and program
/// files (of one commit) are joined with " and " in `machine` and `program`.
/// @param parts  at least one.
Json MergeManifests(const std::vector<RunPart>& parts);

}  // namespace idbench
