#include "estimators/walkers/iv.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "estimators/walkers/wls_fcd.h"
#include "estimators/walkers/zero_dynamics_likelihood.h"

namespace idbench {
namespace {

constexpr int kBeginningIterations = 50;  ///< To find angle and rate at the beginning.

/// A recording, and what of it does not hang on β.
struct Part {
  WalkerRecording recording;
  FcdMotion measured;
  SmoothSignals driven;       ///< At samples and half-way between them.
  Eigen::MatrixXd F;          ///< Root of the weight.
  Eigen::MatrixXd equations;  ///< Of the measured motion, see FcdEquations().
};

/// Sums of instruments times equations.
struct Sums {
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
};

class Instruments {
 public:
  Instruments(const Problem& problem, const std::vector<WalkerRecording>& recordings,
              const IvOptions& options)
      : problem_(problem),
        lagrangian_(*problem.parameters.lagrangian()),
        fcd_(options.fcd),
        recordings_(recordings),
        likelihood_(problem, recordings, AngleSensor::kEncoder, options.knot) {
    const Eigen::Index n = lagrangian_.dofs();
    for (const WalkerRecording& recording : recordings) {
      measured_.push_back(FilteredDifferences(problem.model, recording, fcd_));
      Eigen::MatrixXd F = Eigen::MatrixXd::Identity(n, n);
      if (options.weighting == TorqueWeighting::kCovariance) {
        F = CovarianceOfTorques(problem.model, DeclaredSigma(recording, recording.u),
                                options.free_row_variance_ratio)
                .WhiteningRoot();
      }
      Eigen::MatrixXd equations = Equations(measured_.back(), F, recording.Ts);
      parts_.push_back({recording, measured_.back(), DrivenMotion(recording, options.knot),
                        std::move(F), std::move(equations)});
    }
  }

  /// Simulates β. @throws EstimationFailure (diverged) if it has no motion.
  Sums At(const Eigen::VectorXd& beta) {
    constexpr auto kBeginnings = ZeroDynamicsLikelihood::Sought::kBeginnings;
    ZeroDynamicsLikelihood::Minimum minimum = likelihood_.Approach(
        likelihood_.Start(beta, recordings_, measured_), kBeginningIterations, kBeginnings);
    likelihood_.Polish(minimum, kBeginningIterations, kBeginnings);
    likelihood_.SumOfSquares(minimum.x);  // the response that is looked at is that of the minimum
    const Eigen::Index p = beta.size();
    Sums sums{Eigen::MatrixXd::Zero(p, p), Eigen::VectorXd::Zero(p)};
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      const Part& part = parts_[k];
      const ZeroDynamics::Response& response = likelihood_.response(k);
      const Eigen::MatrixXd exact = Equations(Exact(part, response), part.F, part.recording.Ts);
      WalkerRecording simulated = part.recording;
      simulated.q.samples.row(0) = response.q1.transpose();
      const Eigen::MatrixXd distorted = Equations(
          FilteredDifferences(problem_.model, simulated, fcd_), part.F, part.recording.Ts);
      for (Eigen::Index column = 0; column < exact.cols(); column += p + 1) {
        const auto Zs = exact.middleCols(column, p);
        const Eigen::MatrixXd Z =
            part.equations.middleCols(column, p) + Zs - distorted.middleCols(column, p);
        sums.A.noalias() += Zs.transpose() * Z;
        sums.b.noalias() += Zs.transpose() * part.equations.col(column + p);
      }
    }
    return sums;
  }

 private:
  Eigen::MatrixXd Equations(const FcdMotion& motion, const Eigen::MatrixXd& F, double Ts) const {
    return FcdEquations(lagrangian_, motion, F, fcd_, Ts);
  }

