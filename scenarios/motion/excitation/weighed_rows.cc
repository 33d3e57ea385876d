#include "scenarios/motion/excitation/weighed_rows.h"

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>
#include <utility>

namespace idbench {
namespace {

double LogDet(const Eigen::LLT<Eigen::MatrixXd>& llt) {
  return 2.0 * Eigen::MatrixXd(llt.matrixL()).diagonal().array().log().sum();
}

/// I + DᵀX, of D = C·diag(σ) and X = A⁻¹·D.
Eigen::LLT<Eigen::MatrixXd> DisturbedFactor(const Eigen::MatrixXd& D, const Eigen::MatrixXd& X) {
  return Eigen::LLT<Eigen::MatrixXd>(Eigen::MatrixXd::Identity(D.cols(), D.cols()) +
                                     D.transpose() * X);
}

}  // namespace

Eigen::MatrixXd InformationOf(const RowRegressor& rows, const std::vector<Eigen::MatrixXd>& W,
                              const Eigen::VectorXd& precision) {
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(rows.column_count(), rows.column_count());
  for (int r = 0; r < rows.row_count(); ++r) {
    const std::vector<int>& columns = rows.ColumnsOf(r);
    const Eigen::MatrixXd& of_row = W[static_cast<std::size_t>(r)];
    Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(of_row.cols(), of_row.cols());
    gram.selfadjointView<Eigen::Lower>().rankUpdate(of_row.transpose(),
                                                    precision.size() == 0 ? 1.0 : precision[r]);
    M(columns, columns) += Eigen::MatrixXd(gram.selfadjointView<Eigen::Lower>());
  }
  return M;
}

WeighedRows::WeighedRows(const RowRegressor& rows, ExcitationCriterion criterion,
                         DesignErrors errors, Eigen::MatrixXd known)
    : rows_(rows), criterion_(criterion), errors_(std::move(errors)), known_(std::move(known)) {}

double WeighedRows::ScaleOf(double rate_hz) const {
  if (errors_.rate_hz) return *errors_.rate_hz / rate_hz;
  return known_.size() == 0 ? 1.0 : kCriterionRateHz / rate_hz;
}

Eigen::MatrixXd WeighedRows::InformationOn(const RowSamples& samples) const {
  Eigen::MatrixXd A = InformationOf(rows_, samples.W, ScaleOf(samples.rate_hz) * errors_.precision);
  if (known_.size() > 0) A += known_;
  return A;
}

Eigen::VectorXd WeighedRows::CourseOf(const Disturbance& disturbance,
                                      const StateSamples& states) const {
  Eigen::VectorXd z(states.size());
  for (Eigen::Index k = 0; k < z.size(); ++k) {
    z[k] = disturbance.At(states.q(k, disturbance.joint), states.qd(k, disturbance.joint)).z;
  }
  return z;
}

Eigen::MatrixXd WeighedRows::DisturbedOn(const RowSamples& samples) const {
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(rows_.column_count(), std::ssize(errors_.disturbances));
  for (Eigen::Index d = 0; d < D.cols(); ++d) {
    const Disturbance& disturbance = errors_.disturbances[static_cast<std::size_t>(d)];
    const int row = disturbance.joint;
    D(rows_.ColumnsOf(row), d) =
        (disturbance.sigma * ScaleOf(samples.rate_hz) * errors_.precision[row]) *
        (samples.W[static_cast<std::size_t>(row)].transpose() *
         CourseOf(disturbance, samples.states));
  }
  return D;
}

double WeighedRows::Value(const RowSamples& samples) const {
  const Eigen::MatrixXd A = InformationOn(samples);
  const double value = CriterionOf(criterion_, A);
  if (errors_.disturbances.empty() || !std::isfinite(value)) return value;
  const Eigen::MatrixXd D = DisturbedOn(samples);
  return value + LogDet(DisturbedFactor(D, A.llt().solve(D)));
}

double WeighedRows::MoveTo(const RowSamples& samples) {
  const Eigen::MatrixXd A = InformationOn(samples);
  SmoothCriterion smooth = SmoothCriterionOf(criterion_, A);
  by_A_ = std::move(smooth.by_M);
  if (errors_.disturbances.empty() || !std::isfinite(smooth.value)) return smooth.value;
  // d ln det K = tr(K⁻¹·dK), with dK = dDᵀX + Xᵀ dD − Xᵀ dA X.
  const Eigen::MatrixXd D = DisturbedOn(samples);
  const Eigen::MatrixXd X = A.llt().solve(D);
  const Eigen::LLT<Eigen::MatrixXd> K = DisturbedFactor(D, X);
  const Eigen::MatrixXd XK = K.solve(X.transpose()).transpose();
  by_A_.noalias() -= XK * X.transpose();
  by_C_ = 2.0 * XK;
  return smooth.value + LogDet(K);
}

void WeighedRows::Gradient(const RowSamples& samples, double weight, Dynamics::Scratch& scratch,
                           StateGradient& gradient) const {
  // ∂A/∂W: d(WᵀW) = dWᵀ·W + Wᵀ·dW, so that ∂J/∂W = 2·W·∂J/∂A.
  const double scale = ScaleOf(samples.rate_hz);
  std::vector<Eigen::MatrixXd> G(samples.W.size());
  for (std::size_t r = 0; r < samples.W.size(); ++r) {
    const std::vector<int>& columns = rows_.ColumnsOf(static_cast<int>(r));
    const double of_row = scale * errors_.precision[static_cast<Eigen::Index>(r)];
    G[r].noalias() = samples.W[r] * (2.0 * weight * of_row * by_A_(columns, columns));
  }
  // D = σ·S·Wᵀz: ∂J/∂W gets z times, ∂J/∂z W times a column of ∂J/∂D.
  const Eigen::Index count = samples.states.size();
  StateGradient of_courses{Eigen::MatrixXd::Zero(count, samples.states.q.cols()),
                           Eigen::MatrixXd::Zero(count, samples.states.q.cols()),
                           {}};
  for (std::size_t d = 0; d < errors_.disturbances.size(); ++d) {
    const Disturbance& disturbance = errors_.disturbances[d];
    const int joint = disturbance.joint;
    const Eigen::VectorXd factors =
        (weight * disturbance.sigma * scale * errors_.precision[joint]) *
        by_C_(rows_.ColumnsOf(joint), static_cast<Eigen::Index>(d));
    Eigen::MatrixXd& of_row = G[static_cast<std::size_t>(joint)];
    const Eigen::VectorXd by_z = samples.W[static_cast<std::size_t>(joint)] * factors;
    for (Eigen::Index k = 0; k < count; ++k) {
      const Disturbance::Value at =
          disturbance.At(samples.states.q(k, joint), samples.states.qd(k, joint));
      of_row.row(k) += at.z * factors.transpose();
      of_courses.q(k, joint) += by_z[k] * at.by_q;
      of_courses.qd(k, joint) += by_z[k] * at.by_qd;
    }
  }
  rows_.Gradient(samples.states, G, scratch, gradient);
  gradient.q += of_courses.q;
  gradient.qd += of_courses.qd;
}

}  // namespace idbench
