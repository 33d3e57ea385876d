#include "scenarios/motion/trajectory/quintic_spline.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "scenarios/motion/state_at_test.h"

namespace idbench {
namespace {

/// Way points of two joints without any pattern.
Eigen::MatrixXd Points(Eigen::Index count) {
  Eigen::MatrixXd points(count, 2);
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto at = static_cast<double>(i);
    points.row(i) << std::sin(1.0 + 2.3 * at), std::cos(0.4 + 1.9 * at);
  }
  return points;
}

TEST_CASE("A quintic spline passes through its points, and rests at both ends") {
  for (const int intervals : {1, 2, 5, 10, 30}) {
    const double duration_s = 0.7 * intervals;
    const Eigen::MatrixXd points = Points(intervals + 1);
    const QuinticSplineMotion motion(duration_s, points);
    for (int i = 0; i <= intervals; ++i) {
      CHECK((StateAt(motion, 0.7 * i).q - points.row(i).transpose()).norm() < 1e-12);
    }
    for (const double t : {-1.0, 0.0, duration_s, duration_s + 1.0}) {
      CHECK(StateAt(motion, t).qd.norm() < 1e-10);
      CHECK(StateAt(motion, t).qdd.norm() < 1e-9);
    }
    CHECK(StateAt(motion, duration_s + 1.0).q == StateAt(motion, duration_s).q);
  }
}

TEST_CASE("One interval is the quintic step of least order") {
  Eigen::MatrixXd points(2, 1);
  points << -1.0, 2.0;
  const QuinticSplineMotion motion(2.0, points);
  for (const double t : {0.3, 1.0, 1.6}) {
    const double s = t / 2.0;
    const double step = s * s * s * (10.0 - 15.0 * s + 6.0 * s * s);
    CHECK(StateAt(motion, t).q[0] == doctest::Approx(-1.0 + 3.0 * step).epsilon(1e-13));
  }
}

TEST_CASE("Four derivatives of a quintic spline are continuous, the fifth is not") {
  const QuinticSpline basis(7.0, 10);
  const double h = basis.interval_s();
  const auto derivative = [](const QuinticSpline::Piece& piece, int order, double u) {
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(piece.cols());
    for (int k = order; k <= QuinticSpline::kDegree; ++k) {
      double factor = 1.0;
      for (int i = 0; i < order; ++i) factor *= k - i;
      sum += factor * std::pow(u, k - order) * piece.row(k);
    }
    return sum;
  };
  for (int i = 0; i + 1 < basis.intervals(); ++i) {
    for (int order = 0; order <= 5; ++order) {
      const Eigen::RowVectorXd jump =
          derivative(basis.piece(i), order, h) - derivative(basis.piece(i + 1), order, 0.0);
      const double scale = derivative(basis.piece(i + 1), order, 0.0).norm();
      CAPTURE(i);
      CAPTURE(order);
      if (order < 5) CHECK(jump.norm() < 1e-9 * (1.0 + scale));
      if (order == 5) CHECK(jump.norm() > 1e-2 * scale);
    }
  }
}

TEST_CASE("A motion is the sum of its way points' functions, and its rates are derivatives") {
  const Eigen::MatrixXd points = Points(8);
  const QuinticSpline basis(5.0, 7);
  const QuinticSplineMotion motion(5.0, points);
  for (const double t : {0.01, 0.9, 2.5, 4.99}) {
    const Eigen::MatrixXd B = basis.At(t);
    const JointState state = StateAt(motion, t);
    CHECK((B.row(0) * points - state.q.transpose()).norm() < 1e-12);
    CHECK((B.row(1) * points - state.qd.transpose()).norm() < 1e-11);
    CHECK((B.row(2) * points - state.qdd.transpose()).norm() < 1e-10);
    constexpr double kStep = 1e-5;
    const JointState before = StateAt(motion, t - kStep), after = StateAt(motion, t + kStep);
    CHECK(((after.q - before.q) / (2.0 * kStep) - state.qd).norm() < 1e-7);
    CHECK(((after.qd - before.qd) / (2.0 * kStep) - state.qdd).norm() < 1e-7);
  }
}

TEST_CASE("Splines without a duration or an interval are refused") {
  CHECK_THROWS_AS(QuinticSpline(0.0, 3), std::invalid_argument);
  CHECK_THROWS_AS(QuinticSpline(1.0, 0), std::invalid_argument);
  CHECK_THROWS_AS(QuinticSplineMotion(1.0, Eigen::MatrixXd::Zero(1, 2)), std::invalid_argument);
}

}  // namespace
}  // namespace idbench
