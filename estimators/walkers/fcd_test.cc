#include "estimators/walkers/fcd.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "estimators/interface/estimate.h"
#include "estimators/synthetic_walker_test.h"
#include "robots/recording/filter.h"

namespace idbench {
namespace {

std::vector<WalkerRecording> ReadForFcd(const SyntheticWalker& walker, const FcdOptions& options,
                                        double noise_scale = 0.0, double rate_hz = 100.0) {
  const std::vector<Dataset> datasets = {
      walker.Record("a", noise_scale, 0, Role::kIdentification, rate_hz)};
  return ReadWalkerData(walker.problem, datasets, ChannelsOf(options.absolute_angle),
                        LeastSamples(options));
}

/// A recording of 40 samples at 100 Hz in which all joints of the biped move as `law` says.
template <class Law>
WalkerRecording Moving(Law law) {
  WalkerRecording recording;
  recording.Ts = 0.01;
  recording.q.samples = Eigen::MatrixXd::NullaryExpr(3, 40, [&](Eigen::Index j, Eigen::Index k) {
    return law(0.01 * static_cast<double>(k)) + 0.1 * static_cast<double>(j);
  });
  recording.u.samples = Eigen::MatrixXd::Ones(2, 40);
  recording.tau = Eigen::MatrixXd::Ones(3, 40);
  return recording;
}

FcdMotion DifferencesOf(const WalkerRecording& recording, const FcdOptions& options) {
  return FilteredDifferences(SyntheticWalker::Biped().problem.model, recording, options);
}

TEST_CASE("Differences of a parabola are exact, for the samples that have their neighbours") {
  const WalkerRecording recording = Moving([](double t) { return 2.0 - 3.0 * t + 4.0 * t * t; });
  for (const int n_cd : {1, 2, 7}) {
    const FcdMotion motion = DifferencesOf(recording, {.n_cd = {.samples = n_cd}});
    CHECK(motion.first == 2 * n_cd);
    CHECK(motion.last == 39 - 2 * n_cd);
    CHECK(motion.count() == 40 - 4 * n_cd);
    for (Eigen::Index k = motion.first; k <= motion.last; ++k) {
      for (Eigen::Index j = 0; j < 3; ++j) {
        // Rounding of 1e-16 is divided by (0.01·n_cd)².
        CHECK(motion.qd(j, k) == doctest::Approx(-3.0 + 0.08 * static_cast<double>(k)));
        CHECK(motion.qdd(j, k) == doctest::Approx(8.0).epsilon(1e-10));
      }
      const AbsoluteAngle& angle = motion.angle[static_cast<std::size_t>(k)];
      CHECK(angle.sine == std::sin(motion.q(0, k)));
      CHECK(angle.acceleration == motion.qdd(0, k));
    }
  }
}

TEST_CASE("A sine is damped by its frequency over the sample rate, once in each difference") {
  const double omega = 20.0, Ts = 0.01;
  const WalkerRecording recording = Moving([&](double t) { return std::sin(omega * t); });
  const FcdMotion motion = DifferencesOf(recording, {.n_cd = {.samples = 3}});
  const double gain = std::sin(3.0 * omega * Ts) / (3.0 * Ts);
  for (Eigen::Index k = motion.first; k <= motion.last; ++k) {
    const double t = Ts * static_cast<double>(k);
    CHECK(motion.qd(0, k) == doctest::Approx(gain * std::cos(omega * t)).epsilon(1e-11));
    CHECK(motion.qdd(0, k) == doctest::Approx(-gain * gain * std::sin(omega * t)).epsilon(1e-10));
  }
}

TEST_CASE("The low-pass takes what it is told to: the absolute angle, or all signals") {
  const WalkerRecording recording = Moving([](double t) { return t + 0.1 * std::sin(250.0 * t); });
  Eigen::MatrixXd filtered = recording.q.samples.transpose();
  ButterworthLowpass(5, 10.0, 100.0).ApplyZeroPhase(filtered, 15);
  const FcdMotion one = DifferencesOf(recording, {.half_power = {.of_nyquist = 0.2}});
  CHECK(one.q.row(0).isApprox(filtered.col(0).transpose(), 1e-15));
  CHECK(one.q.bottomRows(2) == recording.q.samples.bottomRows(2));
  CHECK(one.tau == recording.tau);
  const FcdMotion all = DifferencesOf(
      recording, {.low_pass = FcdLowPass::kSignals, .half_power = {.of_nyquist = 0.2}});
  CHECK(all.q.isApprox(filtered.transpose(), 1e-15));
  CHECK(all.tau.isApprox(recording.tau, 1e-12));  // a constant passes
  const FcdMotion none = DifferencesOf(
      recording, {.low_pass = FcdLowPass::kEquations, .half_power = {.of_nyquist = 0.2}});
  CHECK(none.q == recording.q.samples);
}

TEST_CASE("A low-pass in hertz spoils as much time at any rate") {
  // A steady climb passes an extension by odd reflection unchanged, whatever follows it; what noise
  // leaves of the first tenth of a second tells whether the extension is as long as the memory.
  const SyntheticWalker biped = SyntheticWalker::Biped();
  const auto error = [&](double rate_hz, const CutOff& half_power) {
    const FcdOptions options{.half_power = half_power};
    double worst = 0.0;
    const WalkerRecording recording = ReadForFcd(biped, options, 0.0, rate_hz)[0];
    const FcdMotion motion = DifferencesOf(recording, options);
    const auto count = static_cast<Eigen::Index>(0.1 * rate_hz);
    for (Eigen::Index k = 0; k < count; ++k) {
      worst = std::max(worst, std::abs(motion.q(0, k) - recording.q.samples(0, k)));
    }
    return worst;
  };
  const double at_100 = error(100.0, {.hz = 12.5});
  CHECK(error(100.0, {.of_nyquist = 0.25}) == at_100);
  CHECK(error(1000.0, {.hz = 12.5}) == doctest::Approx(at_100).epsilon(0.1));
  CHECK(error(1000.0, {.of_nyquist = 0.025}) > 1.5 * at_100);  // MATLAB's extension
}

TEST_CASE("Each sensor tells the absolute angle, Hall encoders those of all joints") {
  const SyntheticWalker biped = SyntheticWalker::Biped();
  SyntheticWalker leg = SyntheticWalker::Leg();
  leg.beta.tail(2).setZero();  // without the kinks of Coulomb friction
  const Eigen::VectorXd q1 = biped.Record("a", 0.0).Get(kJointPosition).samples.col(0);
  for (const AngleSensor source :
       {AngleSensor::kEncoder, AngleSensor::kHallEncoder, AngleSensor::kDistanceMeter}) {
    const FcdOptions options{.absolute_angle = source};
    const FcdMotion motion =
        FilteredDifferences(biped.problem.model, ReadForFcd(biped, options)[0], options);
    CHECK((motion.q.row(0).transpose() - q1).cwiseAbs().maxCoeff() < 1e-13);
  }
  const FcdOptions hall{.absolute_angle = AngleSensor::kHallEncoder};
  const WalkerRecording noisy = ReadForFcd(biped, hall, 1.0)[0];
  CHECK(DifferencesOf(noisy, hall).q == noisy.further[0].samples);

  const FcdOptions imu{.absolute_angle = AngleSensor::kImu, .n_cd = {.seconds = 0.001}};
  const WalkerRecording recording = ReadForFcd(leg, imu, 0.0, 1000.0)[0];
  const FcdMotion motion = FilteredDifferences(leg.problem.model, recording, imu);
  CHECK(motion.qd.row(0) == recording.further[1].samples.row(1));
  for (Eigen::Index k = motion.first; k <= motion.last; ++k) {
    // The rate's difference misses q̈1 by h²/6 of its third derivative, up to 10⁵ rad/s⁴, times
    // lever over g.
    CHECK(std::abs(motion.q(0, k) - recording.q.samples(0, k)) < 0.0005);
    const AbsoluteAngle& angle = motion.angle[static_cast<std::size_t>(k)];
    CHECK(angle.rate == motion.qd(0, k));
    CHECK(angle.acceleration == motion.qdd(0, k));
    CHECK(std::atan2(angle.sine, angle.cosine) == motion.q(0, k));
  }
}

TEST_CASE("Equations hold of the motion, as they are and after a parallel filter") {
  const SyntheticWalker biped = SyntheticWalker::Biped();
  const PlanarLagrangian& lagrangian = *biped.problem.parameters.lagrangian();
  const Eigen::Matrix3d F = Eigen::Vector3d(1.0, 2.0, 3.0).asDiagonal();
  for (const FcdLowPass low_pass : {FcdLowPass::kAbsoluteAngle, FcdLowPass::kEquations}) {
    const FcdOptions options{.low_pass = low_pass, .half_power = {.of_nyquist = 0.3}};
    FcdMotion motion =
        DifferencesOf(ReadForFcd(biped, {})[0], {.low_pass = FcdLowPass::kEquations});
    // Torques that are exactly those of this motion.
    for (Eigen::Index k = motion.first; k <= motion.last; ++k) {
      Eigen::VectorXd tau(3);
      lagrangian.Torque(biped.beta, motion.q.col(k), motion.qd.col(k), motion.qdd.col(k), tau);
      motion.tau.col(k) = tau;
    }
    const Eigen::MatrixXd equations = FcdEquations(lagrangian, motion, F, options, 0.01);
    REQUIRE(equations.rows() == motion.count());
    REQUIRE(equations.cols() == 3 * 9);
    for (Eigen::Index j = 0; j < 3; ++j) {
      const auto Z = equations.middleCols(9 * j, 8);
      CHECK((Z * biped.beta - equations.col(9 * j + 8)).cwiseAbs().maxCoeff() <
            1e-11 * equations.col(9 * j + 8).cwiseAbs().maxCoeff());
    }
    const bool filtered = low_pass == FcdLowPass::kEquations;
    const double tau = 2.0 * motion.tau(1, motion.first + 20);
    CHECK((equations(20, 17) == tau) != filtered);
  }
}

TEST_CASE("As many samples are asked for as differences and filter need") {
  CHECK(LeastSamples({}, 0.01) == 5);
  CHECK(LeastSamples({.n_cd = {.samples = 7}}, 0.01) == 29);
  CHECK(LeastSamples({.half_power = {.of_nyquist = 0.5}}, 0.01) == 16);
  CHECK(LeastSamples({.half_power = {.of_nyquist = 0.5}, .order = 2}, 0.01) == 7);
  CHECK(LeastSamples({.low_pass = FcdLowPass::kEquations,
                      .half_power = {.of_nyquist = 0.5},
                      .n_cd = {.samples = 2}},
                     0.01) == 24);
  // One sample fewer would not do.
  const FcdOptions tight{.low_pass = FcdLowPass::kEquations,
                         .half_power = {.of_nyquist = 0.5},
                         .n_cd = {.samples = 2}};
  WalkerRecording recording = Moving([](double t) { return t; });
  recording.q.samples.conservativeResize(3, 24);
  recording.tau.conservativeResize(3, 24);
  recording.u.samples.conservativeResize(2, 24);
  const FcdMotion motion = DifferencesOf(recording, tight);
  CHECK(motion.count() == 16);
  CHECK_NOTHROW(FcdEquations(*SyntheticWalker::Biped().problem.parameters.lagrangian(), motion,
                             Eigen::Matrix3d::Identity(), tight, 0.01));
}

}  // namespace
}  // namespace idbench
