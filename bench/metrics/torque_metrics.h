#pragma once

#include <Eigen/Core>
#include <map>
#include <string>

#include "bench/cell/trial_data.h"
#include "bench/metrics/identified_model.h"
#include "bench/metrics/metric_value.h"
#include "estimators/interface/estimate.h"
#include "scenarios/scenario.h"

namespace idbench {

/// Metrics of an estimate's prediction of the joint torques of an experiment. They fail where the
/// estimate does not predict these, see Truth::WhyNoJointTorques().
///
/// Holds its own scratch: use one object per thread.
class TorqueMetrics {
 public:
  /// @param problem  of the cell; must outlive this.
  /// @param sigma    of one sample of the joint torques as estimators get them, n; empty if no σ is
  ///                 declared.
  /// @param overall  what RatioToPrior() is over all joints.
  explicit TorqueMetrics(const Problem& problem, Eigen::VectorXd sigma = {},
                         OverallRatio overall = OverallRatio::kOfNorms);

  /// Selects a trial; `data` must outlive the calls below.
  void SetTrial(const TrialData& data);
  /// Selects an estimate, which must outlive the calls below.
  void SetEstimate(const Estimate& estimate);

  /// Of the measured torque at the measured state.
  MetricValue Rmse(const std::string& experiment);
  MetricValue RmseOverSigma(const std::string& experiment);
  MetricValue RelativeError(const std::string& experiment);
  MetricValue Nrmse(const std::string& experiment);
  /// Of the torque before any sensor effect at the true state.
  MetricValue CleanRmse(const std::string& experiment);
  /// Over the prior's; a joint that the prior predicts to rounding has no ratio.
  MetricValue RatioToPrior(const std::string& experiment);

 private:
  /// Sums over τ − τ̂ of one experiment.
  struct Errors {
    std::string failure;
    bool absent = true;        ///< With a failure: there can be no such errors, see MetricValue.
    Eigen::VectorXd squared;   ///< Σ (τ − τ̂)², per joint [N²·m²]
    Eigen::VectorXd signal;    ///< Σ τ², per joint
    Eigen::VectorXd mean;      ///< Of τ, per joint
    Eigen::VectorXd variance;  ///< Variance of τ, unbiased, per joint
    Eigen::Index samples = 0;

    Eigen::VectorXd Rmse() const;
    MetricValue Failure() const { return absent ? AbsentMetric(failure) : FailedMetric(failure); }
    /// Adds what another segment of the experiment has.
    void Add(const Errors& other);
  };
  using ErrorsOfExperiment = std::map<std::string, Errors>;

  /// Compares with the measured torque at the measured state, over all segments.
  Errors AgainstMeasured(const Eigen::VectorXd& p, const std::string& experiment);
  /// Compares with the torque before any sensor effect at the true state.
  Errors AgainstClean(const Eigen::VectorXd& p, const std::string& experiment);
  /// @param dataset  the experiment's, of which the configuration is taken.
  Errors Compare(const Eigen::VectorXd& p, const Dataset& dataset, const StateSamples& states,
                 const Eigen::Ref<const Eigen::MatrixXd>& tau);

  MetricValue RatioOf(const Errors& errors, const Errors& prior) const;

  /// The errors of the estimate, computed at their first use.
  const Errors& Measured(const std::string& experiment);
  const Errors& Clean(const std::string& experiment);

  const Problem& problem_;
  Eigen::VectorXd sigma_;
  OverallRatio overall_;
  IdentifiedModel model_;
  Eigen::MatrixXd predicted_;
  const TrialData* data_ = nullptr;
  const Estimate* estimate_ = nullptr;
  ErrorsOfExperiment measured_, clean_;  ///< Of the estimate, by experiment.
  ErrorsOfExperiment prior_clean_;       ///< Of the prior of this trial, by experiment.
};

}  // namespace idbench
