#include "bench/identify_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bench/identify/identify.h"
#include "bench/run/exit_code.h"
#include "bench/stop_signal.h"
#include "reports/files/utc_time.h"
#include "robots/log_columns.h"

namespace idbench {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

/// CHANNEL=TEXT of an option.
Labelled<std::string> ByChannel(const po::variables_map& values, const std::string& option) {
  Labelled<std::string> all;
  if (!values.count(option)) return all;
  for (const std::string& text : values[option].as<std::vector<std::string>>()) {
    const std::size_t sign = text.find('=');
    const std::string channel = text.substr(0, sign);
    if (sign == std::string::npos || sign + 1 == text.size() ||
        std::ranges::find(kIdentifyingChannels, channel) == kIdentifyingChannels.end()) {
      throw UsageError(
          fmt::format("--{}: got '{}'\n  accepted here: CHANNEL=…, with one of {} for CHANNEL; "
                      "velocities and accelerations are derived from positions",
                      option, text, fmt::join(kIdentifyingChannels, ", ")));
    }
    all.emplace_back(channel, text.substr(sign + 1));
  }
  return all;
}

std::vector<fs::path> PathsOf(const po::variables_map& values, const std::string& option) {
  std::vector<fs::path> paths;
  if (!values.count(option)) return paths;
  for (const std::string& path : values[option].as<std::vector<std::string>>()) {
    paths.emplace_back(path);
  }
  return paths;
}

IdentifyOptions OptionsOf(const po::variables_map& values) {
  IdentifyOptions options;
  if (!values.count("robot")) throw UsageError("identify: which robot? A name or a model file");
  options.robot = values["robot"].as<std::string>();
  options.logs = PathsOf(values, "log");
  if (options.logs.empty()) throw UsageError("identify: which log? Give at least one file");
  options.validation = PathsOf(values, "validate");
  options.told.columns = ByChannel(values, "columns");
  options.told.units = ByChannel(values, "unit");
  if (values.count("rate")) {
    options.told.rate_hz = values["rate"].as<double>();
    if (!(*options.told.rate_hz > 0.0)) throw UsageError("--rate: got a rate that is not positive");
  }
  options.jobs = values["jobs"].as<int>();
  if (options.jobs < 1) throw UsageError("--jobs: at least 1");
  options.folder = values.count("out")
                       ? fs::path(values["out"].as<std::string>())
                       : fs::path("out") / "identify" / UtcStamp(std::time(nullptr));
  std::error_code ignored;
  if (fs::exists(options.folder, ignored) && !fs::is_empty(options.folder, ignored)) {
    throw UsageError(fmt::format("--out: {} is there and not an empty folder\n  name another",
                                 options.folder.string()));
  }
  return options;
}

int RunIdentify(const po::variables_map& values) {
  const IdentifyOptions options = OptionsOf(values);
  const IdentifyResult result = Identify(options, &StopOnSignals());
  if (result.interrupted) {
    fmt::print(stderr, "interrupted; {} holds what was done until then\n", options.folder.string());
    return kExitExecution;
  }
  fmt::print("{}", result.text);
  return result.exported ? kExitFine : kExitExecution;
}

}  // namespace

Command IdentifyCommand() {
  Command identify{"identify",
                   "ROBOT LOG…",
                   "identify a robot from logs of any kind, without a scenario",
                   po::options_description("options"),
                   {"robot", "log…"},
                   &RunIdentify};
  const auto several = [](const char* name) {
    return po::value<std::vector<std::string>>()->composing()->value_name(name);
  };
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  identify.options.add_options()  //
      ("validate", several("LOG"),
       "judge the model on this log instead of the last 30 % of each LOG; may be given several "
       "times")  //
      ("out", po::value<std::string>()->value_name("DIR"),
       "write everything to this folder (default: out/identify/<time>)")  //
      ("columns", several("CHANNEL=PATTERN"),
       "say which columns hold a channel, as in joint_torque=tau_J{1..7}, if they are not "
       "found")                                                                            //
      ("unit", several("CHANNEL=UNIT"), "say a channel's unit, as in joint_position=deg")  //
      ("rate", po::value<double>()->value_name("HZ"),
       "take the rows as equally spaced at this rate, whatever their time")  //
      ("jobs", po::value<int>()->default_value(cores)->value_name("J"), "use J threads");
  return identify;
}

}  // namespace idbench
