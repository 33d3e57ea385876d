#pragma once

#include "robots/mjspec.h"
#include "sim/true_robot.h"

namespace idbench {

/// The MuJoCo model of a true robot at one instant.
///
/// That is the model that all share, unless the robot has payloads: then a copy, in which the
/// payloads' bodies get the mass and inertia that are there. Their frames never change, and they
/// are welded to their links, so that nothing that MuJoCo derived from a model when it compiled it
/// (simple bodies, equal frames, the pattern of the mass matrix) stops to hold. One per thread;
/// `robot` must outlive it.
class CurrentModel {
 public:
  /// Without any payload until Set() is called.
  explicit CurrentModel(const TrueRobot& robot);

  const mjModel& get() const { return own_ ? *own_ : robot_.model(); }
  /// The payloads of time `t` [s].
  void Set(double t);

 private:
  void SetPart(std::size_t payload, double part);

  const TrueRobot& robot_;
  ModelPtr own_;
  std::vector<double> parts_;  ///< That are in the model, by payload.
};

}  // namespace idbench
