#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <vector>

#include "robots/dynamics/parameters/pseudo_inertia.h"

namespace idbench {

/// Returns element k of an orthonormal basis of the symmetric 4 × 4 matrices, k = 0 … 9.
const Eigen::Matrix4d& SymmetricBasis(int k);
/// Returns ξ_k = ⟨X, SymmetricBasis(k)⟩ for a symmetric X: ‖ξ‖ is the Frobenius norm of X.
InertialParameters SymmetricCoordinates(const Eigen::Matrix4d& X);
/// Returns the symmetric matrix mat(ξ) with these coordinates.
Eigen::Matrix4d SymmetricMatrix(const Eigen::Ref<const InertialParameters>& xi);

/// Problem min_v ½ vᵀ Q v − rᵀ v − μ·(Σ_i log det X_i + Σ_k log v_k),  X_i = 1 + mat(ξ_i),  ξ = xi0
/// + M·v; k runs over the last `positive` variables.
struct LogDetProblem {
  Eigen::MatrixXd Q;  ///< Symmetric, positive semi-definite.
  Eigen::VectorXd r;
  Eigen::MatrixXd M;  ///< 10·bodies × variables.
  Eigen::VectorXd xi0;
  Eigen::Index positive = 0;

  Eigen::Index bodies() const { return xi0.size() / kInertialCount; }
};

/// How a minimisation ended.
struct NewtonResult {
  int steps = 0;
  double decrement = 0.0;  ///< δ of the cost divided by μ, before the last step.
  bool converged = false;
  /// The steps no longer gain what theory predicts, because of round-off.
  bool stagnated = false;
  bool singular = false;  ///< Some variable has no effect on the cost.
};

/// Newton's method for a LogDetProblem. The cost over μ is self-concordant: δ² bounds what is left
/// to gain, and a step of 1/(1 + δ) stays inside. Source: Boyd & Vandenberghe, Convex
/// Optimization, section 9.6.
class LogDetNewton {
 public:
  /// Allocates all that a solution needs; sizes are asserted.
  explicit LogDetNewton(LogDetProblem problem);

  /// Return what may change between two solutions; M and xi0 may not.
  Eigen::MatrixXd& Q() { return problem_.Q; }
  Eigen::VectorXd& r() { return problem_.r; }
  const LogDetProblem& problem() const { return problem_; }

  /// Minimises from `v`, a point inside. Allocates nothing for up to a hundred variables.
  /// @param tolerance  δ² to reach.
  /// @param[in,out] v  stays inside, even if the steps run out.
  NewtonResult Minimise(double mu, double tolerance, Eigen::VectorXd& v,
                        int most_steps = kMostSteps);
  /// Some tens of steps suffice, unless the data pull bodies far beyond what can exist.
  static constexpr int kMostSteps = 2000;

  /// Computes cost, gradient and Hessian at v, a point inside. Returns false if the Hessian is not
  /// positive definite in double precision.
  bool Expand(double mu, const Eigen::VectorXd& v);
  /// Returns the Cholesky factor of the Hessian at the last point of Expand(), which Minimise()
  /// calls before each step.
  const Eigen::LLT<Eigen::MatrixXd>& hessian() const { return hessian_factor_; }

 private:
  /// Returns true if v is inside; leaves the factors of all X_i.
  bool Factor(const Eigen::VectorXd& v);
  /// Returns the cost; infinite outside.
  double Cost(double mu, const Eigen::VectorXd& v);
  void AddBody(std::size_t body, double mu);
  double StepLength(double mu, const Eigen::VectorXd& v, double decrement);

  LogDetProblem problem_;
  /// Range of columns of M that move a body.
  struct Columns {
    Eigen::Index first = 0, count = 0;
  };
  std::vector<Columns> columns_;
  std::vector<Eigen::LLT<Eigen::Matrix4d>> factors_;
  Eigen::VectorXd xi_, Qv_, gradient_, step_, trial_;
  Eigen::MatrixXd hessian_, KM_;
  Eigen::LLT<Eigen::MatrixXd> hessian_factor_;
  double value_ = 0.0;  ///< Cost where the gradient was computed.
};

}  // namespace idbench
