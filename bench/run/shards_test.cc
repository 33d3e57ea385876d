#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "bench/captured_output_test.h"
#include "bench/gate/process.h"
#include "bench/small_run_test.h"
#include "reports/run/merge_runs.h"
#include "reports/run/run_blocks.h"
#include "reports/run/run_lock.h"
#include "reports/run/run_status.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kShardFiles[] = {"manifest.json", "records.jsonl", "timings.jsonl"};

fs::path RunShard(const LoadedScenario& loaded, const fs::path& folder, const Shard& shard) {
  CHECK(RunScenario(loaded, {.folder = folder, .jobs = 2, .shard = shard}) == RunResult::kFinished);
  return folder;
}

/// Every trial designs a motion of its own, so that a kill finds a run in its middle.
Json SlowDescription() {
  Json json = Description();
  json["experiments"]["identification"]["motion"]["draw"] = "trial";
  json["experiments"]["identification"]["motion"]["candidates"] = 12;
  json["trials"] = 16;
  return json;
}

/// Starts the program and kills it as soon as it has written a block. False if it was faster.
bool StartAndKill(const std::vector<std::string>& arguments, const fs::path& folder) {
  std::vector<char*> argv = {const_cast<char*>(IDBENCH_PROGRAM)};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    ::execv(IDBENCH_PROGRAM, argv.data());
    ::_exit(127);
  }
  int state = 0;
  while (ListBlocks(folder).empty() && ::waitpid(child, &state, WNOHANG) == 0) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, &state, 0);
  return ReadRunStatus(folder).state == RunState::kInterrupted;
}

TEST_CASE(
    "8 shards in any order, two given twice, one killed and repeated: the whole run's bytes") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("slow.json", SlowDescription().dump());
  // All by the program, as one killed is: this test's own file would be another program.
  const auto run = [&file](const fs::path& out, const std::vector<std::string>& options) {
    std::vector<std::string> call = {IDBENCH_PROGRAM, "run",       file, "--jobs", "2",
                                     "--out",         out.string()};
    call.insert(call.end(), options.begin(), options.end());
    const ScratchDirectory scratch;
    const auto result = RunProcess(call, scratch.path());
    REQUIRE(result);
    CAPTURE(result->errors);
    REQUIRE(result->code == 0);
    return out;
  };
  run(folder.path() / "whole", {});

  const fs::path killed = folder.path() / "s4";
  const std::vector<std::string> call = {"run",    file, "--shard", "4/8",
                                         "--jobs", "1",  "--out",   killed.string()};
  for (int i = 0; i < 10 && !StartAndKill(call, killed); ++i) fs::remove_all(killed);
  const RunStatus status = ReadRunStatus(killed);
  CHECK(status.state == RunState::kInterrupted);
  CHECK(status.done() >= 1);
  CHECK(status.done() < status.planned());

  std::vector<fs::path> folders;
  for (const int index : {6, 3, 8, 1, 7, 2, 5}) {
    const std::string number = std::to_string(index);
    folders.push_back(run(folder.path() / ("s" + number), {"--shard", number + "/8"}));
  }
  folders.push_back(killed);
  CHECK_THROWS_AS(MergeRuns(folders, folder.path() / "merged"), ConfigError);
  run(killed, {"--shard", "4/8", "--resume"});
  folders.insert(folders.begin() + 2, run(folder.path() / "again7", {"--shard", "7/8"}));
  folders.push_back(run(folder.path() / "again1", {"--shard", "1/8"}));

  const MergeResult result = MergeRuns(folders, folder.path() / "merged");
  CHECK(result.trials == 32);
  CHECK(result.repeated == 8);
  CHECK(ReadText(folder.path() / "merged" / "records.jsonl") ==
        ReadText(folder.path() / "whole" / "records.jsonl"));
  Json manifest = ReadJsonFile(folder.path() / "merged" / "manifest.json");
  Json whole = ReadJsonFile(folder.path() / "whole" / "manifest.json");
  CHECK(manifest["shards"].size() == 10);
  CHECK(manifest.contains("started"));
  manifest.erase("shards");
  for (Json* const json : {&manifest, &whole}) json->erase("started");
  CHECK(manifest == whole);
  CHECK(ReadText(folder.path() / "merged" / "identified.json") ==
        ReadText(folder.path() / "whole" / "identified.json"));
  for (const auto& entry : fs::directory_iterator(folder.path() / "whole" / "series")) {
    CAPTURE(entry.path().string());
    CHECK(ReadText(folder.path() / "merged" / "series" / entry.path().filename()) ==
          ReadText(entry.path()));
  }
}

