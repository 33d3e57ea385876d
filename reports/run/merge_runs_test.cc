#include "reports/run/merge_runs.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "reports/run/run_blocks.h"
#include "reports/run/run_folder.h"
#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;

/// The sample run, cells prepared, in one piece and in shards.
class Shards {
 public:
  Shards() {
    for (Json& cell : whole.manifest["cells"]) cell["parameters"] = {"a", "b"};
    whole.manifest["versions"]["mujoco"] = "4.0.1";
    whole.manifest["fingerprint"] = "1234";
    whole.manifest["program"] = "p";
    whole.manifest["build"] = {{"type", "Release"}, {"flags", "-O3"}};
    whole.manifest["inputs"] = {{"/robot/model", {{"arm.urdf", "aaaaaaaaaaaaaaaa"}}}};
    whole.manifest["machine"] = {{"processor", "P"}, {"cores", 2}};
  }

  /// Writes one; `change` may spoil its manifest.
  fs::path Write(
      const std::string& name, const Shard& shard,
      const std::function<void(Json&)>& change = [](Json&) {}) const {
    SampleRun part = whole;
    part.manifest["shard"] = WriteValue(shard);
    for (std::size_t cell = 0; cell < 2; ++cell) {
      if (shard.Trials(cell, SampleRun::kTrials).size() == 0) {
        part.manifest["cells"][cell].erase("parameters");
      }
    }
    change(part.manifest);
    part.change = [&](Json& record) {
      const TrialRange range = shard.Trials(record["cell"].get<std::size_t>(), SampleRun::kTrials);
      const auto trial = record["trial"].get<std::int64_t>();
      if (trial < range.begin || trial >= range.end) record = Json::object();
    };
    fs::path folder = root.path() / name;
    fs::create_directories(folder);
    part.WriteTo(folder);
    return folder;
  }

  std::vector<fs::path> WriteAll(std::int64_t count) const {
    std::vector<fs::path> folders;
    for (std::int64_t index = 1; index <= count; ++index) {
      folders.push_back(Write("s" + std::to_string(index), {index, count}));
    }
    return folders;
  }

  fs::path out() const { return root.path() / "out"; }
  std::string Message(const std::vector<fs::path>& folders) const {
    std::string message = MessageOf(root.path(), [&] { MergeRuns(folders, out()); });
    CHECK_FALSE(fs::exists(out()));
    CHECK_FALSE(fs::exists(root.path() / "out.part"));
    return message;
  }

  SampleRun whole;
  TemporaryFolder root;
};

TEST_CASE("Shards in any order, some given twice, make the records of the whole run") {
  const Shards shards;
  std::vector<fs::path> folders = shards.WriteAll(5);
  std::ranges::reverse(folders);
  std::swap(folders[1], folders[3]);
  folders.push_back(shards.Write("again2", {2, 5}));
  folders.insert(folders.begin(), shards.Write("again4", {4, 5}));
  const MergeResult result = MergeRuns(folders, shards.out());
  CHECK(ReadText(shards.out() / "records.jsonl") == shards.whole.Records());
  CHECK(result.trials == 24);
  CHECK(result.repeated == Shard{2, 5}.Trials(0, 12).size() + Shard{2, 5}.Trials(1, 12).size() +
                               Shard{4, 5}.Trials(0, 12).size() + Shard{4, 5}.Trials(1, 12).size());
  CHECK(result.notes.empty());
  CHECK_NOTHROW(RunFolder(shards.out()));
}

TEST_CASE("The manifest of merged shards is that of the whole run, and names the shards") {
  Shards shards;
  const std::vector<fs::path> folders = {shards.Write("s1", {1, 2}),
                                         shards.Write("s2", {2, 2}, [](Json& manifest) {
                                           manifest["machine"]["processor"] = "Q";
                                           manifest["program"] = "q";
                                           manifest["marks"].push_back("of this shard alone");
                                         })};
  const MergeResult result = MergeRuns(folders, shards.out());
  Json merged = ReadJsonFile(shards.out() / "manifest.json");
  CHECK(
      merged["shards"] ==
      Json::parse(
          R"([{"index": 1, "count": 2, "machine": {"processor": "P", "cores": 2}, "commit": "abc123", "program": "p"},
                        {"index": 2, "count": 2, "machine": {"processor": "Q", "cores": 2}, "commit": "abc123", "program": "q"}])"));
  CHECK(merged["machine"]["processor"] == "P and Q");
  CHECK(merged["program"] == "p and q");
  CHECK(result.notes ==
        std::vector<std::string>{"computed by different program files of commit abc123, with the "
                                 "same libraries, compiler and flags"});
  merged.erase("shards");
  merged["machine"]["processor"] = "P";
  merged["program"] = "p";
  CHECK(merged == shards.whole.manifest);
}

