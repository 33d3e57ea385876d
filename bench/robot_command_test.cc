#include "bench/robot_command.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "bench/captured_output_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// Columns of the widest line.
std::size_t Width(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto columns = std::ranges::count_if(
        line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
    widest = std::max(widest, static_cast<std::size_t>(columns));
  }
  return widest;
}

/// A chain of `count` links with long names, hinges turned against each other; the last one has no
/// mass, the one before an impossible inertia.
std::string LongChain(int count) {
  std::string urdf = "<robot name=\"chain\"><link name=\"the_base_of_a_very_long_chain_link\"/>";
  std::string parent = "the_base_of_a_very_long_chain_link";
  for (int i = 1; i <= count; ++i) {
    const std::string name = fmt::format("the_very_long_name_of_the_link_number_{}", i);
    const char* inertia =
        i == count - 1 ? R"(<inertia ixx="1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/>)"
                       : R"(<inertia ixx="0.2" iyy="0.1" izz="0.2" ixy="0" ixz="0" iyz="0"/>)";
    urdf += "<link name=\"" + name + "\">";
    if (i < count) {
      urdf += fmt::format(R"(<inertial><origin xyz="0.1 0 0.2"/><mass value="1.5"/>{}</inertial>)",
                          inertia);
    }
    urdf += fmt::format(R"(</link><joint name="{0}_turning_joint" type="{1}"><parent link="{2}"/>
        <child link="{0}"/><origin xyz="0.1 0.02 0.3" rpy="{3} 0 0.5"/><axis xyz="0 0 1"/>
        <limit lower="-2.5" upper="1.25" effort="30" velocity="1"/></joint>)",
                        name, i % 5 == 0 ? "prismatic" : "revolute", parent,
                        i % 2 == 0 ? "1.5708" : "-1.5708");
    parent = name;
  }
  return urdf + "</robot>";
}

TEST_CASE("robot shows the WAM with its published numbers of base parameters") {
  const ProgramResult result = Call({"robot", "barrett_wam7", "--format", "json"});
  CHECK(result.code == 0);
  CHECK(result.errors.empty());
  const Json json = ParseJson(result.output, "stdout");
  CHECK(json["name"] == "barrett_wam7");
  CHECK(json["dofs"] == 7);
  CHECK(json["links"] == 8);
  CHECK(json["base_parameters"]["joint_torque"] == 43);
  CHECK(json["base_parameters"]["base_wrench"] == 50);
  CHECK(json["unphysical_links"].empty());
  const double error = json["self_check"]["max_relative_error"].get<double>();
  CHECK(error > 0.0);
  CHECK(error < 1e-12);  // round-off
  CHECK(json["joints"][6]["name"] == "joint7");
  CHECK(json["joints"][6]["type"] == "revolute");
  CHECK(json["joints"][6]["parent"] == "link6");
  CHECK(json["bodies"].size() == 8);
  CHECK(json["base_parameter_expressions"]["joint_torque"].size() == 43);
}

TEST_CASE("robot tells of the two-joint arm what the textbook does") {
  const ProgramResult result = Call({"robot", "planar2"});
  CHECK(result.code == 0);
  CHECK(result.errors.empty());
  for (const char* part :
       {"2 joints, 3 links with the base", "every inertia is physical",
        "   1  link1    ·  x · R   ·  ·  R  ·  ·  ·", "   2  link2    r  x · x   ·  ·  x  ·  ·  ·",
        "  link1.mcz - 0.5·link2.m\n", "  link1.Iyy + 0.25·link2.m\n",
        "joint torques     6 of 20 standard parameters, 13 have no effect",
        "against MuJoCo on 50 random states"}) {
    CAPTURE(part);
    CHECK(Has(result.output, part));
  }
}

