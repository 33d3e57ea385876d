#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "robots/dynamics/kinematics.h"
#include "robots/robot.h"

namespace idbench {

/// Robot as points fixed to its links, and the point to which a line leads from each.
///
/// Point i < n lies on the axis of joint i, at its anchor. Behind these n points stand the ends:
/// the end effector and, for each link that carries no other link, what lies farthest from its
/// joint: the origin of a body that is fused into it (a flange, a tool) or a centre of mass, both
/// as in the model file. An end within 1 mm of its link's joint is left out, and so is the one of
/// the link with an end effector.
class StickFigure {
 public:
  /// @param robot  must outlive this.
  explicit StickFigure(const Robot& robot);

  /// Returns the names of the points: those of the links, then of the ends "end effector", the
  /// body's name, or "<body>, centre of mass".
  const std::vector<std::string>& names() const { return names_; }
  /// Returns the index of the point before each, which is smaller; −1 is the base's origin.
  const std::vector<int>& parents() const { return parents_; }

  /// Returns the points in base axes [m], one per row, p_BP = p_BL + R_BL·p_LP; valid until the
  /// next call.
  /// @param q  joint positions, n [rad or m]; the size is asserted.
  const Eigen::MatrixX3d& At(const Eigen::Ref<const Eigen::VectorXd>& q);

 private:
  void Add(const std::string& name, int parent, int link, const Eigen::Vector3d& p_LP_L);
  /// Adds the end of a link, unless it is where the joint is.
  void AddEnd(const Robot& robot, int link);

  const RobotModel& model_;
  std::vector<std::string> names_;
  std::vector<int> parents_;
  std::vector<int> links_;                ///< That carry the points.
  std::vector<Eigen::Vector3d> offsets_;  ///< p_LP_L of each.
  std::vector<Pose> poses_;
  Eigen::MatrixX3d points_;
};

}  // namespace idbench
