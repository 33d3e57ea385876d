#include "sim/truth/current_model.h"

#include <limits>

namespace idbench {

CurrentModel::CurrentModel(const TrueRobot& robot)
    : robot_(robot), parts_(robot.payloads().size(), 1.0) {
  if (parts_.empty()) return;
  own_.reset(mj_copyModel(nullptr, &robot.model()));
  Set(-std::numeric_limits<double>::infinity());
}

void CurrentModel::Set(double t) {
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const double part = robot_.payloads()[k].payload.PartAt(t);
    if (part != parts_[k]) SetPart(k, part);
  }
}

void CurrentModel::SetPart(std::size_t payload, double part) {
  const int body = robot_.payloads()[payload].body;
  const mjModel& whole = robot_.model();
  own_->body_mass[body] = part * whole.body_mass[body];
  for (int i = 3 * body; i < 3 * body + 3; ++i) {
    own_->body_inertia[i] = part * whole.body_inertia[i];
  }
  // Summed anew, so that rounding does not depend on what was there before.
  for (mjtSize i = 0; i < own_->nbody; ++i) own_->body_subtreemass[i] = own_->body_mass[i];
  for (mjtSize i = own_->nbody - 1; i > 0; --i) {
    own_->body_subtreemass[own_->body_parentid[i]] += own_->body_subtreemass[i];
  }
  parts_[payload] = part;
}

}  // namespace idbench
