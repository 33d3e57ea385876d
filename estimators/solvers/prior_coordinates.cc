#include "estimators/solvers/prior_coordinates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <vector>

#include "estimators/solvers/covariance_root.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

/// Part of a coordinate in what is not determined that counts.
constexpr double kConcerned = 1e-6;

}  // namespace

Eigen::VectorXd PriorCoordinates::Precision() const {
  Eigen::VectorXd precision = Eigen::VectorXd::Ones(root.cols());
  precision.tail(free).setZero();
  return precision;
}

PriorCoordinates CoordinatesOf(const Parametrisation::Prior& prior) {
  assert(prior.covariance.has_value());
  Eigen::MatrixXd R = CovarianceRoot(*prior.covariance);
  const Eigen::Index free = prior.unknown.cols();
  if (free == 0) return {prior.mean, std::move(R), 0};
  Eigen::MatrixXd root(R.rows(), R.cols() + free);
  root << R, prior.unknown;
  return {prior.mean, std::move(root), free};
}

std::string DescribeUndetermined(const PriorCoordinates& coordinates,
                                 const std::vector<std::string>& names,
                                 const Eigen::VectorXd& undetermined) {
  std::vector<std::string> concerned;
  for (Eigen::Index k = coordinates.root.cols() - coordinates.free; k < undetermined.size(); ++k) {
    if (undetermined[k] < kConcerned) continue;
    Eigen::Index most = 0;
    coordinates.root.col(k).cwiseAbs().maxCoeff(&most);
    const std::string& name = names[static_cast<std::size_t>(most)];
    if (std::ranges::find(concerned, name) == concerned.end()) concerned.push_back(name);
  }
  if (concerned.empty()) {
    return "the prior is lost beside the data in double precision: declare greater σ, or give the "
           "prior more weight";
  }
  return fmt::format(
      "the data do not determine {}, of which the prior knows nothing (null); record more, or "
      "state a σ in /problem/prior/std",
      ListSome(concerned));
}

}  // namespace idbench
