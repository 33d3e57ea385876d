#include "reports/run/merge_manifests.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// Folders with manifests of the sample run, and nothing else.
class Manifests {
 public:
  /// Writes the manifest of a shard that prepared these cells, as `change` leaves it.
  std::filesystem::path Write(
      const std::string& name, const Shard& shard, const std::vector<std::size_t>& prepared,
      const std::function<void(Json&)>& change = [](Json&) {}) {
    Json manifest = SampleRun().manifest;
    manifest["shard"] = WriteValue(shard);
    for (const std::size_t cell : prepared) manifest["cells"][cell]["parameters"] = {"a", "b"};
    change(manifest);
    root_.Write(name + "/manifest.json", manifest.dump());
    return root_ / name;
  }

 private:
  TemporaryFolder root_;
};

/// Returns a change of a manifest: its marks.
std::function<void(Json&)> Marks(const Json& marks) {
  return [marks](Json& manifest) { manifest["marks"] = marks; };
}

TEST_CASE("Marks of the whole run hold in all cells, in the order of the first cell's shard") {
  Manifests manifests;
  const std::vector<RunPart> parts =
      ReadParts({manifests.Write("second", {1, 3}, {1}, Marks({"x", "y", "z"})),
                 manifests.Write("first", {2, 3}, {0}, Marks({"z", "w", "x"})),
                 manifests.Write("empty", {3, 3}, {}, Marks(Json::array()))});
  CHECK(MergeManifests(parts)["marks"] == Json({"z", "x"}));
}

TEST_CASE("Shards that prepared nothing make a run without marks") {
  Manifests manifests;
  const std::vector<RunPart> parts =
      ReadParts({manifests.Write("empty", {3, 3}, {}, Marks({"of nothing"}))});
  CHECK(MergeManifests(parts)["marks"] == Json::array());
}

TEST_CASE("Parts are ordered by shard, those of one shard as given, and know if they ended") {
  Manifests manifests;
  const std::filesystem::path late = manifests.Write("late", {2, 2}, {0, 1});
  const std::filesystem::path again = manifests.Write("again", {1, 2}, {0, 1});
  const std::filesystem::path early = manifests.Write("early", {1, 2}, {0, 1});
  const std::filesystem::path whole =
      manifests.Write("whole", {1, 1}, {0, 1}, [](Json& manifest) { manifest.erase("shard"); });
  WriteText(early / "records.jsonl", "");
  const std::vector<RunPart> parts = ReadParts({late, again, whole, early});
  std::vector<std::filesystem::path> order;
  for (const RunPart& part : parts) order.push_back(part.folder);
  CHECK(order == std::vector{whole, again, early, late});
  CHECK_FALSE(parts[1].finished);
  CHECK(parts[2].finished);
  CHECK(parts[0].shard() == Shard{});
}

TEST_CASE("Machines and programs are told once each, and of a cell what some shard prepared") {
  Manifests manifests;
  const auto on = [](const char* processor, const char* program) {
    return [=](Json& manifest) {
      manifest["machine"] = {{"processor", processor}, {"cores", 2}};
      manifest["program"] = program;
    };
  };
  const std::vector<RunPart> parts = ReadParts({manifests.Write("1", {1, 4}, {}, on("P", "abc")),
                                                manifests.Write("2", {2, 4}, {0}, on("Q", "abc")),
                                                manifests.Write("3", {3, 4}, {1}, on("P", "abc")),
                                                manifests.Write("4", {4, 4}, {1}, on("R", "def"))});
  const Json merged = MergeManifests(parts);
  CHECK(merged["machine"]["processor"] == "P and Q and R");
  CHECK(merged["program"] == "abc and def");
  CHECK_FALSE(merged.contains("shard"));
  CHECK(merged["shards"].size() == 4);
  CHECK(merged["shards"][3]["program"] == "def");
  for (const std::size_t cell : {0, 1}) {
    CHECK(merged["cells"][cell]["parameters"] == Json({"a", "b"}));
  }
}

TEST_CASE("All folders that are not of the first one's run are told in one message") {
  Manifests manifests;
  const auto seed = [](int value) { return [value](Json& manifest) { manifest["seed"] = value; }; };
  const std::filesystem::path one = manifests.Write("1", {1, 3}, {0}, seed(1));
  const std::filesystem::path two = manifests.Write("2", {2, 3}, {0}, seed(2));
  const std::filesystem::path three = manifests.Write("3", {3, 3}, {0}, seed(3));
  std::string message;
  try {
    ReadParts({one, two, three});
  } catch (const ConfigError& error) {
    CHECK(error.issues().size() == 2);
    message = error.what();
  }
  CHECK(message.find(two.string() + ": not of the same run as " + one.string()) !=
        std::string::npos);
  CHECK(message.find(three.string() + ": /seed is 3") != std::string::npos);
}

}  // namespace
}  // namespace idbench