TEST_CASE("robot tells the limits of each joint with units, and which has none of velocity") {
  const TemporaryFolder folder;
  std::string urdf = LongChain(6);  // of which joint 5 slides
  const std::string text = Call({"robot", folder.Write("chain.urdf", urdf)}).output;
  CHECK(Width(text) <= 100);
  CHECK(Has(text, "-2.5 … 1.25 rad   1 rad/s             –  30 N·m\n"));
  CHECK(Has(text, "  -2.5 … 1.25 m     1 m/s             –    30 N\n"));
  CHECK_FALSE(Has(text, "No limit of velocity"));
  const Json json =
      ParseJson(Call({"robot", folder.path() / "chain.urdf", "--format", "json"}).output, "stdout");
  CHECK(json["joints"][0]["velocity"] == 1.0);
  CHECK(json["joints"][0]["acceleration"].is_null());

  const std::size_t first = urdf.find(" velocity=\"1\"");
  urdf.erase(first, 13);
  const std::string without = Call({"robot", folder.Write("chain.urdf", urdf)}).output;
  CHECK(Width(without) <= 100);
  CHECK(Has(without, "No limit of velocity is known of the_very_long_name_of_the_link_number_1_"));
  CHECK(without.find("No limit of velocity") == without.rfind("No limit of velocity"));
  CHECK(Has(Call({"robot", "planar2"}).output,
            "   1  joint1  -2.8 … 2.8 rad   6 rad/s     30 rad/s²  120 N·m\n"));
}

TEST_CASE("robot tells of collision spheres and where they are from") {
  CHECK(Has(Call({"robot", "kuka_lwr4_mdh"}).output,
            "\ncollision: 8 spheres, 12 pairs (robot.json)\n"));
  CHECK(Has(Call({"robot", "planar2"}).output, " pairs (from 3 geoms)\n"));
  const TemporaryFolder folder;
  CHECK(Has(Call({"robot", folder.Write("chain.urdf", LongChain(3))}).output,
            " pairs (from link segments)\n"));
  const Json json =
      ParseJson(Call({"robot", "kuka_lwr4_mdh", "--format", "json"}).output, "stdout");
  CHECK(json["collision"]["spheres"]["hand"] ==
        Json::parse(R"({"link": "link7", "centre_m": [0.0, 0.0, 0.16], "radius_m": 0.08})"));
  CHECK(json["collision"]["pairs"].size() == 12);
  CHECK(json["collision"]["above_floor"] == Json({"elbow", "wrist"}));
}

TEST_CASE("robot tells which joints a walker's motors drive") {
  const ProgramResult text = Call({"robot", "biped3"});
  CHECK(text.code == 0);
  CHECK(Has(text.output,
            "torque on the joints per torque of the motors\n"
            "  hip_stance: +1 q3\n  hip_swing: -1 q2 +1 q3\n  nothing drives q1\n"));
  const Json json = ParseJson(Call({"robot", "biped3", "--format", "json"}).output, "stdout");
  CHECK(json["motors"] == Json::parse(R"({"hip_stance": {"q3": 1.0},
                                         "hip_swing": {"q2": -1.0, "q3": 1.0}})"));
  CHECK_FALSE(Has(Call({"robot", "planar2"}).output, "motors"));
}

TEST_CASE("A user's URDF with rounded angles and bad inertias is shown, with warnings") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("chain.urdf", LongChain(30));
  const ProgramResult json = Call({"robot", file, "--format", "json"});
  CHECK(json.code == 0);
  const Json robot = ParseJson(json.output, "stdout");  // nothing but JSON
  CHECK(robot["dofs"] == 30);
  CHECK(robot["base_parameters"]["joint_torque"].is_number_integer());
  CHECK(robot["uncertain_rank"].is_null());
  const std::string broken = "the_very_long_name_of_the_link_number_29";
  CHECK(robot["unphysical_links"] == Json({broken, "the_very_long_name_of_the_link_number_30"}));
  CHECK(robot["unphysical_reasons"][broken] ==
        "triangle inequality: principal moments 0.1, 0.1, 1 kg·m²");
  CHECK(robot["self_check"]["repaired_links"].size() == 2);
  CHECK(robot["self_check"]["max_relative_error"].get<double>() < 1e-9);
  CHECK(robot["warnings"].size() == 2);
  CHECK(json.errors ==
        "warning: axes along another but for at most 4e-06 rad (rounded in the file?) lie along it "
        "here\nwarning: inertias that no body has, read as written: "
        "the_very_long_name_of_the_link_number_29, the_very_long_name_of_the_link_number_30\n");

  const ProgramResult text = Call({"robot", file});
  CHECK(text.errors == json.errors);
  CHECK(Width(text.output) <= 100);
  CHECK(Has(text.output, "30 joints, 31 links with the base, 43.5 kg"));
  CHECK(Has(text.output, "prismatic"));
  CHECK(Has(text.output, "…"));
  CHECK(Has(text.output, " more\n"));
  CHECK(Has(text.output, "as MuJoCo refuses those that are written"));
}

