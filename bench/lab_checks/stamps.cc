#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
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

std::vector<LabFinding> TellJitter(const LabContext& context) {
  constexpr double kJitter = 0.05;  // of a step, by which half of the steps are off
  std::vector<double> steps;
  double duration = 0.0;
  for (const Dataset& segment : context.log.recorded) {
    const Eigen::VectorXd& time_s = segment.Get(kJointPosition).time_s;
    for (Eigen::Index i = 1; i < time_s.size(); ++i) steps.push_back(time_s[i] - time_s[i - 1]);
    if (time_s.size() > 1) duration += time_s[time_s.size() - 1] - time_s[0];
  }
  if (steps.size() < 2 || !(duration > 0.0)) return {};
  const auto median = [](std::vector<double>& values) {
    const auto middle = values.begin() + std::ssize(values) / 2;
    std::ranges::nth_element(values, middle);
    return *middle;
  };
  const double rate_hz = static_cast<double>(steps.size()) / duration;
  const double usual = median(steps);
  for (double& step : steps) step = std::abs(step - usual);
  const double off = median(steps) / usual;
  if (off < kJitter) return {};
  return {{.check = "jittered_stamps",
           .joint = "",
           .evidence = fmt::format(
               "half of the steps of time are off the usual one of {:.3g} ms by more than {:.0f} %",
               1e3 * usual, 100.0 * off),
           .cure = fmt::format(
               "if samples were taken at a steady rate and stamped when they arrived, state the "
               "rate in place of the stamps, --rate {:.4g}, and see which predicts better",
               rate_hz)}};
}

}  // namespace idbench
