#include "estimators/solvers/entropic_fit.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace idbench {
namespace {

constexpr double kPathFactor = 0.1;  ///< From one λ to the next, where that is no long way.
constexpr double kLeastStep = 0.99;  ///< The last one that is tried.
constexpr int kPathSteps = 40;       ///< After which a way was too long.
constexpr int kFewSteps = 10;        ///< After which the next may be longer.
constexpr double kOnPath = 1e-2;     ///< δ² to reach there.
constexpr double kRoundOffDecrement = 1e-2;
/// Least eigenvalue of a correlation matrix that counts as determined, per unknown.
constexpr double kLeastEigenvalue = 1e-14;
constexpr int kWarmSteps = 50;  ///< After which a warm start was none.

bool IsSolved(const NewtonResult& result) {
  // Where data weigh so much that round-off ends the steps, a hundredth of a standard deviation.
  return result.converged || (result.stagnated && result.decrement < kRoundOffDecrement);
}

LogDetProblem MakeProblem(const EntropicPrior& prior) {
  LogDetProblem problem;
  const Eigen::Index size = prior.x0().size();
  problem.M = prior.M();
  problem.xi0 = Eigen::VectorXd::Zero(problem.M.rows());
  problem.r = Eigen::VectorXd::Zero(size);
  problem.Q = Eigen::MatrixXd::Zero(size, size);
  return problem;
}

/// tr X = 4 + ⟨1, mat(ξ)⟩
Eigen::VectorXd TraceOf(const EntropicPrior& prior) {
  const Eigen::VectorXd identity =
      SymmetricCoordinates(Eigen::Matrix4d::Identity())
          .replicate(static_cast<Eigen::Index>(prior.bodies().size()), 1);
  return prior.M().transpose() * identity;
}

}  // namespace

EntropicFit::EntropicFit(const EntropicPrior& prior, double lambda)
    : lambda_(lambda),
      trace_(TraceOf(prior)),
      held_precision_(prior.Precision(0.0)),
      b_(Eigen::VectorXd::Zero(trace_.size())),
      on_path_(b_),
      newton_(MakeProblem(prior)) {
  newton_.Q().diagonal() = held_precision_;
  newton_.r() = -lambda_ * trace_;
}

void EntropicFit::SetData(const Eigen::MatrixXd& N, const Eigen::VectorXd& b) {
  newton_.Q() = N;
  newton_.Q().diagonal() += held_precision_;
  b_ = b;
}

NewtonResult EntropicFit::SolveFrom(Eigen::VectorXd& v, double tolerance) {
  newton_.r() = b_ - lambda_ * trace_;
  NewtonResult result = newton_.Minimise(lambda_, tolerance, v, kWarmSteps);
  if (IsSolved(result)) return result;
  const int steps = result.steps;
  result = SolveFromPrior(v);
  result.steps += steps;
  return result;
}

NewtonResult EntropicFit::SolveFromPrior(Eigen::VectorXd& v) {
  v.setZero(b_.size());
  int steps = 0;
  double factor = kPathFactor;
  double weight = std::max(b_.norm(), lambda_);
  double reached = weight / factor;  // the weight whose solution v is, nearly
  for (;;) {
    newton_.r() = b_ - weight * trace_;
    on_path_ = v;
    NewtonResult result =
        newton_.Minimise(weight, weight > lambda_ ? kOnPath : kConverged, on_path_, kPathSteps);
    steps += result.steps;
    const bool solved = IsSolved(result), few = result.steps < kFewSteps;
    const bool given_up = steps > LogDetNewton::kMostSteps || (!solved && factor > kLeastStep);
    if (solved || given_up) v = on_path_;
    if (given_up || (solved && weight == lambda_)) {
      result.steps = steps;
      result.converged = result.converged && weight == lambda_;
      result.stagnated = result.stagnated && weight == lambda_;
      return result;
    }
    if (solved) {
      reached = weight;
      if (few) factor = std::max(kPathFactor, factor * factor);
    } else {
      // Along the curved boundary of what bodies can be, Newton's steps are as short as it is near.
      factor = std::sqrt(factor);
    }
    weight = std::max(reached * factor, lambda_);
  }
}

