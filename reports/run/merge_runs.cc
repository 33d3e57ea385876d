#include "reports/run/merge_runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "reports/files/atomic_file.h"
#include "reports/files/durable_file.h"
#include "reports/run/merge_files.h"
#include "reports/run/merge_manifests.h"
#include "reports/run/run_blocks.h"
#include "reports/run/trial_stream.h"
#include "scenarios/options/json.h"
#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

/// How many cells and calls a message names.
constexpr std::size_t kMostNamed = 16;

/// "cell 3 (torque noise 0.1)", or "cell 0" of a run without a sweep.
std::string CellName(const RunManifest& manifest, std::size_t cell) {
  const RunCell& coordinates = manifest.cells[cell];
  return coordinates.axes.empty() ? coordinates.Label()
                                  : fmt::format("cell {} ({})", cell, coordinates.Label());
}

/// A finished part whose records are being read.
struct OpenPart {
  const RunPart* part;
  TrialStream stream;
  bool more = false;

  std::pair<std::size_t, std::int64_t> key() const { return {stream.cell(), stream.trial()}; }
};

/// Two folders hold different records of a trial: names the first one and what differs in it.
[[noreturn]] void RefuseDifference(const OpenPart& first, const OpenPart& other) {
  const RunManifest& manifest = first.part->manifest;
  std::size_t k = 0;
  while (first.stream.lines()[k] == other.stream.lines()[k]) ++k;
  const Json ours = Json::parse(first.stream.lines()[k]);
  const Json theirs = Json::parse(other.stream.lines()[k]);
  const Json patch = Json::diff(ours, theirs);
  const std::string key = patch.empty() ? "" : patch.front().at("path").get<std::string>();
  const auto text = [&key](const Json& record) {
    const Json::json_pointer place(key);
    return record.contains(place) ? Describe(record.at(place)) : std::string("nothing");
  };
  throw ConfigError(
      "merge",
      fmt::format("{}, trial {}, {}", CellName(manifest, first.stream.cell()), first.stream.trial(),
                  manifest.estimators[k]),
      key.empty() ? "the same record is written in two ways"
                  : fmt::format("two folders differ in {}", key),
      {fmt::format("{}: {}", first.part->folder.string(), text(ours)),
       fmt::format("{}: {}", other.part->folder.string(), text(theirs)),
       "the same scenario gives the same bits on machines of the same fingerprint: one of the two "
       "was computed by another program, or is damaged"});
}

/// Trials that no folder holds, and what to do about it.
class Missing {
 public:
  Missing(const std::vector<RunPart>& parts) : parts_(parts), manifest_(parts.front().manifest) {}

  /// Notes trials [begin, end) of the cell.
  void Add(std::size_t cell, std::int64_t begin, std::int64_t end) {
    if (begin < end) ranges_[cell].push_back({begin, end});
  }

  /// @throws ConfigError if there are any.
  void Check() const {
    if (ranges_.empty()) return;
    std::int64_t count = 0;
    std::vector<std::string> cells;
    std::set<std::int64_t> shards;
    const std::int64_t shard_count = parts_.back().shard().count;
    for (const auto& [cell, ranges] : ranges_) {
      std::vector<std::string> texts;
      for (const auto& [begin, end] : ranges) {
        count += end - begin;
        texts.push_back(end - begin == 1 ? fmt::format("{}", begin)
                                         : fmt::format("{}–{}", begin, end - 1));
        for (std::int64_t trial = begin; trial < end; ++trial) {
          shards.insert(OwnerOf(cell, trial, manifest_.trials, shard_count).index);
        }
      }
      cells.push_back(
          fmt::format("{}: trials {}", CellName(manifest_, cell), fmt::join(texts, ", ")));
    }
    std::vector<std::string> details = FirstOf(cells, "cells");
    std::vector<std::string> calls;
    for (const std::int64_t index : shards) calls.push_back(Call({index, shard_count}));
    const std::vector<std::string> named = FirstOf(calls, "shards");
    details.insert(details.end(), named.begin(), named.end());
    throw ConfigError("merge", "", fmt::format("{} of {} trials are missing", count, Planned()),
                      std::move(details));
  }

 private:
  static std::vector<std::string> FirstOf(std::vector<std::string> lines, const char* what) {
    if (lines.size() <= kMostNamed) return lines;
    const std::size_t more = lines.size() - kMostNamed;
    lines.resize(kMostNamed);
    lines.push_back(fmt::format("and {} {} more", more, what));
    return lines;
  }

  std::int64_t Planned() const {
    return manifest_.trials * static_cast<std::int64_t>(manifest_.cells.size());
  }

  /// The call that computes a shard, or finishes it.
  std::string Call(const Shard& shard) const {
    for (const RunPart& part : parts_) {
      if (part.finished || part.shard() != shard) continue;
      return fmt::format("to finish it: idbench run SCENARIO --shard {} --resume --out {}",
                         shard.Label(), part.folder.string());
    }
    return fmt::format("to compute it: idbench run SCENARIO --shard {} --out DIR", shard.Label());
  }

