#include "robots/export/joint_passive.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "robots/actuator_limits.h"
#include "robots/mjspec.h"
#include "robots/model_reader.h"
#include "robots/robot_file.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

/// The file as MuJoCo parses it, with all that ParseModel() takes out.
SpecPtr ParseAll(const std::filesystem::path& file) {
  InstallMujocoLogHandler();
  std::array<char, 1000> error{};
  SpecPtr spec(mj_parseXML(file.c_str(), nullptr, error.data(), static_cast<int>(error.size())));
  if (!spec)
    throw ConfigError(file.string(), "", "MuJoCo cannot read it: " + std::string(error.data()));
  return spec;
}

JointPassive PassiveOfJoint(const mjsJoint& joint) {
  JointPassive passive{.armature = joint.armature, .frictionloss = joint.frictionloss};
  std::copy_n(joint.damping, passive.damping.size(), passive.damping.begin());
  std::copy_n(joint.stiffness, passive.stiffness.size(), passive.stiffness.begin());
  return passive;
}

bool IsZero(const JointPassive::Polynomial& coefficients) {
  return coefficients == JointPassive::Polynomial{};
}

/// What joints that stay as they are written have and a URDF cannot state; "" if nothing.
std::string LostInUrdf(const RobotModel& model, const std::vector<JointPassive>& joints) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const JointPassive& joint = joints[i];
    const JointPassive stated{.damping = {joint.damping[0]}, .frictionloss = joint.frictionloss};
    if (!(joint == stated)) names.push_back(model.link(static_cast<int>(i)).joint);
  }
  if (names.empty()) return "";
  return "left out, because a URDF has no place for it: armature, stiffness or damping that is not "
         "linear, of joints that stay as they are written: " +
         ListSome(names);
}

/// Makes a note of what is written for the joints that moved.
class PassiveNote {
 public:
  PassiveNote(const Robot& whole, const Eigen::Ref<const Eigen::VectorXd>& pi, ModelFormat format,
              ExportedCoulomb coulomb)
      : model_(whole.model), pi_(pi), format_(format), coulomb_(coulomb) {}

  /// @return the value of a parameter that cannot be negative, as it is written.
  double Written(int joint, JointParameter which) {
    const double value = Value(joint, which);
    if (value < 0.0) {
      const auto& name = kJointTerms[static_cast<std::size_t>(which)].name;
      negative_.push_back(fmt::format("{}.{} = {:.3g}", model_.link(joint).joint, name, value));
    }
    return std::max(value, 0.0);
  }
  void Replaced(int joint, const JointPassive& file, const JointPassive& written) {
    for (std::size_t k = 0; k < any_.size(); ++k) {
      any_[k] |= Value(joint, static_cast<JointParameter>(k)) != 0.0;
    }
    springs_ |= !IsZero(file.stiffness);
    if (!(file == written)) replaced_.push_back(model_.link(joint).joint);
  }

  std::string Text() const {
    const std::string beside = Beside();
    if (replaced_.empty() && beside.empty()) return "";
    std::vector<std::string> parts = {Any(JointParameter::kViscous)
                                          ? "damping is fv of the run"
                                          : "damping is 0, for the run has no viscous friction"};
    if (format_ == ModelFormat::kMjcf) {
      parts.emplace_back(Any(JointParameter::kRotorInertia)
                             ? "armature is ia of the run"
                             : "armature is 0, for the run counts no rotor inertia");
    }
    const char* const name = format_ == ModelFormat::kMjcf ? "frictionloss" : "friction";
    parts.push_back(
        coulomb_ == ExportedCoulomb::kFrictionloss
            ? fmt::format("{} is fc of the run, of which MuJoCo makes a soft constraint", name)
            : fmt::format("{} is 0", name));
    if (springs_) parts.emplace_back("stiffness is 0, for the run counts no springs");
    if (!beside.empty()) parts.push_back(fmt::format("{} in {} alone", beside, kRobotFile));
    std::string text = fmt::format("joints that moved: {}", fmt::join(parts, "; "));
    if (!replaced_.empty()) text += "; the file had other values at " + ListSome(replaced_);
    return text;
  }
  std::vector<std::string> Warnings() const {
    if (negative_.empty()) return {};
    return {
        fmt::format("negative, which no damping, armature or friction loss is, so 0 in the "
                    "model file, with the value in {} alone: {}",
                    kRobotFile, ListSome(negative_))};
  }

 private:
  double Value(int joint, JointParameter which) const {
    return pi_[ParameterLayout(model_).Joint(joint, which)];
  }
  bool Any(JointParameter which) const { return any_[static_cast<std::size_t>(which)]; }

  /// What of the set stands in robot.json alone.
  std::string Beside() const {
    std::vector<std::string> names;
    if (Any(JointParameter::kCoulomb) && coulomb_ == ExportedCoulomb::kBeside) {
      names.emplace_back("Coulomb friction");
    }
    if (Any(JointParameter::kOffset)) names.emplace_back("offsets");
    if (Any(JointParameter::kRotorInertia) && format_ == ModelFormat::kUrdf) {
      names.emplace_back("rotor inertia, for which a URDF has no place,");
    }
    if (!pi_.tail(std::ssize(model_.terms())).isZero(0.0)) names.emplace_back("terms of its own");
    if (names.empty()) return "";
    const bool one = names.size() == 1 && !names[0].ends_with('s');
    return fmt::format("{} {}", fmt::join(names, " and "), one ? "is" : "are");
  }

