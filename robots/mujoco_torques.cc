#include "robots/mujoco_torques.h"

#include <algorithm>

#include "robots/mjspec.h"

namespace idbench {

void LeaveJointsAlone(mjModel& model, bool frictionloss) {
  model.opt.disableflags |=
      mjDSBL_CONTACT | mjDSBL_EQUALITY | mjDSBL_LIMIT | mjDSBL_SPRING | mjDSBL_ACTUATION;
  model.opt.disableflags &= ~mjDSBL_DAMPER;
  if (frictionloss) {
    model.opt.disableflags &= ~(mjDSBL_CONSTRAINT | mjDSBL_FRICTIONLOSS);
  } else {
    model.opt.disableflags |= mjDSBL_CONSTRAINT;
  }
  model.opt.enableflags = 0;  // inverse dynamics in discrete time among them
  model.opt.density = 0.0;
  model.opt.viscosity = 0.0;
  std::fill_n(model.body_gravcomp, model.nbody, 0.0);
  model.ngravcomp = 0;
  model.flg_gravcomp = false;
}

Eigen::MatrixXd MujocoTorques(const mjModel& model, const ModelTree& tree,
                              const StateSamples& samples) {
  const DataPtr data(mj_makeData(&model));
  const Eigen::Index n = tree.model.dofs();
  Eigen::MatrixXd tau(samples.size(), n);
  for (Eigen::Index k = 0; k < samples.size(); ++k) {
    for (Eigen::Index i = 0; i < n; ++i) {
      const int joint = tree.joint_ids[static_cast<std::size_t>(i)];
      data->qpos[model.jnt_qposadr[joint]] = samples.q(k, i);
      data->qvel[model.jnt_dofadr[joint]] = samples.qd(k, i);
      data->qacc[model.jnt_dofadr[joint]] = samples.qdd(k, i);
    }
    mj_inverse(&model, data.get());
    for (Eigen::Index i = 0; i < n; ++i) {
      tau(k, i) = data->qfrc_inverse[model.jnt_dofadr[tree.joint_ids[static_cast<std::size_t>(i)]]];
    }
  }
  return tau;
}

}  // namespace idbench
