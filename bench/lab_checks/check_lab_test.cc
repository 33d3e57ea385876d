#include "bench/lab_checks/check_lab.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <random>
#include <set>

#include "bench/lab_checks/common_scale.h"
#include "bench/lab_checks/load_of_file.h"
#include "robots/dynamics/dynamics.h"
#include "robots/recording/channels.h"
#include "robots/robot.h"
#include "robots/robot_file.h"

namespace idbench {
namespace {

constexpr Eigen::Index kRows = 3000;
constexpr double kStep = 0.005;

/// The first three joints of a UR10.
const Robot& Arm() {
  static const Robot arm = [] {
    RobotPart part;
    part.joints.patterns = {"shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint"};
    return LoadRobot("ur10", part);
  }();
  return arm;
}

/// What a lab records.
struct Columns {
  Eigen::VectorXd time_s;
  Eigen::MatrixXd q, tau;
};

struct Circumstances {
  Eigen::Vector3d gravity = Arm().model.gravity();
  double tool_kg = 0.0;
  double pace = 1.0;   ///< Of the motion.
  double reach = 1.0;  ///< Part of their motion that all joints but the first make.
};

/// 15 s of an arm whose links are 20 % heavier or lighter than the file says, with friction, white
/// noise of 1 % of the torques and of 0.03 mrad.
Columns Recorded(const Circumstances& of = {}) {
  const Robot& arm = Arm();
  const RobotModel model = UnderGravity(arm.model, of.gravity);
  const Dynamics dynamics(model);
  const ParameterLayout layout(model);
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(layout.size());
  pi.head(layout.links_size()) = arm.FindSet("")->pi.head(layout.links_size());
  for (int i = 0; i < 3; ++i) {
    pi.segment<kInertialCount>(layout.Body(i)) *= i % 2 == 0 ? 1.2 : 0.8;
    pi[layout.Joint(i, JointParameter::kViscous)] = 8.0;
    pi[layout.Joint(i, JointParameter::kCoulomb)] = 6.0;
  }
  const Eigen::Vector3d at(0.5, 0.0, 0.1);  // of the tool, in the last link's frame
  pi[layout.Body(2)] += of.tool_kg;
  pi.segment<3>(layout.Body(2) + 1) += of.tool_kg * at;
  pi[layout.Body(2) + 4] += of.tool_kg * (at[1] * at[1] + at[2] * at[2]);
  Eigen::MatrixXd q(kRows, 3), qd(kRows, 3), qdd(kRows, 3), tau(kRows, 3);
  Eigen::VectorXd time_s(kRows);
  for (Eigen::Index i = 0; i < kRows; ++i) {
    const double t = time_s[i] = kStep * static_cast<double>(i);
    for (int j = 0; j < 3; ++j) {
      const double a = of.pace * 1.3 * (1.0 + 0.37 * j), b = of.pace * 3.1 * (1.0 - 0.2 * j);
      const double c = j == 0 ? 1.0 : of.reach;
      q(i, j) = 0.3 * j + c * (0.8 * std::sin(a * t) + 0.4 * std::cos(b * t));
      qd(i, j) = c * (0.8 * a * std::cos(a * t) - 0.4 * b * std::sin(b * t));
      qdd(i, j) = -c * (0.8 * a * a * std::sin(a * t) + 0.4 * b * b * std::cos(b * t));
    }
  }
  Dynamics::Scratch scratch(dynamics);
  dynamics.InverseDynamics(pi, {q, qd, qdd}, scratch, tau);
  std::mt19937_64 generator(1);
  const auto noise = [&generator] {
    double sum = -6.0;  // of twelve uniform numbers: variance 1
    for (int k = 0; k < 12; ++k) sum += std::ldexp(static_cast<double>(generator() >> 11), -53);
    return sum;
  };
  for (Eigen::Index j = 0; j < 3; ++j) {
    const double sigma = 0.01 * std::sqrt(tau.col(j).squaredNorm() / kRows);
    for (double& each : tau.col(j)) each += sigma * noise();
    for (double& each : q.col(j)) each += 3e-5 * noise();
  }
  return {time_s, q, tau};
}

LabLog LogOf(const Columns& columns, const StampCount& stamps = {}) {
  LabLog log{.robot = Arm(), .stamps = stamps};
  std::vector<Channel> channels = {
      {std::string(kJointPosition), "rad", columns.time_s, columns.q, {}},
      {std::string(kJointTorque), "N·m", columns.time_s, columns.tau, {}}};
  constexpr double kGapSteps = 10.0;
  Segments segments = SplitAtBreaks(std::move(channels), kGapSteps);
  log.breaks = segments.breaks;
  for (std::vector<Channel>& part : segments.parts) {
    Dataset& dataset = log.recorded.emplace_back("log", Role::kIdentification);
    for (Channel& channel : part) dataset.Add(std::move(channel));
  }
  log.processed = ProcessedForChecks(log.recorded);
  return log;
}

std::vector<LabFinding> Findings(const Columns& columns, const StampCount& stamps = {}) {
  return CheckLab(LogOf(columns, stamps));
}

/// "check of joint", of each finding, in order of the letters; "check" of the whole log.
std::string Told(const std::vector<LabFinding>& findings) {
  std::set<std::string> told;
  for (const LabFinding& finding : findings) {
    told.insert(finding.joint.empty() ? finding.check : finding.check + " of " + finding.joint);
  }
  return fmt::format("{}", fmt::join(told, "; "));
}

TEST_CASE("lab checks: nothing is told of a sound log") { CHECK(Told(Findings(Recorded())) == ""); }

TEST_CASE("lab checks: what a change of the data undoes is told of its joints, and alone") {
  struct Mistake {
    const char* told;
    std::function<void(Columns&)> plant;
    double value;  ///< Of the cure; 0 if it has none.
  };
  constexpr double kInDegrees = 180.0 / std::numbers::pi;
  const std::vector<Mistake> mistakes = {
      {"degrees of all joints", [&](Columns& log) { log.q *= kInDegrees; }, 0.0},
      {"degrees of elbow_joint", [&](Columns& log) { log.q.col(2) *= kInDegrees; }, 0.0},
      {"joint_order of shoulder_lift_joint, elbow_joint",
       [](Columns& log) { log.tau.col(1).swap(log.tau.col(2)); }, 0.0},
      {"sign of shoulder_lift_joint", [](Columns& log) { log.q.col(1) *= -1.0; }, 0.0},
      {"sign of all joints", [](Columns& log) { log.tau *= -1.0; }, 0.0},
      {"sign of shoulder_lift_joint, elbow_joint",
       [](Columns& log) { log.tau.rightCols(2) *= -1.0; }, 0.0},
      // That of the last joint turns the last link: other parameters explain it as well.
      {"position_offset of shoulder_lift_joint", [](Columns& log) { log.q.col(1).array() -= 0.35; },
       0.35 * kInDegrees},
      {"torque_scale of elbow_joint", [](Columns& log) { log.tau.col(2) /= 2.0; }, 2.0},
      {"torque_scale of all joints", [](Columns& log) { log.tau /= 10.0; }, 10.0},
      {"torque_scale of all joints", [](Columns& log) { log.tau *= 1000.0; }, 0.001},  // mN·m
      {"torque_is_current of all joints",
       [](Columns& log) { log.tau *= Eigen::Vector3d(1.0 / 12, 1.0 / 9, 1.0 / 4).asDiagonal(); },
       0.0},
      {"clock", [](Columns& log) { log.time_s *= 4.0; }, 0.25},  // 50 Hz were told, not 200
      {"clock", [](Columns& log) { log.time_s /= 2.0; }, 2.0},
      {"torque_delay",
       [](Columns& log) {
         log.tau.bottomRows(kRows - 3) = Eigen::MatrixXd(log.tau.topRows(kRows - 3));
       },
       3.0 * kStep}};
  for (const Mistake& mistake : mistakes) {
    CAPTURE(std::string(mistake.told));
    Columns log = Recorded();
    mistake.plant(log);
    const std::vector<LabFinding> findings = Findings(log);
    CHECK(Told(findings) == std::string(mistake.told));
    if (findings.empty() || mistake.value == 0.0) continue;
    const bool common = mistake.value == 10.0 ||
                        mistake.value == 0.001;  // by the file's masses, which are 20 % off
    CHECK(findings.front().value == doctest::Approx(mistake.value).epsilon(common ? 0.3 : 0.06));
    CHECK(findings.front().evidence.find(" t = 999") == std::string::npos);
    CHECK(findings.front().evidence != "");
    CHECK(findings.front().cure != "");
  }
}

TEST_CASE("lab checks: of motions too slow for the structure, the file's inertias tell the clock") {
  // Gravity hardly changes: only the inertia about a vertical axis shows, which the file knows.
  Columns log = Recorded({.pace = 0.5, .reach = 0.03});
  const auto of_clock = [](const std::vector<LabFinding>& findings) {
    const auto found = std::ranges::find(findings, "clock", &LabFinding::check);
    return found == findings.end() ? LabFinding() : *found;
  };
  CHECK(of_clock(Findings(log)).check == "");
  log.time_s *= 4.0;
  const LabFinding found = of_clock(Findings(log));
  REQUIRE(found.check == "clock");
  CHECK(found.value == doctest::Approx(0.25).epsilon(0.3));
  CHECK(found.evidence.ends_with("and no better than they are known"));

  LabLog guessed = LogOf(log);
  guessed.guessed = true;
  CHECK(of_clock(CheckLab(guessed)).check == "");
}

TEST_CASE("lab checks: a clock's factor counts what was found behind it") {
  Columns log = Recorded();
  log.time_s /= 2.0;
  log.tau.col(0) *= 1.3;
  const std::vector<LabFinding> findings = Findings(log);
  REQUIRE(Told(findings) == "clock; torque_scale of shoulder_pan_joint");
  const auto clock = std::ranges::find(findings, "clock", &LabFinding::check);
  CHECK(clock->value == doctest::Approx(2.0).epsilon(0.003));
  CHECK(clock->evidence.find("; with all changes that are told here, with time stamps times 2") !=
        std::string::npos);
}

TEST_CASE("lab checks: no factor of torques is told of speeds beyond the file's limits") {
  Columns log = Recorded();
  log.time_s /= 2.0;
  log.tau.col(2) *= -1.0;
  CHECK(Told(Findings(log)) == "too_fast of all joints");
}

TEST_CASE("lab checks: a load and a factor of all torques are told from one another") {
  const auto likelier = [](const Columns& columns, double factor) -> std::string {
    const LabLog log = LogOf(columns);
    const LabRows rows(log.processed, 1000);
    LabFit fit(log.robot, rows, false);
    const DataChange none = DataChange::None(log.robot.model);
    return FindLoad(fit, none).with > FindLoad(fit, none, factor).without ? "load" : "factor";
  };
  CHECK(likelier(Recorded({.tool_kg = 10.0}), 2.0) == "load");
  Columns scaled = Recorded();
  scaled.tau *= 3.0;
  CHECK(likelier(scaled, 3.0) == "factor");
}

TEST_CASE("lab checks: the file tells the factor of a column of torques, but for its own errors") {
  Columns log = Recorded();
  log.tau.col(2) /= 8.0;
  const LabLog lab = LogOf(log);
  const LabRows rows(lab.processed, 1000);
  const auto factors = FactorsOfFile(lab.robot, rows, DataChange::None(lab.robot.model));
  REQUIRE(factors.has_value());
  // Links are 20 % off.
  CHECK((*factors)[1] == doctest::Approx(1.0).epsilon(0.3));
  CHECK((*factors)[2] == doctest::Approx(8.0).epsilon(0.3));
}

TEST_CASE("lab checks: where the file's bodies are guesses, their size tells nothing") {
  const auto told = [](double factor) {
    Columns columns = Recorded();
    columns.tau *= factor;
    LabLog log = LogOf(columns);
    log.guessed = true;
    return Told(CheckLab(log));
  };
  CHECK(told(0.1) == "");                     // a unit, or lighter bodies
  CHECK(told(-1.0) == "sign of all joints");  // friction would create power
  LabLog loaded = LogOf(Recorded({.tool_kg = 10.0}));
  loaded.guessed = true;
  CHECK(Told(CheckLab(loaded)) == "");
}

TEST_CASE("lab checks: another mounting and a load are told") {
  const Eigen::Vector3d down = Arm().model.gravity();
  const std::vector<LabFinding> ceiling = Findings(Recorded({.gravity = -down}));
  REQUIRE(Told(ceiling) == "gravity_direction");
  CHECK(ceiling.front().value == doctest::Approx(180.0));
  CHECK(Told(Findings(Recorded({.tool_kg = 10.0}))) == "missing_tool");
}

TEST_CASE("lab checks: torques of another motion are told, and nothing that follows from them") {
  Columns log = Recorded();
  log.tau = log.tau.colwise().reverse().eval();
  const std::vector<LabFinding> findings = Findings(log);
  REQUIRE(Told(findings) == "nothing_fits");
  CHECK(findings.front().evidence.find("% of what the torques") != std::string::npos);
}

TEST_CASE("lab checks: what is seen in the samples alone is told") {
  Columns saturated = Recorded();
  const double limit = 0.6 * saturated.tau.col(1).cwiseAbs().maxCoeff();
  saturated.tau.col(1) = saturated.tau.col(1).cwiseMin(limit).cwiseMax(-limit);
  CHECK(Told(Findings(saturated)).find("saturation of shoulder_lift_joint") != std::string::npos);

  // What is cut off wants a factor, which is not told.
  Columns cut = Recorded();
  const double end = 0.3 * cut.tau.col(1).minCoeff();
  cut.tau.col(1) = cut.tau.col(1).cwiseMax(end);
  CHECK(Told(Findings(cut)) == "saturation of shoulder_lift_joint");

  Columns stepped = Recorded();  // in which the torque mostly is at ±1, and no sensor at its end
  stepped.tau.col(2) = stepped.tau.col(2).cwiseSign();
  stepped.tau.col(2).segment(100, 5).setZero();
  CHECK(Told(Findings(stepped)).find("saturation") == std::string::npos);

  Columns coarse = Recorded();
  const double step = 0.2 * std::sqrt(coarse.tau.col(2).squaredNorm() / kRows);
  coarse.tau.col(2) = step * (coarse.tau.col(2) / step).array().round();
  CHECK(Told(Findings(coarse)) == "quantised of elbow_joint");

  // The joint passes over several steps of its encoder from sample to sample; one step is fine.
  Columns encoder = Recorded();
  constexpr double kResolution = 2e-4;
  encoder.q = kResolution * (encoder.q / kResolution).array().round();
  CHECK(Told(Findings(encoder)).find("quantised") == std::string::npos);
  Columns rough = Recorded();
  rough.q.col(1) = 0.01 * (rough.q.col(1) / 0.01).array().round();
  const std::vector<LabFinding> steps = Findings(rough);
  REQUIRE(Told(steps).find("quantised of shoulder_lift_joint") != std::string::npos);
  const auto of_steps = std::ranges::find(steps, "quantised", &LabFinding::check);
  CHECK(of_steps->evidence.find("in steps of 0.01 rad") != std::string::npos);

  Columns gap = Recorded();
  gap.time_s.tail(kRows / 2).array() += 2.0;
  CHECK(Told(Findings(gap)).find("gaps") != std::string::npos);

  CHECK(Told(Findings(Recorded(), {kRows + 10, 10})) == "repeated_stamps");

  Columns late = Recorded();
  for (Eigen::Index i = 0; i < kRows; ++i) {
    late.time_s[i] += 0.2 * kStep * std::sin(37.0 * static_cast<double>(i));
  }
  const std::vector<LabFinding> jitter = Findings(late);
  const auto of_jitter = std::ranges::find(jitter, "jittered_stamps", &LabFinding::check);
  REQUIRE(of_jitter != jitter.end());
  CHECK(of_jitter->cure.find("--rate 200,") != std::string::npos);
}

TEST_CASE("lab checks: torques that never change and positions that jump are told alone") {
  for (const double value : {0.0, -3.5}) {
    Columns dead = Recorded();
    dead.tau.col(2).setConstant(value);
    CHECK(Told(Findings(dead)) == "dead_torque of elbow_joint");
    CHECK_FALSE(CanFit(LogOf(dead)));
  }

  Columns wrapped = Recorded();
  const double turn = 2.0 * std::numbers::pi;
  for (double& q : wrapped.q.col(1)) q = std::remainder(q + 3.0, turn);
  std::vector<LabFinding> findings = Findings(wrapped);
  REQUIRE(Told(findings) == "position_jumps of shoulder_lift_joint");
  CHECK(findings.front().cure.find("unwrap it") != std::string::npos);

  Columns glitch = Recorded();
  glitch.q(kRows / 2, 0) += 0.4;
  findings = Findings(glitch);
  REQUIRE(Told(findings) == "position_jumps of shoulder_pan_joint");
  CHECK(findings.front().evidence.starts_with("2 times its position changes by up to 0.4"));
  CHECK(findings.front().cure.find("unwrap") == std::string::npos);

  // A joint that rests but for one fast move, of 20 samples.
  Columns once = Recorded();
  for (Eigen::Index i = 0; i < kRows; ++i) {
    const double part =
        std::clamp((static_cast<double>(i) - 0.5 * static_cast<double>(kRows)) / 20.0, 0.0, 1.0);
    once.q(i, 2) = 0.5 * (1.0 - std::cos(std::numbers::pi * part)) +
                   1e-5 * std::sin(7.0 * static_cast<double>(i));
  }
  CHECK(Told(Findings(once)).find("position_jumps") == std::string::npos);

  Columns spiked = Recorded();
  spiked.tau(kRows / 3, 1) += 400.0;
  CHECK(Told(Findings(spiked)) == "torque_spikes of shoulder_lift_joint");
}

TEST_CASE(
    "lab checks: a rate below ten samples a period is told, and nothing that follows from it") {
  // Sines of 0.5 Hz at most: 6.8 samples in a period of the fastest one, and 20.
  for (const auto& [step, told] : {std::pair{60, "low_rate"}, {20, ""}}) {
    CAPTURE(step);
    const Columns all = Recorded();
    std::vector<Eigen::Index> rows;
    for (Eigen::Index i = 0; i < kRows; i += step) rows.push_back(i);
    CHECK(Told(Findings({all.time_s(rows), all.q(rows, Eigen::all), all.tau(rows, Eigen::all)})) ==
          std::string(told));
  }
}

TEST_CASE("lab checks: velocities that are a multiple of dq/dt are told of all joints at once") {
  const Columns columns = Recorded();
  for (const double factor : {1.0, 5.0}) {
    LabLog log = LogOf(columns);
    Eigen::MatrixXd velocities(kRows, 3);
    for (Eigen::Index i = 0; i < kRows; ++i) {
      const Eigen::Index before = std::max<Eigen::Index>(i - 1, 0);
      const Eigen::Index after = std::min<Eigen::Index>(i + 1, kRows - 1);
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
  Columns hurried = Recorded();
  hurried.time_s /= 4.0;
  const std::vector<LabFinding> findings = Findings(hurried);
  const auto found = std::ranges::find(findings, "too_fast", &LabFinding::check);
  REQUIRE(found != findings.end());
  CHECK(found->joint == "all joints");
  CHECK(found->cure.starts_with("check the unit of the time stamps"));
}

TEST_CASE("lab checks: drift and friction of another shape are told of their joint") {
  Columns drifts = Recorded();
  const double rms = std::sqrt(drifts.tau.col(1).squaredNorm() / kRows);
  drifts.tau.col(1) += 0.5 * rms * drifts.time_s / drifts.time_s.tail(1)[0];
  CHECK(Told(Findings(drifts)) == "drift of shoulder_lift_joint");

  Columns shaped = Recorded();
  for (Eigen::Index i = 1; i + 1 < kRows; ++i) {
    const double qd = (shaped.q(i + 1, 2) - shaped.q(i - 1, 2)) / (2.0 * kStep);
    shaped.tau(i, 2) += 8.0 * qd * std::abs(qd);
  }
  CHECK(Told(Findings(shaped)) == "friction_shape of elbow_joint");
}

TEST_CASE(
    "lab checks: a robot that stands still, and a log too short to fit, are told or passed over") {
  Columns still = Recorded();
  still.q.rowwise() = Eigen::RowVectorXd(still.q.row(0));
  still.tau.rowwise() = Eigen::RowVectorXd(still.tau.row(0));
  CHECK(Told(Findings(still)).find("standing_still") != std::string::npos);

  Columns frozen = Recorded();
  frozen.q.col(1).setConstant(0.3);
  CHECK(Told(Findings(frozen)).find("standing_still of shoulder_lift_joint") != std::string::npos);

  Columns shortest = Recorded();
  constexpr Eigen::Index kFew = 60;
  shortest = {shortest.time_s.head(kFew), shortest.q.topRows(kFew), shortest.tau.topRows(kFew)};
  CHECK(Told(Findings(shortest)) == "");
  CHECK(CanFit(LogOf(Recorded())));
  CHECK_FALSE(CanFit(LogOf(shortest)));
}

TEST_CASE("lab checks: no swap of positions with a column that never moves is tried") {
  for (const bool moves : {true, false}) {
    Columns columns = Recorded();
    if (!moves) columns.q.col(1).setConstant(0.3);
    const LabLog log = LogOf(columns);
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

TEST_CASE("lab checks: keys are those that checks.json may hold, each once") {
  std::set<std::string_view> keys;
  for (const LabCheck& check : LabChecks()) keys.insert(check.key);
  CHECK(keys.size() == LabChecks().size());
  CHECK(keys.size() == 27);
}

}  // namespace
}  // namespace idbench