TEST_CASE("A cell's description is taken from a shard that prepared it; empty shards are fine") {
  Shards shards;
  const std::vector<fs::path> folders = shards.WriteAll(16);  // 12 trials: some hold nothing
  MergeRuns(folders, shards.out());
  CHECK(ReadText(shards.out() / "records.jsonl") == shards.whole.Records());
  Json merged = ReadJsonFile(shards.out() / "manifest.json");
  merged.erase("shards");
  CHECK(merged == shards.whole.manifest);
}

TEST_CASE("Shards of different counts, and a whole run among them, may be merged") {
  const Shards shards;
  CHECK_NOTHROW(MergeRuns({shards.Write("a", {1, 2}), shards.Write("b", {3, 4}),
                           shards.Write("c", {4, 4}), shards.Write("d", {2, 4})},
                          shards.out()));
  CHECK(ReadText(shards.out() / "records.jsonl") == shards.whole.Records());
}

TEST_CASE("Missing trials are named by cell and range, with the calls that compute them") {
  const Shards shards;
  std::vector<fs::path> folders = shards.WriteAll(8);
  folders.erase(folders.begin() + 5);
  folders.erase(folders.begin() + 2);
  CHECK(shards.Message(folders) ==
        "merge: 6 of 24 trials are missing\n"
        "  cell 0 (torque noise 0.1): trials 3, 7–8\n"
        "  cell 1 (torque noise 0.2): trials 1–2, 6\n"
        "  to compute it: idbench run SCENARIO --shard 3/8 --out DIR\n"
        "  to compute it: idbench run SCENARIO --shard 6/8 --out DIR");
}

TEST_CASE("A shard that was killed is said to be unfinished, with the call that finishes it") {
  const Shards shards;
  std::vector<fs::path> folders = shards.WriteAll(2);
  fs::remove(folders[1] / "records.jsonl");
  fs::create_directories(folders[1] / "blocks");
  WriteText(folders[1] / "blocks" / BlockName({0, 6, 8}), "");
  CHECK(shards.Message(folders) ==
        "merge: 12 of 24 trials are missing\n"
        "  cell 0 (torque noise 0.1): trials 6–11\n"
        "  cell 1 (torque noise 0.2): trials 0–5\n"
        "  to finish it: idbench run SCENARIO --shard 2/2 --resume --out s2");

  folders.push_back(shards.Write("repeated", {2, 2}));
  const MergeResult result = MergeRuns(folders, shards.out());
  CHECK(ReadText(shards.out() / "records.jsonl") == shards.whole.Records());
  CHECK(result.notes ==
        std::vector<std::string>{folders[1].string() +
                                 ": shard 2/2 is not finished (2 trials are there) and was left "
                                 "out: other folders hold its trials"});
}

TEST_CASE("A duplicate that differs is refused with its record and key, whatever the order") {
  Shards shards;
  std::vector<fs::path> folders = shards.WriteAll(2);
  folders.push_back(shards.Write("again", {2, 2}));
  std::string records = ReadText(folders[2] / "records.jsonl");
  const std::string line = SampleRun::Record(1, 3, "wls").dump();
  Json changed = SampleRun::Record(1, 3, "wls");
  changed["metrics"]["relative_error"]["value"] = 0.5;
  records.replace(records.find(line), line.size(), changed.dump());
  WriteText(folders[2] / "records.jsonl", records);
  const std::string message =
      "merge: cell 1 (torque noise 0.2), trial 3, wls: two folders differ in "
      "/metrics/relative_error/value\n"
      "  s2: 0.08\n"
      "  again: 0.5\n"
      "  the same scenario gives the same bits on machines of the same fingerprint: one of the two "
      "was computed by another program, or is damaged";
  const auto told = shards.Message(folders);
  CHECK(told.substr(0, told.find("\n  s2")) == message.substr(0, message.find("\n  s2")));
  CHECK(told.find("s2: 0.08\n") != std::string::npos);
  CHECK(told.find("again: 0.5\n") != std::string::npos);
  std::swap(folders[0], folders[2]);
  CHECK(shards.Message(folders).find("differ in /metrics/relative_error/value") !=
        std::string::npos);
}

