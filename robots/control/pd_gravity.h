#pragma once

#include <Eigen/Core>
#include <optional>
#include <string_view>

#include "robots/control/control_loop.h"
#include "robots/plant/controller.h"
#include "robots/plant/motion.h"
#include "scenarios/options/fields.h"

namespace idbench {

struct PdGravityOptions {
  static constexpr std::string_view kType = "pd_gravity";
  std::optional<PerJoint> kp_nm_rad = std::nullopt;   ///< Both gains or neither.
  std::optional<PerJoint> kd_nms_rad = std::nullopt;  ///< For a prismatic joint in N/m and N·s/m.
  double natural_frequency_hz = 5.0;
  double damping_ratio = 1.0;
  ControlLoopOptions loop = {};

  bool operator==(const PdGravityOptions&) const = default;
};
/// The table refuses one kind of gain without the other, and gains that are unstable at `rate_hz`.
FieldTable Visit(PdGravityOptions& options);

/// Gains of all joints, n each.
struct PdGains {
  Eigen::VectorXd kp;  ///< [N·m/rad or N/m]
  Eigen::VectorXd kd;  ///< [N·m·s/rad or N·s/m]
};

/// Returns the gains in `options`, or those that follow from their frequency and damping for the
/// robot: with ω = 2π·natural_frequency_hz, ζ = damping_ratio and I_j the mean of 1/(M̂(q)⁻¹)_jj
/// along `motion`,
///   Kp_j = ω²·I_j, Kd_j = 2ζω·I_j.
/// 1/(M⁻¹)_jj is the inertia that a joint's motor drives while the other joints are free. The
/// eigenvalues of M⁻¹·diag(1/(M⁻¹)_jj) sum to n: no mode of the coupled robot is faster than √n·ω.
/// @param inverse_dynamics  the controller's own model.
/// @throws PlantError if M̂ is not positive definite somewhere on the motion.
PdGains GainsOf(const PdGravityOptions& options, const InverseDynamics& inverse_dynamics,
                const Motion& motion, int dofs);

/// Joint-wise feedback added to the torque that holds the robot still:
///   τ = Kp·(q_d − q) + Kd·(q̇_d − q̇) + ĝ(q),
/// where ĝ(q) is the model's τ(q, 0, 0): gravity and, if the model has one, friction offset.
class PdGravity : public Controller {
 public:
  PdGravity(PdGains gains, double rate_hz, InverseDynamics inverse_dynamics);

  double hold_s() const override { return 1.0 / rate_hz_; }
  void Act(const JointState& desired, const Reading& reading, Command& command) override;

 private:
  PdGains gains_;
  double rate_hz_;
  InverseDynamics inverse_dynamics_;
  Eigen::VectorXd zero_;  ///< n
};

}  // namespace idbench
