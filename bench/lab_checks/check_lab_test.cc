#include "bench/lab_checks/check_lab.h"

#include <doctest/doctest.h>

#include <functional>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "bench/lab_checks/recorded_arm_test.h"

namespace idbench {
namespace {

TEST_CASE("lab checks: nothing is told of a sound log") {
  CHECK(ToldChecks(ArmFindings(RecordArm())) == "");
}

TEST_CASE("lab checks: what a change of the data undoes is told of its joints, and alone") {
  struct Mistake {
    const char* told;
    std::function<void(ArmColumns&)> plant;
    double value;  ///< Of the cure; 0 if it has none.
  };
  constexpr double kInDegrees = 180.0 / std::numbers::pi;
  const std::vector<Mistake> mistakes = {
      {"degrees of all joints", [&](ArmColumns& log) { log.q *= kInDegrees; }, 0.0},
      {"degrees of elbow_joint", [&](ArmColumns& log) { log.q.col(2) *= kInDegrees; }, 0.0},
      {"joint_order of shoulder_lift_joint, elbow_joint",
       [](ArmColumns& log) { log.tau.col(1).swap(log.tau.col(2)); }, 0.0},
      {"sign of shoulder_lift_joint", [](ArmColumns& log) { log.q.col(1) *= -1.0; }, 0.0},
      {"sign of all joints", [](ArmColumns& log) { log.tau *= -1.0; }, 0.0},
      {"sign of shoulder_lift_joint, elbow_joint",
       [](ArmColumns& log) { log.tau.rightCols(2) *= -1.0; }, 0.0},
      // That of the last joint turns the last link: other parameters explain it as well.
      {"position_offset of shoulder_lift_joint",
       [](ArmColumns& log) { log.q.col(1).array() -= 0.35; }, 0.35 * kInDegrees},
      {"torque_scale of elbow_joint", [](ArmColumns& log) { log.tau.col(2) /= 2.0; }, 2.0},
      {"torque_scale of all joints", [](ArmColumns& log) { log.tau /= 10.0; }, 10.0},
      {"torque_scale of all joints", [](ArmColumns& log) { log.tau *= 1000.0; }, 0.001},  // mN·m
      {"torque_is_current of all joints",
       [](ArmColumns& log) { log.tau *= Eigen::Vector3d(1.0 / 12, 1.0 / 9, 1.0 / 4).asDiagonal(); },
       0.0},
      {"clock", [](ArmColumns& log) { log.time_s *= 4.0; }, 0.25},  // 50 Hz were told, not 200
      {"clock", [](ArmColumns& log) { log.time_s /= 2.0; }, 2.0},
      {"torque_delay",
       [](ArmColumns& log) {
         log.tau.bottomRows(kArmRows - 3) = Eigen::MatrixXd(log.tau.topRows(kArmRows - 3));
       },
       3.0 * kArmStep}};
  for (const Mistake& mistake : mistakes) {
    CAPTURE(std::string(mistake.told));
    ArmColumns log = RecordArm();
    mistake.plant(log);
    const std::vector<LabFinding> findings = ArmFindings(log);
    CHECK(ToldChecks(findings) == std::string(mistake.told));
    if (findings.empty() || mistake.value == 0.0) continue;
    const bool common = mistake.value == 10.0 ||
                        mistake.value == 0.001;  // by the file's masses, which are 20 % off
    CHECK(findings.front().value == doctest::Approx(mistake.value).epsilon(common ? 0.3 : 0.06));
    CHECK(findings.front().evidence.find(" t = 999") == std::string::npos);
    CHECK(findings.front().evidence != "");
    CHECK(findings.front().cure != "");
  }
}

TEST_CASE("lab checks: where the file's bodies are guesses, their size tells nothing") {
  const auto told = [](double factor) {
    ArmColumns columns = RecordArm();
    columns.tau *= factor;
    LabLog log = ArmLog(columns);
    log.guessed = true;
    return ToldChecks(CheckLab(log));
  };
  CHECK(told(0.1) == "");                     // a unit, or lighter bodies
  CHECK(told(-1.0) == "sign of all joints");  // friction would create power
  LabLog loaded = ArmLog(RecordArm({.tool_kg = 10.0}));
  loaded.guessed = true;
  CHECK(ToldChecks(CheckLab(loaded)) == "");
}

TEST_CASE("lab checks: another mounting and a load are told") {
  const Eigen::Vector3d down = LabArm().model.gravity();
  const std::vector<LabFinding> ceiling = ArmFindings(RecordArm({.gravity = -down}));
  REQUIRE(ToldChecks(ceiling) == "gravity_direction");
  CHECK(ceiling.front().value == doctest::Approx(180.0));
  CHECK(ToldChecks(ArmFindings(RecordArm({.tool_kg = 10.0}))) == "missing_tool");

  const std::vector<LabFinding> none = ArmFindings(RecordArm({.gravity = Eigen::Vector3d::Zero()}));
  REQUIRE(ToldChecks(none) == "gravity_direction");
  CHECK(none.front().cure.starts_with("the torques seem to hold no gravity"));
}

TEST_CASE("lab checks: torques of another motion are told, and nothing that follows from them") {
  ArmColumns log = RecordArm();
  log.tau = log.tau.colwise().reverse().eval();
  const std::vector<LabFinding> findings = ArmFindings(log);
  REQUIRE(ToldChecks(findings) == "nothing_fits");
  CHECK(findings.front().evidence.find("% of what the torques") != std::string::npos);
}

TEST_CASE("lab checks: drift and friction of another shape are told of their joint") {
  ArmColumns drifts = RecordArm();
  const double rms = std::sqrt(drifts.tau.col(1).squaredNorm() / kArmRows);
  drifts.tau.col(1) += 0.5 * rms * drifts.time_s / drifts.time_s.tail(1)[0];
  CHECK(ToldChecks(ArmFindings(drifts)) == "drift of shoulder_lift_joint");

  ArmColumns shaped = RecordArm();
  for (Eigen::Index i = 1; i + 1 < kArmRows; ++i) {
    const double qd = (shaped.q(i + 1, 2) - shaped.q(i - 1, 2)) / (2.0 * kArmStep);
    shaped.tau(i, 2) += 8.0 * qd * std::abs(qd);
  }
  CHECK(ToldChecks(ArmFindings(shaped)) == "friction_shape of elbow_joint");
}

TEST_CASE(
    "lab checks: a robot that stands still, and a log too short to fit, are told or passed over") {
  ArmColumns still = RecordArm();
  still.q.rowwise() = Eigen::RowVectorXd(still.q.row(0));
  still.tau.rowwise() = Eigen::RowVectorXd(still.tau.row(0));
  CHECK(ToldChecks(ArmFindings(still)).find("standing_still") != std::string::npos);

  ArmColumns frozen = RecordArm();
  frozen.q.col(1).setConstant(0.3);
  CHECK(ToldChecks(ArmFindings(frozen)).find("standing_still of shoulder_lift_joint") !=
        std::string::npos);

  ArmColumns shortest = RecordArm();
  constexpr Eigen::Index kFew = 60;
  shortest = {shortest.time_s.head(kFew), shortest.q.topRows(kFew), shortest.tau.topRows(kFew)};
  CHECK(ToldChecks(ArmFindings(shortest)) == "");
  CHECK(CanFit(ArmLog(RecordArm())));
  CHECK_FALSE(CanFit(ArmLog(shortest)));
}

TEST_CASE("lab checks: keys are those that checks.json may hold, each once") {
  std::set<std::string_view> keys;
  for (const LabCheck& check : LabChecks()) keys.insert(check.key);
  CHECK(keys.size() == LabChecks().size());
  CHECK(keys.size() == 27);
}

}  // namespace
}  // namespace idbench
