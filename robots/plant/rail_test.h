#pragma once

#include <Eigen/Core>
#include <cmath>
#include <string_view>
#include <vector>

#include "robots/plant/motion.h"
#include "robots/plant/plant.h"
#include "robots/recording/channels.h"

namespace idbench {

inline constexpr double kRailMass = 2.0;

/// Mass on a rail under gravity, integrated exactly for a torque held for one step: 2·q̈ = τ − 3.
/// It also reads the torque that it was commanded last.
class Rail : public Plant {
 public:
  explicit Rail(double step_s) {
    info_.dofs = 1;
    info_.period_s = step_s;
    info_.modes = {CommandMode::kTorque};
    for (const std::string_view channel : {kJointPosition, kJointVelocity, kJointTorque}) {
      info_.channels.emplace_back(channel);
    }
    info_.starts_moving = true;
  }

  const PlantInfo& info() const override { return info_; }
  void MoveTo(const ExperimentStart& start, Reading& reading) override {
    q_ = start.q(0);
    qd_ = start.qd(0);
    limits_ = start.limits;
    steps_ = 0;
    Read(0.0, reading);
  }
  ExperimentState Exchange(const Command& command, Reading& reading) override {
    const double qdd = (command.value(0) - 3.0) / kRailMass;
    q_ += info_.period_s * qd_ + 0.5 * info_.period_s * info_.period_s * qdd;
    qd_ += info_.period_s * qdd;
    ++steps_;
    Read(command.value(0), reading);
    for (const PositionLimit& limit : limits_) {
      if (!(std::abs(limit.c(0) * q_ - limit.centre) <= limit.greatest)) {
        return ExperimentState::kFell;
      }
    }
    return ExperimentState::kRunning;
  }

 private:
  void Read(double tau, Reading& reading) const {
    reading.t = info_.period_s * static_cast<double>(steps_);
    const auto put = [&reading](std::string_view channel, double value) {
      ChannelReading& read = reading.At(channel);
      read.t = reading.t;
      read.value = Eigen::VectorXd::Constant(1, value);
    };
    put(kJointPosition, q_);
    put(kJointVelocity, qd_);
    put(kJointTorque, tau);
  }

  PlantInfo info_;
  std::vector<PositionLimit> limits_;
  double q_ = 0.0, qd_ = 0.0;
  long long steps_ = 0;
};

/// Computes τ of the same system, for a controller's model.
inline void RailModel(const Eigen::VectorXd&, const Eigen::VectorXd&, const Eigen::VectorXd& qdd,
                      Eigen::VectorXd& tau) {
  tau(0) = kRailMass * qdd(0) + 3.0;
}

/// Motion at rest at 0.
class Rest : public Motion {
 public:
  explicit Rest(double duration_s, int dofs = 1) : duration_s_(duration_s), dofs_(dofs) {}
  double duration_s() const override { return duration_s_; }
  void Evaluate(double, JointState& desired) const override { desired = JointState::Zero(dofs_); }
  void Describe(CanonicalText& text) const override {
    text.Add("kind", "rest").Add("duration_s", duration_s_).Add("dofs", dofs_);
  }

 private:
  double duration_s_;
  int dofs_;
};

/// What is read of the rail, at rest at `q_start` in the beginning, while the controller wants it
/// at 0.
inline std::vector<Reading> FollowRest(Controller& controller, double step_s, double duration_s,
                                       double q_start) {
  Rail rail(step_s);
  std::vector<Reading> readings;
  Follow(rail, {Eigen::VectorXd::Constant(1, q_start), Eigen::VectorXd::Zero(1), {}}, controller,
         Rest(duration_s), 100.0, [&](const Reading& reading) { readings.push_back(reading); });
  return readings;
}

/// A state as a controller reads it.
inline Reading ReadingOf(const JointState& state) {
  Reading reading;
  reading.At(kJointPosition).value = state.q;
  reading.At(kJointVelocity).value = state.qd;
  return reading;
}

}  // namespace idbench
