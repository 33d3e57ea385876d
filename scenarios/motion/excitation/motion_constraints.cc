#include "scenarios/motion/excitation/motion_constraints.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "scenarios/motion/trajectory/pose.h"

namespace idbench {
namespace {

constexpr double kFloorUnit = 0.1;     // [m]
constexpr std::size_t kTorqueBox = 3;  ///< After those of position, velocity, acceleration.

/// Centres of spheres in the base frame.
void PlaceSpheres(const RobotModel& model, const std::vector<CollisionSphere>& spheres,
                  const Eigen::Ref<const Eigen::VectorXd>& q, std::vector<Pose>& poses,
                  std::vector<Eigen::Vector3d>& centres) {
  ForwardKinematics(model, q, poses);
  for (std::size_t s = 0; s < spheres.size(); ++s) {
    centres[s] =
        PoseOf({spheres[s].link, Eigen::Matrix3d::Identity(), spheres[s].p_LC_L}, poses).p_BL_B;
  }
}

/// Adds what forces at the spheres do at the joints.
void AddJointForces(const RobotModel& model, const std::vector<CollisionSphere>& spheres,
                    const std::vector<Pose>& poses, const std::vector<Eigen::Vector3d>& centres,
                    const std::vector<Eigen::Vector3d>& forces, Eigen::Index sample,
                    Eigen::MatrixXd& by_q) {
  // Force and moment about the base's origin of all that a link carries.
  std::vector<std::pair<Eigen::Vector3d, Eigen::Vector3d>> carried(
      poses.size(), {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()});
  for (std::size_t s = 0; s < spheres.size(); ++s) {
    if (spheres[s].link < 0) continue;
    auto& [force, moment] = carried[static_cast<std::size_t>(spheres[s].link)];
    force += forces[s];
    moment += centres[s].cross(forces[s]);
  }
  for (int i = model.dofs() - 1; i >= 0; --i) {
    const Link& link = model.link(i);
    const Pose& pose = poses[static_cast<std::size_t>(i)];
    const auto [force, moment] = carried[static_cast<std::size_t>(i)];
    const Eigen::Vector3d axis = pose.R_BL * link.axis;
    if (link.type == JointType::kPrismatic) {
      by_q(sample, i) += axis.dot(force);
    } else {
      const Eigen::Vector3d anchor = pose.p_BL_B + pose.R_BL * link.anchor;
      by_q(sample, i) += axis.dot(moment - anchor.cross(force));
    }
    if (link.parent < 0) continue;
    auto& [of_parent, about_base] = carried[static_cast<std::size_t>(link.parent)];
    of_parent += force;
    about_base += moment;
  }
}

}  // namespace

MotionConstraints::Box MotionConstraints::MakeBox(std::string_view what,
                                                  const Eigen::VectorXd& lower,
                                                  const Eigen::VectorXd& upper, double margin) {
  Box box{what, {}, Eigen::VectorXd(lower.size()), Eigen::VectorXd(lower.size())};
  for (int j = 0; j < lower.size(); ++j) {
    if (!std::isfinite(lower[j]) || !std::isfinite(upper[j])) continue;
    const auto at = std::ssize(box.joints);
    box.middle[at] = 0.5 * (lower[j] + upper[j]);
    box.half[at] = margin * 0.5 * (upper[j] - lower[j]);
    box.joints.push_back(j);
  }
  return box;
}

MotionConstraints::MotionConstraints(const RobotModel& model, const Dynamics& dynamics,
                                     Eigen::VectorXd pi, const Options& options)
    : model_(model),
      collision_(model.collision()),
      dynamics_(dynamics),
      pi_(std::move(pi)),
      floor_m_(options.floor_m),
      clearance_m_(options.clearance_m) {
  if (!options.pairs) collision_.pairs.clear();
  const JointLimits& limits = model.limits();
  const auto add = [&](std::string_view what, const Eigen::VectorXd& lower,
                       const Eigen::VectorXd& upper) {
    boxes_.push_back(MakeBox(what, lower, upper, options.margin));
    size_ += 2 * std::ssize(boxes_.back().joints);
  };
  Eigen::VectorXd lower(model.dofs()), upper(model.dofs());
  for (int j = 0; j < model.dofs(); ++j) std::tie(lower[j], upper[j]) = PositionRange(model, j);
  add("position", lower, upper);
  add("velocity", -limits.velocity, limits.velocity);
  add("acceleration", -limits.acceleration, limits.acceleration);
  if (options.torques) {
    add("torque", -limits.effort, limits.effort);
    const bool uncertain = options.torque_sigmas > 0.0 && options.pi_covariance.size() > 0;
    for (int k = 0; k < pi_.size(); ++k) {
      const bool spread = uncertain && options.pi_covariance(k, k) > 0.0;
      if (pi_[k] != 0.0 || spread) torque_columns_.push_back(k);
    }
    torques_ = std::make_unique<RowRegressor>(
        dynamics, std::vector<PlacedEquation>{Equation::kTorque}, torque_columns_);
    if (uncertain) {
      spread_ = options.torque_sigmas * options.torque_sigmas *
                options.pi_covariance(torque_columns_, torque_columns_);
    }
  }
  size_ += places();
}

void MotionConstraints::Values(const StateSamples& samples, Dynamics::Scratch& scratch,
                               Eigen::MatrixXd& g) const {
  g.resize(samples.size(), size_);
  Eigen::MatrixXd tau;
  if (torques_) {
    tau.resize(samples.size(), model_.dofs());
    dynamics_.InverseDynamics(pi_, samples, scratch, tau);
  }
  const Eigen::MatrixXd spread = SpreadOf(samples, scratch, nullptr);
  const Eigen::Ref<const Eigen::MatrixXd> parts[] = {samples.q, samples.qd, samples.qdd, tau};
  Eigen::Index at = 0;
  for (std::size_t b = 0; b < boxes_.size(); ++b) {
    const Box& box = boxes_[b];
    for (std::size_t k = 0; k < box.joints.size(); ++k, at += 2) {
      const auto i = static_cast<Eigen::Index>(k);
      const auto part = (parts[b].col(box.joints[k]).array() - box.middle[i]) / box.half[i];
      g.col(at) = part - 1.0;
      g.col(at + 1) = -part - 1.0;
      if (b != kTorqueBox || spread_.size() == 0) continue;
      g.middleCols(at, 2).colwise() += spread.col(box.joints[k]) / box.half[i];
    }
  }
  if (places() == 0) return;
  std::vector<Pose> poses(model_.links().size());
  std::vector<Eigen::Vector3d> centres(collision_.spheres.size());
  for (Eigen::Index k = 0; k < samples.size(); ++k) {
    PlaceSpheres(model_, collision_.spheres, samples.q.row(k).transpose(), poses, centres);
    Eigen::Index c = at;
    for (const auto& [one, other] : collision_.pairs) {
      const double apart = ApartOf(one, other);
      const auto a = static_cast<std::size_t>(one), b = static_cast<std::size_t>(other);
      g(k, c++) = 1.0 - (centres[a] - centres[b]).norm() / apart;
    }
    if (!floor_m_) continue;
    for (const int s : collision_.above_floor) {
      g(k, c++) =
          (*floor_m_ + clearance_m_ - centres[static_cast<std::size_t>(s)].z()) / kFloorUnit;
    }
  }
}

Eigen::MatrixXd MotionConstraints::SpreadOf(const StateSamples& samples, Dynamics::Scratch& scratch,
                                            std::vector<Eigen::MatrixXd>* by_row) const {
  if (spread_.size() == 0) return {};
  std::vector<Eigen::MatrixXd> W;
  torques_->Dense(samples, scratch, W);
  Eigen::MatrixXd spread(samples.size(), torques_->row_count());
  for (int r = 0; r < torques_->row_count(); ++r) {
    const std::vector<int>& columns = torques_->ColumnsOf(r);
    Eigen::MatrixXd& of_row = W[static_cast<std::size_t>(r)];
    Eigen::MatrixXd product = of_row * spread_(columns, columns);
    spread.col(r) = product.cwiseProduct(of_row).rowwise().sum().cwiseMax(0.0).cwiseSqrt();
    of_row = std::move(product);
  }
  if (by_row != nullptr) *by_row = std::move(W);
  return spread;
}

double MotionConstraints::ApartOf(int one, int other) const {
  return collision_.spheres[static_cast<std::size_t>(one)].radius_m +
         collision_.spheres[static_cast<std::size_t>(other)].radius_m + clearance_m_;
}

void MotionConstraints::AddGradient(const StateSamples& samples, const Eigen::MatrixXd& weights,
                                    Dynamics::Scratch& scratch, StateGradient& gradient) const {
  Eigen::MatrixXd by_tau = Eigen::MatrixXd::Zero(samples.size(), torques_ ? model_.dofs() : 0);
  Eigen::MatrixXd by_spread = by_tau;
  Eigen::MatrixXd* const parts[] = {&gradient.q, &gradient.qd, &gradient.qdd, &by_tau};
  Eigen::Index at = 0;
  for (std::size_t b = 0; b < boxes_.size(); ++b) {
    const Box& box = boxes_[b];
    for (std::size_t k = 0; k < box.joints.size(); ++k, at += 2) {
      parts[b]->col(box.joints[k]) +=
          (weights.col(at) - weights.col(at + 1)) / box.half[static_cast<Eigen::Index>(k)];
      if (b != kTorqueBox) continue;
      by_spread.col(box.joints[k]) =
          (weights.col(at) + weights.col(at + 1)) / box.half[static_cast<Eigen::Index>(k)];
    }
  }
  if (torques_ && (!by_tau.isZero(0.0) || (spread_.size() > 0 && !by_spread.isZero(0.0)))) {
    std::vector<Eigen::MatrixXd> G, by_row;
    const Eigen::MatrixXd spread = SpreadOf(samples, scratch, &by_row);
    for (int r = 0; r < torques_->row_count(); ++r) {
      Eigen::RowVectorXd factors(std::ssize(torques_->ColumnsOf(r)));
      Eigen::Index c = 0;
      for (const int column : torques_->ColumnsOf(r)) {
        factors[c++] = pi_[torque_columns_[static_cast<std::size_t>(column)]];
      }
      G.emplace_back(by_tau.col(r) * factors);
      if (by_row.empty()) continue;
      // ∂√(w·Σ·wᵀ)/∂w = Σ·wᵀ over the root; at 0 there is no way down, and none is taken.
      const Eigen::ArrayXd factor =
          (spread.col(r).array() > 0.0)
              .select(by_spread.col(r).array() / spread.col(r).array(), 0.0);
      G.back() += factor.matrix().asDiagonal() * by_row[static_cast<std::size_t>(r)];
    }
    StateGradient of_torques;
    torques_->Gradient(samples, G, scratch, of_torques);
    gradient.q += of_torques.q;
    gradient.qd += of_torques.qd;
    gradient.qdd += of_torques.qdd;
  }
  if (places() == 0) return;
  std::vector<Pose> poses(model_.links().size());
  std::vector<Eigen::Vector3d> centres(collision_.spheres.size());
  std::vector<Eigen::Vector3d> forces(collision_.spheres.size());
  for (Eigen::Index k = 0; k < samples.size(); ++k) {
    if (weights.row(k).tail(places()).isZero(0.0)) continue;
    PlaceSpheres(model_, collision_.spheres, samples.q.row(k).transpose(), poses, centres);
    std::ranges::fill(forces, Eigen::Vector3d::Zero());
    Eigen::Index c = at;
    for (const auto& [one, other] : collision_.pairs) {
      const double weight = weights(k, c++);
      if (weight == 0.0) continue;
      const auto a = static_cast<std::size_t>(one), b = static_cast<std::size_t>(other);
      const Eigen::Vector3d away = (centres[a] - centres[b]).stableNormalized();
      forces[a] -= weight / ApartOf(one, other) * away;
      forces[b] += weight / ApartOf(one, other) * away;
    }
    for (std::size_t i = 0; floor_m_ && i < collision_.above_floor.size(); ++i) {
      forces[static_cast<std::size_t>(collision_.above_floor[i])].z() -=
          weights(k, c++) / kFloorUnit;
    }
    AddJointForces(model_, collision_.spheres, poses, centres, forces, k, gradient.q);
  }
}

std::string MotionConstraints::NameOf(Eigen::Index index) const {
  for (const Box& box : boxes_) {
    const Eigen::Index count = 2 * std::ssize(box.joints);
    if (index < count) {
      return fmt::format("{} of '{}'", box.what,
                         model_.link(box.joints[static_cast<std::size_t>(index / 2)]).joint);
    }
    index -= count;
  }
  const auto sphere = [this](int s) {
    return collision_.spheres[static_cast<std::size_t>(s)].name;
  };
  if (index < std::ssize(collision_.pairs)) {
    const auto& [one, other] = collision_.pairs[static_cast<std::size_t>(index)];
    return fmt::format("distance of '{}' and '{}'", sphere(one), sphere(other));
  }
  index -= std::ssize(collision_.pairs);
  return fmt::format("height of '{}'",
                     sphere(collision_.above_floor[static_cast<std::size_t>(index)]));
}

}  // namespace idbench
