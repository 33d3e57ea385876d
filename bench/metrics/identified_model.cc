#include "bench/metrics/identified_model.h"

#include <stdexcept>

namespace idbench {

IdentifiedModel::IdentifiedModel(const Problem& problem)
    : parameters_(&problem.parameters), sample_tau_(problem.model.dofs()) {
  const auto count = static_cast<int>(problem.model.configurations().size());
  configurations_.reserve(problem.model.configurations().size());
  for (int k = 0; k < count; ++k) configurations_.emplace_back(problem, k);
  configured_ = configurations_.data();
}

const Eigen::VectorXd& IdentifiedModel::Of(const Estimate& estimate) const {
  return lagrangian() != nullptr ? estimate.x : estimate.pi;
}

Eigen::VectorXd IdentifiedModel::OfUnknowns(const Eigen::VectorXd& x) const {
  return lagrangian() != nullptr ? x : parameters_->Pi(x);
}

Eigen::VectorXd IdentifiedModel::OfRobot(const Eigen::VectorXd& pi) const {
  return lagrangian() != nullptr ? lagrangian()->FromPi(pi) : pi;
}

void IdentifiedModel::Torque(const Eigen::VectorXd& p, const StateSamples& samples,
                             Eigen::Ref<Eigen::MatrixXd> tau) {
  if (lagrangian() == nullptr) {
    return configured_->dynamics.InverseDynamics(p, samples, configured_->scratch, tau);
  }
  for (Eigen::Index k = 0; k < samples.size(); ++k) {
    lagrangian()->Torque(p, samples.q.row(k).transpose(), samples.qd.row(k).transpose(),
                         samples.qdd.row(k).transpose(), sample_tau_);
    tau.row(k) = sample_tau_.transpose();
  }
}

void IdentifiedModel::Predict(const PlacedEquation& equation, const Eigen::VectorXd& p,
                              const StateSamples& samples, Eigen::Ref<Eigen::MatrixXd> measured) {
  if (equation == Equation::kTorque) return Torque(p, samples, measured);
  configured_->dynamics.Predict(equation, p, samples, configured_->scratch, measured);
}

void IdentifiedModel::CutWrench(int cut, const Eigen::VectorXd& p, const StateSamples& samples,
                                Eigen::Ref<Eigen::MatrixXd> wrench) {
  configured_->dynamics.CutWrench(cut, p, samples, configured_->scratch, wrench);
}

void IdentifiedModel::MassMatrix(const Eigen::VectorXd& p,
                                 const Eigen::Ref<const Eigen::VectorXd>& q,
                                 Eigen::Ref<Eigen::MatrixXd> M) {
  if (lagrangian() != nullptr) return lagrangian()->MassMatrix(p, q, M);
  configured_->dynamics.MassMatrix(p, q, configured_->scratch, M);
}

bool IdentifiedModel::ForwardDynamics(const Eigen::VectorXd& p,
                                      const Eigen::Ref<const Eigen::VectorXd>& q,
                                      const Eigen::Ref<const Eigen::VectorXd>& qd,
                                      const Eigen::Ref<const Eigen::VectorXd>& tau,
                                      Eigen::Ref<Eigen::VectorXd> qdd) {
  if (lagrangian() != nullptr) return lagrangian()->ForwardDynamics(p, q, qd, tau, qdd);
  try {
    qdd = configured_->dynamics.ForwardDynamics(p, q, qd, tau, configured_->scratch);
  } catch (const std::domain_error&) {
    return false;
  }
  return true;
}

}  // namespace idbench
