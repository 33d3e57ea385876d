#include "estimators/interface/sample.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "estimators/interface/estimate.h"
#include "estimators/synthetic_test.h"

namespace idbench {
namespace {

constexpr double kEnd = std::numeric_limits<double>::infinity();

TEST_CASE("Samples are the datasets' rows in turn, recorded time going on over them") {
  const Synthetic robot("planar2", "base", {Equation::kWrench, Equation::kTorque});
  const std::vector<Dataset> datasets = {
      robot.Record("a", 5), robot.Record("v", 9, {}, 0, Role::kValidation), robot.Record("b", 3)};
  SampleReader reader(robot.problem, datasets);
  Sample sample(robot.problem);
  for (const int which : {0, 2}) {
    const Dataset& dataset = datasets[static_cast<std::size_t>(which)];
    for (Eigen::Index i = 0; i < dataset.Get(kJointPosition).samples.rows(); ++i) {
      REQUIRE(reader.Next(kEnd, sample));
      CHECK(sample.t_s == doctest::Approx(0.01 * static_cast<double>(i + 2 * which)));
      CHECK(sample.q == dataset.Get(kJointPosition).samples.row(i).transpose());
      CHECK(sample.qd == dataset.Get(kJointVelocity).samples.row(i).transpose());
      CHECK(sample.qdd == dataset.Get(kJointAcceleration).samples.row(i).transpose());
      CHECK(sample.y.head(6) == dataset.Get(kBaseWrench).samples.row(i).transpose());
      CHECK(sample.y.tail(2) == dataset.Get(kJointTorque).samples.row(i).transpose());
    }
  }
  CHECK(!reader.Next(kEnd, sample));
  CHECK(reader.count() == 8);
}

TEST_CASE("A checkpoint stops the reader where RecordedUpTo() cuts") {
  const Synthetic robot("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 5), robot.Record("b", 5)};
  for (const double checkpoint_s : {0.001, 0.02, 0.025, 0.04, 0.041, 0.05, 0.08, 1.0}) {
    CAPTURE(checkpoint_s);
    SampleReader reader(robot.problem, datasets);
    Sample sample(robot.problem);
    while (reader.Next(checkpoint_s, sample)) {
    }
    Eigen::Index samples = 0;
    for (const Dataset& cut : RecordedUpTo(datasets, checkpoint_s)) {
      samples += cut.Get(kJointPosition).samples.rows();
    }
    CHECK(reader.count() == samples);
  }
}

TEST_CASE("A number that is not finite stops the reader at its sample, for good") {
  const Synthetic robot("planar2");
  const std::vector<Dataset> datasets = {
      WithChannel(robot.Record("a", 5), kJointTorque,
                  [](Eigen::MatrixXd& samples) { samples(3, 1) = std::nan(""); })};
  SampleReader reader(robot.problem, datasets);
  Sample sample(robot.problem);
  for (int i = 0; i < 3; ++i) CHECK(reader.Next(kEnd, sample));
  for (int again = 0; again < 2; ++again) {
    CHECK_THROWS_WITH_AS(reader.Next(kEnd, sample),
                         "a: the channel 'joint_torque' is nan at sample 4, column 2",
                         EstimationFailure);
  }
  CHECK(!reader.Next(0.02, sample));  // before it all is well
}

TEST_CASE("A channel of a wrong size is refused when its dataset comes up") {
  const Synthetic robot("planar2");
  Dataset narrow = WithoutChannel(robot.Record("narrow", 5), kJointVelocity);
  Channel channel = robot.Record("narrow", 5).Get(kJointVelocity);
  channel.samples.conservativeResize(Eigen::NoChange, 1);
  narrow.Add(channel);
  const std::vector<Dataset> datasets = {robot.Record("a", 2), narrow};
  SampleReader reader(robot.problem, datasets);
  Sample sample(robot.problem);
  CHECK(reader.Next(kEnd, sample));
  CHECK(reader.Next(kEnd, sample));
  CHECK_THROWS_WITH_AS(reader.Next(kEnd, sample),
                       "narrow: the channel 'joint_velocity' has 1 columns, expected 2",
                       EstimationFailure);
}

}  // namespace
}  // namespace idbench
