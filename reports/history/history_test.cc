#include "reports/history/history.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;

/// A folder of run folders and a history.
class NightFolders {
 public:
  /// Writes the sample run, `night` being its commit and its mark in the records.
  fs::path Write(
      int night, const std::function<void(Json&)>& change = [](Json&) {}) const {
    SampleRun run;
    run.manifest["commit"] = fmt::format("c{}", night);
    run.manifest["versions"] = {{"idbench", "0.1.0"}, {"mujoco", "4.0.1"}, {"compiler", "12"}};
    run.manifest["machine"] = {{"processor", "P"}, {"kernel", "avx2"}};
    run.manifest["fingerprint"] = "1234";
    run.change = [night](Json& record) {
      record["metrics"]["relative_error"]["value"] = 0.01 * night + 0.001;
      if (record["trial"] == 3) SampleRun::Fail(record, "diverged", "");
    };
    change(run.manifest);
    fs::path folder = root.path() / fmt::format("night{}", night);
    fs::create_directories(folder);
    run.WriteTo(folder);
    return folder;
  }

  std::pair<std::int64_t, bool> Add(History& history, const fs::path& folder) const {
    const RunFolder run(folder);
    return history.Add(run, Summarise(run));
  }

  fs::path file() const { return root.path() / "h" / "history.sqlite"; }
  std::string Message(const std::function<void()>& call) const {
    return MessageOf(root.path(), call);
  }

  TemporaryFolder root;
};

TEST_CASE("A run is added once, with its statistics, and read back") {
  const NightFolders nights;
  History history(nights.file(), IfMissing::kCreate);
  const fs::path folder = nights.Write(1);
  WriteText(folder / "timings.jsonl",
            R"({"cell":0,"estimator":"ols","estimate_ms":1.0,"update_us":[5.0]})"
            "\n"
            R"({"cell":0,"estimator":"ols","estimate_ms":3.0})"
            "\n");
  CHECK(nights.Add(history, folder) == std::pair(std::int64_t{1}, true));
  CHECK(nights.Add(history, folder) == std::pair(std::int64_t{1}, false));
  const std::vector<HistoryRun> runs = History(nights.file()).Runs();
  REQUIRE(runs.size() == 1);
  const HistoryRun& run = runs[0];
  CHECK(run.id == 1);
  CHECK(run.folder == fs::canonical(folder).string());
  CHECK(run.scenario == "sample");
  CHECK(run.headline == "rmse_nm@validation");
  CHECK(run.seed == "1");
  CHECK(run.trials == 12);
  CHECK(run.cells == 2);
  CHECK(run.commit == "c1");
  CHECK(run.idbench == "0.1.0");
  CHECK(run.mujoco == "4.0.1");
  CHECK(run.compiler == "12");
  CHECK(run.processor == "P");
  CHECK(run.kernel == "avx2");
  CHECK(run.fingerprint == "1234");
  CHECK(run.finished.size() == 20);
  CHECK(run.finished <= run.added);

  const auto values = history.Values(1, {"relative_error"});
  REQUIRE(values.size() == 4);
  CHECK(values[0].first == TrendKey{0, "torque noise 0.1", "ols", "relative_error", "1"});
  const TrendPoint& point = values[0].second;
  CHECK(point.trials == 12);
  CHECK(point.failed == 1);
  CHECK(point.n == 11);
  CHECK(point.mean.value() == doctest::Approx(0.011));
  CHECK(point.ci95_lower.value() == doctest::Approx(0.011));
  const auto times = history.Values(1, {kEstimateTime, kUpdateTime});
  REQUIRE(times.size() == 2);
  CHECK(times[0].first == TrendKey{0, "torque noise 0.1", "ols", "estimate_ms", "ms"});
  CHECK(times[0].second.median == 2.0);
  CHECK_FALSE(times[0].second.mean);
  CHECK(times[1].second.median == 5.0);
}

TEST_CASE("A folder that holds another run now is added again") {
  const NightFolders nights;
  History history(nights.file(), IfMissing::kCreate);
  const fs::path folder = nights.Write(1);
  nights.Add(history, folder);
  fs::remove_all(folder);
  fs::rename(nights.Write(2), folder);
  CHECK(nights.Add(history, folder) == std::pair(std::int64_t{2}, true));
}

TEST_CASE("The latest runs come first, by scenario and up to a limit") {
  const NightFolders nights;
  History history(nights.file(), IfMissing::kCreate);
  for (const int night : {1, 2, 3}) {
    const fs::path folder = nights.Write(night, [night](Json& manifest) {
      if (night == 2) manifest["scenario"]["name"] = "other";
    });
    fs::last_write_time(folder / "records.jsonl",
                        fs::file_time_type::clock::now() - std::chrono::hours(24 * night));
    nights.Add(history, folder);
  }
  const auto ids = [&](const std::string& scenario, std::int64_t limit) {
    std::vector<std::int64_t> list;
    for (const HistoryRun& run : history.Runs(scenario, limit)) list.push_back(run.id);
    return list;
  };
  CHECK(ids("", 0) == std::vector<std::int64_t>{1, 2, 3});  // night 3 lies three days back
  CHECK(ids("", 2) == std::vector<std::int64_t>{1, 2});
  CHECK(ids("sample", 0) == std::vector<std::int64_t>{1, 3});
  CHECK(ids("none", 0).empty());
  CHECK(history.Scenarios() == std::vector<std::string>{"sample", "other"});
}

