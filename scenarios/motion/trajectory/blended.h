#pragma once

#include <Eigen/Core>
#include <memory>

#include "robots/plant/motion.h"

namespace idbench {

/// Rest at a pose, then another motion m, blended in: with s(t) the quintic step of duration
/// `blend_s` (see EvaluateQuinticStep()) that begins at rest_s, where m begins too,
///   q(t) = q_start + s(t)·(m(t − rest_s) − q_start)
/// and its exact derivatives. Twice continuously differentiable. A position always lies between the
/// start and the other motion's, so that it keeps position limits that both keep.
class BlendedMotion : public Motion {
 public:
  /// @throws std::invalid_argument unless rest_s ≥ 0, blend_s > 0 and duration_s > 0.
  BlendedMotion(Eigen::VectorXd q_start, double rest_s, double blend_s,
                std::unique_ptr<Motion> motion, double duration_s);

  double duration_s() const override { return duration_s_; }
  /// Allocates nothing.
  void Evaluate(double t, JointState& desired) const override;
  void Describe(CanonicalText& text) const override;

 private:
  Eigen::VectorXd q_start_;
  double rest_s_, blend_s_;
  std::unique_ptr<Motion> motion_;
  double duration_s_;
};

}  // namespace idbench
