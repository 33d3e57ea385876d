#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "robots/dynamics/parameters.h"
#include "scenarios/options/config_error.h"

namespace idbench {

struct Robot;

/// Body of a compiled model that is part of a link, and its pose in the link's frame.
struct LinkBody {
  int link;            ///< Index of the link, −1 for the base.
  int body;            ///< Body id in the compiled model.
  std::string name;    ///< "" if the file gives none.
  bool carries_frame;  ///< The link's frame is this body's frame; other bodies are fused into it.
  Eigen::Matrix3d R_LB = Eigen::Matrix3d::Identity();
  Eigen::Vector3d p_LB_L = Eigen::Vector3d::Zero();
  /// As in the model file, in the body's own frame.
  CentralInertia inertia;

  /// Return the axes and the origin of a frame F in the link's frame, given in the body's.
  Eigen::Matrix3d InLink(const Eigen::Matrix3d& R_BF) const {
    return carries_frame ? R_BF : R_LB * R_BF;
  }
  Eigen::Vector3d InLink(const Eigen::Vector3d& p_BF_B) const {
    return carries_frame ? p_BF_B : p_LB_L + R_LB * p_BF_B;
  }
};

/// Returns the name by which FindBody() finds it: its own, or "body7" of the seventh without one.
std::string NameInFile(const LinkBody& body);
/// Returns the body of that name, whether it has a joint or is fused into a link or the base;
/// nullptr if there is none.
const LinkBody* FindBody(const Robot& robot, const std::string& name);

/// Returns where a body is that moves: it is a link, or fused into one. Links without a body in the
/// model file do not count. Nothing, with the issue that there is none, at `where`, for another
/// name.
std::optional<LinkBody> PlaceOf(const std::string& name, const Robot& robot,
                                const std::string& where, std::vector<Issue>& issues);

}  // namespace idbench
