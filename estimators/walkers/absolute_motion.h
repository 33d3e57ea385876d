#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>

#include "estimators/walkers/fcd.h"

namespace idbench {

/// Weights of five neighbouring samples that give the derivatives at the middle one.
struct Differences {
  std::array<double, 5> first;   ///< [1/s]
  std::array<double, 5> second;  ///< [1/s²]
};
enum class DifferenceRule {
  kTwice,  ///< ẋ_k = (x_{k+1} − x_{k−1})/2Ts, applied again for ẍ, error O(Ts²), (42), (43).
  kFivePoint,  ///< Derivatives of the quartic through the five samples, error O(Ts⁴).
};
template <>
inline constexpr auto kEnumNames<DifferenceRule> = std::to_array<EnumName<DifferenceRule>>(
    {{DifferenceRule::kTwice, "twice"}, {DifferenceRule::kFivePoint, "five_point"}});
/// Returns the weights for the sample period Ts [s].
Differences MakeDifferences(DifferenceRule rule, double Ts);

/// What the sensors of one recording say about the absolute angle, and the unknowns
/// that describe it.
///
/// The unknowns z are c components for each of N samples, those of one sample adjacent. Residuals
/// are divided by the declared σ.
class AbsoluteMotion {
 public:
  /// Largest window and largest number of measurements of one sample.
  static constexpr int kMostWindow = 7, kMostMeasured = 3;
  /// Number of samples at each end without derivatives of the angle.
  static constexpr int kEdge = 2;

  /// All about one sample. It depends only on the entries first … first + window − 1 of z.
  struct Sample {
    AbsoluteAngle angle;  ///< Without derivatives within kEdge of the ends.
    Eigen::Index first = 0;
    int window = 0;
    /// ∂(sine, cosine, rate, acceleration)/∂z.
    Eigen::Matrix<double, 4, kMostWindow> by_z;
    int measured = 0;  ///< Number of measurements in e and J.
    /// Residuals e = (y − f(z))/σ and their derivatives J = (∂f/∂z)/σ, `measured` rows.
    Eigen::Matrix<double, kMostMeasured, 1> e;
    Eigen::Matrix<double, kMostMeasured, kMostWindow, Eigen::RowMajor> J;
  };

  virtual ~AbsoluteMotion() = default;
  /// Returns c.
  virtual int components() const = 0;
  /// Returns the largest distance between two entries of z on which one sample depends.
  virtual int half_bandwidth() const = 0;
  /// Returns the number of measurements of all samples together.
  virtual Eigen::Index measurement_count() const = 0;
  /// Evaluates sample k.
  /// @param z  components() × N.
  /// @param[out] sample  overwritten.
  virtual void At(Eigen::Index k, const double* z, Sample& sample) const = 0;
};

/// Makes the motion for a sensor of the absolute angle. Encoder, distance meter: z = q1, measured
/// once per sample. kImu: z = q1, which predicts accelerometer and gyroscope. kImuAsPrinted:
/// z = (sin q1, cos q1, q̇1), treated as independent and each measured: sine and cosine by (63) from
/// the readings and from the rate and acceleration of `filtered`.
/// @param recording  read with ChannelsOf(sensor).
/// @throws EstimationFailure (refused) if the sensor or a positive declared σ is missing.
std::unique_ptr<AbsoluteMotion> MakeAbsoluteMotion(AngleSensor sensor, const RobotModel& model,
                                                   const WalkerRecording& recording,
                                                   const FcdMotion& filtered,
                                                   const Differences& differences);

}  // namespace idbench
