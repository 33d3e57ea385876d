#include "bench/run/friction_curves.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "bench/small_run_test.h"
#include "robots/export/export_robot.h"
#include "robots/recording/channels.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// The first trial of planar2, of which viscous and Coulomb friction are unknown.
struct RubbingArm {
  explicit RubbingArm(double width_rad_s = 0.0, const char* type = "base")
      : loaded(Load(Rubbing(width_rad_s, type))),
        cell(loaded, loaded.cells[0], rollouts),
        data(cell.Run(0)) {}

  static Json Rubbing(double width_rad_s, const char* type) {
    Json json = Description();
    json.erase("sweep");
    json["problem"]["parametrisation"] = {
        {"type", type}, {"friction", {"viscous", "coulomb"}}, {"coulomb_width_rad_s", width_rad_s}};
    return json;
  }
  Eigen::Index Unknown(const std::string& name) const {
    const std::vector<std::string>& names = data.problem().parameters.names;
    return std::ranges::find(names, name) - names.begin();
  }
  /// fv 2, fc 0.5 of the second joint, variances 0.04 and 0.01, covariance 0.006; others 1.
  Estimate Guess() const {
    const Eigen::Index fv = Unknown("joint2.fv"), fc = Unknown("joint2.fc");
    const Parametrisation& parameters = data.problem().parameters;
    Estimate estimate;
    estimate.x = Eigen::VectorXd::Ones(parameters.size());
    estimate.x[fv] = 2.0;
    estimate.x[fc] = 0.5;
    estimate.pi = parameters.Pi(estimate.x);
    estimate.covariance = Eigen::MatrixXd::Identity(parameters.size(), parameters.size());
    (*estimate.covariance)(fv, fv) = 0.04;
    (*estimate.covariance)(fc, fc) = 0.01;
    (*estimate.covariance)(fv, fc) = (*estimate.covariance)(fc, fv) = 0.006;
    return estimate;
  }

  LoadedScenario loaded;
  RolloutStore rollouts;
  PreparedCell cell;
  TrialData data;
};

TEST_CASE("Friction over velocity and its σ are those of the columns") {
  const RubbingArm arm;
  const std::vector<Json> lines =
      FrictionCurves(arm.data.problem(), arm.data.datasets).Of(arm.Guess(), nullptr);
  REQUIRE(lines.size() == 2);
  const Json& line = lines[1];
  CHECK(line["joint"] == "joint2");
  CHECK(line["terms"] == Json::array({"joint2.fv", "joint2.fc"}));
  CHECK(line["units"] == Json{{"velocity", "rad/s"}, {"torque", "N·m"}});
  CHECK_FALSE(line.contains("true"));
  const Json& velocity = line["velocity"];
  CHECK(velocity.size() <= 81);
  double least = 1.0;
  for (std::size_t k = 0; k < velocity.size(); ++k) {
    const double v = velocity[k];
    const double s = v > 0 ? 1.0 : (v < 0 ? -1.0 : 0.0);
    // Six digits.
    CHECK(line["torque"][k].get<double>() == doctest::Approx(2.0 * v + 0.5 * s).epsilon(1e-5));
    const double variance = 0.04 * v * v + 0.01 * s * s + 2.0 * 0.006 * v * s;
    CHECK(line["sigma"][k].get<double>() == doctest::Approx(std::sqrt(variance)).epsilon(1e-5));
    if (v > 0.0) least = std::min(least, v);
  }
  CHECK(least < 1e-4);  // the step at 0 is sharp
  CHECK(std::ranges::count(velocity, Json(0.0)) == 1);
}

TEST_CASE("Curves are over the velocities that data for identification cover") {
  RubbingArm arm;
  const Eigen::VectorXd qd = arm.data.datasets[0].Get(kJointVelocity).samples.col(0);
  Dataset validation("validation", Role::kValidation);
  Channel fast = arm.data.datasets[0].Get(kJointVelocity);
  fast.samples *= 1000.0;
  validation.Add(std::move(fast));
  arm.data.datasets.push_back(validation);
  const Json line =
      FrictionCurves(arm.data.problem(), arm.data.datasets).Of(arm.Guess(), nullptr).at(0);
  CHECK(line["covered"][0].get<double>() == doctest::Approx(qd.minCoeff()).epsilon(1e-5));
  CHECK(line["covered"][1].get<double>() == doctest::Approx(qd.maxCoeff()).epsilon(1e-5));
  CHECK(line["velocity"].front() == line["covered"][0]);
  CHECK(line["velocity"].back() == line["covered"][1]);
}

TEST_CASE("Coulomb friction of some width has that width, standard parameters or base") {
  for (const char* type : {"base", "standard"}) {
    CAPTURE(type);
    const RubbingArm arm(0.1, type);
    const Json line =
        FrictionCurves(arm.data.problem(), arm.data.datasets).Of(arm.Guess(), nullptr).at(1);
    const auto at = std::ranges::find(line["velocity"], Json(0.05));
    REQUIRE(at != line["velocity"].end());
    const auto k = static_cast<std::size_t>(at - line["velocity"].begin());
    // tanh(0.05/0.1) = 0.4621172
    CHECK(line["torque"][k].get<double>() == doctest::Approx(0.1 + 0.5 * 0.4621172).epsilon(1e-5));
  }
}

