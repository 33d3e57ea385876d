#include "reports/run/run_status.h"

#include <doctest/doctest.h>

#include <chrono>
#include <sstream>

#include "reports/run/run_blocks.h"
#include "reports/run/run_lock.h"
#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;

/// The sample run with its records in blocks, as it is while it runs.
class Unfinished {
 public:
  Unfinished() {
    run.WriteTo(folder.path());
    fs::remove(folder.path() / "records.jsonl");
    fs::create_directories(folder.path() / "blocks");
  }

  /// Writes a block, `seconds` after the lock was taken.
  void Write(const Block& block, double seconds = 0) {
    std::string text;
    for (auto trial = static_cast<int>(block.begin); trial < block.end; ++trial) {
      for (const char* estimator : {"ols", "wls"}) {
        Json record = SampleRun::Record(static_cast<int>(block.cell), trial, estimator);
        if (trial == 4) SampleRun::Fail(record, "diverged", "");
        text += record.dump() + '\n';
      }
    }
    const fs::path file = folder.path() / "blocks" / BlockName(block);
    WriteText(file, text);
    if (const auto begun = RunningSince(folder.path())) {
      fs::last_write_time(file, *begun + std::chrono::duration_cast<fs::file_time_type::duration>(
                                             std::chrono::duration<double>(seconds)));
    }
  }

  SampleRun run;
  TemporaryFolder folder;
};

/// The text about one folder, its path left out.
std::string TextOf(const fs::path& folder) {
  const RunStatus status = ReadRunStatus(folder);
  std::string text = RenderStatus({&status, 1});
  for (std::size_t at; (at = text.find(folder.string())) != std::string::npos;) {
    text.replace(at, folder.string().size(), "DIR");
  }
  return text;
}

TEST_CASE("A finished run is said to be so, with its failures") {
  const TemporaryFolder folder;
  SampleRun run;
  run.change = [](Json& record) {
    if (record["trial"] == 3 && record["cell"] == 1) SampleRun::Fail(record, "diverged", "");
  };
  run.WriteTo(folder.path());
  CHECK(TextOf(folder.path()) ==
        "DIR: sample: finished\n"
        "  24 of 24 trials (100 %), 2 of 48 estimates failed\n"
        "    torque noise 0.2: 12 of 12, 2 of 24 estimates failed\n");
}

TEST_CASE("Records that were cut after the run had finished are refused with the cure") {
  const TemporaryFolder folder;
  const SampleRun run;
  run.WriteTo(folder.path());
  const fs::path records = folder.path() / "records.jsonl";
  std::string text = ReadText(records);
  const std::size_t before = text.rfind("\"estimator\":\"ols\"");
  text.resize(text.rfind('\n', before) + 1);
  WriteText(records, text);
  CHECK_THROWS_WITH_AS(ReadRunStatus(folder.path()),
                       doctest::Contains("trials, and the run had finished\n  the file was cut: "
                                         "remove it, and `idbench run` with --resume"),
                       ConfigError);
}

TEST_CASE("A run that was killed tells what is there, and the call that goes on") {
  Unfinished run;
  run.Write({0, 0, 12});
  run.Write({1, 6, 9});
  WriteText(run.folder.path() / "blocks" / (BlockName({1, 0, 2}) + ".part"), "{");
  CHECK(TextOf(run.folder.path()) ==
        "DIR: sample: interrupted\n"
        "  15 of 24 trials (62 %), 2 of 30 estimates failed\n"
        "    torque noise 0.1: 12 of 12, 2 of 24 estimates failed\n"
        "    torque noise 0.2: 3 of 12\n"
        "  go on with: idbench run SCENARIO --resume --out DIR\n");
}

TEST_CASE("A run that is going on tells its rate and the time left, of this process alone") {
  Unfinished run;
  run.Write({0, 0, 4});
  fs::last_write_time(run.folder.path() / "blocks" / BlockName({0, 0, 4}),
                      fs::file_time_type::clock::now() - std::chrono::hours(5));
  const RunLock lock(run.folder.path());
  CHECK(TextOf(run.folder.path())
            .find("DIR: sample: running\n  4 of 24 trials (16 %), no estimate "
                  "failed\n") == 0);
  run.Write({0, 6, 9}, 1.0);
  run.Write({0, 9, 12}, 3.0);
  const RunStatus status = ReadRunStatus(run.folder.path());
  CHECK(status.trials_per_s.value() == doctest::Approx(2.0).epsilon(1e-6));  // 6 trials in 3 s
  CHECK(status.seconds_left().value() == doctest::Approx(7.0).epsilon(1e-6));
  CHECK(TextOf(run.folder.path()) ==
        "DIR: sample: running\n"
        "  10 of 24 trials (41 %), no estimate failed; 2 trials/s, 7 s left\n"
        "    torque noise 0.1: 10 of 12\n"
        "    torque noise 0.2: 0 of 12\n");
}

