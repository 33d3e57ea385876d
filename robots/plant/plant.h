#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "robots/plant/command.h"
#include "robots/plant/controller.h"
#include "robots/plant/motion.h"
#include "robots/plant/plant_error.h"
#include "robots/plant/reading.h"

namespace idbench {

/// What a plant can do, and what it reads.
struct PlantInfo {
  int dofs = 0;
  double period_s = 0.0;           ///< Between two exchanges.
  std::vector<CommandMode> modes;  ///< That it accepts.
  /// That it reads, in the order of a Reading's; joint_position is one of them.
  std::vector<std::string> channels;
  bool starts_moving = false;  ///< Experiments may begin with velocities other than 0.
  /// Middle of the time in which a commanded torque acts, in periods from the exchange: that of a
  /// torque held over the period.
  double torque_delay_periods = 0.5;
};

/// Bound of the positions in an experiment: |cᵀq − centre| ≤ greatest.
struct PositionLimit {
  Eigen::VectorXd c;  ///< n
  double centre = 0.0;
  double greatest = 0.0;  ///< [rad or m]
};

/// How an experiment begins.
struct ExperimentStart {
  Eigen::VectorXd q, qd;              ///< Positions and velocities of the joints, n each.
  std::vector<PositionLimit> limits;  ///< The robot has fallen beyond one of them.
};

enum class ExperimentState : std::uint8_t {
  kRunning,
  kFell,  ///< A position is beyond a limit of the experiment, or a joint has hit its stop.
};

/// Robot that can be moved and measured, simulated or real. It tells nothing but what its sensors
/// read, and whether the robot fell.
class Plant {
 public:
  virtual ~Plant() = default;
  virtual const PlantInfo& info() const = 0;
  /// Brings the robot to the state in which an experiment begins, at time 0, and lets it go.
  /// @param reading  becomes that of the state.
  /// @throws std::invalid_argument for a start that the plant cannot make.
  /// @throws PlantError if the plant fails.
  virtual void MoveTo(const ExperimentStart& start, Reading& reading) = 0;
  /// Holds a command for one period, then reads the robot. After a fall an experiment has to begin
  /// anew.
  /// @throws std::invalid_argument for a command that the plant does not take, or without an
  ///         experiment.
  /// @throws PlantError if the plant fails: a fall is no failure.
  virtual ExperimentState Exchange(const Command& command, Reading& reading) = 0;
};

/// Moves `plant` from `start` along `motion` under `controller`, and on while that lets it go,
/// until this ends or the robot falls, and passes every reading to `record`, the first one at time
/// 0. Velocities that no sensor reads are derived for the controller (see DerivedVelocity), not for
/// `record`.
///
/// Each command goes out with the reading of the instant from which it is held.
/// @param velocity_cutoff_hz  of derived velocities.
/// @throws as the plant does.
ExperimentState Follow(Plant& plant, const ExperimentStart& start, Controller& controller,
                       const Motion& motion, double velocity_cutoff_hz,
                       const std::function<void(const Reading&)>& record);

}  // namespace idbench
