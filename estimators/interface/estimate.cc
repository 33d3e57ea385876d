#include "estimators/interface/estimate.h"

#include <cmath>

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
  }
  return "crashed";
}

std::optional<Eigen::VectorXd> Estimate::sigma() const {
  if (!covariance) return std::nullopt;
  return covariance->diagonal().cwiseMax(0.0).cwiseSqrt();
}

std::optional<Eigen::VectorXd> Estimate::percent_sigma() const {
  if (!covariance) return std::nullopt;
  return sigma()->binaryExpr(
      x, [](double s, double value) { return s == 0.0 ? 0.0 : 100.0 * s / std::abs(value); });
}

void Refuse(const std::string& reason) { throw EstimationFailure(Outcome::kRefused, reason); }

}  // namespace idbench
