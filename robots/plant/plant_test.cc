#include "robots/plant/plant.h"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "robots/plant/rail_test.h"

namespace idbench {
namespace {

/// Pushes with the same force always, and remembers what it was told.
class Push : public Controller {
 public:
  Push(double force, double hold_s) : force_(force), hold_s_(hold_s) {}
  double hold_s() const override { return hold_s_; }
  void Act(const JointState&, const Reading& reading, Command& command) override {
    heard.push_back(reading);
    command.value(0) = force_;
  }

  std::vector<Reading> heard;

 private:
  double force_, hold_s_;
};

/// A rail whose sensors read positions alone.
class BlindRail : public Rail {
 public:
  using Rail::Rail;
  void MoveTo(const ExperimentStart& start, Reading& reading) override {
    Rail::MoveTo(start, reading);
    reading.channels.resize(1);
  }
  ExperimentState Exchange(const Command& command, Reading& reading) override {
    const ExperimentState state = Rail::Exchange(command, reading);
    reading.channels.resize(1);
    return state;
  }
};

ExperimentStart StartAt(double q, double qd, std::vector<PositionLimit> limits = {}) {
  return {Eigen::VectorXd::Constant(1, q), Eigen::VectorXd::Constant(1, qd), std::move(limits)};
}

TEST_CASE("An experiment is read from its start to the end of the motion, each command once") {
  Rail rail(0.1);
  Push push(5.0, 0.0);  // q̈ = 1
  std::vector<Reading> readings;
  CHECK(Follow(rail, StartAt(3.0, 0.5), push, Rest(1.0), 100.0, [&](const Reading& reading) {
          readings.push_back(reading);
        }) == ExperimentState::kRunning);
  REQUIRE(readings.size() == 11);
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const double t = 0.1 * static_cast<double>(i);
    CHECK(readings[i].t == t);
    // Exact steps; rounding only.
    CHECK(readings[i][kJointPosition](0) ==
          doctest::Approx(3.0 + 0.5 * t + 0.5 * t * t).epsilon(1e-14));
  }
  REQUIRE(push.heard.size() == 10);
  for (std::size_t i = 0; i < 10; ++i) {
    CHECK(push.heard[i].t == readings[i].t);
    CHECK(push.heard[i][kJointVelocity] == readings[i][kJointVelocity]);
  }
}

TEST_CASE("A fall ends the experiment, and is not recorded") {
  Rail rail(0.1);
  Push push(5.0, 0.0);
  std::vector<Reading> readings;
  const PositionLimit limit{Eigen::VectorXd::Constant(1, 2.0), 1.0, 0.5};  // |2q − 1| ≤ 0.5
  CHECK(Follow(rail, StartAt(0.5, 0.0, {limit}), push, Rest(2.0), 100.0,
               [&](const Reading& reading) { readings.push_back(reading); }) ==
        ExperimentState::kFell);
  // q = 0.5 + t²/2 passes 0.75 at t = 0.707 s.
  REQUIRE(readings.size() == 8);
  CHECK(readings.back().t == doctest::Approx(0.7).epsilon(1e-14));
}

TEST_CASE("A controller of a plant that reads positions alone is told derived velocities") {
  BlindRail rail(0.1);
  Push push(3.0, 0.2);  // stands still, or goes on as it did
  std::size_t recorded = 0;
  Follow(rail, StartAt(0.0, 0.5), push, Rest(1.0), 1e9, [&](const Reading& reading) {
    CHECK(reading.Find(kJointVelocity) == nullptr);
    ++recorded;
  });
  CHECK(recorded == 11);
  REQUIRE(push.heard.size() == 5);
  CHECK(push.heard[0][kJointVelocity](0) == 0.0);  // that which the motion wants at its start
  for (std::size_t i = 1; i < 5; ++i) {
    CHECK(push.heard[i][kJointVelocity](0) == doctest::Approx(0.5).epsilon(1e-12));
  }
}

}  // namespace
}  // namespace idbench
