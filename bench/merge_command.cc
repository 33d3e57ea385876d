#include "bench/merge_command.h"

#include <fmt/format.h>

#include <filesystem>

#include "bench/lost_estimators_exit.h"
#include "bench/run/exit_code.h"
#include "bench/run/identified.h"
#include "reports/files/atomic_file.h"
#include "reports/report.h"
#include "reports/run/merge_runs.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

namespace po = boost::program_options;

int Merge(const po::variables_map& values) {
  if (!values.count("out") || !values.count("folder")) {
    throw UsageError("merge: which folders? Give the one to make, then those of the shards");
  }
  const std::filesystem::path out = values["out"].as<std::string>();
  const auto names = values["folder"].as<std::vector<std::string>>();
  const MergeResult result = MergeRuns({names.begin(), names.end()}, out);
  for (const std::string& note : result.notes) fmt::print(stderr, "note: {}\n", note);
  if (const std::filesystem::path file = out / "identified.json"; std::filesystem::exists(file)) {
    WriteAtomically(out / "identified.md", IdentifiedMarkdown(ReadJsonFile(file)));
  }
  const Report report = WriteReport(out);
  fmt::print("{}\n", report.markdown);
  fmt::print("merged {} folders: {} trials", names.size(), result.trials);
  if (result.repeated > 0) {
    fmt::print(", {} of them from more than one, with the same bytes", result.repeated);
  }
  fmt::print("\nreport: {}\n", (out / "report.md").string());
  return TellLost(report.lost, values.count("strict") > 0);
}

}  // namespace

Subcommand MergeCommand() {
  Subcommand merge{"merge",
                   "OUT DIR…",
                   "merge the folders of shards (idbench run --shard) into one run folder",
                   po::options_description("options"),
                   {"out", "folder…"},
                   &Merge};
  merge.options.add_options()("strict", kStrictHelp);
  return merge;
}

}  // namespace idbench
