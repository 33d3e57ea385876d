#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <vector>

#include "robots/plant/motion.h"
#include "sim/truth/friction_element.h"
#include "sim/truth/true_robot.h"

namespace idbench {

/// Presliding of a robot's Coulomb friction. Each direction c of friction, that of a joint or of a
/// motor, has one state z, 0 at the start. With u = cᵀq̇ and the distance x_s of MismatchOptions
///
///   ż = u/x_s·(1 − z·sgn u),
///
/// and z takes the place of s(u) in all elements of the direction, see FrictionElement:
///
///   τ = c·(fv·u + L(u)·z),
///
/// or, of an element that acts on one side alone, with max(z, 0) or min(z, 0) for z. Viscous parts
/// and constant torques stay as they are.
///
/// z depends on the way of the joints, not on its speed. Over a travel Δ = cᵀδq of one sign s it
/// becomes exactly z ← s + (z − s)·e^(−|Δ|/x_s), so that |z| ≤ 1. Over a closed cycle of z friction
/// of a constant L takes energy, whatever the cycle; after a reversal it is a spring of up to
/// 2·L/x_s.
/// Source: Dahl, "A solid friction model", Aerospace Corporation TOR-0158(3107-18)-1, 1968, with
/// the exponent 1.
///
/// Use one object per thread. `robot` need not outlive it. Nothing but the constructor allocates.
class Presliding {
 public:
  /// There are no directions, and nothing below does anything, if x_s is 0.
  explicit Presliding(const TrueRobot& robot);

  bool acts() const { return !directions_.empty(); }
  /// Sets every z to 0.
  void Reset();
  /// Follows the joints on a way on which no u changes its sign.
  /// @param from, to  q, n each [rad or m].
  void Advance(const Eigen::VectorXd& from, const Eigen::VectorXd& to);
  /// Follows `motion` between two instants [s], in parts no longer than a step of the plant. Where
  /// u changes its sign within one of them, the reversal is found to rounding.
  void Follow(const Motion& motion, double from_s, double to_s);
  /// Adds κ·Σ c·L(u)·(z − s(u)): what turns the torques of friction without presliding into those
  /// with it.
  /// @param factor  κ, see TrueRobot::FrictionFactor().
  /// @param qd    q̇, n [rad/s or m/s].
  /// @param load  ℓ, n [N·m or N], see TrueFriction; zeros leave out what it adds.
  /// @param[in,out] tau  n [N·m or N].
  void AddTorques(double factor, const Eigen::VectorXd& qd, const Eigen::VectorXd& load,
                  Eigen::VectorXd& tau) const;
  /// Returns z of a joint's own direction; nothing where it has none.
  std::optional<double> StateOf(int joint) const;

 private:
  struct Direction {
    std::vector<FrictionElement> elements;  ///< With a part that is not viscous; at least one.
    double z = 0.0;

    /// Returns cᵀx.
    double Of(const Eigen::VectorXd& x) const { return elements.front().Speed(x); }
  };

  /// Follows a travel Δ of one sign.
  void Slide(double travel, Direction& direction) const;
  /// Follows the motion between `begin_` and `end_`, from `from_s` to `to_s`.
  void FollowPart(const Motion& motion, double from_s, double to_s);
  /// Returns the travel of a direction whose u changes its sign in that part, up to there.
  double TravelToReversal(const Direction& direction, const Motion& motion, double from_s,
                          double to_s);

  double distance_;  ///< x_s
  double width_;     ///< w of s(u).
  double step_s_;
  std::vector<Direction> directions_;
  JointState begin_, end_, turn_;
};

}  // namespace idbench