TEST_CASE("Of a shard's cells one shard times and one writes the series of a trial") {
  const TemporaryFolder folder;
  const LoadedScenario loaded = Load(Description());
  std::vector<fs::path> folders;
  for (const int index : {1, 2, 3}) {
    folders.push_back(RunShard(loaded, folder / ("s" + std::to_string(index)).c_str(), {index, 3}));
  }
  CHECK(fs::exists(folders[0] / "series" / "cell0_identification_trial0.csv"));
  CHECK(fs::exists(folders[1] / "series" / "cell1_identification_trial0.csv"));
  CHECK_FALSE(fs::exists(folders[0] / "series" / "cell1_identification_trial0.csv"));
  CHECK_FALSE(fs::exists(folders[2] / "series"));
  CHECK(ReadText(folders[0] / "timings.jsonl").find("\"cell\":1") == std::string::npos);
  CHECK(ReadText(folders[2] / "timings.jsonl").empty());
  MergeRuns(folders, folder / "merged");
  std::istringstream timings(ReadText(folder / "merged" / "timings.jsonl"));
  int lines = 0;
  for (std::string line; std::getline(timings, line); ++lines) {
    const Json timing = Json::parse(line);
    CHECK(timing["shard"] == (timing["cell"] == 0 ? "1/3" : "2/3"));
  }
  CHECK(lines == 8);  // two cells, two estimators, timing_trials 2
}

TEST_CASE("A shard prepares only the cells of which it has trials") {
  const TemporaryFolder folder;
  Json json = Description();
  json["trials"] = 1;
  const LoadedScenario loaded = Load(json);
  std::vector<fs::path> folders;
  for (const int index : {1, 2, 3}) {
    folders.push_back(RunShard(loaded, folder / ("s" + std::to_string(index)).c_str(), {index, 3}));
    const Json cells = ReadJsonFile(folders.back() / "manifest.json")["cells"];
    for (std::size_t cell = 0; cell < 2; ++cell) {
      const bool own = Shard{index, 3}.Trials(cell, 1).size() > 0;
      CHECK(cells[cell].contains("parameters") == own);
    }
    CHECK(Call({"report", folders.back().string()}).code == 0);  // one of the three is empty
  }
  MergeRuns(folders, folder / "merged");
  CHECK(ReadText(folder / "merged" / "records.jsonl") == Records(json, folder / "whole"));
}

