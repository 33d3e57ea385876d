#include "scenarios/motion/motions.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "robots/plant/plant_error.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/motion/limited_robot_test.h"
#include "scenarios/motion/trajectory/blended.h"
#include "scenarios/motion/trajectory/sequence.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

double Free(const Motion&) { return 1.0; }
/// Costs of as many parts as a motion here has at most.
const std::vector<PartDesign> kFree(4, PartDesign{.cost = Free});

FourierOptions Started(double blend_s) {
  FourierOptions options{.base_frequency_hz = 0.15, .duration_s = 13.0, .candidates = 5};
  options.start_q_rad = {{1.5, -0.2}};
  options.rest_s = 3.6;
  options.blend_s = blend_s;
  return options;
}

std::unique_ptr<Motion> Make(const MotionOptions& options) {
  return MakeMotion(options, ReadMotionTables(options, LimitedRobot()), LimitedRobot(), 1, 0,
                    kFree);
}

TEST_CASE("A Fourier motion with a start rests there, then joins the same motion without") {
  FourierOptions plain = Started(4.0);
  plain.start_q_rad.reset();
  plain.rest_s = plain.blend_s = 0.0;
  plain.candidates = 1;
  FourierOptions started = Started(4.0);
  started.candidates = 1;
  const std::unique_ptr<Motion> whole = Make(started);
  const std::unique_ptr<Motion> fourier = Make(plain);
  CHECK(whole->duration_s() == 13.0);
  JointState state = JointState::Zero(2);
  JointState expected = JointState::Zero(2);
  whole->Evaluate(3.0, state);
  CHECK(state.q == Eigen::Vector2d(1.5, -0.2));
  whole->Evaluate(9.0, state);
  fourier->Evaluate(9.0 - 3.6, expected);
  CHECK(state.q.isApprox(expected.q, 1e-14));
  CHECK(state.qdd == expected.qdd);
}

TEST_CASE("Limits hold in the blend, or the joint that breaks them is named") {
  const std::unique_ptr<Motion> gentle = Make(Started(9.0));
  JointState state = JointState::Zero(2);
  for (int i = 0; i <= 3333; ++i) {
    gentle->Evaluate(13.0 * i / 3333, state);
    CHECK(std::abs(state.qd(0)) <= 1.0 + 1e-4);  // on another grid than that of the check
    CHECK(std::abs(state.qdd(0)) <= 4.0 + 1e-4);
  }
  std::string message;
  try {
    Make(Started(0.5));
  } catch (const PlantError& error) {
    message = error.what();
  }
  CHECK(message.find("joint 'shoulder' would reach ") == 0);
  CHECK(message.find(" in the blend, its ") != std::string::npos);
  CHECK(message.find(": take a longer blend_s, a smaller amplitude_fraction or more candidates, or "
                     "switch off velocity_limits or acceleration_limits") != std::string::npos);
  FourierOptions off = Started(0.5);
  off.velocity_limits = off.acceleration_limits = false;
  CHECK_NOTHROW(Make(off));
}

TEST_CASE("Candidates whose blend breaks a limit lose, whatever they cost") {
  // Among the candidates of this seed some keep the limits in a blend of this duration.
  int asked = 0;
  const MotionCost count = [&asked](const Motion&) { return static_cast<double>(++asked); };
  FourierOptions options = Started(2.6);
  options.candidates = 40;
  CHECK_NOTHROW(MakeMotion(options, {}, LimitedRobot(), 1, 0, {PartDesign{.cost = count}}));
  CHECK(asked > 0);
  CHECK(asked < 40);
}

