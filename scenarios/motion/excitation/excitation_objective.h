#pragma once

#include <Eigen/Core>
#include <vector>

#include "robots/dynamics/rows.h"
#include "scenarios/motion/excitation/augmented_lagrangian.h"
#include "scenarios/motion/excitation/motion_constraints.h"
#include "scenarios/motion/excitation/weighed_rows.h"

namespace idbench {

/// Functions of time B_m of which a joint's motion is a sum, q_j(t) = Σ_m B_m(t)·c_mj, at N
/// instants: N × m each.
struct SampledBasis {
  Eigen::MatrixXd B, Bd, Bdd;
  double rate_hz = 0.0;  ///< Of the instants.
};

/// A criterion of the rows on a motion, and the constraints of the motion at the same instants, as
/// functions of its coefficients c, m × n, column by column.
class ExcitationObjective : public ConstrainedFunction {
 public:
  /// All references must outlive this object.
  /// @param rows       columns that are to be told apart; made from `dynamics`.
  /// @param criterion  of these rows.
  /// @param weight     factor on the criterion.
  ExcitationObjective(const Dynamics& dynamics, const RowRegressor& rows, WeighedRows criterion,
                      double weight, const MotionConstraints& constraints, SampledBasis basis);

  Eigen::Index constraints() const override { return basis_.B.rows() * constraints_.size(); }
  double MoveTo(const Eigen::VectorXd& x, Eigen::VectorXd& g) override;
  Eigen::VectorXd Gradient(const Eigen::VectorXd& weights) override;

 private:
  StateSamples states() const { return {q_, qd_, qdd_}; }
  RowSamples samples() const { return {states(), W_, basis_.rate_hz}; }

  const RowRegressor& rows_;
  WeighedRows criterion_;
  double weight_;
  const MotionConstraints& constraints_;
  SampledBasis basis_;
  Dynamics::Scratch scratch_;
  Eigen::MatrixXd q_, qd_, qdd_;  ///< N × n, where it is.
  std::vector<Eigen::MatrixXd> W_;
  Eigen::MatrixXd g_;
};

}  // namespace idbench
