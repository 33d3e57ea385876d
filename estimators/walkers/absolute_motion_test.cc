#include "estimators/walkers/absolute_motion.h"

#include <doctest/doctest.h>

#include <cmath>

#include "estimators/interface/estimate.h"
#include "estimators/synthetic_walker_test.h"
#include "estimators/walkers/first_link.h"

namespace idbench {
namespace {

/// One recording of a walker, as a motion is made of it.
struct MotionExample {
  SyntheticWalker walker;
  AngleSensor absolute_angle;
  WalkerRecording recording;
  FcdMotion filtered;
  std::unique_ptr<AbsoluteMotion> motion;
  Eigen::MatrixXd z;  ///< Components × N, near the truth.

  MotionExample(SyntheticWalker of, AngleSensor source)
      : walker(std::move(of)), absolute_angle(source) {
    walker.duration_s = 0.2;
    const std::vector<Dataset> datasets = {walker.Record("a")};
    recording = ReadWalkerData(walker.problem, datasets, ChannelsOf(absolute_angle), 9)[0];
    filtered =
        FilteredDifferences(walker.problem.model, recording, {.absolute_angle = absolute_angle});
    motion = Make();
    z.resize(motion->components(), recording.size());
    for (Eigen::Index k = 0; k < z.cols(); ++k) {
      const AbsoluteAngle& angle = filtered.angle[static_cast<std::size_t>(k)];
      if (z.rows() == 1) {
        z(0, k) = filtered.q(0, k);
      } else {
        z.col(k) << angle.sine, angle.cosine, angle.rate;
      }
    }
  }

