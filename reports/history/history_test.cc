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

TEST_CASE("The runs that began last come first, by scenario and up to a limit") {
  const NightFolders nights;
  History history(nights.file(), IfMissing::kCreate);
  for (const int night : {1, 2, 3}) {
    nights.Add(history, nights.Write(night, [night](Json& manifest) {
      manifest["started"] = fmt::format("2026-03-0{}T02:00:00Z", 4 - night);
      if (night == 2) manifest["scenario"]["name"] = "other";
    }));
  }
  const auto ids = [&](const std::string& scenario, std::int64_t limit) {
    std::vector<std::int64_t> list;
    for (const HistoryRun& run : history.Runs(scenario, limit)) list.push_back(run.id);
    return list;
  };
  CHECK(ids("", 0) == std::vector<std::int64_t>{1, 2, 3});  // the third one began first
  CHECK(ids("", 2) == std::vector<std::int64_t>{1, 2});
  CHECK(ids("sample", 0) == std::vector<std::int64_t>{1, 3});
  CHECK(ids("none", 0).empty());
  CHECK(history.Scenarios() == std::vector<std::string>{"sample", "other"});
}

TEST_CASE("A run that was copied keeps its place; one that does not tell its time has its files'") {
  const NightFolders nights;
  History history(nights.file(), IfMissing::kCreate);
  const auto add = [&](int night, const char* started, int hours_ago) {
    const fs::path folder = nights.Write(night, [&](Json& manifest) {
      if (*started != '\0') manifest["started"] = started;
    });
    fs::last_write_time(folder / "records.jsonl",
                        fs::file_time_type::clock::now() - std::chrono::hours(hours_ago));
    nights.Add(history, folder);
  };
  add(1, "2020-03-01T02:00:00Z", 0);  // its files are the newest
  add(2, "", 48);
  add(3, "", 24);
  const std::vector<HistoryRun> runs = history.Runs();
  REQUIRE(runs.size() == 3);
  CHECK(runs[0].id == 3);
  CHECK(runs[0].started == runs[0].finished);
  CHECK(runs[1].id == 2);
  CHECK(runs[2].started == "2020-03-01T02:00:00Z");
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

TEST_CASE("The latest decision comes first, and a run that was not accepted not at all") {
  const NightFolders nights;
  History history(nights.file(), IfMissing::kCreate);
  for (const int night : {1, 2, 3, 4}) nights.Add(history, nights.Write(night));
  history.Judge(1, {.verdict = "first run", .accepted = true, .pinned = true});
  history.Judge(2, {.verdict = "pass", .baselines = {"/a", "/b"}, .accepted = true});
  history.Judge(3, {.verdict = "regression", .reason = "5 % worse"});
  const auto accepted = [&] {
    std::vector<std::int64_t> list;
    for (const HistoryRun& run : history.Accepted("sample")) list.push_back(run.id);
    return list;
  };
  CHECK(accepted() == std::vector<std::int64_t>{2, 1});
  CHECK(history.Accepted("other").empty());
  const Judgement pass = history.Find("2").judgement.value();
  CHECK(pass.verdict == "pass");
  CHECK(pass.baselines == std::vector<std::string>{"/a", "/b"});
  CHECK_FALSE(pass.pinned);
  const RunFolder fifth(nights.Write(5));
  const std::int64_t added = history.Add(fifth, Summarise(fifth), pass).first;
  CHECK(accepted().front() == added);
  history.Judge(added, {.verdict = "inconclusive"});  // decided anew
  CHECK(accepted() == std::vector<std::int64_t>{2, 1});
  CHECK_FALSE(history.Find("4").judgement);

  history.Accept(3);  // a change that is wanted
  CHECK(accepted() == std::vector<std::int64_t>{3, 2, 1});
  const Judgement acknowledged = history.Find("3").judgement.value();
  CHECK(acknowledged.verdict == "regression");
  CHECK(acknowledged.reason == "5 % worse");
  CHECK(acknowledged.pinned);
  history.Accept(1);  // it was not, after all
  CHECK(accepted() == std::vector<std::int64_t>{1, 3, 2});
}

TEST_CASE("A run is found by its number or its folder, and what is not there is told") {
  const NightFolders nights;
  History history(nights.file(), IfMissing::kCreate);
  const fs::path folder = nights.Write(1);
  nights.Add(history, folder);
  CHECK(history.Find("1").id == 1);
  CHECK(history.Find((folder / ".." / "night1").string()).id == 1);
  CHECK(nights.Message([&] { history.Find("2"); }) ==
        "h/history.sqlite: holds no run '2'\n  `idbench history list` tells the runs by number; a "
        "folder is found if it stands where it was added");
  CHECK(nights.Message([&] { history.Accept(2); }) != "");
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
  run.started = "2026-03-01T02:00:00Z";
  run.scenario = "demo";
  run.cells = 8;
  run.trials = 100;
  run.commit = "0123456789ab";
  run.processor = "P";
  run.kernel = "avx2";
  run.folder = "/d";
  HistoryRun judged = run;
  judged.id = 8;
  judged.judgement = Judgement{.verdict = "regression", .accepted = true, .pinned = true};
  CHECK(RenderHistory({run, judged}) ==
        "run  started               scenario  verdict     baseline  cells × trials  commit        "
        "machine  folder\n"
        "7    2026-03-01T02:00:00Z  demo                            8 × 100         0123456789ab  "
        "P, avx2  /d\n"
        "8    2026-03-01T02:00:00Z  demo      regression  pinned    8 × 100         0123456789ab  "
        "P, avx2  /d\n");
}

}  // namespace
}  // namespace idbench
