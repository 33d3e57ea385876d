#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "robots/plant/motion.h"
#include "scenarios/motion/trajectory/quintic_blend.h"

namespace idbench {

/// Motions one after the other. Each takes its own duration; between two of them a QuinticBlend of
/// `blend_s` leads from the state at the end of the one to that at the beginning of the next. Twice
/// continuously differentiable as far as the parts are.
///
/// A blend keeps no limits of the robot, not even those that both its ends keep.
class SequenceMotion : public Motion {
 public:
  /// @param parts  at least two, of n joints each.
  /// @throws std::invalid_argument for fewer parts, or unless blend_s > 0.
  SequenceMotion(std::vector<std::unique_ptr<Motion>> parts, double blend_s, int dofs);

  double duration_s() const override;
  /// Allocates nothing.
  void Evaluate(double t, JointState& desired) const override;
  void Describe(CanonicalText& text) const override;

  /// Returns when the blend that follows part k begins [s].
  double BlendBegin(std::size_t k) const { return begins_[k] + parts_[k]->duration_s(); }

 private:
  std::vector<std::unique_ptr<Motion>> parts_;
  double blend_s_;
  std::vector<double> begins_;        ///< Of the parts [s].
  std::vector<QuinticBlend> blends_;  ///< One less than parts.
};

}  // namespace idbench
