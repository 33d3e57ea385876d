#include "robots/control/pd_gravity.h"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>
#include <vector>

#include "robots/plant/plant_error.h"
#include "robots/plant/rail_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr double kPi = std::numbers::pi;

std::string PdGravityIssues(const char* text) {
  PdGravityOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), Json::parse(text), "/control", issues);
  return issues.empty() ? "" : ConfigError("s.json", issues).what();
}

TEST_CASE("The error of a single joint obeys the second-order equation of its gains") {
  // m·ë + Kd·ė + Kp·e = 0, critically damped: Kp = m·ω², Kd = 2·m·ω.
  const double w = 2.0 * kPi * 2.0;
  const PdGains gains{Eigen::VectorXd::Constant(1, kRailMass * w * w),
                      Eigen::VectorXd::Constant(1, 2.0 * kRailMass * w)};
  PdGravity controller(gains, 1e5, RailModel);
  for (const Reading& read : FollowRest(controller, 1e-5, 0.3, 1.0)) {
    // Holding delays the law by T/2 = 5e-6 s: of the order of ω·T = 1.3e-4 of the signal, 1.
    const double q = read[kJointPosition](0);
    CHECK(std::abs(q - (1.0 + w * read.t) * std::exp(-w * read.t)) < 2e-4);
  }
}

TEST_CASE("At rest on the motion the torque is the model's gravity alone") {
  PdGravity controller({Eigen::VectorXd::Constant(1, 7.0), Eigen::VectorXd::Constant(1, 5.0)}, 1e3,
                       RailModel);
  Command command = Command::Zero(1);
  controller.Act(JointState::Zero(1), ReadingOf(JointState::Zero(1)), command);
  CHECK(command.value(0) == 3.0);
  CHECK(controller.hold_s() == 1e-3);
}

/// τ = M·q̈ + (1, −2), with a mass matrix that is the same everywhere.
const Eigen::Matrix2d kCoupled = (Eigen::Matrix2d() << 3.0, 1.0, 1.0, 0.5).finished();
void CoupledModel(const Eigen::VectorXd&, const Eigen::VectorXd&, const Eigen::VectorXd& qdd,
                  Eigen::VectorXd& tau) {
  tau = kCoupled * qdd + Eigen::Vector2d(1.0, -2.0);
}

TEST_CASE("Gains that are not stated follow from the inertia with the other joints free") {
  const PdGravityOptions options{.natural_frequency_hz = 3.0, .damping_ratio = 0.7};
  const PdGains gains = GainsOf(options, CoupledModel, Rest(1.0, 2), 2);
  const double w = 2.0 * kPi * 3.0;
  // 1/(M⁻¹)_11 = (ac − b²)/c and 1/(M⁻¹)_22 = (ac − b²)/a; rounding only.
  CHECK(gains.kp(0) == doctest::Approx(w * w * 0.5 / 0.5).epsilon(1e-13));
  CHECK(gains.kp(1) == doctest::Approx(w * w * 0.5 / 3.0).epsilon(1e-13));
  CHECK(gains.kd(0) == doctest::Approx(2.0 * 0.7 * w * 0.5 / 0.5).epsilon(1e-13));
  CHECK(gains.kd(1) == doctest::Approx(2.0 * 0.7 * w * 0.5 / 3.0).epsilon(1e-13));
  // Squared frequencies of the coupled modes sum to 2·ω².
  const Eigen::Matrix2d M_inverse_K = kCoupled.llt().solve(Eigen::Matrix2d(gains.kp.asDiagonal()));
  CHECK(M_inverse_K.trace() == doctest::Approx(2.0 * w * w).epsilon(1e-13));
}

TEST_CASE("Stated gains are taken as they are, one for all joints or a list") {
  PdGravityOptions options;
  options.kp_nm_rad = PerJoint{{100.0}};
  options.kd_nms_rad = PerJoint{{3.0, 4.0}};
  const PdGains gains = GainsOf(options, CoupledModel, Rest(1.0, 2), 2);
  CHECK(gains.kp == Eigen::Vector2d(100.0, 100.0));
  CHECK(gains.kd == Eigen::Vector2d(3.0, 4.0));
}

TEST_CASE("A model without a positive definite mass matrix gives no gains") {
  const InverseDynamics hollow = [](const Eigen::VectorXd&, const Eigen::VectorXd&,
                                    const Eigen::VectorXd& qdd,
                                    Eigen::VectorXd& tau) { tau = -qdd; };
  CHECK_THROWS_WITH_AS(GainsOf({}, hollow, Rest(1.0), 1),
                       "pd_gravity: the controller's mass matrix is not positive definite on the "
                       "motion: give kp_nm_rad and kd_nms_rad",
                       PlantError);
}

TEST_CASE("One kind of gain without the other is refused") {
  CHECK(PdGravityIssues(R"({"kp_nm_rad": 10, "kd_nms_rad": [1, 2]})").empty());
  CHECK(PdGravityIssues(R"({"kp_nm_rad": 10})") ==
        "s.json: /control/kd_nms_rad: missing, but kp_nm_rad is given\n"
        "  give both gains, or neither: they then follow from natural_frequency_hz and "
        "damping_ratio");
  CHECK(PdGravityIssues(R"({"kd_nms_rad": 10})")
            .find("/control/kp_nm_rad: missing, but kd_nms_rad is given") != std::string::npos);
}

TEST_CASE("A frequency that is unstable at the rate is refused") {
  CHECK(PdGravityIssues(R"({"natural_frequency_hz": 20, "rate_hz": 100})") ==
        "s.json: /control/natural_frequency_hz: 20 Hz is unstable at a rate of 100 Hz and a "
        "damping ratio of 1, even with a perfect model\n"
        "  accepted here: less than 15.9155 Hz, better a tenth of it");
  // Given gains follow from none.
  CHECK(PdGravityIssues(R"({"rate_hz": 20})").find("5 Hz is unstable") != std::string::npos);
  CHECK(PdGravityIssues(R"({"rate_hz": 20, "kp_nm_rad": 10, "kd_nms_rad": 1})").empty());
}

}  // namespace
}  // namespace idbench