TEST_CASE("The hash of a scenario leaves out what does not decide records, and nothing else") {
  const Json scenario = {{"name", "a"}, {"seed", 1}};
  Json same = scenario;
  same["title"] = "B";
  same["tables"] = Json::array({1});
  same["gate"] = {{"metric", "m"}};
  CHECK(ScenarioHash(same) == ScenarioHash(scenario));
  Json other = scenario;
  other["seed"] = 2;
  CHECK(ScenarioHash(other) != ScenarioHash(scenario));
}

TEST_CASE("The headline is the metric that the scenario gates") {
  const NightFolders nights;
  History history(nights.file(), IfMissing::kCreate);
  nights.Add(history, nights.Write(1, [](Json& manifest) {
    manifest["scenario"]["gate"] = {{"metric", "relative_error"}};
  }));
  CHECK(history.Runs()[0].headline == "relative_error");
}

TEST_CASE("What is no history of this idbench is refused by name") {
  const NightFolders nights;
  CHECK(nights.Message([&] { History{nights.file()}; }) ==
        "h/history.sqlite: cannot be opened: unable to open database file");
  const fs::path text = nights.root.path() / "text";
  WriteText(text, std::string(2000, 'x'));
  CHECK(nights.Message([&] { History{text}; }) == "text: cannot be opened: file is not a database");
  const fs::path other = nights.root.path() / "other";
  SqliteDatabase(other, IfMissing::kCreate).Execute("CREATE TABLE t(a)");
  CHECK(nights.Message([&] { History{other}; }) ==
        "other: is an SQLite file, but no history of idbench\n  name another file");
  { History made(nights.file(), IfMissing::kCreate); }
  SqliteDatabase(nights.file(), IfMissing::kRefuse).Execute("PRAGMA user_version = 2");
  CHECK(nights.Message([&] { History{nights.file()}; }) ==
        "h/history.sqlite: is a history of version 2; this idbench knows version 1\n"
        "  use the newer idbench that wrote it, or name another file");
}

TEST_CASE("A shard is not added") {
  const NightFolders nights;
  History history(nights.file(), IfMissing::kCreate);
  const fs::path folder = nights.Write(1, [](Json& manifest) {
    manifest["shard"] = {{"index", 2}, {"count", 8}};
  });
  CHECK(nights.Message([&] { nights.Add(history, folder); }) ==
        "night1: is a part of a run: shard 2 of 8\n  `idbench merge` makes the whole; add that");
  CHECK(history.Runs().empty());
}

TEST_CASE("Two processes that add at once add everything") {
  const NightFolders nights;
  constexpr int kEach = 8;
  for (int night = 0; night < 2 * kEach; ++night) nights.Write(night);
  pid_t writers[2];
  for (int writer = 0; writer < 2; ++writer) {
    writers[writer] = ::fork();
    if (writers[writer] != 0) continue;
    int code = 0;
    try {
      for (int k = 0; k < kEach; ++k) {
        History history(nights.file(), IfMissing::kCreate);  // both may be the one that makes it
        nights.Add(history, nights.root.path() / fmt::format("night{}", 2 * k + writer));
      }
    } catch (const std::exception&) {
      code = 1;
    }
    ::_exit(code);
  }
  for (const pid_t writer : writers) {
    int state = 0;
    ::waitpid(writer, &state, 0);
    CHECK(state == 0);
  }
  History history(nights.file());
  CHECK(history.Runs().size() == 2 * kEach);
}

TEST_CASE("A writer that is killed leaves whole runs alone, and another one goes on") {
  const NightFolders nights;
  constexpr int kRuns = 20;
  for (int night = 0; night < kRuns; ++night) nights.Write(night);
  { History make(nights.file(), IfMissing::kCreate); }
  const pid_t writer = ::fork();
  if (writer == 0) {
    History history(nights.file());
    for (int night = 0; night < kRuns; ++night) {
      nights.Add(history, nights.root.path() / fmt::format("night{}", night));
    }
    ::_exit(0);
  }
  History history(nights.file());
  while (history.Runs().empty()) std::this_thread::sleep_for(std::chrono::microseconds(100));
  ::kill(writer, SIGKILL);
  ::waitpid(writer, nullptr, 0);
  CHECK(history.Runs().size() >= 1);
  for (int night = 0; night < kRuns; ++night) {
    nights.Add(history, nights.root.path() / fmt::format("night{}", night));
  }
  const std::vector<HistoryRun> runs = history.Runs();
  CHECK(runs.size() == kRuns);
  for (const HistoryRun& run : runs) {
    CHECK(history.Values(run.id, {"relative_error", "rmse_nm@validation"}).size() == 8);
  }
  SqliteDatabase database(nights.file(), IfMissing::kRefuse);
  SqlStatement check = database.Prepare("PRAGMA integrity_check");
  REQUIRE(check.Step());
  CHECK(check.Text(0) == "ok");
}

TEST_CASE("Runs are listed as a table with aligned columns") {
  HistoryRun run;
  run.id = 7;
  run.finished = "2026-03-01T02:00:00Z";
  run.scenario = "demo";
  run.cells = 8;
  run.trials = 100;
  run.commit = "0123456789ab";
  run.processor = "P";
  run.kernel = "avx2";
  run.folder = "/out/demo";
  CHECK(RenderHistory({run}) ==
        "run  finished              scenario  cells × trials  commit        machine  folder\n"
        "7    2026-03-01T02:00:00Z  demo      8 × 100         0123456789ab  P, avx2  /out/demo\n");
}

}  // namespace
}  // namespace idbench
