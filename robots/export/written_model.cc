#include "robots/export/written_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <pugixml.hpp>
#include <sstream>
#include <utility>
#include <vector>

#include "robots/dynamics/parameters/pseudo_inertia.h"

namespace idbench {
namespace {

constexpr double kUrdfGravity = 9.81;  ///< Of MuJoCo and most programs that read URDF [m/s²].
/// Direction cosines of gravity this near to straight down are straight down.
constexpr double kStraightDown = 1e-12;

using Attributes = std::vector<std::pair<const char*, std::string>>;

pugi::xml_node Append(pugi::xml_node parent, const char* name, const Attributes& attributes = {}) {
  pugi::xml_node node = parent.append_child(name);
  for (const auto& [key, value] : attributes) {
    node.append_attribute(key).set_value(value.c_str());
  }
  return node;
}

void AppendComment(pugi::xml_node parent, const char* text) {
  parent.append_child(pugi::node_comment).set_value(text);
}

std::string IndentedText(const pugi::xml_document& document) {
  std::ostringstream text;
  document.save(text, "  ", pugi::format_indent | pugi::format_no_declaration);
  return text.str();
}

InertialParameters BodyOf(const RobotModel& model, const Eigen::Ref<const Eigen::VectorXd>& pi,
                          int body) {
  return pi.segment<kInertialCount>(ParameterLayout(model).Body(body));
}

/// Roll, pitch and yaw of R = Rz(yaw)·Ry(pitch)·Rx(roll), exact also where the pitch is ±π/2.
Eigen::Vector3d RollPitchYaw(const Eigen::Matrix3d& R) {
  const double yaw = std::atan2(R(1, 0), R(0, 0));
  const double s = std::sin(yaw), c = std::cos(yaw);
  // The rows of Rz(−yaw)·R = Ry(pitch)·Rx(roll).
  return {std::atan2(s * R(0, 2) - c * R(1, 2), c * R(1, 1) - s * R(0, 1)),
          std::atan2(-R(2, 0), c * R(0, 0) + s * R(1, 0)), yaw};
}

void AppendOrigin(pugi::xml_node parent, const Eigen::Vector3d& p, const Eigen::Matrix3d& R) {
  Append(parent, "origin", {{"xyz", ExactText(p)}, {"rpy", ExactText(RollPitchYaw(R))}});
}

/// @param parameters  in the URDF link's frame.
void AppendUrdfLink(pugi::xml_node robot, const std::string& name,
                    const InertialParameters& parameters) {
  pugi::xml_node link = Append(robot, "link", {{"name", name}});
  if (parameters.isZero(0.0)) return;
  const CentralInertia inertia = FromStandard(parameters);
  const Eigen::Matrix3d& I = inertia.I_com;
  pugi::xml_node inertial = Append(link, "inertial");
  AppendOrigin(inertial, inertia.com, Eigen::Matrix3d::Identity());
  Append(inertial, "mass", {{"value", ExactText(inertia.mass)}});
  Append(inertial, "inertia",
         {{"ixx", ExactText(I(0, 0))},
          {"ixy", ExactText(I(0, 1))},
          {"ixz", ExactText(I(0, 2))},
          {"iyy", ExactText(I(1, 1))},
          {"iyz", ExactText(I(1, 2))},
          {"izz", ExactText(I(2, 2))}});
}

/// What a URDF joint needs where it is not limited. @return its type.
std::string AppendLimit(pugi::xml_node joint, const RobotModel& model, int i) {
  const JointLimits& limits = model.limits();
  const bool limited = std::isfinite(limits.lower[i]) && std::isfinite(limits.upper[i]);
  const bool revolute = model.link(i).type == JointType::kRevolute;
  Attributes attributes;
  if (limited) {
    attributes = {{"lower", ExactText(limits.lower[i])}, {"upper", ExactText(limits.upper[i])}};
  }
  if (std::isfinite(limits.effort[i])) {
    attributes.emplace_back("effort", ExactText(limits.effort[i]));
  }
  if (std::isfinite(limits.velocity[i])) {
    attributes.emplace_back("velocity", ExactText(limits.velocity[i]));
  }
  if (!attributes.empty()) Append(joint, "limit", attributes);
  if (!revolute) return "prismatic";
  return limited ? "revolute" : "continuous";
}

/// What is written of a joint.
JointPassive PassiveAt(const PassiveJoints& joints, int i) {
  return joints.written.empty() ? JointPassive{} : joints.written[static_cast<std::size_t>(i)];
}

void AppendUrdfDynamics(pugi::xml_node joint, const JointPassive& passive) {
  if (passive.damping[0] == 0.0 && passive.frictionloss == 0.0) return;
  Append(
      joint, "dynamics",
      {{"damping", ExactText(passive.damping[0])}, {"friction", ExactText(passive.frictionloss)}});
}

Attributes MjcfPassive(const JointPassive& passive) {
  Attributes attributes;
  const JointPassive none;
  const auto add = [&](const char* name, const JointPassive::Polynomial& coefficients) {
    if (coefficients == none.damping) return;
    const bool linear = coefficients[1] == 0.0 && coefficients[2] == 0.0;
    attributes.emplace_back(name, linear ? ExactText(coefficients[0])
                                         : ExactText(Eigen::Vector3d(coefficients.data())));
  };
  add("damping", passive.damping);
  add("stiffness", passive.stiffness);
  if (passive.armature != 0.0) attributes.emplace_back("armature", ExactText(passive.armature));
  if (passive.frictionloss != 0.0) {
    attributes.emplace_back("frictionloss", ExactText(passive.frictionloss));
  }
  return attributes;
}

void AppendUrdfJoint(pugi::xml_node robot, const RobotModel& model, const PassiveJoints& joints,
                     int i) {
  const Link& link = model.link(i);
  // The URDF link's frame L' has its origin at the anchor, c in L; the parent's likewise.
  const Eigen::Vector3d parent_anchor =
      link.parent < 0 ? Eigen::Vector3d::Zero() : model.link(link.parent).anchor;
  Eigen::Matrix3d R = link.R0;
  Eigen::Vector3d p = link.p0 + link.R0 * link.anchor - parent_anchor;
  if (link.type == JointType::kRevolute) {
    R = link.R0 * Eigen::AngleAxisd(-link.reference, link.axis).toRotationMatrix();
  } else {
    p -= link.reference * (link.R0 * link.axis);
  }
  pugi::xml_node joint = Append(robot, "joint", {{"name", link.joint}, {"type", ""}});
  AppendOrigin(joint, p, R);
  Append(joint, "parent", {{"link", model.BodyName(link.parent)}});
  Append(joint, "child", {{"link", link.name}});
  Append(joint, "axis", {{"xyz", ExactText(link.axis)}});
  joint.attribute("type").set_value(AppendLimit(joint, model, i).c_str());
  AppendUrdfDynamics(joint, PassiveAt(joints, i));
}

/// The shortest rotation that takes the unit vector `down` to −z; half a turn about x where that is
/// not unique. (Eigen's FromTwoVectors() has an SVD for that case, which takes 10 s to compile.)
Eigen::Matrix3d RotationToStraightDown(const Eigen::Vector3d& down) {
  const double sine2 = down.head(2).squaredNorm();
  if (down[2] > 0.0 && sine2 <= kStraightDown * kStraightDown) {
    return Eigen::Vector3d(1.0, -1.0, -1.0).asDiagonal();
  }
  // The quaternion (1 + cos θ, down × (−z)), unscaled; without cancellation where θ is near π.
  const double w = down[2] > 0.0 ? sine2 / (1.0 + down[2]) : 1.0 - down[2];
  return Eigen::Quaterniond(w, -down[1], down[0], 0.0).normalized().toRotationMatrix();
}

/// The root of a base that does not stand upright, and the strength of gravity where it is another.
void AppendUrdfGround(pugi::xml_node robot, const RobotModel& model) {
  const double strength = model.gravity().norm();
  if (strength != kUrdfGravity) {
    Append(Append(robot, "mujoco"), "option",
           {{"gravity", ExactText(Eigen::Vector3d(0.0, 0.0, -strength))}});
    AppendComment(robot, " another gravity than 9.81 m/s^2: tell other programs too ");
  }
  if (strength == 0.0) return;
  const Eigen::Vector3d down = model.gravity() / strength;
  if (down.head(2).norm() <= kStraightDown && down[2] < 0.0) return;
  const std::string world = model.base_name() == "world" ? "ground" : "world";
  const Eigen::Matrix3d R_WB = RotationToStraightDown(down);
  Append(robot, "link", {{"name", world}});
  pugi::xml_node joint = Append(robot, "joint", {{"name", world + "_joint"}, {"type", "fixed"}});
  AppendOrigin(joint, Eigen::Vector3d::Zero(), R_WB);
  Append(joint, "parent", {{"link", world}});
  Append(joint, "child", {{"link", model.base_name()}});
}

void AppendMjcfInertial(pugi::xml_node body, const InertialParameters& parameters) {
  if (parameters.isZero(0.0)) return;
  const CentralInertia inertia = FromStandard(parameters);
  const Eigen::Matrix3d& I = inertia.I_com;
  Eigen::VectorXd full(6);
  full << I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2);
  Append(body, "inertial",
         {{"pos", ExactText(inertia.com)},
          {"mass", ExactText(inertia.mass)},
          {"fullinertia", ExactText(full)}});
}

void AppendMjcfJoint(pugi::xml_node body, const RobotModel& model, const PassiveJoints& joints,
                     int i) {
  const Link& link = model.link(i);
  const JointLimits& limits = model.limits();
  const bool revolute = link.type == JointType::kRevolute;
  Attributes attributes = {{"name", link.joint},
                           {"type", revolute ? "hinge" : "slide"},
                           {"pos", ExactText(link.anchor)},
                           {"axis", ExactText(link.axis)}};
  if (link.reference != 0.0) attributes.emplace_back("ref", ExactText(link.reference));
  if (std::isfinite(limits.lower[i]) && std::isfinite(limits.upper[i])) {
    attributes.emplace_back("range", ExactText(Eigen::Vector2d(limits.lower[i], limits.upper[i])));
  }
  if (std::isfinite(limits.effort[i])) {
    attributes.emplace_back("actuatorfrcrange",
                            ExactText(Eigen::Vector2d(-limits.effort[i], limits.effort[i])));
  }
  const Attributes passive = MjcfPassive(PassiveAt(joints, i));
  attributes.insert(attributes.end(), passive.begin(), passive.end());
  Append(body, "joint", attributes);
}

}  // namespace

