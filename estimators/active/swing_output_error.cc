#include "estimators/active/swing_output_error.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "estimators/active/chain_model.h"
#include "estimators/active/swing_balances.h"

namespace idbench {
namespace {

/// A part of a swing, and the state in which its simulation begins.
struct Segment {
  const SwingRecord* swing;
  Eigen::Index first, samples;
  Eigen::VectorXd state;  ///< q0, q̇0
  // Normal equations of this segment at its state, and with β.
  Eigen::MatrixXd A = {};     ///< 2n × 2n
  Eigen::MatrixXd C = {};     ///< p × 2n
  Eigen::VectorXd g = {};     ///< 2n
  Eigen::VectorXd step = {};  ///< 2n

  auto measured() const { return swing->q.middleCols(first, samples); }
};

/// Steps of a semi-implicit simulation that takes torques when the plant does; at most 8.
int StepsOf(const SwingRecord& swing) {
  constexpr double kMost = 8.0;
  const double late = 1.0 - 2.0 * swing.torque_delay_periods;
  return static_cast<int>(std::lround(late > 0.0 ? std::clamp(1.0 / late, 1.0, kMost) : kMost));
}

/// Simulated against measured segments.
class OutputErrorFit {
 public:
  OutputErrorFit(const Problem& problem, const std::vector<SwingRecord>& swings,
                 const Eigen::VectorXd& x, const SwingOutputErrorOptions& options)
      : lagrangian_(*problem.parameters.lagrangian()),
        steps_(options.steps.value_or(StepsOf(swings.front()))),
        x_(x) {
    for (const SwingRecord& swing : swings) {
      const auto half = std::lround(0.5 * options.start.balances.rate_window_s / swing.period_s);
      const Eigen::MatrixXd rates = CubicSlopes(swing.q, half, swing.period_s);
      const Eigen::Index samples =
          std::max<Eigen::Index>(std::lround(options.segment_s / swing.period_s), kLeastSamples);
      for (Eigen::Index k = 0; k + samples <= swing.size(); k += samples) {
        Eigen::VectorXd state(2 * lagrangian_.dofs());
        state << swing.q.col(k), rates.col(k);
        segments_.push_back({&swing, k, samples, std::move(state)});
        readings_ += segments_.back().measured().size();
      }
    }
  }

  const Eigen::VectorXd& x() const { return x_; }
  double squares() const { return squares_; }
  /// Number of positions that were read, and of unknowns.
  double readings() const { return static_cast<double>(readings_); }
  double unknowns() const {
    return static_cast<double>(x_.size() + 2 * lagrangian_.dofs() * std::ssize(segments_));
  }

  /// Computes the normal equations and the sum of squares.
  /// @throws EstimationFailure (not_converged) where the model is no robot.
  void Linearise() {
    const Eigen::Index p = x_.size();
    N_ = Eigen::MatrixXd::Zero(p, p);
    g_ = Eigen::VectorXd::Zero(p);
    squares_ = 0.0;
    for (Segment& segment : segments_) {
      Eigen::MatrixXd J(segment.measured().size(), p + segment.state.size());
      const std::optional<Eigen::MatrixXd> q = Simulate(x_, segment.state, segment, &J);
      if (!q) {
        throw EstimationFailure(
            Outcome::kNotConverged,
            "the model with what the weak form tells of the swings is no robot");
      }
      const Eigen::VectorXd e = (*q - segment.measured()).reshaped();
      N_ += J.leftCols(p).transpose() * J.leftCols(p);
      g_ += J.leftCols(p).transpose() * e;
      segment.A = J.rightCols(segment.state.size()).transpose() * J.rightCols(segment.state.size());
      segment.C = J.leftCols(p).transpose() * J.rightCols(segment.state.size());
      segment.g = J.rightCols(segment.state.size()).transpose() * e;
      squares_ += e.squaredNorm();
    }
  }

  /// Finds the step under damping λ, and returns by how much it promises to lower the squares.
  double FindStep(double lambda) {
    const auto damped = [&](const Eigen::MatrixXd& of) {
      Eigen::MatrixXd sum = of;
      sum.diagonal() += lambda * of.diagonal();
      return sum;
    };
    Eigen::MatrixXd N = damped(N_);
    Eigen::VectorXd g = g_;
    for (const Segment& segment : segments_) {
      const Eigen::LDLT<Eigen::MatrixXd> A(damped(segment.A));
      N -= segment.C * A.solve(segment.C.transpose());
      g -= segment.C * A.solve(segment.g);
    }
    step_ = -N.ldlt().solve(g);
    double promised = -step_.dot(g_);
    for (Segment& segment : segments_) {
      segment.step = -damped(segment.A).ldlt().solve(segment.g + segment.C.transpose() * step_);
      promised -= segment.step.dot(segment.g);
    }
    return promised;
  }

  /// Makes the step if it lowers the squares.
  bool Advance() {
    double squares = 0.0;
    for (const Segment& segment : segments_) {
      const std::optional<Eigen::MatrixXd> q =
          Simulate(x_ + step_, segment.state + segment.step, segment);
      if (!q) return false;
      squares += (*q - segment.measured()).squaredNorm();
    }
    if (!(squares < squares_)) return false;
    x_ += step_;
    for (Segment& segment : segments_) segment.state += segment.step;
    return true;
  }

