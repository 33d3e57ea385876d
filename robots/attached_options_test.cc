#include "robots/attached_options.h"

#include <doctest/doctest.h>

#include <numbers>

#include "robots/dynamics/dynamics.h"
#include "robots/held_reference_test.h"
#include "robots/pose_options.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

std::string LinesOf(const std::vector<Issue>& issues) {
  std::string text;
  for (const Issue& issue : issues) {
    text += issue.where + ": " + issue.what;
    for (const std::string& detail : issue.details) text += "; " + detail;
    text += '\n';
  }
  return text;
}

const BodyInertiaOptions kWeight = {0.5, {0.0, 0.0, 0.1}, {1e-3, 2e-3, 2.5e-3}};

/// What AddAttached() has to say.
std::string Attach(const AttachedBodies& bodies, const Configurations& configurations,
                   const std::vector<ConfigurationUse>& uses, Robot robot = LoadRobot("planar2")) {
  std::vector<Issue> issues;
  AddAttached(bodies, configurations, uses, robot, issues);
  return LinesOf(issues);
}

TEST_CASE("A term of a configuration's own begins with the shared one's values in all sets") {
  Robot robot = LoadRobot("staubli_tx40");
  const Eigen::Index before = robot.sets[1].pi.size();
  std::vector<Issue> issues;
  const Configurations configurations = {{"hot", {{}, {"joint{1,3}.fv", "motor6.fc"}}}};
  AddAttached({}, configurations, {{"", true}, {"hot", true}}, robot, issues);
  AddOwnTerms(configurations, robot, issues);
  CHECK(LinesOf(issues).empty());
  const std::vector<std::string> names = ParameterNames(robot.model);
  REQUIRE(robot.sets[1].pi.size() == before + 3);
  for (const char* name : {"joint1.fv", "joint3.fv", "motor6.fc"}) {
    const auto at = [&names](const std::string& which) {
      return std::ranges::find(names, which) - names.begin();
    };
    for (const ParameterSet& set : robot.sets) {
      CHECK(set.pi[at(name)] > 0.0);
      CHECK(set.pi[at(std::string(name) + "@hot")] == set.pi[at(name)]);
    }
  }
  CHECK(robot.model.AbsentTerms(0) == std::vector<int>{27, 28, 29});  // 4 of 6 joints, and 3
  CHECK(robot.model.AbsentTerms(1) == std::vector<int>{0, 8, 25});
  const Robot bare = WithoutAttached(robot);
  CHECK(bare.sets[1].pi.size() == before);
  CHECK(bare.model.terms().size() == 3);
  CHECK(bare.model.AbsentTerms(0).empty());
}

TEST_CASE("A configuration says which body is touched: a link, one in a link, or an attached one") {
  const AttachedBodies tool = {{"tool", {.link = "link2", .known = true, .prior = kWeight}}};
  const auto touched = [&](const std::string& body) {
    Robot robot = LoadRobot("planar2");
    std::vector<Issue> issues;
    AddAttached(tool, {{"touched", {{"tool"}, {}, body}}}, {{"touched", true}}, robot, issues);
    CHECK(LinesOf(issues).empty());
    return robot.model.configurations()[0].touched;
  };
  CHECK(touched("") == -1);
  CHECK(touched("link1") == 0);
  CHECK(touched("link2") == 1);
  CHECK(touched("tool") == 2);
  CHECK(Attach(tool, {{"free", {{"tool"}, {}, ""}}, {"touched", {{}, {}, "tool"}}},
               {{"free", true}, {"touched", true}}) ==
        "/configurations/touched/touched: tool is not attached here; name it in \"attached\"\n");
  CHECK(Attach({}, {{"touched", {{}, {}, "link3"}}}, {{"touched", true}}) ==
        "/configurations/touched/touched: unknown link \"link3\"; accepted here: link1, link2; did "
        "you mean 'link1'?\n");
}

