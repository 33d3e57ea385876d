#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <vector>

#include "robots/dynamics/pseudo_inertia.h"

namespace idbench {

/// Element k of an orthonormal basis of the symmetric 4 × 4 matrices, k = 0 … 9.
const Eigen::Matrix4d& SymmetricBasis(int k);
/// ξ_k = ⟨X, SymmetricBasis(k)⟩ of a symmetric X: ‖ξ‖ is X's Frobenius norm.
InertialParameters SymmetricCoordinates(const Eigen::Matrix4d& X);
/// The symmetric matrix with these coordinates.
Eigen::Matrix4d SymmetricMatrix(const Eigen::Ref<const InertialParameters>& xi);

/// min_v ½ vᵀ Q v − rᵀ v − μ·(Σ_i log det X_i + Σ_k log v_k),  X_i = 1 + mat(ξ_i),  ξ = xi0 + M·v;
/// k runs over the last `positive` variables.
struct LogDetProblem {
  Eigen::MatrixXd Q;  ///< Symmetric, positive semi-definite.
  Eigen::VectorXd r;
  Eigen::MatrixXd M;  ///< 10·bodies × variables.
  Eigen::VectorXd xi0;
  Eigen::Index positive = 0;

  Eigen::Index bodies() const { return xi0.size() / kInertialCount; }
};

struct NewtonResult {
  int steps = 0;
  double decrement = 0.0;  ///< δ, of the cost divided by μ, before the last step.
  bool converged = false;
  /// Steps no longer gain what theory promises: round-off.
  bool stagnated = false;
  bool singular = false;  ///< Something moves without any effect on the cost.
};

/// Newton's method for a LogDetProblem. The cost over μ is self-concordant, so that δ² bounds what
/// is left to gain, and a step of 1/(1 + δ) stays inside.
/// Source: Boyd & Vandenberghe, Convex Optimization, section 9.6.
class LogDetNewton {
 public:
  /// Allocates all that solving needs.
  explicit LogDetNewton(LogDetProblem problem);

  /// What may change between two solutions; M and xi0 stay.
  Eigen::MatrixXd& Q() { return problem_.Q; }
  Eigen::VectorXd& r() { return problem_.r; }
  const LogDetProblem& problem() const { return problem_; }

  /// From a point inside. Allocates nothing, of up to a hundred variables.
  /// @param tolerance  δ² to reach. @param[in,out] v  stays inside, also where steps run out.
  NewtonResult Minimise(double mu, double tolerance, Eigen::VectorXd& v,
                        int most_steps = kMostSteps);
  /// Some tens do, but where data pull bodies far beyond what can exist.
  static constexpr int kMostSteps = 2000;

  /// Takes the curvature at a point inside. False if it is not positive in double precision.
  bool Expand(double mu, const Eigen::VectorXd& v);
  /// Cholesky factor of the cost's Hessian where it was last taken: Minimise() takes it before each
  /// step.
  const Eigen::LLT<Eigen::MatrixXd>& hessian() const { return hessian_factor_; }

 private:
  /// Whether v is inside; leaves the factors of all X_i.
  bool Factor(const Eigen::VectorXd& v);
  /// Infinite outside.
  double Cost(double mu, const Eigen::VectorXd& v);
  void AddBody(std::size_t body, double mu);
  double StepLength(double mu, const Eigen::VectorXd& v, double decrement);

  LogDetProblem problem_;
  /// Which columns of M move a body.
  struct Columns {
    Eigen::Index first = 0, count = 0;
  };
  std::vector<Columns> columns_;
  std::vector<Eigen::LLT<Eigen::Matrix4d>> factors_;
  Eigen::VectorXd xi_, Qv_, gradient_, step_, trial_;
  Eigen::MatrixXd hessian_, KM_;
  Eigen::LLT<Eigen::MatrixXd> hessian_factor_;
  double value_ = 0.0;  ///< Of the cost, where the gradient was taken.
};

}  // namespace idbench