NewtonResult EntropicFit::SolveWithin(const CoordinateBounds& bounds, Eigen::VectorXd& v,
                                      std::vector<int>& held) {
  // Rounds that exchange all at once; from then on one each, the last, which cannot go in circles.
  constexpr int kInBlocks = 8;
  constexpr double kSlight = 1e-4;  // Standard deviations that a pull inside has to lead: above δ.
  const Eigen::MatrixXd Q = newton_.Q();
  const Eigen::VectorXd b = b_;
  const auto size = static_cast<int>(b.size());
  Eigen::VectorXd value = Eigen::VectorXd::Zero(size);
  held.clear();
  NewtonResult result = SolveFromPrior(v);
  for (int round = 0; IsSolved(result); ++round) {
    const Eigen::VectorXd gradient = Q * v - b;
    std::vector<int> exchanged;
    for (int k = 0; k < size; ++k) {
      const bool is_held = std::ranges::find(held, k) != held.end();
      const double inwards = value[k] <= bounds.lower[k] ? -gradient[k] : gradient[k];
      const bool leaves =
          is_held ? inwards > kSlight * std::sqrt(Q(k, k)) && bounds.lower[k] < bounds.upper[k]
                  : v[k] < bounds.lower[k] || v[k] > bounds.upper[k];
      if (leaves) exchanged.push_back(k);
    }
    if (exchanged.empty()) break;
    if (round > kInBlocks + 4 * size) {
      result.converged = result.stagnated = false;
      break;
    }
    if (round >= kInBlocks) exchanged = {exchanged.back()};
    for (const int k : exchanged) {
      if (std::erase(held, k) == 0) held.push_back(k);
      value[k] = std::clamp(v[k], bounds.lower[k], bounds.upper[k]);
    }
    newton_.Q() = Q;
    b_ = b;
    for (const int k : held) b_ -= Q.col(k) * value[k];
    for (const int k : held) {
      newton_.Q().row(k).setZero();
      newton_.Q().col(k).setZero();
      newton_.Q()(k, k) = Q(k, k);
      b_[k] = Q(k, k) * value[k];
    }
    const int steps = result.steps;
    result = SolveFrom(v);
    result.steps += steps;
    for (const int k : held) v[k] = value[k];
  }
  newton_.Q() = Q;
  b_ = b;
  std::ranges::sort(held);
  return result;
}

void EntropicFit::TakeCurvature(const Eigen::VectorXd& v) {
  if (TryCurvature(v)) return;
  throw EstimationFailure(Outcome::kRankDeficient,
                          "the prior is lost beside the data in double precision: declare greater "
                          "σ, or give the prior more weight (\"lambda\")");
}

Eigen::MatrixXd EntropicFit::Covariance() const {
  return curvature().solve(Eigen::MatrixXd::Identity(b_.size(), b_.size()));
}

std::optional<int> Undetermined(const EntropicPrior& prior, const Eigen::MatrixXd& N) {
  const std::vector<int>& free = prior.free();
  if (free.empty()) return std::nullopt;
  const Eigen::MatrixXd own = N(free, free);
  const Eigen::VectorXd scale =
      own.diagonal().unaryExpr([](double n) { return n > 0.0 ? 1.0 / std::sqrt(n) : 0.0; });
  const Eigen::MatrixXd scaled = scale.asDiagonal() * own * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scaled);
  if (eigen.eigenvalues()[0] > kLeastEigenvalue * static_cast<double>(free.size())) {
    return std::nullopt;
  }
  Eigen::Index worst = 0;
  eigen.eigenvectors().col(0).cwiseAbs().maxCoeff(&worst);
  return free[static_cast<std::size_t>(worst)];
}

void CheckDetermined(const EntropicPrior& prior, const Eigen::MatrixXd& N,
                     const std::vector<std::string>& names) {
  const std::optional<int> worst = Undetermined(prior, N);
  if (!worst) return;
  throw EstimationFailure(
      Outcome::kRankDeficient,
      fmt::format(
          "the data do not determine {}, and no prior holds it: record more, or declare a σ "
          "of it in /problem/prior/std",
          names[static_cast<std::size_t>(*worst)]));
}

void StateSolution(const Problem& problem, const EntropicPrior& prior, double lambda,
                   const NewtonResult& result, const Eigen::VectorXd& v, Estimate& estimate) {
  if (!IsSolved(result)) {
    throw EstimationFailure(
        Outcome::kNotConverged,
        fmt::format("Newton's method on the log-det problem did not converge in {} steps",
                    result.steps));
  }
  estimate.x = prior.X(v);
  estimate.own_prior = prior.Spread(lambda);
  estimate.diagnostics["newton_steps"] = result.steps;
  estimate.diagnostics["gap"] = lambda * result.decrement * result.decrement;
  if (prior.bodies().empty()) return;
  estimate.diagnostics["least_pseudo_inertia_margin"] =
      LeastPseudoInertiaMargin(problem.parameters.Pi(estimate.x), prior.bodies());
}

}  // namespace idbench
