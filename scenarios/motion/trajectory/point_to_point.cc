#include "scenarios/motion/trajectory/point_to_point.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace idbench {

PointToPointMotion::PointToPointMotion(const Eigen::VectorXd& begin,
                                       const std::vector<PointMove>& moves, JointLag lag,
                                       double duration_s)
    : begin_(begin), moves_(moves), lag_(std::move(lag)), duration_s_(duration_s) {
  const bool rests =
      std::ranges::all_of(moves_, [](const PointMove& move) { return move.dwell_s >= 0.0; });
  if (moves_.empty() || !rests || !(duration_s_ > 0.0)) {
    throw std::invalid_argument(
        fmt::format("PointToPointMotion: {} moves in {} s: expected at least one, a positive "
                    "duration, and no negative rest",
                    moves_.size(), duration_s_));
  }
  JointState state = JointState::Zero(static_cast<int>(begin_.size()));
  state.q = begin_;
  Eigen::VectorXd point = begin_;
  double t = 0.0;
  const auto append = [&](const Eigen::VectorXd& to, double step_s) {
    steps_.emplace_back(point, to, step_s, lag_, state);
    begins_.push_back(t);
    steps_.back().Evaluate(step_s, lag_, state);
    point = to;
    t += step_s;
  };
  for (const PointMove& move : moves_) {
    append(move.to, move.move_s);
    const bool last = &move == &moves_.back();
    if (last || move.dwell_s > 0.0) append(move.to, last ? 1.0 : move.dwell_s);
  }
}

void PointToPointMotion::Evaluate(double t, JointState& desired) const {
  const auto next = std::ranges::upper_bound(begins_, t);
  const auto k = static_cast<std::size_t>(std::max<std::ptrdiff_t>(next - begins_.begin() - 1, 0));
  steps_[k].Evaluate(std::max(t - begins_[k], 0.0), lag_, desired);
}

void PointToPointMotion::Describe(CanonicalText& text) const {
  text.Add("kind", "point_to_point").Add("begin", begin_);
  for (const PointMove& move : moves_) {
    text.Add("to", move.to).Add("move_s", move.move_s).Add("dwell_s", move.dwell_s);
  }
  if (lag_.any()) text.Add("lag_rad_s", lag_.rad_s).Add("damping_ratio", lag_.damping_ratio);
  text.Add("duration_s", duration_s_);
}

}  // namespace idbench
