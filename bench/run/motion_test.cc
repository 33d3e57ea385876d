#include "bench/run/motion.h"

#include <doctest/doctest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "bench/run/traces.h"
#include "bench/small_run_test.h"
#include "robots/dynamics/kinematics.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// The first trial of an arm whose encoders are coarse.
struct MovedArm {
  MovedArm() : loaded(Load(Coarse())), cell(loaded, loaded.cells[0], rollouts), data(cell.Run(0)) {}

  static Json Coarse() {
    Json json = Description();
    json["robot"]["model"] = "puma560";
    json["experiments"]["identification"]["motion"]["duration_s"] = 4;
    json["sensors"]["joint_position"] = {{"noise_std_rad", 0.02}};
    json.erase("sweep");
    return json;
  }
  std::vector<Json> Lines() const {
    std::vector<Json> lines;
    std::istringstream stream(TrialTracer(cell, 0, data).traces().motions);
    for (std::string line; std::getline(stream, line);) lines.push_back(Json::parse(line));
    return lines;
  }

  LoadedScenario loaded;
  RolloutStore rollouts;
  PreparedCell cell;
  TrialData data;
};

TEST_CASE("A motion has the frames at every few of the joint positions that were measured") {
  const MovedArm arm;
  const std::vector<Json> lines = arm.Lines();
  REQUIRE(lines.size() == 1);
  const Json& line = lines[0];
  CHECK(line["experiment"] == "identification");
  CHECK_FALSE(line.contains("segment"));
  CHECK_FALSE(line.contains("units"));
  CHECK(line["gravity"] == Json::array({0.0, 0.0, -9.81}));
  CHECK(line["parents"] == Json::array({-1, 0, 1, 2, 3, 4, 5}));
  CHECK(line["frames"][6] == "link6, centre of mass");
  CHECK(line["joints"].size() == 6);
  const Channel& measured = arm.data.datasets[0].Get(kJointPosition);
  const Eigen::Index stride = (measured.time_s.size() + 299) / 300;
  REQUIRE(stride == 2);
  const auto count = static_cast<std::size_t>((measured.time_s.size() + stride - 1) / stride);
  for (const char* list : {"t_s", "q", "points"}) CHECK(line[list].size() == count);
  for (std::size_t k = 0; k < count; ++k) {
    const Eigen::Index sample = static_cast<Eigen::Index>(k) * stride;
    const Eigen::VectorXd q = measured.samples.row(sample);
    const std::vector<Pose> poses = ForwardKinematics(arm.cell.robot().model, q);
    // Four decimals of q, six digits of time.
    CHECK(std::abs(line["t_s"][k].get<double>() - measured.time_s[sample]) < 1e-5);
    for (std::size_t i = 0; i < 6; ++i) {
      CHECK(std::abs(line["q"][k][i].get<double>() - q[static_cast<Eigen::Index>(i)]) < 6e-5);
      for (int axis = 0; axis < 3; ++axis) {
        const double at = line["points"][k][i][static_cast<std::size_t>(axis)];
        CHECK(std::abs(at - poses[i].p_BL_B[axis]) < 6e-5);
      }
    }
  }
}

TEST_CASE("Segments of an experiment have motions of their own, numbered") {
  MovedArm arm;
  arm.data.datasets.push_back(arm.data.datasets[0]);
  const std::vector<Json> lines = arm.Lines();
  REQUIRE(lines.size() == 2);
  CHECK(lines[0]["segment"] == 0);
  CHECK(lines[1]["segment"] == 1);
}

TEST_CASE("Data without joint positions have no motion") {
  MovedArm arm;
  arm.data.datasets[0] = arm.data.datasets[0].WithoutChannels();
  CHECK(arm.Lines().empty());
}

TEST_CASE("A run keeps the motions of its kept trials in a file, and of no other trial") {
  const TemporaryFolder folder;
  Json json = Description();
  json["keep_series"] = {0, 3};
  Records(json, folder / "r");
  std::vector<std::string> heads;
  std::istringstream lines(ReadText(folder / "r" / "series" / "motions.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const Json json_line = Json::parse(line);
    heads.push_back(json_line["cell"].dump() + "/" + json_line["trial"].dump());
  }
  CHECK(heads == std::vector<std::string>{"0/0", "0/3", "1/0", "1/3"});
  json["keep_series"] = Json::array();
  Records(json, folder / "none");
  CHECK_FALSE(std::filesystem::exists(folder / "none" / "series"));
}

TEST_CASE("Of a tree with a rail the branches part at their link, and metres are stated") {
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(folder.Write("cart.urdf", R"(<robot name="cart">
    <link name="ground"/>
    <link name="cart"><inertial><mass value="2"/>
      <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <link name="left"><inertial><origin xyz="0 0 0.3"/><mass value="1"/>
      <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <link name="right"><inertial><origin xyz="0 0 0.3"/><mass value="1"/>
      <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="rail" type="prismatic"><parent link="ground"/><child link="cart"/>
      <axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="50" velocity="2"/></joint>
    <joint name="l" type="revolute"><parent link="cart"/><child link="left"/>
      <origin xyz="0 0.1 0"/><axis xyz="1 0 0"/>
      <limit lower="-2" upper="2" effort="50" velocity="5"/></joint>
    <joint name="r" type="revolute"><parent link="cart"/><child link="right"/>
      <origin xyz="0 -0.1 0"/><axis xyz="1 0 0"/>
      <limit lower="-2" upper="2" effort="50" velocity="5"/></joint></robot>)"));
  const Json motion = MotionOf(robot, Eigen::RowVector3d(0.25, 0.0, std::acos(0.0)));
  CHECK(motion["joints"] == Json::array({"rail", "l", "r"}));
  CHECK(motion["units"] == Json({{"rail", "m"}}));
  CHECK(motion["frames"] ==
        Json({"cart", "left", "right", "left, centre of mass", "right, centre of mass"}));
  CHECK(motion["parents"] == Json({-1, 0, 0, 1, 2}));
  CHECK(motion["q"] == Json::parse("[[0.25, 0.0, 1.5708]]"));
  CHECK(motion["points"].dump() ==
        "[[[0.25,0.0,0.0],[0.25,0.1,0.0],[0.25,-0.1,0.0],[0.25,0.1,0.3],[0.25,-0.4,0.0]]]");
}

}  // namespace
}  // namespace idbench