TEST_CASE("Without friction among the unknowns there are no curves") {
  Json json = RubbingArm::Rubbing(0.0, "base");
  json["problem"]["parametrisation"]["friction"] = Json::array();
  json["trials"] = 1;
  const TemporaryFolder folder;
  Records(json, folder / "r");
  CHECK(std::filesystem::exists(folder / "r" / "series" / "residuals.jsonl"));
  CHECK_FALSE(std::filesystem::exists(folder / "r" / "series" / "friction.jsonl"));
}

/// A cart on a vertical rail, with a pendulum.
constexpr const char* kLift = R"(<robot name="lift">
  <link name="ground"/>
  <link name="cart"><inertial><mass value="2"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <joint name="rail" type="prismatic"><parent link="ground"/><child link="cart"/>
    <axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="100" velocity="2"/></joint>
  <link name="arm"><inertial><origin xyz="0 0 -0.3"/><mass value="1"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <joint name="swing" type="revolute"><parent link="cart"/><child link="arm"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="50" velocity="6"/></joint>
</robot>)";

TEST_CASE("An offset that shows with gravity alone is left out, beside the truth's") {
  const TemporaryFolder folder;
  folder.Write("lift.urdf", kLift);
  Json json = RubbingArm::Rubbing(0.0, "base");
  json["problem"]["parametrisation"] = {{"friction", {"viscous", "coulomb", "offset"}},
                                        {"rotor_inertia", true}};
  json["robot"] = {{"model", (folder / "lift.urdf").string()},
                   {"truth", {{"friction", {{"viscous_nms_rad", 3}, {"coulomb_nm", 0.25}}}}}};
  json["sensors"]["joint_torque"]["noise_std_nm"] = 0;
  json["estimators"] = {{"ols", Json::object()}};
  json["trials"] = 1;
  Records(json, folder / "r");
  std::istringstream stream(ReadText(folder / "r" / "series" / "friction.jsonl"));
  std::vector<Json> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(Json::parse(line));
  REQUIRE(lines.size() == 2);
  CHECK(lines[0]["estimator"] == "ols");
  CHECK(lines[0]["units"] == Json{{"velocity", "m/s"}, {"torque", "N"}});
  CHECK(lines[0]["terms"] == Json::array({"rail.fv", "rail.fc"}));
  CHECK(lines[1]["terms"] == Json::array({"swing.fv", "swing.fc", "swing.fo"}));
  for (const Json& line : lines) {
    const double v = line["velocity"].back();
    // Exact data: what is left is of six digits.
    CHECK(line["true"].back().get<double>() == doctest::Approx(3 * v + 0.25).epsilon(1e-5));
    CHECK(line["torque"].back().get<double>() == doctest::Approx(3 * v + 0.25).epsilon(1e-5));
  }
}

TEST_CASE("A motor's friction reaches each of its joints through the transmission") {
  const TemporaryFolder folder;
  std::filesystem::copy_file(RobotFolder() / "planar2" / "planar2.xml", folder / "arm.xml");
  Json robot = ReadJsonFile(RobotFolder() / "planar2" / "robot.json");
  robot["model"] = "arm.xml";
  robot["actuators"] = {{"a", {{"joint1", 3}}}, {"belt", {{"joint1", 1.5}, {"joint2", -1.5}}}};
  folder.Write("robot.json", robot.dump());
  Json json = RubbingArm::Rubbing(0.0, "base");
  json["problem"]["parametrisation"].erase("coulomb_width_rad_s");
  json["problem"]["parametrisation"]["rotor_inertia"] = true;
  json["problem"]["terms"] =
      ParseJson(R"([{"type": "asymmetric_friction", "motors": "belt"}])", "t");
  json["robot"] = {
      {"model", (folder / "robot.json").string()},
      {"truth",
       {{"terms", {{"belt.fc+", 0.3}, {"belt.fc-", 0.5}, {"belt.fv+", 0.2}, {"belt.fv-", 0.1}}},
        {"friction", {{"viscous_nms_rad", 0.4}, {"coulomb_nm", 0}}}}}};
  json["sensors"]["joint_torque"]["noise_std_nm"] = 0;
  json["estimators"] = {{"ols", Json::object()}};
  json["trials"] = 1;
  Records(json, folder / "r");
  std::istringstream stream(ReadText(folder / "r" / "series" / "friction.jsonl"));
  std::string text;
  std::getline(stream, text);
  std::getline(stream, text);
  const Json line = Json::parse(text);
  REQUIRE(line["joint"] == "joint2");
  const double v = line["velocity"].back();
  // The motor turns at −1.5·v: 0.4·v − 1.5·(0.1·(−1.5·v) − 0.5).
  CHECK(line["true"].back().get<double>() == doctest::Approx(0.625 * v + 0.75).epsilon(1e-5));
  CHECK(line["torque"].back().get<double>() == doctest::Approx(0.625 * v + 0.75).epsilon(1e-5));
  const double w = line["velocity"].front();
  // At +1.5·|w|: 0.4·w − 1.5·(0.2·(−1.5·w) + 0.3).
  CHECK(line["true"].front().get<double>() == doctest::Approx(0.85 * w - 0.45).epsilon(1e-5));
}

}  // namespace
}  // namespace idbench
