#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <string_view>

#include "estimators/fcd.h"

namespace idbench {

/// Weights of five neighbouring samples that make up derivatives at the one in the middle.
struct Differences {
  std::array<double, 5> first;   ///< [1/s]
  std::array<double, 5> second;  ///< [1/s²]
};
/// `twice`: ẋ_k = (x_{k+1} − x_{k−1})/2Ts, and that once more for ẍ, error O(Ts²), (42), (43);
/// `five_point`: through the quartic of the five samples, error O(Ts⁴).
Differences DifferencesNamed(std::string_view name, double Ts);

/// What the sensors of one recording say of the absolute angle, and what is unknown of it there.
///
/// The unknowns z are c components for each of N samples, those of a sample together. Residuals are
/// divided by the declared σ.
class AbsoluteMotion {
 public:
  static constexpr int kMostWindow = 7, kMostMeasured = 3;
  /// Samples at each end where the angle has no derivatives.
  static constexpr int kEdge = 2;

  /// All about one sample. Of z it depends on the entries first … first + window − 1 alone.
  struct Sample {
    AbsoluteAngle angle;  ///< Without derivatives within kEdge of the ends.
    Eigen::Index first = 0;
    int window = 0;
    /// ∂(sine, cosine, rate, acceleration)/∂z.
    Eigen::Matrix<double, 4, kMostWindow> by_z;
    int measured = 0;  ///< Number of measurements: e = (y − f(z))/σ and J = (∂f/∂z)/σ.
    Eigen::Matrix<double, kMostMeasured, 1> e;
    Eigen::Matrix<double, kMostMeasured, kMostWindow, Eigen::RowMajor> J;
  };

  virtual ~AbsoluteMotion() = default;
  virtual int components() const = 0;
  /// Largest distance of two entries of z on which one sample depends.
  virtual int half_bandwidth() const = 0;
  /// Of all samples together.
  virtual Eigen::Index measurement_count() const = 0;
  /// @param z  components() × N.
  virtual void At(Eigen::Index k, const double* z, Sample& sample) const = 0;
};

/// How the absolute angle is told to an AbsoluteMotion: `joint_position` and `distance`: z = q1,
/// measured once a sample. `imu`: z = q1, from which accelerometer and gyroscope follow.
/// `imu_as_printed`: z = (sin q1, cos q1, q̇1), as if these were independent, each measured: the
/// former two by (63) from the readings and the rate and acceleration of `filtered`.
/// @param recording  read with AbsoluteAngleChannels().
/// @throws EstimationFailure (refused) for a sensor or a σ that is not there.
std::unique_ptr<AbsoluteMotion> MakeAbsoluteMotion(std::string_view absolute_angle,
                                                   const RobotModel& model,
                                                   const WalkerRecording& recording,
                                                   const FcdMotion& filtered,
                                                   const Differences& differences);

}  // namespace idbench
