#pragma once

#include <Eigen/Core>
#include <memory>

#include "robots/control/control_loop.h"
#include "robots/plant/controller.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Joint torque of a robot that its controller has let go.
enum class ReleaseTorque {
  kNone,     ///< τ = 0.
  kGravity,  ///< τ = ĝ(q), see PdGravity.
};
template <>
inline constexpr auto kEnumNames<ReleaseTorque> = std::to_array<EnumName<ReleaseTorque>>(
    {{ReleaseTorque::kNone, "none"}, {ReleaseTorque::kGravity, "gravity"}});

/// A controller's letting go of the robot, at its first instant at or after the motion's end.
struct ReleaseOptions {
  double duration_s = 0.0;
  ReleaseTorque torque = ReleaseTorque::kNone;

  bool operator==(const ReleaseOptions&) const = default;
};
FieldTable Visit(ReleaseOptions& options);

/// Controller that follows the motion as another one does, then lets the robot go.
class Releasing : public Controller {
 public:
  /// @param inverse_dynamics  the controller's own model.
  Releasing(std::unique_ptr<Controller> controller, const ReleaseOptions& options,
            InverseDynamics inverse_dynamics, int dofs);

  double hold_s() const override { return controller_->hold_s(); }
  void Act(const JointState& desired, const Reading& reading, Command& command) override;
  double released_s() const override { return options_.duration_s; }
  void LetGo(const Reading& reading, Command& command) override;

 private:
  std::unique_ptr<Controller> controller_;
  ReleaseOptions options_;
  InverseDynamics inverse_dynamics_;
  Eigen::VectorXd zero_;  ///< n
};

}  // namespace idbench
