#include "estimators/aligned_equations.h"

#include <fmt/format.h>

#include <cmath>

#include "estimators/estimate.h"

namespace idbench {

AlignedView AlignEquations(const Problem& problem, const Dataset& dataset,
                           const std::vector<Equation>& equations) {
  std::vector<std::string_view> channels = {kJointPosition, kJointVelocity, kJointAcceleration};
  std::vector<int> columns(3, problem.model.dofs());
  for (const Equation equation : equations) {
    channels.push_back(MeasuredChannel(equation));
    columns.push_back(RowsOf(equation, problem.model.dofs()));
  }
  AlignedView view = Align(dataset, channels, problem.alignment);
  if (!view.ok()) throw EstimationFailure(Outcome::kRefused, view.reason());
  for (std::size_t k = 0; k < channels.size(); ++k) {
    if (view[k].cols() == columns[k]) continue;
    throw EstimationFailure(Outcome::kRefused,
                            fmt::format("{}: the channel '{}' has {} columns, expected {}",
                                        dataset.label(), channels[k], view[k].cols(), columns[k]));
  }
  return view;
}

void CheckFinite(const Dataset& dataset, const AlignedView& view, std::size_t channel,
                 Eigen::Index row) {
  const Eigen::MatrixXd& samples = view[channel];
  for (Eigen::Index column = 0; column < samples.cols(); ++column) {
    if (std::isfinite(samples(row, column))) continue;
    throw EstimationFailure(
        Outcome::kRefused,
        fmt::format("{}: the channel '{}' is {} at sample {}, column {}", dataset.label(),
                    view.channel(channel).name, samples(row, column), row + 1, column + 1));
  }
}

}  // namespace idbench
