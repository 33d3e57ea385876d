#include "robots/dynamics/parameters/consistent_fit.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "robots/dynamics/parameters/log_det_newton.h"

namespace idbench {
namespace {

constexpr double kConverged = 1e-10;  ///< δ² at which a problem is solved.
constexpr double kSingular = 1e-14;
constexpr double kPathFactor = 0.1;      ///< From one λ to the next.
constexpr double kLeastFeasible = 1e-9;  ///< λmin(X) from which on a body counts as consistent.
constexpr double kLeastMu = 1e-8;        ///< Of the search for an interior point.
constexpr double kGreatestTrace = 100;   ///< Heavier sets than this times the prior do not count.
constexpr double kEnoughMargin = 1e-2;   ///< λmin(X) at which the nearest set can be looked for.
constexpr double kZeroSingular = 1e-10;  ///< Of the greatest; constraints are scaled to unit rows.

/// π = origin + scale·u, u = (ξ of all bodies, scaled free parameters); u = 0 is the prior.
struct ScaledVariables {
  Eigen::VectorXd origin;
  Eigen::MatrixXd scale;  ///< Size of π × (10·bodies + free).
  int bodies;

  /// @param free_scales  one for each free parameter.
  ScaledVariables(const ConsistentVariables& variables, const Eigen::VectorXd& free_scales)
      : origin(variables.prior), bodies(static_cast<int>(variables.bodies.size())) {
    const int inertial = kInertialCount * bodies;
    scale = Eigen::MatrixXd::Zero(origin.size(),
                                  inertial + static_cast<Eigen::Index>(variables.free.size()));
    for (int i = 0; i < bodies; ++i) {
      const int first = variables.bodies[static_cast<std::size_t>(i)];
      if (first < 0 || first + kInertialCount > origin.size()) {
        throw std::invalid_argument("consistent fit: a body lies outside of π");
      }
      const InertialParameters prior = origin.segment<kInertialCount>(first);
      const Eigen::LLT<Eigen::Matrix4d> llt(PseudoInertia(prior));
      if (!prior.allFinite() || llt.info() != Eigen::Success) {
        throw std::invalid_argument(fmt::format(
            "consistent fit: the prior of the body at index {} of π is not physically consistent; "
            "make it so first",
            first));
      }
      const Eigen::Matrix4d L = llt.matrixL();
      for (int k = 0; k < kInertialCount; ++k) {
        scale.block<kInertialCount, 1>(first, kInertialCount * i + k) =
            FromPseudoInertia(L * SymmetricBasis(k) * L.transpose());
      }
    }
    for (std::size_t k = 0; k < variables.free.size(); ++k) {
      const auto column = static_cast<Eigen::Index>(k);
      scale(variables.free[k], inertial + column) = free_scales[column];
    }
  }
};

/// Whether the curvature of the free parameters alone, scaled to a unit diagonal, is positive.
bool Determines(const Eigen::MatrixXd& Q) {
  return Q.size() == 0 || Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(Q, Eigen::EigenvaluesOnly)
                                  .eigenvalues()[0] > kSingular * static_cast<double>(Q.rows());
}

[[noreturn]] void ThrowUndetermined() {
  throw std::domain_error("consistent fit: the data do not determine the free parameters");
}

ConsistentSet Described(const NewtonResult& result, double mu) {
  if (result.singular) ThrowUndetermined();
  ConsistentSet set;
  set.gap = mu * result.decrement * result.decrement;
  set.converged = result.converged;
  return set;
}

/// ξ of the identity for all bodies: tr X = 4 + identityᵀ ξ.
Eigen::VectorXd IdentityCoordinates(Eigen::Index bodies) {
  return SymmetricCoordinates(Eigen::Matrix4d::Identity()).replicate(bodies, 1);
}

Eigen::VectorXd Divergences(const ConsistentVariables& variables, const Eigen::VectorXd& pi) {
  Eigen::VectorXd all(static_cast<Eigen::Index>(variables.bodies.size()));
  for (Eigen::Index i = 0; i < all.size(); ++i) {
    const int first = variables.bodies[static_cast<std::size_t>(i)];
    all[i] = EntropicDivergence(pi.segment<kInertialCount>(first),
                                variables.prior.segment<kInertialCount>(first));
  }
  return all;
}

/// Constraints in scaled variables: u = particular + null_space·v.
struct Constrained {
  Eigen::VectorXd particular;
  Eigen::MatrixXd null_space;
};

Constrained SolveConstraints(const ScaledVariables& scaled, const Eigen::MatrixXd& C,
                             const Eigen::VectorXd& d) {
  Eigen::MatrixXd rows = C * scaled.scale;
  Eigen::VectorXd values = d - C * scaled.origin;
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const double norm = rows.row(i).norm();
    if (norm == 0.0) continue;
    rows.row(i) /= norm;
    values[i] /= norm;
  }
  Eigen::JacobiSVD<Eigen::MatrixXd> svd(rows, Eigen::ComputeFullV | Eigen::ComputeThinU);
  svd.setThreshold(kZeroSingular);
  Constrained result;
  result.particular = svd.solve(values);
  if ((rows * result.particular - values).norm() > 1e-8 * (1.0 + values.norm())) {
    throw std::invalid_argument("consistent fit: the constraints contradict each other");
  }
  result.null_space = svd.matrixV().rightCols(rows.cols() - svd.rank());
  return result;
}

struct Interior {
  Eigen::VectorXd v;
  Eigen::VectorXd margin;  ///< λmin(X_i)
  int steps = 0;
};

double LeastEigenvalue(const Eigen::Ref<const Eigen::VectorXd>& xi) {
  const Eigen::Matrix4d X = Eigen::Matrix4d::Identity() + SymmetricMatrix(xi);
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d>(X, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

Eigen::VectorXd LeastEigenvalues(const Eigen::VectorXd& xi) {
  Eigen::VectorXd least(xi.size() / kInertialCount);
  for (Eigen::Index i = 0; i < least.size(); ++i) {
    least[i] = LeastEigenvalue(xi.segment<kInertialCount>(kInertialCount * i));
  }
  return least;
}

/// A point with all X_i(v) well inside, or else the least violation: min Σ t_i, X_i(v) + t_i·1 ≻ 0,
/// t_i > 0, whose t is zero for as many bodies as can be.
///
/// Links may grow in directions that no constraint sees, so that the barrier has no minimum of its
/// own: min(μ, 1)·tr(X_i + t_i·1) holds it, at sizes of about max(μ, 1), which begin where the
/// constraints lead and end at the prior's. With ν barriers, a point of the path at μ ≤ 1 excludes
/// every consistent set with Σ tr X_i ≤ Σ t_i/μ − ν: of so many times the prior's mass.
Interior FindInterior(const Eigen::VectorXd& xi0, const Eigen::MatrixXd& M) {
  const Eigen::Index bodies = xi0.size() / kInertialCount;
  const Eigen::Index size = M.cols();
  Interior interior{Eigen::VectorXd::Zero(size), LeastEigenvalues(xi0), 0};
  if (bodies == 0 || interior.margin.minCoeff() >= kEnoughMargin) return interior;
  LogDetProblem problem;  // the variables are (v, t)
  problem.positive = bodies;
  problem.Q = Eigen::MatrixXd::Zero(size + bodies, size + bodies);
  problem.M = Eigen::MatrixXd::Zero(M.rows(), size + bodies);
  problem.M.leftCols(size) = M;
  for (Eigen::Index i = 0; i < bodies; ++i) {
    problem.M.block(kInertialCount * i, size + i, kInertialCount, 1) = IdentityCoordinates(1);
  }
  problem.xi0 = xi0;
  problem.r = Eigen::VectorXd::Zero(size + bodies);
  const auto barriers = static_cast<double>(5 * bodies);
  const Eigen::VectorXd trace = problem.M.transpose() * IdentityCoordinates(bodies);
  LogDetNewton newton(std::move(problem));
  Eigen::VectorXd cost = Eigen::VectorXd::Zero(size + bodies);
  cost.tail(bodies).setOnes();
  Eigen::VectorXd v = Eigen::VectorXd::Zero(size + bodies);
  v.tail(bodies).setConstant(2.0 * (1.0 - std::min(interior.margin.minCoeff(), 0.0)));
  double mu = v.tail(bodies).maxCoeff();
  while (mu >= kLeastMu) {
    newton.r() = -cost - std::min(mu, 1.0) * trace;
    const NewtonResult result = newton.Minimise(mu, 1e-4, v);
    interior.steps += result.steps;
    interior.v = v.head(size);
    interior.margin = LeastEigenvalues(xi0 + M * interior.v);
    const double excluded = v.tail(bodies).sum() / mu - barriers;
    const bool none = mu <= 1.0 && excluded > kGreatestTrace * static_cast<double>(4 * bodies);
    if (none || interior.margin.minCoeff() >= kEnoughMargin || !result.converged) break;
    mu *= kPathFactor;
  }
  return interior;
}

}  // namespace

double EntropicDivergence(const InertialParameters& parameters, const InertialParameters& prior) {
  const Eigen::LLT<Eigen::Matrix4d> P0(PseudoInertia(prior));
  const Eigen::Matrix4d P = PseudoInertia(parameters);
  const Eigen::LLT<Eigen::Matrix4d> llt(P);
  if (llt.info() != Eigen::Success) return std::numeric_limits<double>::infinity();
  const double log_det = 2.0 * (llt.matrixLLT().diagonal().array().log().sum() -
                                P0.matrixLLT().diagonal().array().log().sum());
  return P0.solve(P).trace() - log_det - 4.0;
}

double PseudoInertiaMargin(const InertialParameters& parameters) {
  const Eigen::Matrix4d J = PseudoInertia(parameters);
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d>(J, Eigen::EigenvaluesOnly)
             .eigenvalues()
             .minCoeff() /
         std::abs(J.trace());
}

ConsistentSet FitConsistent(const ConsistentVariables& variables, const Eigen::MatrixXd& N,
                            const Eigen::VectorXd& b, double lambda) {
  const Eigen::Index size = variables.prior.size();
  if (N.rows() != size || N.cols() != size || b.size() != size || !(lambda > 0.0)) {
    throw std::invalid_argument(
        "consistent fit: N and b need the size of π, and λ must be positive");
  }
  Eigen::VectorXd free_scales(static_cast<Eigen::Index>(variables.free.size()));
  for (std::size_t k = 0; k < variables.free.size(); ++k) {
    const double curvature = N(variables.free[k], variables.free[k]);
    free_scales[static_cast<Eigen::Index>(k)] = curvature > 0.0 ? 1.0 / std::sqrt(curvature) : 1.0;
  }
  const ScaledVariables scaled(variables, free_scales);
  const Eigen::Index inertial = kInertialCount * scaled.bodies;
  LogDetProblem problem;
  problem.Q = scaled.scale.transpose() * N * scaled.scale;
  const Eigen::Index free = problem.Q.cols() - inertial;
  if (!Determines(problem.Q.bottomRightCorner(free, free))) ThrowUndetermined();
  problem.M = Eigen::MatrixXd::Identity(inertial, problem.Q.cols());
  problem.xi0 = Eigen::VectorXd::Zero(inertial);
  const Eigen::VectorXd pull = scaled.scale.transpose() * (b - N * scaled.origin);
  Eigen::VectorXd trace = Eigen::VectorXd::Zero(problem.Q.cols());
  trace.head(inertial) = IdentityCoordinates(scaled.bodies);
  problem.r = pull;
  LogDetNewton newton(std::move(problem));

  Eigen::VectorXd u = Eigen::VectorXd::Zero(trace.size());
  ConsistentSet set;
  for (double mu = std::max(lambda, pull.head(inertial).norm());; mu *= kPathFactor) {
    const bool last = mu <= lambda;
    mu = std::max(mu, lambda);
    newton.r() = pull - mu * trace;
    const NewtonResult result = newton.Minimise(mu, last ? kConverged : 1e-2, u);
    const int steps = set.iterations + result.steps;
    set = Described(result, mu);
    set.iterations = steps;
    if (last) break;
  }
  set.pi = scaled.origin + scaled.scale * u;
  set.divergence = Divergences(variables, set.pi);
  return set;
}

NearestConsistentSet FindNearestConsistent(const ConsistentVariables& variables,
                                           const Eigen::MatrixXd& C, const Eigen::VectorXd& d) {
  if (C.cols() != variables.prior.size() || C.rows() != d.size()) {
    throw std::invalid_argument("consistent fit: C·π = d has sizes that contradict each other");
  }
  const Eigen::VectorXd ones =
      Eigen::VectorXd::Ones(static_cast<Eigen::Index>(variables.free.size()));
  const ScaledVariables scaled(variables, ones);
  const Constrained constrained = SolveConstraints(scaled, C, d);
  const Eigen::Index inertial = kInertialCount * scaled.bodies;
  LogDetProblem problem;
  problem.M = constrained.null_space.topRows(inertial);
  problem.xi0 = constrained.particular.head(inertial);
  const Interior interior = FindInterior(problem.xi0, problem.M);

  NearestConsistentSet nearest;
  Eigen::VectorXd v = interior.v;
  nearest.margin = interior.margin;
  nearest.feasible = nearest.margin.size() == 0 || nearest.margin.minCoeff() > kLeastFeasible;
  if (!nearest.feasible) return nearest;
  problem.Q = Eigen::MatrixXd::Zero(v.size(), v.size());
  problem.r = -(problem.M.transpose() * IdentityCoordinates(scaled.bodies));
  const NewtonResult result = LogDetNewton(std::move(problem)).Minimise(1.0, kConverged, v);
  nearest.set = Described(result, 1.0);
  nearest.set.iterations = interior.steps + result.steps;
  nearest.set.pi =
      scaled.origin + scaled.scale * (constrained.particular + constrained.null_space * v);
  nearest.set.divergence = Divergences(variables, nearest.set.pi);
  return nearest;
}

}  // namespace idbench
