#include "robots/model_reader.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "robots/mjspec.h"
#include "robots/urdf_limits.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

Eigen::Vector3d Vector(const double* v) { return {v[0], v[1], v[2]}; }

Eigen::Matrix3d Rotation(const double* quat) {
  return Eigen::Quaterniond(quat[0], quat[1], quat[2], quat[3]).normalized().toRotationMatrix();
}

std::string BodyName(const mjModel& model, int body) {
  const char* name = mj_id2name(&model, mjOBJ_BODY, body);
  return name != nullptr && *name != '\0' ? name : fmt::format("body{}", body);
}

std::string JointName(const mjModel& model, int joint) {
  const char* name = mj_id2name(&model, mjOBJ_JOINT, joint);
  return name != nullptr && *name != '\0' ? name : fmt::format("joint{}", joint);
}

void CheckJoints(const mjSpec* spec, const std::filesystem::path& file) {
  std::vector<Issue> issues;
  const std::vector<mjsElement*> joints = Elements(spec, mjOBJ_JOINT);
  for (mjsElement* element : joints) {
    const mjtJoint type = mjs_asJoint(element)->type;
    if (type == mjJNT_HINGE || type == mjJNT_SLIDE) continue;
    issues.push_back(
        {mjs_getString(mjs_getName(element)),
         type == mjJNT_FREE ? "a free joint" : "a ball joint",
         {"accepted here: hinge (revolute) and slide (prismatic) joints; name the joints "
          "that move without it, and it is held",
          "or write a ball joint as three hinges"}});
  }
  if (joints.empty()) {
    issues.push_back({"", "no joint moves", {"a robot needs at least one hinge or slide joint"}});
  }
  if (!issues.empty()) throw ConfigError(file.string(), issues);
}

/// Collects links body by body.
class TreeBuilder {
 public:
  explicit TreeBuilder(const mjModel& model)
      : model_(model),
        link_of_body_(static_cast<std::size_t>(model.nbody), -1),
        at_(static_cast<std::size_t>(model.nbody)) {}

  void Build() {
    for (int body = 1; body < model_.nbody; ++body) AddBody(body);
    if (base_body_ < 0) return;
    // The base's frame is its first body's; the world's pose of it was carried along until here.
    const LinkBody& base = at_[static_cast<std::size_t>(base_body_)];
    const Eigen::Matrix3d R_BW = base.R_LB.transpose();
    const Eigen::Vector3d p_WB_W = base.p_LB_L;
    for (Link& link : links) {
      if (link.parent >= 0) continue;
      link.p0 = R_BW * (link.p0 - p_WB_W);
      link.R0 = R_BW * link.R0;
    }
    for (LinkBody& body : at_) {
      if (body.link >= 0 || body.body < 1) continue;
      body.p_LB_L = R_BW * (body.p_LB_L - p_WB_W);
      body.R_LB = R_BW * body.R_LB;
    }
    gravity_rotation = R_BW;
  }

  std::string base_name() const { return base_body_ < 0 ? "world" : BodyName(model_, base_body_); }
  std::vector<LinkBody> bodies() const { return {at_.begin() + 1, at_.end()}; }

  std::vector<Link> links;
  std::vector<int> joint_ids;
  Eigen::Matrix3d gravity_rotation = Eigen::Matrix3d::Identity();

 private:
  void AddBody(int body) {
    const int parent = model_.body_parentid[body];
    const LinkBody& above = at_[static_cast<std::size_t>(parent)];
    // Pose of this body in the frame of the link that carries its parent.
    const Eigen::Matrix3d R = above.R_LB * Rotation(model_.body_quat + 4 * body);
    const Eigen::Vector3d p = above.p_LB_L + above.R_LB * Vector(model_.body_pos + 3 * body);
    LinkBody& own = at_[static_cast<std::size_t>(body)];
    own.body = body;
    if (const char* name = mj_id2name(&model_, mjOBJ_BODY, body)) own.name = name;
    const int joints = model_.body_jntnum[body];
    int link = link_of_body_[static_cast<std::size_t>(parent)];
    if (joints == 0) {
      own.link = link;
      own.R_LB = R;
      own.p_LB_L = p;
      own.carries_frame = link < 0 && base_body_ < 0;
      if (own.carries_frame) base_body_ = body;
    } else {
      for (int k = 0; k < joints; ++k) {
        link = AddLink(body, model_.body_jntadr[body] + k, link, k == 0 ? R : Identity(),
                       k == 0 ? p : Eigen::Vector3d::Zero(), k + 1 < joints);
      }
      own.link = link;
      own.carries_frame = true;
    }
    link_of_body_[static_cast<std::size_t>(body)] = link;
  }