TEST_CASE("A shard's folder goes on as that shard alone") {
  const TemporaryFolder folder;
  const LoadedScenario loaded = Load(Description());
  RunShard(loaded, folder / "s", {3, 8});
  const auto message = [&](std::optional<Shard> shard) -> std::string {
    try {
      RunScenario(loaded, {.folder = folder / "s", .jobs = 1, .resume = true, .shard = shard});
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  const std::string prefix = (folder / "s").string() + ": holds shard 3/8, not ";
  const std::string cure = "\n  --resume goes on with the same --shard";
  CHECK(message(std::nullopt) == prefix + "the whole run" + cure);
  CHECK(message(Shard{4, 8}) == prefix + "shard 4/8" + cure);
  CHECK(message(Shard{3, 8}).empty());
  Records(Description(), folder / "w");
  try {
    RunScenario(loaded, {.folder = folder / "w", .jobs = 1, .resume = true, .shard = Shard{3, 8}});
    FAIL("no error");
  } catch (const ConfigError& error) {
    CHECK(std::string(error.what()) ==
          (folder / "w").string() + ": holds the whole run, not shard 3/8" + cure);
  }
}

TEST_CASE("A folder in which a process is running is left alone") {
  const TemporaryFolder folder;
  Records(Description(), folder / "r");
  CHECK_FALSE(fs::exists(folder / "r" / kRunLockName));
  const RunLock lock(folder / "r");
  CHECK_THROWS_WITH_AS(
      RunScenario(Load(Description()), {.folder = folder / "r", .jobs = 1, .resume = true}),
      ((folder / "r").string() +
       ": another process is running in this folder\n  wait for it, or give another --out")
          .c_str(),
      ConfigError);
}

TEST_CASE("A folder with other files in it is not taken for a run's") {
  const TemporaryFolder folder;
  folder.Write("letter.txt", "");
  CHECK_THROWS_WITH_AS(
      RunScenario(Load(Description()), {.folder = folder.path(), .jobs = 1}),
      (folder.path().string() + ": is not empty, and holds no run\n  give another --out").c_str(),
      ConfigError);
}

TEST_CASE("run --shard, status and merge work together at the command line") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("r.json", Description().dump());
  const auto path = [&](const char* name) { return (folder.path() / name).string(); };
  for (const auto& [shard, name] : {std::pair("1/2", "a"), std::pair("2/2", "b")}) {
    const ProgramResult run = Call({"run", file, "--shard", shard, "--out", path(name)});
    CHECK(run.code == 0);
    CHECK(run.output == "shard " + std::string(1, shard[0]) + " of 2: " + path(name) +
                            "\n  `idbench merge OUT DIR…` makes the run of all shards\n");
    for (const char* made : kShardFiles) CHECK(fs::exists(fs::path(path(name)) / made));
  }
  const ProgramResult report = Call({"report", path("a")});
  CHECK(report.output.find("**A part of a run**: shard 1 of 2") != std::string::npos);
  CHECK(report.output.find("a part of the run: shard 1 of 2") != std::string::npos);
  const ProgramResult status = Call({"status", path("a"), path("b")});
  CHECK(status.code == 0);
  CHECK(status.output.find(path("b") + ": r, shard 2 of 2: finished\n") != std::string::npos);
  CHECK(status.output.ends_with(
      "2 folders: 2 finished, 0 running, 0 interrupted; 18 of 18 trials (100 %)\n"));
  CHECK(Json::parse(Call({"status", path("a"), "--format", "json"}).output)["runs"].size() == 1);

  const ProgramResult merge = Call({"merge", path("m"), path("b"), path("a"), path("b")});
  CHECK(merge.code == 0);
  CHECK(merge.output.find("| ") != std::string::npos);
  CHECK(merge.output.ends_with(
      "merged 3 folders: 18 trials, 9 of them from more than one, with the same bytes\nreport: " +
      (folder.path() / "m" / "report.md").string() + "\n"));
  CHECK(fs::exists(folder.path() / "m" / "summary.json"));
  CHECK(Call({"report", path("m")}).output.find("part of a run") == std::string::npos);
}

TEST_CASE("Wrong calls of run --shard, merge and status are answered with what is accepted") {
  CHECK(Call({"merge"}).errors ==
        "merge: which folders? Give the one to make, then those of the shards\n");
  CHECK(Call({"merge", "out"}).code == 2);
  CHECK(Call({"status"}).errors == "status: which run folders?\n");
  CHECK(Call({"status", "x", "--format", "xml"}).errors ==
        "status: --format: got 'xml'\n  accepted here: text, json\n");
  CHECK(Call({"status", "/nowhere"}).code == 2);
  const TemporaryFolder folder;
  const std::string file = folder.Write("r.json", Description().dump());
  CHECK(Call({"run", file, "--shard", "1/2"}).errors ==
        "--shard: name the shard's own folder with --out\n");
  CHECK(Call({"run", file, "--shard", "3/2", "--out", "x"}).errors ==
        "--shard: got '3/2'\n  accepted here: I/N, part I of N, as in 3/8\n");
}

}  // namespace
}  // namespace idbench
