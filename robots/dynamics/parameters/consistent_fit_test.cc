#include "robots/dynamics/parameters/consistent_fit.h"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/robot.h"

namespace idbench {
namespace {

/// A robot of the catalogue with its moving links to be fitted.
struct CataloguedLinks {
  explicit CataloguedLinks(const char* name) : robot(LoadRobot(name)), layout(robot.model.dofs()) {
    variables.prior = robot.FindSet("")->pi;
    for (int i = 0; i < layout.dofs(); ++i) variables.bodies.push_back(layout.Body(i));
  }
  InertialParameters Body(const Eigen::VectorXd& pi, int i) const {
    return pi.segment<kInertialCount>(layout.Body(i));
  }
  /// A consistent set about as far from the prior as estimates are: each link's mass and moments
  /// scaled, and moved by a few centimetres.
  Eigen::VectorXd Truth() const {
    Eigen::VectorXd pi = variables.prior;
    for (int i = 0; i < layout.dofs(); ++i) {
      CentralInertia inertia = FromStandard(Body(pi, i));
      inertia.mass *= 1.0 + 0.1 * (i % 3 - 1);
      inertia.I_com *= 1.2;
      inertia.com += Eigen::Vector3d(0.02, -0.01, 0.01 * i);
      pi.segment<kInertialCount>(layout.Body(i)) = ToStandard(inertia);
    }
    return pi;
  }
  BaseParameters Base() const {
    return FindBaseParameters(robot.model, {Equation::kTorque},
                              ConsideredParameters(robot.model, {Equation::kTorque}, {}));
  }

