#include "estimators/walkers/weak_form.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "estimators/solvers/least_squares.h"
#include "estimators/walkers/wls_fcd.h"
#include "estimators/walkers/zero_dynamics_likelihood.h"

namespace idbench {
namespace {

/// What is added to each variance, over it.
constexpr double kRegularisation = 1e-6;
/// Of the polynomial whose slope is the rate.
constexpr int kRateDegree = 3;

/// The least numbers of samples that a test function and a cubic's slope take.
Eigen::Index HalfWidth(const WeakFormOptions& options, double Ts) {
  return std::max<Eigen::Index>(4, options.half_width.CountAt(Ts));
}
Eigen::Index RateHalfWidth(const WeakFormOptions& options, double Ts) {
  return std::max<Eigen::Index>(2, options.rate_half_width.CountAt(Ts));
}

/// Test functions times the sample period, tests × N each: sums over samples are integrals.
struct TestFunctions {
  Eigen::MatrixXd value, first, second;

  TestFunctions(Eigen::Index samples, const WeakFormOptions& options, double Ts) {
    const Eigen::Index half = HalfWidth(options, Ts), stride = options.stride.CountAt(Ts);
    const Eigen::Index tests = (samples - 2 * half - 1) / stride + 1;
    for (auto* part : {&value, &first, &second}) part->setZero(tests, samples);
    const double width = static_cast<double>(half) * Ts;
    for (Eigen::Index i = -half; i <= half; ++i) {
      const double s = static_cast<double>(i) / static_cast<double>(half), r = 1.0 - s * s;
      for (Eigen::Index c = 0; c < tests; ++c) {
        const Eigen::Index k = half + c * stride + i;
        value(c, k) = Ts * r * r * r * r;
        first(c, k) = -Ts * 8.0 * s * r * r * r / width;
        second(c, k) = Ts * (48.0 * s * s * r * r - 8.0 * r * r * r) / (width * width);
      }
    }
  }
  Eigen::Index count() const { return value.rows(); }
};

/// N × N: the slope at each sample of the cubic nearest to 2·half + 1 samples around it, or to as
/// many at the recording's ends.
Eigen::MatrixXd SlopeOperator(Eigen::Index samples, Eigen::Index half, double Ts) {
  const Eigen::Index window = 2 * half + 1;
  Eigen::MatrixXd slopes = Eigen::MatrixXd::Zero(samples, samples);
  // Weights where the slope is wanted at sample `at` of the window.
  const auto weights = [&](Eigen::Index at) -> Eigen::RowVectorXd {
    Eigen::MatrixXd powers(window, kRateDegree + 1);
    for (Eigen::Index i = 0; i < window; ++i) {
      const double t = static_cast<double>(i - at) / static_cast<double>(half);
      for (int d = 0; d <= kRateDegree; ++d) powers(i, d) = std::pow(t, d);
    }
    return powers.householderQr().solve(Eigen::MatrixXd::Identity(window, window)).row(1) /
           (static_cast<double>(half) * Ts);
  };
  const Eigen::RowVectorXd inner = weights(half);
  for (Eigen::Index k = 0; k < samples; ++k) {
    const Eigen::Index begin = std::clamp<Eigen::Index>(k - half, 0, samples - window);
    slopes.row(k).segment(begin, window) = k - begin == half ? inner : weights(k - begin);
  }
  return slopes;
}

/// The equations y = G·β + e of one recording, that of the torque-free row and those of the motors,
/// and the covariance of e.
class WeakEquations {
 public:
  WeakEquations(const Problem& problem, const WalkerRecording& recording,
                const WeakFormOptions& options)
      : dynamics_(MakeZeroDynamics(problem, recording, DrivenMotion(recording, options.knot))),
        tests_(recording.size(), options, recording.Ts),
        slopes_(
            SlopeOperator(recording.size(), RateHalfWidth(options, recording.Ts), recording.Ts)),
        q1_(recording.q.samples.row(0)),
        qd1_(slopes_ * q1_),
        q1_sigma_(DeclaredSigmaOfAngle(recording, recording.q)),
        u_sigma_(DeclaredSigma(recording, recording.u)) {
    const ZeroDynamics::Row& free = dynamics_.first_row();
    const SmoothSignals a = QuinticSpline(free.acceleration.transpose(), recording.Ts);
    const SmoothSignals delta = QuinticSpline(free.rate.transpose(), recording.Ts);
    by_second_ = a.value;
    by_first_ = 2.0 * a.rate - delta.value;
    by_value_ = a.acceleration - delta.rate;
    const Eigen::Index tests = tests_.count(), motors = dynamics_.motors();
    G.resize(tests * (1 + motors), problem.parameters.size());
    y = Eigen::VectorXd::Zero(G.rows());
    G.topRows(tests) = tests_.second * q1_.asDiagonal() * by_second_ +
                       tests_.first * q1_.asDiagonal() * by_first_ +
                       tests_.value * (q1_.asDiagonal() * by_value_ + Columns(free) -
                                       qd1_.asDiagonal() * free.rate.transpose());
    for (Eigen::Index m = 0; m < motors; ++m) {
      const ZeroDynamics::Row& row = dynamics_.motor_rows()[static_cast<std::size_t>(m)];
      const SmoothSignals alpha = QuinticSpline(row.acceleration.transpose(), recording.Ts);
      G.middleRows(tests * (1 + m), tests) =
          tests_.value * (Columns(row) - qd1_.asDiagonal() * alpha.rate) -
          tests_.first * qd1_.asDiagonal() * alpha.value;
      y.segment(tests * (1 + m), tests) = tests_.value * recording.u.samples.row(m).transpose();
      alphas_.push_back(alpha);
    }
  }

