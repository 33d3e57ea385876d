#include "bench/nightly_command.h"

#include <fmt/format.h>

#include <ctime>
#include <filesystem>

#include "bench/nightly/nightly.h"
#include "bench/nightly/nightly_page.h"
#include "bench/run/provenance.h"
#include "bench/stop_signal.h"
#include "reports/files/atomic_file.h"
#include "reports/files/utc_time.h"
#include "reports/history/history.h"
#include "reports/history/trend_page.h"

namespace idbench {
namespace {

namespace po = boost::program_options;

constexpr const char* kDefaultSuite = "scenarios/nightly.json";

int Nightly(const po::variables_map& values) {
  const NightlyPlaces places{
      values.count("suite") ? values["suite"].as<std::string>() : kDefaultSuite,
      values["out"].as<std::string>(), values["history"].as<std::string>()};
  const NightlyHeading heading{places.suite.string(), UtcText(std::time(nullptr)), Commit()};
  const std::vector<NightlyResult> results =
      RunNightly(places, StopOnSignals(), [&](const std::vector<NightlyResult>& so_far) {
        WriteNightlyPages(heading, so_far, places.out);
      });
  WriteAtomically(places.out / "trends.html",
                  RenderTrends(Trends(History(places.history)), ChartScript()));
  fmt::print("{}page: {}\n", NightlyToText(results), (places.out / "index.html").string());
  return WorstExitCode(results);
}

}  // namespace

Subcommand NightlyCommand() {
  Subcommand nightly{"nightly",
                     "[SUITE]",
                     "run a suite of scenarios (default: scenarios/nightly.json) and compare each "
                     "with the runs that were accepted and pinned last",
                     po::options_description("options"),
                     {"suite"},
                     &Nightly};
  nightly.options.add_options()  //
      ("out", po::value<std::string>()->default_value("out/nightly")->value_name("DIR"),
       "write the runs, index.html, nightly.json and junit.xml to this folder")  //
      ("history", po::value<std::string>()->default_value(kDefaultHistory)->value_name("FILE"),
       "use this history file")  //
      ("isa", po::value<std::string>()->value_name("SET"),
       "use this instruction set in the kernel: baseline, avx2 or avx512 (default: the widest)");
  return nightly;
}

}  // namespace idbench
