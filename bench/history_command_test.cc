#include "bench/history_command.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "bench/captured_output_test.h"
#include "bench/small_run_test.h"
#include "reports/history/history.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("history adds, lists and plots runs at the command line") {
  const TemporaryFolder folder;
  const auto path = [&](const char* name) { return (folder.path() / name).string(); };
  Records(Description(), folder.path() / "r");
  const std::string db = path("h.sqlite");
  const ProgramResult add = Call({"history", "add", path("r"), "--db", db});
  CHECK(add.code == 0);
  CHECK(add.output == "added as run 1: " + path("r") + "\n");
  CHECK(Call({"history", "add", path("r"), "--db", db}).output ==
        "already there as run 1: " + path("r") + "\n");
  CHECK(Has(Call({"history", "list", "--db", db}).output, path("r")));
  CHECK(Call({"history", "list", "--db", db, "--scenario", "x"}).output == "no runs\n");
  const ProgramResult plot = Call({"history", "plot", "--db", db, "--out", path("t.html")});
  CHECK(plot.output == "trends: " + path("t.html") + "\n");
  CHECK(Has(ReadText(path("t.html")), "<h2>r</h2>"));
}

TEST_CASE("history accepts and pins a run by its number or folder, and lists that") {
  const TemporaryFolder folder;
  const auto path = [&](const char* name) { return (folder.path() / name).string(); };
  const std::string db = path("h.sqlite");
  for (const int seed : {1, 2}) {
    Json json = Description();
    json["seed"] = seed;
    const std::string run = path(seed == 1 ? "a" : "b");
    Records(json, run);
    CHECK(Call({"history", "add", run, "--db", db}).code == 0);
  }
  const ProgramResult accept = Call({"history", "accept", "2", path("a"), "--db", db});
  CHECK(accept.code == 0);
  CHECK(accept.output.starts_with("accepted and pinned run 2 of r, of 20"));
  CHECK(Has(accept.output, "\naccepted and pinned run 1 of r, of 20"));
  const History history(db);
  REQUIRE(history.Accepted("r").size() == 2);
  CHECK(history.Accepted("r")[0].id == 1);  // the later decision
  // Only the later decision is the standing one.
  const std::string list = Call({"history", "list", "--db", db}).output;
  CHECK(Has(list, "  pinned    2 × 9"));
  CHECK(Has(list, "  accepted  2 × 9"));
  const std::string records = ReadText(folder.path() / "a" / "records.jsonl");
  const std::size_t last_trial = records.rfind("{\"cell\":1,\"trial\":8,\"estimator\":\"ols\"");
  REQUIRE(last_trial != std::string::npos);
  folder.Write("a/records.jsonl", records.substr(0, last_trial));
  CHECK(Has(Call({"history", "accept", "1", "--db", db}).errors, "the run had finished"));
  CHECK(Has(Call({"history", "add", path("a"), "--db", db}).errors, "the run had finished"));
  const ProgramResult unknown = Call({"history", "accept", "7", "--db", db});
  CHECK(unknown.code == 2);
  CHECK(unknown.errors.starts_with(db + ": holds no run '7'\n"));
}

TEST_CASE("Wrong calls of history are answered with what is accepted") {
  CHECK(Call({"history"}).errors == "history: add, accept, list or plot?\n");
  CHECK(Call({"history", "add"}).errors == "history add: which run folders?\n");
  CHECK(Call({"history", "accept"}).errors == "history accept: which runs, by number or folder?\n");
  CHECK(Call({"history", "list", "x"}).errors == "history list: takes no run folders\n");
  CHECK(Call({"history", "plod"}).errors ==
        "history: no such action: 'plod'\n  accepted here: add, accept, list, plot\n  did you mean "
        "'plot'?\n");
  CHECK(Call({"history", "list", "--db", "/nowhere/h"}).code == 2);
}

}  // namespace
}  // namespace idbench
