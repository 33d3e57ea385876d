#include "estimators/interface/row_mask.h"

#include <doctest/doctest.h>

#include <limits>

#include "estimators/synthetic_test.h"

namespace idbench {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// planar2 whose equation rows count where their joints are faster than that.
Synthetic WithZones(const Eigen::Vector2d& zones, DeadZoneOf of = DeadZoneOf::kRow) {
  Synthetic robot = Declared("planar2");
  robot.problem.rows[0].dead_zone = zones;
  robot.problem.rows[0].dead_zone_of = of;
  return robot;
}

/// Entries of y that are NaN after the mask, as ones.
Eigen::VectorXd LeftOut(const RowMask& mask, const Eigen::VectorXd& qd, Eigen::Index rows) {
  Eigen::VectorXd y = Eigen::VectorXd::Zero(rows);
  mask.Apply(qd, y);
  return y.array().isNaN().cast<double>();
}

TEST_CASE("A row counts where its own joint is fast, or where all joints are") {
  const Synthetic own = WithZones({0.5, 0.1});
  const RowMask rows(own.model, own.problem.rows);
  CHECK(LeftOut(rows, Eigen::Vector2d(0.4, 0.4), 2) == Eigen::Vector2d(1, 0));
  CHECK(LeftOut(rows, Eigen::Vector2d(-0.6, -0.05), 2) == Eigen::Vector2d(0, 1));
  CHECK(LeftOut(rows, Eigen::Vector2d(0.5, -0.1), 2) == Eigen::Vector2d(0, 0));
  const Synthetic all = WithZones({0.5, 0.1}, DeadZoneOf::kSample);
  const RowMask samples(all.model, all.problem.rows);
  CHECK(LeftOut(samples, Eigen::Vector2d(0.4, 0.4), 2) == Eigen::Vector2d(1, 1));
  CHECK(LeftOut(samples, Eigen::Vector2d(0.6, 0.4), 2) == Eigen::Vector2d(0, 0));
  CHECK(LeftOut(samples, Eigen::Vector2d(0.6, kNaN), 2) == Eigen::Vector2d(1, 1));
}

TEST_CASE("A joint with zone 0 counts at rest, also of a sample that others leave out") {
  const Synthetic robot = WithZones({0.5, 0.0});
  const RowMask mask(robot.model, robot.problem.rows);
  CHECK(LeftOut(mask, Eigen::Vector2d(0.0, 0.0), 2) == Eigen::Vector2d(1, 0));
  CHECK(RowMask(robot.model, WithZones({0.0, 0.0}).problem.rows).empty());
  CHECK(RowMask(robot.model, Declared("planar2").problem.rows).empty());
}

TEST_CASE("A motor that drives two joints can rest while both of them move") {
  Synthetic robot("planar2");
  // As a differential: the second motor turns at 32 times the sum.
  robot.model.SetActuation({{"m1", "m2"}, (Eigen::Matrix2d() << 32, 32, 0, 32).finished()});
  EquationRows rows;
  rows.dead_zone = Eigen::Vector2d(0.05, 0.2);
  const RowMask mask(robot.model, {&rows, 1});
  CHECK(LeftOut(mask, Eigen::Vector2d(1.0, -0.9), 2) == Eigen::Vector2d(1, 1));
  CHECK(LeftOut(mask, Eigen::Vector2d(1.0, -0.7), 2) == Eigen::Vector2d(0, 0));
  CHECK(LeftOut(mask, Eigen::Vector2d(0.01, 0.5), 2) == Eigen::Vector2d(1, 0));
}

TEST_CASE("Rows behind those of another equation are its own") {
  Synthetic robot("planar2", "base", {Equation::kWrench, Equation::kTorque});
  robot.problem.rows[1].dead_zone = Eigen::Vector2d(0.5, 0.1);
  const RowMask mask(robot.model, robot.problem.rows);
  Eigen::VectorXd expected = Eigen::VectorXd::Zero(8);
  expected[6] = 1.0;
  CHECK(LeftOut(mask, Eigen::Vector2d(0.4, 0.4), 8) == expected);
}

TEST_CASE("What is left out is told in words, of data for identification") {
  const Synthetic robot = WithZones({0.5, 0.0});
  const std::vector<Dataset> datasets = {robot.Record("a", 100), robot.Record("b", 60),
                                         robot.Record("v", 50, {}, 0, Role::kValidation)};
  Eigen::Index slow = 0;
  for (const std::size_t k : {0, 1}) {
    slow += (datasets[k].Get(kJointVelocity).samples.col(0).array().abs() < 0.5).count();
  }
  const std::vector<LeftOutRows> left = LeftOutOf(robot.problem, datasets);
  REQUIRE(left.size() == 1);
  CHECK(left[0].rows == 320);
  CHECK(left[0].left_out == slow);
  CHECK(LeftOutRows{"joint_torque", 1000, 614}.Describe() ==
        "61.4 % of the rows of joint_torque lie in the dead zone");
  CHECK(LeftOutOf(Declared("planar2").problem, datasets).empty());
}

}  // namespace
}  // namespace idbench