TEST_CASE("A robot whose rank is not certain is shown without the count, with the reason") {
  const TemporaryFolder folder;
  // 6e-4 rad out of parallel: too much for a rounded angle, too little to be told from one where
  // the links behind turn much faster.
  std::string urdf = "<robot name=\"bent\"><link name=\"l0\"/>";
  for (int i = 1; i <= 9; ++i) {
    urdf += fmt::format(R"(<link name="l{0}"><inertial><mass value="1"/>
        <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="j{0}" type="continuous"><parent link="l{1}"/><child link="l{0}"/>
        <origin xyz="0 0 0.3"/><axis xyz="{2}"/></joint>)",
                        i, i - 1, i == 1 ? "0 1 0" : (i == 2 ? "0 1 6e-4" : "1 1 1"));
  }
  const std::string file = folder.Write("bent.urdf", urdf + "</robot>");
  const ProgramResult json = Call({"robot", file, "--format", "json"});
  CHECK(json.code == 0);
  const Json robot = ParseJson(json.output, "stdout");
  CHECK(robot["base_parameters"]["joint_torque"].is_null());
  CHECK(Has(robot["uncertain_rank"]["joint_torque"], "the rank of the regressor is not certain"));
  const ProgramResult text = Call({"robot", file});
  CHECK(text.code == 0);
  CHECK(Has(text.output, "joint torques  not certain"));
  CHECK(Has(text.output, "the rank of the regressor is not certain"));
  CHECK(Has(text.output, " ?  "));
}

/// What a user's scenario of a URDF says besides; at most 20 lines with `experiments` and the rest.
Json UrdfScenario(const std::string& name, const std::string& robot, const std::string& rest) {
  Json scenario = ParseJson(rest, name);
  scenario["name"] = name;
  scenario["robot"] = {{"model", robot}};
  scenario["problem"] = {{"prior", Json::object()}};
  scenario["estimators"] = {{"ols", Json::object()}};
  return scenario;
}

Json RecordOf(const std::filesystem::path& run) {
  return ParseJson(ReadText(run / "records.jsonl"), "record");
}

TEST_CASE("A URDF as users have them is simulated and identified, and its own log likewise") {
  const TemporaryFolder folder;
  const std::string robot = folder.Write("chain.urdf", LongChain(3));
  const std::string simulation =
      folder.Write("simulation.json", UrdfScenario("simulation", robot, R"({
        "experiments": {"fast": {"motion": {"type": "fourier", "duration_s": 2, "base_frequency_hz": 0.5, "candidates": 1}}},
        "sensors": {"joint_torque": {"noise_std_nm": 0.01}}, "trials": 1, "timing_trials": 1})")
                                          .dump());
  const std::filesystem::path simulated = folder.path() / "simulated";
  const ProgramResult run = Call({"run", simulation, "--out", simulated.string(), "--jobs", "1"});
  CAPTURE(run.errors);
  REQUIRE(run.code == 0);
  // Captions say how the file was read and what was done to it.
  const Json manifest = ReadJsonFile(simulated / "manifest.json");
  const std::string names =
      "the_very_long_name_of_the_link_number_2, the_very_long_name_of_the_link_number_3";
  for (const std::string& mark : {"simulated with inertias made physical: " + names,
                                  "inertias that no body has, read as written: " + names}) {
    CAPTURE(mark);
    CHECK(std::ranges::find(manifest["marks"], Json(mark)) != manifest["marks"].end());
    CHECK(Has(run.output, mark));
  }

  const std::string recording = folder.Write("recording.json", UrdfScenario("recording", robot, R"({
        "recording": {"root": ")" + (simulated / "series").string() + R"(",
          "columns": {"time": "t_s", "joint_position": "q{1..3}_rad", "joint_velocity": "qd{1..3}_rad_s",
                      "joint_acceleration": "qdd{1..3}_rad_s2", "joint_torque": "tau{1..3}_nm"}},
        "experiments": {"fast": {"file": "cell0_fast_trial0.csv"}}})")
                                                                   .dump());
  const std::filesystem::path recorded = folder.path() / "recorded";
  REQUIRE(Call({"run", recording, "--out", recorded.string()}).code == 0);
  // The log holds every digit: the estimates are the same to the bit.
  CHECK(RecordOf(recorded)["outcome"] == "ok");
  CHECK(RecordOf(recorded)["x"] == RecordOf(simulated)["x"]);
}

