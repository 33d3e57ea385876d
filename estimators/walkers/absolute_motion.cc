#include "estimators/walkers/absolute_motion.h"

#include <utility>

namespace idbench {
namespace {

bool Moves(Eigen::Index k, Eigen::Index samples) {
  return k >= AbsoluteMotion::kEdge && k < samples - AbsoluteMotion::kEdge;
}

/// z = q1. What is measured of it is left to others.
class AngleMotion : public AbsoluteMotion {
 public:
  AngleMotion(Eigen::Index samples, const Differences& differences)
      : samples_(samples), differences_(differences) {}

  int components() const override { return 1; }
  int half_bandwidth() const override { return 2 * kEdge; }
  Eigen::Index measurement_count() const override { return samples_; }

  void At(Eigen::Index k, const double* z, Sample& sample) const override {
    const bool moves = Moves(k, samples_);
    const int middle = moves ? kEdge : 0;
    sample.first = k - middle;
    sample.window = 2 * middle + 1;
    sample.by_z.setZero();
    double rate = 0.0, acceleration = 0.0;
    for (int c = 0; moves && c < sample.window; ++c) {
      const auto at = static_cast<std::size_t>(c);
      const double q1 = z[sample.first + c];
      rate += differences_.first[at] * q1;
      acceleration += differences_.second[at] * q1;
      sample.by_z(2, c) = differences_.first[at];
      sample.by_z(3, c) = differences_.second[at];
    }
    sample.angle = AbsoluteAngle::Of(z[k], rate, acceleration);
    sample.by_z(0, middle) = sample.angle.cosine;
    sample.by_z(1, middle) = -sample.angle.sine;
    sample.measured = 0;
    Measure(k, z[k], middle, sample);
  }

 protected:
  virtual void Measure(Eigen::Index k, double q1, int middle, Sample& sample) const = 0;

  /// y = f(q1) with a slope.
  static void MeasureOne(double residual, double slope, double sigma, int middle, Sample& sample) {
    sample.measured = 1;
    sample.e[0] = residual / sigma;
    sample.J.row(0).setZero();
    sample.J(0, middle) = slope / sigma;
  }

 private:
  Eigen::Index samples_;
  Differences differences_;
};

/// By an encoder.
class MeasuredAngle final : public AngleMotion {
 public:
  MeasuredAngle(const AngleReadings& readings, double sigma, const Differences& differences)
      : AngleMotion(readings.y.cols(), differences), y_(readings.y.row(0)), sigma_(sigma) {}

 private:
  void Measure(Eigen::Index k, double q1, int middle, Sample& sample) const override {
    MeasureOne(y_[k] - q1, 1.0, sigma_, middle, sample);
  }

  Eigen::RowVectorXd y_;
  double sigma_;
};

class MeasuredDistance final : public AngleMotion {
 public:
  MeasuredDistance(const AngleReadings& readings, double sigma, const Differences& differences)
      : AngleMotion(readings.y.cols(), differences),
        link_(*readings.link),
        y_(readings.y.row(0)),
        sigma_(sigma) {}

 private:
  void Measure(Eigen::Index k, double q1, int middle, Sample& sample) const override {
    MeasureOne(y_[k] - link_.Distance(q1), link_.DistanceSlope(q1), sigma_, middle, sample);
  }

  FirstLink link_;
  Eigen::RowVectorXd y_;
  double sigma_;
};

/// Readings of an IMU along the first link's axes.
struct ImuReadings {
  FirstLink link;
  Eigen::Matrix2Xd force;  ///< Along up.
  Eigen::RowVectorXd rate;
  Eigen::Vector3d sigma;  ///< Of force, then rate.

  ImuReadings(const AngleReadings& readings, const Eigen::VectorXd& declared)
      : link(*readings.link),
        force(readings.y.topRows<2>()),
        rate(readings.y.row(2)),
        sigma(declared) {}
};

class MeasuredByImu final : public AngleMotion {
 public:
  MeasuredByImu(const AngleReadings& readings, const Eigen::VectorXd& sigma,
                const Differences& differences)
      : AngleMotion(readings.y.cols(), differences), imu_(readings, sigma) {}

  Eigen::Index measurement_count() const override { return 3 * (imu_.rate.size() - 2 * kEdge); }