std::string CommentText(std::string text) {
  for (std::size_t at = 0; (at = text.find("--", at)) != std::string::npos;) {
    text.insert(at + 1, " ");
  }
  return " " + text + " ";
}

std::string ExactText(double value) { return fmt::format("{}", value + 0.0); }  // no −0

std::string ExactText(const Eigen::Ref<const Eigen::VectorXd>& values) {
  return fmt::format("{}", fmt::join(Eigen::VectorXd(values.array() + 0.0), " "));
}

Eigen::VectorXd InUrdfFrames(const RobotModel& model, const Eigen::Ref<const Eigen::VectorXd>& pi) {
  const ParameterLayout layout(model);
  Eigen::VectorXd moved = pi;
  for (int i = 0; i < model.dofs(); ++i) {
    moved.segment<kInertialCount>(layout.Body(i)) =
        Transformed(BodyOf(model, pi, i), Eigen::Matrix3d::Identity(), -model.link(i).anchor);
  }
  return moved;
}

std::string WrittenUrdf(const RobotModel& model, const Eigen::Ref<const Eigen::VectorXd>& pi,
                        const PassiveJoints& joints) {
  const Eigen::VectorXd moved = InUrdfFrames(model, pi);
  pugi::xml_document document;
  pugi::xml_node robot = Append(document, "robot", {{"name", model.name()}});
  if (!joints.note.empty()) AppendComment(robot, CommentText(joints.note).c_str());
  AppendUrdfGround(robot, model);
  AppendUrdfLink(robot, model.base_name(), BodyOf(model, pi, -1));
  for (int i = 0; i < model.dofs(); ++i) {
    AppendUrdfLink(robot, model.link(i).name, BodyOf(model, moved, i));
    AppendUrdfJoint(robot, model, joints, i);
  }
  return IndentedText(document);
}

