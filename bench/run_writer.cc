#include "bench/run_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <system_error>
#include <tuple>

#include "reports/atomic_file.h"
#include "robots/recording/csv.h"

namespace idbench {
namespace {

std::string BlockName(const Block& block) {
  return fmt::format("{:06}_{:012}_{:012}.jsonl", block.cell, block.begin, block.end);
}

/// Writes, syncs and renames, so that the file is whole or not there.
void WriteDurably(const std::filesystem::path& file, const std::string& text) {
  const std::filesystem::path temporary = file.string() + ".part";
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  const auto fail = [&file] {
    throw std::filesystem::filesystem_error("cannot be written", file,
                                            std::error_code(errno, std::generic_category()));
  };
  if (descriptor < 0) fail();
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(descriptor, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      ::close(descriptor);
      fail();
    }
    done += static_cast<std::size_t>(count);
  }
  if (::fsync(descriptor) != 0 || ::close(descriptor) != 0) fail();
  std::filesystem::rename(temporary, file);
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

}  // namespace

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
  WriteManifest(manifest);
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

void RunWriter::WriteBlock(const Block& block, const std::string& records) const {
  WriteDurably(folder_ / "blocks" / BlockName(block), records);
}

void RunWriter::Finish() {
  ScanBlocks();
  const std::filesystem::path records = folder_ / "records.jsonl";
  const std::filesystem::path temporary = folder_ / "records.jsonl.part";
  {
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    out.exceptions(std::ios::failbit | std::ios::badbit);
    for (const Block& block : finished_) {
      std::ifstream in(folder_ / "blocks" / BlockName(block), std::ios::binary);
      out << in.rdbuf();
    }
  }
  std::filesystem::rename(temporary, records);
  std::filesystem::remove_all(folder_ / "blocks");
  complete_ = true;
}

void RunWriter::WriteManifest(const Json& manifest) const {
  WriteAtomically(folder_ / "manifest.json", manifest.dump(2) + "\n");
}

void RunWriter::WriteSeries(std::size_t cell, std::int64_t trial, const Dataset& dataset) const {
  static constexpr std::tuple<std::string_view, std::string_view, std::string_view> kColumns[] = {
      {kJointPosition, "q", "rad"},          {kJointVelocity, "qd", "rad_s"},
      {kJointAcceleration, "qdd", "rad_s2"}, {kJointTorque, "tau", "nm"},
      {kMotorTorque, "tau_motor", "nm"},     {kMotorCurrent, "i", "a"}};
  if (dataset.channels().empty()) return;
  const Eigen::VectorXd& time = dataset.channels().front().time_s;
  std::vector<std::string> names = {"t_s"};
  Eigen::MatrixXd table = time;
  for (const auto& [channel_name, letter, unit] : kColumns) {
    const Channel* channel = dataset.Find(channel_name);
    if (channel == nullptr || channel->time_s != time) continue;
    const Eigen::Index first = table.cols();
    table.conservativeResize(Eigen::NoChange, first + channel->samples.cols());
    table.rightCols(channel->samples.cols()) = channel->samples;
    for (Eigen::Index k = 1; k <= channel->samples.cols(); ++k) {
      names.push_back(fmt::format("{}{}_{}", letter, k, unit));
    }
  }
  std::ostringstream text;
  WriteCsv(text, names, table);
  WriteAtomically(
      folder_ / "series" / fmt::format("cell{}_{}_trial{}.csv", cell, dataset.label(), trial),
      text.str());
}

}  // namespace idbench
