#include "estimators/interface/aligned_equations.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "estimators/interface/estimate.h"
#include "estimators/synthetic_test.h"

namespace idbench {
namespace {

/// Why a dataset is refused; "" if it is not.
std::string AlignmentRefusal(const Problem& problem, const Dataset& dataset) {
  try {
    AlignEquations(problem, dataset, problem.rows);
  } catch (const EstimationFailure& failure) {
    CHECK(failure.outcome() == Outcome::kRefused);
    return failure.what();
  }
  return "";
}

/// The dataset with channel `name` sampled `delay_s` later.
Dataset Delayed(const Dataset& dataset, std::string_view name, double delay_s) {
  Dataset delayed = dataset.WithoutChannels();
  for (Channel channel : dataset.channels()) {
    if (channel.name == name) channel.time_s.array() += delay_s;
    delayed.Add(std::move(channel));
  }
  return delayed;
}

TEST_CASE("Behind the state stand the measured sides in the order asked for, each of its channel") {
  const Synthetic robot("planar2", "base", {Equation::kTorque, Equation::kWrench});
  Dataset dataset = robot.Record("a", 5);
  Channel second = dataset.Get(kJointTorque);
  second.name = kHallPosition;  // any channel of two columns will do
  dataset.Add(second);
  const std::vector<EquationRows> rows = {{Equation::kWrench},
                                          {Equation::kTorque, {}, std::string(kHallPosition)},
                                          {Equation::kTorque}};
  const AlignedView view = AlignEquations(robot.problem, dataset, rows);
  const std::string_view names[] = {kJointPosition, kJointVelocity, kJointAcceleration,
                                    kBaseWrench,    kHallPosition,  kJointTorque};
  CHECK(view.size() == 5);
  for (std::size_t k = 0; k < std::size(names); ++k) {
    CAPTURE(names[k]);
    CHECK(&view[k] == &dataset.Get(names[k]).samples);  // referred to, not copied
  }
}

TEST_CASE("Channels that were not sampled together are refused, or resampled if the problem says") {
  Synthetic robot("planar2");
  const Dataset recorded = robot.Record("a", 20);
  const Dataset late = Delayed(recorded, kJointTorque, 0.005);
  CHECK(AlignmentRefusal(robot.problem, recorded) == "");
  CHECK(AlignmentRefusal(robot.problem, late).find("joint_torque") != std::string::npos);
  CHECK(AlignmentRefusal(robot.problem, WithoutChannel(recorded, kJointAcceleration))
            .find("joint_acceleration") != std::string::npos);
  robot.problem.alignment.policy = AlignmentPolicy::kResample;
  CHECK(AlignmentRefusal(robot.problem, late) == "");
  const AlignedView view = AlignEquations(robot.problem, late, robot.problem.rows);
  CHECK(view.resampled());
  CHECK(view.time_s()[0] >= 0.005);  // no value of the torque is made up
}

TEST_CASE("The measured side of a kind has its rows: six of a wrench, one a joint of a torque") {
  const Synthetic robot("planar2", "base", {Equation::kTorque, Equation::kWrench});
  const Dataset recorded = robot.Record("a", 4);
  const auto with_columns = [&](std::string_view name, Eigen::Index columns) {
    return WithChannel(recorded, name, [columns](Eigen::MatrixXd& samples) {
      samples = Eigen::MatrixXd::Zero(samples.rows(), columns);
    });
  };
  CHECK(AlignmentRefusal(robot.problem, with_columns(kBaseWrench, 2)) ==
        "a: the channel 'base_wrench' has 2 columns, expected 6");
  CHECK(AlignmentRefusal(robot.problem, with_columns(kJointTorque, 6)) ==
        "a: the channel 'joint_torque' has 6 columns, expected 2");
  CHECK(AlignmentRefusal(robot.problem, with_columns(kJointPosition, 3)) ==
        "a: the channel 'joint_position' has 3 columns, expected 2");
}

TEST_CASE("One sample of one channel is checked, and the message tells where it is not finite") {
  const Synthetic robot("planar2");
  const Dataset dataset =
      WithChannel(robot.Record("a", 5), kJointVelocity, [](Eigen::MatrixXd& samples) {
        samples(2, 1) = -std::numeric_limits<double>::infinity();
        samples(3, 0) = std::numeric_limits<double>::quiet_NaN();
      });
  CHECK(AlignmentRefusal(robot.problem, dataset) == "");  // it is told when it is read
  const AlignedView view = AlignEquations(robot.problem, dataset, robot.problem.rows);
  for (const std::size_t channel : {0, 1, 2, 3}) {
    for (const Eigen::Index row : {0, 1, 4})
      CHECK_NOTHROW(CheckFinite(dataset, view, channel, row));
  }
  CHECK_NOTHROW(CheckFinite(dataset, view, 0, 2));
  CHECK_THROWS_WITH_AS(CheckFinite(dataset, view, 1, 2),
                       "a: the channel 'joint_velocity' is -inf at sample 3, column 2",
                       EstimationFailure);
  CHECK_THROWS_WITH_AS(CheckFinite(dataset, view, 1, 3),
                       "a: the channel 'joint_velocity' is nan at sample 4, column 1",
                       EstimationFailure);
}

TEST_CASE("Of a channel those columns are read whose rows count, and others may hold anything") {
  const Synthetic robot("planar3", "base", {Equation::kTorque, Equation::kWrench});
  const Dataset dataset =
      WithChannel(robot.Record("a", 5), kJointTorque, [](Eigen::MatrixXd& samples) {
        samples.col(1).setConstant(std::numeric_limits<double>::quiet_NaN());
      });
  std::vector<EquationRows> rows = {{Equation::kTorque}, {Equation::kWrench}};
  rows[0].chosen = {0, 2};
  rows[1].chosen = {4};
  CHECK(rows[0].count(robot.problem.model) == 2);
  const AlignedView view = AlignEquations(robot.problem, dataset, rows);
  const Eigen::MatrixXd y = MeasuredSide(view, rows);
  REQUIRE(y.cols() == 3);
  CHECK(y.leftCols(2) == dataset.Get(kJointTorque).samples(Eigen::all, std::vector<int>{0, 2}));
  CHECK(y.col(2) == dataset.Get(kBaseWrench).samples.col(4));
  const std::vector<std::vector<int>> read = ReadColumns(robot.problem, rows);
  CHECK(read == std::vector<std::vector<int>>{{0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {0, 2}, {4}});
  CHECK_NOTHROW(CheckFinite(dataset, view, 3, 0, read[3]));
  CHECK_THROWS_AS(CheckFinite(dataset, view, 3, 0), EstimationFailure);
  // Drives read the motors that drive a joint whose row counts: of a coupled wrist both.
  const RobotModel tx40 = Synthetic("staubli_tx40").problem.model;
  EquationRows drives{Equation::kCurrentDrive};
  CHECK(drives.ReadColumns(tx40) == std::vector<int>{0, 1, 2, 3, 4, 5});
  drives.chosen = {1, 4};
  CHECK(drives.ReadColumns(tx40) == std::vector<int>{1, 4, 5});
}

}  // namespace
}  // namespace idbench
