#include "reports/run/merge_manifests.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// What parts of one run have in common, and what it is called where they have not.
struct CommonKey {
  const char* pointer;
  const char* what;
  const char* cure;
};

constexpr CommonKey kCommonKeys[] = {
    {"/format", "another format of the run folder",
     "shards are computed by one version of idbench"},
    {"/scenario", "another scenario", "shards are calls with the same scenario and options"},
    {"/seed", "another seed", "shards are calls with the same --seed"},
    {"/trials", "another number of trials", "shards are calls with the same --trials"},
    {"/fingerprint", "another floating-point fingerprint",
     "on those machines records differ in their last bits; paired comparison (`idbench compare`) "
     "bears that, merging does not"},
    {"/versions/mujoco", "another version of MuJoCo", "shards are simulated by one version"},
    {"/versions/idbench", "another version of idbench", "shards are computed by one version"},
    {"/estimators", "other estimators", "shards are computed by one version"},
    {"/metrics", "other metrics", "shards are computed by one version"}};

const Json* Find(const Json& json, const std::string& pointer) {
  const Json::json_pointer place(pointer);
  return json.contains(place) ? &json.at(place) : nullptr;
}

std::string DescriptionAt(const Json& json, const std::string& pointer) {
  const Json* value = Find(json, pointer);
  return value == nullptr ? "nothing" : Describe(*value);
}

/// Says that two manifests differ below a key, and what each has at the first difference.
Issue Difference(const RunPart& first, const RunPart& other, const CommonKey& key) {
  const Json* ours = Find(first.manifest_json, key.pointer);
  const Json* theirs = Find(other.manifest_json, key.pointer);
  std::string place = key.pointer;
  if (ours != nullptr && theirs != nullptr) {
    const Json patch = Json::diff(*ours, *theirs);
    if (!patch.empty()) place += patch.front().at("path").get<std::string>();
  }
  return {other.folder.string(),
          fmt::format("not of the same run as {}: {}", first.folder.string(), key.what),
          {fmt::format("{}: {} is {}", first.folder.string(), place,
                       DescriptionAt(first.manifest_json, place)),
           fmt::format("{}: {} is {}", other.folder.string(), place,
                       DescriptionAt(other.manifest_json, place)),
           key.cure}};
}

bool IsPrepared(const Json& cell) { return cell.contains("parameters"); }

void CheckCommon(const RunPart& first, const RunPart& other, std::vector<Issue>& issues) {
  for (const CommonKey& key : kCommonKeys) {
    const Json* ours = Find(first.manifest_json, key.pointer);
    const Json* theirs = Find(other.manifest_json, key.pointer);
    if ((ours == nullptr) != (theirs == nullptr) || (ours != nullptr && *ours != *theirs)) {
      issues.push_back(Difference(first, other, key));
      return;
    }
  }
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
      issues.push_back(Difference(*first, part,
                                  {pointer.c_str(), "a cell that was prepared in another way",
                                   "shards are computed by one version"}));
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
  for (const char* key : {"machine", "commit"}) {
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
  if (merged.contains("commit")) merged["commit"] = JoinTexts(parts, "/commit");
  if (Find(merged, "/machine/processor") != nullptr) {
    merged["machine"]["processor"] = JoinTexts(parts, "/machine/processor");
  }
  Json shards = Json::array();
  for (const RunPart& part : parts) shards.push_back(ShardToJson(part));
  merged["shards"] = std::move(shards);
  return merged;
}

}  // namespace idbench
