#pragma once

#include <cstdint>
#include <vector>

#include "robots/plant/plant.h"
#include "sim/mujoco_robot.h"
#include "sim/sensors/measure.h"
#include "sim/sensors/sensors.h"
#include "sim/truth/scene.h"

namespace idbench {

/// Plant of a simulated laboratory: a true robot behind its sensors.
///
/// It reads the measured channels of `sensors` that are positions, velocities or torques of the
/// joints, at the rate of the plant and with the effects that they have in data. What belongs to a
/// sensor's errors is keyed by (seed, trial, "<key.name>/<number of the experiment>/<channel>"):
/// two methods that make the same experiments read the same. A torque is that of the period before
/// the reading, 0 at the start.
///
/// A robot falls where a joint leaves its range, or a limit of the experiment is passed, true
/// positions at the end of a step: as a switch tells it, not a sensor. It may begin to move:
/// pushed.
class SimulatedPlant : public Plant {
 public:
  /// @param scene    must outlive this.
  /// @param sensors  resolved; joint_position is measured.
  /// @param rate_hz  of exchanges; divides the simulation's step rate.
  /// @throws std::invalid_argument if one of these does not hold.
  SimulatedPlant(const Scene& scene, const SensorOptions& sensors, double rate_hz,
                 const SensorKey& key);

  const PlantInfo& info() const override { return info_; }
  /// @throws PlantError also if explicit friction would chatter there, see CheckFrictionStep().
  void MoveTo(const ExperimentStart& start, Reading& reading) override;
  ExperimentState Exchange(const Command& command, Reading& reading) override;

 private:
  /// A channel that is read.
  struct Sensor {
    const ChannelInfo* channel;
    SensorChain chain;
  };

  /// Reads the robot in `state_`, after a torque.
  void Read(const Eigen::VectorXd& tau, Reading& reading);
  bool HasFallen() const;

  const TrueRobot& robot_;
  MujocoRobot moved_;
  SensorKey key_;
  PlantInfo info_;
  std::vector<Sensor> sensors_;
  std::int64_t steps_per_exchange_;
  std::int64_t experiments_ = 0;
  std::int64_t exchanges_ = 0;  ///< Of the experiment.
  bool running_ = false;
  std::vector<PositionLimit> limits_;
  JointState state_;
  TrueSample sample_;
};

}  // namespace idbench
