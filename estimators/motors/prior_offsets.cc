#include "estimators/motors/prior_offsets.h"

#include <vector>

#include "estimators/solvers/in_coordinates.h"
#include "estimators/solvers/linear_regression.h"

namespace idbench {
namespace {

/// The problem of the offsets alone, on rows with a measured side.
struct OffsetProblem {
  Problem problem;
  Eigen::MatrixXd S;  ///< x = x₀ + S·o.
};
OffsetProblem OnlyOffsets(const Problem& problem) {
  const std::vector<Eigen::Index> offsets = UnknownOffsets(problem);
  const Eigen::VectorXd& mean = problem.parameters.prior->mean;
  Eigen::MatrixXd S = Eigen::MatrixXd::Zero(mean.size(), std::ssize(offsets));
  for (Eigen::Index k = 0; k < S.cols(); ++k) S(offsets[static_cast<std::size_t>(k)], k) = 1.0;
  Problem measured = problem;
  std::erase_if(measured.rows, [](const EquationRows& rows) { return rows.of_drives(); });
  if (measured.rows.empty()) {
    Refuse("offsets follow from rows with a measured side, and all equations are of drives");
  }
  return {InCoordinates(measured, mean, S), S};
}

}  // namespace

FieldTable Visit(PriorOffsetsOptions& o) {
  FieldTable table;
  AddParallelFilter(o.parallel_filter, table);
  return table;
}

EstimatorNeeds PriorOffsets::needs() const {
  return FilteredNeeds(options_.parallel_filter,
                       {Capability::kAffine, Capability::kPrior, Capability::kUnknownOffsets});
}

void PriorOffsets::CheckProblem(const Problem& problem) {
  CheckNeeds(problem);
  OnlyOffsets(problem);
}

Estimate PriorOffsets::Identify(const Problem& problem, std::span<const Dataset> datasets) {
  CheckNeeds(problem);
  const auto [of_offsets, S] = OnlyOffsets(problem);
  const LinearRegression regression(of_offsets, datasets, options_.parallel_filter);
  Estimate estimate;
  estimate.x = problem.parameters.prior->mean +
               S * regression.Solve(Eigen::VectorXd::Ones(regression.row_count())).x;
  estimate.notes["covariance"] = "none stated: what is no offset is the prior, right or wrong";
  return estimate;
}

}  // namespace idbench
