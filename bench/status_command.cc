#include "bench/status_command.h"

#include <fmt/format.h>

#include "bench/choice.h"
#include "bench/run/exit_code.h"
#include "reports/run/run_status.h"
#include "scenarios/options/json.h"
#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

namespace po = boost::program_options;

int Status(const po::variables_map& values) {
  if (!values.count("folder")) throw UsageError("status: which run folders?");
  const auto format =
      ParseChoice<OutputFormat>("status: --format", values["format"].as<std::string>());
  std::vector<RunStatus> runs;
  for (const std::string& folder : values["folder"].as<std::vector<std::string>>()) {
    runs.push_back(ReadRunStatus(folder));
  }
  fmt::print("{}", format == OutputFormat::kJson ? JsonText(StatusToJson(runs), 2) + "\n"
                                                 : RenderStatus(runs));
  return kExitFine;
}

}  // namespace

Subcommand StatusCommand() {
  Subcommand status{"status",
                    "DIR…",
                    "show the progress of runs, finished or not",
                    po::options_description("options"),
                    {"folder…"},
                    &Status};
  status.options.add_options()("format",
                               po::value<std::string>()->default_value("text")->value_name("F"),
                               "print this format: text or json");
  return status;
}

}  // namespace idbench
