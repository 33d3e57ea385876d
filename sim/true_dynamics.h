#pragma once

#include <Eigen/Core>

#include "robots/mjspec.h"
#include "sim/true_robot.h"

namespace idbench {

/// Exact dynamics of a true robot, by MuJoCo: the oracle of simulation and metrics.
///
/// Has its own scratch: one per thread. `robot` must outlive it. Allocates nothing after
/// construction.
class TrueDynamics {
 public:
  explicit TrueDynamics(const TrueRobot& robot);

  /// τ = M(q)·q̈ + c(q, q̇) + g(q) + ia·q̈ + fv·q̇ + fc·s(q̇) + fo, sizes n [rad or m, s, N·m or N].
  void Torque(const Eigen::VectorXd& q, const Eigen::VectorXd& qd, const Eigen::VectorXd& qdd,
              Eigen::VectorXd& tau);

  /// M(q) with the rotor inertias on its diagonal, n × n.
  void MassMatrix(const Eigen::VectorXd& q, Eigen::MatrixXd& M);

 private:
  void SetPosition(const Eigen::VectorXd& q);

  const TrueRobot& robot_;
  DataPtr data_;
  Eigen::VectorXd forces_;   ///< n, in MuJoCo's order.
  Eigen::MatrixXd inertia_;  ///< n × n, in MuJoCo's order.
};

}  // namespace idbench
