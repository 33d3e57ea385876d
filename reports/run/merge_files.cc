#include "reports/run/merge_files.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "reports/files/atomic_file.h"
#include "reports/files/line_reader.h"
#include "scenarios/options/json.h"
#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

/// Cell and trial of a line; a line without a trial stands for its cell.
using LineKey = std::pair<std::int64_t, std::int64_t>;

Json ParseLineOfCell(const LineReader& reader) {
  if (!reader.ended()) reader.RefuseHalfLine();
  Json line = Json::parse(reader.text(), nullptr, false);
  if (!line.is_object() || !line.contains("cell") || !line["cell"].is_number_integer()) {
    throw ConfigError(reader.source(), reader.Place(), "is not an object with a cell");
  }
  return line;
}

/// Lines of a file of all parts by what they belong to, each group from one part alone.
class LineGroups {
 public:
  void Add(const LineKey& key, std::size_t part, const std::string& line) {
    const auto [group, is_new] = groups_.try_emplace(key, part, "");
    if (group->second.first == part) group->second.second += line + '\n';
  }

  void WriteTo(const std::filesystem::path& file) const {
    std::string text;
    for (const auto& [key, group] : groups_) text += group.second;
    WriteAtomically(file, text);
  }

 private:
  std::map<LineKey, std::pair<std::size_t, std::string>> groups_;
};

void MergeSeriesLines(const std::vector<RunPart>& parts, const std::filesystem::path& name,
                      const std::filesystem::path& out) {
  LineGroups groups;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::filesystem::path file = parts[i].folder / "series" / name;
    if (!std::filesystem::exists(file)) continue;
    for (LineReader reader(file, {}); reader.Next();) {
      const Json line = ParseLineOfCell(reader);
      groups.Add({line["cell"].get<std::int64_t>(), line.value("trial", std::int64_t{0})}, i,
                 reader.text());
    }
  }
  groups.WriteTo(out / "series" / name);
}

}  // namespace

void MergeSeries(const std::vector<RunPart>& parts, const std::filesystem::path& out) {
  std::set<std::filesystem::path> of_lines;
  for (const RunPart& part : parts) {
    if (!part.finished || !std::filesystem::exists(part.folder / "series")) continue;
    std::filesystem::create_directories(out / "series");
    for (const auto& entry : std::filesystem::directory_iterator(part.folder / "series")) {
      const std::filesystem::path name = entry.path().filename();
      if (name.extension() == ".jsonl") {
        of_lines.insert(name);
      } else if (name.extension() != ".part" && !std::filesystem::exists(out / "series" / name)) {
        std::filesystem::copy_file(entry.path(), out / "series" / name);
      }
    }
  }
  for (const std::filesystem::path& name : of_lines) MergeSeriesLines(parts, name, out);
}

void MergeIdentified(const std::vector<RunPart>& parts, const std::filesystem::path& out) {
  std::map<LineKey, Json> cells;
  for (const RunPart& part : parts) {
    const std::filesystem::path file = part.folder / "identified.json";
    if (!part.finished || !std::filesystem::exists(file)) continue;
    for (const Json& cell : ReadJsonFile(file).value("cells", Json::array())) {
      cells.try_emplace({cell.value("cell", std::int64_t{0}), cell.value("trial", std::int64_t{0})},
                        cell);
    }
  }
  if (cells.empty()) return;
  Json identified = {{"format", 1}, {"cells", Json::array()}};
  for (auto& [key, cell] : cells) identified["cells"].push_back(std::move(cell));
  WriteAtomically(out / "identified.json", JsonText(identified) + '\n');
}

void MergeTimings(const std::vector<RunPart>& parts, const std::filesystem::path& out) {
  LineGroups groups;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::filesystem::path file = parts[i].folder / "timings.jsonl";
    if (!std::filesystem::exists(file)) continue;
    for (LineReader reader(file, {}); reader.Next();) {
      Json line = ParseLineOfCell(reader);
      line["shard"] = parts[i].shard().Label();
      groups.Add({line["cell"].get<std::int64_t>(), 0}, i, line.dump());
    }
  }
  groups.WriteTo(out / "timings.jsonl");
}

}  // namespace idbench