TEST_CASE("Each kind of motion is made, and what is random may be drawn per trial") {
  WayPointOptions points;
  points.points_rad = {{0.5, 1.0}};
  points.dwell_s = 3.0;
  CHECK(Make(points)->duration_s() == 3.0);
  CHECK_FALSE(DrawnPerTrial(points));
  const TemporaryFolder folder;
  const std::string file = folder.Write("table.csv", "t_s,q1_rad,q2_rad\n0,0,0\n1,1,1\n2.5,0,0\n");
  CHECK(Make(RecordedMotionOptions{file})->duration_s() == 2.5);
  CHECK_FALSE(DrawnPerTrial(RecordedMotionOptions{file}));
  CHECK_FALSE(DrawnPerTrial(FourierOptions{}));
  CHECK(DrawnPerTrial(FourierOptions{.draw = Draw::kTrial}));
  CHECK_FALSE(DrawnPerTrial(SequenceOptions{{points, FourierOptions{}}}));
  CHECK(DrawnPerTrial(SequenceOptions{{points, FourierOptions{.draw = Draw::kTrial}}}));
  const RandomPointOptions random{.duration_s = 7.5, .draw = Draw::kTrial};
  CHECK(Make(random)->duration_s() == 7.5);
  CHECK(DrawnPerTrial(random));
  CHECK_FALSE(DrawnPerTrial(RandomPointOptions{}));
}

TEST_CASE("Random points are drawn for the trial, and their limits hold in blends too") {
  RandomPointOptions random{.duration_s = 5.0, .draw = Draw::kTrial};
  const auto begin = [&](std::int64_t trial) {
    JointState state = JointState::Zero(2);
    MakeMotion(random, {}, LimitedRobot(), 1, trial, kFree)->Evaluate(0.0, state);
    return state.q;
  };
  CHECK(begin(3) == begin(3));
  CHECK(begin(3) != begin(4));
  CHECK(begin(3) == DrawRandomPoints(LimitedRobot(), random, 1, 3).begin());
  random.draw = Draw::kCell;
  RandomPointOptions next = random;
  next.stream = "next";
  const auto joined = [&] { return Make(SequenceOptions{{random, next}, 0.01}); };
  CHECK_THROWS_AS(joined(), PlantError);
  random.velocity_limits = random.acceleration_limits = false;
  CHECK_THROWS_AS(joined(), PlantError);        // of the other part
  random.duration_s = next.duration_s = 0.001;  // at rest still, so that it leaves no range
  next.velocity_limits = next.acceleration_limits = false;
  CHECK(joined()->duration_s() == 0.001 + 0.01 + 0.001);
}

std::string TextOf(const Motion& motion) {
  CanonicalText text;
  motion.Describe(text);
  return text.text();
}

