#include "estimators/observers/touch_force.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <optional>

#include "estimators/observers/observers_test.h"
#include "robots/dynamics/kinematics.h"
#include "robots/robot.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// The link behind the elbow, and what carries the sensor.
constexpr int kForearm = 3, kUpperArm = 2;
const Eigen::VectorXd kWrenchNoise =
    (Eigen::VectorXd(6) << 0.15, 0.15, 0.15, 0.005, 0.005, 0.005).finished();

/// The WAM with a force/torque sensor in its upper arm, turned and away from the link's origin, and
/// its wrench for the only equation.
Synthetic WithSensor(const std::vector<PlacedEquation>& equations = {PlacedEquation(Equation::kCut,
                                                                                    0)},
                     const std::vector<AttachedBody>& attached = {}) {
  const Robot wam = LoadRobot("barrett_wam7");
  RobotModel model = wam.model;
  model.SetCuts(
      {{.name = "ft",
        .link = kUpperArm,
        .R_LS =
            Eigen::AngleAxisd(0.7, Eigen::Vector3d(1.0, 2.0, -1.0).normalized()).toRotationMatrix(),
        .p_LS_L = {0.02, -0.03, 0.1},
        .link_beyond = false}});
  Eigen::VectorXd pi = wam.FindSet("")->pi;
  if (!attached.empty()) {
    model.SetAttached(attached, {{.name = "", .attached = {0}}});
    const Eigen::Index links = ParameterLayout(7).inertial_size();
    const Eigen::VectorXd terms = pi.tail(pi.size() - links);
    pi.conservativeResize(pi.size() + kInertialCount);
    pi.segment<kInertialCount>(links).setZero();
    pi.tail(terms.size()) = terms;
  }
  Synthetic robot(model, pi, "standard", equations);
  for (EquationRows& rows : robot.problem.rows) {
    if (rows.count(model) == 6) rows.sigma = kWrenchNoise;
  }
  return robot;
}

const Synthetic& Arm() {
  static const Synthetic robot = WithSensor();
  return robot;
}

std::string NameOf(int link) { return Arm().model.link(link).name; }

/// Options of a cylinder about the forearm, and more of them.
std::string ForearmOptions(const std::string& more, int link = kForearm) {
  return fmt::format(R"({{"link": "{}", "axis_from_m": [0.01, -0.02, 0.03],
                          "axis_to_m": [0.05, -0.22, 0.12], "radius_m": 0.04{}}})",
                     NameOf(link), more.empty() ? "" : ", " + more);
}
const Eigen::Vector3d kFrom(0.01, -0.02, 0.03), kTo(0.05, -0.22, 0.12);

/// A touch in the forearm's frame.
struct At {
  Eigen::Vector3d p, f;
};
/// One that presses on the cylinder, with a part along its surface.
At Press(double along, double around, double newton) {
  const Eigen::Vector3d axis = (kTo - kFrom).normalized();
  const Eigen::Vector3d x = axis.unitOrthogonal();
  const Eigen::Vector3d out = std::cos(around) * x + std::sin(around) * axis.cross(x);
  return {kFrom + along * (kTo - kFrom) + 0.04 * out,
          newton * (-out + 0.2 * axis.cross(out) - 0.1 * axis).normalized()};
}

/// The recording with a touch of the forearm, of which the sensor bears all.
template <class TouchAt>
Dataset Touched(const Dataset& dataset, const TouchAt& touch_at) {
  const Channel& position = dataset.Get(kJointPosition);
  const Cut& cut = Arm().model.cuts()[0];
  return WithChannel(dataset, kWrenchAtCut, [&](Eigen::MatrixXd& wrench) {
    for (Eigen::Index k = 0; k < wrench.rows(); ++k) {
      const std::optional<At> touch = touch_at(position.time_s[k]);
      if (!touch) continue;
      const auto poses = ForwardKinematics(Arm().model, position.samples.row(k).transpose());
      const Pose& L = poses[kForearm];
      const Pose& C = poses[kUpperArm];
      const Eigen::Matrix3d R_SB = (C.R_BL * cut.R_LS).transpose();
      const Eigen::Vector3d arm = L.p_BL_B + L.R_BL * touch->p - C.p_BL_B - C.R_BL * cut.p_LS_L;
      const Eigen::Vector3d f = R_SB * (L.R_BL * touch->f);
      wrench.row(k).head<3>() -= f.transpose();
      wrench.row(k).tail<3>() -= (R_SB * arm).cross(f).transpose();
    }
  });
}

