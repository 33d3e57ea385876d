#include "estimators/walkers/walker_likelihood.h"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <cmath>

#include "estimators/interface/estimate.h"
#include "estimators/synthetic_walker_test.h"

namespace idbench {
namespace {

constexpr double kRatio = 10.0;

/// The biped's recordings and their likelihood.
struct LikelihoodExample {
  SyntheticWalker walker = SyntheticWalker::Biped();
  std::vector<WalkerRecording> recordings;
  std::vector<FcdMotion> filtered;
  std::unique_ptr<WalkerLikelihood> likelihood;
  Eigen::VectorXd start;

  explicit LikelihoodExample(const std::vector<std::string>& labels, double q1_rad = 1e-3) {
    walker.noise.q1_rad = q1_rad;
    std::vector<Dataset> datasets;
    for (const std::string& label : labels) datasets.push_back(walker.Record(label));
    recordings = ReadWalkerData(walker.problem, datasets, {}, 16);
    for (const WalkerRecording& recording : recordings) {
      filtered.push_back(FilteredDifferences(walker.problem.model, recording,
                                             {.half_power = {.of_nyquist = 0.25}}));
      start.conservativeResize(start.size() + recording.size());
      start.tail(recording.size()) = filtered.back().q.row(0).transpose();
    }
    likelihood = std::make_unique<WalkerLikelihood>(
        walker.problem, recordings, filtered,
        WalkerLikelihood::Settings{AngleSensor::kEncoder, DifferenceRule::kTwice, kRatio});
  }
};

/// All residuals of one recording at (z, β), in a row, written down anew: motors' torques over
/// their σ, the free row over √ε, the angle over its σ.
Eigen::VectorXd Residuals(const LikelihoodExample& example, const WalkerRecording& recording,
                          const Eigen::VectorXd& z, const Eigen::VectorXd& beta) {
  const PlanarLagrangian& lagrangian = *example.walker.problem.parameters.lagrangian();
  const Eigen::Index samples = recording.size();
  const double Ts = recording.Ts, sigma_u = recording.u.sigma[0];
  Eigen::MatrixXd q = recording.q.samples;
  q.row(0) = z.transpose();
  Eigen::VectorXd e(3 * (samples - 4) + samples), tau(3);
  Eigen::Index row = 0;
  for (Eigen::Index k = 2; k + 2 < samples; ++k, row += 3) {
    const Eigen::VectorXd qd = (q.col(k + 1) - q.col(k - 1)) / (2.0 * Ts);
    const Eigen::VectorXd qdd = (q.col(k + 2) - 2.0 * q.col(k) + q.col(k - 2)) / (4.0 * Ts * Ts);
    lagrangian.Torque(beta, q.col(k), qd, qdd, tau);
    // τ2 = −u2 and τ3 = u1 + u2.
    const double u1 = tau[1] + tau[2], u2 = -tau[1];
    e[row] = -tau[0] / (std::sqrt(kRatio) * sigma_u);
    e[row + 1] = (recording.u.samples(0, k) - u1) / sigma_u;
    e[row + 2] = (recording.u.samples(1, k) - u2) / sigma_u;
  }
  e.tail(samples) = (recording.q.samples.row(0).transpose() - z) / recording.q.sigma[0];
  return e;
}

/// Likewise of all recordings, x = (z, β).
Eigen::VectorXd Residuals(const LikelihoodExample& example, const Eigen::VectorXd& x) {
  Eigen::VectorXd all;
  Eigen::Index first = 0;
  for (const WalkerRecording& recording : example.recordings) {
    const Eigen::VectorXd e =
        Residuals(example, recording, x.segment(first, recording.size()), x.tail(8));
    all.conservativeResize(all.size() + e.size());
    all.tail(e.size()) = e;
    first += recording.size();
  }
  return all;
}

Eigen::MatrixXd Jacobian(const LikelihoodExample& example, const Eigen::VectorXd& x) {
  Eigen::MatrixXd J(Residuals(example, x).size(), x.size());
  for (Eigen::Index c = 0; c < x.size(); ++c) {
    const double step = 1e-6 * std::max(1.0, std::abs(x[c]));
    const Eigen::VectorXd by = step * Eigen::VectorXd::Unit(x.size(), c);
    J.col(c) = (Residuals(example, x + by) - Residuals(example, x - by)) / (2.0 * step);
  }
  return J;
}

/// Gauss-Newton in all unknowns by dense QR with numerical Jacobians, its columns scaled.
Eigen::VectorXd DenseMinimum(const LikelihoodExample& example, Eigen::VectorXd x) {
  for (int k = 0; k < 30; ++k) {
    const Eigen::MatrixXd J = Jacobian(example, x);
    const Eigen::VectorXd scale = J.colwise().norm().cwiseInverse().transpose();
    const Eigen::VectorXd step =
        scale.asDiagonal() * (J * scale.asDiagonal()).householderQr().solve(-Residuals(example, x));
    double part = 1.0;
    const double S = Residuals(example, x).squaredNorm();
    while (part > 1e-3 && Residuals(example, x + part * step).squaredNorm() > S) part *= 0.5;
    x += part * step;
  }
  return x;
}

TEST_CASE("The minimum is that of dense least squares in all unknowns") {
  for (const double q1_rad : {1e-5, 1e-3, 1e-2}) {
    CAPTURE(q1_rad);
    LikelihoodExample example({"a"}, q1_rad);
    const WalkerLikelihood::Minimum minimum =
        example.likelihood->Minimise(example.start, {500, 1e-15});
    CHECK(minimum.converged);
    Eigen::VectorXd x(69 + 8);
    x << example.start, example.walker.beta;
    x = DenseMinimum(example, x);
    CHECK(minimum.S == doctest::Approx(Residuals(example, x).squaredNorm()).epsilon(1e-10));
    // The gradient vanishes to about 1e-9 of its parts, so unknowns stand by 1e-9·condition.
    CHECK(LargestRelativeError(minimum.beta, x.tail(8)) < 1e-5);
    CHECK((minimum.z - x.head(69)).cwiseAbs().maxCoeff() < 1e-5 * q1_rad);
    CHECK(example.likelihood->degrees_of_freedom() == 187.0);
    CHECK(example.likelihood->epsilon() == doctest::Approx(1.0).epsilon(1e-12));
  }
}

TEST_CASE("S of some z and its beta are those of dense least squares in beta") {
  const LikelihoodExample example({"a", "b"});
  REQUIRE(example.likelihood->size() == 138);
  Eigen::VectorXd beta;
  const double S = example.likelihood->SumOfSquares(example.start, beta);
  Eigen::VectorXd x(138 + 8);
  x << example.start, Eigen::VectorXd::Zero(8);
  const Eigen::MatrixXd A = -Jacobian(example, x).rightCols(8);
  const Eigen::VectorXd expected = A.householderQr().solve(Residuals(example, x));
  CHECK(LargestRelativeError(beta, expected) < 1e-7);  // numerical Jacobian
  x.tail(8) = beta;
  CHECK(S == doctest::Approx(Residuals(example, x).squaredNorm()).epsilon(1e-11));
  CHECK(example.likelihood->residual_count() == Residuals(example, x).size());
}

TEST_CASE("The covariance is that of the residuals that have errors, through the dense inverse") {
  LikelihoodExample example({"a"});
  const WalkerLikelihood::Minimum minimum =
      example.likelihood->Minimise(example.start, {500, 1e-14});
  Eigen::VectorXd x(77);
  x << minimum.z, minimum.beta;
  Eigen::MatrixXd J = Jacobian(example, x);
  const Eigen::VectorXd scale = J.colwise().norm().cwiseInverse().transpose();
  J = J * scale.asDiagonal();
  const Eigen::MatrixXd M = J.transpose() * J;
  for (Eigen::Index row = 0; row < 3 * 65; row += 3) J.row(row).setZero();  // the free rows
  const Eigen::MatrixXd inverse = M.ldlt().solve(Eigen::MatrixXd::Identity(77, 77));
  const Eigen::MatrixXd dense =
      scale.asDiagonal() * (inverse * J.transpose() * J * inverse) * scale.asDiagonal();
  const std::optional<Eigen::MatrixXd> stated = example.likelihood->Covariance(minimum);
  REQUIRE(stated);
  const Eigen::MatrixXd& covariance = *stated;
  CHECK(covariance.isApprox(covariance.transpose(), 1e-12));
  const Eigen::VectorXd sigma = dense.diagonal().tail(8).cwiseSqrt();
  const Eigen::MatrixXd off = sigma.cwiseInverse().asDiagonal() *
                              (covariance - dense.bottomRightCorner(8, 8)) *
                              sigma.cwiseInverse().asDiagonal();
  CHECK(off.cwiseAbs().maxCoeff() < 1e-4);  // numerical Jacobian, condition of M about 1e7
}

TEST_CASE("A motion that does not determine beta is refused by name") {
  const SyntheticWalker leg = SyntheticWalker::Leg();
  const std::vector<Dataset> datasets = {AtRest(leg.Record("a"))};
  const std::vector<WalkerRecording> recordings = ReadWalkerData(leg.problem, datasets, {}, 9);
  const std::vector<FcdMotion> filtered = {
      FilteredDifferences(leg.problem.model, recordings[0], {})};
  WalkerLikelihood likelihood(leg.problem, recordings, filtered,
                              {AngleSensor::kEncoder, DifferenceRule::kTwice, kRatio});
  const Eigen::VectorXd z = recordings[0].q.samples.row(0);
  CHECK_THROWS_WITH_AS(
      likelihood.Minimise(z, {10, 1e-8}),
      "the data determine 2 of 9 directions; not determined, alone or among each other: thigh.J, "
      "shank.J, thigh.shank.P, hip.fv, knee.fv, hip.fc, knee.fc; use a richer motion, or fewer "
      "unknowns (/problem/parametrisation/friction)",
      EstimationFailure);
}

}  // namespace
}  // namespace idbench
