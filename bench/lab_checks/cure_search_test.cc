#include "bench/lab_checks/cure_search.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "bench/lab_checks/common_scale.h"
#include "bench/lab_checks/load_of_file.h"
#include "bench/lab_checks/recorded_arm_test.h"

namespace idbench {
namespace {

CureSearch SearchOf(const ArmColumns& columns, const std::vector<CuresOf>& kinds,
                    const Robot& robot = LabArm()) {
  const LabLog log = ArmLog(columns);
  const LabRows rows(log.processed, 1000);
  LabFit fit(robot, rows, false);
  return SearchCures(fit, fit, kinds);
}

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

TEST_CASE("lab checks: of a joint that carries friction alone, friction tells the sign") {
  ArmColumns log = RecordArm({.last_link = 1e-3});
  CHECK(ToldChecks(ArmFindings(log)).find("sign") == std::string::npos);
  const auto sign_in = [](const ArmColumns& columns) {
    const std::vector<LabFinding> findings = ArmFindings(columns);
    const auto found = std::ranges::find(findings, "sign", &LabFinding::check);
    return found == findings.end() ? LabFinding() : *found;
  };
  ArmColumns turned = log;
  turned.tau.col(2) *= -1.0;
  LabFinding found = sign_in(turned);
  CHECK(found.joint == "elbow_joint");
  CHECK(found.evidence.starts_with("friction of elbow_joint would create power"));
  REQUIRE(found.rivals.size() == 1);
  CHECK(found.rivals.front().joint == "elbow_joint");

  // Signs of other joints have no rivals that would make this one create power.
  turned = log;
  turned.tau.col(1) *= -1.0;
  found = sign_in(turned);
  CHECK(found.joint == "shoulder_lift_joint");
  for (const LabFinding& rival : found.rivals) {
    CAPTURE(rival.evidence);
    CHECK(rival.evidence.find("with the torques of shoulder_lift_joint, elbow") ==
          std::string::npos);
  }
}

/// Part of the way, in logarithms or angles, that a step of the searches below goes.
constexpr double kPart = 0.7;

std::vector<Cure> ShortScales(const DataChange& now, LabFit& fit) {
  std::vector<Cure> cures = TorqueScaleCures(now, fit);
  for (Cure& cure : cures) {
    const double left = std::pow(cure.value, kPart - 1.0);
    cure.change.torque_scale[cure.columns[0]] *= left;
    cure.count(cure, {.check = "", .columns = {}, .change = now, .value = left});
    cure.refine = [step = cure](LabFit&) { return step; };
  }
  return cures;
}

std::vector<Cure> PartsOfOffsets(double part, const DataChange& now, LabFit& fit) {
  std::vector<Cure> cures = PositionOffsetCures(now, fit);
  std::erase_if(cures, [](const Cure& cure) { return !cure.refine; });
  for (Cure& cure : cures) {
    const double left = (part - 1.0) * cure.value;
    cure.change.position_offset[cure.columns[0]] += left * std::numbers::pi / 180.0;
    cure.count(cure, {.check = "", .columns = {}, .change = now, .value = left});
    cure.refine = [step = cure](LabFit&) { return step; };
  }
  return cures;
}

std::vector<Cure> ShortOffsets(const DataChange& now, LabFit& fit) {
  return PartsOfOffsets(kPart, now, fit);
}

/// What they leave is too little for another step.
std::vector<Cure> HastyOffsets(const DataChange& now, LabFit& fit) {
  return PartsOfOffsets(0.98, now, fit);
}

/// Their second search goes astray.
std::vector<Cure> LostOffsets(const DataChange& now, LabFit& fit) {
  std::vector<Cure> cures = HastyOffsets(now, fit);
  for (Cure& cure : cures) {
    cure.anew = [step = cure](const DataChange& all, LabFit&) {
      Cure lost = step;
      lost.change = all;
      lost.change.position_offset[lost.columns[0]] += 0.2;
      return lost;
    };
    cure.refine = [step = cure](LabFit&) { return step; };
  }
  return cures;
}

std::vector<Cure> ShortClocks(const DataChange& now, LabFit& fit) {
  std::vector<Cure> cures = ClockCures(now, fit);
  for (Cure& cure : cures) {
    double& speed = cure.change.clock_speed;
    speed = now.clock_speed * std::pow(speed / now.clock_speed, kPart);
    cure.value = 1.0 / speed;
    cure.refine = [step = cure](LabFit&) { return step; };
  }
  return cures;
}

TEST_CASE("lab checks: factors and offsets that are found in steps are told as one") {
  ArmColumns scaled = RecordArm();
  scaled.tau.col(1) *= 4.0;
  CureSearch search = SearchOf(scaled, {&ShortScales});
  REQUIRE(search.found.size() == 1);
  const Cure& scale = search.found.front().cure;
  CHECK(scale.value < 0.3);  // of one step: 0.38
  CHECK(scale.value == doctest::Approx(search.change.torque_scale[1]));
  CHECK(scale.does ==
        fmt::format("with the torques of shoulder_lift_joint times {:.3g}", scale.value));
  CHECK(scale.advice.ends_with(fmt::format("a factor of {:.3g}", scale.value)));
  CHECK(search.found.front().evidence.find("; then, ") != std::string::npos);

  ArmColumns shifted = RecordArm();
  shifted.q.col(1).array() -= 0.6;
  search = SearchOf(shifted, {&ShortOffsets});
  REQUIRE(search.found.size() == 1);
  const Cure& offset = search.found.front().cure;
  const double radians = search.change.position_offset[1];
  CHECK(radians > 0.5);  // of one step: 0.42
  CHECK(offset.value == doctest::Approx(radians * 180.0 / std::numbers::pi));
  CHECK(offset.advice.starts_with(fmt::format("add {:.4g} rad", radians)));
}

TEST_CASE("lab checks: numbers are found anew with all that was found beside them") {
  // Mounted on a wall, as its file says: the first joint's zero shows as well.
  const Eigen::Vector3d gravity(LabArm().model.gravity().norm(), 0.0, 0.0);
  ArmColumns columns = RecordArm({.gravity = gravity});
  columns.q.col(0).array() -= 0.9;
  columns.q.col(1).array() += 0.5;
  Robot on_wall = LabArm();
  on_wall.model = UnderGravity(on_wall.model, gravity);
  const CureSearch search = SearchOf(columns, {&HastyOffsets}, on_wall);
  REQUIRE(search.found.size() == 2);
  // epsilon counts of 1 + |x|: 0.0095 and 0.0075 rad, less than the 2 % that HastyOffsets leave.
  CHECK(search.change.position_offset[0] == doctest::Approx(0.9).epsilon(0.005));
  CHECK(search.change.position_offset[1] == doctest::Approx(-0.5).epsilon(0.005));
  for (const FoundCure& found : search.found) {
    const double radians = search.change.position_offset[found.cure.columns.front()];
    CHECK(found.cure.value == doctest::Approx(radians * 180.0 / std::numbers::pi));
    CHECK(found.evidence.find("; with all changes that are told here, with ") != std::string::npos);
  }
}

TEST_CASE("lab checks: a number found anew is taken only if the loss is less") {
  ArmColumns columns = RecordArm();
  columns.q.col(1).array() -= 0.9;
  columns.tau.col(2) *= 3.0;
  const CureSearch search = SearchOf(columns, {&LostOffsets, &TorqueScaleCures});
  REQUIRE(search.found.size() == 2);
  // Within 0.0075 rad of what the first search left; the best offset is 0.018 rad from there.
  CHECK(search.change.position_offset[1] == doctest::Approx(0.98 * 0.9).epsilon(0.004));
}

/// A quarter turn at once, then the tilt that is left.
std::vector<Cure> QuarterThenTilt(const DataChange& now, LabFit& fit) {
  std::vector<Cure> cures = GravityDirectionCures(now, fit);
  const bool turned = (now.gravity - LabArm().model.gravity()).norm() > 1.0;
  std::erase_if(cures, [&](const Cure& cure) { return (cure.refine != nullptr) != turned; });
  return cures;
}

TEST_CASE("lab checks: a mounting that is found in steps is told from the file's gravity") {
  const double tilt = 10.0 * std::numbers::pi / 180.0;
  const double g = LabArm().model.gravity().norm();
  const CureSearch search =
      SearchOf(RecordArm({.gravity = g * Eigen::Vector3d(std::sin(tilt), 0.0, std::cos(tilt))}),
               {&QuarterThenTilt});
  REQUIRE(search.found.size() == 1);
  CHECK(search.found.front().evidence.find("; then, ") != std::string::npos);
  CHECK(search.found.front().cure.value == doctest::Approx(170.0).epsilon(0.01));
}

TEST_CASE("lab checks: clocks that are found in steps are told as one") {
  ArmColumns slow = RecordArm();
  slow.time_s *= 4.0;
  const CureSearch search = SearchOf(slow, {&ShortClocks});
  REQUIRE(search.found.size() == 1);
  CHECK(search.change.clock_speed > 3.0);  // of one step: 2.6
  CHECK(search.found.front().cure.value == doctest::Approx(1.0 / search.change.clock_speed));
}

TEST_CASE("lab checks: a clock by the file comes before what the wrong clock makes of a log") {
  ArmColumns log = RecordArm({.pace = 0.5, .reach = 0.03});
  log.time_s *= 4.0;
  log.tau.col(1) *= -1.0;
  const std::vector<LabFinding> findings = ArmFindings(log);
  CHECK(ToldChecks(findings) == "clock; poor_excitation; sign of shoulder_lift_joint");
}

}  // namespace
}  // namespace idbench
