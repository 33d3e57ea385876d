#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

#include "estimators/walker_data.h"
#include "estimators/walker_regressor.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Filtered central differences (FCD): how the motion of a walker is had from its sensors.
struct FcdOptions {
  std::string absolute_angle = "joint_position";
  std::string low_pass = "absolute_angle";
  double half_power = 1.0;
  int order = 5;
  int n_cd = 1;

  bool operator==(const FcdOptions&) const = default;
};
/// Adds the options to those of an estimator.
void AddFcdFields(FcdOptions& options, FieldTable& table);
/// Adds those of them that say how it differs: half_power, order and n_cd. For estimators that take
/// the absolute angle from joint_position.
void AddDifferenceFields(FcdOptions& options, FieldTable& table);

/// Channels that tell the absolute angle, beside joint_position.
std::vector<std::string_view> AbsoluteAngleChannels(std::string_view absolute_angle);

/// Samples that a recording must have.
Eigen::Index LeastSamples(const FcdOptions& options);

/// N × k signals, filtered forward and backward in place; half-power 1 leaves them alone.
/// @throws EstimationFailure (refused) for fewer samples than the filter needs.
void LowPass(const FcdOptions& options, double Ts, Eigen::Ref<Eigen::MatrixXd> columns);

/// A walker's motion; the derivatives stand for the samples first … last.
struct FcdMotion {
  Eigen::Index first = 0, last = 0;
  Eigen::MatrixXd q, qd, qdd;  ///< n × N; by an IMU, the first row of qd and qdd is the rate's.
  std::vector<AbsoluteAngle> angle;  ///< N; as measured, by an IMU.
  Eigen::MatrixXd tau;               ///< n × N [N·m]

  Eigen::Index count() const { return last - first + 1; }
};

/// With x filtered (order and half-power frequency as MATLAB's butter and filtfilt have them),
///   ẋ_k = (x_{k+c} − x_{k−c}) / (2·c·Ts),  ẍ_k = (ẋ_{k+c} − ẋ_{k−c}) / (2·c·Ts),  c = n_cd,
/// for k = 2c … N − 1 − 2c. By an IMU, q̇1 is the gyroscope's reading, q̈1 its difference, and sin q1
/// and cos q1 are what FirstLink::SineAndCosine() makes of both and the accelerometer's reading.
/// @param recording  read with AbsoluteAngleChannels().
/// Source: Dolinský & Čelikovský 2018, (34)-(39), (60), (61), (63).
FcdMotion FilteredDifferences(const RobotModel& model, const WalkerRecording& recording,
                              const FcdOptions& options);

/// The equations root·τ = root·Z·β of a recording, with W = rootᵀ·root their weight.
///
/// Low-passed as a whole where the options ask for that: a filter is linear, so they keep holding,
/// whatever it does to either side.
/// @return one row per sample first … last; for each row of `root` the size of β columns of Z, then
///         one of τ.
Eigen::MatrixXd FcdEquations(const PlanarLagrangian& lagrangian, const FcdMotion& motion,
                             const Eigen::MatrixXd& root, const FcdOptions& options, double Ts);

}  // namespace idbench
