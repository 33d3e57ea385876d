#pragma once

#include <mujoco/mujoco.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "robots/mjspec.h"
#include "robots/model_reader.h"
#include "robots/robot.h"

/// MuJoCo as an oracle for idbench's own dynamics and kinematics.
namespace idbench {

/// Has every trait that the catalogued arms lack: branches, prismatic joints, three joints on one
/// body, anchors away from the origin, `ref`, rotated bodies, axes that are neither unit vectors
/// nor along an axis, welded bodies between moving ones and under the base, a tilted base,
/// slanted gravity.
inline constexpr std::string_view kOddTree = R"(
<mujoco model="odd_tree">
  <compiler angle="radian" autolimits="true"/>
  <option gravity="1.5 -2.5 -9"/>
  <worldbody>
    <body name="pedestal" pos="0.3 -0.2 0.5" quat="0.9 0.1 -0.3 0.2">
      <inertial pos="0.02 0.01 -0.1" mass="7" fullinertia="0.2 0.25 0.3 0.01 -0.02 0.03"/>
      <body name="plate" pos="0.1 0.05 0.2" quat="0.5 -0.2 0.7 0.1">
        <inertial pos="0.1 0 0.05" mass="1.5" fullinertia="0.02 0.03 0.04 0.001 0.002 -0.003"/>
        <body name="a" pos="0.05 -0.1 0.15" quat="0.8 0.3 0.1 -0.4">
          <inertial pos="0.1 -0.05 0.2" mass="3" fullinertia="0.06 0.05 0.04 0.004 -0.003 0.002"/>
          <joint name="a_turn" axis="1 2 -1" pos="0.1 0.02 -0.05" ref="0.4"/>
          <joint name="a_slide" type="slide" axis="0 1 1" ref="-0.1"/>
          <joint name="a_twist" axis="0 0 2" pos="0 0.1 0"/>
          <body name="clamp" pos="0.2 0.1 0" quat="0.6 0.6 -0.2 0.1">
            <inertial pos="-0.05 0.02 0.1" mass="0.8"
                      fullinertia="0.01 0.012 0.009 0.001 0.0005 -0.002"/>
            <body name="b" pos="0 0.1 0.3" quat="0.7 -0.1 0.4 0.2">
              <inertial pos="0.03 0.04 -0.12" mass="2"
                        fullinertia="0.03 0.02 0.025 -0.002 0.001 0.003"/>
              <joint name="b_slide" type="slide" axis="3 -1 1" pos="0.5 0.5 0.5"/>
              <body name="c" pos="-0.1 0 0.2">
                <inertial pos="0 0.02 0.05" mass="0.6"
                          fullinertia="0.003 0.002 0.004 0.0002 0.0001 -0.0003"/>
                <joint name="c_turn" axis="0 -1 0" pos="0.02 0 -0.03"/>
              </body>
            </body>
          </body>
          <body name="d" pos="0 -0.2 0.1" quat="0.3 0.2 0.9 -0.5">
            <inertial pos="0.06 -0.02 0.01" mass="1.1"
                      fullinertia="0.008 0.01 0.006 0.001 -0.0004 0.0007"/>
            <joint name="d_turn" axis="1 0 1" ref="-0.7"/>
          </body>
        </body>
      </body>
    </body>
    <body name="post" pos="-0.4 0.6 0" quat="0.9 0.3 0 0.3">
      <inertial pos="0 0 0.3" mass="4" fullinertia="0.1 0.11 0.03 0.003 0 0.001"/>
      <body name="e" pos="0.1 0 0.4">
        <inertial pos="0 0.1 0.02" mass="0.9"
                  fullinertia="0.006 0.004 0.007 0.0003 -0.0002 0.0005"/>
        <joint name="e_turn" axis="1 1 1" pos="0 0.02 0"/>
      </body>
    </body>
  </worldbody>
</mujoco>
)";

/// Model file compiled by MuJoCo, together with what idbench reads from it. Constraints, contacts
/// and passive forces are off: rigid bodies and gravity remain.
struct MujocoReference {
  static MujocoReference FromFile(const std::filesystem::path& file) {
    return MujocoReference(ParseSpec(file), ParseSpec(file), file);
  }
  static MujocoReference FromText(std::string_view mjcf) {
    const std::string text(mjcf);
    const auto parse = [&text] {
      return SpecPtr(mj_parseXMLString(text.c_str(), nullptr, nullptr, 0));
    };
    return MujocoReference(parse(), parse(), "test.xml");
  }

