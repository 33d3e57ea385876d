#include "bench/run/run_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

#include "reports/files/atomic_file.h"
#include "reports/run/run_identity.h"
#include "reports/run/run_status.h"
#include "robots/recording/channels.h"
#include "robots/recording/csv.h"
#include "scenarios/options/config_error.h"
#include "scenarios/options/json.h"
#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

/// "shard 3/8", or "the whole run".
std::string PartOf(const Json& manifest) {
  const auto shard = manifest.find("shard");
  if (shard == manifest.end()) return "the whole run";
  return fmt::format("shard {}/{}", shard->value("index", 0), shard->value("count", 0));
}

void CheckSameRun(const std::filesystem::path& folder, const Json& ours, const Json& theirs) {
  if (const auto difference = FindIdentityDifference(ours, theirs)) {
    throw ConfigError(folder.string(), "", "holds another run: " + difference->what,
                      {fmt::format("{} is {} here, {} in its manifest.json", difference->where,
                                   difference->first, difference->second),
                       difference->cure_of_resume});
  }
  if (ours.value("shard", Json()) == theirs.value("shard", Json())) return;
  throw ConfigError(folder.string(), "",
                    fmt::format("holds {}, not {}", PartOf(theirs), PartOf(ours)),
                    {"--resume goes on with the same --shard"});
}

bool HoldsOtherFiles(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder)) return false;
  return std::ranges::any_of(std::filesystem::directory_iterator(folder), [](const auto& entry) {
    return entry.path().filename() != kRunLockName;  // a kill may leave that one alone
  });
}

}  // namespace

RunWriter::RunWriter(std::filesystem::path folder, const Json& manifest, bool resume)
    : folder_(std::move(folder)) {
  const std::filesystem::path manifest_file = folder_ / "manifest.json";
  if (!resume && std::filesystem::exists(manifest_file)) {
    throw ConfigError(folder_.string(), "", "holds a run already",
                      {"give another --out, remove the folder, or go on with --resume"});
  }
  if (!std::filesystem::exists(manifest_file) && HoldsOtherFiles(folder_)) {
    throw ConfigError(folder_.string(), "", "is not empty, and holds no run",
                      {"give another --out"});
  }
  std::filesystem::create_directories(folder_);
  lock_.emplace(folder_);
  if (!std::filesystem::exists(manifest_file)) {
    std::filesystem::create_directories(folder_ / "blocks");
    WriteAtomically(manifest_file, JsonText(manifest, 2) + "\n");
    return;
  }
  CheckSameRun(folder_, manifest, ReadJsonFile(manifest_file));
  complete_ = std::filesystem::exists(folder_ / "records.jsonl");
  if (complete_) {
    ReadRunStatus(folder_);  // refuses records that were cut
  } else {
    ScanBlocks();
  }
}

void RunWriter::ScanBlocks() {
  std::filesystem::create_directories(folder_ / "blocks");
  finished_ = ListBlocks(folder_);
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "blocks")) {
    if (!ParseBlockName(entry.path().filename().string())) {
      std::filesystem::remove(entry.path());  // a part that a kill left behind
    }
  }
}

DurableFile RunWriter::BeginBlock(const Block& block) const {
  return DurableFile(folder_ / "blocks" / (BlockName(block) + ".part"));
}

void RunWriter::EndBlock(const Block& block, DurableFile& file) const {
  file.Commit(folder_ / "blocks" / BlockName(block));
}

void RunWriter::Finish() {
  ScanBlocks();
  DurableFile records(folder_ / "records.jsonl.part");
  std::string piece(1 << 16, '\0');
  for (const Block& block : finished_) {
    std::ifstream in(folder_ / "blocks" / BlockName(block), std::ios::binary);
    while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())), in.gcount() > 0) {
      records.Append({piece.data(), static_cast<std::size_t>(in.gcount())});
    }
  }
  records.Commit(folder_ / "records.jsonl");
  std::filesystem::remove_all(folder_ / "blocks");
  complete_ = true;
}

namespace {

/// Time and the channels that share it in all segments, in columns.
struct SeriesTable {
  std::vector<std::string> columns = {"t_s"};
  std::vector<std::size_t> channels;  ///< By their place in each segment.

  explicit SeriesTable(std::span<const Dataset> segments) {
    for (std::size_t k = 0; k < segments.front().channels().size(); ++k) {
      const bool shared = std::ranges::all_of(segments, [k](const Dataset& segment) {
        return segment.channels()[k].time_s == segment.channels().front().time_s;
      });
      if (!shared) continue;
      channels.push_back(k);
      const Channel& channel = segments.front().channels()[k];
      for (Eigen::Index c = 0; c < channel.samples.cols(); ++c) {
        columns.push_back(ColumnName(ChannelNamed(channel.name), static_cast<std::size_t>(c)));
      }
    }
  }

  Eigen::MatrixXd Values(const Dataset& segment) const {
    const Eigen::VectorXd& time = segment.channels().front().time_s;
    Eigen::MatrixXd values(time.size(), std::ssize(columns));
    values.col(0) = time;
    Eigen::Index column = 1;
    for (const std::size_t k : channels) {
      const Eigen::MatrixXd& samples = segment.channels()[k].samples;
      values.middleCols(column, samples.cols()) = samples;
      column += samples.cols();
    }
    return values;
  }
};

}  // namespace

void RunWriter::WriteSeries(std::size_t cell, std::int64_t trial,
                            std::span<const Dataset> segments) const {
  if (segments.front().channels().empty()) return;
  const SeriesTable table(segments);
  Eigen::MatrixXd values(0, std::ssize(table.columns));
  for (const Dataset& segment : segments) {
    const Eigen::MatrixXd own = table.Values(segment);
    values.conservativeResize(values.rows() + own.rows(), Eigen::NoChange);
    values.bottomRows(own.rows()) = own;
  }
  std::ostringstream text;
  WriteCsv(text, table.columns, values);
  WriteAtomically(folder_ / "series" /
                      fmt::format("cell{}_{}_trial{}.csv", cell, segments.front().label(), trial),
                  text.str());
}

}  // namespace idbench
