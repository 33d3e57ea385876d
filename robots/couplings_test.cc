#include "robots/couplings.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "robots/robot.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

/// A lift with a gripper: two fingers, coupled in one of several ways.
std::string Gripper(const std::string& couplings) {
  const std::string inertia = "<inertial pos=\"0 0 0.1\" mass=\"1\" diaginertia=\"1 1 1\"/>";
  const auto finger = [&](const std::string& name) {
    return "<body name=\"" + name + "\"><joint name=\"" + name + "_slide\" type=\"slide\"/>" +
           inertia + "<site name=\"" + name + "_tip\" pos=\"0 0 0.1\"/></body>";
  };
  return "<mujoco><worldbody><body name=\"arm\"><joint name=\"lift\"/>" + inertia + finger("left") +
         finger("right") +
         "</body><body name=\"post\"><body name=\"gate\"><joint name=\"swing\"/>" + inertia +
         "</body></body></worldbody><tendon><fixed name=\"split\"><joint joint=\"left_slide\" "
         "coef=\"1\"/>"
         "<joint joint=\"right_slide\" coef=\"1\"/></fixed><spatial name=\"cord\">"
         "<site site=\"left_tip\"/><site site=\"right_tip\"/></spatial></tendon><equality>" +
         couplings + "</equality></mujoco>";
}

const char* const kAll = R"(<joint name="mimic" joint1="right_slide" joint2="left_slide"/>
  <tendon name="pull" tendon1="split"/><tendon tendon1="cord"/>
  <connect body1="left" body2="right" anchor="0 0 0"/>
  <weld name="glue" site1="left_tip" site2="right_tip"/>)";

RobotPart Moving(std::vector<std::string> joints) { return {"", {std::move(joints)}, {}}; }

std::string CouplingRefusal(const std::string& file, const RobotPart& part) {
  try {
    LoadRobot(file, part);
  } catch (const ConfigError& error) {
    return WithoutFolder(error.what(), error.source());
  }
  return "none";
}

TEST_CASE("Constraints among joints that are held are left out, and told") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("gripper.xml", Gripper(kAll));
  const Robot robot = LoadRobot(file, Moving({"lift"}));
  CHECK(robot.model.dofs() == 1);
  CHECK(robot.notes == std::vector<std::string>{
                           "left out, because no joint moves in them: the constraints joint mimic, "
                           "tendon pull, tendon cord, connect left, weld glue"});
}

TEST_CASE("Constraints of what is left out are not the robot's") {
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(folder.Write("gripper.xml", Gripper(kAll)), {"post", {}, {}});
  CHECK(robot.notes ==
        std::vector<std::string>{"left out, because they do not hang on post: arm, left, right"});
}

TEST_CASE("A constraint on a joint that moves is refused by name, with what to hold") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("gripper.xml", Gripper(kAll));
  const std::string other =
      "\n  or take the constraint out of the file, and each joint moves by itself\n";
  const std::string loop =
      "\n  accepted here: trees; leave out the constraint, and one joint of the loop moves what it "
      "moved\n  or hold the joints between the two: name those that move without them";
  CHECK(CouplingRefusal(file, Moving({"lift", "left_slide"})) ==
        "gripper.xml: mimic: a coupling: the constraint joint ties 'right_slide' to 'left_slide'\n"
        "  hold left_slide: name the joints that move without it" +
            other +
            "gripper.xml: pull: a coupling: the constraint tendon ties 'split' to a constant\n"
            "  hold left_slide: name the joints that move without it" +
            other +
            "gripper.xml: a coupling: the constraint tendon ties 'cord' to a constant\n"
            "  hold the joints that it couples: name those that move without them" +
            other + "gripper.xml: a closed loop: the constraint connect joins 'left' and 'right'" +
            loop +
            "\ngripper.xml: glue: a closed loop: the constraint weld joins 'left' and 'right'" +
            loop);
}

TEST_CASE("Of a whole model, joints that are coupled move by themselves, which is noted") {
  const TemporaryFolder folder;
  const std::string file = folder.Write(
      "gripper.xml",
      Gripper("<joint joint1=\"right_slide\" joint2=\"left_slide\"/><tendon tendon1=\"split\"/>"));
  CHECK(LoadRobot(file).notes ==
        std::vector<std::string>{"coupled joints (mimic, equality) move by themselves here: "
                                 "right_slide, split"});
}

}  // namespace
}  // namespace idbench