TEST_CASE("A motion's text tells its kind and every number that defines it") {
  using V = Eigen::Vector2d;
  const FourierSeries series{0.1, V(1, 2), V(3, 4), V(5, 6)};
  const auto fourier = [&](auto change, double duration_s = 5.0) {
    FourierSeries changed = series;
    change(changed);
    return FourierMotion(changed, duration_s);
  };
  const auto as_it_is = [](FourierSeries&) {};
  const auto blended = [&](const V& start, double rest_s, double blend_s, double inner_s,
                           double end_s) {
    return BlendedMotion(start, rest_s, blend_s, std::make_unique<FourierMotion>(series, inner_s),
                         end_s);
  };
  const auto sequence = [](const V& first, const V& last, double blend_s) {
    std::vector<std::unique_ptr<Motion>> parts;
    for (const V& q : {first, last}) {
      parts.push_back(std::make_unique<WayPointMotion>(std::vector<Eigen::VectorXd>{q},
                                                       std::vector<double>{}, 1.0));
    }
    return TextOf(SequenceMotion(std::move(parts), blend_s, 2));
  };
  const auto points = [](const PointMove& move, const V& begin = V(0, 0), const JointLag& lag = {},
                         double duration_s = 5.0) {
    return PointToPointMotion(begin, {move}, lag, duration_s);
  };
  const TimedTable table{Eigen::Vector3d(0, 1, 2), Eigen::MatrixXd::Ones(3, 2)};
  TimedTable late = table, low = table;
  late.time_s[1] = 1.5;
  low.values(2, 1) = 0.5;
  const auto initial = [](const std::vector<double>& q, const std::vector<double>& qd,
                          double duration_s) {
    const TorqueReplayOptions options{.q_rad = q, .qd_rad_s = qd, .duration_s = duration_s};
    return TextOf(*MakeInitialState(options, {}, LimitedRobot()));
  };
  const std::vector<std::string> texts = {
      TextOf(fourier(as_it_is)),
      TextOf(fourier(as_it_is, 6.0)),
      TextOf(fourier([](FourierSeries& s) { s.base_frequency_hz = 0.2; })),
      TextOf(fourier([](FourierSeries& s) { s.q0[1] = 0.0; })),
      TextOf(fourier([](FourierSeries& s) { s.a(1, 0) = 0.0; })),
      TextOf(fourier([](FourierSeries& s) { s.b(0, 0) = 0.0; })),
      TextOf(fourier([](FourierSeries& s) { std::swap(s.a, s.b); })),
      TextOf(blended(V(0, 0), 1.0, 2.0, 5.0, 6.0)),
      TextOf(blended(V(0, 1), 1.0, 2.0, 5.0, 6.0)),
      TextOf(blended(V(0, 0), 1.5, 2.0, 5.0, 6.0)),
      TextOf(blended(V(0, 0), 1.0, 2.5, 5.0, 6.0)),
      TextOf(blended(V(0, 0), 1.0, 2.0, 5.5, 6.0)),
      TextOf(blended(V(0, 0), 1.0, 2.0, 5.0, 6.5)),
      TextOf(WayPointMotion({V(0, 0), V(1, 1)}, {2.0}, 1.0)),
      TextOf(WayPointMotion({V(0, 0), V(1, 0)}, {2.0}, 1.0)),
      TextOf(WayPointMotion({V(0, 0), V(1, 1)}, {2.5}, 1.0)),
      TextOf(WayPointMotion({V(0, 0), V(1, 1)}, {2.0}, 0.5)),
      TextOf(WayPointMotion({V(0, 0), V(1, 1), V(1, 1)}, {2.0, 0.0}, 1.0)),
      sequence(V(0, 0), V(1, 1), 1.0),
      sequence(V(0, 1), V(1, 1), 1.0),
      sequence(V(0, 0), V(1, 0), 1.0),
      sequence(V(0, 0), V(1, 1), 1.5),
      sequence(V(1, 1), V(0, 0), 1.0),
      TextOf(points({V(1, 0), 2.0, 0.5})),
      TextOf(points({V(1, 1), 2.0, 0.5})),
      TextOf(points({V(1, 0), 2.5, 0.5})),
      TextOf(points({V(1, 0), 2.0, 0.6})),
      TextOf(points({V(1, 0), 2.0, 0.5}, V(0, 1))),
      TextOf(points({V(1, 0), 2.0, 0.5}, V(0, 0), {V(8, 9), V(1, 1)})),
      TextOf(points({V(1, 0), 2.0, 0.5}, V(0, 0), {V(8, 8), V(1, 1)})),
      TextOf(points({V(1, 0), 2.0, 0.5}, V(0, 0), {V(8, 9), V(1, 2)})),
      TextOf(points({V(1, 0), 2.0, 0.5}, V(0, 0), {}, 6.0)),
      TextOf(SplineMotion(table)),
      TextOf(SplineMotion(late)),
      TextOf(SplineMotion(low)),
      initial({0, 0}, {}, 1.0),
      initial({0.1, 0}, {}, 1.0),
      initial({0, 0}, {0, 0.1}, 1.0),
      initial({0, 0}, {}, 2.0),
  };
  CHECK(std::set<std::string>(texts.begin(), texts.end()).size() == texts.size());
  CHECK(TextOf(FourierMotion(series, 5.0)) == texts[0]);
  CHECK(initial({0, 0}, {0, 0}, 1.0) == initial({0, 0}, {}, 1.0));  // at rest
}

