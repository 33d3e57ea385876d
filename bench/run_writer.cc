#include "bench/run_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <system_error>
#include <tuple>
#include <utility>

#include "reports/atomic_file.h"
#include "robots/recording/csv.h"

namespace idbench {
namespace {

std::string BlockName(const Block& block) {
  return fmt::format("{:06}_{:012}_{:012}.jsonl", block.cell, block.begin, block.end);
}

/// The parts of a manifest that records depend on.
Json Identity(const Json& manifest) {
  Json identity;
  for (const char* key : {"format", "scenario", "seed", "trials", "fingerprint"}) {
    identity[key] = manifest.value(key, Json());
  }
  return identity;
}

/// The first JSON pointer at which two manifests differ.
std::string FirstDifference(const Json& ours, const Json& theirs) {
  const Json patch = Json::diff(theirs, ours);
  return patch.empty() ? "" : patch.front().at("path").get<std::string>();
}

/// What column `k` of a channel is called in series/.
std::string SeriesColumn(const std::string& channel, Eigen::Index k) {
  static constexpr std::tuple<std::string_view, std::string_view, std::string_view> kColumns[] = {
      {kJointPosition, "q", "rad"},          {kJointVelocity, "qd", "rad_s"},
      {kJointAcceleration, "qdd", "rad_s2"}, {kJointTorque, "tau", "nm"},
      {kMotorTorque, "tau_motor", "nm"},     {kMotorCurrent, "i", "a"}};
  static constexpr std::string_view kWrenchColumns[] = {"fx_n",  "fy_n",  "fz_n",
                                                        "mx_nm", "my_nm", "mz_nm"};
  for (const auto& [name, letter, unit] : kColumns) {
    if (name == channel) return fmt::format("{}{}_{}", letter, k + 1, unit);
  }
  assert(channel == kBaseWrench);
  return std::string(kWrenchColumns[k]);
}

}  // namespace

DurableFile::DurableFile(std::filesystem::path part)
    : part_(std::move(part)),
      descriptor_(::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
  if (descriptor_ < 0) Fail();
}

DurableFile::~DurableFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  std::error_code ignored;
  std::filesystem::remove(part_, ignored);
}

void DurableFile::Fail() const {
  throw std::filesystem::filesystem_error("cannot be written", part_,
                                          std::error_code(errno, std::generic_category()));
}

void DurableFile::Append(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor_, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) Fail();
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

void DurableFile::Commit(const std::filesystem::path& file) {
  if (::fsync(descriptor_) != 0) Fail();
  const int descriptor = std::exchange(descriptor_, -1);
  if (::close(descriptor) != 0) Fail();
  std::filesystem::rename(part_, file);
}

RunWriter::RunWriter(std::filesystem::path folder, const Json& manifest, bool resume)
    : folder_(std::move(folder)) {
  const std::filesystem::path manifest_file = folder_ / "manifest.json";
  if (std::filesystem::exists(manifest_file)) {
    if (!resume) {
      throw ConfigError(folder_.string(), "", "holds a run already",
                        {"give another --out, remove the folder, or go on with --resume"});
    }
    const std::string difference =
        FirstDifference(Identity(manifest), Identity(ReadJsonFile(manifest_file)));
    if (!difference.empty()) {
      throw ConfigError(folder_.string(), "", "holds another run",
                        {fmt::format("the first difference is at {} of manifest.json", difference),
                         "--resume goes on with the same scenario on the same kind of machine"});
    }
    complete_ = std::filesystem::exists(folder_ / "records.jsonl");
    if (!complete_) ScanBlocks();
    return;
  }
  if (std::filesystem::exists(folder_) && !std::filesystem::is_empty(folder_)) {
    throw ConfigError(folder_.string(), "", "is not empty, and holds no run",
                      {"give another --out"});
  }
  std::filesystem::create_directories(folder_ / "blocks");
  WriteAtomically(manifest_file, manifest.dump(2) + "\n");
}

void RunWriter::ScanBlocks() {
  std::filesystem::create_directories(folder_ / "blocks");
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "blocks")) {
    Block block;
    const std::string name = entry.path().filename().string();
    if (std::sscanf(name.c_str(), "%6zu_%12ld_%12ld.jsonl", &block.cell, &block.begin,
                    &block.end) == 3 &&
        name == BlockName(block)) {
      finished_.insert(block);
    } else {
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

void RunWriter::WriteSeries(std::size_t cell, std::int64_t trial, const Dataset& dataset) const {
  if (dataset.channels().empty()) return;
  const Eigen::VectorXd& time = dataset.channels().front().time_s;
  std::vector<std::string> names = {"t_s"};
  Eigen::MatrixXd table = time;
  for (const Channel& channel : dataset.channels()) {
    if (channel.time_s != time) continue;
    table.conservativeResize(Eigen::NoChange, table.cols() + channel.samples.cols());
    table.rightCols(channel.samples.cols()) = channel.samples;
    for (Eigen::Index k = 0; k < channel.samples.cols(); ++k) {
      names.push_back(SeriesColumn(channel.name, k));
    }
  }
  std::ostringstream text;
  WriteCsv(text, names, table);
  WriteAtomically(
      folder_ / "series" / fmt::format("cell{}_{}_trial{}.csv", cell, dataset.label(), trial),
      text.str());
}

}  // namespace idbench