TEST_CASE("The same record written in two ways is a difference too") {
  Shards shards;
  std::vector<fs::path> folders = shards.WriteAll(1);
  folders.push_back(shards.Write("again", {1, 1}));
  std::string records = ReadText(folders[1] / "records.jsonl");
  WriteText(folders[1] / "records.jsonl", records.replace(1, 0, " "));
  CHECK(shards.Message(folders).find(
            "merge: cell 0 (torque noise 0.1), trial 0, ols: the same record is written in two "
            "ways\n") == 0);
}

TEST_CASE("Folders that are not parts of one run are refused by name, with what each has") {
  struct Case {
    const char* pointer;
    Json value;
    const char* message;
  };
  const std::vector<Case> cases = {
      {"/format", 2, "another format of the run folder\n  s1: /format is 1\n  s2: /format is 2\n"},
      {"/scenario/title", "B",
       "another scenario\n  s1: /scenario/title is \"A sample run\"\n  s2: /scenario/title is "
       "\"B\"\n"},
      {"/seed", 7, "another seed\n  s1: /seed is 1\n  s2: /seed is 7\n"},
      {"/trials", 13, "another number of trials\n  s1: /trials is 12\n  s2: /trials is 13\n"},
      {"/fingerprint", "5678",
       "another floating-point fingerprint\n  s1: /fingerprint is \"1234\"\n  s2: /fingerprint is "
       "\"5678\"\n"},
      {"/versions/mujoco", "4.1.0",
       "another version of MuJoCo\n  s1: /versions/mujoco is \"4.0.1\"\n  s2: /versions/mujoco is "
       "\"4.1.0\"\n"},
      {"/versions/idbench", "9",
       "another version of idbench\n  s1: /versions/idbench is \"0.1.0\"\n  s2: /versions/idbench "
       "is \"9\"\n"},
      {"/inputs/~1robot~1model/arm.urdf", "0123456789abcdef",
       "another input\n  s1: arm.urdf of /robot/model is sha256:aaaaaaaaaaaa…\n  s2: arm.urdf of "
       "/robot/model is sha256:0123456789ab…\n"},
      {"/build/flags", "-O2",
       "another build\n  s1: /build/flags is \"-O3\"\n  s2: /build/flags is \"-O2\"\n"},
      {"/commit", "def456",
       "another commit\n  s1: /commit is \"abc123\"\n  s2: /commit is \"def456\"\n"},
      {"/estimators/1", "ridge",
       "other estimators\n  s1: /estimators/1 is \"wls\"\n  s2: /estimators/1 is \"ridge\"\n"},
      {"/metrics/relative_error/unit", "m",
       "other metrics\n  s1: /metrics/relative_error/unit is \"1\"\n  s2: "
       "/metrics/relative_error/unit is \"m\"\n"},
      {"/cells/1/parameters/0", "c",
       "a cell that was prepared in another way\n  s1: /cells/1/parameters/0 is \"a\"\n  s2: "
       "/cells/1/parameters/0 is \"c\"\n"}};
  for (const Case& item : cases) {
    CAPTURE(item.pointer);
    const Shards shards;
    const std::vector<fs::path> folders = {
        shards.Write("s1", {1, 2}), shards.Write("s2", {2, 2}, [&](Json& manifest) {
          manifest[Json::json_pointer(item.pointer)] = item.value;
        })};
    const std::string prefix =
        "merge: " + folders[1].string() + ": not of the same run as " + folders[0].string() + ": ";
    std::string message;
    try {
      MergeRuns(folders, shards.out());
    } catch (const ConfigError& error) {
      message = error.what();
    }
    REQUIRE(message.find(prefix) == 0);
    message.erase(0, prefix.size());
    for (std::size_t at = 0;
         (at = message.find(shards.root.path().string() + "/")) != std::string::npos;) {
      message.erase(at, shards.root.path().string().size() + 1);
    }
    CHECK(message.find(item.message) == 0);
  }
}

