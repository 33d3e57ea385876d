#include "estimators/observers/payload_change.h"

#include <doctest/doctest.h>

#include <cmath>

#include "estimators/observers/observers_test.h"

namespace idbench {
namespace {

constexpr double kLoadMass = 0.8;

/// The arm with a load on its last link, whose inertia about the link's origin is 0 or that of a
/// point.
Synthetic Loaded(const Synthetic& robot, bool inertia) {
  Synthetic loaded = robot;
  CentralInertia load;
  load.mass = kLoadMass;
  load.com = {0.02, -0.01, 0.09};
  Eigen::Matrix<double, kInertialCount, 1> added = ToStandard(load);
  if (!inertia) added.tail<6>().setZero();
  loaded.pi.segment<kInertialCount>(ParameterLayout(robot.model).Body(robot.model.dofs() - 1)) +=
      added;
  return loaded;
}

Observation Observed(const Synthetic& robot, const Dataset& watched,
                     std::string_view options = "{}") {
  const std::vector<Dataset> training = {robot.Record("a", 3000, NoiseOf(robot.model.dofs()))};
  const auto observer = MakeObserverOf("payload_change", options);
  Observation observation = Observe(*observer, robot, training, watched);
  INFO(observation.reason);
  REQUIRE(observation.ok());
  return observation;
}

double Changed(const Observation& observation, Eigen::Index first) {
  const Eigen::VectorXi& chosen = FindNamed(observation.labels, kDetected)->chosen;
  return static_cast<double>((chosen.tail(chosen.size() - first).array() == 1).count()) /
         static_cast<double>(chosen.size() - first);
}

TEST_CASE("A load that was added is found with its mass") {
  const Synthetic robot = ArmOf("barrett_wam7");
  const Dataset exact = Loaded(robot, false).Record("w", 500, {}, 1, Role::kApplication);
  const Eigen::MatrixXd mass = ValuesOf(Observed(robot, exact), kPayloadMass);
  // Round-off of the torques, 1e-13 N·m, times the condition of the window.
  CHECK((mass.col(0).tail(400).array() - kLoadMass).abs().maxCoeff() < 1e-8);
}

TEST_CASE("A load is told from none, and its mass is as far off as it says") {
  const Synthetic robot = ArmOf("barrett_wam7");
  const Dataset loaded = Loaded(robot, true).Record("w", 3000, NoiseOf(7), 1, Role::kApplication);
  const Dataset without_inertia =
      Loaded(robot, false).Record("w", 3000, NoiseOf(7), 1, Role::kApplication);
  const Dataset same = robot.Record("w", 3000, NoiseOf(7), 1, Role::kApplication);
  for (const char* options :
       {R"({"window_s": 1.0})", R"({"window_s": 1.0, "covariance": "diagonal"})"}) {
    CAPTURE(options);
    const Observation observation = Observed(robot, loaded, options);
    CHECK(Changed(observation, 100) > 0.99);
    CHECK(Changed(Observed(robot, same, options), 100) < 0.05);
    const Eigen::MatrixXd mass = ValuesOf(Observed(robot, without_inertia, options), kPayloadMass);
    double squares = 0.0;
    int windows = 0;
    for (Eigen::Index k = 100; k < 3000; k += 100, ++windows) {
      squares += std::pow((mass(k, 0) - kLoadMass) / mass(k, 1), 2);
    }
    // 29 windows that share nothing: four standard deviations √(2/29).
    CHECK(squares / windows == doctest::Approx(1.0).epsilon(4.0 * std::sqrt(2.0 / 29.0)));
  }
}

TEST_CASE("An unchanged load is a χ² of four degrees") {
  const Synthetic robot = ArmOf("barrett_wam7");
  const Dataset same = robot.Record("w", 10000, NoiseOf(7), 1, Role::kApplication);
  const Eigen::MatrixXd squares =
      ValuesOf(Observed(robot, same, R"({"window_s": 0.2})"), kStatistic);
  // 500 windows that share nothing: four standard deviations √(8/500).
  CHECK(squares.bottomRows(9900).mean() ==
        doctest::Approx(4.0).epsilon(4.0 * std::sqrt(8.0 / 500.0) / 4.0));
}

TEST_CASE("A load that changes within a window shows as soon as it is in it") {
  const Synthetic robot = ArmOf("barrett_wam7");
  const Dataset before = robot.Record("w", 1000, NoiseOf(7), 1, Role::kApplication);
  const Dataset after = Loaded(robot, true).Record("w", 1000, NoiseOf(7), 1, Role::kApplication);
  const Dataset watched = WithChannel(before, kJointTorque, [&](Eigen::MatrixXd& tau) {
    tau.bottomRows(500) = after.Get(kJointTorque).samples.bottomRows(500);
  });
  const Observation observation = Observed(robot, watched, R"({"window_s": 1.0})");
  CHECK(Changed(observation, 560) > 0.99);
  const Eigen::MatrixXd mass = ValuesOf(observation, kPayloadMass);
  CHECK(std::abs(mass(499, 0)) < 5.0 * mass(499, 1));
  CHECK(std::abs(mass(600, 0) - kLoadMass) < 5.0 * mass(600, 1));
}

TEST_CASE("An arm at rest tells the mass by its levers, though not how high it is") {
  const Synthetic robot = ArmOf("barrett_wam7");
  const auto at_rest = [](const Synthetic& arm) {
    const Dataset moving = arm.Record("w", 300, {}, 1, Role::kApplication);
    const Eigen::VectorXd q = (Eigen::VectorXd(7) << 0.2, 0.7, -0.3, 1.4, 0.4, 0.8, 0.1).finished();
    const Dynamics dynamics(arm.model, arm.problem.friction);
    Dynamics::Scratch scratch(dynamics);
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(7);
    Eigen::VectorXd tau(7);
    dynamics.InverseDynamics(arm.pi, q, zero, zero, scratch, tau);
    Dataset held = moving;
    for (const auto& [channel, values] : {std::pair{kJointPosition, q},
                                          {kJointVelocity, zero},
                                          {kJointAcceleration, zero},
                                          {kJointTorque, tau}}) {
      held = WithChannel(held, channel, [&values = values](Eigen::MatrixXd& samples) {
        samples = values.transpose().replicate(samples.rows(), 1);
      });
    }
    return held;
  };
  const Observation observation = Observed(robot, at_rest(Loaded(robot, true)));
  CHECK(Changed(observation, 50) > 0.99);
  const Eigen::MatrixXd mass = ValuesOf(observation, kPayloadMass);
  CHECK((mass.col(0).array() - kLoadMass).abs().maxCoeff() < 1e-8);  // as above
  CHECK(Changed(Observed(robot, at_rest(robot)), 0) == 0.0);
}

TEST_CASE("Where no row feels the mass apart from first moments there is none") {
  Synthetic robot = ArmOf("barrett_wam7");
  Synthetic loaded = Loaded(robot, true);
  const Dataset watched = loaded.Record("w", 500, NoiseOf(7), 1, Role::kApplication);
  // The last joint turns about an axis through the origin of its link.
  robot.problem.rows.front().chosen = {6};
  const std::vector<Dataset> training = {robot.Record("a", 3000, NoiseOf(7))};
  const auto observer = MakeObserverOf("payload_change");
  const Observation observation = Observe(*observer, robot, training, watched);
  CHECK(ValuesOf(observation, kPayloadMass).array().isNaN().all());
  CHECK(Changed(observation, 200) > 0.9);
}

TEST_CASE("The load of another link is found there") {
  const Synthetic robot = ArmOf("barrett_wam7");
  Synthetic loaded = robot;
  loaded.pi[ParameterLayout(7).Body(3)] += 1.5;
  const std::string link = robot.model.link(3).name;
  const Dataset exact = loaded.Record("w", 500, {}, 1, Role::kApplication);
  const Eigen::MatrixXd mass =
      ValuesOf(Observed(robot, exact, R"({"link": ")" + link + R"("})"), kPayloadMass);
  CHECK((mass.col(0).tail(300).array() - 1.5).abs().maxCoeff() < 1e-8);
}

TEST_CASE("Links that are not there, or that no row feels, are refused") {
  Synthetic robot = ArmOf("planar2");
  const Dataset watched = robot.Record("w", 50);
  const auto unknown = MakeObserverOf("payload_change", R"({"link": "hand"})");
  CHECK(Observe(*unknown, robot, {}, watched).reason == "the robot has no link 'hand', it has '" +
                                                            robot.model.link(0).name + "', '" +
                                                            robot.model.link(1).name + "'");
  robot.problem.rows.front().chosen = {1};
  const auto first =
      MakeObserverOf("payload_change", R"({"link": ")" + robot.model.link(0).name + R"("})");
  CHECK(Observe(*first, robot, {}, watched).reason ==
        "no row of the problem's equations feels a load of '" + robot.model.link(0).name + "'");
}

}  // namespace
}  // namespace idbench