TEST_CASE(
    "A robot gets bodies, configurations that are used, and what is assumed in all its sets") {
  Robot robot = LoadRobot("planar2");
  const Robot bare = robot;
  const std::vector<double> rpy = {0.1, 0.2, 0.3};
  std::vector<Issue> issues;
  AddAttached({{"tool", {"link2", {0.1, 0.0, 0.2}, rpy, false, std::nullopt, kWeight}},
               {"weight", {.link = "link1", .known = true, .prior = kWeight}}},
              {{"idle", {{"tool"}}}, {"loaded", {{"weight", "tool"}}}, {"bare", {{}}}},
              {{"bare", true}, {"loaded", false}, {"loaded", true}}, robot, issues);
  CHECK(LinesOf(issues).empty());
  REQUIRE(robot.model.attached().size() == 2);
  const AttachedBody& tool = robot.model.attached()[0];
  CHECK(tool.name == "tool");
  CHECK(tool.link == 1);
  CHECK(tool.R_LA == RotationOfRpy(rpy));
  CHECK(tool.p_LA_L == Eigen::Vector3d(0.1, 0.0, 0.2));
  CHECK(!tool.known);
  CHECK(robot.model.attached()[1].known);
  REQUIRE(robot.model.configurations().size() == 2);  // "idle" is no experiment's
  CHECK(robot.model.configurations()[0].name == "loaded");
  CHECK(robot.model.configurations()[0].attached == std::vector<int>{0, 1});
  CHECK(robot.model.configurations()[0].identified);
  CHECK(robot.model.configurations()[1].name == "bare");
  CHECK(robot.model.configurations()[1].attached.empty());

  const ParameterLayout layout(robot.model);
  const Eigen::VectorXd weight =
      ToStandard({0.5, {0.0, 0.0, 0.1}, Eigen::Vector3d(1e-3, 2e-3, 2.5e-3).asDiagonal()});
  REQUIRE(!robot.sets.empty());
  for (std::size_t k = 0; k < robot.sets.size(); ++k) {
    const Eigen::VectorXd& pi = robot.sets[k].pi;
    REQUIRE(pi.size() == layout.size());
    CHECK(pi.segment(layout.Body(2), 10).isZero(0.0));  // nothing is assumed of the tool
    CHECK(pi.segment(layout.Body(3), 10) == weight);
    CHECK(WithoutAttached(robot.model, pi) == bare.sets[k].pi);
  }
  CHECK(robot.attached_truth.head(10) == weight);
  CHECK(robot.attached_truth.tail(10) == weight);  // as known
  const Robot without = WithoutAttached(robot);
  CHECK(without.model.attached().empty());
  CHECK(without.sets[0].pi == bare.sets[0].pi);
}

TEST_CASE("A body of the file that is always attached at its place makes its link whole again") {
  const Robot bare = LoadRobot("icub_right_arm");
  const AttachedBodyOptions upper_arm = {
      .link = "r_shoulder_3",
      .p_LB_L_m = {-0.0508973018, 0.0, 0.0291670296},
      .rpy_rad = {0.0, -1.30899701, 0.0},
      .prior = BodyInertiaOptions{0.745104,
                                  {-0.006087, 0.000126, 0.0293121},
                                  {0.000587372135, 0.000668487, 0.000521408865, 1.40375285e-06,
                                   3.26011354e-05, -8.58867298e-07}}};
  const auto attached = [&](const std::string& name, const AttachedBodyOptions& body,
                            const std::vector<ConfigurationUse>& uses) {
    Robot robot = bare;
    std::vector<Issue> issues;
    AddAttached({{name, body}}, {{"arm", {{name}}}}, uses, robot, issues);
    CHECK(LinesOf(issues).empty());
    return robot;
  };
  const Robot robot = attached("r_upper_arm", upper_arm, {{"arm", true}});
  CHECK(SplitFromLinks(robot) == std::vector<int>{0});
  const Eigen::VectorXd& split = robot.FindSet("urdf_icubgenova04_split")->pi;
  const Eigen::VectorXd& fused = bare.FindSet("urdf_icubgenova04")->pi;
  const Eigen::VectorXd whole = WithoutAttached(robot.model, WithLinksWhole(robot, split));
  CHECK((whole - fused).norm() < 1e-9);  // places have nine digits
  CHECK((WithoutAttached(robot.model, split) - fused).norm() > 0.7);
  // A body of another name, at another place, or in some experiments alone, is none of the link's.
  CHECK(SplitFromLinks(attached("cover", upper_arm, {{"arm", true}})).empty());
  CHECK(SplitFromLinks(attached("r_upper_arm", upper_arm, {{"arm", true}, {"", true}})).empty());
  AttachedBodyOptions turned = upper_arm;
  turned.rpy_rad[0] = 0.1;
  Robot elsewhere = bare;
  std::vector<Issue> issues;
  AddAttached({{"r_upper_arm", turned}}, {{"arm", {{"r_upper_arm"}}}}, {{"arm", true}}, elsewhere,
              issues);
  CHECK(LinesOf(issues).starts_with("/attached/r_upper_arm: is the name of a body of the robot"));
  const Robot cover = attached("cover", turned, {{"arm", true}});
  CHECK(SplitFromLinks(cover).empty());
  CHECK(WithLinksWhole(cover, split) == split);
}

