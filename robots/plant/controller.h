#pragma once

#include <cstdint>

#include "robots/plant/command.h"
#include "robots/plant/motion.h"
#include "robots/plant/reading.h"

namespace idbench {

/// Computes a command from a desired state and what was read.
class Controller {
 public:
  virtual ~Controller() = default;
  /// Returns the time for which one command is held [s]; 0: one step of the loop.
  virtual double hold_s() const { return 0.0; }
  /// Writes the command to hold from the instant of `reading` on; the caller has allocated n
  /// entries. Positions and velocities of the joints are always among the channels, velocities
  /// derived from the positions if no sensor reads them.
  virtual void Act(const JointState& desired, const Reading& reading, Command& command) = 0;
  /// Returns for how long the controller lets the robot go after its motion [s]; 0: not at all.
  virtual double released_s() const { return 0.0; }
  /// As Act(), in that time, in which nothing is desired: no torque.
  virtual void LetGo(const Reading&, Command& command) { command.value.setZero(); }
};

/// Clock of a controller along a motion and while it lets go, in steps of a loop: when it is asked,
/// and what it is told to desire.
class HeldControl {
 public:
  /// Both must outlive this.
  /// @param step_s  of the loop.
  HeldControl(Controller& controller, const Motion& motion, int dofs, double step_s);

  /// Returns the number of steps of the motion and of letting go, each duration/step, rounded.
  std::int64_t steps() const { return motion_steps_ + released_steps_; }
  /// Returns true if the motion has ended before this step.
  bool IsReleased(std::int64_t step) const { return step >= motion_steps_; }
  /// Returns the number of steps for which one command is held: rounded, at least 1.
  std::int64_t steps_per_hold() const { return steps_per_hold_; }
  /// Returns true if the controller is asked before this step.
  bool IsAsked(std::int64_t step) const { return step % steps_per_hold_ == 0; }
  /// Returns the desired state at the beginning of the motion.
  const JointState& Initial();
  /// Asks the controller before a step: with the state that is desired at its beginning, or to let
  /// go.
  void Ask(std::int64_t step, const Reading& reading);
  const Command& command() const { return command_; }

 private:
  Controller& controller_;
  const Motion& motion_;
  double step_s_;
  std::int64_t motion_steps_, released_steps_, steps_per_hold_;
  JointState desired_;
  Command command_;
};

}  // namespace idbench
