#include "reports/run/merge_manifests.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reports/run/run_identity.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

const Json* Find(const Json& json, const std::string& pointer) {
  const Json::json_pointer place(pointer);
  return json.contains(place) ? &json.at(place) : nullptr;
}

/// Says that two parts are not of one run, and what each has where they differ.
Issue Difference(const RunPart& first, const RunPart& other, const IdentityDifference& difference) {
  return {other.folder.string(),
          fmt::format("not of the same run as {}: {}", first.folder.string(), difference.what),
          {fmt::format("{}: {} is {}", first.folder.string(), difference.where, difference.first),
           fmt::format("{}: {} is {}", other.folder.string(), difference.where, difference.second),
           difference.cure_of_shards}};
}

bool IsPrepared(const Json& cell) { return cell.contains("parameters"); }

void CheckCommon(const RunPart& first, const RunPart& other, std::vector<Issue>& issues) {
  const auto difference = FindIdentityDifference(first.manifest_json, other.manifest_json);
  if (difference) issues.push_back(Difference(first, other, *difference));
}

/// Whether what was prepared for a cell is the same in all parts that prepared it.
void CheckCells(const std::vector<RunPart>& parts, std::vector<Issue>& issues) {
  for (std::size_t cell = 0; cell < parts.front().manifest.cells.size(); ++cell) {
    const std::string pointer = fmt::format("/cells/{}", cell);
    const RunPart* first = nullptr;
    for (const RunPart& part : parts) {
      const Json& prepared = part.manifest_json["cells"][cell];
      if (!IsPrepared(prepared)) continue;
      if (first == nullptr) first = &part;
      if (prepared == first->manifest_json["cells"][cell]) continue;
      const std::string place =
          pointer + FirstDifference(first->manifest_json["cells"][cell], prepared).value_or("");
      issues.push_back(Difference(*first, part,
                                  {.what = "a cell that was prepared in another way",
                                   .where = place,
                                   .first = DescribeAt(first->manifest_json, place),
                                   .second = DescribeAt(part.manifest_json, place),
                                   .cure_of_shards = "shards are computed by one version",
                                   .cure_of_resume = ""}));
    }
  }
}

/// Marks that hold in all cells, in the order of the part that has the first cell.
Json MergeMarks(const std::vector<RunPart>& parts) {
  std::vector<const Json*> marks;
  for (const RunPart& part : parts) {
    const Json& cells = part.manifest_json["cells"];
    if (std::ranges::none_of(cells, IsPrepared)) continue;  // an empty shard knows none
    const auto place = !cells.empty() && IsPrepared(cells[0]) ? marks.begin() : marks.end();
    marks.insert(place, &part.manifest_json["marks"]);
  }
  Json common = Json::array();
  if (marks.empty()) return common;
  for (const Json& mark : *marks.front()) {
    if (std::ranges::all_of(marks, [&mark](const Json* list) {
          return std::ranges::find(*list, mark) != list->end();
        })) {
      common.push_back(mark);
    }
  }
  return common;
}

/// The texts that parts have at a pointer, each once, with " and " between them.
std::string JoinTexts(const std::vector<RunPart>& parts, const char* pointer) {
  std::vector<std::string> texts;
  for (const RunPart& part : parts) {
    const Json* value = Find(part.manifest_json, pointer);
    const std::string text =
        value != nullptr && value->is_string() ? value->get<std::string>() : "";
    if (!text.empty() && std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
  }
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : " and ") + text;
  return joined;
}

Json ShardToJson(const RunPart& part) {
  Json shard = WriteValue(part.shard());
  for (const char* key : {"machine", "commit", "program"}) {
    if (part.manifest_json.contains(key)) shard[key] = part.manifest_json[key];
  }
  return shard;
}

}  // namespace

std::vector<RunPart> ReadParts(const std::vector<std::filesystem::path>& folders) {
  std::vector<RunPart> parts;
  for (const std::filesystem::path& folder : folders) {
    RunPart part;
    part.folder = folder;
    part.manifest_json = ReadJsonFile(folder / "manifest.json");
    part.finished = std::filesystem::exists(folder / "records.jsonl");
    parts.push_back(std::move(part));
  }
  std::vector<Issue> issues;
  for (RunPart& part : parts) CheckCommon(parts.front(), part, issues);
  if (!issues.empty()) throw ConfigError("merge", std::move(issues));
  for (RunPart& part : parts) part.manifest = ReadManifest(part.folder / "manifest.json");
  CheckCells(parts, issues);
  if (!issues.empty()) throw ConfigError("merge", std::move(issues));
  std::ranges::stable_sort(parts, {}, [](const RunPart& part) {
    return std::pair(part.shard().count, part.shard().index);
  });
  return parts;
}

Json MergeManifests(const std::vector<RunPart>& parts) {
  Json merged = parts.front().manifest_json;
  merged.erase("shard");
  for (std::size_t cell = 0; cell < merged["cells"].size(); ++cell) {
    const auto part = std::ranges::find_if(parts, [cell](const RunPart& candidate) {
      return IsPrepared(candidate.manifest_json["cells"][cell]);
    });
    if (part != parts.end()) merged["cells"][cell] = part->manifest_json["cells"][cell];
  }
  merged["marks"] = MergeMarks(parts);
  if (merged.contains("program")) merged["program"] = JoinTexts(parts, "/program");
  if (Find(merged, "/machine/processor") != nullptr) {
    merged["machine"]["processor"] = JoinTexts(parts, "/machine/processor");
  }
  Json shards = Json::array();
  for (const RunPart& part : parts) shards.push_back(ShardToJson(part));
  merged["shards"] = std::move(shards);
  return merged;
}

}  // namespace idbench
