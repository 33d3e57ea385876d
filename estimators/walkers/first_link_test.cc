#include "estimators/walkers/first_link.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "estimators/interface/estimate_test.h"
#include "estimators/synthetic_walker_test.h"

namespace idbench {
namespace {

/// A leg whose first frame is tilted, with its joint's anchor and reference elsewhere, so that it
/// hangs at q1 = 0 and nothing else is as simple as it could be.
RobotModel TiltedLeg() {
  RobotModel model = SyntheticWalker::Leg().problem.model;
  std::vector<Link> links = model.links();
  links[0].R0 = Eigen::AngleAxisd(0.4, Eigen::Vector3d::UnitY()).toRotationMatrix();
  links[0].reference = 0.4;
  links[0].anchor = {0.02, 0.0, 0.03};
  RobotModel tilted("tilted", "ground", links, model.gravity(), model.limits());
  tilted.SetImu({0, {0.05, 0.1, -0.27}});
  return tilted;
}

TEST_CASE("Of the hanging leg the forces are those of (63), one axis reversed") {
  const FirstLink link = FirstLink::WithImu(SyntheticWalker::Leg().problem.model);
  const double q1 = 0.7, rate = 1.3, acceleration = -4.0, l = 0.3, g = 9.81;
  const Eigen::Vector2d f = link.Force(AbsoluteAngle::Of(q1, rate, acceleration));
  // Rot(y, q1) turns the link's z from up towards x, so x of the link reads −a_t.
  CHECK(f[0] == doctest::Approx(l * acceleration + g * std::sin(q1)).epsilon(1e-14));
  CHECK(f[1] == doctest::Approx(l * rate * rate + g * std::cos(q1)).epsilon(1e-14));
}

TEST_CASE("An IMU's readings are predicted, and read back as sine and cosine") {
  SyntheticWalker leg = SyntheticWalker::Leg();
  leg.beta.tail(2).setZero();  // without the kinks of Coulomb friction
  const Dataset dataset = leg.Record("a", 0.0, 0, Role::kIdentification, 1000.0);
  const FirstLink link = FirstLink::WithImu(leg.problem.model);
  const Eigen::Matrix2Xd force = link.AlongUp(dataset.Get(kAccelerometer).samples.transpose());
  const Eigen::RowVectorXd rate = link.Rate(dataset.Get(kGyroscope).samples.transpose());
  const Eigen::VectorXd q1 = dataset.Get(kJointPosition).samples.col(0);
  for (Eigen::Index k = 1; k + 1 < q1.size(); ++k) {
    const double acceleration = (rate[k + 1] - rate[k - 1]) / 0.002;
    const AbsoluteAngle angle = AbsoluteAngle::Of(q1[k], rate[k], acceleration);
    // The difference of the rate misses the acceleration by h²/6 of its third derivative, up to 10⁵
    // rad/s⁴, times the lever, and in sine and cosine over g.
    CHECK((link.Force(angle) - force.col(k)).cwiseAbs().maxCoeff() < 0.005);
    const Eigen::Vector2d up = link.SineAndCosine(force.col(k), rate[k], acceleration);
    CHECK((up - Eigen::Vector2d(angle.sine, angle.cosine)).cwiseAbs().maxCoeff() < 0.0005);
    CHECK(link.SineAndCosine(link.Force(angle), rate[k], acceleration)
              .isApprox(Eigen::Vector2d(angle.sine, angle.cosine), 1e-14));
  }
}

TEST_CASE("Frames, anchors and references of any kind are seen through") {
  const RobotModel model = TiltedLeg();
  const FirstLink link = FirstLink::WithImu(model);
  const Link& first = model.link(0);
  const double q1 = 0.9, rate = -1.1, acceleration = 3.0;
  // By kinematics in the world's axes: where the IMU is, and how it moves.
  const Eigen::Matrix3d R =
      first.R0 * Eigen::AngleAxisd(q1 - first.reference, first.axis).toRotationMatrix();
  const Eigen::Vector3d arm = R * (model.imu()->p_LS_L - first.anchor);
  const Eigen::Vector3d axis = R * first.axis;
  const Eigen::Vector3d a =
      acceleration * axis.cross(arm) + rate * rate * axis.cross(axis.cross(arm));
  const Eigen::Vector3d reading = R.transpose() * (a - model.gravity());
  CHECK((link.Force(AbsoluteAngle::Of(q1, rate, acceleration)) - link.AlongUp(reading)).norm() <
        1e-13);
  CHECK(link.Rate(rate * first.axis)[0] == doctest::Approx(rate).epsilon(1e-15));
}

TEST_CASE("Noise of the readings becomes noise along up") {
  const FirstLink link = FirstLink::WithImu(TiltedLeg());
  const Eigen::Vector2d alike = link.AlongUpSigma({0.2, 0.2, 0.2});
  CHECK(alike.isApprox(Eigen::Vector2d(0.2, 0.2), 1e-14));
  const FirstLink plain = FirstLink::WithImu(SyntheticWalker::Leg().problem.model);
  CHECK(plain.AlongUpSigma({0.1, 0.2, 0.3}).isApprox(Eigen::Vector2d(0.1, 0.3), 1e-14));
  CHECK(plain.RateSigma({0.1, 0.2, 0.3}) == doctest::Approx(0.2).epsilon(1e-15));
}

TEST_CASE("A distance tells the angle as (52)-(54) do, and the angle the distance") {
  const RobotModel model = SyntheticWalker::Biped().problem.model;
  const FirstLink link = FirstLink::WithDistanceMeter(model);
  const double d2 = 0.5, gamma3 = 0.6, pi = std::numbers::pi;
  int far = 0;
  for (int k = -10; k <= 10; ++k) {
    const double q1 = 0.05 * k;
    const double d1 = link.Distance(q1);
    CHECK(link.Angle(d1) == doctest::Approx(q1).epsilon(1e-13));
    const double d3 = std::sqrt(d1 * d1 + d2 * d2 - 2.0 * d1 * d2 * std::cos(gamma3));
    const double arcsine = std::asin(d1 / d3 * std::sin(gamma3));
    const bool near = d1 <= d2 / std::cos(gamma3);
    far += near ? 0 : 1;
    // With the light to the front, q1 is positive where it is short. The arcsine near its end, and
    // q1 near 0, have half of their digits.
    const double printed = near ? pi / 2.0 - arcsine : -pi / 2.0 + arcsine;
    CHECK(std::abs(printed - q1) < 1e-7);
    CHECK(std::atan2(d2 - d1 * std::cos(gamma3), d1 * std::sin(gamma3)) ==
          doctest::Approx(q1).epsilon(1e-12));
    const double slope = (link.Distance(q1 + 1e-6) - link.Distance(q1 - 1e-6)) / 2e-6;
    CHECK(link.DistanceSlope(q1) == doctest::Approx(slope).epsilon(1e-8));
  }
  CHECK(far > 5);
  CHECK(far < 15);
}

TEST_CASE("Sensors that are not there, or elsewhere, are refused by name") {
  const RobotModel leg = SyntheticWalker::Leg().problem.model;
  const RobotModel biped = SyntheticWalker::Biped().problem.model;
  CHECK(Refusal([&] { FirstLink::WithImu(biped); }) == "the robot has no IMU: declare /robot/imu");
  CHECK(Refusal([&] { FirstLink::WithDistanceMeter(leg); }) ==
        "the robot has no distance meter: declare /robot/distance_meter");
  RobotModel other = leg;
  other.SetImu({1, {0.0, 0.0, -0.1}});
  CHECK(Refusal([&] { FirstLink::WithImu(other); }) ==
        "the IMU is on link 'shank'; on the first link, 'thigh', it would tell the absolute angle");
  std::vector<Link> links = biped.links();
  links[0].p0.z() = 0.25;
  RobotModel raised("raised", "ground", links, biped.gravity(), biped.limits());
  raised.SetDistanceMeter(*biped.distance_meter());
  CHECK(Refusal([&] { FirstLink::WithDistanceMeter(raised); }) ==
        "the distance meter's link turns 0.25 m above the ground; on the ground it would tell the "
        "absolute angle");
}

}  // namespace
}  // namespace idbench