TEST_CASE("A run whose records are there and whose process goes on is making the rest") {
  const TemporaryFolder folder;
  SampleRun().WriteTo(folder.path());
  const RunLock lock(folder.path());
  CHECK(TextOf(folder.path()) ==
        "DIR: sample: running\n"
        "  24 of 24 trials (100 %), no estimate failed\n"
        "  time series and timings are being made\n");
}

TEST_CASE("A shard's plan is its own trials; a merged run tells from how many folders") {
  Unfinished shard;
  shard.run.manifest["shard"] = {{"index", 2}, {"count", 8}};
  shard.run.WriteTo(shard.folder.path());
  fs::remove(shard.folder.path() / "records.jsonl");
  CHECK(TextOf(shard.folder.path()) ==
        "DIR: sample, shard 2 of 8: interrupted\n"
        "  0 of 3 trials (0 %), no estimate failed\n"
        "    torque noise 0.1: 0 of 2\n"
        "    torque noise 0.2: 0 of 1\n"
        "  go on with: idbench run SCENARIO --shard 2/8 --resume --out DIR\n");
  const TemporaryFolder folder;
  SampleRun merged;
  merged.manifest["shards"] = Json::array({{{"index", 1}}, {{"index", 2}}});
  merged.WriteTo(folder.path());
  CHECK(TextOf(folder.path()).find("DIR: sample, merged from 2 folders: finished\n") == 0);
  const std::vector<RunStatus> both = {ReadRunStatus(shard.folder.path()),
                                       ReadRunStatus(folder.path())};
  CHECK(RenderStatus(both).ends_with(
      "2 folders: 1 finished, 0 running, 1 interrupted; 24 of 27 trials (88 %)\n"));
  Json json = StatusToJson(both);
  CHECK(json["format"] == 1);
  json["runs"][0].erase("folder");
  CHECK(json["runs"][0] ==
        Json::parse(
            R"({"scenario": "sample", "state": "interrupted", "shard": {"index": 2, "count": 8},
                        "trials": {"planned": 3, "done": 0}, "estimates_failed": 0,
                        "cells": [{"label": "torque noise 0.1", "planned": 2, "done": 0, "estimates_failed": 0},
                                  {"label": "torque noise 0.2", "planned": 1, "done": 0, "estimates_failed": 0}]})"));
  CHECK(json["runs"][1]["merged_from"] == 2);
  CHECK(json["runs"][1]["state"] == "finished");
}

TEST_CASE("JSON of a running run has its rate") {
  RunStatus run;
  run.cells.push_back({"c", 8, 2, 0});
  run.trials_per_s = 3.0;
  const Json json = StatusToJson({&run, 1});
  CHECK(json["runs"][0]["trials_per_s"] == 3.0);
  CHECK(json["runs"][0]["seconds_left"] == 2.0);
}

TEST_CASE("A damaged block or manifest is refused with its place and the cure") {
  Unfinished run;
  const auto message = [&] {
    return MessageOf(run.folder.path(), [&] { ReadRunStatus(run.folder.path()); });
  };
  const fs::path blocks = run.folder.path() / "blocks";
  run.Write({0, 0, 3});
  fs::rename(blocks / BlockName({0, 0, 3}), blocks / BlockName({0, 0, 4}));
  CHECK(message() == "blocks/" + BlockName({0, 0, 4}) +
                         ": holds 3 trials of the block\n"
                         "  its name says cell 0, trials 0 to 3\n"
                         "  the file is damaged: remove it, and `idbench run` with --resume "
                         "computes it again");
  fs::rename(blocks / BlockName({0, 0, 4}), blocks / BlockName({1, 0, 3}));
  CHECK(message().find("blocks/" + BlockName({1, 0, 3}) + ": holds 0 trials of the block") == 0);
  fs::remove(blocks / BlockName({1, 0, 3}));
  WriteText(blocks / BlockName({0, 0, 1}), "{\"cell\":0,");
  CHECK(message().find("blocks/" + BlockName({0, 0, 1}) +
                       ": line 1: the file breaks off in this line") == 0);
  WriteText(run.folder.path() / "manifest.json", "{");
  CHECK(message().find("manifest.json: line 1, column ") == 0);
}

TEST_CASE("Failures of observers are told as such") {
  const TemporaryFolder folder;
  SampleRun run;
  run.AddObservers();
  run.WriteTo(folder.path());
  CHECK(TextOf(folder.path()).find("no estimate or observation failed") != std::string::npos);
  run.change = [](Json& record) {
    if (record.value("observer", "") == "force") SampleRun::Fail(record, "diverged", "");
  };
  run.WriteTo(folder.path());
  CHECK(TextOf(folder.path()).find("24 of 144 estimates and observations failed") !=
        std::string::npos);
}

}  // namespace
}  // namespace idbench