 private:
  void Measure(Eigen::Index k, double, int, Sample& sample) const override {
    if (sample.window == 1) return;
    const AbsoluteAngle& angle = sample.angle;
    sample.measured = 3;
    sample.e.head<2>() = imu_.force.col(k) - imu_.link.Force(angle);
    sample.e[2] = imu_.rate[k] - angle.rate;
    Eigen::Matrix<double, 3, 4> by_angle = Eigen::Matrix<double, 3, 4>::Zero();
    by_angle(0, 0) = by_angle(1, 1) = imu_.link.gravity();
    by_angle.block<2, 1>(0, 2) = -2.0 * angle.rate * imu_.link.place();
    by_angle.block<2, 1>(0, 3) = imu_.link.lever();
    by_angle(2, 2) = 1.0;
    sample.e = sample.e.cwiseQuotient(imu_.sigma);
    sample.J = imu_.sigma.cwiseInverse().asDiagonal() * by_angle * sample.by_z;
  }

  ImuReadings imu_;
};

/// z = (sin q1, cos q1, q̇1).
class PrintedImuMotion final : public AbsoluteMotion {
 public:
  PrintedImuMotion(const AngleReadings& readings, const Eigen::VectorXd& sigma, double Ts,
                   const FcdMotion& filtered)
      : imu_(readings, sigma), sine_and_cosine_(2, readings.y.cols()), Ts_(Ts) {
    // The readings themselves, corrected by the filtered rate: (63).
    for (Eigen::Index k = 0; k < readings.y.cols(); ++k) {
      const AbsoluteAngle& angle = filtered.angle[static_cast<std::size_t>(k)];
      sine_and_cosine_.col(k) =
          imu_.link.SineAndCosine(imu_.force.col(k), angle.rate, angle.acceleration);
    }
    imu_.sigma.head<2>() /= imu_.link.gravity();
  }

  int components() const override { return 3; }
  int half_bandwidth() const override { return 6; }
  Eigen::Index measurement_count() const override { return 3 * imu_.rate.size(); }

  void At(Eigen::Index k, const double* z, Sample& sample) const override {
    const double* const own = z + 3 * k;
    const bool moves = Moves(k, imu_.rate.size());
    const int middle = moves ? 1 : 0;  // behind the rate of the sample before
    sample.first = 3 * k - middle;
    sample.window = moves ? 7 : 3;
    sample.angle = {own[0], own[1], own[2], 0.0};
    sample.by_z.setZero();
    sample.by_z.block<3, 3>(0, middle).setIdentity();
    if (moves) {
      const double weight = 1.0 / (2.0 * Ts_);
      sample.angle.acceleration = weight * (own[5] - own[-1]);
      sample.by_z(3, 6) = weight;
      sample.by_z(3, 0) = -weight;
    }
    sample.measured = 3;
    sample.e << sine_and_cosine_.col(k) - Eigen::Vector2d(own[0], own[1]), imu_.rate[k] - own[2];
    sample.e = sample.e.cwiseQuotient(imu_.sigma);
    sample.J.setZero();
    sample.J.block<3, 3>(0, middle).diagonal() = imu_.sigma.cwiseInverse();
  }

 private:
  ImuReadings imu_;
  Eigen::Matrix2Xd sine_and_cosine_;
  double Ts_;
};

}  // namespace

Differences MakeDifferences(DifferenceRule rule, double Ts) {
  Differences weights = rule == DifferenceRule::kFivePoint
                            ? Differences{{1.0 / 12, -8.0 / 12, 0.0, 8.0 / 12, -1.0 / 12},
                                          {-1.0 / 12, 16.0 / 12, -30.0 / 12, 16.0 / 12, -1.0 / 12}}
                            : Differences{{0.0, -0.5, 0.0, 0.5, 0.0}, {0.25, 0.0, -0.5, 0.0, 0.25}};
  for (double& weight : weights.first) weight /= Ts;
  for (double& weight : weights.second) weight /= Ts * Ts;
  return weights;
}

std::unique_ptr<AbsoluteMotion> MakeAbsoluteMotion(AngleSensor sensor, const RobotModel& model,
                                                   const WalkerRecording& recording,
                                                   const FcdMotion& filtered,
                                                   const Differences& differences) {
  const AngleReadings readings = ReadAngle(sensor, model, recording);
  const Eigen::VectorXd sigma = DeclaredSigma(sensor, readings, recording);
  switch (sensor) {
    case AngleSensor::kImuAsPrinted:
      return std::make_unique<PrintedImuMotion>(readings, sigma, recording.Ts, filtered);
    case AngleSensor::kImu:
      return std::make_unique<MeasuredByImu>(readings, sigma, differences);
    case AngleSensor::kDistanceMeter:
      return std::make_unique<MeasuredDistance>(readings, sigma[0], differences);
    case AngleSensor::kEncoder:
    case AngleSensor::kHallEncoder:
      break;
  }
  return std::make_unique<MeasuredAngle>(readings, sigma[0], differences);
}

}  // namespace idbench
