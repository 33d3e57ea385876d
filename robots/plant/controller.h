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
};

/// Clock of a controller along a motion, in steps of a loop: when it is asked, and what it is told
/// to desire.
class HeldControl {
 public:
  /// Both must outlive this.
  /// @param step_s  of the loop.
  HeldControl(Controller& controller, const Motion& motion, int dofs, double step_s);

  /// Returns the number of steps of the motion, duration/step, rounded.
  std::int64_t steps() const { return steps_; }
  /// Returns the number of steps for which one command is held: rounded, at least 1.
  std::int64_t steps_per_hold() const { return steps_per_hold_; }
  /// Returns true if the controller is asked before this step.
  bool IsAsked(std::int64_t step) const { return step % steps_per_hold_ == 0; }
  /// Returns the desired state at the beginning of a step in which the controller is asked.
  const JointState& DesiredAt(std::int64_t step);
  /// Asks the controller in the state that DesiredAt() returned last.
  void Ask(const Reading& reading) { controller_.Act(desired_, reading, command_); }
  const Command& command() const { return command_; }

 private:
  Controller& controller_;
  const Motion& motion_;
  double step_s_;
  std::int64_t steps_, steps_per_hold_;
  JointState desired_;
  Command command_;
};

}  // namespace idbench
