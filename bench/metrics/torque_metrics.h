#pragma once

#include <Eigen/Core>
#include <map>
#include <string>
#include <utility>

#include "bench/metrics/identified_model.h"
#include "bench/metrics/metric_value.h"
#include "bench/trial/score_data.h"
#include "bench/trial/trial_data.h"
#include "estimators/interface/estimate.h"
#include "estimators/interface/online_estimator.h"
#include "scenarios/carried_payloads.h"
#include "scenarios/scenario.h"

namespace idbench {

/// Metrics of an estimate's prediction of the joint torques of an experiment. They fail where the
/// estimate does not predict these, see Truth::WhyNoJointTorques().
///
/// Where what the robot carries changes in an experiment no one estimate predicts its torques. In
/// an identification experiment τ̂ of a sample is then what an online method knew before it: of the
/// estimate after the last sample that came earlier, of the prior's mean before the first. Of other
/// methods, at checkpoints and in other experiments there are no such metrics.
///
/// Holds its own scratch: use one object per thread.
class TorqueMetrics {
 public:
  /// @param problem  of the cell; must outlive this.
  /// @param sigma    of one sample of the joint torques as estimators get them, n; empty if no σ is
  ///                 declared.
  /// @param overall  what RatioToPrior() is over all joints.
  /// @param changes  experiments in which what the robot carries changes.
  explicit TorqueMetrics(const Problem& problem, Eigen::VectorXd sigma = {},
                         OverallRatio overall = OverallRatio::kOfNorms,
                         PayloadChanges changes = {});

  /// Selects a trial; `data` must outlive the calls below.
  void SetTrial(const TrialData& data);
  /// Selects an estimate, with the series kParameters where it is known; it must outlive the calls
  /// below.
  void SetEstimate(const Estimate& estimate);

  /// Of the measured torque at the measured state, as /scoring of the scenario compares them.
  MetricValue Rmse(const std::string& experiment, ScoreCutoff cutoff = ScoreCutoff::kDeclared);
  MetricValue RelativeError(const std::string& experiment,
                            ScoreCutoff cutoff = ScoreCutoff::kDeclared);
  MetricValue Nrmse(const std::string& experiment, ScoreCutoff cutoff = ScoreCutoff::kDeclared);
  /// Of the torque that estimators get at the state that they get.
  MetricValue RmseOverSigma(const std::string& experiment);
  /// Of the torque before any sensor effect at the true state.
  MetricValue CleanRmse(const std::string& experiment);
  /// Between torques by the estimate and by the true parameters, at the true state.
  MetricValue Excess(const std::string& experiment);
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

    /// Returns the errors of what can have none.
    static Errors None(std::string absent);
    Eigen::VectorXd Rmse() const;
    MetricValue Failure() const { return absent ? AbsentMetric(failure) : FailedMetric(failure); }
    /// Adds what another segment of the experiment has.
    void Add(const Errors& other);
  };
  using ErrorsOfExperiment = std::map<std::string, Errors>;

  /// What predicts the torques.
  struct Predictor {
    Eigen::VectorXd p;              ///< See IdentifiedModel.
    const Series* track = nullptr;  ///< Instead of p: of the estimate before each sample.
  };
  /// What predicts those of an experiment for the estimate, or why nothing does.
  struct Choice {
    Predictor predictor;
    std::string absent;
  };
  Choice PredictorOf(const std::string& experiment) const;

  /// Adds up what `compared` says of each dataset of an experiment.
  template <class Compared>
  Errors OverSegments(const std::string& experiment, const Compared& compared);
  /// Compares with the torque that estimators get at the state that they get.
  Errors AgainstProcessed(const Predictor& predictor, const std::string& experiment);
  /// Compares as the scenario's scoring says.
  Errors AgainstMeasured(const Predictor& predictor, const std::string& experiment,
                         ScoreCutoff cutoff);
  Errors AgainstSmoothed(const Predictor& predictor, const SmoothedScore& smoothed);
  /// Compares with the torque of a dataset at its states.
  Errors Against(const Predictor& predictor, const Dataset& dataset);
  /// Compares with the torque before any sensor effect at the true state.
  Errors AgainstClean(const Predictor& predictor, const std::string& experiment);
  /// Compares with the torque by the true parameters at the true state.
  Errors AgainstTruth(const Predictor& predictor, const std::string& experiment);
  /// The true signals of an experiment, and its dataset.
  std::pair<const Signals*, const Dataset*> CleanOf(const std::string& experiment) const;
  /// Computes τ̂ of the states into predicted_.
  /// @param dataset  the experiment's, of which the configuration and the clock are taken.
  /// @param time_s   stamps of the states [s].
  void Predict(const Predictor& predictor, const Dataset& dataset, const Eigen::VectorXd& time_s,
               const StateSamples& states);
  /// Does so, each sample by the estimate before it.
  /// @param shift_s  from stamps to recorded time [s].
  void PredictAhead(const Series& track, const Eigen::VectorXd& time_s, double shift_s,
                    const StateSamples& states);
  /// Compares predicted_ with τ.
  /// @param edge  number of samples to leave out at either end.
  Errors Compare(const Eigen::Ref<const Eigen::MatrixXd>& tau, Eigen::Index edge = 0) const;

  MetricValue RatioOf(const Errors& errors, const Errors& prior) const;

  /// The errors of the estimate, computed at their first use.
  const Errors& Measured(const std::string& experiment, ScoreCutoff cutoff);
  const Errors& Processed(const std::string& experiment);
  const Errors& Clean(const std::string& experiment);

  const Problem& problem_;
  Eigen::VectorXd sigma_;
  OverallRatio overall_;
  PayloadChanges changes_;
  IdentifiedModel model_;
  Eigen::MatrixXd predicted_;
  const TrialData* data_ = nullptr;
  const Estimate* estimate_ = nullptr;
  ErrorsOfExperiment processed_, clean_;  ///< Of the estimate, by experiment.
  std::map<std::pair<std::string, ScoreCutoff>, Errors> measured_;
  ErrorsOfExperiment prior_clean_;  ///< Of the prior of this trial, by experiment.
};

}  // namespace idbench
