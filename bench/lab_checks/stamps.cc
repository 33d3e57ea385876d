#include <fmt/format.h>

#include <vector>

#include "bench/lab_checks/lab_context.h"

namespace idbench {

std::vector<LabFinding> TellGaps(const LabContext& context) {
  if (context.log.breaks.empty()) return {};
  constexpr std::size_t kTold = 3;
  std::vector<std::string> each;
  double missing = 0.0;
  for (const TimeBreak& at : context.log.breaks) {
    if (each.size() < kTold) each.push_back(at.Describe());
    if (!at.restarts()) missing += at.to_s - at.from_s;
  }
  const std::size_t count = context.log.breaks.size();
  std::string evidence = fmt::format("{}", fmt::join(each, "; "));
  if (count > kTold) evidence += fmt::format("; and {} more", count - kTold);
  if (missing > 0.0) evidence += fmt::format(" ({:.3g} s are missing in all)", missing);
  return {{.check = "gaps",
           .joint = "",
           .evidence = std::move(evidence),
           .cure = "nothing was filled in: each part is filtered and differentiated alone. Record "
                   "again if the parts are short; look for what kept the logger from writing"}};
}

std::vector<LabFinding> TellRepeatedStamps(const LabContext& context) {
  const StampCount& stamps = context.log.stamps;
  if (stamps.repeated == 0) return {};
  return {
      {.check = "repeated_stamps",
       .joint = "",
       .evidence = fmt::format(
           "{} of {} samples have the time stamp of the sample before and were left out: stamps "
           "are coarser than the rate, or samples were written twice",
           stamps.repeated, stamps.rows),
       .cure = "state the rate of the log in place of its stamps if samples are equally spaced; "
               "drop the repeated rows if they repeat the sample too"}};
}

}  // namespace idbench