  Robot robot;
  ParameterLayout layout;
  ConsistentVariables variables;
};

/// ∂D/∂π, entry by entry from the definition: tr((P₀⁻¹ − P⁻¹)·∂P/∂π_k).
Eigen::VectorXd DivergenceGradient(const CataloguedLinks& links, const Eigen::VectorXd& pi) {
  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(pi.size());
  for (const int first : links.variables.bodies) {
    const InertialParameters prior = links.variables.prior.segment<kInertialCount>(first);
    const Eigen::Matrix4d P0 = PseudoInertia(prior);
    const Eigen::Matrix4d P = PseudoInertia(pi.segment<kInertialCount>(first));
    const Eigen::Matrix4d one = Eigen::Matrix4d::Identity();
    const Eigen::Matrix4d difference = P0.llt().solve(one) - P.llt().solve(one);
    for (int k = 0; k < kInertialCount; ++k) {
      const Eigen::Matrix4d slope = PseudoInertia(InertialParameters::Unit(k));
      gradient[first + k] = (difference * slope).trace();
    }
  }
  return gradient;
}

/// ∂²D/∂π²: tr(P⁻¹·∂P/∂π_k·P⁻¹·∂P/∂π_l).
Eigen::MatrixXd DivergenceHessian(const CataloguedLinks& links, const Eigen::VectorXd& pi) {
  Eigen::MatrixXd hessian = Eigen::MatrixXd::Zero(pi.size(), pi.size());
  for (const int first : links.variables.bodies) {
    const Eigen::LLT<Eigen::Matrix4d> P(PseudoInertia(pi.segment<kInertialCount>(first)));
    for (int k = 0; k < kInertialCount; ++k) {
      const Eigen::Matrix4d one = P.solve(PseudoInertia(InertialParameters::Unit(k)));
      for (int l = 0; l < kInertialCount; ++l) {
        const Eigen::Matrix4d other = P.solve(PseudoInertia(InertialParameters::Unit(l)));
        hessian(first + k, first + l) = (one * other).trace();
      }
    }
  }
  return hessian;
}

bool AllConsistent(const CataloguedLinks& links, const Eigen::VectorXd& pi) {
  for (int i = 0; i < links.layout.dofs(); ++i) {
    if (PhysicalConsistency(links.Body(pi, i)) != Consistency::kConsistent) return false;
  }
  return true;
}

TEST_CASE(
    "The divergence is 0 at the prior, that of a scaled body 4·(x − ln x − 1), else infinite") {
  const CataloguedLinks links("planar2");
  const InertialParameters prior = links.Body(links.variables.prior, 0);
  CHECK(EntropicDivergence(prior, prior) == doctest::Approx(0.0).epsilon(1e-14));
  CHECK(EntropicDivergence(2.0 * prior, prior) ==
        doctest::Approx(4.0 * (2.0 - std::log(2.0) - 1.0)).epsilon(1e-13));
  InertialParameters none = prior;
  none[0] = -1.0;
  CHECK(EntropicDivergence(none, prior) == std::numeric_limits<double>::infinity());
}

TEST_CASE("The margin of a cross of points is theirs, of a rod 0, of what is no body negative") {
  // Two points of half a kilogram at ±0.1 m on each axis: J = diag(0.01, 0.01, 0.01, 3).
  const CentralInertia cross{3.0, Eigen::Vector3d::Zero(), 0.02 * Eigen::Matrix3d::Identity()};
  CHECK(PseudoInertiaMargin(ToStandard(cross)) == doctest::Approx(0.01 / 3.03).epsilon(1e-13));
  CentralInertia rod = cross;
  rod.com = {0.3, -0.1, 0.2};
  rod.I_com = Eigen::Vector3d(0.3, 0.3, 0.0).asDiagonal();
  CHECK(std::abs(PseudoInertiaMargin(ToStandard(rod))) < 1e-15);
  rod.I_com = Eigen::Vector3d(0.1, 0.2, 0.31).asDiagonal();
  CHECK(PseudoInertiaMargin(ToStandard(rod)) < 0.0);
  CHECK(PseudoInertiaMargin(-ToStandard(cross)) == doctest::Approx(-3.0 / 3.03).epsilon(1e-13));
}

TEST_CASE("A body whose scale alone is measured moves to the root of a quadratic") {
  // P = x·P₀ with ½·h·(x − a)² + λ·4·(x − ln x − 1): 4λ + h·(x − a) = 4λ/x.
  CataloguedLinks links("planar1");
  const InertialParameters prior = links.Body(links.variables.prior, 0);
  const int first = links.layout.Body(0);
  for (const double a : {3.0, 0.2, -1.0}) {
    for (const double lambda : {1.0, 1e-3, 1e-7}) {
      CAPTURE(a);
      CAPTURE(lambda);
      // Its scale by the prior's own metric at the prior, ⟨P₀⁻¹, P⟩/4.
      Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(links.variables.prior.size());
      const Eigen::Matrix4d inverse =
          PseudoInertia(prior).llt().solve(Eigen::Matrix4d(Eigen::Matrix4d::Identity()));
      for (int k = 0; k < kInertialCount; ++k) {
        row[first + k] = (inverse * PseudoInertia(InertialParameters::Unit(k))).trace() / 4.0;
      }
      const double h = 10.0;
      const ConsistentSet set = FitConsistent(links.variables, h * row.transpose() * row,
                                              h * a * row.transpose(), lambda);
      const double p = 4.0 * lambda / h - a;
      const double x = 0.5 * (-p + std::sqrt(p * p + 16.0 * lambda / h));
      CHECK(set.converged);
      CHECK(set.gap <= 1e-10 * lambda);
      // δ ≤ 1e-5 bounds the relative change of P.
      CHECK((links.Body(set.pi, 0) - x * prior).norm() <= 1e-5 * x * prior.norm());
      CHECK(set.divergence[0] == doctest::Approx(4.0 * (x - std::log(x) - 1.0)).epsilon(1e-6));
    }
  }
}

TEST_CASE("A fit meets the optimality conditions in standard parameters, also of the free ones") {
  CataloguedLinks links("kuka_lwr4");
  const Dynamics dynamics(links.robot.model);
  std::vector<int> columns =
      ConsideredParameters(links.robot.model, {Equation::kTorque}, {JointParameter::kViscous});
  for (int i = 0; i < 7; ++i) {
    links.variables.free.push_back(links.layout.Joint(i, JointParameter::kViscous));
  }
  const RowRegressor rows(dynamics, {Equation::kTorque}, columns);
  const FixedStates states = MakeFixedStates(links.robot.model, 200, 7);
  Eigen::VectorXd truth = links.Truth();
  for (const int k : links.variables.free) truth[k] = 2.0;
  truth[links.layout.Body(6) + 4] = -0.01;  // which no body has
  Dynamics::Scratch scratch(dynamics);
  std::vector<Eigen::MatrixXd> W;
  rows.Dense(states.samples(), scratch, W);
  Eigen::MatrixXd N = Eigen::MatrixXd::Zero(truth.size(), truth.size());
  for (int r = 0; r < rows.row_count(); ++r) {
    std::vector<int> own;
    for (const int c : rows.ColumnsOf(r)) own.push_back(columns[static_cast<std::size_t>(c)]);
    const Eigen::MatrixXd& block = W[static_cast<std::size_t>(r)];
    N(own, own) += block.transpose() * block;
  }
  const Eigen::VectorXd b = N * truth;
  for (const double lambda : {1.0, 1e-4}) {
    CAPTURE(lambda);
    const ConsistentSet set = FitConsistent(links.variables, N, b, lambda);
    CHECK(set.converged);
    CHECK(set.iterations <= 100);
    CHECK(AllConsistent(links, set.pi));
    const Eigen::VectorXd pull = N * set.pi - b;
    const Eigen::VectorXd push = lambda * DivergenceGradient(links, set.pi);
    // By Cauchy and Schwarz, a decrement δ ≤ 1e-5 leaves at most δ·√(λ·H_kk) of any entry.
    const Eigen::VectorXd curvature = DivergenceHessian(links, set.pi).diagonal();
    for (const int k : columns) {
      CAPTURE(k);
      CHECK(std::abs(pull[k] + push[k]) <=
            1e-5 * std::sqrt(lambda * (N(k, k) + lambda * curvature[k])));
    }
    CHECK(set.pi.head(kInertialCount) == links.variables.prior.head(kInertialCount));
  }
}

TEST_CASE("A projected gradient finds no better set than the constrained fit") {
  CataloguedLinks links("planar2");
  const BaseParameters base = links.Base();
  const Eigen::VectorXd beta = base.B * links.Truth();
  const NearestConsistentSet nearest = FindNearestConsistent(links.variables, base.B, beta);
  REQUIRE(nearest.feasible);
  CHECK(nearest.set.converged);
  CHECK(AllConsistent(links, nearest.set.pi));
  CHECK((base.B * nearest.set.pi - beta).norm() <= 1e-12 * beta.norm());
  CHECK(nearest.set.divergence.sum() <
        EntropicDivergence(links.Body(links.Truth(), 0), links.Body(links.variables.prior, 0)) +
            EntropicDivergence(links.Body(links.Truth(), 1), links.Body(links.variables.prior, 1)));

  // First order, from the truth, in the null space of B, in the fixed metric of D at the prior.
  const Eigen::VectorXi inertial =
      Eigen::VectorXi::LinSpaced(20, links.layout.Body(0), links.layout.Body(0) + 19);
  const Eigen::MatrixXd metric =
      DivergenceHessian(links, links.variables.prior)(inertial, inertial).llt().matrixL();
  const auto to_standard = [&metric](const Eigen::VectorXd& y) {
    return Eigen::VectorXd(metric.transpose().triangularView<Eigen::Upper>().solve(y));
  };
  const Eigen::MatrixXd Bt = metric.triangularView<Eigen::Lower>().solve(
      Eigen::MatrixXd(base.B(Eigen::all, inertial).transpose()));
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(Bt);
  const Eigen::MatrixXd Q = qr.householderQ();
  const Eigen::MatrixXd kernel = Q.rightCols(Bt.rows() - Bt.cols());
  const auto cost = [&links](const Eigen::VectorXd& pi) {
    double sum = 0.0;
    for (int i = 0; i < 2; ++i) {
      sum += EntropicDivergence(links.Body(pi, i), links.Body(links.variables.prior, i));
    }
    return sum;
  };
  Eigen::VectorXd pi = links.Truth();
  double length = 1e-3;
  for (int step = 0; step < 5000; ++step) {
    const Eigen::VectorXd gradient = DivergenceGradient(links, pi)(inertial);
    const Eigen::VectorXd slope =
        kernel.transpose() * metric.triangularView<Eigen::Lower>().solve(gradient);
    Eigen::VectorXd next = pi;
    next(inertial) -= length * to_standard(kernel * slope);
    if (cost(next) < cost(pi)) {
      pi = next;
      length *= 1.5;
    } else {
      length *= 0.5;
    }
  }
  // The first-order method comes near from above and never below.
  CHECK(cost(pi) >= nearest.set.divergence.sum() - 1e-9);
  CHECK(cost(pi) <= (1.0 + 1e-6) * nearest.set.divergence.sum());
}

TEST_CASE("The nearest set to base parameters stands on the constraints' normal") {
  CataloguedLinks links("kuka_lwr4");
  const BaseParameters base = links.Base();
  const Eigen::VectorXd beta = base.B * links.Truth();
  const NearestConsistentSet nearest = FindNearestConsistent(links.variables, base.B, beta);
  REQUIRE(nearest.feasible);
  CHECK(nearest.margin.minCoeff() > 0.0);
  CHECK(AllConsistent(links, nearest.set.pi));
  CHECK((base.B * nearest.set.pi - beta).norm() <= 1e-12 * beta.norm());
  // ∇D = Bᵀ·multipliers.
  const Eigen::VectorXd gradient = DivergenceGradient(links, nearest.set.pi);
  const Eigen::MatrixXd Bt = base.B.transpose();
  const Eigen::VectorXd multipliers = Bt.colPivHouseholderQr().solve(gradient);
  CHECK((gradient - Bt * multipliers).norm() <= 1e-5 * gradient.norm());
}

TEST_CASE("Base parameters that the prior predicts give the prior back") {
  CataloguedLinks links("barrett_wam7");
  const BaseParameters base = links.Base();
  links.variables.free = {links.layout.Joint(3, JointParameter::kCoulomb)};
  Eigen::MatrixXd C(base.size() + 1, base.B.cols());
  C << base.B, Eigen::RowVectorXd::Unit(base.B.cols(), links.variables.free[0]);
  Eigen::VectorXd d = C * links.variables.prior;
  d[base.size()] = 3.5;
  const NearestConsistentSet nearest = FindNearestConsistent(links.variables, C, d);
  REQUIRE(nearest.feasible);
  CHECK(nearest.set.divergence.maxCoeff() <= 1e-12);
  CHECK(nearest.set.pi[links.variables.free[0]] == doctest::Approx(3.5).epsilon(1e-14));
}

TEST_CASE("Base parameters that no body has are told of, with the body and how far") {
  CataloguedLinks links("planar2");
  const BaseParameters base = links.Base();
  Eigen::VectorXd beta = base.B * links.variables.prior;
  // The last link's own moment about its joint is a base parameter, Iyy = Σxx + Σzz.
  const int iyy = links.layout.Body(1) + 6;
  for (int k = 0; k < base.size(); ++k) {
    if (base.independent[static_cast<std::size_t>(k)] == iyy) beta[k] *= -2.0;
  }
  const NearestConsistentSet nearest = FindNearestConsistent(links.variables, base.B, beta);
  CHECK_FALSE(nearest.feasible);
  // ⟨Σ, diag(1, 0, 1)⟩ = −2 times that of the prior needs some direction with −2 times as much or
  // less; the first link is free to be as it is.
  CHECK(nearest.margin[1] <= -2.0 + 1e-6);
  // On the boundary but for what the barrier leaves where it is certain that there is none.
  CHECK(nearest.margin[0] >= 0.01 * nearest.margin[1]);
}

TEST_CASE("A greater λ stays nearer to the prior, a smaller one nearer to the data") {
  CataloguedLinks links("planar2");
  const BaseParameters base = links.Base();
  const Eigen::MatrixXd N = base.B.transpose() * base.B;
  Eigen::VectorXd target = links.Truth();
  target[links.layout.Body(1) + 6] = -0.5;
  double divergence = std::numeric_limits<double>::infinity();
  double misfit = 0.0;
  for (const double lambda : {1e-6, 1e-4, 1e-2, 1.0}) {
    const ConsistentSet set = FitConsistent(links.variables, N, N * target, lambda);
    const double squared = (base.B * (set.pi - target)).squaredNorm();
    CHECK(set.converged);
    CHECK(set.divergence.sum() < divergence);
    CHECK(squared > misfit);
    divergence = set.divergence.sum();
    misfit = squared;
  }
}

TEST_CASE("What cannot be solved is refused by name") {
  CataloguedLinks links("planar2");
  const auto size = links.variables.prior.size();
  const Eigen::MatrixXd N = Eigen::MatrixXd::Zero(size, size);
  const Eigen::VectorXd b = Eigen::VectorXd::Zero(size);
  CHECK_THROWS_WITH_AS(FitConsistent(links.variables, N, b, 0.0),
                       "consistent fit: N and b need the size of π, and λ must be positive",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(FindNearestConsistent(links.variables, N, b.head(3)),
                       "consistent fit: C·π = d has sizes that contradict each other",
                       std::invalid_argument);
  Eigen::MatrixXd twice = Eigen::MatrixXd::Zero(2, size);
  twice.col(12).setOnes();
  CHECK_THROWS_WITH_AS(FindNearestConsistent(links.variables, twice, Eigen::Vector2d(1.0, 2.0)),
                       "consistent fit: the constraints contradict each other",
                       std::invalid_argument);
  links.variables.free = {links.layout.Joint(0, JointParameter::kViscous)};
  CHECK_THROWS_WITH_AS(FitConsistent(links.variables, N, b, 1.0),
                       "consistent fit: the data do not determine the free parameters",
                       std::domain_error);
  links.variables.prior.segment<kInertialCount>(links.layout.Body(1)).setZero();
  CHECK_THROWS_WITH_AS(FitConsistent(links.variables, N, b, 1.0),
                       "consistent fit: the prior of the body at index 20 of π is not physically "
                       "consistent; make it so first",
                       std::invalid_argument);
  links.variables.bodies.push_back(static_cast<int>(size) - 3);
  links.variables.bodies.erase(links.variables.bodies.begin() + 1);
  CHECK_THROWS_WITH_AS(FitConsistent(links.variables, N, b, 1.0),
                       "consistent fit: a body lies outside of π", std::invalid_argument);
}

}  // namespace
}  // namespace idbench