std::string WrittenMjcf(const RobotModel& model, const Eigen::Ref<const Eigen::VectorXd>& pi,
                        const PassiveJoints& joints) {
  pugi::xml_document document;
  pugi::xml_node root = Append(document, "mujoco", {{"model", model.name()}});
  if (!joints.note.empty()) AppendComment(root, CommentText(joints.note).c_str());
  Append(root, "compiler", {{"angle", "radian"}, {"autolimits", "true"}});
  Append(root, "option", {{"gravity", ExactText(model.gravity())}});
  pugi::xml_node world = Append(root, "worldbody");
  pugi::xml_node base = world;
  if (model.base_name() != "world") base = Append(world, "body", {{"name", model.base_name()}});
  AppendMjcfInertial(base, BodyOf(model, pi, -1));
  std::vector<pugi::xml_node> bodies;  // of the links; those of one body share it
  for (int i = 0; i < model.dofs(); ++i) {
    const Link& link = model.link(i);
    const bool shares = link.parent >= 0 && model.link(link.parent).massless;
    pugi::xml_node parent = link.parent < 0 ? base : bodies[static_cast<std::size_t>(link.parent)];
    if (shares) {
      bodies.push_back(parent);
    } else {
      const Eigen::Quaterniond quat(link.R0);
      bodies.push_back(
          Append(parent, "body",
                 {{"name", ""},
                  {"pos", ExactText(link.p0)},
                  {"quat", ExactText(Eigen::Vector4d(quat.w(), quat.x(), quat.y(), quat.z()))}}));
    }
    pugi::xml_node body = bodies.back();
    if (!link.massless) {
      body.attribute("name").set_value(link.name.c_str());
      AppendMjcfInertial(body, BodyOf(model, pi, i));
    }
    AppendMjcfJoint(body, model, joints, i);
  }
  return IndentedText(document);
}

}  // namespace idbench
