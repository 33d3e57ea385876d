#pragma once

#include "robots/mjspec.h"
#include "sim/truth/true_robot.h"

namespace idbench {

/// MuJoCo model of a true robot at one instant.
///
/// Without payloads this is the model that all share. With payloads it is a copy, in which the
/// payloads' bodies get their present mass and inertia. Their frames never change and they are
/// welded to their links, so everything that MuJoCo derived when it compiled the model (simple
/// bodies, equal frames, the pattern of the mass matrix) still holds. Use one object per thread;
/// `robot` must outlive it.
class CurrentModel {
 public:
  /// Has no payload until Set() is called.
  explicit CurrentModel(const TrueRobot& robot);

  const mjModel& get() const { return own_ ? *own_ : robot_.model(); }
  /// Sets the payloads of time `t` [s].
  void Set(double t);

 private:
  void SetPart(std::size_t payload, double part);

  const TrueRobot& robot_;
  ModelPtr own_;
  std::vector<double> parts_;  ///< Parts that are in the model, one per payload.
};

}  // namespace idbench
