#include "estimators/solvers/entropic_prior.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "estimators/interface/estimate.h"
#include "estimators/solvers/in_coordinates.h"
#include "estimators/synthetic_test.h"
#include "robots/dynamics/parameters/consistent_fit.h"
#include "robots/dynamics/parameters/log_det_newton.h"

namespace idbench {
namespace {

Synthetic EquallyDeclared(const char* name, const char* parametrisation) {
  Synthetic robot(name, parametrisation);
  robot.Declare(Eigen::VectorXd::Constant(robot.model.dofs(), 0.1), 0.2);
  return robot;
}

/// Σ_i D(P_i ‖ P_i,prior) by its definition.
double Divergence(const Problem& problem, const EntropicPrior& prior, const Eigen::VectorXd& v) {
  const Eigen::VectorXd pi0 = problem.parameters.Pi(prior.x0());
  const Eigen::VectorXd pi = problem.parameters.Pi(prior.X(v));
  double sum = 0.0;
  for (const int first : prior.bodies()) {
    sum +=
        EntropicDivergence(pi.segment<kInertialCount>(first), pi0.segment<kInertialCount>(first));
  }
  return sum;
}

TEST_CASE("The coordinates are those in which the divergence is half a square to second order") {
  for (const char* parametrisation : {"standard", "masses_and_moments"}) {
    CAPTURE(parametrisation);
    const Synthetic robot = EquallyDeclared("barrett_wam7", parametrisation);
    const EntropicPrior prior(robot.problem);
    CHECK(prior.bodies().size() == 7);
    const Eigen::VectorXd precision = prior.Precision(1.0);
    for (Eigen::Index k = 0; k < precision.size(); k += 3) {
      const double step = 1e-3;
      Eigen::VectorXd v = Eigen::VectorXd::Zero(precision.size());
      v[k] = step;
      v[precision.size() - 1 - k] += step;
      // Viscous and Coulomb friction stand behind the bodies, and move none.
      const double moved = (prior.M() * v).squaredNorm();
      CHECK(Divergence(robot.problem, prior, v) ==
            doctest::Approx(0.5 * moved).epsilon(10.0 * step));
    }
    const Eigen::MatrixXd square = prior.M().transpose() * prior.M();
    const Eigen::Index inertial = precision.size() - 14;
    CHECK((square.topLeftCorner(inertial, inertial) - Eigen::MatrixXd::Identity(inertial, inertial))
              .norm() < 1e-9);  // round-off times the prior bodies' condition
    CHECK(square.bottomRightCorner(14, 14).isZero(0.0));
  }
}

TEST_CASE("The weight is what is declared, else 1/σ² of all bodies, else 1") {
  Synthetic robot = EquallyDeclared("planar2", "standard");
  CHECK(EntropicPrior(robot.problem).Weight({}) == 1.0);
  Eigen::VectorXd& sigma = robot.problem.parameters.prior->body_sigma;
  sigma = Eigen::Vector3d(7.0, 0.2, 0.2);  // no unknown moves the base link
  CHECK(EntropicPrior(robot.problem).Weight({}) == doctest::Approx(25.0));
  CHECK(EntropicPrior(robot.problem).Weight(3.0) == 3.0);
  sigma[2] = 0.5;
  CHECK(EntropicPrior(robot.problem).Weight(3.0) == 3.0);
  CHECK_THROWS_WITH_AS(
      EntropicPrior(robot.problem).Weight({}),
      "weighs all bodies alike, and the prior states a σ of 0.2 of link1, 0.5 of link2: give them "
      "one in /problem/prior/std (\"body\"), or \"lambda\"",
      EstimationFailure);
  sigma[2] = std::nan("");
  CHECK_THROWS_AS(EntropicPrior(robot.problem).Weight({}), EstimationFailure);
}

TEST_CASE("A whole body's X is L⁻¹ P L⁻ᵀ") {
  const Synthetic robot = EquallyDeclared("planar2", "standard");
  const EntropicPrior prior(robot.problem);
  const Eigen::VectorXd v = Eigen::VectorXd::LinSpaced(robot.problem.parameters.size(), -0.1, 0.1);
  const Eigen::VectorXd pi0 = robot.problem.parameters.Pi(prior.x0());
  const Eigen::VectorXd pi = robot.problem.parameters.Pi(prior.X(v));
  const Eigen::VectorXd xi = prior.M() * v;
  for (int i = 0; i < 2; ++i) {
    const int first = prior.bodies()[static_cast<std::size_t>(i)];
    const Eigen::LLT<Eigen::Matrix4d> llt(PseudoInertia(pi0.segment<kInertialCount>(first)));
    const Eigen::Matrix4d L = llt.matrixL();
    const Eigen::Matrix4d X =
        Eigen::Matrix4d::Identity() +
        SymmetricMatrix(InertialParameters(xi.segment<kInertialCount>(kInertialCount * i)));
    const Eigen::Matrix4d P = PseudoInertia(pi.segment<kInertialCount>(first));
    CHECK((L * X * L.transpose() - P).norm() < 1e-13 * P.norm());
  }
}

TEST_CASE("What moves no body has the problem's covariance, or nothing holds it") {
  Synthetic robot = EquallyDeclared("planar2", "standard");
  const EntropicPrior prior(robot.problem);
  const Eigen::VectorXd precision = prior.Precision(4.0);
  CHECK(precision.head(20) == Eigen::VectorXd::Constant(20, 4.0));
  CHECK(precision.tail(4) == Eigen::VectorXd::Ones(4));
  const Eigen::MatrixXd covariance =
      prior.CovarianceOfX(Eigen::MatrixXd(precision.cwiseInverse().asDiagonal()));
  CHECK((covariance.bottomRightCorner(4, 4) -
         robot.problem.parameters.prior->covariance->bottomRightCorner(4, 4))
            .norm() < 1e-15);
  prior.RequireAllSaid();

  robot.problem.parameters.prior->covariance.reset();
  const EntropicPrior unheld(robot.problem);
  CHECK(unheld.Precision(4.0).tail(4) == Eigen::VectorXd::Zero(4));
  CHECK(unheld.free() == std::vector{20, 21, 22, 23});
  CHECK_THROWS_WITH_AS(unheld.RequireAllSaid(),
                       "needs to know how far the prior of joint1.fv may be off, which no body's "
                       "inertia tells: declare it in /problem/prior/std, null for nothing known",
                       EstimationFailure);
}

TEST_CASE("Bounds are those of single unknowns that move no body") {
  Synthetic robot = EquallyDeclared("planar2", "standard");
  Parametrisation& parameters = robot.problem.parameters;
  parameters.lower = Eigen::VectorXd::LinSpaced(24, 0.0, 0.23);
  parameters.upper = parameters.lower.array() + 1.0;
  const EntropicPrior prior(robot.problem);
  const CoordinateBounds bounds = prior.Bounds(parameters.lower, parameters.upper);
  CHECK((bounds.lower.head(20).array() == -std::numeric_limits<double>::infinity()).all());
  CHECK((bounds.upper.head(20).array() == std::numeric_limits<double>::infinity()).all());
  const auto friction = [&prior](const Eigen::VectorXd& v) -> Eigen::VectorXd {
    return prior.x0().tail(4) + prior.S().bottomRightCorner(4, 4) * v.tail(4);
  };
  CHECK((friction(bounds.lower) - parameters.lower.tail(4)).norm() < 1e-15);
  CHECK((friction(bounds.upper) - parameters.upper.tail(4)).norm() < 1e-15);
  for (int m = 0; m < 24; ++m) {
    const int k = bounds.unknown[static_cast<std::size_t>(m)];
    CHECK((k < 0) == (m < 20));
    if (k >= 0) CHECK(prior.S()(k, m) != 0.0);
  }
  const CoordinateBounds none = prior.Bounds({}, {});
  CHECK((none.upper.array() == std::numeric_limits<double>::infinity()).all());
  // Two whose prior is correlated are no single coordinates.
  Eigen::MatrixXd& covariance = *parameters.prior->covariance;
  covariance(20, 21) = covariance(21, 20) =
      0.5 * std::sqrt(covariance(20, 20) * covariance(21, 21));
  const EntropicPrior correlated(robot.problem);
  const CoordinateBounds rest = correlated.Bounds(parameters.lower, parameters.upper);
  CHECK(std::ranges::count(rest.unknown, -1) == 22);
}

TEST_CASE("What is no prior of bodies is refused by name") {
  CHECK_THROWS_WITH_AS(EntropicPrior(EquallyDeclared("planar2", "base").problem),
                       "the parametrisation 'base' says nothing of single bodies, whose inertia is "
                       "to stay physical; use 'standard'",
                       EstimationFailure);
  Synthetic robot = EquallyDeclared("planar2", "standard");
  robot.problem.parameters.prior->mean[10] = -1.0;  // link2.m
  CHECK_THROWS_WITH_AS(EntropicPrior(robot.problem),
                       "the prior of link2 is not physically consistent, so nothing is near to it; "
                       "give /problem/prior a set that bodies can have",
                       EstimationFailure);
  const Synthetic good = EquallyDeclared("planar2", "standard");
  Eigen::MatrixXd same = Eigen::MatrixXd::Identity(24, 24);
  same.col(3) = same.col(2);
  Problem twice = InCoordinates(good.problem, good.problem.parameters.prior->mean, same);
  twice.parameters.prior = Parametrisation::Prior{Eigen::VectorXd::Zero(24), std::nullopt};
  CHECK_THROWS_WITH_AS(EntropicPrior{twice},
                       "v4 changes bodies as others together do, so no divergence tells them apart",
                       EstimationFailure);
}

}  // namespace
}  // namespace idbench