TEST_CASE("A folder without a manifest, a damaged record and a taken OUT are refused") {
  const Shards shards;
  std::vector<fs::path> folders = shards.WriteAll(2);
  CHECK(shards.Message({folders[0], shards.root.path() / "gone"}).find("gone/manifest.json: ") ==
        0);
  WriteText(folders[1] / "records.jsonl", "{}\n");
  CHECK(shards.Message(folders).find("s2/records.jsonl: line 1") == 0);
  CHECK(MessageOf(shards.root.path(), [&] { MergeRuns(folders, folders[0]); }) ==
        "s1: is there already\n  a merge makes a folder of its own: name another one");
}

TEST_CASE("What a killed merge left beside is replaced, and an empty OUT is used") {
  const Shards shards;
  fs::create_directories(shards.out());
  fs::create_directories(shards.root.path() / "out.part" / "series");
  MergeRuns(shards.WriteAll(2), shards.out() / "");
  CHECK(ReadText(shards.out() / "records.jsonl") == shards.whole.Records());
  CHECK_FALSE(fs::exists(shards.out() / "series"));
  CHECK_FALSE(fs::exists(shards.root.path() / "out.part"));
}

TEST_CASE("Series and timings are those of the shard that has the trial, each once") {
  const Shards shards;
  std::vector<fs::path> folders = shards.WriteAll(2);  // 1 has trial 0 of cell 0, 2 of cell 1
  folders.push_back(shards.Write("again1", {1, 2}));
  for (const fs::path& folder : folders) fs::create_directories(folder / "series");
  WriteText(folders[0] / "series" / "cell0_a_trial0.csv", "from 1");
  WriteText(folders[1] / "series" / "cell1_a_trial0.csv", "from 2");
  WriteText(folders[2] / "series" / "cell0_a_trial0.csv", "from 1");
  const std::string track0 = R"({"cell":0,"trial":0,"estimator":"ols","t_s":[1]})";
  const std::string track1 = R"({"cell":1,"trial":0,"estimator":"ols","t_s":[1]})";
  WriteText(folders[0] / "series" / "tracks.jsonl", track0 + "\n" + track0 + "\n");
  WriteText(folders[1] / "series" / "tracks.jsonl", track1 + "\n");
  WriteText(folders[2] / "series" / "tracks.jsonl", track0 + "\n" + track0 + "\n");
  WriteText(folders[0] / "timings.jsonl", R"({"cell":0,"estimator":"ols","estimate_ms":1.0})"
                                          "\n"
                                          R"({"cell":0,"estimator":"ols","estimate_ms":2.0})"
                                          "\n");
  WriteText(folders[1] / "timings.jsonl", R"({"cell":1,"estimator":"ols","estimate_ms":3.0})"
                                          "\n");
  WriteText(folders[2] / "timings.jsonl", R"({"cell":0,"estimator":"ols","estimate_ms":4.0})"
                                          "\n");
  MergeRuns({folders[1], folders[0], folders[2]}, shards.out());
  CHECK(ReadText(shards.out() / "series" / "cell0_a_trial0.csv") == "from 1");
  CHECK(ReadText(shards.out() / "series" / "cell1_a_trial0.csv") == "from 2");
  CHECK(ReadText(shards.out() / "series" / "tracks.jsonl") ==
        track0 + "\n" + track0 + "\n" + track1 + "\n");
  CHECK(ReadText(shards.out() / "timings.jsonl") ==
        R"({"cell":0,"estimator":"ols","estimate_ms":1.0,"shard":"1/2"})"
        "\n"
        R"({"cell":0,"estimator":"ols","estimate_ms":2.0,"shard":"1/2"})"
        "\n"
        R"({"cell":1,"estimator":"ols","estimate_ms":3.0,"shard":"2/2"})"
        "\n");
  const auto timings = RunFolder(shards.out()).LoadTimings();
  CHECK(timings.at({0, 0}).estimate_ms == std::vector<double>{1.0, 2.0});
}

TEST_CASE("Damaged lines beside the records are refused with their place") {
  const Shards shards;
  const std::vector<fs::path> folders = shards.WriteAll(1);
  WriteText(folders[0] / "timings.jsonl", "[]\n");
  CHECK(shards.Message(folders) == "s1/timings.jsonl: line 1: is not an object with a cell");
  WriteText(folders[0] / "timings.jsonl", R"({"cell":0,"estim)");
  CHECK(shards.Message(folders).find(
            "s1/timings.jsonl: line 1: the file breaks off in this line") == 0);
}

}  // namespace
}  // namespace idbench
