#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "robots/dynamics/model.h"
#include "robots/dynamics/rows.h"
#include "scenarios/motion/trajectory/design_options.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// What a design knows of the errors with which the rows will be measured. They decide which
/// motion is the best one, and change no measurement.
struct DesignErrorOptions {
  PerJoint noise_std_nm{{1.0}};             ///< White, of joint torques.
  PerJoint wrench_noise_std_n_nm{{1.0}};    ///< White, of a base wrench, by component.
  double rate_hz = 1000.0;                  ///< At which the noise is drawn.
  PerJoint offset_std_nm = {};              ///< Of a constant of each joint's torque.
  PerJoint cogging_amplitude_nm = {};       ///< a of a·sin(p·q + φ), φ unknown.
  PerJoint cogging_periods_per_rev{{1.0}};  ///< p, per turn; of a prismatic joint per 2π m.
  PerJoint stribeck_excess_nm = {};         ///< s of s·exp(−(q̇/v)²)·tanh(q̇/width).
  PerJoint stribeck_velocity_rad_s{{0.1}};  ///< v

  bool operator==(const DesignErrorOptions&) const = default;
  /// Returns whether something beside white noise is known.
  bool has_disturbances() const;
};
FieldTable Visit(DesignErrorOptions& options);
/// Returns an issue for each list that has not one number per joint, or per component.
std::vector<Issue> CheckDesignErrors(const DesignErrorOptions& options, const RobotModel& model,
                                     const std::string& where);

/// An error of one joint's torque whose course the motion decides, z(q_j, q̇_j)·θ, with θ unknown
/// and drawn anew for each recording.
struct Disturbance {
  enum class Shape { kConstant, kSine, kCosine, kStribeck };
  Shape shape = Shape::kConstant;
  int joint = 0;
  double sigma = 0.0;                  ///< Standard deviation of θ.
  double p = 0.0;                      ///< Of sine and cosine [1/rad or 1/m].
  double velocity = 0.0, width = 0.0;  ///< Of Stribeck's friction [rad/s or m/s].

  /// z and its derivatives.
  struct Value {
    double z = 0.0, by_q = 0.0, by_qd = 0.0;
  };
  Value At(double q, double qd) const;
};

/// Errors of the rows of a design.
struct DesignErrors {
  Eigen::VectorXd precision;              ///< 1/σ² of each row; 1 where nothing is known.
  std::optional<double> rate_hz;          ///< At which σ is drawn; nothing: at each sample.
  std::vector<Disturbance> disturbances;  ///< Row j of joint torques holds those of joint j.
};

/// @param design  whose rows they are, in their order.
DesignErrors ErrorsOfRows(const std::optional<DesignErrorOptions>& options,
                          const DesignOptions& design, const RobotModel& model);

}  // namespace idbench