  /// Of e, to first order in the errors of the samples.
  Eigen::MatrixXd Covariance(const Eigen::VectorXd& beta) const {
    const Eigen::Index tests = tests_.count();
    Eigen::MatrixXd by_q1(G.rows(), q1_.size());
    const ZeroDynamics::Row& free = dynamics_.first_row();
    const Eigen::MatrixX2d slope = Slopes(free, beta);
    const Eigen::VectorXd friction = slope.col(1) - free.rate.transpose() * beta;
    by_q1.topRows(tests) = tests_.second * (by_second_ * beta).asDiagonal();
    by_q1.topRows(tests) += tests_.first * (by_first_ * beta).asDiagonal();
    by_q1.topRows(tests) += tests_.value * (by_value_ * beta + slope.col(0)).asDiagonal();
    if (!friction.isZero(0.0)) {
      by_q1.topRows(tests) += tests_.value * friction.asDiagonal() * slopes_;
    }
    for (std::size_t m = 0; m < alphas_.size(); ++m) {
      const Eigen::MatrixX2d by = Slopes(dynamics_.motor_rows()[m], beta);
      auto rows = by_q1.middleRows(tests * static_cast<Eigen::Index>(1 + m), tests);
      rows = (tests_.value * (by.col(1) - alphas_[m].rate * beta).asDiagonal() -
              tests_.first * (alphas_[m].value * beta).asDiagonal()) *
             slopes_;
      rows += tests_.value * by.col(0).asDiagonal();
    }
    Eigen::MatrixXd covariance = q1_sigma_ * q1_sigma_ * (by_q1 * by_q1.transpose());
    const Eigen::MatrixXd overlap = tests_.value * tests_.value.transpose();
    for (Eigen::Index m = 0; m < u_sigma_.size(); ++m) {
      covariance.block(tests * (1 + m), tests * (1 + m), tests, tests) +=
          u_sigma_[m] * u_sigma_[m] * overlap;
    }
    return covariance;
  }

  Eigen::MatrixXd G;
  Eigen::VectorXd y;

 private:
  /// N × size of β: the row's columns at the measured q1 and q̇1, without q̈1.
  Eigen::MatrixXd Columns(const ZeroDynamics::Row& row) const {
    Eigen::MatrixXd columns(row.rest.rows(), row.rest.cols());
    for (Eigen::Index k = 0; k < q1_.size(); ++k) {
      dynamics_.Columns(row, k, q1_[k], qd1_[k], 0.0, columns.col(k));
    }
    return columns.transpose();
  }
  /// N × 2: derivatives of Columns()·β by q1 and q̇1.
  Eigen::MatrixX2d Slopes(const ZeroDynamics::Row& row, const Eigen::VectorXd& beta) const {
    Eigen::MatrixX2d slopes(q1_.size(), 2);
    for (Eigen::Index k = 0; k < q1_.size(); ++k) {
      slopes.row(k) = dynamics_.Derivatives(row, k, q1_[k], qd1_[k], beta).transpose();
    }
    return slopes;
  }