  /// The simulated motion of all joints, without low-pass or differences.
  static FcdMotion Exact(const Part& part, const ZeroDynamics::Response& response) {
    FcdMotion exact = part.measured;
    for (Eigen::Index k = 0; k < exact.q.cols(); ++k) {
      exact.q.col(k) = part.driven.value.row(2 * k).transpose();
      exact.qd.col(k) = part.driven.rate.row(2 * k).transpose();
      exact.qdd.col(k) = part.driven.acceleration.row(2 * k).transpose();
      exact.angle[static_cast<std::size_t>(k)] =
          AbsoluteAngle::Of(response.q1[k], response.qd1[k], response.qdd1[k]);
    }
    exact.q.row(0) = response.q1.transpose();
    exact.qd.row(0) = response.qd1.transpose();
    exact.qdd.row(0) = response.qdd1.transpose();
    return exact;
  }

  const Problem& problem_;
  const PlanarLagrangian& lagrangian_;
  FcdOptions fcd_;
  const std::vector<WalkerRecording>& recordings_;
  std::vector<FcdMotion> measured_;
  std::vector<Part> parts_;
  ZeroDynamicsLikelihood likelihood_;
};

}  // namespace

FieldTable Visit(IvOptions& o) {
  FieldTable table;
  AddDifferenceFields(o.fcd, table);
  table.Add(
      "weighting", o.weighting,
      {.doc = "Weight of a sample's torques: 1 (identity), or the inverse covariance of their "
              "errors (covariance)",
       .choices = {"identity", "covariance"}});
  AddFreeRowVarianceRatio(o.free_row_variance_ratio, "; used with \"weighting\": \"covariance\"",
                          table);
  AddKnots(o.knot, table);
  table
      .Add("max_iterations", o.max_iterations,
           {.doc = "Greatest number of iterations, each with one simulation", .lower = 1})
      .Add("tolerance", o.tolerance,
           {.doc = "Change of β in an iteration, relative to β, in the metric of the instruments, "
                   "below which the iteration stops",
            .lower = 0.0,
            .lower_open = true});
  return table;
}

EstimatorNeeds Iv::needs() const { return WalkerNeeds(AngleSensor::kEncoder); }

Estimate Iv::Identify(const Problem& problem, std::span<const Dataset> datasets) {
  CheckNeeds(problem);
  const std::vector<WalkerRecording> recordings =
      ReadWalkerData(problem, datasets, {}, LeastSamples(options_.fcd));
  Instruments instruments(problem, recordings, options_);
  Estimate estimate;
  estimate.x = FitWlsFcd(problem, recordings, {.fcd = options_.fcd}).x;
  estimate.notes["start"] = "wls_fcd";
  double moved = 0.0;
  for (int k = 1; k <= options_.max_iterations; ++k) {
    std::optional<Sums> sums;
    try {
      sums = instruments.At(estimate.x);
    } catch (const EstimationFailure&) {
      if (k > 1 || !problem.parameters.prior) throw;
      estimate.x = problem.parameters.prior->mean;
      estimate.notes["start"] = "prior";
      sums = instruments.At(estimate.x);
    }
    // What determined WlsFcd's β determines this one; where not, it is not finite, and a failure.
    const Eigen::VectorXd scale = sums->A.diagonal().cwiseAbs().cwiseSqrt();
    const Eigen::MatrixXd root = scale.cwiseInverse().asDiagonal();
    const Eigen::VectorXd x = root * (root * sums->A * root).partialPivLu().solve(root * sums->b);
    moved = scale.cwiseProduct(x - estimate.x).norm() / scale.cwiseProduct(x).norm();
    estimate.x = x;
    estimate.diagnostics["iterations"] = k;
    if (moved < options_.tolerance) break;
  }
  if (!(moved < options_.tolerance)) {
    throw EstimationFailure(Outcome::kNotConverged,
                            fmt::format("after {} simulations β still moved by {:.2g} of itself",
                                        options_.max_iterations, moved));
  }
  estimate.notes["covariance"] =
      "none stated: it would take that of the errors of the measured motion's regressor";
  return estimate;
}

}  // namespace idbench
