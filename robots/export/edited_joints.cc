#include "robots/export/edited_joints.h"

#include <fmt/format.h>

#include <string_view>
#include <tuple>

#include "robots/export/written_model.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

/// Sets an attribute that may be there.
void Reset(pugi::xml_node node, const char* name, const std::string& value) {
  pugi::xml_attribute attribute = node.attribute(name);
  if (!attribute) attribute = node.append_attribute(name);
  attribute.set_value(value.c_str());
}

/// The blanks before a node.
std::string BlanksBefore(const pugi::xml_node& node) {
  const pugi::xml_node before = node.previous_sibling();
  return before.type() == pugi::node_pcdata ? before.value() : "";
}

/// Coefficients as an attribute: as few as have the same effect in place of `file`.
std::string CoefficientsText(const JointPassive::Polynomial& written,
                             const JointPassive::Polynomial& file) {
  const auto linear = [](const JointPassive::Polynomial& c) { return c[1] == 0.0 && c[2] == 0.0; };
  static_assert(std::tuple_size_v<JointPassive::Polynomial> == 3);
  // MuJoCo keeps the others of a class where an attribute has fewer.
  if (linear(written) && linear(file)) return ExactText(written[0]);
  return ExactText(Eigen::Vector3d(written.data()));
}

/// Writes what differs from the file into the element of a joint.
void SetMjcfPassive(pugi::xml_node joint, const JointPassive& file, const JointPassive& written) {
  if (written.damping != file.damping) {
    Reset(joint, "damping", CoefficientsText(written.damping, file.damping));
  }
  if (written.stiffness != file.stiffness) {
    Reset(joint, "stiffness", CoefficientsText(written.stiffness, file.stiffness));
  }
  if (written.armature != file.armature) Reset(joint, "armature", ExactText(written.armature));
  if (written.frictionloss != file.frictionloss) {
    Reset(joint, "frictionloss", ExactText(written.frictionloss));
  }
}

void SetUrdfPassive(pugi::xml_node joint, const JointPassive& file, const JointPassive& written) {
  if (written == file) return;
  pugi::xml_node dynamics = joint.child("dynamics");
  if (!dynamics) {
    const std::string indent = BlanksBefore(joint.first_child().next_sibling());
    const pugi::xml_node last = joint.last_child();
    dynamics = last.type() == pugi::node_pcdata ? joint.insert_child_before("dynamics", last)
                                                : joint.append_child("dynamics");
    if (!indent.empty()) {
      joint.insert_child_before(pugi::node_pcdata, dynamics).set_value(indent.c_str());
    }
  }
  Reset(dynamics, "damping", ExactText(written.damping[0]));
  Reset(dynamics, "friction", ExactText(written.frictionloss));
}

/// Joints of the model that a body has, in their order in the file.
std::vector<int> JointsOf(const RobotModel& model, const LinkBody& body) {
  if (!body.carries_frame || body.link < 0) return {};
  std::vector<int> joints = {body.link};
  for (int i = model.link(body.link).parent; i >= 0 && model.link(i).massless;
       i = model.link(i).parent) {
    joints.insert(joints.begin(), i);
  }
  return joints;
}

/// Hinges and slides of a body's element. Ball and free joints, which may owe their type to a
/// class, are no joints of the model.
void CollectJoints(const pugi::xml_node& parent, const RobotModel& model,
                   std::vector<pugi::xml_node>& elements) {
  for (const pugi::xml_node& child : parent.children()) {
    const std::string_view name = child.name();
    if (name == "frame") CollectJoints(child, model, elements);
    if (name != "joint") continue;
    const std::string_view type = child.attribute("type").value();
    if (type == "ball" || type == "free") continue;
    const std::string given = child.attribute("name").value();
    if (given.empty() || model.JointIndex(given) >= 0) elements.push_back(child);
  }
}

}  // namespace

void WriteMjcfPassive(const std::vector<pugi::xml_node>& elements, const RobotDescription& file,
                      const PassiveJoints& joints, const std::filesystem::path& source) {
  for (std::size_t k = 0; k < elements.size(); ++k) {
    std::vector<pugi::xml_node> found;
    CollectJoints(elements[k], file.model, found);
    const std::vector<int> own = JointsOf(file.model, file.bodies[k]);
    if (own.empty()) continue;
    if (found.size() != own.size()) {
      throw ConfigError(source.string(), file.bodies[k].name,
                        fmt::format("it has {} joints, and {} stand in its file, so their damping "
                                    "and armature cannot be written there",
                                    own.size(), found.size()),
                        {"give its joints names and types of their own, not by a class",
                         "--export-format urdf writes the robot anew"});
    }
    for (std::size_t j = 0; j < own.size(); ++j) {
      const auto i = static_cast<std::size_t>(own[j]);
      SetMjcfPassive(found[j], joints.file[i], joints.written[i]);
    }
  }
}

void WriteUrdfPassive(const pugi::xml_node& robot, const RobotModel& model,
                      const PassiveJoints& joints) {
  for (int i = 0; i < model.dofs(); ++i) {
    const pugi::xml_node joint =
        robot.find_child_by_attribute("joint", "name", model.link(i).joint.c_str());
    const auto k = static_cast<std::size_t>(i);
    SetUrdfPassive(joint, joints.file[k], joints.written[k]);
  }
}

/// Takes from actuators what they would add to joints that moved.
void WriteActuators(const pugi::xml_node& root, const std::filesystem::path& source,
                    const std::vector<std::string>& moved, std::vector<std::string>& notes) {
  const std::vector<std::size_t> adding = ActuatorsThatAdd(source, moved);
  if (adding.empty()) return;
  std::vector<pugi::xml_node> elements;
  for (const pugi::xml_node& actuators : root.children("actuator")) {
    for (const pugi::xml_node& child : actuators.children()) {
      if (child.type() == pugi::node_element) elements.push_back(child);
    }
  }
  std::vector<std::string> names;
  for (const std::size_t k : adding) {
    if (k >= elements.size()) break;  // CheckExportOnMotion() refuses what is left
    Reset(elements[k], "damping", "0 0 0");
    Reset(elements[k], "armature", "0");
    names.emplace_back(elements[k].attribute("joint").value());
  }
  notes.push_back(
      "damping and armature of actuators are 0, for those of their joints are the run's: " +
      ListSome(names));
}

}  // namespace idbench