  const std::vector<RunPart>& parts_;
  const RunManifest& manifest_;
  std::map<std::size_t, std::vector<TrialRange>> ranges_;
};

/// Joins the records of all finished parts.
class RecordMerger {
 public:
  explicit RecordMerger(const std::vector<RunPart>& parts) : missing_(parts) {
    for (const RunPart& part : parts) {
      if (!part.finished) continue;
      auto open = std::make_unique<OpenPart>(
          OpenPart{&part, TrialStream(part.folder / "records.jsonl", part.manifest)});
      open->more = open->stream.Next();
      open_.push_back(std::move(open));
    }
    cells_ = parts.front().manifest.cells.size();
    trials_ = parts.front().manifest.trials;
  }

  void Write(DurableFile& file, MergeResult& result) {
    std::pair<std::size_t, std::int64_t> expected{0, 0};
    while (const OpenPart* first = First()) {
      const auto key = first->key();
      SkipTo(key, expected);
      WriteTrial(*first, file, result);
      expected = {key.first, key.second + 1};
    }
    SkipTo({cells_, 0}, expected);
    missing_.Check();
  }

 private:
  /// The part whose trial comes next; nullptr at the end.
  const OpenPart* First() const {
    const OpenPart* first = nullptr;
    for (const auto& part : open_) {
      if (part->more && (first == nullptr || part->key() < first->key())) first = part.get();
    }
    return first;
  }

  /// Notes as missing what lies between two trials.
  void SkipTo(std::pair<std::size_t, std::int64_t> to, std::pair<std::size_t, std::int64_t> from) {
    for (; from.first < to.first; from = {from.first + 1, 0}) {
      missing_.Add(from.first, from.second, trials_);
    }
    if (to.first < cells_) missing_.Add(from.first, from.second, to.second);
  }

  void WriteTrial(const OpenPart& first, DurableFile& file, MergeResult& result) {
    const auto key = first.key();
    std::string text;
    for (const std::string& line : first.stream.lines()) text += line + '\n';
    file.Append(text);
    ++result.trials;
    std::size_t holders = 0;
    for (const auto& part : open_) {
      if (!part->more || part->key() != key) continue;
      if (part->stream.lines() != first.stream.lines()) RefuseDifference(first, *part);
      ++holders;
    }
    if (holders > 1) ++result.repeated;
    for (const auto& part : open_) {
      if (part->more && part->key() == key) part->more = part->stream.Next();
    }
  }

  Missing missing_;
  std::vector<std::unique_ptr<OpenPart>> open_;
  std::size_t cells_ = 0;
  std::int64_t trials_ = 0;
};

void NoteOddities(const std::vector<RunPart>& parts, const Json& merged, MergeResult& result) {
  for (const RunPart& part : parts) {
    if (part.finished) continue;
    std::int64_t done = 0;
    for (const Block& block : ListBlocks(part.folder)) done += block.end - block.begin;
    result.notes.push_back(
        fmt::format("{}: shard {} is not finished ({} trials are there) and was left out: other "
                    "folders hold its trials",
                    part.folder.string(), part.shard().Label(), done));
  }
  if (merged.value("program", "").find(" and ") != std::string::npos) {
    result.notes.push_back(fmt::format(
        "computed by different program files of commit {}, with the same libraries, compiler and "
        "flags",
        merged.value("commit", "")));
  }
}

/// A folder that is made beside its final place; removed if it does not get there.
class StagedFolder {
 public:
  explicit StagedFolder(std::filesystem::path place) : place_(std::move(place)) {
    if (place_.filename().empty()) place_ = place_.parent_path();  // "out/" is "out"
    if (std::filesystem::exists(place_) &&
        (!std::filesystem::is_directory(place_) || !std::filesystem::is_empty(place_))) {
      throw ConfigError(place_.string(), "", "is there already",
                        {"a merge makes a folder of its own: name another one"});
    }
    staging_ = place_;
    staging_ += ".part";
    std::filesystem::remove_all(staging_);  // of a merge that was killed
    std::filesystem::create_directories(staging_);
  }
  ~StagedFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(staging_, ignored);
  }
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;

  const std::filesystem::path& path() const { return staging_; }
  void Commit() const { std::filesystem::rename(staging_, place_); }

 private:
  std::filesystem::path place_;
  std::filesystem::path staging_;
};

}  // namespace

MergeResult MergeRuns(const std::vector<std::filesystem::path>& folders,
                      const std::filesystem::path& out) {
  const std::vector<RunPart> parts = ReadParts(folders);
  const StagedFolder staged(out);
  MergeResult result;
  {
    DurableFile records(staged.path() / "records.jsonl.part");
    RecordMerger(parts).Write(records, result);
    records.Commit(staged.path() / "records.jsonl");
  }
  MergeSeries(parts, staged.path());
  MergeIdentified(parts, staged.path());
  MergeTimings(parts, staged.path());
  const Json manifest = MergeManifests(parts);
  WriteAtomically(staged.path() / "manifest.json", JsonText(manifest, 2) + "\n");
  NoteOddities(parts, manifest, result);
  staged.Commit();
  return result;
}

}  // namespace idbench