const std::vector<Dataset>& FreeWrenches() {
  static const std::vector<Dataset> training = {Arm().Record("a", 2000, kWrenchNoise)};
  return training;
}

TEST_CASE("A weight on the forearm is its weight, at its place") {
  Eigen::VectorXd q(7);
  q << 0.3, 0.9, -0.4, 1.2, 0.5, -0.3, 0.2;
  const Pose L = ForwardKinematics(Arm().model, q)[kForearm];
  // On top of a cylinder that lies level.
  const Eigen::Vector3d up = -(L.R_BL.transpose() * Arm().model.gravity()).normalized();
  const Eigen::Vector3d axis = up.unitOrthogonal(), from(0.05, 0.02, -0.04);
  CentralInertia weight;
  weight.mass = 0.3;
  weight.com = from + 0.07 * axis + 0.035 * up;
  Synthetic heavy = Arm();
  heavy.pi.segment<kInertialCount>(ParameterLayout(7).Body(kForearm)) += ToStandard(weight);
  Dataset watched = heavy.Record("w", 5).WithoutChannels();
  const Eigen::VectorXd time_s = Eigen::VectorXd::LinSpaced(5, 0.0, 0.04);
  const Eigen::MatrixXd rest = Eigen::MatrixXd::Zero(5, 7);
  const Eigen::MatrixXd held = q.transpose().replicate(5, 1);
  const Dynamics dynamics(heavy.model, heavy.problem.friction);
  Dynamics::Scratch scratch(dynamics);
  Eigen::MatrixXd wrench(5, 6);
  dynamics.CutWrench(0, heavy.pi, {held, rest, rest}, scratch, wrench);
  const auto add = [&](std::string_view name, const char* unit, const Eigen::MatrixXd& values) {
    watched.Add({std::string(name), unit, time_s, values, {}, Origin::kMeasured});
  };
  add(kJointPosition, "rad", held);
  add(kJointVelocity, "rad/s", rest);
  add(kJointAcceleration, "rad/s²", rest);
  add(kWrenchAtCut, "N, N·m", wrench);
  const Eigen::Vector3d to = from + 0.1 * axis;
  const auto observer = MakeObserverOf(
      "touch_force", fmt::format(R"({{"link": "{}", "axis_from_m": [{}, {}, {}],
          "axis_to_m": [{}, {}, {}], "radius_m": 0.035, "threshold": 16.8}})",
                                 NameOf(kForearm), from[0], from[1], from[2], to[0], to[1], to[2]));
  // No identification data: S is what is declared.
  const Observation observation = Observe(*observer, Arm(), {}, watched);
  const Eigen::Vector3d force = ValuesOf(observation, kExternalForce).row(4).transpose();
  CHECK((force - 0.3 * Arm().model.gravity()).norm() < 1e-10);  // round-off of wrenches of 50 N
  const Eigen::Vector3d place = ValuesOf(observation, kTouchPlace).row(4).transpose();
  CHECK((place - weight.com).norm() < 1e-10);
}

TEST_CASE("Touches beyond the elbow are found where they are while the arm moves") {
  const auto touch_at = [](double t) -> std::optional<At> {
    if (t > 0.5 && t < 1.5) return Press(0.3, 1.0, 3.0);
    if (t > 2.0 && t < 3.0) return Press(0.9, 4.0, 8.0);
    if (t > 3.5) return Press(0.5, 2.0, 1.9);
    return std::nullopt;
  };
  const Dataset free = Arm().Record("w", 450, {}, 1, Role::kApplication);
  const Dataset watched = Touched(free, touch_at);
  const auto observer = MakeObserverOf("touch_force", ForearmOptions(R"("least_force_n": 2.0)"));
  const Observation observation = Observe(*observer, Arm(), FreeWrenches(), watched);
  const Eigen::MatrixXd force = ValuesOf(observation, kExternalForce);
  const Eigen::MatrixXd place = ValuesOf(observation, kTouchPlace);
  const Eigen::MatrixXd square = ValuesOf(observation, kStatistic);
  const Channel& position = free.Get(kJointPosition);
  for (Eigen::Index k = 0; k < 450; ++k) {
    const std::optional<At> touch = touch_at(position.time_s[k]);
    if (touch) CHECK(square(k, 0) > 30.0);  // of some 3 N over 0.15 N
    if (!touch || touch->f.norm() < 2.0) {
      CHECK(force.row(k).array().isNaN().all());
      CHECK(place.row(k).array().isNaN().all());
      continue;
    }
    const Pose L = ForwardKinematics(Arm().model, position.samples.row(k).transpose())[kForearm];
    // Round-off of wrenches of 100 N and 50 N·m.
    REQUIRE((force.row(k).transpose() - L.R_BL * touch->f).norm() < 1e-9);
    REQUIRE((place.row(k).transpose() - touch->p).norm() < 1e-9);
  }
}

