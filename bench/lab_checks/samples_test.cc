#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "bench/lab_checks/recorded_arm_test.h"

namespace idbench {
namespace {

TEST_CASE("lab checks: what is seen in the samples alone is told") {
  ArmColumns saturated = RecordArm();
  const double limit = 0.6 * saturated.tau.col(1).cwiseAbs().maxCoeff();
  saturated.tau.col(1) = saturated.tau.col(1).cwiseMin(limit).cwiseMax(-limit);
  CHECK(ToldChecks(ArmFindings(saturated)).find("saturation of shoulder_lift_joint") !=
        std::string::npos);

  // What is cut off wants a factor, which is not told.
  ArmColumns cut = RecordArm();
  const double end = 0.3 * cut.tau.col(1).minCoeff();
  cut.tau.col(1) = cut.tau.col(1).cwiseMax(end);
  CHECK(ToldChecks(ArmFindings(cut)) == "saturation of shoulder_lift_joint");

  ArmColumns stepped =
      RecordArm();  // in which the torque mostly is at ±1, and no sensor at its end
  stepped.tau.col(2) = stepped.tau.col(2).cwiseSign();
  stepped.tau.col(2).segment(100, 5).setZero();
  CHECK(ToldChecks(ArmFindings(stepped)).find("saturation") == std::string::npos);

  ArmColumns coarse = RecordArm();
  const double step = 0.2 * std::sqrt(coarse.tau.col(2).squaredNorm() / kArmRows);
  coarse.tau.col(2) = step * (coarse.tau.col(2) / step).array().round();
  CHECK(ToldChecks(ArmFindings(coarse)) == "quantised of elbow_joint");

  // The joint passes over several steps of its encoder from sample to sample; one step is fine.
  ArmColumns encoder = RecordArm();
  constexpr double kResolution = 2e-4;
  encoder.q = kResolution * (encoder.q / kResolution).array().round();
  CHECK(ToldChecks(ArmFindings(encoder)).find("quantised") == std::string::npos);
  ArmColumns rough = RecordArm();
  rough.q.col(1) = 0.01 * (rough.q.col(1) / 0.01).array().round();
  const std::vector<LabFinding> steps = ArmFindings(rough);
  REQUIRE(ToldChecks(steps).find("quantised of shoulder_lift_joint") != std::string::npos);
  const auto of_steps = std::ranges::find(steps, "quantised", &LabFinding::check);
  CHECK(of_steps->evidence.find("in steps of 0.01 rad") != std::string::npos);

  ArmColumns gap = RecordArm();
  gap.time_s.tail(kArmRows / 2).array() += 2.0;
  CHECK(ToldChecks(ArmFindings(gap)).find("gaps") != std::string::npos);

  CHECK(ToldChecks(ArmFindings(RecordArm(), {kArmRows + 10, 10})) == "repeated_stamps");

  ArmColumns late = RecordArm();
  for (Eigen::Index i = 0; i < kArmRows; ++i) {
    late.time_s[i] += 0.2 * kArmStep * std::sin(37.0 * static_cast<double>(i));
  }
  const std::vector<LabFinding> jitter = ArmFindings(late);
  const auto of_jitter = std::ranges::find(jitter, "jittered_stamps", &LabFinding::check);
  REQUIRE(of_jitter != jitter.end());
  CHECK(of_jitter->cure.find("--rate 200,") != std::string::npos);
}

TEST_CASE("lab checks: torques that never change and positions that jump are told alone") {
  for (const double value : {0.0, -3.5}) {
    ArmColumns dead = RecordArm();
    dead.tau.col(2).setConstant(value);
    CHECK(ToldChecks(ArmFindings(dead)) == "dead_torque of elbow_joint");
    CHECK_FALSE(CanFit(ArmLog(dead)));
  }

  ArmColumns wrapped = RecordArm();
  const double turn = 2.0 * std::numbers::pi;
  for (double& q : wrapped.q.col(1)) q = std::remainder(q + 3.0, turn);
  std::vector<LabFinding> findings = ArmFindings(wrapped);
  REQUIRE(ToldChecks(findings) == "position_jumps of shoulder_lift_joint");
  CHECK(findings.front().cure.find("unwrap it") != std::string::npos);

  ArmColumns glitch = RecordArm();
  glitch.q(kArmRows / 2, 0) += 0.4;
  findings = ArmFindings(glitch);
  REQUIRE(ToldChecks(findings) == "position_jumps of shoulder_pan_joint");
  CHECK(findings.front().evidence.starts_with("2 times its position changes by up to 0.4"));
  CHECK(findings.front().cure.find("unwrap") == std::string::npos);

  // A joint that rests but for one fast move, of 20 samples.
  ArmColumns once = RecordArm();
  for (Eigen::Index i = 0; i < kArmRows; ++i) {
    const double part =
        std::clamp((static_cast<double>(i) - 0.5 * static_cast<double>(kArmRows)) / 20.0, 0.0, 1.0);
    once.q(i, 2) = 0.5 * (1.0 - std::cos(std::numbers::pi * part)) +
                   1e-5 * std::sin(7.0 * static_cast<double>(i));
  }
  CHECK(ToldChecks(ArmFindings(once)).find("position_jumps") == std::string::npos);

  ArmColumns spiked = RecordArm();
  spiked.tau(kArmRows / 3, 1) += 400.0;
  CHECK(ToldChecks(ArmFindings(spiked)) == "torque_spikes of shoulder_lift_joint");
}

TEST_CASE(
    "lab checks: a rate below ten samples a period is told, and nothing that follows from it") {
  // Sines of 0.5 Hz at most: 6.8 samples in a period of the fastest one, and 20.
  for (const auto& [step, told] : {std::pair{60, "low_rate"}, {20, ""}}) {
    CAPTURE(step);
    const ArmColumns all = RecordArm();
    std::vector<Eigen::Index> rows;
    for (Eigen::Index i = 0; i < kArmRows; i += step) rows.push_back(i);
    CHECK(ToldChecks(ArmFindings({all.time_s(rows), all.q(rows, Eigen::all),
                                  all.tau(rows, Eigen::all)})) == std::string(told));
  }
}

TEST_CASE("lab checks: velocities that are a multiple of dq/dt are told of all joints at once") {
  const ArmColumns columns = RecordArm();
  for (const double factor : {1.0, 5.0}) {
    LabLog log = ArmLog(columns);
    Eigen::MatrixXd velocities(kArmRows, 3);
    for (Eigen::Index i = 0; i < kArmRows; ++i) {
      const Eigen::Index before = std::max<Eigen::Index>(i - 1, 0);
      const Eigen::Index after = std::min<Eigen::Index>(i + 1, kArmRows - 1);
      velocities.row(i) = factor * (columns.q.row(after) - columns.q.row(before)) /
                          (columns.time_s[after] - columns.time_s[before]);
    }
    log.recorded.front().Add(
        {std::string(kJointVelocity), "rad/s", columns.time_s, velocities, {}});
    const std::vector<LabFinding> findings = CheckLab(log);
    const auto found = std::ranges::find(findings, "velocity_factor", &LabFinding::check);
    REQUIRE((found != findings.end()) == (factor != 1.0));
    if (factor == 1.0) continue;
    CHECK(found->joint == "shoulder_pan_joint, shoulder_lift_joint, elbow_joint");
    CHECK(found->evidence.find("fits 5 × dq/dt") != std::string::npos);
  }
}

TEST_CASE("lab checks: speeds beyond the file's limits are told, those of degrees are not") {
  ArmColumns hurried = RecordArm();
  hurried.time_s /= 4.0;
  const std::vector<LabFinding> findings = ArmFindings(hurried);
  const auto found = std::ranges::find(findings, "too_fast", &LabFinding::check);
  REQUIRE(found != findings.end());
  CHECK(found->joint == "all joints");
  CHECK(found->cure.starts_with("check the unit of the time stamps"));
}

}  // namespace
}  // namespace idbench
