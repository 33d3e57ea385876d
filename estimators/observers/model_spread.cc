#include "estimators/observers/model_spread.h"

#include <utility>

#include "estimators/solvers/covariance_root.h"

namespace idbench {

std::unique_ptr<ModelSpread> ModelSpread::Of(const Problem& problem, const Estimate& model,
                                             const std::vector<EquationRows>& equations) {
  Eigen::MatrixXd root;  // of P
  if (model.covariance) {
    root = CovarianceRoot(*model.covariance);
  } else if (model.combinations && model.combinations->covariance) {
    root = model.combinations->basis * CovarianceRoot(*model.combinations->covariance);
  } else {
    return nullptr;
  }
  const Parametrisation& parameters = problem.parameters;
  if (root.rows() != parameters.size()) Refuse("the model's covariance is of other unknowns");
  const Eigen::MatrixXd A = parameters.Jacobian(parameters.FromPi(model.pi));
  if (!A.allFinite()) Refuse("the model's parameters are none of the problem's unknowns");
  return std::unique_ptr<ModelSpread>(new ModelSpread(problem, EquationsOf(equations), A * root));
}

ModelSpread::ModelSpread(const Problem& problem, std::vector<PlacedEquation> equations,
                         const Eigen::MatrixXd& root)
    : problem_(problem),
      equations_(std::move(equations)),
      configured_(problem.model.configurations().size()) {
  for (int k = 0; k < static_cast<int>(root.rows()); ++k) {
    if (!root.row(k).isZero(0.0)) columns_.push_back(k);
  }
  root_ = root(columns_, Eigen::all);
}

const Eigen::MatrixXd& ModelSpread::At(const ModelResidual& residual, Eigen::Index k,
                                       const Eigen::RowVectorXd& scale) {
  auto& configured = configured_[static_cast<std::size_t>(residual.configuration)];
  if (configured == nullptr) {
    configured =
        std::make_unique<Configured>(problem_, residual.configuration, equations_, columns_);
    W_.resize(scale.size(), std::ssize(columns_));
    G_.resize(scale.size(), root_.cols());
    spread_.resize(scale.size(), scale.size());
  }
  spread_.setZero();
  if (!residual.q.row(k).allFinite() || !residual.qd.row(k).allFinite() ||
      !residual.qdd.row(k).allFinite()) {
    return spread_;
  }
  q_ = residual.q.row(k).transpose();
  qd_ = residual.qd.row(k).transpose();
  qdd_ = residual.qdd.row(k).transpose();
  if (residual.inputs.size() > 0) inputs_ = residual.inputs.row(k).transpose();
  if (!inputs_.allFinite()) return spread_;
  configured->rows.Single(q_, qd_, qdd_, configured->scratch, W_, inputs_);
  G_.noalias() = W_ * root_;
  G_ = scale.asDiagonal() * G_;
  spread_.noalias() = G_ * G_.transpose();
  return spread_;
}

}  // namespace idbench
