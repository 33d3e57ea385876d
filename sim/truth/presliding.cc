#include "sim/truth/presliding.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace idbench {
namespace {

constexpr int kReversalHalvings = 50;  // of a step: to 1e-18 s, and travel is of second order there

}  // namespace

Presliding::Presliding(const TrueRobot& robot)
    : distance_(robot.mismatch().presliding_rad),
      width_(robot.options().coulomb_width_rad_s),
      step_s_(robot.options().timestep_s),
      begin_(JointState::Zero(robot.dofs())),
      end_(begin_),
      turn_(begin_) {
  if (distance_ == 0.0) return;
  for (FrictionElement& element : FrictionElementsOf(robot)) {
    if (element.IsViscous()) continue;
    const auto same = std::ranges::find_if(directions_, [&element](const Direction& direction) {
      return direction.elements.front().shares == element.shares;
    });
    if (same == directions_.end()) {
      directions_.push_back({{std::move(element)}});
    } else {
      same->elements.push_back(std::move(element));
    }
  }
}

void Presliding::Reset() {
  for (Direction& direction : directions_) direction.z = 0.0;
}

void Presliding::Slide(double travel, Direction& direction) const {
  if (travel == 0.0) return;
  const double s = travel > 0.0 ? 1.0 : -1.0;
  // z + (s − z)·(1 − e^(−|Δ|/x_s))
  direction.z -= (s - direction.z) * std::expm1(-std::abs(travel) / distance_);
}

void Presliding::Advance(const Eigen::VectorXd& from, const Eigen::VectorXd& to) {
  for (Direction& direction : directions_) Slide(direction.Of(to) - direction.Of(from), direction);
}

void Presliding::Follow(const Motion& motion, double from_s, double to_s) {
  if (!acts() || !(to_s > from_s)) return;
  const auto parts = static_cast<int>(std::ceil((to_s - from_s) / step_s_));
  motion.Evaluate(from_s, begin_);
  double part_s = from_s;
  for (int k = 1; k <= parts; ++k) {
    const double next_s = k == parts ? to_s : from_s + (to_s - from_s) * k / parts;
    motion.Evaluate(next_s, end_);
    FollowPart(motion, part_s, next_s);
    std::swap(begin_, end_);
    part_s = next_s;
  }
}

void Presliding::FollowPart(const Motion& motion, double from_s, double to_s) {
  for (Direction& direction : directions_) {
    double travel = direction.Of(end_.q) - direction.Of(begin_.q);
    if (direction.Of(begin_.qd) * direction.Of(end_.qd) < 0.0) {
      const double first = TravelToReversal(direction, motion, from_s, to_s);
      Slide(first, direction);
      travel -= first;
    }
    Slide(travel, direction);
  }
}

double Presliding::TravelToReversal(const Direction& direction, const Motion& motion, double from_s,
                                    double to_s) {
  const bool forwards = direction.Of(begin_.qd) > 0.0;
  for (int halving = 0; halving < kReversalHalvings; ++halving) {
    const double middle_s = 0.5 * (from_s + to_s);
    motion.Evaluate(middle_s, turn_);
    ((direction.Of(turn_.qd) > 0.0) == forwards ? from_s : to_s) = middle_s;
  }
  return direction.Of(turn_.q) - direction.Of(begin_.q);
}

std::optional<double> Presliding::StateOf(int joint) const {
  for (const Direction& direction : directions_) {
    const std::vector<Term::Share>& shares = direction.elements.front().shares;
    if (shares.size() == 1 && shares[0] == Term::Share{.joint = joint}) return direction.z;
  }
  return std::nullopt;
}

void Presliding::AddTorques(double factor, const Eigen::VectorXd& qd, const Eigen::VectorXd& load,
                            Eigen::VectorXd& tau) const {
  for (const Direction& direction : directions_) {
    const double u = direction.Of(qd);
    const double s = std::tanh(u / width_);
    double torque = 0.0;
    for (const FrictionElement& element : direction.elements) {
      torque += element.Level(u, load) * (element.Acting(direction.z) - element.Acting(s));
    }
    torque *= factor;
    for (const Term::Share& share : direction.elements.front().shares) {
      tau[share.joint] += share.factor * torque;
    }
  }
}

}  // namespace idbench