/// An arm with a gripper on a table, and a cube.
constexpr const char* kBench = R"(<mujoco><worldbody><body name="table"><geom size="0.1"/></body>
  <body name="cube"><freejoint/><geom size="0.1"/></body>
  <body name="arm"><geom size="0.1"/><body name="link1" pos="0 0 0.3">
    <joint name="j1" axis="0 0 1"/><geom size="0.1" pos="0.1 0 0"/>
    <body name="link2" pos="0 0 0.3"><joint name="j2" axis="1 0 0" range="-90 -10"/>
      <geom size="0.1" pos="0 0.2 0.1"/>
      <body name="finger" pos="0 0 0.3"><joint name="grip" type="slide" axis="1 0 0"/>
        <geom size="0.05" pos="0 0.2 0.1"/></body></body></body></body></worldbody></mujoco>)";

TEST_CASE("A user looks at a part of a robot before anything runs") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("bench.xml", kBench);
  const ProgramResult result =
      Call({"robot", file, "--root", "arm", "--joints", "j1", "grip", "--held-at", "j2=-0.5"});
  CHECK(result.code == 0);
  CHECK(result.errors == "warning: left out, because they do not hang on arm: table, cube\n");
  CHECK(Has(result.output, "2 joints, 3 links with the base"));
  CHECK(Has(result.output,
            "held  at [rad, m]  body   belongs to\nj2           -0.5  link2  link1\n"));
  CHECK(Has(result.output, "self-check       "));
  const Json json =
      Json::parse(Call({"robot", file, "--joints", "j{1..2}", "--format", "json"}).output);
  CHECK(json["dofs"] == 2);
  CHECK(json["left_out"] == Json({"cube"}));
  CHECK(json["held_joints"] == Json::parse(R"([{"name": "grip", "position": 0.0,
                                              "body": "finger", "link": "link2"}])"));
  // What a joint above the root moves is no body of the part, unless it is the root itself.
  const ProgramResult above = Call({"robot", file, "--root", "link2"});
  CHECK(Has(above.output, "j1              0  link1  –\n"));
  CHECK(Has(above.output, "j2              0  link2  link2\n"));
  const Json held = Json::parse(
      Call({"robot", file, "--root", "link2", "--format", "json"}).output)["held_joints"];
  CHECK(held[0]["link"].is_null());
  CHECK(held[1]["link"] == "link2");
  CHECK(json["self_check"]["max_relative_error"] < 1e-12);
}

TEST_CASE("A part that a model does not have is refused in the words of the call") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("bench.xml", kBench);
  const ProgramResult several = Call({"robot", file, "--root", "arm", "--joints", "j1", "j9"});
  CHECK(several.code == 2);
  CHECK(several.errors ==
        "--joints: the model has no joint \"j9\"\n  accepted here: j1, j2, grip\n"
        "  did you mean 'j1'?\n");
  CHECK(Call({"robot", file, "--root", "arn"}).errors ==
        "--root: the model has no body \"arn\"\n"
        "  accepted here: table, cube, arm, link1, link2, finger\n  did you mean 'arm'?\n");
  CHECK(Call({"robot", file, "--joints", "j1", "--held-at", "j2=1", "j1=0"}).errors ==
        "--held-at j1: is a joint that moves\n"
        "  remove it, or name the joints that move without it\n");
  for (const char* text : {"j2", "j2=", "=1", "j2=1rad"}) {
    CHECK(Call({"robot", file, "--joints", "j1", "--held-at", text}).errors ==
          "--held-at: got '" + std::string(text) +
              "'\n  accepted here: JOINT=VALUE, in rad or m, as in elbow=-1.57\n");
  }
}

TEST_CASE("A wrong call of robot is answered with what is accepted") {
  CHECK(Call({"robot"}).errors == "robot: which one? A name or a file\n");
  const ProgramResult format = Call({"robot", "planar1", "--format", "xml"});
  CHECK(format.code == 2);
  CHECK(format.errors == "--format: got 'xml'\n  accepted here: text, json\n");
  const ProgramResult unknown = Call({"robot", "planar9"});
  CHECK(unknown.code == 2);
  CHECK(unknown.output.empty());
  CHECK(Has(unknown.errors, "planar9: no such robot"));
  CHECK(Has(Call({"robot", "gone.stl"}).errors, "gone.stl: no such file"));
}

}  // namespace
}  // namespace idbench
