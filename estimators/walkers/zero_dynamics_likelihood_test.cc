#include "estimators/walkers/zero_dynamics_likelihood.h"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "estimators/synthetic_walker_test.h"

namespace idbench {
namespace {

/// What a test needs of a walker's recordings.
struct Case {
  SyntheticWalker walker;
  std::vector<Dataset> datasets;
  std::vector<WalkerRecording> recordings;
  std::vector<FcdMotion> filtered;

  Case(SyntheticWalker of, double noise_scale, AngleSensor absolute_angle, int count = 1)
      : walker(std::move(of)) {
    for (int k = 0; k < count; ++k) {
      datasets.push_back(walker.Record("recording " + std::to_string(k), noise_scale));
    }
    recordings = ReadWalkerData(walker.problem, datasets, ChannelsOf(absolute_angle), 6);
    for (const WalkerRecording& recording : recordings) {
      filtered.push_back(
          FilteredDifferences(walker.problem.model, recording, {.absolute_angle = absolute_angle}));
    }
  }

  ZeroDynamicsLikelihood Likelihood(AngleSensor absolute_angle) const {
    return {walker.problem, recordings, absolute_angle, {}};
  }
  /// The true β and beginning.
  Eigen::VectorXd Truth() const {
    const Eigen::Index n = walker.problem.model.dofs(), p = walker.beta.size();
    Eigen::VectorXd x(p + 2 * static_cast<Eigen::Index>(recordings.size()));
    x.head(p) = walker.beta;
    for (std::size_t k = 0; k < recordings.size(); ++k) {
      x.segment<2>(p + 2 * static_cast<Eigen::Index>(k)) << walker.x0[0], walker.x0[n];
    }
    return x;
  }
};

TEST_CASE("Around exact recordings S is the quadratic form of its covariance's inverse") {
  for (const AngleSensor sensor : {AngleSensor::kEncoder, AngleSensor::kHallEncoder,
                                   AngleSensor::kDistanceMeter, AngleSensor::kImu}) {
    CAPTURE(std::string(ToString(sensor)));
    const bool imu = sensor == AngleSensor::kImu;
    SyntheticWalker walker = imu ? SyntheticWalker::Leg() : SyntheticWalker::Biped();
    if (imu) {  // All there is to know comes from accelerations.
      walker.noise.motor_nm = walker.noise.gyroscope_rad_s = 30.0;
      walker.noise.accelerometer_m_s2 = 0.2;
    }
    const Case exact(walker, 0.0, sensor);
    ZeroDynamicsLikelihood likelihood = exact.Likelihood(sensor);
    const Eigen::VectorXd x = exact.Truth();
    // The step of integration and the spline leave a little: far below the noise's mean, 1 each.
    const double left = likelihood.SumOfSquares(x);
    CHECK(left < 0.1 * static_cast<double>(likelihood.degrees_of_freedom()));
    const Eigen::MatrixXd covariance = likelihood.Linearised(x).inverse;
    const Eigen::MatrixXd information =
        covariance.llt().solve(Eigen::MatrixXd::Identity(x.size(), x.size()));
    for (Eigen::Index k = 0; k < x.size(); ++k) {
      CAPTURE(k);
      const Eigen::VectorXd step =
          1e-4 / std::sqrt(information(k, k)) * Eigen::VectorXd::Unit(x.size(), k);
      const double forth = likelihood.SumOfSquares(x + 1e3 * step),
                   back = likelihood.SumOfSquares(x - 1e3 * step);
      // Even part of S, a tenth of a σ away: what curves is of higher order.
      CHECK(std::abs((0.5 * (forth + back) - left) / 0.01 - 1.0) < 0.02);
    }
  }
}

TEST_CASE("At the minimum S has no slope, whatever the start") {
  const Case noisy(SyntheticWalker::Biped(), 1.0, AngleSensor::kEncoder, 2);
  ZeroDynamicsLikelihood likelihood = noisy.Likelihood(AngleSensor::kEncoder);
  const auto minimum_from = [&](const Eigen::VectorXd& start) {
    ZeroDynamicsLikelihood::Minimum minimum = likelihood.Approach(start, 100);
    likelihood.Polish(minimum, 100);
    return minimum;
  };
  const auto from_prior = minimum_from(likelihood.Start(noisy.walker.problem.parameters.prior->mean,
                                                        noisy.recordings, noisy.filtered));
  const auto from_truth = minimum_from(noisy.Truth());
  REQUIRE((from_prior.converged && from_truth.converged));
  CHECK(std::abs(from_prior.S / from_truth.S - 1.0) < 1e-8);
  CHECK(from_prior.S < likelihood.SumOfSquares(noisy.Truth()));
  const Eigen::MatrixXd covariance = likelihood.Linearised(from_prior.x).inverse;
  for (Eigen::Index k = 0; k < covariance.rows(); ++k) {
    CAPTURE(k);
    // A σ away along the principal correlations S has grown by 1.
    const Eigen::VectorXd step = covariance.col(k) / std::sqrt(covariance(k, k));
    const double forth = likelihood.SumOfSquares(from_prior.x + step),
                 back = likelihood.SumOfSquares(from_prior.x - step);
    CHECK(std::abs(forth - from_prior.S - 1.0) < 0.1);  // S is not quite quadratic
    CHECK(std::abs(back - from_prior.S - 1.0) < 0.1);
  }
}

TEST_CASE("With parameters given, only angle and rate at the beginning are sought") {
  const Case exact(SyntheticWalker::Biped(), 0.0, AngleSensor::kEncoder);
  ZeroDynamicsLikelihood likelihood = exact.Likelihood(AngleSensor::kEncoder);
  Eigen::VectorXd x = exact.Truth();
  x.tail<2>() += Eigen::Vector2d(0.1, -0.3);
  auto minimum = likelihood.Approach(x, 50, ZeroDynamicsLikelihood::Sought::kBeginnings);
  likelihood.Polish(minimum, 50, ZeroDynamicsLikelihood::Sought::kBeginnings);
  CHECK(minimum.converged);
  CHECK(minimum.x.head(8) == exact.walker.beta);
  // The step of integration leaves 1e-6; see the test of ZeroDynamics' order.
  CHECK((minimum.x - exact.Truth()).norm() < 1e-4);
}

TEST_CASE("What cannot be simulated is infinitely unlikely, and no start") {
  const Case exact(SyntheticWalker::Biped(), 0.0, AngleSensor::kEncoder);
  ZeroDynamicsLikelihood likelihood = exact.Likelihood(AngleSensor::kEncoder);
  Eigen::VectorXd x = exact.Truth();
  x[0] = -1e3;
  CHECK(std::isinf(likelihood.SumOfSquares(x)));
  const char* const reason =
      "parameters and beginning have no motion: the angle runs away, or an inertia is not positive";
  CHECK_THROWS_WITH_AS(likelihood.Linearised(x), reason, EstimationFailure);
  CHECK_THROWS_WITH_AS(likelihood.Approach(x, 10), reason, EstimationFailure);
}

TEST_CASE("Walkers and recordings without zero dynamics are refused") {
  const Case exact(SyntheticWalker::Biped(), 0.0, AngleSensor::kEncoder);
  Problem driven = exact.walker.problem;
  driven.model.SetActuation({{"a", "b", "c"}, Eigen::Matrix3d::Identity()});
  CHECK_THROWS_WITH_AS(
      MakeZeroDynamics(driven, exact.recordings[0], DrivenMotion(exact.recordings[0], {})),
      "the first joint must be without a motor, and each other joint have one: ZeroDynamics: a "
      "motor drives the first joint",
      EstimationFailure);
  WalkerRecording brief = exact.recordings[0];
  brief.q.samples = brief.q.samples.leftCols(5).eval();
  CHECK_THROWS_WITH_AS(DrivenMotion(brief, {}),
                       "recording 0: QuinticSpline: a quintic spline needs 6 samples, got 5",
                       EstimationFailure);
}

}  // namespace
}  // namespace idbench
