#include "sim/truth/environment.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "robots/temporary_folder_test.h"

namespace idbench {
namespace {

const Robot& Planar3Robot() {
  static const Robot robot = LoadRobot("planar3");
  return robot;
}

DrawnTouchesOptions Forearm(Draw draw = Draw::kCell) {
  return {.link = "link2",
          .axis_from_m = {0.01, 0.02, 0.0},
          .axis_to_m = {0.01, 0.05, 0.12},
          .radius_m = 0.035,
          .tangential_fraction = 0.2,
          .force_n = {0.5, 10.0},
          .ramp_s = {0.1, 0.3},
          .hold_s = {0.3, 2.0},
          .gap_s = {2.0, 6.0},
          .draw = draw};
}

Environment Made(const std::vector<TouchEventOptions>& touches, double duration_s,
                 const EnvironmentKey& key = {1, -1, "contact"}) {
  return MakeEnvironment({touches}, Planar3Robot(), 0, key, duration_s);
}

bool IsSameTouch(const Touch& a, const Touch& b) {
  return a.link == b.link && a.p_LT_L == b.p_LT_L && a.force == b.force && a.begin_s == b.begin_s &&
         a.ramp_s == b.ramp_s && a.hold_s == b.hold_s;
}

TEST_CASE("A touch rises, holds and falls at its very times") {
  const Touch touch{.begin_s = 0.3, .ramp_s = 0.2, .hold_s = 1.0};
  CHECK(touch.end_s() == doctest::Approx(1.7));
  CHECK(touch.PartAt(0.2) == 0.0);
  CHECK(touch.PartAt(0.35) == doctest::Approx(0.25));
  CHECK(touch.PartAt(0.5) == doctest::Approx(1.0));
  CHECK(touch.PartAt(1.0) == 1.0);
  CHECK(touch.PartAt(1.55) == doctest::Approx(0.75));
  CHECK(touch.PartAt(1.7) == 0.0);
  const Touch sudden{.begin_s = 0.3, .hold_s = 0.4};
  CHECK(sudden.PartAt(0.3 - 1e-6) == 0.0);
  CHECK(sudden.PartAt(1200 * 0.00025) == 1.0);
  CHECK(sudden.PartAt(std::nextafter(0.3, 0.0)) == 1.0);
  CHECK(sudden.PartAt(0.7 - 1e-6) == 1.0);
  CHECK(sudden.PartAt(0.7) == 0.0);
}

TEST_CASE("A push is half a sine of its impulse") {
  const Environment environment = Made({PushOptions{.link = "link3",
                                                    .impulse_ns = {1.0, 0.0, -2.0},
                                                    .axes = ForceAxes::kBase,
                                                    .at_s = 0.5,
                                                    .duration_s = 0.1}},
                                       1.0);
  REQUIRE(environment.touches.size() == 1);
  const Touch& push = environment.touches[0];
  CHECK(push.axes == ForceAxes::kBase);
  CHECK(push.end_s() == doctest::Approx(0.6));
  CHECK(push.PartAt(0.55) == doctest::Approx(1.0));
  // The middle of 10,000 stretches: an error of their width squared.
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();
  for (int k = 0; k < 10000; ++k)
    impulse += 1e-5 * push.PartAt(0.5 + 1e-5 * (k + 0.5)) * push.force;
  CHECK((impulse - Eigen::Vector3d(1.0, 0.0, -2.0)).norm() < 1e-7);
}

TEST_CASE("A body that is fused into a link is touched at its own place and in its own axes") {
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(folder.Write("hand.xml", R"(<mujoco><worldbody>
      <body name="arm" pos="0 0 1"><joint name="swing" axis="0 1 0"/>
        <inertial pos="0 0 -0.2" mass="2" diaginertia="0.1 0.1 0.1"/>
        <body name="hand" pos="0.1 0 -0.5" euler="0 0 90">
          <inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/></body>
      </body></worldbody></mujoco>)"));
  const TouchOptions touch{
      .link = "hand", .point_m = {0.2, 0.0, 0.0}, .force_n = {3.0, 0.0, 1.0}, .hold_s = 1.0};
  TouchOptions in_base = touch;
  in_base.axes = ForceAxes::kBase;
  const Environment environment = MakeEnvironment({{touch, in_base}}, robot, 0, {}, 1.0);
  for (const Touch& made : environment.touches) {
    CHECK(made.link == 0);
    CHECK((made.p_LT_L - Eigen::Vector3d(0.1, 0.2, -0.5)).norm() < 1e-15);
  }
  CHECK((environment.touches[0].force - Eigen::Vector3d(0.0, 3.0, 1.0)).norm() < 1e-15);
  CHECK(environment.touches[1].force == Eigen::Vector3d(3.0, 0.0, 1.0));
}

TEST_CASE("Drawn touches are on the cylinder, inwards and along it, one after the other") {
  const DrawnTouchesOptions options = Forearm();
  const Environment environment = Made({options}, 20000.0);
  const auto n = static_cast<double>(environment.touches.size());
  CHECK(n == doctest::Approx(20000.0 / 5.55).epsilon(0.05));  // of a mean cycle of 4 + 0.4 + 1.15 s
  const Eigen::Vector3d from(options.axis_from_m.data());
  const Eigen::Vector3d along = Eigen::Vector3d(options.axis_to_m.data()) - from;
  const Eigen::Vector3d axis = along.normalized();
  const Eigen::Vector3d x = axis.unitOrthogonal();
  const Eigen::Vector3d y = axis.cross(x);
  double end_s = 0.0;
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(9);
  std::vector<double> logs;
  for (const Touch& touch : environment.touches) {
    const Eigen::Vector3d p = touch.p_LT_L - from;
    const double place = p.dot(axis) / along.norm();
    const Eigen::Vector3d radial = p - p.dot(axis) * axis;
    CHECK(std::abs(radial.norm() - 0.035) < 1e-15);
    CHECK(place > 0.0);
    CHECK(place < 1.0);
    const Eigen::Vector3d outwards = radial.normalized();
    const double normal = -touch.force.dot(outwards);
    const Eigen::Vector3d tangential = touch.force + normal * outwards;
    CHECK(tangential.norm() == doctest::Approx(0.2 * normal).epsilon(1e-12));
    CHECK(touch.force.norm() > 0.5 - 1e-12);
    CHECK(touch.force.norm() < 10.0 + 1e-12);
    logs.push_back(std::log(touch.force.norm() / 0.5) / std::log(20.0));
    const double gap_s = touch.begin_s - end_s;
    CHECK(gap_s > 2.0 - 1e-9);
    CHECK(gap_s < 6.0 + 1e-9);
    end_s = touch.end_s();
    const Eigen::Vector3d t = tangential.normalized();
    sums += Eigen::Vector<double, 9>(place, outwards.dot(x), outwards.dot(y), t.dot(axis),
                                     t.dot(axis.cross(outwards)), gap_s, touch.ramp_s, touch.hold_s,
                                     logs.back());
  }
  // Means of n uniform numbers: 5 of their standard deviations, range/√(12 n), that of a cosine of
  // a uniform angle 1/√(2 n).
  const auto is_mean = [&](int k, double mean, double deviation) {
    CAPTURE(k);
    CHECK(std::abs(sums[k] / n - mean) < 5.0 * deviation / std::sqrt(n));
  };
  is_mean(0, 0.5, 1.0 / std::sqrt(12.0));
  for (const int k : {1, 2, 3, 4}) is_mean(k, 0.0, std::sqrt(0.5));
  is_mean(5, 4.0, 4.0 / std::sqrt(12.0));
  is_mean(6, 0.2, 0.2 / std::sqrt(12.0));
  is_mean(7, 1.15, 1.7 / std::sqrt(12.0));
  is_mean(8, 0.5, 1.0 / std::sqrt(12.0));
  // Kolmogorov and Smirnov: a greater distance than 1.95/√n has a probability of 0.001.
  std::ranges::sort(logs);
  double distance = 0.0;
  for (std::size_t k = 0; k < logs.size(); ++k) {
    distance = std::max(distance, std::abs(logs[k] - (static_cast<double>(k) + 0.5) / n));
  }
  CHECK(distance < 1.95 / std::sqrt(n));
}

TEST_CASE("Neither a longer experiment nor other touches shift what is drawn") {
  const TouchOptions single{.link = "link1", .force_n = {1, 0, 0}, .from_s = 1.0, .hold_s = 1.0};
  const PushOptions push{.link = "link3", .impulse_ns = {1, 0, 0}, .at_s = 3.0, .duration_s = 0.1};
  const std::vector<Touch> brief = Made({Forearm()}, 30.0).touches;
  REQUIRE(brief.size() >= 3);
  const std::vector<Touch> longer = Made({Forearm()}, 300.0).touches;
  CHECK(longer.size() > brief.size());
  CHECK(std::equal(brief.begin(), brief.end(), longer.begin(), IsSameTouch));
  std::vector<Touch> among = Made({single, Forearm(), push}, 30.0).touches;
  CHECK(std::ranges::is_sorted(among, {}, &Touch::begin_s));
  std::erase_if(among, [](const Touch& touch) { return touch.link != 1; });
  CHECK(std::ranges::equal(brief, among, IsSameTouch));
  // Two entries that draw are independent of each other.
  DrawnTouchesOptions other = Forearm();
  other.link = "link3";
  std::vector<Touch> two = Made({Forearm(), other}, 30.0).touches;
  std::vector<Touch> second = two;
  std::erase_if(two, [](const Touch& touch) { return touch.link != 1; });
  CHECK(std::ranges::equal(brief, two, IsSameTouch));
  std::erase_if(second, [](const Touch& touch) { return touch.link == 1; });
  CHECK(second[0].begin_s != two[0].begin_s);
  // Of each quantity there is an own number: another range of one leaves the others.
  DrawnTouchesOptions stronger = Forearm();
  stronger.force_n = {5.0, 100.0};
  const std::vector<Touch> strong = Made({stronger}, 30.0).touches;
  REQUIRE(strong.size() == brief.size());
  for (std::size_t k = 0; k < strong.size(); ++k) {
    CHECK(strong[k].begin_s == brief[k].begin_s);
    CHECK((strong[k].force - 10.0 * brief[k].force).norm() < 1e-12 * strong[k].force.norm());
  }
}

TEST_CASE("Touches are drawn once a cell, or anew in every trial, by seed and experiment") {
  const auto first = [](Draw draw, const EnvironmentKey& key) {
    return Made({Forearm(draw)}, 30.0, key).touches.at(0);
  };
  const Touch cell = first(Draw::kCell, {1, -1, "contact"});
  CHECK(IsSameTouch(cell, first(Draw::kCell, {1, 7, "contact"})));
  CHECK(IsSameTouch(cell, first(Draw::kTrial, {1, -1, "contact"})));
  const Touch trial = first(Draw::kTrial, {1, 7, "contact"});
  CHECK_FALSE(IsSameTouch(cell, trial));
  CHECK(IsSameTouch(trial, first(Draw::kTrial, {1, 7, "contact"})));
  CHECK_FALSE(IsSameTouch(trial, first(Draw::kTrial, {1, 8, "contact"})));
  CHECK_FALSE(IsSameTouch(trial, first(Draw::kTrial, {2, 7, "contact"})));
  CHECK_FALSE(IsSameTouch(trial, first(Draw::kTrial, {1, 7, "other"})));
}

}  // namespace
}  // namespace idbench
