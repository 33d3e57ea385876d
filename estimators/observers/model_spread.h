#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "estimators/observers/model_residual.h"
#include "robots/dynamics/rows.h"

namespace idbench {

/// What the covariance P of a model's unknowns leaves open of the rows of a sample,
///   D·W·A·P·Aᵀ·Wᵀ·D,  A = ∂π/∂x at the model, D diagonal.
class ModelSpread {
 public:
  /// Returns that of a model, or nullptr if it states no covariance.
  /// @param equations  their rows; must outlive the object, as `problem` must.
  /// @throws EstimationFailure (refused) if the covariance is not positive semi-definite.
  static std::unique_ptr<ModelSpread> Of(const Problem& problem, const Estimate& model,
                                         const std::vector<EquationRows>& equations);

  /// Computes it for sample k; 0 if that lacks a position, velocity, acceleration or input.
  /// Allocates nothing after the first sample of a configuration. O(rows·|π|·p).
  /// @param scale  diagonal of D.
  /// @return rows × rows, valid until the next call.
  const Eigen::MatrixXd& At(const ModelResidual& residual, Eigen::Index k,
                            const Eigen::RowVectorXd& scale);

 private:
  struct Configured {
    Configured(const Problem& problem, int configuration,
               const std::vector<PlacedEquation>& equations, const std::vector<int>& columns)
        : dynamics(problem.model, problem.friction, configuration),
          scratch(dynamics),
          rows(dynamics, equations, columns) {}
    Dynamics dynamics;
    Dynamics::Scratch scratch;
    RowRegressor rows;
  };

  ModelSpread(const Problem& problem, std::vector<PlacedEquation> equations,
              const Eigen::MatrixXd& root);

  const Problem& problem_;
  std::vector<PlacedEquation> equations_;
  std::vector<int> columns_;
  Eigen::MatrixXd root_;  ///< A·L at `columns_`, L·Lᵀ = P.
  std::vector<std::unique_ptr<Configured>> configured_;
  Eigen::VectorXd q_, qd_, qdd_, inputs_;
  Eigen::MatrixXd W_, G_, spread_;
};

}  // namespace idbench
