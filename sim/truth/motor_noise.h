#pragma once

#include <Eigen/Core>
#include <string>

#include "robots/random/random_stream.h"
#include "robots/robot.h"
#include "scenarios/options/draw.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Torques that motors exert beside what their drives are told.
struct MotorNoiseOptions {
  PerJoint std_nm = {};  ///< Of each motor, on the side of its joints.
  double cutoff_hz = 5.0;
  Draw draw = Draw::kCell;

  bool operator==(const MotorNoiseOptions&) const = default;
};
FieldTable Visit(MotorNoiseOptions& options);

/// Returns "noise of 0.1 N·m below 5 Hz on the motors' torques".
std::string Describe(const MotorNoiseOptions& options);

/// Noise of motors' torques, one function of time per motor i:
///
///   n_i(t) = σ_i·√(2/K)·Σ_k cos(2π·f_ik·t + φ_ik),  K = 32,
///
/// f_ik uniform in the k-th of K equal parts of 0 to the cut-off, φ_ik uniform. Its mean square
/// over time is σ_i² and its spectrum flat up to the cut-off, and there is none beyond; it is known
/// at any time, so that every integrator sees the same noise.
struct MotorNoise {
  Eigen::MatrixXd torques;  ///< n × m: those on the joints per Σ cos(…) of a motor [N·m or N]
  Eigen::MatrixXd rates;    ///< m × K: 2π·f [rad/s]
  Eigen::MatrixXd phases;   ///< m × K [rad]

  /// Subtracts the torques on the joints at time `t` [s]: what is left for drives to be told.
  /// Allocates nothing.
  /// @param[in,out] tau  n [N·m or N].
  void SubtractFrom(double t, Eigen::VectorXd& tau) const;
};

/// Makes the noise. Motor i draws from the stream's channels 2i and 2i + 1.
MotorNoise MakeMotorNoise(const MotorNoiseOptions& options, const RobotModel& model,
                          const RandomStream& stream);

}  // namespace idbench
