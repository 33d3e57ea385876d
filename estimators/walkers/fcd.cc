#include "estimators/walkers/fcd.h"

#include <algorithm>
#include <cmath>

#include "estimators/interface/estimate.h"
#include "robots/recording/filter.h"

namespace idbench {
namespace {

/// MATLAB's filtfilt extends a signal by three samples per order at each end. A filter remembers
/// the longer the lower its half-power frequency: below a quarter of half the rate, the time of
/// that extension stays three samples' per order at four times the frequency.
Eigen::Index Padding(const FcdOptions& options, double Ts) {
  const Eigen::Index matlab = 3 * options.order;
  if (options.half_power.of_nyquist) return matlab;
  const double share = options.half_power.ShareAt(Ts);
  return std::max(matlab, std::lround(0.25 / share * static_cast<double>(matlab)));
}

/// ẋ of k × N signals; 0 where a neighbour is missing.
Eigen::MatrixXd CentralDifference(const Eigen::MatrixXd& x, Eigen::Index c, double Ts) {
  const Eigen::Index inner = x.cols() - 2 * c;
  Eigen::MatrixXd difference = Eigen::MatrixXd::Zero(x.rows(), x.cols());
  difference.middleCols(c, inner) =
      (x.rightCols(inner) - x.leftCols(inner)) / (2.0 * static_cast<double>(c) * Ts);
  return difference;
}

Eigen::MatrixXd LowPassed(const FcdOptions& options, double Ts, const Eigen::MatrixXd& signals) {
  Eigen::MatrixXd columns = signals.transpose();
  LowPass(options, Ts, columns);
  return columns.transpose();
}

/// All joints as the encoders tell them, the first one as the sensor of the absolute angle does.
Eigen::MatrixXd Positions(const RobotModel& model, const WalkerRecording& recording,
                          AngleSensor sensor) {
  if (sensor == AngleSensor::kHallEncoder) return recording.Further(kHallPosition).samples;
  Eigen::MatrixXd q = recording.q.samples;
  if (sensor != AngleSensor::kDistanceMeter) return q;
  const AngleReadings readings = ReadAngle(sensor, model, recording);
  q.row(0) = readings.y.row(0).unaryExpr(
      [&readings](double distance) { return readings.link->Angle(distance); });
  return q;
}

/// The absolute angle as an IMU tells it, into `motion`.
void ReadImu(const RobotModel& model, const WalkerRecording& recording, const FcdOptions& options,
             FcdMotion& motion) {
  AngleReadings readings = ReadAngle(AngleSensor::kImu, model, recording);
  const FirstLink& link = *readings.link;
  Eigen::MatrixXd& signals = readings.y;
  if (options.low_pass != FcdLowPass::kEquations) {
    signals = LowPassed(options, recording.Ts, signals);
  }
  motion.qd.row(0) = signals.row(2);
  motion.qdd.row(0) =
      CentralDifference(signals.row(2), options.n_cd.CountAt(recording.Ts), recording.Ts);
  for (Eigen::Index k = 0; k < recording.size(); ++k) {
    const double rate = motion.qd(0, k), acceleration = motion.qdd(0, k);
    const Eigen::Vector2d up = link.SineAndCosine(signals.col(k).head<2>(), rate, acceleration);
    motion.angle.push_back({up[0], up[1], rate, acceleration});
    motion.q(0, k) = std::atan2(up[0], up[1]);
  }
}

}  // namespace

void AddFcdFields(FcdOptions& o, FieldTable& table) {
  table
      .Add("absolute_angle", o.absolute_angle,
           {.doc =
                "Sensor of the first link's angle: joint_position, hall_position (which then gives "
                "all joints), distance (to the ground) or imu (accelerometer and gyroscope)",
            .choices = {"joint_position", "hall_position", "distance", "imu"}})
      .Add("low_pass", o.low_pass,
           {.doc = "Signals to low-pass: those that give the absolute angle (absolute_angle), all "
                   "(signals), or, as a parallel filter, the torques and every column of the "
                   "regressor (equations)"});
  AddDifferenceFields(o, table);
}

void AddDifferenceFields(FcdOptions& o, FieldTable& table) {
  AddLowPassFields(o.half_power, o.order, "", table);
  AddDuration(o.n_cd,
              {.key = "n_cd_s",
               .former = "n_cd",
               .doc = "Time from the middle of a central difference to each of its ends"},
              table);
}

void AddLowPassFields(CutOff& half_power, int& order, std::string_view use, FieldTable& table) {
  AddCutOff(half_power, use, table);
  table.Add("order", order,
            {.doc = "Order of each of the low-pass's two passes", .lower = 1, .upper = 20});
}

Eigen::Index LeastSamples(const FcdOptions& options, double Ts) {
  const Eigen::Index padding = options.half_power.ShareAt(Ts) < 1.0 ? Padding(options, Ts) : 0;
  const Eigen::Index ends = 4 * options.n_cd.CountAt(Ts);
  return 1 +
         (options.low_pass == FcdLowPass::kEquations ? ends + padding : std::max(ends, padding));
}

LeastOfPeriod LeastSamples(const FcdOptions& options) {
  return [options](double Ts) { return LeastSamples(options, Ts); };
}

void LowPass(const FcdOptions& options, double Ts, Eigen::Ref<Eigen::MatrixXd> columns) {
  const double share = options.half_power.ShareAt(Ts);
  if (share >= 1.0) return;
  const double rate_hz = 1.0 / Ts;
  const ButterworthLowpass filter(options.order, 0.5 * share * rate_hz, rate_hz);
  filter.ApplyZeroPhase(columns, Padding(options, Ts));
}

FcdMotion FilteredDifferences(const RobotModel& model, const WalkerRecording& recording,
                              const FcdOptions& options) {
  const double Ts = recording.Ts;
  const Eigen::Index c = options.n_cd.CountAt(Ts);
  FcdMotion motion;
  motion.first = 2 * c;
  motion.last = recording.size() - 1 - 2 * c;
  motion.q = Positions(model, recording, options.absolute_angle);
  motion.tau = recording.tau;
  if (options.low_pass == FcdLowPass::kSignals) {
    motion.q = LowPassed(options, Ts, motion.q);
    motion.tau = LowPassed(options, Ts, motion.tau);
  } else if (options.low_pass == FcdLowPass::kAbsoluteAngle) {
    motion.q.row(0) = LowPassed(options, Ts, motion.q.row(0));
  }
  motion.qd = CentralDifference(motion.q, c, Ts);
  motion.qdd = CentralDifference(motion.qd, c, Ts);
  motion.angle.reserve(static_cast<std::size_t>(recording.size()));
  if (IsImu(options.absolute_angle)) {
    ReadImu(model, recording, options, motion);
    return motion;
  }
  for (Eigen::Index k = 0; k < recording.size(); ++k) {
    motion.angle.push_back(AbsoluteAngle::Of(motion.q(0, k), motion.qd(0, k), motion.qdd(0, k)));
  }
  return motion;
}

Eigen::MatrixXd FcdEquations(const PlanarLagrangian& lagrangian, const FcdMotion& motion,
                             const Eigen::MatrixXd& root, const FcdOptions& options, double Ts) {
  const WalkerRegressor regressor(lagrangian, root, motion.q, motion.qd, motion.qdd);
  const Eigen::Index p = lagrangian.size(), rows = root.rows();
  Eigen::MatrixXd equations(motion.count(), rows * (p + 1));
  WalkerRegressor::RowMajor Z(rows, p);
  for (Eigen::Index i = 0; i < motion.count(); ++i) {
    const Eigen::Index k = motion.first + i;
    regressor.Rows(k, motion.angle[static_cast<std::size_t>(k)], Z);
    for (Eigen::Index j = 0; j < rows; ++j) {
      equations.row(i).segment(j * (p + 1), p) = Z.row(j);
      equations(i, j * (p + 1) + p) = root.row(j).dot(motion.tau.col(k));
    }
  }
  if (options.low_pass == FcdLowPass::kEquations) LowPass(options, Ts, equations);
  return equations;
}

}  // namespace idbench
