#include "sim/sensors/measure.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "robots/random/random_stream.h"

namespace idbench {
namespace {

const SensedParts kMeasuredParts = {{"joint1", "joint2"}, {"motor1"}};
constexpr Eigen::Index kMeasuredSamples = 200;

Signals Clean() {
  Signals signals;
  signals.time_s = Eigen::VectorXd::LinSpaced(kMeasuredSamples, 0.0, 1.99);
  signals[kJointPosition].resize(kMeasuredSamples, 2);
  for (Eigen::Index i = 0; i < kMeasuredSamples; ++i) {
    signals[kJointPosition].row(i) << std::sin(3.0 * signals.time_s(i)),
        std::cos(5.0 * signals.time_s(i));
  }
  signals[kJointVelocity] = 2.0 * signals[kJointPosition];
  signals[kJointAcceleration] = -3.0 * signals[kJointPosition];
  signals[kJointTorque] = 10.0 * signals[kJointPosition];
  return signals;
}

Dataset MeasureWith(const SensorOptions& options, std::int64_t trial = 0,
                    const std::string& label = "identification") {
  return Measure(Clean(), Resolve(options, kMeasuredParts, Clean()), 1, trial, label,
                 Role::kValidation);
}

Eigen::MatrixXd TorqueNoise(const SensorOptions& options, std::int64_t trial = 0,
                            const std::string& label = "identification") {
  return MeasureWith(options, trial, label).Get(kJointTorque).samples - Clean()[kJointTorque];
}

SensorOptions NoisyTorque(double sigma) {
  SensorOptions options;
  options[kJointTorque].noise_std = {{sigma}};
  return options;
}

TEST_CASE("Without effects every channel is exact, and of its declared origin") {
  const Dataset dataset = MeasureWith({});
  CHECK(dataset.label() == "identification");
  CHECK(dataset.role() == Role::kValidation);
  REQUIRE(dataset.channels().size() == 4);
  CHECK(dataset.Get(kJointPosition).samples == Clean()[kJointPosition]);
  CHECK(dataset.Get(kJointVelocity).samples == Clean()[kJointVelocity]);
  CHECK(dataset.Get(kJointAcceleration).samples == Clean()[kJointAcceleration]);
  CHECK(dataset.Get(kJointTorque).samples == Clean()[kJointTorque]);
  CHECK(dataset.Get(kJointTorque).time_s == Clean().time_s);
  CHECK(dataset.Get(kJointPosition).origin == Origin::kMeasured);
  CHECK(dataset.Get(kJointVelocity).origin == Origin::kOracle);
  CHECK(dataset.Get(kJointAcceleration).unit == "rad/s²");
  CHECK(dataset.Get(kJointTorque).unit == "N·m");
  CHECK(dataset.Get(kJointTorque).sigma.size() == 0);
}

TEST_CASE("An absent channel is left out") {
  SensorOptions options;
  options[kJointAcceleration].origin = SensorOrigin::kAbsent;
  const Dataset dataset = MeasureWith(options);
  CHECK(dataset.Find(kJointAcceleration) == nullptr);
  CHECK(dataset.Find(kJointVelocity) != nullptr);
}

TEST_CASE("A sample's noise is σ times the draw of its documented address") {
  SensorOptions options = NoisyTorque(0.3);
  const RandomStream stream(1, 4, "validation/joint_torque/gaussian");
  const Eigen::MatrixXd noisy = MeasureWith(options, 4, "validation").Get(kJointTorque).samples;
  CHECK(noisy(17, 1) == Clean()[kJointTorque](17, 1) + 0.3 * stream.Normal(1, 17));
}

TEST_CASE("A wrench passes its calibration error, then bias, shift, drift and steps") {
  SensorOptions options;
  ChannelSensorOptions& wrench = options[kBaseWrench];
  wrench.origin = SensorOrigin::kMeasured;
  wrench.calibration_error = CalibrationErrorOptions{.relative_std = 0.05};
  wrench.bias = {{1.0}};
  wrench.bias_shift_std = {{0.3}};
  wrench.drift_std = {{0.2}};
  wrench.quantisation = {{0.01}};
  Signals signals = Clean();
  signals[kBaseWrench] = Eigen::MatrixXd::Constant(kMeasuredSamples, 6, 10.0);
  const SensorOptions resolved = Resolve(options, kMeasuredParts, {});
  const auto read = [&](const SensorOptions& sensors, std::int64_t trial, const char* label) {
    return Eigen::MatrixXd(
        Measure(signals, sensors, 1, trial, label, Role::kValidation).Get(kBaseWrench).samples);
  };
  CalibrationError calibration(*wrench.calibration_error, "base_wrench");
  calibration.Reset({1, 4, ""});
  const Eigen::Vector<double, 6> w = Eigen::Vector<double, 6>::Constant(10.0);
  const RandomStream shift(1, 4, "validation/base_wrench/bias_shift");
  const RandomStream drift(1, 4, "validation/base_wrench/drift");
  const Eigen::MatrixXd samples = read(resolved, 4, "validation");
  for (Eigen::Index j = 0; j < 6; ++j) {
    const auto k = static_cast<std::uint64_t>(j);
    const double expected = w[j] + calibration.error().row(j).dot(w) + 1.0 +
                            0.3 * shift.Normal(k, 0) + 0.2 * drift.Normal(k, 0);
    CHECK(samples(0, j) == doctest::Approx(0.01 * std::round(expected / 0.01)).epsilon(1e-12));
  }
  // Without shift and drift two experiments of a trial have the same readings, two trials not.
  SensorOptions lasting = resolved;
  for (PerJoint* numbers :
       {&lasting[kBaseWrench].bias_shift_std, &lasting[kBaseWrench].drift_std}) {
    numbers->values.assign(6, 0.0);
  }
  CHECK(read(lasting, 4, "validation") == read(lasting, 4, "identification"));
  CHECK(read(lasting, 4, "validation") != read(lasting, 5, "validation"));
  CHECK(read(resolved, 4, "validation") != read(resolved, 4, "identification"));
}

TEST_CASE("The declared sigma is that of the noise, or what the scenario says") {
  CHECK(MeasureWith(NoisyTorque(0.3)).Get(kJointTorque).sigma ==
        Eigen::VectorXd(Eigen::Vector2d(0.3, 0.3)));
  SensorOptions told = NoisyTorque(0.3);
  told[kJointTorque].declared_sigma = PerJoint{{1.0}};
  CHECK(MeasureWith(told).Get(kJointTorque).sigma == Eigen::VectorXd(Eigen::Vector2d(1.0, 1.0)));
}

TEST_CASE("Amplitudes scale the same draws") {
  const Eigen::MatrixXd small = TorqueNoise(NoisyTorque(0.1));
  const Eigen::MatrixXd large = TorqueNoise(NoisyTorque(0.4));
  // Both are differences to signals up to 10: rounding of 10.
  CHECK((large - 4.0 * small).cwiseAbs().maxCoeff() < 1e-14);
}

TEST_CASE("Another channel's noise does not shift the draws") {
  SensorOptions options = NoisyTorque(0.1);
  options[kJointPosition].noise_std = {{0.01}};
  options[kJointVelocity].origin = SensorOrigin::kAbsent;
  CHECK(TorqueNoise(options) == TorqueNoise(NoisyTorque(0.1)));
}

TEST_CASE("Trials, experiments and channels draw different noise") {
  const Eigen::MatrixXd noise = TorqueNoise(NoisyTorque(0.1));
  CHECK(TorqueNoise(NoisyTorque(0.1), 1) != noise);
  CHECK(TorqueNoise(NoisyTorque(0.1), 0, "validation") != noise);
  SensorOptions position;
  position[kJointPosition].noise_std = {{0.1}};
  CHECK(
      (MeasureWith(position).Get(kJointPosition).samples - Clean()[kJointPosition] - noise).norm() >
      0.1);
}

TEST_CASE("A reading is biased, then noisy, then quantised") {
  SensorOptions options = NoisyTorque(0.3);
  options[kJointTorque].bias = {{5.0, 0.0}};
  options[kJointTorque].quantisation = {{0.5}};
  const RandomStream stream(1, 0, "identification/joint_torque/gaussian");
  const Eigen::MatrixXd readings = MeasureWith(options).Get(kJointTorque).samples;
  for (const std::uint64_t i : {0, 33, 199}) {
    const auto row = static_cast<Eigen::Index>(i);
    const double analogue = Clean()[kJointTorque](row, 0) + 5.0 + 0.3 * stream.Normal(0, i);
    CHECK(readings(row, 0) == 0.5 * std::round(analogue / 0.5));
  }
}

TEST_CASE("A delayed reading is that of an earlier instant, with the noise of its own sample") {
  SensorOptions options = NoisyTorque(0.3);
  options[kJointTorque].delay_s = 0.05;
  const RandomStream stream(1, 0, "identification/joint_torque/gaussian");
  const Channel torque = MeasureWith(options).Get(kJointTorque);
  // Five samples have no reading.
  CHECK(torque.samples(35, 1) == Clean()[kJointTorque](35, 1) + 0.3 * stream.Normal(1, 40));
  CHECK(torque.time_s == Clean().time_s.tail(195));
}

TEST_CASE("Data of all channels begin when the longest delay has passed, and count from before") {
  SensorOptions options = NoisyTorque(0.0);
  options[kJointTorque].delay_s = 0.025;
  options[kJointPosition].delay_s = 0.01;
  options[kJointPosition].dropout_fraction = 0.5;
  const Dataset dataset = MeasureWith(options);
  const Signals clean = Clean();
  for (const Channel& channel : dataset.channels()) {
    CAPTURE(channel.name);
    CHECK(channel.time_s == clean.time_s.tail(197));
  }
  CHECK(*dataset.recorded == RecordedTime{0.0, 1.99});
  CHECK(dataset.Get(kJointVelocity).samples == clean[kJointVelocity].bottomRows(197));
  const Eigen::RowVectorXd halfway =
      0.5 * (clean[kJointTorque].row(0) + clean[kJointTorque].row(1));
  CHECK(dataset.Get(kJointTorque).samples.row(0).isApprox(halfway, 1e-12));  // T/2 by t/T
  // What is held is a reading of the roll-out, not of a past that it does not have.
  options[kJointPosition].delay_s = 0.05;
  const Eigen::MatrixXd held = MeasureWith(options).Get(kJointPosition).samples;
  CHECK(held.row(0) == clean[kJointPosition].row(0));
  CHECK(held.rows() == 195);
}

TEST_CASE("The clock of an experiment begins at t = 0, wherever its first sample lies") {
  Signals late = Clean();
  late.time_s.array() += 0.0375;  // half a step of the plant or half a hold of control
  const Dataset dataset = Measure(late, Resolve(NoisyTorque(0.0), kMeasuredParts, late), 1, 0,
                                  "identification", Role::kIdentification);
  CHECK(*dataset.recorded == RecordedTime{0.0, late.time_s[199]});
  CHECK(dataset.Get(kJointTorque).time_s == late.time_s);
}

TEST_CASE("A shift of all channels by whole samples gives the samples of a shorter roll-out") {
  SensorOptions options;
  for (ChannelSensorOptions* channel : options.channels()) {
    if (channel->origin != SensorOrigin::kAbsent) channel->origin = SensorOrigin::kMeasured;
    channel->delay_s = 0.07;
  }
  const Dataset late = MeasureWith(options);
  for (const std::string_view name :
       {kJointPosition, kJointVelocity, kJointAcceleration, kJointTorque}) {
    CHECK(late.Get(name).samples == Clean()[name].topRows(193));
    CHECK(late.Get(name).time_s == Clean().time_s.tail(193));
  }
}

TEST_CASE("A delay longer than the roll-out leaves no samples") {
  SensorOptions options = NoisyTorque(0.3);
  options[kJointTorque].delay_s = 2.5;
  const Dataset none = MeasureWith(options);
  for (const Channel& channel : none.channels()) CHECK(channel.time_s.size() == 0);
}

TEST_CASE("Missing samples are not in the channel, held ones are the last reading") {
  SensorOptions options = NoisyTorque(0.3);
  const Channel all = MeasureWith(options).Get(kJointTorque);
  options[kJointTorque].dropout_fraction = 0.25;
  const Channel held = MeasureWith(options).Get(kJointTorque);
  options[kJointTorque].dropout = Dropout::Kind::kMissing;
  const Channel missing = MeasureWith(options).Get(kJointTorque);
  const RandomStream stream(1, 0, "identification/joint_torque/dropout");
  Eigen::Index kept = 0;
  for (Eigen::Index i = 0; i < kMeasuredSamples; ++i) {
    const bool lost = i > 0 && stream.Uniform(0, static_cast<std::uint64_t>(i)) < 0.25;
    CHECK(held.samples.row(i) == (lost ? held.samples.row(i - 1) : all.samples.row(i)));
    if (lost) continue;
    CHECK(missing.time_s(kept) == all.time_s(i));
    CHECK(missing.samples.row(kept++) == all.samples.row(i));
  }
  CHECK(missing.time_s.size() == kept);
  CHECK(kept < kMeasuredSamples);
  CHECK(held.time_s == all.time_s);
}

TEST_CASE("Sensors that are not resolved are refused") {
  CHECK_THROWS_WITH_AS(
      Measure(Clean(), NoisyTorque(0.1), 1, 0, "identification", Role::kIdentification),
      "joint_position: sensor options must be resolved for 2 joints first", std::invalid_argument);
  SensorOptions options = Resolve({}, kMeasuredParts, {});
  options[kJointTorque].noise_peak_fraction = {{0.1, 0.1}};
  CHECK_THROWS_WITH_AS(Measure(Clean(), options, 1, 0, "identification", Role::kIdentification),
                       "joint_torque: sensor options must be resolved for 2 joints first",
                       std::invalid_argument);
}

TEST_CASE("A base wrench has six noisy components and both units") {
  Signals clean = Clean();
  clean[kBaseWrench] = Eigen::MatrixXd::Constant(kMeasuredSamples, 6, 5.0);
  SensorOptions options;
  options[kBaseWrench].origin = SensorOrigin::kMeasured;
  options[kBaseWrench].noise_std = {{0.1, 0.1, 0.1, 0.1, 0.1, 0.2}};
  const Channel channel = Measure(clean, Resolve(options, kMeasuredParts, {}), 1, 0,
                                  "identification", Role::kIdentification)
                              .Get(kBaseWrench);
  const RandomStream stream(1, 0, "identification/base_wrench/gaussian");
  CHECK(channel.samples(9, 5) == 5.0 + 0.2 * stream.Normal(5, 9));
  CHECK(channel.unit == "N, N·m");
  CHECK(channel.sigma.size() == 6);
}

TEST_CASE("A second encoder reads the same joints with errors of its own") {
  SensorOptions options;
  options[kHallPosition].origin = SensorOrigin::kMeasured;
  options[kHallPosition].sine_error = {{0.02}};
  options[kHallPosition].bias = {{0.03, -0.01}};
  options[kHallPosition].quantisation = {{0.0015}};
  const Dataset dataset = MeasureWith(options);
  CHECK(dataset.Get(kJointPosition).samples == Clean()[kJointPosition]);
  const Channel& hall = dataset.Get(kHallPosition);
  CHECK(hall.unit == "rad");
  const double q = Clean()[kJointPosition](17, 0);
  CHECK(hall.samples(17, 0) == 0.0015 * std::round((q + 0.02 * std::sin(q) + 0.03) / 0.0015));
}

TEST_CASE("A sensor of a signal that was not recorded is refused") {
  SensorOptions options;
  options[kBaseWrench].origin = SensorOrigin::kOracle;
  CHECK_THROWS_WITH_AS(MeasureWith(options),
                       "base_wrench: the roll-out was recorded without this signal",
                       std::invalid_argument);
}

TEST_CASE("A live plant goes through the same effects, sample by sample") {
  const SensorOptions resolved = Resolve(NoisyTorque(0.2), kMeasuredParts, {});
  SensorChain chain(resolved[kJointTorque]);
  chain.Reset({1, 0, "identification/joint_torque"});
  const Eigen::MatrixXd cached = MeasureWith(NoisyTorque(0.2)).Get(kJointTorque).samples;
  for (Eigen::Index i = 0; i < kMeasuredSamples; ++i) {
    Eigen::VectorXd sample = Clean()[kJointTorque].row(i);
    chain.Apply(Clean().time_s(i), static_cast<std::uint64_t>(i), sample);
    CHECK(sample == Eigen::VectorXd(cached.row(i)));
  }
}

}  // namespace
}  // namespace idbench
