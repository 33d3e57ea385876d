#include "estimators/interface/estimate.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <new>

#include "robots/plant/plant_error.h"

namespace idbench {

std::string_view ToString(Outcome outcome) {
  switch (outcome) {
    case Outcome::kOk:
      return "ok";
    case Outcome::kRankDeficient:
      return "rank_deficient";
    case Outcome::kNotConverged:
      return "not_converged";
    case Outcome::kDiverged:
      return "diverged";
    case Outcome::kNonFinite:
      return "non_finite";
    case Outcome::kRefused:
      return "refused";
    case Outcome::kCrashed:
      return "crashed";
    case Outcome::kPlantFailed:
      return "plant_failed";
  }
  return "crashed";
}

Eigen::Index Combinations::Alone(Eigen::Index k) const {
  for (Eigen::Index i = 0; i < B.rows(); ++i) {
    if (B(i, k) == 0.0) continue;
    // A row with others, or one of several with k.
    const bool alone =
        (B.row(i).array() != 0.0).count() == 1 && (B.col(k).array() != 0.0).count() == 1;
    return alone ? i : -1;
  }
  return -1;
}

PriorSpread PriorSpread::Of(const Eigen::MatrixXd& L) const {
  PriorSpread of = {L * covariance * L.transpose()};
  if (unknown.size() > 0) of.unknown = L * unknown;
  return of;
}

std::optional<Eigen::VectorXd> Estimate::sigma() const {
  if (combinations && combinations->covariance) {
    const Eigen::MatrixXd& stated = *combinations->covariance;
    Eigen::VectorXd sigma(x.size());
    for (Eigen::Index k = 0; k < x.size(); ++k) {
      const Eigen::Index i = combinations->Alone(k);
      sigma[k] = i < 0 ? std::numeric_limits<double>::quiet_NaN()
                       : std::sqrt(std::max(stated(i, i), 0.0)) / std::abs(combinations->B(i, k));
    }
    return sigma;
  }
  if (!covariance) return std::nullopt;
  return covariance->diagonal().cwiseMax(0.0).cwiseSqrt();
}

std::optional<Eigen::VectorXd> Estimate::percent_sigma() const {
  const std::optional<Eigen::VectorXd> stated = sigma();
  if (!stated) return std::nullopt;
  return stated->binaryExpr(
      x, [](double s, double value) { return s == 0.0 ? 0.0 : 100.0 * s / std::abs(value); });
}

std::optional<Eigen::MatrixXd> Estimate::CovarianceOf(const Eigen::MatrixXd& L) const {
  if (covariance) return L * *covariance * L.transpose();
  if (!combinations || !combinations->covariance) return std::nullopt;
  const Eigen::MatrixXd along = L * combinations->basis;
  return along * *combinations->covariance * along.transpose();
}

CaughtFailure::CaughtFailure() {
  try {
    throw;
  } catch (const EstimationFailure& failure) {
    outcome = failure.outcome();
    reason = failure.what();
  } catch (const PlantError& error) {
    outcome = Outcome::kPlantFailed;
    reason = error.what();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    reason = error.what();
  } catch (...) {
    reason = "threw something that is not a std::exception";
  }
}

void Refuse(const std::string& reason) { throw EstimationFailure(Outcome::kRefused, reason); }

}  // namespace idbench
