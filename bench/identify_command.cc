#include "bench/identify_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <ranges>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "bench/identify/identify.h"
#include "bench/part_options.h"
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

/// CHANNEL=NUMBER,NUMBER… of an option.
Labelled<PerJoint> NumbersByChannel(const po::variables_map& values, const std::string& option) {
  Labelled<PerJoint> all;
  for (const auto& [channel, text] : ByChannel(values, option)) {
    PerJoint numbers{{}};
    for (const auto part : std::views::split(text, ',')) {
      const std::string_view number(part.begin(), part.end());
      double value = 0.0;
      const auto [end, error] =
          std::from_chars(number.data(), number.data() + number.size(), value);
      if (error != std::errc() || end != number.data() + number.size() || !std::isfinite(value)) {
        throw UsageError(fmt::format(
            "--{}: got '{}' in '{}={}'\n  accepted here: CHANNEL=NUMBER, or a number of each joint "
            "between commas, as in joint_torque=12.5,-12.5,8",
            option, number, channel, text));
      }
      numbers.values.push_back(value);
    }
    all.emplace_back(channel, std::move(numbers));
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
  options.part = PartOf(values);
  options.logs = PathsOf(values, "log");
  if (options.logs.empty()) throw UsageError("identify: which log? Give at least one file");
  options.validation = PathsOf(values, "validate");
  options.told.columns = ByChannel(values, "columns");
  options.told.units = ByChannel(values, "unit");
  options.told.factors = NumbersByChannel(values, "factor");
  options.told.offsets = NumbersByChannel(values, "offset");
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
  const IdentifyResult result = [&options] {
    try {
      return Identify(options, &StopOnSignals());
    } catch (const PartError& error) {
      throw UsageError(PartRefusal(error));
    }
  }();
  if (result.interrupted) {
    fmt::print(stderr, "interrupted; {} holds what was done until then\n", options.folder.string());
    return kExitExecution;
  }
  fmt::print("{}", result.text);
  return result.exported ? kExitFine : kExitExecution;
}

}  // namespace

Subcommand IdentifyCommand() {
  Subcommand identify{"identify",
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
       "say which columns hold a channel, as in joint_torque='tau_J{1..7}', if they are not "
       "found")                                                                            //
      ("unit", several("CHANNEL=UNIT"), "say a channel's unit, as in joint_position=deg")  //
      ("factor", several("CHANNEL=F1,F2"),
       "take a channel's columns times these factors, as in joint_torque=12.5,-12.5,8: drive "
       "gains, "
       "gear ratios, signs; one number, or one of each joint")  //
      ("offset", several("CHANNEL=O1,O2"),
       "take a channel's columns plus these numbers then, in rad, m, N·m or N, as in "
       "joint_position=0,1.5708,0: zeros of encoders")  //
      ("rate", po::value<double>()->value_name("HZ"),
       "take the rows as equally spaced at this rate, whatever their time")  //
      ("jobs", po::value<int>()->default_value(cores)->value_name("J"), "use J threads");
  AddPartOptions(identify.options, false);
  return identify;
}

}  // namespace idbench
