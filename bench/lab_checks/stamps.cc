#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "bench/lab_checks/lab_context.h"
#include "robots/recording/resample.h"

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
  const Eigen::VectorXd& stamps = context.log.stamps_s;
  Eigen::Index repeated = 0, longest = 0, run = 0;
  double first = 0.0;
  std::vector<double> steps;
  for (Eigen::Index i = 1; i < stamps.size(); ++i) {
    const double step = stamps[i] - stamps[i - 1];
    if (step > 0.0) steps.push_back(step);
    run = step == 0.0 ? run + 1 : 0;
    longest = std::max(longest, run);
    if (step != 0.0) continue;
    if (repeated++ == 0) first = stamps[i];
  }
  if (repeated == 0) return {};
  return {{.check = "repeated_stamps",
           .joint = "",
           .evidence = fmt::format(
               "{} of {} samples have the time stamp of the sample before, the first at t = {:.6g} "
               "s, up to {} in a row: stamps are coarser than the rate, or samples were written "
               "twice",
               repeated, stamps.size(), first, longest + 1),
           .cure = "state the rate of the log in place of its stamps if samples are equally spaced; "
                   "drop the repeated rows if they repeat the sample too"}};
}

}  // namespace idbench