  const RobotModel& model_;
  Eigen::VectorXd pi_;
  ModelFormat format_;
  ExportedCoulomb coulomb_;
  std::array<bool, kJointParameterCount> any_{};
  bool springs_ = false;
  std::vector<std::string> negative_, replaced_;
};

}  // namespace

std::vector<JointPassive> PassiveIn(const mjSpec* spec) {
  const std::vector<mjsElement*> joints = Elements(spec, mjOBJ_JOINT);
  std::vector<JointPassive> passive(joints.size());
  for (mjsElement* element : joints) {
    passive.at(static_cast<std::size_t>(mjs_getId(element))) =
        PassiveOfJoint(*mjs_asJoint(element));
  }
  return passive;
}

PassiveJoints PassiveOf(const Robot& whole, const Eigen::Ref<const Eigen::VectorXd>& pi,
                        const std::vector<std::string>& moved, ModelFormat format,
                        ExportedCoulomb coulomb) {
  PassiveJoints joints;
  const SpecPtr spec = ParseModel(whole.file, {}, ModelExtent::kRobot).spec;
  ReadRobot(spec.get(), whole.name, whole.file);  // compiles it
  joints.file = PassiveIn(spec.get());
  joints.written = joints.file;
  PassiveNote note(whole, pi, format, coulomb);
  for (const std::string& name : moved) {
    const int i = whole.model.JointIndex(name);
    JointPassive& written = joints.written[static_cast<std::size_t>(i)];
    written = {};
    written.damping[0] = note.Written(i, JointParameter::kViscous);
    const double rotor = note.Written(i, JointParameter::kRotorInertia);
    if (format == ModelFormat::kMjcf) written.armature = rotor;
    if (coulomb == ExportedCoulomb::kFrictionloss) {
      written.frictionloss = note.Written(i, JointParameter::kCoulomb);
    }
    note.Replaced(i, joints.file[static_cast<std::size_t>(i)], written);
  }
  joints.note = note.Text();
  joints.warnings = note.Warnings();
  if (format == ModelFormat::kUrdf) {
    if (std::string lost = LostInUrdf(whole.model, joints.written); !lost.empty()) {
      joints.warnings.push_back(std::move(lost));
    }
  }
  return joints;
}

Eigen::VectorXd StatedParameters(const RobotModel& model, Eigen::VectorXd pi, ModelFormat format) {
  const ParameterLayout layout(model);
  const Eigen::VectorXd terms = pi.tail(layout.term_count());
  pi.tail(layout.term_count()).setZero();
  for (int i = 0; i < model.dofs(); ++i) {
    for (const auto which : {JointParameter::kViscous, JointParameter::kRotorInertia}) {
      if (which == JointParameter::kRotorInertia && format == ModelFormat::kUrdf) continue;
      const int k = layout.Joint(i, which);
      pi[k] = std::max(terms[k - layout.inertial_size()], 0.0);
    }
  }
  return pi;
}

std::vector<std::size_t> ActuatorsThatAdd(const std::filesystem::path& file,
                                          const std::vector<std::string>& joints) {
  const SpecPtr spec = ParseAll(file);
  std::vector<std::size_t> found;
  std::size_t place = 0;
  for (mjsElement* element : Elements(spec.get(), mjOBJ_ACTUATOR)) {
    const std::size_t own = place++;
    const mjsActuator& actuator = *mjs_asActuator(element);
    const std::optional<std::string> joint = JointOf(actuator);
    if (!joint) continue;
    const bool damps = std::ranges::any_of(actuator.damping, [](double c) { return c != 0.0; });
    if (!damps && actuator.armature == 0.0) continue;
    if (std::ranges::find(joints, *joint) != joints.end()) found.push_back(own);
  }
  return found;
}

std::string StillCounted(const std::filesystem::path& file) {
  const SpecPtr spec = ParseAll(file);
  std::vector<std::string> what, tendons;
  if (std::ranges::any_of(Elements(spec.get(), mjOBJ_BODY), [](mjsElement* element) {
        return mjs_asBody(element)->gravcomp != 0.0;
      })) {
    what.emplace_back("compensation of gravity (gravcomp)");
  }
  if (spec->option.density != 0.0 || spec->option.viscosity != 0.0) {
    what.emplace_back("a medium (density, viscosity)");
  }
  const auto any = [](const auto& values) {
    return std::ranges::any_of(values, [](double value) { return value != 0.0; });
  };
  for (mjsElement* element : Elements(spec.get(), mjOBJ_TENDON)) {
    const mjsTendon& tendon = *mjs_asTendon(element);
    if (any(tendon.stiffness) || any(tendon.damping) || tendon.armature != 0.0 ||
        tendon.frictionloss != 0.0) {
      tendons.emplace_back(mjs_getString(mjs_getName(element)));
    }
  }
  if (!tendons.empty()) what.push_back("passive tendons: " + ListSome(tendons));
  if (what.empty()) return "";
  return fmt::format("left as written, though MuJoCo counts it and the run does not: {}",
                     fmt::join(what, "; "));
}

}  // namespace idbench
