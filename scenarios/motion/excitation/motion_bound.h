#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "robots/dynamics/dynamics.h"
#include "robots/dynamics/equations.h"
#include "robots/dynamics/model.h"
#include "robots/dynamics/rows.h"

namespace idbench {

/// A convex function of an information matrix M, p × p, that falls as M grows.
class InformationLoss {
 public:
  virtual ~InformationLoss() = default;
  /// Returns f(M); infinite where M is singular. @param[out] G  −∂f/∂M, positive semidefinite; left
  /// as it is where f is infinite.
  virtual double At(const Eigen::MatrixXd& M, Eigen::MatrixXd& G) const = 0;
  /// Returns the least f(M) of all M with tr(G·M) ≤ `most` as far as convexity tells, of f and G at
  /// any one matrix: the best scale of it is taken.
  virtual double Bound(double f, double most) const = 0;
  /// Returns the difference at f below which two values count as one: a percent of what a parameter
  /// is known by.
  virtual double Close(double f) const = 0;
};

/// J_d = −ln det M.
class LogDetLoss : public InformationLoss {
 public:
  explicit LogDetLoss(Eigen::Index size) : size_(static_cast<double>(size)) {}
  double At(const Eigen::MatrixXd& M, Eigen::MatrixXd& G) const override;
  double Bound(double f, double most) const override;
  double Close(double f) const override;

 private:
  double size_;
};

/// Mean over joints of √tr(C_j·M⁻¹): what noise alone makes predictions err.
class PredictionLoss : public InformationLoss {
 public:
  /// @param C  mean of wᵀw over the states to predict of each joint, p × p.
  explicit PredictionLoss(std::vector<Eigen::MatrixXd> C) : C_(std::move(C)) {}
  double At(const Eigen::MatrixXd& M, Eigen::MatrixXd& G) const override;
  double Bound(double f, double most) const override;
  double Close(double f) const override;

 private:
  std::vector<Eigen::MatrixXd> C_;
};

/// Returns whether rows of these equations are functions of the state alone, with derivatives.
bool CanBoundMotions(const std::vector<PlacedEquation>& equations);

/// What BoundOfMotions() found.
struct MotionBound {
  double bound = 0.0;    ///< No motion has less; −infinity where no search agreed with itself.
  double reached = 0.0;  ///< Of the best distribution of states that was found: the bound's limit.
  int states = 0;        ///< Of which that is made.
  int rounds = 0;
};

/// Bounds f(M) from below over all motions of `samples` samples that keep a robot's limits of
/// position, velocity and acceleration, whatever their form.
///
/// The states of a motion are a distribution over the box of limits, with M = Σ_samples WᵀSW =
/// samples·E[WᵀSW]. The least f over all distributions is no more than that over motions, and a
/// convex problem. Each round minimises f over distributions on some states, which gives G, and
/// then looks for states with the greatest samples·tr(G·WᵀSW); its maximum bounds every motion by
/// InformationLoss::Bound(), whatever G is. These states join the others.
///
/// The maximum is that of many local searches: it is found, not proved. That neighbouring states
/// have to follow from one another, distances, floors and torques are left out, which makes the
/// bound lower, but no less one. Where a joint has no limit of velocity it is one on motions that
/// begin and end at rest: that joint has √(acceleration·range) then.
/// Source of the argument: Kiefer & Wolfowitz, "The equivalence of two extremum problems", Canadian
/// Journal of Mathematics 12, 1960.
///
/// @param rows       made from `dynamics`. @param precision  S, of each row and sample.
/// @param begin      states to begin with, at least one: those of some motion.
/// @throws PlantError if a joint has no limit of acceleration, or neither range nor limit of
///         velocity, or no states within the limits tell the columns apart.
/// @throws std::invalid_argument unless CanBoundMotions().
MotionBound BoundOfMotions(const RobotModel& model, const Dynamics& dynamics,
                           const RowRegressor& rows, const Eigen::VectorXd& precision,
                           double samples, const InformationLoss& loss, const StateSamples& begin,
                           std::uint64_t seed);

}  // namespace idbench
