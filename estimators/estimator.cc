#include "estimators/estimator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>

namespace idbench {
namespace {

Estimate Failed(Outcome outcome, const std::string& reason) {
  Estimate estimate;
  estimate.outcome = outcome;
  estimate.reason = reason;
  return estimate;
}

/// A result that claims to be fine, checked.
Estimate Checked(const Problem& problem, Estimate estimate) {
  const Eigen::Index size = problem.parameters.size();
  if (estimate.x.size() != size) {
    return Failed(Outcome::kCrashed,
                  fmt::format("returned {} numbers for {} unknowns", estimate.x.size(), size));
  }
  for (Eigen::Index k = 0; k < size; ++k) {
    if (std::isfinite(estimate.x[k])) continue;
    return Failed(
        Outcome::kNonFinite,
        fmt::format("the estimate of {} is {}",
                    problem.parameters.names[static_cast<std::size_t>(k)], estimate.x[k]));
  }
  if (estimate.covariance &&
      (estimate.covariance->rows() != size || estimate.covariance->cols() != size)) {
    return Failed(Outcome::kCrashed,
                  fmt::format("returned a {} × {} covariance for {} unknowns",
                              estimate.covariance->rows(), estimate.covariance->cols(), size));
  }
  if (estimate.covariance && !estimate.covariance->allFinite()) {
    return Failed(Outcome::kNonFinite, "the covariance holds a number that is not finite");
  }
  estimate.pi = problem.parameters.Pi(estimate.x);
  return estimate;
}

}  // namespace

Estimate Estimator::Run(const Problem& problem, std::span<const Dataset> datasets) {
  try {
    Estimate estimate = Identify(problem, datasets);
    return estimate.ok() ? Checked(problem, std::move(estimate)) : estimate;
  } catch (const EstimationFailure& failure) {
    return Failed(failure.outcome(), failure.what());
  } catch (const std::bad_alloc&) {
    throw;  // the machine's failure, not the method's
  } catch (const std::exception& error) {
    return Failed(Outcome::kCrashed, error.what());
  } catch (...) {
    return Failed(Outcome::kCrashed, "threw something that is not a std::exception");
  }
}

std::vector<std::string> UnmetNeeds(const EstimatorNeeds& needs, const Problem& problem,
                                    const std::vector<std::string>& available) {
  std::vector<std::string> unmet;
  std::vector<std::string_view> channels = needs.channels;
  if (needs.measurements) {
    for (const std::string_view channel : problem.measured_channels()) channels.push_back(channel);
  }
  for (const std::string_view channel : channels) {
    if (std::ranges::find(available, channel) == available.end()) {
      unmet.push_back(fmt::format("needs the channel '{}'", channel));
    }
  }
  if (needs.affine && problem.parameters.affine() == nullptr) {
    unmet.push_back(fmt::format("needs a parametrisation that is affine in x; '{}' is not",
                                problem.parameters.type()));
  }
  if (needs.prior && !problem.parameters.prior) {
    unmet.emplace_back("needs a prior: declare /problem/prior");
  }
  return unmet;
}

std::vector<std::string> EstimatorTypes() {
  std::vector<std::string> types;
  for (const EstimatorEntry& entry : EstimatorRegistry()) types.emplace_back(entry.type);
  return types;
}

const EstimatorEntry* FindEstimator(std::string_view type) {
  const auto entries = EstimatorRegistry();
  const auto at = std::ranges::find(entries, type, &EstimatorEntry::type);
  return at == entries.end() ? nullptr : &*at;
}

}  // namespace idbench
