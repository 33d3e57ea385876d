#include "sim/truth/compile_truth.h"

#include <fmt/format.h>

#include <utility>

#include "robots/compile_robot.h"
#include "robots/dynamics/actuation.h"
#include "robots/dynamics/calibration.h"
#include "robots/model_reader.h"
#include "sim/sensors/per_joint.h"

namespace idbench {
namespace {

TrueFriction FrictionOf(const Eigen::Ref<const Eigen::VectorXd>& pi, const FrictionOptions& options,
                        const RobotModel& model) {
  const ParameterLayout layout(model);
  const int dofs = model.dofs();
  TrueFriction friction = TrueFriction::None(dofs);
  for (int i = 0; i < dofs; ++i) {
    friction.viscous[i] = pi[layout.Joint(i, JointParameter::kViscous)];
    friction.coulomb[i] = pi[layout.Joint(i, JointParameter::kCoulomb)];
    friction.offset[i] = pi[layout.Joint(i, JointParameter::kOffset)];
  }
  friction.stribeck_excess = ToVector(options.stribeck_excess_nm, dofs);
  friction.stribeck_velocity = ToVector(options.stribeck_velocity_rad_s, dofs);
  friction.load_coefficient = ToVector(options.load_coefficient, dofs);
  return friction;
}

/// The body that carries a link's frame (−1: the base's); 0, the world, if there is none.
int BodyOf(const ModelTree& tree, int link) {
  for (const LinkBody& body : tree.bodies) {
    if (body.link == link && body.carries_frame) return body.body;
  }
  return 0;
}

TrueBase BaseOf(const ModelTree& tree, const Eigen::Ref<const Eigen::VectorXd>& pi) {
  const auto pi_base = pi.segment<kInertialCount>(ParameterLayout(tree.model).Body(-1));
  return {.body = BodyOf(tree, -1), .mass = pi_base[0], .first_moment = pi_base.segment<3>(1)};
}

std::vector<TrueTerm> TermsOfTruth(const RobotModel& model,
                                   const Eigen::Ref<const Eigen::VectorXd>& pi) {
  std::vector<TrueTerm> terms;
  Eigen::Index k = pi.size() - std::ssize(model.terms());
  for (const Term& term : model.terms()) {
    const double value = pi[k++];
    if (value != 0.0 && term.rows == TermRows::kJoints) terms.push_back({term, value});
  }
  return terms;
}

/// What the sensor at a cut adds to the wrench there.
Eigen::Vector<double, 6> OffsetsOf(const RobotModel& model, int cut,
                                   const Eigen::Ref<const Eigen::VectorXd>& pi) {
  Eigen::Vector<double, 6> offsets = Eigen::Vector<double, 6>::Zero();
  Eigen::Index k = pi.size() - std::ssize(model.terms());
  for (const Term& term : model.terms()) {
    const double value = pi[k++];
    if (term.rows != TermRows::kCut || term.cut != cut || IsCalibration(term)) continue;
    offsets[term.shares[0].joint] += value;
  }
  return offsets;
}

}  // namespace

TrueRobot CompileTruth(const Robot& robot, const Eigen::Ref<const Eigen::VectorXd>& pi,
                       const MujocoPlantOptions& options, const TrueJointOptions& joints,
                       const std::vector<Payload>& payloads, const Eigen::Vector3d& imu_offset_L) {
  std::vector<WeldedBody> welded;
  for (std::size_t k = 0; k < payloads.size(); ++k) {
    welded.push_back({fmt::format("payload/{}", k), payloads[k].link, payloads[k].inertia});
  }
  ModelPtr model = CompileRobot(robot, pi, welded);
  std::vector<TruePayload> placed;
  for (std::size_t k = 0; k < payloads.size(); ++k) {
    placed.push_back({payloads[k], mj_name2id(model.get(), mjOBJ_BODY, welded[k].name.c_str())});
  }
  const ModelTree tree = ReadTree(*model, robot.name);
  const EndEffector& end_effector = robot.model.end_effector();
  TrueParts parts{BaseOf(tree, pi),       {BodyOf(tree, end_effector.link), end_effector.p_LE_L},
                  std::move(placed),      joints.mismatch,
                  joints.motor,           MotorsOfJointTorque(robot.model.actuation()),
                  robot.model.actuation()};
  if (const auto& imu = robot.model.imu()) {
    parts.imu = TrueImu{BodyOf(tree, imu->link), imu->p_LS_L + imu_offset_L};
  }
  if (const auto& meter = robot.model.distance_meter()) {
    parts.distance_meter =
        TrueDistanceMeter{BodyOf(tree, meter->link), meter->p_LS_L, meter->axis_L};
  }
  for (const Cut& cut : robot.model.cuts()) {
    const auto index = static_cast<int>(parts.cuts.size());
    parts.cuts.push_back({cut.name, BodyOf(tree, cut.link), cut.R_LS, cut.p_LS_L, cut.link_beyond,
                          OffsetsOf(robot.model, index, pi),
                          WavesOf(joints.mismatch.cables, robot.model, cut.name)});
  }
  parts.cables = SpringsOf(joints.mismatch.cables, robot.model);
  parts.terms = TermsOfTruth(robot.model, pi);
  return {std::move(model), robot.model.joint_names(), FrictionOf(pi, joints.friction, robot.model),
          options, std::move(parts)};
}

}  // namespace idbench