  static Eigen::Matrix3d Identity() { return Eigen::Matrix3d::Identity(); }

  int AddLink(int body, int joint, int parent, const Eigen::Matrix3d& R0, const Eigen::Vector3d& p0,
              bool massless) {
    Link link;
    link.joint = JointName(model_, joint);
    link.name = massless ? BodyName(model_, body) + "/" + link.joint : BodyName(model_, body);
    link.parent = parent;
    link.type =
        model_.jnt_type[joint] == mjJNT_HINGE ? JointType::kRevolute : JointType::kPrismatic;
    link.R0 = R0;
    link.p0 = p0;
    link.axis = Vector(model_.jnt_axis + 3 * joint).normalized();
    link.anchor = Vector(model_.jnt_pos + 3 * joint);
    link.reference = model_.qpos0[model_.jnt_qposadr[joint]];
    link.massless = massless;
    links.push_back(std::move(link));
    joint_ids.push_back(joint);
    return static_cast<int>(links.size()) - 1;
  }

  const mjModel& model_;
  std::vector<int> link_of_body_;
  std::vector<LinkBody> at_;  ///< By body id; the world is the frame of everything static.
  int base_body_ = -1;
};

/// The greatest torque that a joint's actuators can give both ways; infinite where they have no
/// limit, or can give one way alone (a cable, a spring), which is no limit on ±τ.
double EffortOf(const mjModel& model, int joint) {
  const double lower = model.jnt_actfrcrange[2 * joint];
  const double upper = model.jnt_actfrcrange[2 * joint + 1];
  const bool both_ways = model.jnt_actfrclimited[joint] && lower < 0.0 && upper > 0.0;
  return both_ways ? std::min(-lower, upper) : std::numeric_limits<double>::infinity();
}

JointLimits ReadLimits(const mjModel& model, const std::vector<int>& joint_ids) {
  const auto n = static_cast<Eigen::Index>(joint_ids.size());
  const Eigen::VectorXd none =
      Eigen::VectorXd::Constant(n, std::numeric_limits<double>::infinity());
  JointLimits limits{-none, none, none, none, none};
  for (Eigen::Index i = 0; i < n; ++i) {
    const int joint = joint_ids[static_cast<std::size_t>(i)];
    if (model.jnt_limited[joint]) {
      limits.lower[i] = model.jnt_range[2 * joint];
      limits.upper[i] = model.jnt_range[2 * joint + 1];
    }
    limits.effort[i] = EffortOf(model, joint);
  }
  return limits;
}

/// A body's inertia as written; nothing if MuJoCo derives it from geoms.
std::optional<CentralInertia> WrittenInertia(mjsBody& body) {
  if (!body.explicitinertial) {
    if (mjs_firstChild(&body, mjOBJ_GEOM, 0) != nullptr) return std::nullopt;
    return CentralInertia{};
  }
  ResolveOrientation(body.element, body.iquat, body.ialt);
  const double* const f = body.fullinertia;
  // MuJoCo takes a NaN in front for "not given", with zeros behind it.
  const bool full =
      !std::isnan(f[0]) || std::any_of(f + 1, f + 6, [](double x) { return x != 0.0; });
  Eigen::Matrix3d I;
  if (full) {
    I << f[0], f[3], f[4], f[3], f[1], f[5], f[4], f[5], f[2];
  } else {
    I = Vector(body.inertia).asDiagonal();
  }
  const Eigen::Matrix3d R = Rotation(body.iquat);
  return CentralInertia{body.mass, Vector(body.ipos), R * I * R.transpose()};
}

/// Something that MuJoCo compiles.
void SetUnitInertia(mjsBody& body) {
  body.explicitinertial = true;
  body.mass = 1.0;
  std::fill_n(body.inertia, 3, 1.0);
  std::fill_n(body.fullinertia, 6, std::numeric_limits<double>::quiet_NaN());
}

bool IsAValue(const CentralInertia& inertia) {
  constexpr double kGreatest = 1e12;  // [kg, m, kg·m²]; beyond it, products overflow
  const auto in_range = [](double value) { return std::abs(value) <= kGreatest; };  // not of NaN
  return in_range(inertia.mass) &&
         in_range(inertia.com.cwiseAbs().maxCoeff<Eigen::PropagateNaN>()) &&
         in_range(inertia.I_com.cwiseAbs().maxCoeff<Eigen::PropagateNaN>());
}

using InertiaOfElement = std::vector<std::pair<mjsElement*, CentralInertia>>;

