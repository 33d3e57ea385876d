#include "sim/truth/motor_noise.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <numbers>

namespace idbench {
namespace {

constexpr Eigen::Index kWaves = 32;

}  // namespace

FieldTable Visit(MotorNoiseOptions& o) {
  FieldTable table;
  table
      .Add("std_nm", o.std_nm,
           {.doc = "Standard deviation of the torque of each motor, on the side of its joints",
            .unit = "N·m",
            .lower = 0.0})
      .Add("cutoff_hz", o.cutoff_hz,
           {.doc = "Frequency up to which its spectrum is flat, and beyond which there is none",
            .unit = "Hz",
            .lower = 0.0,
            .lower_open = true})
      .Add("draw", o.draw,
           {.doc = "One draw of the noise for all trials of a cell (cell), or another one in every "
                   "trial (trial)"});
  return table;
}

std::string Describe(const MotorNoiseOptions& options) {
  return fmt::format("noise of {:g} N·m below {:g} Hz on the motors' torques",
                     fmt::join(options.std_nm.values, ", "), options.cutoff_hz);
}

void MotorNoise::SubtractFrom(double t, Eigen::VectorXd& tau) const {
  for (Eigen::Index motor = 0; motor < rates.rows(); ++motor) {
    if (torques.col(motor).isZero(0.0)) continue;  // the cosines are the cost
    double sum = 0.0;
    for (Eigen::Index k = 0; k < rates.cols(); ++k) {
      sum += std::cos(rates(motor, k) * t + phases(motor, k));
    }
    tau -= sum * torques.col(motor);
  }
}

MotorNoise MakeMotorNoise(const MotorNoiseOptions& options, const RobotModel& model,
                          const RandomStream& stream) {
  const Eigen::MatrixXd& B = model.actuation().B;
  MotorNoise noise{B, Eigen::MatrixXd(B.cols(), kWaves), Eigen::MatrixXd(B.cols(), kWaves)};
  for (Eigen::Index motor = 0; motor < B.cols(); ++motor) {
    noise.torques.col(motor) *= options.std_nm[static_cast<std::size_t>(motor)] *
                                std::sqrt(2.0 / static_cast<double>(kWaves));
    const std::uint64_t channel = 2 * static_cast<std::uint64_t>(motor);
    for (Eigen::Index k = 0; k < kWaves; ++k) {
      const auto index = static_cast<std::uint64_t>(k);
      const double part =
          (static_cast<double>(k) + stream.Uniform(channel, index)) / static_cast<double>(kWaves);
      noise.rates(motor, k) = 2.0 * std::numbers::pi * options.cutoff_hz * part;
      noise.phases(motor, k) = 2.0 * std::numbers::pi * stream.Uniform(channel + 1, index);
    }
  }
  return noise;
}

}  // namespace idbench
