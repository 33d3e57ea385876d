#include "bench/lost_estimators_exit.h"

#include <fmt/format.h>

#include "bench/run/exit_code.h"

namespace idbench {

int TellLost(const LostEstimators& lost, bool strict) {
  for (const std::string& sentence : lost.in_cells) fmt::print(stderr, "{}\n", sentence);
  for (const std::string& sentence : lost.everywhere) fmt::print(stderr, "{}\n", sentence);
  if (!lost.everywhere.empty()) {
    fmt::print(
        stderr,
        "  that is exit code 5; where it is meant, write \"expected_failures\": {{\"label\": "
        "\"outcome\"}} into the scenario\n");
    return kExitExecution;
  }
  return strict && !lost.in_cells.empty() ? kExitExecution : kExitFine;
}

}  // namespace idbench
