#pragma once

#include <Eigen/Core>
#include <string_view>
#include <vector>

#include "estimators/walkers/angle_sensor.h"
#include "estimators/walkers/per_time.h"
#include "estimators/walkers/walker_data.h"
#include "estimators/walkers/walker_regressor.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Signals that a low-pass smooths.
enum class FcdLowPass {
  kAbsoluteAngle,  ///< Those that give the absolute angle.
  kSignals,        ///< All.
  kEquations,      ///< As a parallel filter, the torques and every column of the regressor.
};
template <>
inline constexpr auto kEnumNames<FcdLowPass> =
    std::to_array<EnumName<FcdLowPass>>({{FcdLowPass::kAbsoluteAngle, "absolute_angle"},
                                         {FcdLowPass::kSignals, "signals"},
                                         {FcdLowPass::kEquations, "equations"}});

/// Options of filtered central differences (FCD), which compute a walker's motion from its sensors.
struct FcdOptions {
  AngleSensor absolute_angle = AngleSensor::kEncoder;
  FcdLowPass low_pass = FcdLowPass::kAbsoluteAngle;
  CutOff half_power = {};
  int order = 5;
  Duration n_cd = {.seconds = 0.01};

  bool operator==(const FcdOptions&) const = default;
};
/// Adds all options to an estimator's table.
void AddFcdFields(FcdOptions& options, FieldTable& table);
/// Adds only the low-pass and n_cd, for estimators that read the absolute angle from
/// joint_position.
void AddDifferenceFields(FcdOptions& options, FieldTable& table);
/// Adds only the low-pass's frequency and order.
/// @param use  what the low-pass is for, inserted into the description: "" or ", for …".
void AddLowPassFields(CutOff& half_power, int& order, std::string_view use, FieldTable& table);

/// Returns the number of samples that a recording must have at least.
/// @param Ts  its sample period [s].
Eigen::Index LeastSamples(const FcdOptions& options, double Ts);
/// Returns LeastSamples() of `options` by the sample period, for ReadWalkerData().
LeastOfPeriod LeastSamples(const FcdOptions& options);

/// Filters N × k signals forward and backward, in place; without a half-power frequency it leaves
/// them unchanged.
/// @throws std::invalid_argument unless N > 3·order.
void LowPass(const FcdOptions& options, double Ts, Eigen::Ref<Eigen::MatrixXd> columns);

/// Motion of a walker; the derivatives are valid for the samples first … last.
struct FcdMotion {
  Eigen::Index first = 0, last = 0;
  /// n × N. With an IMU the first rows of qd and qdd are the gyroscope's rate and its difference.
  Eigen::MatrixXd q, qd, qdd;
  /// N entries. With an IMU sine and cosine are those of its readings.
  std::vector<AbsoluteAngle> angle;
  Eigen::MatrixXd tau;  ///< n × N [N·m]

  /// Returns the number of samples first … last.
  Eigen::Index count() const { return last - first + 1; }
};

/// Computes with x filtered (order and half-power frequency as in MATLAB's butter and filtfilt)
///   ẋ_k = (x_{k+c} − x_{k−c}) / (2·c·Ts),  ẍ_k = (ẋ_{k+c} − ẋ_{k−c}) / (2·c·Ts),  c = n_cd,
/// for k = 2c … N − 1 − 2c. With an IMU, q̇1 is the gyroscope's reading, q̈1 its difference, and
/// FirstLink::SineAndCosine() computes sin q1 and cos q1 from both and the accelerometer's reading.
/// @param recording  read with ChannelsOf() the sensor, at least LeastSamples().
/// @throws EstimationFailure (refused) as FirstLink does. Source: Dolinský & Čelikovský 2018,
///         (34)-(39), (60), (61), (63).
FcdMotion FilteredDifferences(const RobotModel& model, const WalkerRecording& recording,
                              const FcdOptions& options);

/// Returns the equations root·τ = root·Z·β of a recording; their weight is W = rootᵀ·root.
///
/// If low_pass is kEquations, both sides are low-passed as a whole: a filter is linear, so the
/// equations still hold.
/// @return one row per sample first … last. For each row of `root` it holds the columns of root·Z,
///         as many as β has entries, and then one column of root·τ.
Eigen::MatrixXd FcdEquations(const PlanarLagrangian& lagrangian, const FcdMotion& motion,
                             const Eigen::MatrixXd& root, const FcdOptions& options, double Ts);

}  // namespace idbench
