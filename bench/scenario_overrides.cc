#include "bench/scenario_overrides.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <string>

#include "bench/run/exit_code.h"

namespace idbench {

namespace po = boost::program_options;

void AddScenarioOptions(po::options_description& options, bool trials) {
  if (trials) {
    options.add_options()("trials", po::value<std::int64_t>()->value_name("N"),
                          "set the number of Monte Carlo trials of each cell");
  }
  options.add_options()  //
      ("seed", po::value<std::string>()->value_name("S"),
       "set the seed of all random numbers")  //
      ("set", po::value<std::vector<std::string>>()->composing()->value_name("/POINTER=VALUE"),
       "set a value in the scenario; may be given several times");
}

std::vector<Override> OverridesOf(const po::variables_map& values) {
  std::vector<Override> overrides;
  if (values.count("set")) {
    for (const std::string& text : values["set"].as<std::vector<std::string>>()) {
      const std::size_t equals = text.find('=');
      if (equals == std::string::npos || !text.starts_with('/')) {
        throw UsageError(
            fmt::format("--set: got '{}'\n  accepted here: /json/pointer=value", text));
      }
      overrides.push_back({text.substr(0, equals), text.substr(equals + 1)});
    }
  }
  if (values.count("trials")) {
    overrides.push_back({"/trials", std::to_string(values["trials"].as<std::int64_t>())});
  }
  if (values.count("seed")) {
    // Read as an integer without sign, -1 would be 2⁶⁴ − 1.
    const std::string text = values["seed"].as<std::string>();
    std::uint64_t seed = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
    if (error != std::errc() || end != text.data() + text.size()) {
      throw UsageError(
          fmt::format("--seed: got {}\n  accepted here: an integer from 0 to 2^64 - 1", text));
    }
    overrides.push_back({"/seed", std::to_string(seed)});
  }
  return overrides;
}

}  // namespace idbench
