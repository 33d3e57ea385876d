#include "estimators/observers/end_effector_force.h"

#include <doctest/doctest.h>

#include <cmath>

#include "estimators/observers/observers_test.h"

namespace idbench {
namespace {

Eigen::Vector3d Push(double t) {
  return {5.0 * std::sin(3.0 * t), -8.0, 4.0 + 2.0 * std::cos(5.0 * t)};
}

Eigen::MatrixXd PushesOf(const Dataset& dataset) {
  const Eigen::VectorXd& t = dataset.Get(kJointTorque).time_s;
  Eigen::MatrixXd force(t.size(), 3);
  for (Eigen::Index k = 0; k < t.size(); ++k) force.row(k) = Push(t[k]).transpose();
  return force;
}

/// Root of the mean square over all samples that have a force.
double RootMeanSquare(const Eigen::MatrixXd& values, const Eigen::MatrixXd& expected) {
  double sum = 0.0;
  Eigen::Index count = 0;
  for (Eigen::Index k = 0; k < values.rows(); ++k) {
    if (!values.row(k).allFinite()) continue;
    sum += (values.row(k) - expected.row(k)).squaredNorm();
    ++count;
  }
  return std::sqrt(sum / static_cast<double>(count));
}

TEST_CASE("A force at the end effector is found, by force or by wrench") {
  for (const char* name : {"barrett_wam7", "puma560"}) {
    const Synthetic robot = ArmOf(name);
    const std::vector<Dataset> training = {robot.Record("a", 300, NoiseOf(robot.model.dofs()))};
    const Dataset watched = Pushed(robot, robot.Record("w", 300, {}, 0, Role::kApplication), Push);
    for (const char* options : {R"({"method": "wrench"})", R"({"method": "force"})",
                                R"({"method": "force", "covariance": "full"})"}) {
      CAPTURE(name);
      CAPTURE(options);
      const auto observer = MakeObserverOf("end_effector_force", options);
      const Difference difference =
          DifferenceOf(ValuesOf(Observe(*observer, robot, training, watched), kExternalForce),
                       PushesOf(watched));
      CHECK(difference.finite > 200);
      // Pushed() is good to some 1e-9 N·m, and the least condition 0.02 makes 50 times that of it.
      CHECK(difference.largest < 1e-6);
    }
  }
}

TEST_CASE("A force alone, with weighted joints, is more certain than one beside a moment") {
  const Synthetic robot = ArmOf("barrett_wam7");
  const std::vector<Dataset> training = {robot.Record("a", 1000, NoiseOf(7))};
  const Dataset watched =
      Pushed(robot, robot.Record("w", 1000, NoiseOf(7), 1, Role::kApplication), Push);
  const auto found = [&](const char* options) {
    const auto observer = MakeObserverOf("end_effector_force", options);
    return ValuesOf(Observe(*observer, robot, training, watched), kExternalForce);
  };
  const Eigen::MatrixXd of_wrench = found(R"({"method": "wrench", "least_condition": 0.05})");
  Eigen::MatrixXd alone = found(R"({"method": "force"})");
  for (Eigen::Index k = 0; k < alone.rows(); ++k) {
    if (std::isnan(of_wrench(k, 0))) alone.row(k) = of_wrench.row(k);  // where there are both
  }
  // By Gauss and Markov it is at no sample less certain; 3000 components tell a tenth from nothing.
  CHECK(RootMeanSquare(alone, PushesOf(watched)) <
        0.9 * RootMeanSquare(of_wrench, PushesOf(watched)));
}

TEST_CASE("Without identification data declared σ weigh the joints") {
  Synthetic robot = ArmOf("barrett_wam7");
  const Dataset watched =
      Pushed(robot, robot.Record("w", 100, NoiseOf(7), 1, Role::kApplication), Push);
  const auto observer = MakeObserverOf("end_effector_force", R"({"least_condition": 0.2})");
  const Eigen::MatrixXd weighted = ValuesOf(Observe(*observer, robot, {}, watched), kExternalForce);
  robot.problem.rows.front().sigma.setOnes();
  const Eigen::MatrixXd equal = ValuesOf(Observe(*observer, robot, {}, watched), kExternalForce);
  CHECK(RootMeanSquare(weighted, PushesOf(watched)) < RootMeanSquare(equal, PushesOf(watched)));
  robot.problem.rows.front().sigma.resize(0);
  const Observation none = Observe(*observer, robot, {}, watched);
  CHECK(none.outcome == Outcome::kRefused);
  CHECK(none.reason ==
        "needs identification data, which tell the noise of residuals, or a positive declared σ of "
        "every row");
}

TEST_CASE("Near singular configurations there is no force") {
  const Synthetic robot = ArmOf("barrett_wam7");
  const Dataset moving = robot.Record("w", 50, {}, 0, Role::kApplication);
  const Dataset watched = WithChannel(moving, kJointPosition, [](Eigen::MatrixXd& q) {
    q.row(20).setZero();  // stretched out above the base
  });
  for (const char* options : {R"({"method": "wrench"})", R"({"method": "force"})"}) {
    const auto observer = MakeObserverOf("end_effector_force", options);
    const Eigen::MatrixXd force = ValuesOf(Observe(*observer, robot, {}, watched), kExternalForce);
    CHECK(force.row(20).array().isNaN().all());
    CHECK(force.row(21).allFinite());
  }
}

TEST_CASE("The low-pass of the force passes what is slow") {
  const Synthetic robot = ArmOf("barrett_wam7");
  const Dataset watched =
      Pushed(robot, robot.Record("w", 400, {}, 0, Role::kApplication),
             [](double t) { return Eigen::Vector3d(t < 1.0 ? 0.0 : 6.0, 0, 0); });
  const auto observer = MakeObserverOf("end_effector_force", R"({"cutoff_hz": 2.0})");
  const Eigen::MatrixXd force = ValuesOf(Observe(*observer, robot, {}, watched), kExternalForce);
  const Eigen::VectorXd& t = watched.Get(kJointTorque).time_s;
  int looked_at = 0;
  for (Eigen::Index k = 101; k < 400; ++k) {
    if (std::isnan(force(k, 0))) continue;
    ++looked_at;
    const double expected = 6.0 * (1.0 - std::exp(-4.0 * std::acos(-1.0) * (t[k] - t[99])));
    CHECK(force(k, 0) == doctest::Approx(expected).epsilon(1e-6));  // that of Pushed()
  }
  CHECK(looked_at > 200);
}

TEST_CASE("Arms with too few joints are refused") {
  const Synthetic planar = ArmOf("planar2");
  const Dataset watched = planar.Record("w", 50, {}, 0, Role::kApplication);
  const auto force = MakeObserverOf("end_effector_force");
  CHECK(Observe(*force, planar, {}, watched).reason ==
        "takes the torques of at least 3 joints, the problem has rows of 2");
  Synthetic wam = ArmOf("barrett_wam7");
  wam.problem.rows.front().chosen = {0, 1, 2, 3, 4};
  const auto wrench = MakeObserverOf("end_effector_force", R"({"method": "wrench"})");
  CHECK(Observe(*wrench, wam, {}, wam.Record("w", 50)).reason ==
        "takes the torques of at least 6 joints, the problem has rows of 5");
}

TEST_CASE("An end effector that moves in a plane is refused, whatever model and data are") {
  const auto why = [](const char* robot, const char* observer) {
    return MakeObserverOf(observer, "{}")->WhyRefused(ArmOf(robot).problem);
  };
  for (const char* observer : {"end_effector_force", "momentum_observer"}) {
    CAPTURE(observer);
    CHECK(why("planar3", observer) ==
          "the end effector moves in a plane or on a line, and no torque tells a force across");
    CHECK(why("planar2", observer) ==
          "takes the torques of at least 3 joints, the problem has rows of 2");
    for (const char* robot : {"puma560", "barrett_wam7", "ur10", "kuka_lwr4"}) {
      CAPTURE(robot);
      CHECK(why(robot, observer) == "");
    }
  }
  CHECK(why("planar3", "force_kalman") == "");
}

}  // namespace
}  // namespace idbench
