#include "robots/control/release.h"

#include <utility>

#include "robots/recording/channels.h"

namespace idbench {

FieldTable Visit(ReleaseOptions& options) {
  FieldTable table;
  table
      .Add("duration_s", options.duration_s,
           {.doc = "Duration of the time after the motion, whose data are the experiment's too",
            .unit = "s",
            .lower = 0,
            .lower_open = true,
            .required = true})
      .Add("torque", options.torque,
           {.doc = "Joint torque in that time: none, or the gravity torque that the controller's "
                   "own model has at the positions that it reads (gravity)"});
  return table;
}

Releasing::Releasing(std::unique_ptr<Controller> controller, const ReleaseOptions& options,
                     InverseDynamics inverse_dynamics, int dofs)
    : controller_(std::move(controller)),
      options_(options),
      inverse_dynamics_(std::move(inverse_dynamics)),
      zero_(Eigen::VectorXd::Zero(dofs)) {}

void Releasing::Act(const JointState& desired, const Reading& reading, Command& command) {
  controller_->Act(desired, reading, command);
}

void Releasing::LetGo(const Reading& reading, Command& command) {
  if (options_.torque == ReleaseTorque::kNone) return Controller::LetGo(reading, command);
  inverse_dynamics_(reading[kJointPosition], zero_, zero_, command.value);
}

}  // namespace idbench
