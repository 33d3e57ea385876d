#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "bench/lab_checks/lab_context.h"

namespace idbench {
namespace {

/// A joint stands if its position stays within this part of its range over kWindow.
constexpr double kStillPart = 0.002;
constexpr double kWindow = 0.5;  ///< [s]
/// Least duration in a row that is told [s], and least part of the log.
constexpr double kLeastStill = 1.0;
constexpr double kLeastPart = 0.05;

double RangeOf(const Eigen::VectorXd& x) { return x.maxCoeff() - x.minCoeff(); }

/// Time over which nothing moves, in rows that begin it [s, s].
std::vector<std::pair<double, double>> StillTimes(const Channel& q, const Eigen::VectorXd& ranges) {
  std::vector<std::pair<double, double>> still;
  const Eigen::Index count = q.time_s.size();
  if (count < 3) return still;
  const double step = (q.time_s[count - 1] - q.time_s[0]) / static_cast<double>(count - 1);
  const auto window = std::max<Eigen::Index>(2, static_cast<Eigen::Index>(kWindow / step));
  for (Eigen::Index first = 0; first + window <= count; first += window) {
    bool moves = false;
    for (Eigen::Index j = 0; j < q.samples.cols() && !moves; ++j) {
      moves = RangeOf(q.samples.col(j).segment(first, window)) > kStillPart * ranges[j];
    }
    if (moves) continue;
    const double from = q.time_s[first], to = q.time_s[first + window - 1];
    if (!still.empty() && from - still.back().second < 2.0 * step) {
      still.back().second = to;
    } else {
      still.emplace_back(from, to);
    }
  }
  std::erase_if(still, [](const auto& each) { return each.second - each.first < kLeastStill; });
  return still;
}

}  // namespace

std::vector<LabFinding> TellStandingStill(const LabContext& context) {
  const Eigen::Index n = context.model().dofs();
  Eigen::VectorXd low = Eigen::VectorXd::Constant(n, 1e300), high = -low;
  double duration = 0.0;
  for (const Dataset& segment : context.log.recorded) {
    const Channel& q = segment.Get(kJointPosition);
    low = low.cwiseMin(q.samples.colwise().minCoeff().transpose());
    high = high.cwiseMax(q.samples.colwise().maxCoeff().transpose());
    duration += q.time_s[q.time_s.size() - 1] - q.time_s[0];
  }
  const Eigen::VectorXd ranges = high - low;
  std::vector<LabFinding> findings;
  std::vector<std::string> never;
  for (const int j : NeverMoving(ranges)) never.push_back(context.joint(j));
  if (!never.empty()) {
    findings.push_back(
        {.check = "standing_still",
         .joint = fmt::format("{}", fmt::join(never, ", ")),
         .evidence = fmt::format("never moves by more than {:.2g} % of the joint that moves most",
                                 100.0 * kNeverMoves),
         .cure = "what only this motion shows of the robot stays unknown: move the joint, or hold "
                 "it in the model (--joints with the others, --held-at with its place)"});
  }
  std::vector<std::string> told;
  double still = 0.0;
  for (const Dataset& segment : context.log.recorded) {
    for (const auto& [from, to] : StillTimes(segment.Get(kJointPosition), ranges)) {
      still += to - from;
      if (told.size() < 3) told.push_back(fmt::format("{:.4g} to {:.4g} s", from, to));
    }
  }
  if (still < kLeastPart * duration || still < kLeastStill) return findings;
  findings.push_back(
      {.check = "standing_still",
       .joint = "",
       .evidence = fmt::format("no joint moves for {:.3g} s of {:.3g} s ({}{})", still, duration,
                               fmt::join(told, ", "), told.size() == 3 ? " …" : ""),
       .cure = "leave these parts out: friction that holds is not the friction of motion, and rest "
               "counts one pose many times"});
  return findings;
}

}  // namespace idbench
