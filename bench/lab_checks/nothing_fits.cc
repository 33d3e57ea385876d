#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/lab_checks/lab_context.h"

namespace idbench {
namespace {

/// Part of what a joint's torques vary by that may be left unexplained: of real robots whose wrists
/// have more friction than inertia it is a half.
constexpr double kMostLeft = 0.7;

double SpreadOf(const Eigen::VectorXd& x) {
  return std::sqrt((x.array() - x.mean()).square().mean());
}

/// What is left of the torques of each joint that moves, over what they vary by, sorted.
std::vector<double> PartsLeft(const LabContext& context) {
  const FitScore& score = context.search->score;
  const Eigen::MatrixXd torques = context.rows->Torques(context.search->change.torque_delay_s);
  std::vector<double> left;
  for (Eigen::Index j = 0; j < torques.cols(); ++j) {
    const double spread = SpreadOf(torques.col(j));
    if (spread > 0.0 && score.samples[j] > 0.0) left.push_back(score.rms[j] / spread);
  }
  std::ranges::sort(left);
  return left;
}

}  // namespace

bool NothingFits(const LabContext& context) {
  if (context.search == nullptr) return false;
  const std::vector<double> left = PartsLeft(context);
  return !left.empty() && left[left.size() / 2] >= kMostLeft;
}

std::vector<LabFinding> TellNothingFits(const LabContext& context) {
  if (!NothingFits(context)) return {};
  const std::vector<double> left = PartsLeft(context);
  return {
      {.check = "nothing_fits",
       .joint = "",
       .evidence = fmt::format(
           "whatever the inertias, rigid bodies of these joints with friction leave {:.0f} % of "
           "what the torques of half of the joints vary by, {:.0f} % of those of the best one "
           "(held-out parts of the log; 100 % is what their mean leaves)",
           100.0 * left[left.size() / 2], 100.0 * left.front()),
       .cure = "check that positions and torques are of this robot, of one motion and on one "
               "clock, and that the torque columns hold torques; do not use what is identified "
               "of this log"}};
}

}  // namespace idbench
