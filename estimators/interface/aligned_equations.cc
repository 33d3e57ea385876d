#include "estimators/interface/aligned_equations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "estimators/interface/estimate.h"
#include "robots/dynamics/end_effector_wrench.h"

namespace idbench {
namespace {

/// Refuses a dataset that passes near a singular configuration.
void CheckNotSingular(const Problem& problem, const Dataset& dataset, const AlignedView& view) {
  EndEffectorWrench map(problem.model);
  Eigen::MatrixXd T(kWrenchSize, problem.model.dofs());
  Eigen::VectorXd q(problem.model.dofs());
  for (Eigen::Index k = 0; k < view.size(); ++k) {
    q = view[0].row(k).transpose();
    const double condition = map.Map(q, T);
    // A position that is not finite is refused where it is read.
    if (!(condition < EndEffectorWrench::kLeastCondition)) continue;
    throw EstimationFailure(
        Outcome::kRefused,
        fmt::format("{}: near a singular configuration at sample {} (t = {:.6g} s): the end "
                    "effector's Jacobian has the reciprocal condition {:.2g}, a wrench there takes "
                    "at least {:g}; keep the motion away from it",
                    dataset.label(), k + 1, view.time_s()[k], condition,
                    EndEffectorWrench::kLeastCondition));
  }
}

}  // namespace

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
  if (std::ranges::find(equations, Equation::kEndEffector) != equations.end()) {
    CheckNotSingular(problem, dataset, view);
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