  void SetState(const Eigen::Ref<const Eigen::VectorXd>& q,
                const Eigen::Ref<const Eigen::VectorXd>& qd,
                const Eigen::Ref<const Eigen::VectorXd>& qdd) {
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      data->qpos[model->jnt_qposadr[Joint(i)]] = q[i];
      data->qvel[Dof(i)] = qd[i];
      data->qacc[Dof(i)] = qdd[i];
    }
  }
  void SetPositions(const Eigen::Ref<const Eigen::VectorXd>& q) {
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(q.size());
    SetState(q, zero, zero);
    mj_kinematics(model.get(), data.get());
    mj_comPos(model.get(), data.get());
  }

  /// Returns τ of `mj_inverse` at the state that was set.
  Eigen::VectorXd InverseDynamics() {
    mj_inverse(model.get(), data.get());
    Eigen::VectorXd tau(tree.model.dofs());
    for (Eigen::Index i = 0; i < tau.size(); ++i) tau[i] = data->qfrc_inverse[Dof(i)];
    return tau;
  }

  /// Returns force and moment of the world on all bodies attached to it, at the base's origin, in
  /// base axes, for the state of the last InverseDynamics().
  Eigen::VectorXd BaseWrench() {
    mj_rnePostConstraint(model.get(), data.get());
    const Eigen::Vector3d p_WB_W = Vector(data->xpos, base_body());
    Eigen::Vector3d force = Eigen::Vector3d::Zero();
    Eigen::Vector3d moment = Eigen::Vector3d::Zero();
    for (int body = 1; body < model->nbody; ++body) {
      if (model->body_parentid[body] != 0) continue;
      // cfrc_int: moment, then force, about the centre of mass of the body's tree.
      const Eigen::Vector3d own = Vector(data->cfrc_int, 2 * body + 1);
      const Eigen::Vector3d p_WC_W = Vector(data->subtree_com, model->body_rootid[body]);
      force += own;
      moment += Vector(data->cfrc_int, 2 * body) + (p_WC_W - p_WB_W).cross(own);
    }
    const Eigen::Matrix3d R_WB = Rotation(base_body());
    Eigen::VectorXd wrench(6);
    wrench << R_WB.transpose() * force, R_WB.transpose() * moment;
    return wrench;
  }

  /// Returns force and moment at a cut, as Dynamics::CutWrench(), from what each body beyond it
  /// needs: m·(a_c − g), and İω + ω × Iω about its centre of mass. For the state of the last
  /// InverseDynamics().
  Eigen::VectorXd CutWrench(const Cut& cut) {
    mj_rnePostConstraint(model.get(), data.get());
    const int link_body = BodyOf(cut.link);
    const Eigen::Matrix3d R_WS = Rotation(link_body) * cut.R_LS;
    const Eigen::Vector3d p_WS_W = Vector(data->xpos, link_body) + Rotation(link_body) * cut.p_LS_L;
    Eigen::Vector3d force = Eigen::Vector3d::Zero();
    Eigen::Vector3d moment = Eigen::Vector3d::Zero();
    const int last = cut.link + tree.model.subtree_size(cut.link);
    for (const LinkBody& body : tree.bodies) {
      if (body.link < cut.link || body.link >= last) continue;
      if (body.link == cut.link && !cut.link_beyond) continue;
      mjtNum acceleration[6], velocity[6];  // angular, then linear; against gravity
      mj_objectAcceleration(model.get(), data.get(), mjOBJ_BODY, body.body, acceleration, 0);
      mj_objectVelocity(model.get(), data.get(), mjOBJ_BODY, body.body, velocity, 0);
      const Eigen::Matrix3d R_WI = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(
          data->ximat + 9 * body.body);
      const Eigen::Matrix3d inertia =
          R_WI * Vector(model->body_inertia, body.body).asDiagonal() * R_WI.transpose();
      const Eigen::Vector3d w = Vector(velocity, 0);
      const Eigen::Vector3d own = model->body_mass[body.body] * Vector(acceleration, 1);
      force += own;
      moment += inertia * Vector(acceleration, 0) + w.cross(inertia * w) +
                (Vector(data->xipos, body.body) - p_WS_W).cross(own);
    }
    Eigen::VectorXd wrench(6);
    wrench << R_WS.transpose() * force, R_WS.transpose() * moment;
    return wrench;
  }

  Eigen::MatrixXd MassMatrix(const Eigen::Ref<const Eigen::VectorXd>& q) {
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(q.size());
    SetState(q, zero, zero);
    mj_fwdPosition(model.get(), data.get());
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> full(model->nv,
                                                                                model->nv);
    mj_fullM(model.get(), data.get(), full.data());
    const Eigen::Index n = q.size();
    Eigen::MatrixXd M(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) M(i, j) = full(Dof(i), Dof(j));
    }
    return M;
  }

  /// Returns the body that carries the frame of link `link` (−1: the base); 0, the world, if
  /// there is no base.
  int BodyOf(int link) const {
    for (const LinkBody& body : tree.bodies) {
      if (body.link == link && body.carries_frame) return body.body;
    }
    return 0;
  }
  int base_body() const { return BodyOf(-1); }
  int Joint(Eigen::Index i) const { return tree.joint_ids[static_cast<std::size_t>(i)]; }
  int Dof(Eigen::Index i) const { return model->jnt_dofadr[Joint(i)]; }

  static Eigen::Vector3d Vector(const mjtNum* vectors, int which) {
    return {vectors[3 * which], vectors[3 * which + 1], vectors[3 * which + 2]};
  }
  /// Returns the axes of a body in the world, R_WB.
  Eigen::Matrix3d Rotation(int body) const {
    return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(data->xmat + 9 * body);
  }

  ModelPtr model;
  DataPtr data;
  ModelTree tree;
  Eigen::VectorXd pi;  ///< As in the model file; joint parameters are 0.

 private:
  /// Uses two specs, because ReadRobot() changes the one that it reads.
  MujocoReference(const SpecPtr& for_mujoco, const SpecPtr& for_us,
                  const std::filesystem::path& file)
      : model(Compile(for_mujoco.get(), file)),
        data(mj_makeData(model.get())),
        tree(ReadTree(*model, "test")),
        pi(ReadRobot(for_us.get(), "test", file).pi) {
    model->opt.disableflags |=
        mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_SPRING | mjDSBL_DAMPER | mjDSBL_ACTUATION;
  }
};

/// All catalogued robots, then the odd tree.
inline std::vector<MujocoReference> AllReferences() {
  std::vector<MujocoReference> references;
  for (const std::string& name : RobotNames()) {
    references.push_back(MujocoReference::FromFile(LoadRobot(name).file));
  }
  references.push_back(MujocoReference::FromText(kOddTree));
  return references;
}

}  // namespace idbench
