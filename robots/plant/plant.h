#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <stdexcept>

#include "robots/plant/motion.h"

namespace idbench {

/// One instant of a robot: its state, and the acceleration and torque in that state.
struct TrueSample {
  double t = 0.0;    ///< [s]
  JointState state;  ///< Position, velocity and acceleration at t.
  /// Joint torque at t [N·m or N], before joint friction and rotor inertia: τ = ID(q, q̇, q̈) + ia·q̈
  /// + fv·q̇ + fc·s(q̇) + fo.
  Eigen::VectorXd tau;
};

/// Robot that can be moved and measured, simulated or real.
class Plant {
 public:
  virtual ~Plant() = default;
  virtual int dofs() const = 0;
  /// Returns the time for which a command is held [s].
  virtual double step_s() const = 0;
  /// Sets the robot to (q, q̇), n each, and time to 0.
  virtual void Reset(const Eigen::VectorXd& q, const Eigen::VectorXd& qd) = 0;
  /// Writes what a controller can feed back now, q and q̇; `qdd` is not set.
  virtual void Feedback(JointState& state) = 0;
  /// Holds the commanded joint torque (n) for one step. `sample` receives the instant at which the
  /// step began: the state before it, with the acceleration and torque there.
  /// @throws PlantError if the robot diverged or failed.
  virtual void Step(const Eigen::VectorXd& tau_command, TrueSample& sample) = 0;
};

/// Failure of the plant; the trial's outcome reports it.
class PlantError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Controller: computes a joint torque from a desired and a fed-back state.
class Controller {
 public:
  virtual ~Controller() = default;
  /// Returns the time for which one torque is held [s]; 0: one step of the plant.
  virtual double hold_s() const { return 0.0; }
  /// Writes the torque to hold from time t [s] on; the caller has allocated n entries.
  virtual void Torque(double t, const JointState& desired, const JointState& feedback,
                      Eigen::VectorXd& tau) = 0;
};

/// Returns the number of steps of `plant` for which one torque of `controller` is held:
/// rounded, at least 1.
std::int64_t StepsPerHold(const Plant& plant, const Controller& controller);

/// Moves `plant` along `motion` under `controller`, from the motion's initial state, and passes
/// every sample to `record` in time order. The sample object is reused.
///
/// Runs duration/step steps, rounded: samples at 0, step, … before the end of the motion. Desired
/// state and feedback are evaluated once per hold, before its first step.
/// @throws PlantError as `plant` does.
void RunExperiment(Plant& plant, Controller& controller, const Motion& motion,
                   const std::function<void(const TrueSample&)>& record);

}  // namespace idbench