  ZeroDynamics dynamics_;
  TestFunctions tests_;
  Eigen::MatrixXd slopes_;
  Eigen::VectorXd q1_, qd1_;
  double q1_sigma_;
  Eigen::VectorXd u_sigma_;
  /// N × size of β: what φ̈, φ̇ and φ multiply, with q1, in the torque-free row.
  Eigen::MatrixXd by_second_, by_first_, by_value_;
  std::vector<SmoothSignals> alphas_;  ///< What q̈1 multiplies in the motors' rows, N × size of β.
};

/// The least-squares solution with each recording's equations weighed by their covariance at β.
/// @param[out] squares  what is left of the whitened equations.
LeastSquaresSolution Weighed(const std::vector<WeakEquations>& recordings,
                             const Eigen::VectorXd& beta, double& squares) {
  StreamingQr qr(beta.size());
  std::vector<Eigen::MatrixXd> whitened;
  for (const WeakEquations& equations : recordings) {
    Eigen::MatrixXd covariance = equations.Covariance(beta);
    const Eigen::VectorXd scale = covariance.diagonal().cwiseSqrt().cwiseInverse();
    covariance = scale.asDiagonal() * covariance * scale.asDiagonal();
    covariance.diagonal().array() += kRegularisation;
    const Eigen::LLT<Eigen::MatrixXd> factor(covariance);
    if (factor.info() != Eigen::Success) {
      throw EstimationFailure(Outcome::kDiverged,
                              "the weights at the last estimate are not those of any errors");
    }
    Eigen::MatrixXd all(equations.G.rows(), equations.G.cols() + 1);
    all << equations.G, equations.y;
    all = factor.matrixL().solve(scale.asDiagonal() * all).eval();
    qr.Add(all.leftCols(beta.size()), all.rightCols<1>());
    whitened.push_back(std::move(all));
  }
  LeastSquaresSolution solution = qr.Solve();
  squares = 0.0;
  for (const Eigen::MatrixXd& all : whitened) {
    if (!solution.determined()) break;
    squares += (all.rightCols<1>() - all.leftCols(beta.size()) * solution.x).squaredNorm();
  }
  return solution;
}

}  // namespace

FieldTable Visit(WeakFormOptions& o) {
  FieldTable table;
  AddDuration(o.half_width,
              {.key = "half_width_s",
               .former = "half_width_samples",
               .doc = "Time from the middle of a test function to its end, at least four samples",
               .least_samples = 4,
               .most_samples = 10000},
              table);
  AddDuration(o.stride,
              {.key = "stride_s",
               .former = "stride_samples",
               .doc = "Time from one test function to the next",
               .most_samples = 10000},
              table);
  AddDuration(o.rate_half_width,
              {.key = "rate_half_width_s",
               .former = "rate_half_width_samples",
               .doc = "Time on either side in the fit of the cubic whose slope is the first "
                      "joint's rate, at least two samples",
               .least_samples = 2},
              table);
  table.Add("reweightings", o.reweightings,
            {.doc = "Number of times that the equations are weighted anew after the first fit, "
                    "whose weights follow from the prior's mean",
             .lower = 0,
             .upper = 1000});
  AddKnots(o.knot, table);
  return table;
}

EstimatorNeeds WeakForm::needs() const {
  EstimatorNeeds needs = WalkerNeeds(AngleSensor::kEncoder);
  needs.problem = needs.problem | Capabilities{Capability::kPrior};
  return needs;
}

Estimate WeakForm::Identify(const Problem& problem, std::span<const Dataset> datasets) {
  CheckNeeds(problem);
  const LeastOfPeriod least = [this](double Ts) {
    return 2 * std::max(HalfWidth(options_, Ts), RateHalfWidth(options_, Ts)) + 1;
  };
  std::vector<WeakEquations> equations;
  for (const WalkerRecording& recording : ReadWalkerData(problem, datasets, {}, least)) {
    equations.emplace_back(problem, recording, options_);
  }
  Estimate estimate;
  estimate.x = problem.parameters.prior->mean;
  double squares = 0.0;
  Eigen::Index rows = 0;
  for (const WeakEquations& part : equations) rows += part.G.rows();
  for (int k = 0; k <= options_.reweightings; ++k) {
    const LeastSquaresSolution solution = Weighed(equations, estimate.x, squares);
    if (!solution.determined()) {
      throw EstimationFailure(Outcome::kRankDeficient,
                              DescribeUndetermined(solution, problem.parameters.names) +
                                  "; use a richer or longer motion, or more test functions");
    }
    estimate.x = solution.x;
    estimate.covariance = solution.inverse;
    estimate.diagnostics["condition"] = solution.condition;
  }
  estimate.diagnostics["chi_square"] = squares;
  estimate.diagnostics["degrees_of_freedom"] = static_cast<double>(rows - estimate.x.size());
  return estimate;
}

}  // namespace idbench