TEST_CASE("A recorded motion needs what its file holds, and each part a design") {
  CHECK_THROWS_WITH_AS(MakeMotion(RecordedMotionOptions{"q.csv"}, {}, LimitedRobot(), 1, 0, kFree),
                       "MakeMotion: got 0 tables, expected one for each recorded motion",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(MakeMotion(SequenceOptions{{FourierOptions{}, FourierOptions{}}}, {},
                                  LimitedRobot(), 1, 0, {PartDesign{.cost = Free}}),
                       "MakeMotion: got 1 designs, expected one for each part of the motion",
                       std::invalid_argument);
}

/// Rest for a second, with the limits of its blends switched off unless it says otherwise.
WayPointOptions Hold(double shoulder, double elbow, bool limits = false) {
  return {.points_rad = {{shoulder, elbow}},
          .dwell_s = 1.0,
          .velocity_limits = limits,
          .acceleration_limits = limits};
}

TEST_CASE("The parts of a sequence are the motions that they are alone") {
  FourierOptions fourier{
      .base_frequency_hz = 0.15, .duration_s = 3.0, .amplitude_fraction = 0.3, .candidates = 2};
  fourier.velocity_limits = fourier.acceleration_limits = false;
  const TemporaryFolder folder;
  const std::string one = folder.Write("one.csv", "t_s,q1_rad,q2_rad\n0,0,0\n1,1,1\n2.5,0,0\n");
  const std::string two = folder.Write("two.csv", "t_s,q1_rad,q2_rad\n0,0,0\n1,1,2\n");
  const SequenceOptions options{
      .parts = {fourier, RecordedMotionOptions{one}, Hold(0.5, 1.0), RecordedMotionOptions{two}},
      .blend_s = 4.0};
  const std::unique_ptr<Motion> sequence = Make(options);
  CHECK(sequence->duration_s() == 3.0 + 4.0 + 2.5 + 4.0 + 1.0 + 4.0 + 1.0);
  double begin_s = 0.0;
  for (const MotionPartOptions& part : options.parts) {
    const std::unique_ptr<Motion> alone =
        std::visit([](const auto& kind) { return Make(kind); }, part);
    JointState state = JointState::Zero(2), expected = JointState::Zero(2);
    for (const double t : {0.0, 0.25, 0.75}) {
      sequence->Evaluate(begin_s + t, state);
      alone->Evaluate(t, expected);
      CHECK(state.q == expected.q);
      CHECK(state.qd == expected.qd);
      CHECK(state.qdd == expected.qdd);
    }
    begin_s += alone->duration_s() + 4.0;
  }
}

std::string RefusedSequence(std::vector<MotionPartOptions> parts, double blend_s) {
  try {
    Make(SequenceOptions{std::move(parts), blend_s});
  } catch (const PlantError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("The blends of a sequence keep ranges, and the limits that one of two parts enforces") {
  // Of the quintic step by 3 rad: its greatest speed 15/8·3/T, its greatest acceleration
  // 10/√3·3/T². The shoulder may 1 rad/s and 4 rad/s², so that the speed decides: T ≥ 5.625 s.
  const WayPointOptions free = Hold(1.5, 0.0), bound = Hold(-1.5, 0.0, true);
  CHECK(RefusedSequence({free, bound}, 5.63) == "");
  const std::string fast = RefusedSequence({free, bound}, 5.62);
  CHECK(
      fast.starts_with("from parts/0 to parts/1, joint 'shoulder' would reach 1.001 rad/s in the "
                       "blend, its velocity limit is 1: take another blend_s, "));
  CHECK(
      fast.ends_with("parts that end and begin more slowly, or switch off velocity_limits or "
                     "acceleration_limits of both"));
  CHECK(RefusedSequence({bound, free}, 5.62) == fast);
  CHECK(RefusedSequence({free, free}, 0.1) == "");
  CHECK(RefusedSequence({free, free, bound}, 5.0).starts_with("from parts/1 to parts/2, joint "));
  WayPointOptions slow_to_start = bound;
  slow_to_start.velocity_limits = false;  // 10/√3·3/T² ≤ 4: T ≥ 2.081 s
  CHECK(RefusedSequence({free, slow_to_start}, 2.09) == "");
  CHECK(RefusedSequence({free, slow_to_start}, 2.07)
            .starts_with("from parts/0 to parts/1, joint 'shoulder' would reach 4.042 "));
  CHECK(RefusedSequence({free, slow_to_start}, 2.07)
            .find(" rad/s² in the blend, its acceleration "
                  "limit is 4: ") != std::string::npos);
}

TEST_CASE("A blend that leads out of a joint's range is refused, though both its ends are in it") {
  const TemporaryFolder folder;
  // The spline ends at 1.9 rad with 0.875 rad/s and without acceleration; a blend to rest there,
  // 1.9 + 0.875·T·(u − 6u³ + 8u⁴ − 3u⁵), is greatest at u = 1/3: 1.9 + 0.875·T·16/81.
  const std::string file = folder.Write("q.csv", "t_s,q1_rad,q2_rad\n0,0,0\n1,1,0\n2,1.9,0\n");
  CHECK(RefusedSequence({RecordedMotionOptions{file}, Hold(1.9, 0.0)}, 0.2) == "");
  const std::string out = RefusedSequence({RecordedMotionOptions{file}, Hold(1.9, 0.0)}, 2.0);
  CHECK(out ==
        "from parts/0 to parts/1, joint 'shoulder' would reach 2.246 rad in the blend, its range "
        "is -2 to 2: take a shorter blend_s, or parts that end and begin more slowly or further "
        "from the end of the range");
}

std::string MotionIssues(const MotionOptions& options) {
  const std::vector<Issue> issues = CheckMotion(options, LimitedRobot(), "/motion");
  return issues.empty() ? "" : ConfigError("s.json", issues).what();
}

TEST_CASE("Motions that contradict the robot are refused") {
  CHECK(MotionIssues(FourierOptions{}).empty());
  FourierOptions start = Started(1.0);
  start.start_q_rad = {{2.5, 0.0}};
  CHECK(MotionIssues(start) ==
        "s.json: /motion/start_q_rad/0: got 2.5, out of the range of joint 'shoulder'\n"
        "  accepted here: -2 to 2");
  FourierOptions centred;
  centred.centre_q_rad = {{0.0, 0.0, 1.0}};
  CHECK(MotionIssues(centred).starts_with("s.json: /motion/centre_q_rad: got a list of 3\n"));
  WayPointOptions points;
  points.points_rad = {{0.0}};
  CHECK(MotionIssues(points).find("s.json: /motion/points_rad/0: got a list of 1\n") == 0);
  RandomPointOptions random;
  random.lower_rad = PerJoint{{0.0, 3.5}};
  CHECK(MotionIssues(SequenceOptions{{Hold(0, 0), random}})
            .starts_with("s.json: /motion/parts/1/lower_rad/1: got 3.5, out of the range of joint "
                         "'elbow'\n  accepted here: -3 to 3\n"));
  CHECK(MotionIssues(RecordedMotionOptions{"/nowhere/q.csv"})
            .find("s.json: /motion/file: /nowhere/q.csv: cannot be read") == 0);
  CHECK(MotionIssues(SequenceOptions{{Hold(0, 0), FourierOptions{}}}).empty());
  CHECK(MotionIssues(SequenceOptions{{Hold(0, 0), Hold(2.5, 0)}}) ==
        "s.json: /motion/parts/1/points_rad/0/0: got 2.5, out of the range of joint 'shoulder'\n"
        "  accepted here: -2 to 2");
  CHECK(MotionIssues(SequenceOptions{{RecordedMotionOptions{"/nowhere/q.csv"}, start}})
            .find("s.json: /motion/parts/1/start_q_rad/0: got 2.5, ") != std::string::npos);
}

TEST_CASE(
    "A start without a blend, a blend without a start, and one that does not end are refused") {
  const auto read = [](const char* text) {
    FourierOptions options;
    std::vector<Issue> issues;
    ReadFields(Visit(options), Json::parse(text), "/motion", issues);
    return issues.empty() ? std::string() : std::string(ConfigError("s.json", issues).what());
  };
  CHECK(read(R"({"start_q_rad": [0], "rest_s": 1, "blend_s": 2})").empty());
  CHECK(read(R"({"start_q_rad": [0]})") ==
        "s.json: /motion/blend_s: missing, but start_q_rad is given\n"
        "  the motion does not pass the start: give the blend a duration above 0");
  CHECK(read(R"({"blend_s": 2})") ==
        "s.json: /motion/start_q_rad: missing, but rest_s or blend_s is given\n"
        "  give the pose to start from");
  CHECK(read(R"({"start_q_rad": [0], "rest_s": 3, "blend_s": 2, "duration_s": 4})") ==
        "s.json: /motion/duration_s: 4 s ends before rest_s and blend_s, 5 s, are over\n"
        "  they are part of it");
}

}  // namespace
}  // namespace idbench
