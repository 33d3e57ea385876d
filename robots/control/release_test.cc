#include "robots/control/release.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "robots/control/pd_gravity.h"
#include "robots/plant/rail_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr double kStep = 1e-3;

/// Holds the rail for 0.2 s, then lets it go for as long.
Releasing Held(ReleaseTorque torque, double gain, InverseDynamics model = RailModel) {
  PdGains gains{Eigen::VectorXd::Constant(1, gain), Eigen::VectorXd::Zero(1)};
  return {std::make_unique<PdGravity>(std::move(gains), 100.0, RailModel),
          {0.2, torque},
          std::move(model),
          1};
}

TEST_CASE("A robot that is let go without torque falls freely, with no torque at all") {
  Releasing controller = Held(ReleaseTorque::kNone, 0.0);
  CHECK(controller.hold_s() == 0.01);
  CHECK(controller.released_s() == 0.2);
  const std::vector<Reading> read = FollowRest(controller, kStep, 0.2, 1.0);
  REQUIRE(read.size() == 401);
  for (const Reading& reading : read) {
    // What was commanded before this reading.
    CHECK(reading[kJointTorque](0) == (reading.t < 0.2 + 0.5 * kStep && reading.t > 0 ? 3.0 : 0.0));
    // 2·q̈ = −3, integrated exactly; rounding.
    const double since = std::max(reading.t - 0.2, 0.0);
    CHECK(std::abs(reading[kJointPosition](0) - (1.0 - 0.75 * since * since)) < 1e-12);
  }
}

TEST_CASE("The gravity torque of an exact model leaves a robot in the motion that it has") {
  // A spring without damping: 2·ë = −k·e, from 1 m at rest.
  Releasing controller = Held(ReleaseTorque::kGravity, 50.0);
  const std::vector<Reading> read = FollowRest(controller, kStep, 0.2, 1.0);
  const Reading& released = read[200];
  CHECK(std::abs(released[kJointVelocity](0)) > 1.0);
  for (std::size_t k = 201; k < read.size(); ++k) {
    CHECK(read[k][kJointTorque](0) == 3.0);
    CHECK(read[k][kJointVelocity](0) == released[kJointVelocity](0));
  }
}

TEST_CASE("The gravity torque is the model's at the positions that are read, at rest") {
  const InverseDynamics model = [](const Eigen::VectorXd& q, const Eigen::VectorXd& qd,
                                   const Eigen::VectorXd& qdd, Eigen::VectorXd& tau) {
    tau = 7.0 * q + 100.0 * qd + 1000.0 * qdd;
  };
  Releasing controller = Held(ReleaseTorque::kGravity, 0.0, model);
  Reading reading;
  reading.At(kJointPosition).value = Eigen::VectorXd::Constant(1, 0.5);
  reading.At(kJointVelocity).value = Eigen::VectorXd::Constant(1, 2.0);
  Command command = Command::Zero(1);
  controller.LetGo(reading, command);
  CHECK(command.value(0) == 3.5);
}

TEST_CASE("A limit of effort clips what is let go with, too") {
  EffortLimited limited(std::make_unique<Releasing>(Held(ReleaseTorque::kGravity, 0.0)),
                        Eigen::VectorXd::Constant(1, 2.0));
  CHECK(limited.released_s() == 0.2);
  Command command = Command::Zero(1);
  limited.LetGo(ReadingOf(JointState::Zero(1)), command);
  CHECK(command.value(0) == 2.0);
}

std::string ReleaseIssues(const char* text) {
  ReleaseOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), Json::parse(text), "/release", issues);
  return issues.empty() ? "" : ConfigError("s.json", issues).what();
}

TEST_CASE("A release takes some time, and there are two torques") {
  CHECK(ReleaseIssues(R"({"duration_s": 2})").empty());
  CHECK(ReleaseIssues(R"({"duration_s": 2, "torque": "gravity"})").empty());
  CHECK(ReleaseIssues("{}") ==
        "s.json: /release/duration_s: missing\n"
        "  needed here: Duration of the time after the motion, whose data are the experiment's too "
        "[s]");
  CHECK(ReleaseIssues(R"({"duration_s": 0})") ==
        "s.json: /release/duration_s: got 0\n  accepted here: a number, greater than 0 [s]");
  CHECK(ReleaseIssues(R"({"duration_s": 1, "torque": "half"})") ==
        "s.json: /release/torque: got \"half\"\n  accepted here: none, gravity");
}

}  // namespace
}  // namespace idbench
