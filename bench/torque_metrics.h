#pragma once

#include <Eigen/Core>
#include <map>
#include <string>

#include "bench/cell_context.h"
#include "bench/identified_model.h"
#include "bench/metric_value.h"
#include "estimators/estimate.h"

namespace idbench {

/// Metrics of how well an estimate predicts the joint torques of an experiment.
///
/// Has its own scratch: one per thread. `context` must outlive it.
class TorqueMetrics {
 public:
  explicit TorqueMetrics(const CellContext& context);

  /// Turns to another trial. `data` must outlive what is asked of it.
  void SetTrial(const TrialData& data);
  /// Turns to another estimate, which must outlive what is asked of it.
  void SetEstimate(const Estimate& estimate);

  /// @param quantity  one of AllMetrics() that begins with `joint_torque_`.
  MetricValue Evaluate(const std::string& quantity, const std::string& experiment);

 private:
  /// τ − τ̂ of one experiment, summed up.
  struct Errors {
    std::string failure;
    Eigen::VectorXd squared;   ///< Σ (τ − τ̂)², per joint [N²·m²]
    Eigen::VectorXd signal;    ///< Σ τ², per joint
    Eigen::VectorXd variance;  ///< Of τ, unbiased, per joint
    Eigen::VectorXd sigma;     ///< Declared, per joint; empty if none is.
    Eigen::Index samples = 0;

    Eigen::VectorXd Rmse() const;
  };
  using ErrorsOfExperiment = std::map<std::string, Errors>;

  /// Against the torque as measured, at the state as measured.
  Errors AgainstMeasured(const Eigen::VectorXd& p, const std::string& experiment);
  /// Against the torque before any sensor effect, at the true state.
  Errors AgainstClean(const Eigen::VectorXd& p, const std::string& experiment);
  Errors Compare(const Eigen::VectorXd& p, const StateSamples& states,
                 const Eigen::Ref<const Eigen::MatrixXd>& tau);

  MetricValue OfMeasured(const std::string& quantity, const Errors& errors) const;
  MetricValue OfClean(const std::string& quantity, const std::string& experiment,
                      const Errors& errors);

  const CellContext& context_;
  IdentifiedModel model_;
  Eigen::MatrixXd predicted_;
  const TrialData* data_ = nullptr;
  const Estimate* estimate_ = nullptr;
  ErrorsOfExperiment measured_, clean_;  ///< Of the estimate.
  ErrorsOfExperiment prior_clean_;       ///< Of the prior, in this trial.
};

}  // namespace idbench
