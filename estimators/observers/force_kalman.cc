#include "estimators/observers/force_kalman.h"

#include <utility>

#include "estimators/observers/force_fit.h"

namespace idbench {
namespace {

/// Force and its covariance.
struct ForceState {
  Eigen::Vector3d f = Eigen::Vector3d::Zero();
  Eigen::Matrix3d P;

  /// Takes measurements s = −V·f + e, e ~ N(0, 1), one after another.
  void Update(const Eigen::Matrix<double, Eigen::Dynamic, 3>& V, const Eigen::VectorXd& s) {
    for (Eigen::Index row = 0; row < s.size(); ++row) {
      const Eigen::Vector3d h = -V.row(row).transpose();
      const Eigen::Vector3d Ph = P * h;
      const double S = 1.0 + h.dot(Ph);
      f += Ph * ((s[row] - h.dot(f)) / S);
      P -= Ph * Ph.transpose() / S;
    }
  }
};

}  // namespace

FieldTable Visit(ForceKalmanOptions& o) {
  FieldTable table;
  table.Add("walk_n_sqrt_s", o.walk_n_sqrt_s,
            {.doc = "Standard deviation by which each component of the force changes in a second",
             .unit = "N/√s",
             .lower = 0.0});
  table.Add("start_std_n", o.start_std_n,
            {.doc = "Standard deviation of each component of the force at the beginning",
             .unit = "N",
             .lower = 0.0});
  table.Add("covariance", o.covariance,
            {.doc = "Noise of the joints' residuals: \"diagonal\" (variance of each) or \"full\" "
                    "(their covariance)"});
  return table;
}

void ForceKalman::CheckProblem(const Problem& problem) const {
  Observer::CheckProblem(problem);
  JointTorqueRows(problem, 3);
}

Observation ForceKalman::Watch(const Problem& problem, const Estimate& model,
                               std::span<const Dataset> training, const Dataset& watched) {
  const auto [equation, joints] = JointTorqueRows(problem, 3);
  const std::span equations(&equation, 1);
  const ModelResidual residual = ResidualOf(problem, model.pi, watched, equations);
  ForceFit fit(problem.model, joints,
               SampleCovariance(problem, equations,
                                TrainingResiduals(problem, model.pi, training, equations),
                                options_.covariance));
  ForceState state;
  state.P = options_.start_std_n * options_.start_std_n * Eigen::Matrix3d::Identity();
  Eigen::MatrixXd force(residual.q.rows(), 3);
  Eigen::RowVectorXd q(residual.q.cols()), r(residual.r.cols());
  for (Eigen::Index k = 0; k < force.rows(); ++k) {
    const double step_s = k > 0 ? residual.time_s[k] - residual.time_s[k - 1] : 0.0;
    state.P.diagonal().array() += options_.walk_n_sqrt_s * options_.walk_n_sqrt_s * step_s;
    q = residual.q.row(k);
    r = residual.r.row(k);
    if (r.allFinite()) {
      fit.MoveTo(q);
      state.Update(fit.V(), fit.Whitened(r));
    }
    force.row(k) = state.f.transpose();
  }
  Observation observation;
  observation.series.push_back(ForceSeries(residual.time_s, std::move(force)));
  return observation;
}

}  // namespace idbench
