#include "scenarios/motion/trajectory/spline.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "robots/temporary_folder_test.h"
#include "scenarios/motion/state_at_test.h"

namespace idbench {
namespace {

/// Positions of sin(2t) and of the straight line 1 − 3t, at uneven times up to 3 s.
TimedTable Knots(int count) {
  TimedTable table{Eigen::VectorXd(count), Eigen::MatrixXd(count, 2)};
  for (int i = 0; i < count; ++i) {
    const double u = static_cast<double>(i) / (count - 1);
    const double t = 3.0 * u * (0.7 + 0.3 * u);
    table.time_s(i) = t;
    table.values.row(i) << std::sin(2.0 * t), 1.0 - 3.0 * t;
  }
  return table;
}

TEST_CASE("It passes through every position, and a straight line stays straight") {
  const TimedTable knots = Knots(12);
  const SplineMotion motion(knots);
  CHECK(motion.duration_s() == 3.0);
  for (Eigen::Index i = 0; i < 12; ++i) {
    // Rounding of the polynomial at its end.
    CHECK((StateAt(motion, knots.time_s(i)).q - knots.values.row(i).transpose()).norm() < 1e-14);
  }
  for (const double t : {0.1, 1.234, 2.9}) {
    CHECK(StateAt(motion, t).q(1) == doctest::Approx(1.0 - 3.0 * t).epsilon(1e-14));
    CHECK(StateAt(motion, t).qd(1) == doctest::Approx(-3.0).epsilon(1e-13));
    CHECK(std::abs(StateAt(motion, t).qdd(1)) < 1e-12);
  }
}

TEST_CASE("It is twice continuously differentiable, with acceleration 0 at the ends") {
  const TimedTable knots = Knots(12);
  const SplineMotion motion(knots);
  for (Eigen::Index i = 1; i < 11; ++i) {
    const JointState before = StateAt(motion, knots.time_s(i) - 1e-10);
    const JointState after = StateAt(motion, knots.time_s(i) + 1e-10);
    // 2e-10 s times the greatest rates, |d³q/dt³| ≈ 10.
    CHECK((after.q - before.q).cwiseAbs().maxCoeff() < 1e-8);
    CHECK((after.qd - before.qd).cwiseAbs().maxCoeff() < 1e-8);
    CHECK((after.qdd - before.qdd).cwiseAbs().maxCoeff() < 1e-8);
  }
  const double h = 1e-5;
  for (const double t : {0.05, 0.8, 2.2}) {
    const JointState before = StateAt(motion, t - h);
    const JointState after = StateAt(motion, t + h);
    // Truncation h²/6·|d³| ≤ 2e-10; rounding 2e-16/h.
    CHECK(((after.q - before.q) / (2.0 * h) - StateAt(motion, t).qd).cwiseAbs().maxCoeff() < 1e-9);
    CHECK(((after.qd - before.qd) / (2.0 * h) - StateAt(motion, t).qdd).cwiseAbs().maxCoeff() <
          1e-9);
  }
  CHECK(StateAt(motion, 0.0).qdd.cwiseAbs().maxCoeff() < 1e-12);
  CHECK(StateAt(motion, 3.0).qdd.cwiseAbs().maxCoeff() < 1e-12);
}

TEST_CASE("In the middle of its range the error falls with the fourth power of the knot distance") {
  const auto error = [](int count) {
    const SplineMotion motion(Knots(count));
    double greatest = 0.0;
    for (int k = 0; k < 1000; ++k) {
      const double t = 1.0 + 1e-3 * k;
      greatest = std::max(greatest, std::abs(StateAt(motion, t).q(0) - std::sin(2.0 * t)));
    }
    return greatest;
  };
  const double ratio = error(61) / error(121);
  CHECK(ratio > 12.0);  // 2⁴ = 16 in the limit
  CHECK(ratio < 20.0);
}

TEST_CASE("A table is read by its columns, its times from the first row on") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("table.csv", "b,t_s,q2_rad,q1_rad\n9,5,2,1\n9,5.5,4,3\n");
  const TimedTable table = ReadTimedTable(file, NumberedColumns("q{}_rad", 2));
  CHECK(table.time_s == Eigen::Vector2d(0.0, 0.5));
  CHECK(table.values == (Eigen::Matrix2d() << 1, 2, 3, 4).finished());
}

/// The message about a file, without its name.
std::string MessageOf(const std::string& text) {
  const TemporaryFolder folder;
  const std::string file = folder.Write("table.csv", text);
  std::vector<Issue> issues;
  CheckTimedTable(file, NumberedColumns("q{}_rad", 1), "/motion/file", issues);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].where == "/motion/file");
  REQUIRE(issues[0].what.find(file + ": ") == 0);
  return issues[0].what.substr(file.size() + 2);
}

TEST_CASE("Files that cannot be used are refused") {
  CHECK(MessageOf("t_s,q1_rad\n0,1\n") == "a single row");
  CHECK(MessageOf("t_s,q1_rad\n0,1\n1,2\n1,3\n") == "line 4: t_s is 1 after 1");
  CHECK(MessageOf("t_s,q1\n0,1\n1,2\n").find("q1_rad") != std::string::npos);
  std::vector<Issue> issues;
  CheckTimedTable("/nowhere/q.csv", NumberedColumns("q{}_rad", 1), "/motion/file", issues);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].what == "/nowhere/q.csv: cannot be read");
}

}  // namespace
}  // namespace idbench