TEST_CASE("Experiments that name no configuration have nothing attached") {
  Robot robot = LoadRobot("planar2");
  std::vector<Issue> issues;
  AddAttached({{"tool", {.link = "link2"}}}, {{"loaded", {{"tool"}}}},
              {{"loaded", true}, {"", false}}, robot, issues);
  REQUIRE(issues.empty());
  REQUIRE(robot.model.configurations().size() == 2);
  CHECK(robot.model.configurations()[0].name.empty());
  CHECK(robot.model.configurations()[0].attached.empty());
  CHECK(!robot.model.configurations()[0].identified);
  CHECK(robot.model.IdentifiedConfigurations() == std::vector<int>{1});
}

TEST_CASE("Bodies and configurations that cannot be are told, each with its place") {
  const std::vector<ConfigurationUse> uses = {{"loaded", true}};
  CHECK(Attach({{"tool", {.link = "link3"}}}, {{"loaded", {{"tool"}}}}, uses) ==
        "/attached/tool/link: unknown link \"link3\"; accepted here: link1, link2; did you mean "
        "'link1'?\n");
  CHECK(Attach({{"link1", {.link = "link2"}}}, {{"loaded", {{"link1"}}}}, uses) ==
        "/attached/link1: is the name of a body of the robot; give it another; only a part of that "
        "link "
        "has its name, at its place\n");
  CHECK(Attach({{"a.b", {.link = "link2"}}}, {{"loaded", {{"a.b"}}}}, uses) ==
        "/attached/a.b: a body's name is not empty and holds no \".\"\n");
  CHECK(Attach({{"tool", {.link = "link2", .known = true}}}, {{"loaded", {{"tool"}}}}, uses) ==
        "/attached/tool/prior: missing; a body that is known needs its inertia\n");
  CHECK(Attach({{"tool", {.link = "link2"}}}, {{"loaded", {{"tool", "tol", "tool"}}}}, uses) ==
        "/configurations/loaded/attached/1: no such body: \"tol\"; accepted here: tool; did you "
        "mean 'tool'?\n"
        "/configurations/loaded/attached/2: tool is named twice\n");
  CHECK(Attach({}, {{"loaded", {{"tool"}}}}, uses) ==
        "/configurations/loaded/attached/0: no such body: \"tool\"; declare it in /attached\n");
  CHECK(Attach({{"tool", {.link = "link2"}}}, {{"", {{"tool"}}}}, uses) ==
        "/configurations/: has no name; experiments that name no configuration have nothing "
        "attached\n");
  CHECK(Attach({{"tool", {.link = "link2"}}}, {{"loaded", {{"tool"}}}}, {{"", true}}) ==
        "/attached/tool: is attached in no experiment; name it in a configuration, and this in an "
        "experiment; or remove it\n");
  CHECK(Attach({{"tool", {.link = "link2"}}}, {{"loaded", {{"tool"}}}},
               {{"loaded", false}, {"", true}}) ==
        "/attached/tool: is attached in no experiment of role identification, so nothing can be "
        "learnt of it; attach it in one, or set \"known\" with its inertia as \"prior\"\n");
  CHECK(Attach({{"tool", {.link = "link2", .known = true, .prior = kWeight}}},
               {{"loaded", {{"tool"}}}}, {{"loaded", false}, {"", true}})
            .empty());
}

