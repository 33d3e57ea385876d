#pragma once

#include <Eigen/Core>

#include "robots/plant/motion.h"
#include "robots/plant/reading.h"

namespace idbench {

/// What tells a controller of a simulated experiment the state of the robot.
class FeedbackSource {
 public:
  virtual ~FeedbackSource() = default;
  /// Begins an experiment, before the first reading.
  /// @param qd  desired velocity at the start, n.
  virtual void Reset(const Eigen::VectorXd& qd) = 0;
  /// Fills in joint_position and joint_velocity at `reading.t`.
  /// @param state  the true one; its acceleration is not set.
  virtual void Read(const JointState& state, Reading& reading) = 0;
};

/// The true state, exact, so that trials share their roll-outs.
class TrueFeedback : public FeedbackSource {
 public:
  void Reset(const Eigen::VectorXd&) override {}
  void Read(const JointState& state, Reading& reading) override;
};

}  // namespace idbench
