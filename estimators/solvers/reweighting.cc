#include "estimators/solvers/reweighting.h"

#include <fmt/format.h>

#include "estimators/interface/estimator.h"

namespace idbench {

bool Reweighting::Continue() const {
  if (wanted_) return rounds_ < *wanted_;
  if (change_ <= kTolerance || same_fit_) return false;
  if (rounds_ < kMostRounds) return true;
  throw EstimationFailure(
      Outcome::kNotConverged,
      fmt::format("a weight still changes by {:.2g} % from round to round after {} "
                  "reweightings; set \"reweightings\" to stop after that many, or a lower "
                  "cap of the weights",
                  100.0 * change_, rounds_));
}

void Reweighting::Took(const Eigen::VectorXd& weights) {
  if (rounds_ > 0) change_ = (weights.cwiseQuotient(weights_).array() - 1.0).abs().maxCoeff();
  weights_ = weights;
  ++rounds_;
}

void AddReweightings(std::optional<int>& reweightings, FieldTable& table) {
  table.Add("reweightings", reweightings,
            {.doc = "Number of times that the weights are computed from the residuals; null: until "
                    "no weight changes by more than 1e-6 of itself",
             .lower = 1,
             .upper = Reweighting::kMostRounds});
}

}  // namespace idbench
