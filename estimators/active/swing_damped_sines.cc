#include "estimators/active/swing_damped_sines.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <utility>

#include "estimators/active/frequency_line.h"

namespace idbench {
namespace {

using SineVector = Eigen::Vector4d;

DampedSine SineOf(const SineVector& x) {
  return {.omega = x[0], .decay = x[1], .amplitude = x[2], .phase = x[3]};
}

Eigen::VectorXd Sampled(const SineVector& x, Eigen::Index samples, double period_s) {
  const DampedSine sine = SineOf(x);
  Eigen::VectorXd theta(samples);
  for (Eigen::Index k = 0; k < samples; ++k) theta[k] = sine.At(period_s * static_cast<double>(k));
  return theta;
}

}  // namespace

double DampedSine::At(double t) const {
  const double a = amplitude * std::exp(-decay * t);
  // ∫e^(−cζt) dt, t where ζ is 0
  const auto integral = [&](double c) {
    const double x = c * decay;
    return std::abs(x * t) < 1e-12 ? t : -std::expm1(-x * t) / x;
  };
  const double square = amplitude * amplitude;
  const double phi = phase + omega * (t - square / 16.0 * integral(2.0) +
                                      square * square / 1024.0 * integral(4.0));
  return a * std::sin(phi) + a * a * a / 192.0 * std::sin(3.0 * phi);
}

std::pair<DampedSine, double> FitDampedSine(const Eigen::VectorXd& theta, double period_s,
                                            int iterations) {
  constexpr double kChange = 1e-6;
  constexpr double kEnough = 1e-6;  // of σ
  const Eigen::Index samples = theta.size();
  const double omega = SwingFrequency(theta, period_s);
  if (omega == 0.0) throw EstimationFailure(Outcome::kNotConverged, "the robot does not swing");
  const double greatest = theta.cwiseAbs().maxCoeff();
  const Eigen::Index first =
      std::min<Eigen::Index>(std::lround(1.0 / omega / period_s), samples - 1);
  SineVector x(omega * (1.0 + greatest * greatest / 16.0), 0.0,
               std::copysign(greatest, theta[first]), 0.0);
  double lambda = 1e-3;
  Eigen::VectorXd e = Sampled(x, samples, period_s) - theta;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    Eigen::Matrix<double, Eigen::Dynamic, 4> J(samples, 4);
    for (Eigen::Index k = 0; k < 4; ++k) {
      J.col(k) =
          (Sampled(x + kChange * SineVector::Unit(k), samples, period_s) - e - theta) / kChange;
    }
    const Eigen::Matrix4d N = J.transpose() * J;
    const SineVector g = J.transpose() * e;
    const double variance = e.squaredNorm() / static_cast<double>(samples - 4);
    for (;; lambda *= 10.0) {
      Eigen::Matrix4d damped = N;
      damped.diagonal() *= 1.0 + lambda;
      const SineVector step = -damped.ldlt().solve(g);
      const Eigen::VectorXd next = Sampled(x + step, samples, period_s) - theta;
      const bool better = next.squaredNorm() < e.squaredNorm();
      if (better) {
        x += step;
        e = next;
        lambda = std::max(0.1 * lambda, 1e-12);
      }
      if (-step.dot(g) <= std::max(kEnough * variance, 1e-20 * static_cast<double>(samples))) {
        return {SineOf(x), std::sqrt(variance * N.ldlt().solve(SineVector::Unit(0))[0])};
      }
      if (better) break;
    }
  }
  throw EstimationFailure(
      Outcome::kNotConverged,
      fmt::format("a damped sine does not fit a swing in {} iterations", iterations));
}

FieldTable Visit(SwingDampedSinesOptions& o) {
  FieldTable table;
  AddFields(table, o.start);
  table.Add("iterations", o.iterations,
            {.doc = "Limit of the iterations of each fit; not converged by then is a failure",
             .lower = 1,
             .upper = 1000});
  return table;
}

Estimate SwingDampedSines::Experiment(const Problem& problem, Plant& plant) {
  FittedSwings fitted = SwingAndFit(problem, plant, options_.start);
  const PlanarLagrangian& lagrangian = *problem.parameters.lagrangian();
  const auto count = std::ssize(fitted.swings);
  Eigen::VectorXd gravity(count), squares(count), weights(count);
  double decays = 0.0;
  for (Eigen::Index k = 0; k < count; ++k) {
    const SwingRecord& swing = fitted.swings[static_cast<std::size_t>(k)];
    if (swing.fell) {
      throw EstimationFailure(Outcome::kNotConverged,
                              fmt::format("swing {} of {} ends in a fall", k + 1, count));
    }
    const Eigen::VectorXd theta =
        (lagrangian.S() * swing.q).row(0).array() + lagrangian.theta0()[0];
    const auto [sine, sigma] = FitDampedSine(theta, swing.period_s, options_.iterations);
    gravity[k] = swing.gravity[0];
    squares[k] = sine.omega * sine.omega + sine.decay * sine.decay;
    weights[k] = 1.0 / (2.0 * sine.omega * sigma);
    decays += sine.decay / static_cast<double>(count);
  }
  const GravityLine line = FitGravityLine(gravity, squares, weights);
  Estimate estimate;
  estimate.x = problem.parameters.prior->mean;
  estimate.x[0] = line.J;
  estimate.x[lagrangian.FirstGravity()] = line.b;
  Eigen::Index column = lagrangian.FirstJointTerm();
  for (const auto& [kind, joint] : lagrangian.joint_terms()) {
    if (kind == JointParameter::kViscous) estimate.x[column] = 2.0 * decays * line.J;
    ++column;
  }
  estimate.series = std::move(fitted.estimate.series);
  estimate.notes["covariance"] = "none stated: the method has no model of Coulomb friction";
  return estimate;
}

}  // namespace idbench
