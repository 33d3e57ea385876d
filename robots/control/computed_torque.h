#pragma once

#include <Eigen/Core>
#include <string_view>

#include "robots/control/control_loop.h"
#include "robots/plant/controller.h"
#include "scenarios/options/fields.h"

namespace idbench {

struct ComputedTorqueOptions {
  static constexpr std::string_view kType = "computed_torque";
  double natural_frequency_hz = 5.0;
  double damping_ratio = 1.0;
  ControlLoopOptions loop = {};

  bool operator==(const ComputedTorqueOptions&) const = default;
};
/// The table refuses gains that are unstable at `rate_hz` even with a perfect model.
FieldTable Visit(ComputedTorqueOptions& options);

/// Computed torque: with ω = 2π·natural_frequency_hz and ζ = damping_ratio,
///   q̈_r = q̈_d + 2ζω·(q̇_d − q̇) + ω²·(q_d − q)
///   τ = M̂(q)·q̈_r + ĥ(q, q̇).
/// With a perfect model the tracking error e obeys ë + 2ζω·ė + ω²·e = 0 in every joint.
///
/// Computes a torque rate_hz times per second, which is held in between.
class ComputedTorque : public Controller {
 public:
  /// @param inverse_dynamics  the controller's own model, M̂(q)·q̈ + ĥ(q, q̇), with friction as far as
  ///         the model knows it.
  ComputedTorque(const ComputedTorqueOptions& options, InverseDynamics inverse_dynamics);

  double hold_s() const override { return 1.0 / rate_hz_; }
  void Act(const JointState& desired, const Reading& reading, Command& command) override;

 private:
  InverseDynamics inverse_dynamics_;
  double kp_;  ///< ω² [1/s²]
  double kd_;  ///< 2ζω [1/s]
  double rate_hz_;
  Eigen::VectorXd qdd_wanted_;  ///< n
};

}  // namespace idbench