TEST_CASE("With noise the place is as far off as noise over force, and averaging helps") {
  const At touch = Press(0.4, 2.5, 4.0);
  const Dataset watched = Touched(Arm().Record("w", 3000, kWrenchNoise, 1, Role::kApplication),
                                  [&](double) -> std::optional<At> { return touch; });
  const auto error_of = [&](const char* more) {
    const auto observer = MakeObserverOf("touch_force", ForearmOptions(more));
    const Eigen::MatrixXd place =
        ValuesOf(Observe(*observer, Arm(), FreeWrenches(), watched), kTouchPlace);
    double sum = 0.0;
    Eigen::Index count = 0;
    for (Eigen::Index k = 0; k < place.rows(); ++k) {
      if (!place.row(k).allFinite()) continue;
      sum += (place.row(k) - touch.p.transpose()).squaredNorm();
      ++count;
    }
    CHECK(count > 2900);
    return std::sqrt(sum / static_cast<double>(count));
  };
  // 0.15 N over 4 N on an arm of 0.3 m, and 0.005 N·m over 4 N, of a line that meets the surface
  // nearly square.
  const double one = error_of("");
  CHECK(one > 0.002);
  CHECK(one < 0.03);
  // Ten samples within 0.1 s of a motion with 2.5 rad/s: less, but not by √10.
  CHECK(error_of(R"("lowpass": {"cutoff_hz": 10})") < 0.7 * one);
}

TEST_CASE("The wrench on the base tells touches of any link") {
  const Synthetic robot("barrett_wam7", "standard", {Equation::kWrench});
  const std::vector<Dataset> training = {robot.Record("a", 1000, kWrenchNoise)};
  const Dataset free = robot.Record("w", 50, {}, 1, Role::kApplication);
  const At touch = Press(0.2, 0.3, 6.0);
  const Channel& position = free.Get(kJointPosition);
  const Dataset watched = WithChannel(free, kBaseWrench, [&](Eigen::MatrixXd& wrench) {
    for (Eigen::Index k = 0; k < 50; ++k) {
      const Pose L = ForwardKinematics(robot.model, position.samples.row(k).transpose())[kForearm];
      const Eigen::Vector3d f = L.R_BL * touch.f;
      wrench.row(k).head<3>() -= f.transpose();
      wrench.row(k).tail<3>() -= (L.p_BL_B + L.R_BL * touch.p).cross(f).transpose();
    }
  });
  for (const char* const sensor : {"", R"("sensor": "base")"}) {
    const auto observer = MakeObserverOf("touch_force", ForearmOptions(sensor));
    const Eigen::MatrixXd place =
        ValuesOf(Observe(*observer, robot, training, watched), kTouchPlace);
    CHECK((place.rowwise() - touch.p.transpose()).cwiseAbs().maxCoeff() < 1e-9);
  }
}

TEST_CASE("Only a low-pass of zero phase looks ahead") {
  CHECK(MakeObserverOf("touch_force", ForearmOptions(""))->causal());
  CHECK(!MakeObserverOf("touch_force", ForearmOptions(R"("lowpass": {})"))->causal());
  CHECK(MakeObserverOf("touch_force", ForearmOptions(R"("lowpass": {"zero_phase": false})"))
            ->causal());
  CHECK(MakeObserverOf("touch_force", ForearmOptions(""))->touched_body() == NameOf(kForearm));
}

