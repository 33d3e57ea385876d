#include "estimators/observers/residual_window.h"

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <cmath>

namespace idbench {
namespace {

const double kGap = std::nan("");

TEST_CASE("A window has the mean of the last samples that count, times the root of their number") {
  ResidualWindow window(2, 3);
  CHECK(window.z().array().isNaN().all());
  window.Push(Eigen::RowVector2d(4.0, kGap));
  CHECK(window.z()[0] == 4.0);
  CHECK(std::isnan(window.z()[1]));
  window.Push(Eigen::RowVector2d(2.0, 1.0));
  CHECK(window.z()[0] == doctest::Approx(3.0 * std::sqrt(2.0)));
  CHECK(window.z()[1] == 1.0);
  window.Push(Eigen::RowVector2d(kGap, 3.0));
  window.Push(Eigen::RowVector2d(6.0, kGap));  // the first one leaves
  CHECK(window.z()[0] == doctest::Approx(4.0 * std::sqrt(2.0)));
  CHECK(window.z()[1] == doctest::Approx(2.0 * std::sqrt(2.0)));
  CHECK(window.roots()[1] == doctest::Approx(std::sqrt(2.0)));
}

TEST_CASE("A bias is followed with its time constant, what lies outside is clipped") {
  const BiasTracker::Options options{
      .time_s = 2.0, .frozen_s = 50.0, .longest_freeze_s = 1.0, .clip = 1.5};
  const Eigen::Vector2d sigma(1.0, 1.0);
  BiasTracker tracker(options, sigma);
  for (int k = 0; k < 100; ++k) tracker.Update(Eigen::RowVector2d(1.0, kGap), 0.01, false);
  CHECK(tracker.b()[0] == doctest::Approx(1.0 - std::exp(-0.5)).epsilon(1e-12));
  CHECK(tracker.b()[1] == 0.0);
  BiasTracker clipped(options, sigma);
  clipped.Update(Eigen::RowVector2d(100.0, -100.0), 0.01, false);
  CHECK(clipped.b()[0] == doctest::Approx(1.5 * (1.0 - std::exp(-0.005))).epsilon(1e-12));
  CHECK(clipped.b()[1] == -clipped.b()[0]);
}

TEST_CASE("What is detected slows the tracking, but not for ever") {
  const BiasTracker::Options options{
      .time_s = 2.0, .frozen_s = 50.0, .longest_freeze_s = 1.0, .clip = 1.5};
  BiasTracker tracker(options, Eigen::VectorXd::Ones(1));
  const Eigen::VectorXd r = Eigen::VectorXd::Ones(1);
  for (int k = 0; k < 100; ++k) tracker.Update(r.transpose(), 0.01, true);
  const double slowed = 1.0 - std::exp(-1.0 / 50.0);
  CHECK(tracker.b()[0] == doctest::Approx(slowed).epsilon(0.05));
  for (int k = 0; k < 100; ++k) tracker.Update(r.transpose(), 0.01, true);
  CHECK(tracker.b()[0] == doctest::Approx(1.0 - (1.0 - slowed) * std::exp(-0.5)).epsilon(0.05));
  // The next one is slowed again.
  tracker.Update(r.transpose(), 0.01, false);
  const double before = tracker.b()[0];
  tracker.Update(r.transpose(), 0.01, true);
  CHECK(tracker.b()[0] - before == doctest::Approx((1.0 - before) * 0.01 / 50.0).epsilon(0.01));
}

TEST_CASE("The square of what is there takes its part of the covariance") {
  Eigen::Matrix3d S;
  S << 2.0, 0.6, -0.3, 0.6, 1.0, 0.2, -0.3, 0.2, 0.7;
  MahalanobisSquare square(S);
  const Eigen::RowVector3d z(1.0, -2.0, 0.5);
  const double whole = z * S.inverse() * z.transpose();
  CHECK(square.Of(z) == doctest::Approx(whole).epsilon(1e-12));
  CHECK(square.rows() == 3);
  Eigen::RowVector3d part = z;
  part[1] = kGap;
  Eigen::Matrix2d S_part;
  S_part << 2.0, -0.3, -0.3, 0.7;
  const Eigen::RowVector2d z_part(1.0, 0.5);
  const double expected = z_part * S_part.inverse() * z_part.transpose();
  CHECK(square.Of(part) == doctest::Approx(expected).epsilon(1e-12));
  CHECK(square.rows() == 2);
  CHECK(square.Of(z) == doctest::Approx(whole).epsilon(1e-12));
  const Eigen::Matrix3d wider = S + Eigen::Matrix3d::Identity();
  CHECK(square.Of(z, Eigen::Matrix3d::Identity()) ==
        doctest::Approx(z * wider.inverse() * z.transpose()).epsilon(1e-12));
  CHECK(square.Of(z) == doctest::Approx(whole).epsilon(1e-12));
  CHECK(std::isnan(square.Of(Eigen::RowVector3d::Constant(kGap))));
}

}  // namespace
}  // namespace idbench
