#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <stdexcept>

#include "robots/plant/motion.h"

namespace idbench {

/// One instant of a robot: the state, and the acceleration and torque that belong to that state.
struct PlantSample {
  double t = 0.0;    ///< [s]
  JointState state;  ///< Position and velocity at t, and the acceleration there.
  /// Joint torque that acts at t, joint friction and rotor inertia on its far side [N·m or N]:
  /// τ = ID(q, q̇, q̈) + ia·q̈ + fv·q̇ + fc·s(q̇) + fo.
  Eigen::VectorXd tau;
};

/// Something that can be moved and measured: a simulated or a real robot.
class Plant {
 public:
  virtual ~Plant() = default;
  virtual int dofs() const = 0;
  /// Time for which a command is held [s].
  virtual double step_s() const = 0;
  /// Brings the robot to rest or motion at (q, q̇) and time to 0.
  virtual void Reset(const Eigen::VectorXd& q, const Eigen::VectorXd& qd) = 0;
  /// What a controller may feed back now; `qdd` is not filled.
  virtual void Feedback(JointState& state) = 0;
  /// Holds the commanded joint torque for one step. `sample` gets the instant at which the step
  /// began: the state before it, with the acceleration and the torque that act there.
  /// @throws PlantError if the robot diverged or failed.
  virtual void Step(const Eigen::VectorXd& tau_command, PlantSample& sample) = 0;
};

/// The plant failed; the trial's outcome says so.
class PlantError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Turns a desired and a fed-back state into a joint torque.
class Controller {
 public:
  virtual ~Controller() = default;
  /// Time for which a torque is held before it computes the next [s]; 0: one step of the plant.
  virtual double hold_s() const { return 0.0; }
  /// Writes the torque to be held from time t on, n, already allocated by the caller.
  virtual void Torque(double t, const JointState& desired, const JointState& feedback,
                      Eigen::VectorXd& tau) = 0;
};

/// Steps of `plant` for which a torque of `controller` is held, rounded, at least 1.
std::int64_t StepsPerHold(const Plant& plant, const Controller& controller);

/// Moves `plant` along `motion` under `controller`, from the motion's own initial state, and hands
/// every sample to `record` (in time order; the sample is reused).
///
/// Takes duration/step steps, rounded: samples at 0, step, … before the motion's end. Desired state
/// and feedback are asked for once per hold, before the step in which it begins.
/// @throws PlantError as `plant` does.
void RunExperiment(Plant& plant, Controller& controller, const Motion& motion,
                   const std::function<void(const PlantSample&)>& record);

}  // namespace idbench
