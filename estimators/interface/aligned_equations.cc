#include "estimators/interface/aligned_equations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <memory>
#include <numeric>
#include <string_view>
#include <vector>

#include "estimators/interface/estimate.h"

namespace idbench {
namespace {

/// Refuses a dataset that passes where joint torques are not mapped to an equation.
void CheckMapped(const Problem& problem, const EquationInfo& info, const Dataset& dataset,
                 const AlignedView& view) {
  const std::unique_ptr<TorqueMap> map = info.make_map(problem.model);
  Eigen::MatrixXd T(RowsOf(info.equation, problem.model.dofs()), problem.model.dofs());
  Eigen::VectorXd q(problem.model.dofs());
  for (Eigen::Index k = 0; k < view.size(); ++k) {
    q = view[0].row(k).transpose();
    if (map->At(q, T)) continue;
    Refuse(
        fmt::format("{}: near a singular configuration at sample {} (t = "
                    "{:.6g} s): {}",
                    dataset.label(), k + 1, view.time_s()[k], map->WhyNone(q)));
  }
}

}  // namespace

AlignedView AlignEquations(const Problem& problem, const Dataset& dataset,
                           std::span<const EquationRows> equations) {
  std::vector<std::string_view> channels = {kJointPosition, kJointVelocity, kJointAcceleration};
  std::vector<int> columns(3, problem.model.dofs());
  for (const EquationRows& rows : equations) {
    channels.push_back(rows.measured());
    columns.push_back(RowsOf(rows.equation, problem.model.dofs()));
  }
  AlignedView view = Align(dataset, channels, problem.alignment);
  if (!view.ok()) Refuse(view.reason());
  for (std::size_t k = 0; k < channels.size(); ++k) {
    if (view[k].cols() == columns[k]) continue;
    Refuse(fmt::format("{}: the channel '{}' has {} columns, expected {}", dataset.label(),
                       channels[k], view[k].cols(), columns[k]));
  }
  for (const EquationRows& rows : equations) {
    const EquationInfo& info = InfoOf(rows.equation);
    if (info.make_map != nullptr) CheckMapped(problem, info, dataset, view);
  }
  return view;
}

Eigen::MatrixXd MeasuredSide(const AlignedView& view, std::span<const EquationRows> equations) {
  const auto count = [&](std::size_t k) {
    const auto& chosen = equations[k].chosen;
    return chosen.empty() ? view[3 + k].cols() : std::ssize(chosen);
  };
  Eigen::Index rows = 0;
  for (std::size_t k = 0; k < equations.size(); ++k) rows += count(k);
  Eigen::MatrixXd y = Eigen::MatrixXd::Zero(view.size(), rows);
  rows = 0;
  for (std::size_t k = 0; k < equations.size(); ++k) {
    const Eigen::MatrixXd& channel = view[3 + k];
    if (equations[k].of_drives()) {
      // Nothing stands on the measured side.
    } else if (equations[k].chosen.empty()) {
      y.middleCols(rows, channel.cols()) = channel;
    } else {
      y.middleCols(rows, count(k)) = channel(Eigen::all, equations[k].chosen);
    }
    rows += count(k);
  }
  return y;
}

Eigen::MatrixXd InputsOf(const AlignedView& view, std::span<const EquationRows> equations,
                         const RobotModel& model) {
  Eigen::MatrixXd inputs;
  for (std::size_t k = 0; k < equations.size(); ++k) {
    const int first = equations[k].first_input(model);
    if (first < 0) continue;
    if (inputs.size() == 0) inputs.setZero(view.size(), model.input_count());
    inputs.middleCols(first, view[3 + k].cols()) = view[3 + k];
  }
  return inputs;
}

int ConfigurationOf(const Problem& problem, const Dataset& dataset) {
  const int configuration = problem.model.ConfigurationIndex(dataset.configuration());
  if (configuration >= 0) return configuration;
  std::vector<std::string> names;
  for (const Configuration& each : problem.model.configurations()) names.push_back(each.name);
  Refuse(fmt::format("{}: recorded in the configuration '{}', the problem has '{}'",
                     dataset.label(), dataset.configuration(), fmt::join(names, "', '")));
}

std::vector<std::vector<int>> ReadColumns(const Problem& problem,
                                          std::span<const EquationRows> equations) {
  std::vector<int> joints(static_cast<std::size_t>(problem.model.dofs()));
  std::iota(joints.begin(), joints.end(), 0);
  std::vector<std::vector<int>> read(3, joints);
  for (const EquationRows& rows : equations) read.push_back(rows.ReadColumns(problem.model));
  return read;
}

void CheckFinite(const Dataset& dataset, const AlignedView& view, std::size_t channel,
                 Eigen::Index row, const std::vector<int>& read) {
  const Eigen::MatrixXd& samples = view[channel];
  for (const int column : read) {
    if (std::isfinite(samples(row, column))) continue;
    Refuse(fmt::format("{}: the channel '{}' is {} at sample {}, column {}", dataset.label(),
                       view.channel(channel).name, samples(row, column), row + 1, column + 1));
  }
}

void CheckFinite(const Dataset& dataset, const AlignedView& view, std::size_t channel,
                 Eigen::Index row) {
  std::vector<int> all(static_cast<std::size_t>(view[channel].cols()));
  std::iota(all.begin(), all.end(), 0);
  CheckFinite(dataset, view, channel, row, all);
}

}  // namespace idbench
