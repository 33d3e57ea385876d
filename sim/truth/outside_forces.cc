#include "sim/truth/outside_forces.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "sim/truth/mujoco_views.h"

namespace idbench {
namespace {

constexpr double kTimeSlack = 1e-9;  // [s], that of Touch::PartAt()

Eigen::Map<const RowMajor3> RotationIn(const mjData& data, int body) {
  return Eigen::Map<const RowMajor3>(data.xmat + 9 * body);
}

}  // namespace

OutsideForces::OutsideForces(const Scene& scene) : base_(scene.robot.base().body) {
  if (scene.environment == nullptr) return;
  for (const Touch& touch : scene.environment->touches) {
    placed_.push_back({&touch, scene.robot.body_of(touch.link)});
    bodies_.push_back(placed_.back().body);
  }
  std::ranges::stable_sort(placed_, {}, [](const Placed& placed) { return placed.touch->begin_s; });
  for (const Placed& placed : placed_) {
    const double end_s = placed.touch->end_s();
    latest_end_.push_back(latest_end_.empty() ? end_s : std::max(latest_end_.back(), end_s));
  }
  for (const Wall& wall : scene.environment->walls) {
    contacts_.emplace_back(wall, scene.robot);
    bodies_.push_back(contacts_.back().body());
  }
  std::ranges::sort(bodies_);
  bodies_.erase(std::ranges::unique(bodies_).begin(), bodies_.end());
  acting_.reserve(placed_.size());
  forces_.reserve(placed_.size() + contacts_.size());
}

void OutsideForces::Set(double t) {
  acting_.clear();
  const auto not_over = std::ranges::upper_bound(latest_end_, t - kTimeSlack) - latest_end_.begin();
  for (auto placed = placed_.begin() + not_over; placed != placed_.end(); ++placed) {
    if (placed->touch->begin_s > t + kTimeSlack) return;
    if (const double part = placed->touch->PartAt(t); part != 0.0)
      acting_.push_back({*placed, part});
  }
}

void OutsideForces::Find(const mjModel& model, const mjData& data) {
  forces_.clear();
  for (const auto& [placed, part] : acting_) {
    const auto& [touch, body] = placed;
    const int axes = touch->axes == ForceAxes::kLink ? body : base_;
    forces_.push_back({body, touch->beyond_cuts,
                       ConstVector3(data.xpos + 3 * body) + RotationIn(data, body) * touch->p_LT_L,
                       part * (RotationIn(data, axes) * touch->force)});
  }
  for (WallContact& contact : contacts_) {
    contact.Find(model, data);
    if (!contact.presses()) continue;
    forces_.push_back(
        {contact.body(), contact.wall().beyond_cuts, contact.point(), contact.force()});
  }
}

void OutsideForces::Apply(mjData& data) const {
  for (const int body : bodies_) std::fill_n(data.xfrc_applied + 6 * body, 6, 0.0);
  for (const Force& force : forces_) {
    Eigen::Map<Eigen::Vector3d> force_W(data.xfrc_applied + 6 * force.body);
    Eigen::Map<Eigen::Vector3d> moment_W(data.xfrc_applied + 6 * force.body + 3);
    force_W += force.force_W;
    moment_W += (force.p_WT_W - ConstVector3(data.xipos + 3 * force.body)).cross(force.force_W);
  }
}

void OutsideForces::SubtractTorques(const mjModel& model, mjData& data, double* torques) const {
  for (const Force& force : forces_) {
    const Eigen::Vector3d reaction_W = -force.force_W;
    const Eigen::Vector3d none = Eigen::Vector3d::Zero();
    mj_applyFT(&model, &data, reaction_W.data(), none.data(), force.p_WT_W.data(), force.body,
               torques);
  }
}

void OutsideForces::AddWrench(const Eigen::Vector3d& p_WP_W, int beyond_on,
                              Eigen::Vector3d& force_W, Eigen::Vector3d& moment_W) const {
  for (const Force& force : forces_) {
    const bool beyond = force.beyond_cuts && force.body == beyond_on;
    if (beyond_on >= 0 && !beyond) continue;
    force_W += force.force_W;
    moment_W += (force.p_WT_W - p_WP_W).cross(force.force_W);
  }
}

}  // namespace idbench