TEST_CASE("What is attached to a body that is held moves the joints as in MuJoCo's whole model") {
  const auto arm = [](const std::string& tool) {
    const std::string inertia =
        "<inertial pos=\"0.02 0.01 0.1\" mass=\"1\" diaginertia=\"0.02 0.03 0.025\"/>";
    return "<mujoco><compiler angle=\"radian\"/><worldbody><body name=\"pedestal\">" + inertia +
           "<body name=\"upper\"><joint name=\"j1\" axis=\"0 0 1\"/>" + inertia +
           "<body name=\"lower\" pos=\"0 0.1 0.4\"><joint name=\"j2\" axis=\"1 0 0\"/>" + inertia +
           "<body name=\"wrist\" pos=\"0 0 0.3\"><joint name=\"j3\" axis=\"0 1 0\"/>" + inertia +
           "<body name=\"hand\" pos=\"0.1 0 0\" euler=\"0.3 0.2 0.1\">" + inertia + tool +
           "</body></body></body></body></body></worldbody></mujoco>";
  };
  const TemporaryFolder folder;
  Robot part = LoadRobot(folder.Write("arm.xml", arm("")), {"", {{"j{1..2}"}}, {{"j3", 0.7}}});
  REQUIRE(part.model.dofs() == 2);
  std::vector<Issue> issues;
  AddAttached({{"tool", {"hand", {0.01, 0.02, 0.03}, {0.4, 0, 0}, true, kWeight}}},
              {{"loaded", {{"tool"}}}}, {{"loaded", true}}, part, issues);
  REQUIRE(LinesOf(issues).empty());
  const std::string loaded = folder.Write(
      "loaded.xml", arm("<body name=\"tool\" pos=\"0.01 0.02 0.03\" euler=\"0.4 0 0\"><inertial "
                        "pos=\"0 0 0.1\" mass=\"0.5\" diaginertia=\"1e-3 2e-3 2.5e-3\"/></body>"));
  const FixedStates states = MakeFixedStates(part.model, 20, 3);
  const Dynamics dynamics(part.model, {}, part.model.ConfigurationIndex("loaded"));
  Dynamics::Scratch scratch(dynamics);
  Eigen::MatrixXd tau(20, 2);
  dynamics.InverseDynamics(part.FindSet("")->pi, states.samples(), scratch, tau);
  CHECK((TorquesOfFile(loaded, part, states) - tau).cwiseAbs().maxCoeff() <=
        1e-12 * tau.cwiseAbs().maxCoeff());  // round-off of two recursions
  // Its name is that of no body, also none that is fused.
  CHECK(Attach({{"hand", {.link = "wrist"}}}, {{"loaded", {{"hand"}}}}, {{"loaded", true}}, part) ==
        "/attached/hand: is the name of a body of the robot; give it another; only a part of that "
        "link "
        "has its name, at its place\n");
  CHECK(Attach({{"tool", {.link = "hend"}}}, {{"loaded", {{"tool"}}}}, {{"loaded", true}}, part) ==
        "/attached/tool/link: unknown link \"hend\"; accepted here: upper, lower, wrist, hand; did "
        "you mean 'hand'?\n");
}

TEST_CASE("An attached body is read from JSON, with an inertia that can be") {
  AttachedBodyOptions body;
  std::vector<Issue> issues;
  ReadFields(Visit(body),
             Json::parse(R"({"link": "link7", "p_LB_L_m": [0, 0, 0.078], "known": false,
                             "prior": {"mass_kg": 0.2},
                             "truth": {"mass_kg": 0.193, "com_m": [0, 0, 0.1],
                                       "inertia_com_kgm2": [1e-3, 1e-3, 1e-4]}})"),
             "", issues);
  CHECK(issues.empty());
  CHECK(body.truth == BodyInertiaOptions{0.193, {0.0, 0.0, 0.1}, {1e-3, 1e-3, 1e-4}});
  CHECK(body.prior == BodyInertiaOptions{.mass_kg = 0.2});
  ReadFields(Visit(body), Json::parse(R"({"link": "link7", "rpy_rad": [0], "prior": {"mass_kg": -1},
                             "truth": {"mass_kg": 1, "com_m": [1, 2],
                                       "inertia_com_kgm2": [1, 1, 3]}})"),
             "/tool", issues);
  CHECK(LinesOf(issues) ==
        "/tool/prior/mass_kg: got -1; accepted here: a number, at least 0 [kg]\n"
        "/tool/truth/com_m: got a list of 2; accepted here: three numbers\n"
        "/tool/truth/inertia_com_kgm2: no body has the principal moments 1, 1, 3; accepted here: "
        "none is negative, none is more than the sum of the others\n");
  issues.clear();
  ReadFields(Visit(body), Json::parse(R"({"link": "link7", "truth": null,
                             "prior": {"mass_kg": 0, "inertia_com_kgm2": [1, 1, 1]}})"),
             "/tool", issues);
  CHECK(LinesOf(issues) ==
        "/tool/prior/mass_kg: is 0, but the body has an inertia; accepted here: a mass above 0, or "
        "no inertia\n");
  issues.clear();
  const auto drawn = [&](const char* json) {
    AttachedBodyOptions part;
    issues.clear();
    ReadFields(Visit(part), Json::parse(json), "/part", issues);
    return LinesOf(issues);
  };
  CHECK(drawn(R"({"link": "a", "drawn": true, "prior": {"mass_kg": 1}})").empty());
  CHECK(
      drawn(R"({"link": "a", "drawn": true, "prior": {"mass_kg": 1}, "truth": {"mass_kg": 1}})") ==
      "/part/drawn: is true, but the truth is written; remove one of the two\n");
  CHECK(drawn(R"({"link": "a", "drawn": true, "known": true, "prior": {"mass_kg": 1}})") ==
        "/part/drawn: is true, but the body is known; a known body is as its prior says: set it to "
        "false\n");
  CHECK(drawn(R"({"link": "a", "drawn": true})") ==
        "/part/drawn: is true, but no mass is assumed of the body; say in \"prior\" about what "
        "errors are drawn\n");
}

}  // namespace
}  // namespace idbench
