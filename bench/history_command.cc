#include "bench/history_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/run/exit_code.h"
#include "reports/files/atomic_file.h"
#include "reports/history/history.h"
#include "reports/history/trend_page.h"
#include "reports/run/run_status.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

namespace po = boost::program_options;

using Values = po::variables_map;

int AddRuns(const Values& values) {
  if (!values.count("run")) throw UsageError("history add: which run folders?");
  History history(values["db"].as<std::string>(), IfMissing::kCreate);
  for (const std::string& name : values["run"].as<std::vector<std::string>>()) {
    const RunFolder folder(name);
    ReadRunStatus(name);  // refuses a run whose records were cut
    const auto [id, is_new] = history.Add(folder, Summarise(folder));
    fmt::print("{} as run {}: {}\n", is_new ? "added" : "already there", id, name);
  }
  return kExitFine;
}

int AcceptRuns(const Values& values) {
  if (!values.count("run")) throw UsageError("history accept: which runs, by number or folder?");
  History history(values["db"].as<std::string>());
  for (const std::string& name : values["run"].as<std::vector<std::string>>()) {
    const HistoryRun run = history.Find(name);
    if (std::filesystem::exists(run.folder)) ReadRunStatus(run.folder);  // likewise
    history.Accept(run.id);
    fmt::print("accepted and pinned run {} of {}, of {}\n", run.id, run.scenario, run.started);
  }
  return kExitFine;
}

/// Leaves the mark of a pin to the run of each scenario that was pinned last: it alone counts.
void ShowStandingPins(const History& history, std::vector<HistoryRun>& runs) {
  std::map<std::string, std::int64_t> standing;
  for (HistoryRun& run : runs) {
    if (!run.judgement || !run.judgement->pinned) continue;
    if (!standing.contains(run.scenario)) {
      for (const HistoryRun& accepted : history.Accepted(run.scenario)) {
        if (!accepted.judgement->pinned) continue;
        standing[run.scenario] = accepted.id;
        break;
      }
    }
    run.judgement->pinned = standing[run.scenario] == run.id;
  }
}

int ListRuns(const Values& values) {
  const History history(values["db"].as<std::string>());
  std::vector<HistoryRun> runs =
      history.Runs(values.count("scenario") ? values["scenario"].as<std::string>() : std::string(),
                   values["limit"].as<std::int64_t>());
  ShowStandingPins(history, runs);
  fmt::print("{}", runs.empty() ? "no runs\n" : RenderHistory(runs));
  return kExitFine;
}

int PlotTrends(const Values& values) {
  const History history(values["db"].as<std::string>());
  const std::string file = values["out"].as<std::string>();
  WriteAtomically(file, RenderTrends(Trends(history), ChartScript()));
  fmt::print("trends: {}\n", file);
  return kExitFine;
}

struct Action {
  std::string_view name;
  int (*run)(const Values&);
  bool takes_runs = false;
};
constexpr Action kActions[] = {{"add", &AddRuns, true},
                               {"accept", &AcceptRuns, true},
                               {"list", &ListRuns},
                               {"plot", &PlotTrends}};

int Dispatch(const Values& values) {
  if (!values.count("action")) throw UsageError("history: add, accept, list or plot?");
  const std::string name = values["action"].as<std::string>();
  const auto* const action = std::ranges::find(kActions, name, &Action::name);
  const bool known = action != std::end(kActions);
  if (values.count("run") && !(known && action->takes_runs)) {
    throw UsageError(fmt::format("history {}: takes no run folders", name));
  }
  if (known) return action->run(values);
  std::vector<std::string> names;
  for (const Action& accepted : kActions) names.emplace_back(accepted.name);
  throw UsageError(fmt::format("history: no such action: '{}'\n  {}", name,
                               fmt::join(AcceptedNames(name, names), "\n  ")));
}

}  // namespace

Subcommand HistoryCommand() {
  Subcommand history{"history",
                     "add|accept RUN… | list | plot",
                     "keep statistics and verdicts of runs, accept runs, show trends",
                     po::options_description("options"),
                     {"action", "run…"},
                     &Dispatch};
  history.options.add_options()  //
      ("db", po::value<std::string>()->default_value(kDefaultHistory)->value_name("FILE"),
       "use this history file")  //
      ("scenario", po::value<std::string>()->value_name("NAME"),
       "list only the runs of this scenario")  //
      ("limit", po::value<std::int64_t>()->default_value(20)->value_name("N"),
       "list the latest N runs; 0: all")  //
      ("out", po::value<std::string>()->default_value("out/trends.html")->value_name("FILE"),
       "write the page of plot to this file");
  return history;
}

}  // namespace idbench