  /// (JᵀJ)⁻¹ of β. @throws EstimationFailure (rank_deficient) if there is none.
  Eigen::MatrixXd Inverse() const {
    Eigen::MatrixXd N = N_;
    for (const Segment& segment : segments_) {
      N -= segment.C * segment.A.ldlt().solve(segment.C.transpose());
    }
    const Eigen::VectorXd scale = N.diagonal().cwiseSqrt().cwiseInverse();
    const Eigen::LDLT<Eigen::MatrixXd> ldlt(scale.asDiagonal() * N * scale.asDiagonal());
    if (!scale.allFinite() || !ldlt.isPositive() || ldlt.rcond() < kLeastRcond) {
      throw EstimationFailure(Outcome::kRankDeficient,
                              "simulated positions do not tell all unknowns; use longer swings, or "
                              "fewer unknowns (/problem/parametrisation/friction)");
    }
    const Eigen::MatrixXd inverse = ldlt.solve(Eigen::MatrixXd::Identity(N.rows(), N.cols()));
    return scale.asDiagonal() * inverse * scale.asDiagonal();
  }

 private:
  static constexpr double kLeastRcond = 1e-12;
  static constexpr Eigen::Index kLeastSamples = 8;

  /// Positions n × samples; nothing where the model is no robot, or leaves all bounds.
  /// @param[out] J  their derivatives with respect to x and the state, a row for each; or nullptr.
  std::optional<Eigen::MatrixXd> Simulate(const Eigen::VectorXd& x, const Eigen::VectorXd& state,
                                          const Segment& segment,
                                          Eigen::MatrixXd* J = nullptr) const {
    const Eigen::Index n = lagrangian_.dofs();
    ChainModel::Sensitivity by;
    if (J != nullptr) {
      by.q = by.qd = Eigen::MatrixXd::Zero(n, J->cols());
      by.q.middleCols(x.size(), n).setIdentity();
      by.qd.rightCols(n).setIdentity();
      J->topRows(n) = by.q;
    }
    ChainModel model(lagrangian_, x, segment.swing->period_s / steps_);
    Eigen::MatrixXd positions(n, segment.samples);
    Eigen::VectorXd q = state.head(n), qd = state.tail(n), tau(n);
    positions.col(0) = q;
    for (Eigen::Index k = 1; k < segment.samples; ++k) {
      tau = segment.swing->tau.col(segment.first + k - 1);
      for (int step = 0; step < steps_; ++step) {
        const bool made = J != nullptr ? model.Step(tau, q, qd, by) : model.Step(tau, q, qd);
        if (!made) return std::nullopt;
      }
      positions.col(k) = q;
      if (J != nullptr) J->middleRows(k * n, n) = by.q;
    }
    if (!positions.allFinite()) return std::nullopt;
    return positions;
  }

  const PlanarLagrangian& lagrangian_;
  int steps_;
  Eigen::VectorXd x_, step_;  ///< β, and H of links that lean.
  std::vector<Segment> segments_;
  Eigen::Index readings_ = 0;
  Eigen::MatrixXd N_;  ///< Of β alone.
  Eigen::VectorXd g_;
  double squares_ = 0.0;
};

}  // namespace

FieldTable Visit(SwingOutputErrorOptions& o) {
  FieldTable table;
  AddFields(table, o.start);
  table
      .Add("segment_s", o.segment_s,
           {.doc =
                "Time that is simulated from a state of its own; an upright chain falls apart from "
                "what was measured within a few of its time constants",
            .unit = "s",
            .lower = 0.0,
            .lower_open = true})
      .Add("steps", o.steps,
           {.doc = "Semi-implicit steps of the simulation a period of the plant; null: as many as "
                   "take torques when the plant says that it does, at most 8",
            .lower = 1,
            .upper = 1000})
      .Add("iterations", o.iterations,
           {.doc = "Limit of the iterations; not converged by then is a failure",
            .lower = 1,
            .upper = 1000});
  return table;
}

Estimate SwingOutputError::Experiment(const Problem& problem, Plant& plant) {
  FittedSwings fitted = SwingAndFit(problem, plant, options_.start);
  Eigen::VectorXd start(fitted.estimate.x.size() + fitted.lean.size());
  start << fitted.estimate.x, fitted.lean;
  OutputErrorFit fit(problem, fitted.swings, start, options_);
  const double freedom = fit.readings() - fit.unknowns();
  if (!(freedom > 0.0)) {
    Refuse("swings are shorter than a segment: take more time, or a shorter one (/segment_s)");
  }
  double lambda = 1e-4;
  int iteration = 0;
  fit.Linearise();
  for (bool converged = false; !converged; ++iteration) {
    if (iteration == options_.iterations) {
      throw EstimationFailure(
          Outcome::kNotConverged,
          fmt::format("not converged in {} iterations, residual {:.3g} rad; use shorter segments "
                      "(/segment_s), or allow more (/iterations)",
                      options_.iterations, std::sqrt(fit.squares() / fit.readings())));
    }
    // Parts of the variance of the residuals, or rounding.
    const double enough =
        std::max(1e-6 * fit.squares() / freedom * fit.unknowns(), 1e-20 * fit.readings());
    for (;; lambda *= 10.0) {
      converged = fit.FindStep(lambda) <= enough;
      if (fit.Advance()) {
        lambda = std::max(0.1 * lambda, 1e-12);
        break;
      }
      if (converged) break;
    }
    fit.Linearise();
  }
  Estimate estimate;
  const Eigen::Index size = problem.parameters.size();
  estimate.x = fit.x().head(size);
  estimate.covariance = (fit.squares() / freedom * fit.Inverse()).topLeftCorner(size, size);
  estimate.series = std::move(fitted.estimate.series);
  if (const auto falls = fitted.estimate.notes.find("swings");
      falls != fitted.estimate.notes.end()) {
    estimate.notes.insert(*falls);
  }
  estimate.diagnostics["iterations"] = iteration;
  estimate.diagnostics["residual_rms_rad"] = std::sqrt(fit.squares() / fit.readings());
  return estimate;
}

}  // namespace idbench
