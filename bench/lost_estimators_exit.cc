#include "bench/lost_estimators_exit.h"

#include <fmt/format.h>

#include "bench/run/exit_code.h"
#include "scenarios/options/json.h"

namespace idbench {

int TellLost(const LostEstimators& lost, bool strict) {
  for (const std::string& sentence : lost.in_cells) fmt::print(stderr, "{}\n", sentence);
  for (const std::string& sentence : lost.everywhere) fmt::print(stderr, "{}\n", sentence);
  Json expected = Json::object();
  for (const auto& [label, outcome] : lost.outcomes) expected[label] = outcome;
  if (!expected.empty()) {
    fmt::print(stderr,
               "  where that is meant, write into the scenario: \"expected_failures\": {}\n",
               expected.dump());
  }
  const bool failed = !lost.everywhere.empty() || (strict && !lost.in_cells.empty());
  return failed ? kExitExecution : kExitFine;
}

}  // namespace idbench
