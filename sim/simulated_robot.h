#pragma once

#include <Eigen/Core>
#include <functional>

#include "robots/plant/controller.h"
#include "robots/plant/motion.h"
#include "sim/sensors/feedback_source.h"

namespace idbench {

/// One instant of a robot: its state, and the acceleration and torque in that state.
struct TrueSample {
  double t = 0.0;    ///< [s]
  JointState state;  ///< Position, velocity and acceleration at t.
  /// Joint torque at t [N·m or N], before joint friction and rotor inertia: τ = ID(q, q̇, q̈) + ia·q̈
  /// + fv·q̇ + fc·s(q̇) + fo.
  Eigen::VectorXd tau;
};

/// Simulated robot, which tells the truth.
class SimulatedRobot {
 public:
  virtual ~SimulatedRobot() = default;
  virtual int dofs() const = 0;
  /// Returns the time for which a torque is held [s].
  virtual double step_s() const = 0;
  /// Sets the robot to (q, q̇), n each, and time to 0.
  virtual void Reset(const Eigen::VectorXd& q, const Eigen::VectorXd& qd) = 0;
  /// Writes the state of now, q and q̇; `qdd` is not set.
  virtual void State(JointState& state) const = 0;
  /// Holds the commanded joint torque (n) for one step. `sample` receives the instant at which the
  /// step began: the state before it, with the acceleration and torque there.
  /// @throws PlantError if the simulation diverged or failed.
  virtual void Step(const Eigen::VectorXd& tau_command, TrueSample& sample) = 0;
};

/// Moves `robot` along `motion` under `controller`, from the motion's initial state, then lets it
/// go as long as the controller does, and passes every sample to `record` in time order. The sample
/// object is reused.
///
/// Runs the steps of HeldControl: samples at 0, step, … before the end. Desired state and feedback
/// are evaluated once per hold, before its first step. Of the motion nothing is evaluated after its
/// end.
/// @param feedback  what the controller is told of the robot's state.
/// @throws PlantError as `robot` does; after the motion it says when the robot was let go.
void RunExperiment(SimulatedRobot& robot, Controller& controller, FeedbackSource& feedback,
                   const Motion& motion, const std::function<void(const TrueSample&)>& record);

}  // namespace idbench
