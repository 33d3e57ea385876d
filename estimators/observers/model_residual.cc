#include "estimators/observers/model_residual.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>

#include "estimators/interface/aligned_equations.h"

namespace idbench {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// Puts NaN wherever a number is missing.
void MarkMissing(ModelResidual& residual) {
  for (Eigen::Index k = 0; k < residual.r.rows(); ++k) {
    const bool known = residual.q.row(k).allFinite() && residual.qd.row(k).allFinite() &&
                       residual.qdd.row(k).allFinite();
    for (Eigen::Index row = 0; row < residual.r.cols(); ++row) {
      if (!known || !std::isfinite(residual.r(k, row))) residual.r(k, row) = kMissing;
    }
  }
}

}  // namespace

void CheckParameters(const Problem& problem, const Eigen::VectorXd& pi) {
  const int size = ParameterLayout(problem.model).size();
  if (pi.size() != size) {
    Refuse(fmt::format("the model has {} standard parameters, the robot has {}", pi.size(), size));
  }
  if (!pi.allFinite()) Refuse("the model has a standard parameter that is not finite");
}

double MeanSquare(const Eigen::Ref<const Eigen::VectorXd>& values,
                  const Eigen::Ref<const Eigen::VectorXd>& r) {
  double sum = 0.0;
  Eigen::Index count = 0;
  for (Eigen::Index k = 0; k < r.size(); ++k) {
    if (std::isnan(r[k])) continue;
    sum += values[k] * values[k];
    ++count;
  }
  return count > 0 ? sum / static_cast<double>(count) : 0.0;
}

std::vector<EquationRows> EquationsWithModel(const Problem& problem) {
  std::vector<EquationRows> equations;
  for (const EquationRows& rows : problem.rows_in_order()) {
    if (InfoOf(rows.equation).rows != RowsFrom::kStateRows) equations.push_back(rows);
  }
  if (equations.empty()) Refuse("no equation of the problem holds standard parameters");
  return equations;
}

ModelResidual ResidualOf(const Problem& problem, const Eigen::VectorXd& pi, const Dataset& dataset,
                         std::span<const EquationRows> equations) {
  CheckParameters(problem, pi);
  const AlignedView view = AlignEquations(problem, dataset, equations);
  ModelResidual residual;
  residual.time_s = view.time_s();
  residual.q = view[0];
  residual.qd = view[1];
  residual.qdd = view[2];
  residual.inputs = InputsOf(view, equations, problem.model);
  residual.configuration = ConfigurationOf(problem, dataset);
  const Dynamics dynamics(problem.model, problem.friction, residual.configuration);
  Dynamics::Scratch scratch(dynamics);
  residual.r = MeasuredSide(view, equations);
  Eigen::MatrixXd predicted(residual.r.rows(), residual.r.cols());
  Eigen::Index row = 0;
  for (const EquationRows& rows : equations) {
    const int count = rows.count(problem.model);
    dynamics.RightSide(rows.placed(), pi, residual.states(), scratch,
                       predicted.middleCols(row, count));
    row += count;
  }
  residual.r -= predicted;
  MarkMissing(residual);
  residual.predicted_square.resize(residual.r.cols());
  for (row = 0; row < residual.r.cols(); ++row) {
    residual.predicted_square[row] = MeanSquare(predicted.col(row), residual.r.col(row));
  }
  return residual;
}

std::vector<ModelResidual> TrainingResiduals(const Problem& problem, const Eigen::VectorXd& pi,
                                             std::span<const Dataset> training,
                                             std::span<const EquationRows> equations) {
  std::vector<ModelResidual> residuals;
  for (const Dataset& dataset : training) {
    if (dataset.role() != Role::kIdentification) continue;
    residuals.push_back(ResidualOf(problem, pi, dataset, equations));
  }
  return residuals;
}

}  // namespace idbench
