#include "bench/lab_checks/cure_search.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/lab_checks/common_scale.h"
#include "bench/lab_checks/load_of_file.h"
#include "bench/lab_checks/recorded_arm_test.h"

namespace idbench {
namespace {

TEST_CASE("lab checks: of motions too slow for the structure, the file's inertias tell the clock") {
  // Gravity hardly changes: only the inertia about a vertical axis shows, which the file knows.
  ArmColumns log = RecordArm({.pace = 0.5, .reach = 0.03});
  const auto of_clock = [](const std::vector<LabFinding>& findings) {
    const auto found = std::ranges::find(findings, "clock", &LabFinding::check);
    return found == findings.end() ? LabFinding() : *found;
  };
  CHECK(of_clock(ArmFindings(log)).check == "");
  log.time_s *= 4.0;
  const LabFinding found = of_clock(ArmFindings(log));
  REQUIRE(found.check == "clock");
  CHECK(found.value == doctest::Approx(0.25).epsilon(0.3));
  CHECK(found.evidence.ends_with("and no better than they are known"));

  LabLog guessed = ArmLog(log);
  guessed.guessed = true;
  CHECK(of_clock(CheckLab(guessed)).check == "");
}

TEST_CASE("lab checks: a clock's factor counts what was found behind it") {
  ArmColumns log = RecordArm();
  log.time_s /= 2.0;
  log.tau.col(0) *= 1.3;
  const std::vector<LabFinding> findings = ArmFindings(log);
  REQUIRE(ToldChecks(findings) == "clock; torque_scale of shoulder_pan_joint");
  const auto clock = std::ranges::find(findings, "clock", &LabFinding::check);
  CHECK(clock->value == doctest::Approx(2.0).epsilon(0.003));
  CHECK(clock->evidence.find("; with all changes that are told here, with time stamps times 2") !=
        std::string::npos);
}

TEST_CASE("lab checks: no factor of torques is told of speeds beyond the file's limits") {
  ArmColumns log = RecordArm();
  log.time_s /= 2.0;
  log.tau.col(2) *= -1.0;
  CHECK(ToldChecks(ArmFindings(log)) == "too_fast of all joints");
}

TEST_CASE("lab checks: a load and a factor of all torques are told from one another") {
  const auto likelier = [](const ArmColumns& columns, double factor) -> std::string {
    const LabLog log = ArmLog(columns);
    const LabRows rows(log.processed, 1000);
    LabFit fit(log.robot, rows, false);
    const DataChange none = DataChange::None(log.robot.model);
    return FindLoad(fit, none).with > FindLoad(fit, none, factor).without ? "load" : "factor";
  };
  CHECK(likelier(RecordArm({.tool_kg = 10.0}), 2.0) == "load");
  ArmColumns scaled = RecordArm();
  scaled.tau *= 3.0;
  CHECK(likelier(scaled, 3.0) == "factor");
}

TEST_CASE("lab checks: the file tells the factor of a column of torques, but for its own errors") {
  ArmColumns log = RecordArm();
  log.tau.col(2) /= 8.0;
  const LabLog lab = ArmLog(log);
  const LabRows rows(lab.processed, 1000);
  const auto factors = FactorsOfFile(lab.robot, rows, DataChange::None(lab.robot.model));
  REQUIRE(factors.has_value());
  // Links are 20 % off.
  CHECK((*factors)[1] == doctest::Approx(1.0).epsilon(0.3));
  CHECK((*factors)[2] == doctest::Approx(8.0).epsilon(0.3));
}

TEST_CASE("lab checks: no swap of positions with a column that never moves is tried") {
  for (const bool moves : {true, false}) {
    ArmColumns columns = RecordArm();
    if (!moves) columns.q.col(1).setConstant(0.3);
    const LabLog log = ArmLog(columns);
    const LabRows rows(log.processed, 700);
    LabFit fit(log.robot, rows, false);
    int swaps = 0, of_torques = 0;
    for (const Cure& cure : JointOrderCures(DataChange::None(log.robot.model), fit)) {
      if (cure.columns.size() != 2 || cure.columns[0] != 1) continue;
      (cure.change.position_of[1] != 1 ? swaps : of_torques) += 1;
    }
    CHECK(swaps == (moves ? 2 : 0));  // of positions, and of both
    CHECK(of_torques == 1);
  }
}

}  // namespace
}  // namespace idbench
