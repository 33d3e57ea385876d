#include "estimators/motors/calibrated_sensor.h"

#include <doctest/doctest.h>

#include <cmath>

#include "estimators/batch/ols.h"
#include "estimators/motors/drive_nls.h"
#include "estimators/motors/driven_arm_test.h"
#include "estimators/motors/pls.h"
#include "estimators/motors/prior_offsets.h"
#include "estimators/motors/two_stage.h"
#include "robots/dynamics/dynamics.h"
#include "robots/dynamics/parameters/gain_scale.h"
#include "scenarios/options/json.h"

/// The calibration of a force/torque sensor in the fit of bodies, friction, gains and offsets.
namespace idbench {
namespace {

constexpr DrivenArm::Noise kSensorNoise{.pwm_pct = 0.05, .force_n = 0.15, .moment_nm = 0.005};
const DrivenArm::Extras kCalibratedLoaded{.calibration = CalibrationEntries::kAll, .loaded = true};

template <class Method>
Estimate RunOn(const Problem& problem, const std::vector<Dataset>& datasets,
               const Json& options = Json::object()) {
  Method method;
  std::vector<Issue> issues;
  ReadFields(method.Fields(), options, "", issues);
  REQUIRE(issues.empty());
  return method.Run(problem, datasets);
}

/// A run without the weight, and one with it.
std::vector<Dataset> BareAndLoaded(const DrivenArm& arm, double duration_s,
                                   const DrivenArm::Noise& noise, int trial = 0) {
  return {arm.Record("bare", duration_s, noise, trial),
          arm.Record("weighted", duration_s, noise, trial, "loaded")};
}

/// Root mean square of the wrench of a noise-free recording less that of an estimate, N and N·m.
double ReadingError(const DrivenArm& arm, const Problem& problem, const Estimate& estimate) {
  const Dataset dataset = arm.Record("validation", 20.0, {});
  const Dynamics dynamics(problem.model, problem.friction);
  Dynamics::Scratch scratch(dynamics);
  const Eigen::MatrixXd& wrench = dataset.Get(problem.rows[1].measured()).samples;
  Eigen::MatrixXd predicted(wrench.rows(), 6);
  dynamics.Predict(problem.rows[1].placed(), estimate.pi,
                   {dataset.Get(kJointPosition).samples, dataset.Get(kJointVelocity).samples,
                    dataset.Get(kJointAcceleration).samples},
                   scratch, predicted);
  return (predicted - wrench).norm() / std::sqrt(static_cast<double>(wrench.size()));
}

/// TermsWithoutScale() of what the arm's problem asks for.
std::vector<std::string> WithoutScale(const DrivenArm& arm) {
  const Problem& problem = arm.problem;
  const Eigen::MatrixXd& A = problem.parameters.affine()->A;
  std::vector<int> considered;
  for (int k = 0; k < A.rows(); ++k) {
    if (!A.row(k).isZero(0.0)) considered.push_back(k);
  }
  return TermsWithoutScale(problem.model, problem.equations(), considered, arm.pi,
                           problem.friction);
}

TEST_CASE("The derivative of a reading's residual is that of its differences") {
  const DrivenArm arm({.calibration = CalibrationEntries::kAll});
  const std::vector<CalibratedSensor> sensors = FindCalibratedSensors(arm.problem);
  REQUIRE(sensors.size() == 1);
  const CalibratedSensor& sensor = sensors[0];
  CHECK(sensor.name == "r_arm_ft_sensor");
  CHECK(sensor.first == 0);  // rows of drives come behind
  CHECK(sensor.entries(1, 2) == arm.IndexOf("r_arm_ft_sensor.d_fy_fz"));
  CHECK(sensor.Has(arm.IndexOf("r_arm_ft_sensor.d_mz_fx")));
  CHECK_FALSE(sensor.Has(arm.IndexOf("motor0.gain")));
  // Rows that hold any numbers but in the columns of D, where they have those of w.
  const Eigen::VectorXd x = arm.x();
  const Eigen::Index p = x.size();
  Eigen::MatrixXd w(3, 6);
  for (Eigen::Index k = 0; k < w.size(); ++k)
    w.reshaped()[k] = std::sin(1.0 + 2.3 * static_cast<double>(k));
  CalibratedSensor::Rows Me, J, ignored;
  for (Eigen::Index row = 0; row < 6; ++row) {
    Eigen::MatrixXd& own = Me[static_cast<std::size_t>(row)];
    own.resize(3, p + 1);
    for (Eigen::Index k = 0; k < own.size(); ++k) {
      own.reshaped()[k] = std::cos(0.7 * static_cast<double>(k) + 1.9 * static_cast<double>(row));
    }
    for (Eigen::Index i = 0; i < 36; ++i) own.col(sensor.entries.reshaped()[i]).setZero();
    for (Eigen::Index column = 0; column < 6; ++column) {
      own.col(sensor.entries(row, column)) = -w.col(column);
    }
    own.col(p) = w.col(row);
  }
  const Eigen::MatrixXd r = sensor.Linearise(Me, x, J);
  CHECK(r == sensor.Residuals(Me, x));
  constexpr double kStep = 1e-5;
  for (const std::string& name :
       {std::string("r_arm_ft_sensor.d_fx_fx"), std::string("r_arm_ft_sensor.d_mz_fy"),
        arm.problem.parameters.names[0], std::string("r_arm_ft_sensor.offset_my")}) {
    CAPTURE(name);
    const Eigen::VectorXd step = kStep * Eigen::VectorXd::Unit(p, arm.IndexOf(name));
    const Eigen::MatrixXd difference =
        (sensor.Residuals(Me, x + step) - sensor.Residuals(Me, x - step)) / (2.0 * kStep);
    for (Eigen::Index k = 0; k < 6; ++k) {
      // The central difference errs by the square of the step and by round-off over it.
      CHECK((J[static_cast<std::size_t>(k)].col(arm.IndexOf(name)) - difference.col(k)).norm() <=
            1e-8 * (1.0 + difference.norm()));
    }
  }
}

TEST_CASE("With a known load and without noise the calibration and the gains are exact") {
  for (const CalibrationEntries entries :
       {CalibrationEntries::kAll, CalibrationEntries::kDiagonal}) {
    const DrivenArm arm({.calibration = entries, .loaded = true});
    const Estimate estimate = RunOn<DriveNls>(arm.problem, BareAndLoaded(arm, 8.0, {}));
    REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
    CHECK(arm.CalibrationError(estimate.x) < 1e-7);  // round-off times the condition
    CHECK((arm.GainRatios(estimate.x).array() - 1.0).abs().maxCoeff() < 1e-7);
    CHECK(ReadingError(arm, arm.problem, estimate) < 1e-7);
  }
}

TEST_CASE("Without a known load nothing tells the scale of a calibration, and a fit says so") {
  const DrivenArm arm({.calibration = CalibrationEntries::kAll});
  const Problem& problem = arm.problem;
  CHECK(WithoutScale(arm).size() == 36 + 4);
  CHECK(WithoutScale(DrivenArm(kCalibratedLoaded)).empty());
  for (const DrivenArm::Noise& noise : {DrivenArm::Noise{}, kSensorNoise}) {
    const Estimate estimate = RunOn<DriveNls>(problem, {arm.Record("a", 20.0, noise)});
    CHECK(estimate.outcome == Outcome::kRankDeficient);
    CHECK(estimate.reason.ends_with("; use a richer motion, or a known load that comes off"));
  }
}

TEST_CASE("Least squares that collapse to D = −1 are no estimate") {
  const DrivenArm arm({.calibration = CalibrationEntries::kAll});
  Problem sensor = arm.problem;
  sensor.rows.erase(sensor.rows.begin());
  for (const Estimate& estimate :
       {RunOn<Ols>(sensor, {arm.Record("a", 20.0, kSensorNoise)}),
        RunOn<Pls>(arm.problem, {arm.Record("a", 20.0, kSensorNoise)}, {{"components", 140}})}) {
    CHECK(estimate.outcome == Outcome::kRankDeficient);
    CHECK(estimate.reason.starts_with(
        "the calibration of 'r_arm_ft_sensor' has shrunk to nothing (an eigenvalue of 1 + D is "));
  }
}

TEST_CASE("More data find the calibration better, and with it what the sensor reads") {
  const DrivenArm arm(kCalibratedLoaded);
  const DrivenArm plain({.loaded = true});  // the same data, without the term
  const Json filtered = {{"parallel_filter", {{"cutoff_hz", 10}}}};
  const Estimate brief =
      RunOn<DriveNls>(arm.problem, BareAndLoaded(arm, 5.0, kSensorNoise), filtered);
  const std::vector<Dataset> datasets = BareAndLoaded(arm, 40.0, kSensorNoise);
  const Estimate estimate = RunOn<DriveNls>(arm.problem, datasets, filtered);
  const Estimate uncalibrated = RunOn<DriveNls>(plain.problem, datasets, filtered);
  REQUIRE_MESSAGE(brief.ok(), brief.reason);
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  REQUIRE_MESSAGE(uncalibrated.ok(), uncalibrated.reason);
  // 8 times the samples: about a third.
  CHECK(arm.CalibrationError(estimate.x) < 0.6 * arm.CalibrationError(brief.x));
  CHECK(arm.CalibrationError(estimate.x) < 1e-3);
  CHECK(ReadingError(arm, arm.problem, estimate) <
        0.1 * ReadingError(arm, plain.problem, uncalibrated));
}

TEST_CASE("Least squares with a known load find a calibration with the bias that noise makes") {
  const DrivenArm arm(kCalibratedLoaded);
  const std::vector<Dataset> datasets = BareAndLoaded(arm, 40.0, kSensorNoise);
  Problem sensor = arm.problem;
  sensor.rows.erase(sensor.rows.begin());
  const Estimate linear = RunOn<Ols>(sensor, datasets);
  const Estimate nonlinear = RunOn<DriveNls>(sensor, datasets);
  REQUIRE_MESSAGE(linear.ok(), linear.reason);
  REQUIRE_MESSAGE(nonlinear.ok(), nonlinear.reason);
  CHECK(arm.CalibrationError(nonlinear.x) < 0.5 * arm.CalibrationError(linear.x));
}

TEST_CASE("A calibration that is known is no unknown, and readings are predicted through it") {
  const DrivenArm arm({.calibration = CalibrationEntries::kAll});
  Problem known = arm.problem;
  std::vector<int> considered = known.parameters.UsedPi();
  const auto first = static_cast<int>(arm.pi.size()) - 36;
  std::erase_if(considered, [first](int k) { return k >= first; });
  known.parameters = StandardParametrisation(known.model, considered);
  known.parameters.SetKnown(first, arm.pi.tail(36));
  CHECK(UnknownCalibrations(known).empty());
  CHECK(UnknownCalibrations(arm.problem) == std::vector<int>{known.rows[1].cut});
  const std::vector<Dataset> datasets = {arm.Record("a", 20.0, {})};
  for (const Estimate& estimate :
       {RunOn<DriveNls>(known, datasets), RunOn<TwoStage>(known, datasets)}) {
    REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
    CHECK(ReadingError(arm, known, estimate) < 1e-6);
  }
}

TEST_CASE("What cannot find a calibration refuses it, and says why") {
  const DrivenArm arm(kCalibratedLoaded);
  CHECK(TwoStage().WhyRefused(arm.problem) ==
        "the calibration of a force/torque sensor is unknown, and rows of such a sensor hold for D "
        "= −1, to which least squares of the first stage shrink it: take drive_nls, or know the "
        "calibration");
  CHECK(RunOn<TwoStage>(arm.problem, BareAndLoaded(arm, 5.0, {})).outcome == Outcome::kRefused);
  Problem some = arm.problem;
  some.rows[1].chosen = {0, 1, 2, 3};
  CHECK(DriveNls().WhyRefused(some) ==
        "the calibration of 'r_arm_ft_sensor' takes all six rows of its wrench, and 4 count");
  const DrivenArm uncalibrated;
  Problem sensor = uncalibrated.problem;
  sensor.rows.erase(sensor.rows.begin());
  CHECK(DriveNls().WhyRefused(sensor).starts_with("gains follow from one equation") == false);
  CHECK(DriveNls().WhyRefused(arm.problem) == "");
}

TEST_CASE("Offsets beside a prior leave the calibration where the prior has it") {
  DrivenArm arm(kCalibratedLoaded);
  arm.problem.parameters.prior = Parametrisation::Prior{arm.x(), std::nullopt};
  const Eigen::Index offset = arm.IndexOf("r_arm_ft_sensor.offset_fx");
  arm.problem.parameters.prior->mean[offset] = 0.0;
  const Estimate estimate = RunOn<PriorOffsets>(arm.problem, BareAndLoaded(arm, 5.0, {}));
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  CHECK(arm.CalibrationError(estimate.x) == doctest::Approx(0.0).epsilon(1e-12));
  CHECK(estimate.x[offset] == doctest::Approx(3.0));
}

}  // namespace
}  // namespace idbench
