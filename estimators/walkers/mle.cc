#include "estimators/walkers/mle.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <cmath>
#include <optional>

#include "estimators/solvers/chi_square.h"
#include "estimators/walkers/walker_likelihood.h"
#include "estimators/walkers/wls_fcd.h"

namespace idbench {
namespace {

/// Of what is measured; no `half_power` leaves it as it is.
std::vector<FcdMotion> Measured(const Problem& problem,
                                const std::vector<WalkerRecording>& recordings,
                                const MleOptions& options, const CutOff& half_power) {
  const FcdOptions fcd{
      .absolute_angle = options.absolute_angle, .half_power = half_power, .order = options.order};
  std::vector<FcdMotion> motions;
  for (const WalkerRecording& recording : recordings) {
    motions.push_back(FilteredDifferences(problem.model, recording, fcd));
  }
  return motions;
}

/// z of a recording, components × N.
Eigen::MatrixXd UnknownsOf(const FcdMotion& motion, bool as_printed) {
  if (!as_printed) return motion.q.row(0);
  Eigen::MatrixXd z(3, motion.q.cols());
  for (Eigen::Index k = 0; k < z.cols(); ++k) {
    const AbsoluteAngle& angle = motion.angle[static_cast<std::size_t>(k)];
    z.col(k) << angle.sine, angle.cosine, angle.rate;
  }
  return z;
}

/// The polynomial nearest to each row of z, in Chebyshev's polynomials of the time over −1 … 1.
Eigen::MatrixXd Smoothed(const Eigen::MatrixXd& z, int degree) {
  const Eigen::ArrayXd time = Eigen::ArrayXd::LinSpaced(z.cols(), -1.0, 1.0);
  Eigen::MatrixXd basis = Eigen::MatrixXd::Ones(z.cols(), degree + 1);
  if (degree > 0) basis.col(1) = time;
  for (int d = 2; d <= degree; ++d) {
    basis.col(d) = 2.0 * time * basis.col(d - 1).array() - basis.col(d - 2).array();
  }
  return (basis * basis.householderQr().solve(z.transpose())).transpose();
}

/// z of all recordings, one after another.
Eigen::VectorXd Start(const std::vector<FcdMotion>& motions, bool as_printed,
                      std::optional<int> degree) {
  std::vector<Eigen::MatrixXd> parts;
  Eigen::Index size = 0;
  for (const FcdMotion& motion : motions) {
    const Eigen::MatrixXd z = UnknownsOf(motion, as_printed);
    parts.push_back(degree ? Smoothed(z, *degree) : z);
    size += z.size();
  }
  Eigen::VectorXd start(size);
  Eigen::Index first = 0;
  for (const Eigen::MatrixXd& part : parts) {
    start.segment(first, part.size()) = part.reshaped();
    first += part.size();
  }
  return start;
}

struct Chosen {
  WalkerLikelihood::Minimum minimum;
  std::optional<MleStart> start;
  int iterations = 0;  ///< From all starts.
};

Chosen BestOfStarts(const Problem& problem, const std::vector<WalkerRecording>& recordings,
                    const std::vector<FcdMotion>& filtered, const MleOptions& options,
                    WalkerLikelihood& likelihood) {
  const bool as_printed = options.absolute_angle == AngleSensor::kImuAsPrinted;
  Chosen best;
  for (const MleStart start : options.starts) {
    const bool smooth = start == MleStart::kPolynomial;
    const Eigen::VectorXd z = smooth ? Start(Measured(problem, recordings, options, {}), as_printed,
                                             options.polynomial_degree)
                                     : Start(filtered, as_printed, std::nullopt);
    WalkerLikelihood::Minimum minimum =
        likelihood.Minimise(z, {options.max_iterations, options.tolerance});
    best.iterations += minimum.iterations;
    if (best.start && !(minimum.S < best.minimum.S)) continue;
    best.start = start;
    best.minimum = std::move(minimum);
  }
  if (best.minimum.converged) return best;
  throw EstimationFailure(
      Outcome::kNotConverged,
      fmt::format(
          "no minimum was reached in {} iterations from the start '{}'; the sum of squares is "
          "{:.4g} there",
          best.minimum.iterations, ToString(*best.start), best.minimum.S));
}

}  // namespace

FieldTable Visit(MleOptions& o) {
  FieldTable table;
  table.Add("absolute_angle", o.absolute_angle,
            {.doc = "Sensor of the first link's angle: joint_position, distance (to the ground), "
                    "imu (accelerometer and gyroscope, the angle being unknown) or imu_as_printed "
                    "(the same, with sine, cosine and rate unknown one by one, as in the paper)",
             .choices = {"joint_position", "distance", "imu", "imu_as_printed"}});
  AddLowPassFields(o.half_power, o.order, ", for the start \"filtered\"", table);
  AddFreeRowVarianceRatio(o.free_row_variance_ratio, "", table);
  table
      .Add("differences", o.differences,
           {.doc =
                "Derivatives: central differences of central differences, as in the paper (twice), "
                "or the derivatives of the quartic through the same five samples (five_point)"})
      .Add("starts", o.starts,
           {.doc = "Starting points of the minimisation of the sum of squares S; "
                   "the lowest minimum counts"})
      .Add(
          "polynomial_degree", o.polynomial_degree,
          {.doc = "Degree of the polynomials of the start \"polynomial\"", .lower = 0, .upper = 50})
      .Add("max_iterations", o.max_iterations,
           {.doc = "Greatest number of iterations from each start", .lower = 1})
      .Add("tolerance", o.tolerance,
           {.doc = "Decrease of S in a step, relative to the larger of S and its degrees of "
                   "freedom, below which the minimisation stops",
            .lower = 0.0,
            .lower_open = true})
      .Add("reject_unhealthy", o.reject_unhealthy,
           {.doc = "Fail, instead of only noting it, if S is above the 97.5 % quantile of χ²"})
      .Check([&o](std::vector<Issue>& issues) {
        if (o.starts.empty()) {
          issues.push_back(
              {"/starts", "is empty", {"accepted here: \"filtered\", \"polynomial\", or both"}});
        }
      });
  return table;
}

EstimatorNeeds Mle::needs() const { return WalkerNeeds(options_.absolute_angle); }

Estimate Mle::Identify(const Problem& problem, std::span<const Dataset> datasets) {
  CheckNeeds(problem);
  const FcdOptions filter{.half_power = options_.half_power, .order = options_.order};
  const std::vector<WalkerRecording> recordings =
      ReadWalkerData(problem, datasets, ChannelsOf(options_.absolute_angle), LeastSamples(filter));
  const std::vector<FcdMotion> filtered =
      Measured(problem, recordings, options_, options_.half_power);
  WalkerLikelihood likelihood(problem, recordings, filtered,
                              {.absolute_angle = options_.absolute_angle,
                               .differences = options_.differences,
                               .free_row_variance_ratio = options_.free_row_variance_ratio});
  const Chosen best = BestOfStarts(problem, recordings, filtered, options_, likelihood);
  Estimate estimate;
  estimate.x = best.minimum.beta;
  estimate.diagnostics["iterations"] = best.iterations;
  estimate.diagnostics["epsilon_n2m2"] = likelihood.epsilon();
  estimate.notes["start"] = ToString(*best.start);
  JudgeSumOfSquares(best.minimum.S, static_cast<double>(likelihood.degrees_of_freedom()),
                    options_.reject_unhealthy, estimate);
  estimate.covariance = likelihood.Covariance(best.minimum);
  if (!estimate.covariance) {
    estimate.notes["covariance"] = "none stated: S has no curvature there in some direction";
  }
  return estimate;
}

}  // namespace idbench