  std::unique_ptr<AbsoluteMotion> Make() const {
    return MakeAbsoluteMotion(absolute_angle, walker.problem.model, recording, filtered,
                              MakeDifferences(DifferenceRule::kFivePoint, recording.Ts));
  }
};

std::vector<MotionExample> MotionExamples() {
  std::vector<MotionExample> examples;
  examples.emplace_back(SyntheticWalker::Biped(), AngleSensor::kEncoder);
  examples.emplace_back(SyntheticWalker::Biped(), AngleSensor::kDistanceMeter);
  examples.emplace_back(SyntheticWalker::Leg(), AngleSensor::kImu);
  examples.emplace_back(SyntheticWalker::Leg(), AngleSensor::kImuAsPrinted);
  return examples;
}

TEST_CASE("Differences are those of the polynomials that they are exact for") {
  const double Ts = 0.01;
  const auto check = [&](DifferenceRule rule, int exact_degree) {
    const Differences differences = MakeDifferences(rule, Ts);
    for (int degree = 0; degree <= exact_degree; ++degree) {
      double first = 0.0, second = 0.0;
      for (int c = 0; c < 5; ++c) {
        const double x = std::pow(1.0 + Ts * (c - 2), degree);
        first += differences.first[static_cast<std::size_t>(c)] * x;
        second += differences.second[static_cast<std::size_t>(c)] * x;
      }
      CHECK(first == doctest::Approx(degree).epsilon(1e-12));
      CHECK(second == doctest::Approx(degree * (degree - 1)).epsilon(1e-10));
    }
  };
  check(DifferenceRule::kTwice, 2);
  check(DifferenceRule::kFivePoint, 4);
  const Differences twice = MakeDifferences(DifferenceRule::kTwice, Ts);
  CHECK(twice.first == std::array{0.0, -50.0, 0.0, 50.0, 0.0});
  CHECK(twice.second == std::array{2500.0, 0.0, -5000.0, 0.0, 2500.0});
}

TEST_CASE("Angle and measurements change with z as their Jacobians say, and with no other z") {
  for (const MotionExample& example : MotionExamples()) {
    CAPTURE(std::string(ToString(example.absolute_angle)));
    AbsoluteMotion::Sample at, plus, minus;
    Eigen::Index measured = 0;
    for (Eigen::Index k = 0; k < example.recording.size(); ++k) {
      example.motion->At(k, example.z.data(), at);
      measured += at.measured;
      CHECK(at.window <= example.motion->half_bandwidth() + 1);
      const bool moves =
          k >= AbsoluteMotion::kEdge && k < example.recording.size() - AbsoluteMotion::kEdge;
      Eigen::MatrixXd z = example.z;
      for (Eigen::Index i = 0; i < z.size(); ++i) {
        const double kept = z.data()[i], step = 1e-6;
        z.data()[i] = kept + step;
        example.motion->At(k, z.data(), plus);
        z.data()[i] = kept - step;
        example.motion->At(k, z.data(), minus);
        z.data()[i] = kept;
        const auto slope = [&](double above, double below) { return (above - below) / (2 * step); };
        const Eigen::Index column = i - at.first;
        const bool inside = column >= 0 && column < at.window;
        const double by_angle[] = {slope(plus.angle.sine, minus.angle.sine),
                                   slope(plus.angle.cosine, minus.angle.cosine),
                                   slope(plus.angle.rate, minus.angle.rate),
                                   slope(plus.angle.acceleration, minus.angle.acceleration)};
        for (int r = 0; r < (moves ? 4 : 2); ++r) {
          const double expected = inside ? at.by_z(r, column) : 0.0;
          // Second derivatives of (rate)² and sines times step, and rounding of up to 1e3 over it.
          CHECK(by_angle[r] == doctest::Approx(expected).epsilon(1e-6));
        }
        for (int m = 0; m < at.measured; ++m) {
          const double expected = inside ? -at.J(m, column) : 0.0;
          CHECK(slope(plus.e[m], minus.e[m]) == doctest::Approx(expected).epsilon(1e-5));
        }
      }
    }
    CHECK(measured == example.motion->measurement_count());
  }
}

TEST_CASE("Residuals are what the sensors read less what follows from z, over sigma") {
  AbsoluteMotion::Sample at;
  for (const MotionExample& example : MotionExamples()) {
    CAPTURE(std::string(ToString(example.absolute_angle)));
    const auto& further = example.recording.further;
    example.motion->At(7, example.z.data(), at);
    if (example.absolute_angle == AngleSensor::kEncoder) {
      CHECK(at.e[0] == 0.0);  // z is what was read
      Eigen::MatrixXd z = example.z;
      z(0, 7) += 2e-3;
      example.motion->At(7, z.data(), at);
      CHECK(at.e[0] == doctest::Approx(-2.0));
    } else if (example.absolute_angle == AngleSensor::kDistanceMeter) {
      const double d = FirstLink::WithDistanceMeter(example.walker.problem.model)
                           .Distance(example.z(0, 7) + 1e-3);
      Eigen::MatrixXd z = example.z;
      z(0, 7) += 1e-3;
      example.motion->At(7, z.data(), at);
      CHECK(at.e[0] == doctest::Approx((further[0].samples(0, 7) - d) / 1e-3));
    } else {
      // q̇1 along y; the rest by FirstLink.
      const double rate = further[1].samples(1, 7);
      CHECK(at.e[2] == doctest::Approx((rate - at.angle.rate) / 0.02));
      const FirstLink link = FirstLink::WithImu(example.walker.problem.model);
      const Eigen::Vector2d force = link.AlongUp(further[0].samples.col(7));
      const Eigen::Vector2d expected =
          example.absolute_angle == AngleSensor::kImu
              ? Eigen::Vector2d((force - link.Force(at.angle)) / 0.2)
              : Eigen::Vector2d((link.SineAndCosine(force, example.filtered.qd(0, 7),
                                                    example.filtered.qdd(0, 7)) -
                                 Eigen::Vector2d(at.angle.sine, at.angle.cosine)) /
                                (0.2 / 9.81));
      CHECK((at.e.head<2>() - expected).norm() < 1e-12 * (1.0 + expected.norm()));
    }
  }
}

TEST_CASE("A sensor without a declared sigma is refused by name") {
  for (MotionExample& example : MotionExamples()) {
    const bool position = example.absolute_angle == AngleSensor::kEncoder;
    (position ? example.recording.q : example.recording.further[0]).sigma.setZero();
    const std::string channel =
        position ? "joint_position" : std::string(ChannelsOf(example.absolute_angle).front());
    const std::string reason = "a: needs a positive declared σ of the channel '" + channel + "'";
    CHECK_THROWS_WITH_AS(example.Make(), reason.c_str(), EstimationFailure);
  }
}

}  // namespace
}  // namespace idbench
