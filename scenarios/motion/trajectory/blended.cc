#include "scenarios/motion/trajectory/blended.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "scenarios/motion/trajectory/quintic.h"

namespace idbench {

BlendedMotion::BlendedMotion(Eigen::VectorXd q_start, double rest_s, double blend_s,
                             std::unique_ptr<Motion> motion, double duration_s)
    : q_start_(std::move(q_start)),
      rest_s_(rest_s),
      blend_s_(blend_s),
      motion_(std::move(motion)),
      duration_s_(duration_s) {
  if (rest_s_ >= 0.0 && blend_s_ > 0.0 && duration_s_ > 0.0) return;
  throw std::invalid_argument(
      fmt::format("BlendedMotion: rest {} s, blend {} s, duration {} s: expected at least 0, and "
                  "positive",
                  rest_s_, blend_s_, duration_s_));
}

void BlendedMotion::Evaluate(double t, JointState& desired) const {
  motion_->Evaluate(std::max(t - rest_s_, 0.0), desired);
  const QuinticStep step = EvaluateQuinticStep(t - rest_s_, blend_s_);
  // With δ = m − q_start: q̈ = s·m̈ + 2ṡ·ṁ + s̈·δ, q̇ = s·ṁ + ṡ·δ, q = q_start + s·δ
  desired.q -= q_start_;
  desired.qdd = step.s * desired.qdd + 2.0 * step.ds * desired.qd + step.dds * desired.q;
  desired.qd = step.s * desired.qd + step.ds * desired.q;
  desired.q = q_start_ + step.s * desired.q;
}

void BlendedMotion::Describe(CanonicalText& text) const {
  CanonicalText motion;
  motion_->Describe(motion);
  text.Add("kind", "blended")
      .Add("q_start", q_start_)
      .Add("rest_s", rest_s_)
      .Add("blend_s", blend_s_)
      .Add("motion", motion)
      .Add("duration_s", duration_s_);
}

}  // namespace idbench
