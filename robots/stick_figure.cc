#include "robots/stick_figure.h"

#include <cstddef>

namespace idbench {
namespace {

constexpr double kLeastEnd = 1e-3;  ///< From a joint to the end of its link [m].

bool CarriesLinks(const RobotModel& model, int link) { return model.subtree_size(link) > 1; }

}  // namespace

StickFigure::StickFigure(const Robot& robot)
    : model_(robot.model), poses_(static_cast<std::size_t>(robot.model.dofs())) {
  for (int i = 0; i < model_.dofs(); ++i) {
    Add(model_.link(i).name, model_.link(i).parent, i, model_.link(i).anchor);
  }
  const EndEffector& end = model_.end_effector();
  const bool apart = (end.p_LE_L - model_.link(end.link).anchor).norm() > kLeastEnd;
  if (apart) Add("end effector", end.link, end.link, end.p_LE_L);
  for (int i = 0; i < model_.dofs(); ++i) {
    if (!CarriesLinks(model_, i) && !(apart && i == end.link)) AddEnd(robot, i);
  }
  points_.resize(std::ssize(names_), 3);
}

void StickFigure::Add(const std::string& name, int parent, int link,
                      const Eigen::Vector3d& p_LP_L) {
  names_.push_back(name);
  parents_.push_back(parent);
  links_.push_back(link);
  offsets_.push_back(p_LP_L);
}

void StickFigure::AddEnd(const Robot& robot, int link) {
  const Eigen::Vector3d& joint = model_.link(link).anchor;
  double farthest = kLeastEnd;
  std::string name;
  Eigen::Vector3d end;
  const auto consider = [&](const std::string& candidate, const Eigen::Vector3d& p_LP_L) {
    const double distance = (p_LP_L - joint).norm();
    if (!(distance > farthest)) return;
    farthest = distance;
    name = candidate;
    end = p_LP_L;
  };
  for (const LinkBody& body : robot.bodies) {
    if (body.link != link) continue;
    consider(NameInFile(body), body.InLink(Eigen::Vector3d(Eigen::Vector3d::Zero())));
    if (body.inertia.mass > 0.0) {
      consider(NameInFile(body) + ", centre of mass", body.InLink(body.inertia.com));
    }
  }
  if (!name.empty()) Add(name, link, link, end);
}

const Eigen::MatrixX3d& StickFigure::At(const Eigen::Ref<const Eigen::VectorXd>& q) {
  ForwardKinematics(model_, q, poses_);
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const Pose& pose = poses_[static_cast<std::size_t>(links_[i])];
    points_.row(static_cast<Eigen::Index>(i)) = (pose.p_BL_B + pose.R_BL * offsets_[i]).transpose();
  }
  return points_;
}

}  // namespace idbench