/// Takes the inertias that are written out of the spec and leaves unit inertias in their place.
InertiaOfElement TakeInertias(mjSpec* spec, const std::filesystem::path& file) {
  InertiaOfElement taken;
  // Either says that all inertias are what MuJoCo computes.
  if (spec->compiler.inertiafromgeom == mjINERTIAFROMGEOM_TRUE) return taken;
  if (spec->compiler.settotalmass > 0.0) return taken;
  std::vector<Issue> issues;
  for (mjsElement* element : Elements(spec, mjOBJ_BODY)) {
    mjsBody* const body = mjs_asBody(element);
    if (body == mjs_findBody(spec, "world")) continue;
    const std::optional<CentralInertia> inertia = WrittenInertia(*body);
    if (!inertia) continue;
    if (!IsAValue(*inertia)) {
      issues.push_back({mjs_getString(mjs_getName(element)),
                        "an inertia that is no number or beyond 1e12",
                        {"accepted here: finite values in kg, m and kg·m²"}});
    }
    taken.emplace_back(element, *inertia);
    SetUnitInertia(*body);
  }
  if (!issues.empty()) throw ConfigError(file.string(), issues);
  return taken;
}

/// The same robot with the velocity limits of a URDF, which a compiled model does not have.
RobotModel WithUrdfVelocities(const RobotModel& model, const std::filesystem::path& file) {
  JointLimits limits = model.limits();
  limits.velocity = UrdfVelocityLimits(file, model.joint_names());
  return {model.name(), model.base_name(), model.links(), model.gravity(), std::move(limits)};
}

CentralInertia CompiledInertia(const mjModel& model, int body) {
  const Eigen::Matrix3d R = Rotation(model.body_iquat + 4 * body);
  return {model.body_mass[body], Vector(model.body_ipos + 3 * body),
          R * Vector(model.body_inertia + 3 * body).asDiagonal() * R.transpose()};
}

}  // namespace

ModelTree ReadTree(const mjModel& model, const std::string& name) {
  TreeBuilder builder(model);
  builder.Build();
  const bool falls = (model.opt.disableflags & mjDSBL_GRAVITY) == 0;
  const Eigen::Vector3d gravity_W = falls ? Vector(model.opt.gravity) : Eigen::Vector3d::Zero();
  ModelTree tree;
  tree.bodies = builder.bodies();
  tree.joint_ids = builder.joint_ids;
  tree.model = RobotModel(name, builder.base_name(), std::move(builder.links),
                          builder.gravity_rotation * gravity_W, ReadLimits(model, tree.joint_ids));
  return tree;
}

RobotDescription ReadRobot(mjSpec* spec, const std::string& name,
                           const std::filesystem::path& file) {
  CheckJoints(spec, file);
  const InertiaOfElement written = TakeInertias(spec, file);
  const ModelPtr compiled = Compile(spec, file);
  std::vector<CentralInertia> inertias;
  for (int body = 0; body < compiled->nbody; ++body) {
    inertias.push_back(CompiledInertia(*compiled, body));
  }
  for (const auto& [element, inertia] : written) {
    inertias[static_cast<std::size_t>(mjs_getId(element))] = inertia;
  }

  const ModelTree tree = ReadTree(*compiled, name);
  const ParameterLayout layout(tree.model);
  RobotDescription description{
      WithUrdfVelocities(tree.model, file), Eigen::VectorXd::Zero(layout.size()), {}, tree.bodies};
  for (LinkBody& body : description.bodies) {
    body.inertia = inertias[static_cast<std::size_t>(body.body)];
    description.pi.segment<kInertialCount>(layout.Body(body.link)) +=
        Transformed(ToStandard(body.inertia), body.R_LB, body.p_LB_L);
  }
  for (const LinkBody& body : description.bodies) {
    const CentralInertia& inertia = body.inertia;
    const InertialParameters total = description.pi.segment<kInertialCount>(layout.Body(body.link));
    if (ConsistencyOf(inertia) == Consistency::kDegenerate) {
      if (ConsistencyOf(FromStandard(total)) == Consistency::kConsistent) continue;
      // A frame on the ground needs no mass, nor does one on what has some.
      const bool moves = body.link >= 0 && body.carries_frame;
      if (inertia.mass == 0.0 && (!moves || total[0] != 0.0)) continue;
    }
    if (const auto reason = WhyUnphysical(inertia)) {
      description.unphysical.push_back({BodyName(*compiled, body.body), *reason});
    }
  }
  return description;
}

}  // namespace idbench