TEST_CASE("What no sensor feels is refused, and what is not there") {
  const auto why = [](const Synthetic& robot, const std::string& options) {
    return MakeObserverOf("touch_force", options)->WhyRefused(robot.problem);
  };
  CHECK(why(Arm(), ForearmOptions("")).empty());
  CHECK(why(ArmOf("barrett_wam7"), ForearmOptions("")) ==
        "takes the wrench of a force/torque sensor, and no equation of the problem has one");
  CHECK(why(Arm(), ForearmOptions(R"("sensor": "wrist")")) ==
        "sensor: there is no \"wrist\", the problem has equations of \"ft\"");
  const Synthetic two = WithSensor({Equation::kWrench, PlacedEquation(Equation::kCut, 0)});
  CHECK(why(two, ForearmOptions("")) ==
        "sensor: there are several, the problem has equations of \"base\", \"ft\"");
  CHECK(why(two, ForearmOptions(R"("sensor": "ft")")).empty());
  Synthetic half = WithSensor();
  half.problem.rows[0].chosen = {0, 1, 2};
  CHECK(why(half, ForearmOptions("")) ==
        "takes all components of the wrench at \"ft\", the problem has 3 of them");
  CHECK(why(Arm(), ForearmOptions("", 0)) ==
        fmt::format("link: \"{}\" is not beyond the sensor \"ft\", which feels no touch there",
                    NameOf(0)));
  // The sensor is in that link, which bears it.
  CHECK(why(Arm(), ForearmOptions("", kUpperArm)).ends_with("which feels no touch there"));
  CHECK(why(two, ForearmOptions(R"("sensor": "base")", 0)).empty());
  Json unknown = Json::parse(ForearmOptions(""));
  unknown["link"] = "tail";
  CHECK(why(Arm(), unknown.dump()).starts_with("link: there is no \"tail\", the robot has \""));
}

TEST_CASE("A body that is attached has a frame of its own, and is beyond the sensor of its link") {
  const AttachedBody sleeve{
      .name = "sleeve",
      .link = kForearm,
      .R_LA = Eigen::AngleAxisd(-1.1, Eigen::Vector3d(0.0, 0.6, 0.8)).toRotationMatrix(),
      .p_LA_L = {0.1, 0.2, -0.3}};
  const auto in_sleeve = [&](const Eigen::Vector3d& p_L) {
    const Eigen::Vector3d p = sleeve.R_LA.transpose() * (p_L - sleeve.p_LA_L);
    return std::vector<double>{p[0], p[1], p[2]};
  };
  Json json = Json::parse(ForearmOptions(R"("threshold": 16.8)"));
  json["link"] = "sleeve";
  json["axis_from_m"] = in_sleeve(kFrom);
  json["axis_to_m"] = in_sleeve(kTo);
  const Synthetic loaded = WithSensor({PlacedEquation(Equation::kCut, 0)}, {sleeve});
  const At touch = Press(0.6, 5.0, 5.0);
  const Dataset watched = Touched(loaded.Record("w", 30, {}, 1, Role::kApplication),
                                  [&](double) -> std::optional<At> { return touch; });
  const auto observer = MakeObserverOf("touch_force", json.dump());
  const Eigen::MatrixXd place = ValuesOf(Observe(*observer, loaded, {}, watched), kTouchPlace);
  CHECK((place.rowwise() - touch.p.transpose()).cwiseAbs().maxCoeff() < 1e-9);

  AttachedBody beyond = sleeve;
  beyond.link = kUpperArm;
  const Synthetic cut = WithSensor({PlacedEquation(Equation::kCut, 0)}, {beyond});
  CHECK(observer->WhyRefused(cut.problem).empty());
}

TEST_CASE("A cylinder without a direction is no cylinder") {
  const auto issues_of = [](const char* change) {
    Json json = Json::parse(ForearmOptions(""));
    json.merge_patch(Json::parse(change));
    const auto observer = FindObserver("touch_force")->make();
    std::vector<Issue> issues;
    ReadFields(observer->Fields(), json, "", issues);
    return issues;
  };
  const auto flat = issues_of(R"({"axis_to_m": [0.01, -0.02, 0.03]})");
  REQUIRE(flat.size() == 1);
  CHECK(flat[0].where == "/axis_to_m");
  CHECK(flat[0].what == "is axis_from_m: an axis without length has no direction");
  const auto shorter = issues_of(R"({"axis_from_m": [1, 2]})");
  REQUIRE(shorter.size() == 1);
  CHECK(shorter[0].where == "/axis_from_m");
  CHECK(shorter[0].what == "got a list of 2");
  CHECK(issues_of(R"({"link": null})").size() == 1);
  CHECK(issues_of(R"({"radius_m": -1})").size() == 1);
  CHECK(issues_of(R"({"radius_m": 35})").size() == 1);  // of mm
}

}  // namespace
}  // namespace idbench
