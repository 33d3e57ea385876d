#pragma once

#include <doctest/doctest.h>

#include <string>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/mjspec.h"
#include "robots/robot.h"

/// MuJoCo's torques of a whole file, to compare a part of it with.
namespace idbench {

/// Joint torques of the part's joints, without friction, from MuJoCo's inverse dynamics of the
/// whole file: the other joints stand where the part holds them.
inline Eigen::MatrixXd TorquesOfFile(const std::string& file, const Robot& part,
                                     const FixedStates& states) {
  char error[1000] = "";
  const ModelPtr model(mj_loadXML(file.c_str(), nullptr, error, sizeof(error)));
  CAPTURE(error);
  REQUIRE(model);
  model->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT;
  const DataPtr data(mj_makeData(model.get()));
  const auto id = [&](const std::string& joint) {
    return mj_name2id(model.get(), mjOBJ_JOINT, joint.c_str());
  };
  for (const HeldJoint& held : part.held) {
    if (id(held.name) >= 0) data->qpos[model->jnt_qposadr[id(held.name)]] = held.position;
  }
  Eigen::MatrixXd tau(states.q.rows(), part.model.dofs());
  for (Eigen::Index k = 0; k < tau.rows(); ++k) {
    for (int i = 0; i < part.model.dofs(); ++i) {
      const int joint = id(part.model.link(i).joint);
      data->qpos[model->jnt_qposadr[joint]] = states.q(k, i);
      data->qvel[model->jnt_dofadr[joint]] = states.qd(k, i);
      data->qacc[model->jnt_dofadr[joint]] = states.qdd(k, i);
    }
    mj_inverse(model.get(), data.get());
    for (int i = 0; i < part.model.dofs(); ++i) {
      tau(k, i) = data->qfrc_inverse[model->jnt_dofadr[id(part.model.link(i).joint)]];
    }
  }
  return tau;
}

}  // namespace idbench
