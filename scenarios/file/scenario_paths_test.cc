#include "scenarios/file/scenario_paths.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "robots/temporary_folder_test.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;

/// The current folder for the duration of a test.
class Standing {
 public:
  explicit Standing(const fs::path& folder) : before_(fs::current_path()) {
    fs::current_path(folder);
  }
  ~Standing() { fs::current_path(before_); }

 private:
  fs::path before_;
};

TEST_CASE(
    "Paths count from the scenario's folder first, then from the current one, which is told") {
  const TemporaryFolder folder;
  fs::create_directories(folder / "study/arms");
  fs::create_directories(folder / "study/log");
  fs::create_directories(folder / "log");
  folder.Write("study/arms/arm.xml", "");
  folder.Write("motion.csv", "");
  const Standing here(folder.path());
  Json json = ParseJson(R"({
    "robot": {"model": "arms/arm.xml"}, "recording": {"root": "log"}, "title": "motion.csv",
    "control": {"type": "torque_replay", "file": "none.csv"},
    "experiments": {"a": {"motion": {"type": "recorded", "file": "motion.csv"}},
      "b": {"motion": {"type": "sequence",
                       "parts": [{"type": "fourier"}, {"type": "recorded", "file": "log"}]}}},
    "sweep": [{"name": "m", "values": ["x", "y"],
               "set": {"/robot/model": ["arms/arm.xml", "barrett_wam7"],
                       "/experiments/a": [{"motion": {"file": "../motion.csv"}}, {}]}}]})",
                        "test");
  const std::vector<std::string> told = ResolvePaths("study", json);
  CHECK(json["robot"]["model"] == "study/arms/arm.xml");
  CHECK(json["recording"]["root"] == "study/log");  // both are there
  CHECK(json["title"] == "motion.csv");
  CHECK(json["control"]["file"] == "none.csv");
  CHECK(json["experiments"]["a"]["motion"]["file"] == "motion.csv");
  CHECK(json["experiments"]["b"]["motion"]["parts"][1]["file"] == "study/log");
  CHECK(json["sweep"][0]["set"]["/robot/model"] == Json({"study/arms/arm.xml", "barrett_wam7"}));
  CHECK(json["sweep"][0]["set"]["/experiments/a"][0]["motion"]["file"] == "motion.csv");
  CHECK(told == std::vector<std::string>{
                    "/experiments/a/motion/file: motion.csv counts from the current folder: there "
                    "is no study/motion.csv"});
}

TEST_CASE("Names of robots, absolute paths, variables, and a scenario that is here stay") {
  const TemporaryFolder folder;
  fs::create_directories(folder / "barrett_wam7");
  folder.Write("arm.xml", "");
  Json json = {{"robot", {{"model", "barrett_wam7"}}},
               {"recording", {{"root", "$IDBENCH_DATA/a"}}}};
  const Json before = json;
  CHECK(ResolvePaths(folder.path(), json).empty());
  CHECK(json == before);
  json["robot"]["model"] = (folder / "arm.xml").string();
  CHECK(ResolvePaths("elsewhere", json).empty());
  CHECK(json["robot"]["model"] == (folder / "arm.xml").string());
  const Standing here(folder.path());
  json["robot"]["model"] = "./arm.xml";
  CHECK(ResolvePaths("", json).empty());
  CHECK(json["robot"]["model"] == "./arm.xml");
}

}  // namespace
}  // namespace idbench
