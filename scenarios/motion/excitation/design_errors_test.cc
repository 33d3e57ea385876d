#include "scenarios/motion/excitation/design_errors.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "robots/robot.h"
#include "scenarios/motion/excitation/exciting_motion.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

std::vector<std::string> MotionIssues(const char* json) {
  ExcitingMotionOptions options;
  std::vector<Issue> issues;
  Binding<ExcitingMotionOptions>::Read(Json::parse(json), "/motion", {}, options, issues);
  std::vector<std::string> texts;
  for (const Issue& issue : issues) texts.push_back(issue.where + ": " + issue.what);
  return texts;
}

TEST_CASE("Errors of rows weigh them by joint and by component, in the order of rows") {
  const Robot robot = LoadRobot("planar2");
  DesignErrorOptions options{.noise_std_nm = {{0.5, 0.25}},
                             .wrench_noise_std_n_nm = {{1, 1, 1, 0.1, 0.1, 0.1}},
                             .rate_hz = 500.0};
  const DesignOptions both{.equations = {Equation::kWrench, Equation::kTorque}};
  const DesignErrors errors = ErrorsOfRows(options, both, robot.model);
  Eigen::VectorXd expected(8);
  expected << 4, 16, 1, 1, 1, 100, 100, 100;
  CHECK((errors.precision - expected).norm() < 1e-10);
  CHECK(errors.rate_hz == 500.0);
  CHECK(errors.disturbances.empty());
  const DesignErrors none = ErrorsOfRows({}, both, robot.model);
  CHECK(none.precision == Eigen::VectorXd::Ones(8));
  CHECK(!none.rate_hz);
}

TEST_CASE("Disturbances have the course and the derivatives that they say") {
  using Shape = Disturbance::Shape;
  for (const Shape shape : {Shape::kConstant, Shape::kSine, Shape::kCosine, Shape::kStribeck}) {
    const Disturbance disturbance{.shape = shape, .p = 3.0, .velocity = 0.4, .width = 0.1};
    CAPTURE(static_cast<int>(shape));
    for (const double qd : {-0.3, 0.02, 0.5}) {
      const Disturbance::Value at = disturbance.At(0.7, qd);
      constexpr double kStep = 1e-6;
      const double by_q =
          (disturbance.At(0.7 + kStep, qd).z - disturbance.At(0.7 - kStep, qd).z) / (2 * kStep);
      const double by_qd =
          (disturbance.At(0.7, qd + kStep).z - disturbance.At(0.7, qd - kStep).z) / (2 * kStep);
      CHECK(at.by_q == doctest::Approx(by_q).epsilon(1e-6));
      CHECK(at.by_qd == doctest::Approx(by_qd).epsilon(1e-6));
    }
  }
  CHECK(Disturbance{.shape = Shape::kSine, .p = 2.0}.At(0.3, 0.0).z == std::sin(0.6));
  const Disturbance sharp{.shape = Shape::kStribeck, .velocity = 0.4};
  CHECK(sharp.At(0.0, -0.4).z == doctest::Approx(-std::exp(-1.0)));
  CHECK(sharp.At(0.0, 0.0).z == 0.0);
}

TEST_CASE("A cogging of unknown phase is a sine and a cosine of half its power each") {
  const Robot robot = LoadRobot("planar2");
  const DesignErrorOptions options{.cogging_amplitude_nm = {{0.0, 2.0}},
                                   .cogging_periods_per_rev = {{5.0}}};
  CHECK(options.has_disturbances());
  const DesignErrors errors = ErrorsOfRows(options, {}, robot.model);
  REQUIRE(errors.disturbances.size() == 2);
  for (const Disturbance& disturbance : errors.disturbances) {
    CHECK(disturbance.joint == 1);
    CHECK(disturbance.sigma == doctest::Approx(std::sqrt(2.0)));
    CHECK(disturbance.p == 5.0);
  }
}

TEST_CASE("Knowledge that a design has no use for is refused") {
  CHECK(
      MotionIssues(R"({"criterion": "jc", "errors": {"noise_std_nm": 1, "offset_std_nm": 0.1}})") ==
      std::vector<std::string>{"/motion/errors: knows of more than white noise, which \"jc\" "
                               "takes no account of"});
  CHECK(MotionIssues(R"({"design": {"equations": ["base_wrench"]},
                     "errors": {"wrench_noise_std_n_nm": 1, "offset_std_nm": 0.1}})") ==
        std::vector<std::string>{
            "/motion/errors: knows of errors of joint torques, which are no rows of design"});
  CHECK(
      MotionIssues(R"({"prior_std": {"body": 0.1}, "torque_sigmas": 2, "torque_limits": false})") ==
      std::vector<std::string>{"/motion/prior_std: is weighed against errors of the rows, and "
                               "there are none",
                               "/motion/torque_sigmas: is for torque_limits, which is false"});
  CHECK(MotionIssues(R"({"torque_sigmas": 2})") ==
        std::vector<std::string>{
            "/motion/torque_sigmas: counts standard deviations of a prior, and there is none"});
  CHECK(MotionIssues(R"({"errors": {"noise_std_nm": 0}})").size() == 1);
  CHECK(MotionIssues(R"({"prior_std": {"body": 0}, "errors": {}})").size() == 1);
  CHECK(MotionIssues(R"({"prior_std": {"body": 0.1}, "errors": {"noise_std_nm": 0.2},
                     "torque_sigmas": 2})")
            .empty());
  const Robot robot = LoadRobot("planar2");
  ExcitingMotionOptions options;
  options.errors =
      DesignErrorOptions{.noise_std_nm = {{1, 2, 3}}, .wrench_noise_std_n_nm = {{1, 2}}};
  std::vector<std::string> where;
  for (const Issue& issue : CheckDesignErrors(*options.errors, robot.model, "/errors")) {
    where.push_back(issue.where);
  }
  CHECK(where == std::vector<std::string>{"/errors/noise_std_nm", "/errors/wrench_noise_std_n_nm"});
}

}  // namespace
}  // namespace idbench
