#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/cell/prepared_cell.h"
#include "bench/metrics/detection.h"
#include "bench/metrics/metric_value.h"
#include "estimators/interface/observer.h"
#include "reports/run/run_manifest.h"
#include "scenarios/carried_payloads.h"
#include "scenarios/metric_info.h"

namespace idbench {

/// What an observer found in the experiments of a trial, each with its label.
struct Observed {
  Detects detects = Detects::kNothing;
  std::string touched_body = "";  ///< See Observer::touched_body().
  Labelled<Observation> experiments;
};

/// What truly acts on the robot of a simulation, and changes what it carries. `cell` must outlive
/// it.
class ObservedTruth {
 public:
  explicit ObservedTruth(const PreparedCell& cell)
      : cell_(cell), carried_(CarriedBy(cell.scenario(), cell.robot())) {}

  /// Selects a trial, and the staged experiments of the model that is observed with; both must
  /// outlive the calls below.
  void SetTrial(const TrialData& data) { data_ = &data; }
  void SetStaged(const StagedExperiments& staged) { staged_ = &staged; }
  /// Returns false where what is to be detected has no truth in the whole trial.
  bool Has(Detects detects) const {
    return detects != Detects::kPayload || carried_.passing.empty();
  }
  /// The true force at N instants of an experiment, N × 3, in axes of the base [N].
  Eigen::MatrixXd Force(const std::string& experiment, const Eigen::VectorXd& time_s) const;
  /// A force from outside at an instant.
  struct OneTouch {
    int link;
    Eigen::Vector3d p_LT_L;  ///< Its place, in the link's frame [m].
    double force_n;
  };
  /// What touches the robot at N instants of an experiment, where one touch acts; nothing without
  /// touches whose places are known: those of a stage are not.
  std::vector<std::optional<OneTouch>> Touches(const std::string& experiment,
                                               const Eigen::VectorXd& time_s) const;
  /// Returns the link that carries a body, −1 for the base or an unknown one.
  int LinkOf(const std::string& body) const;
  /// Returns the force above which there is contact in an experiment [N].
  double ContactFrom(const std::string& experiment) const;
  /// Whether what is to be detected is there at N instants of an experiment. Takes Has().
  std::vector<bool> There(Detects detects, const std::string& experiment,
                          const Eigen::VectorXd& time_s) const;

 private:
  const PreparedCell& cell_;
  CarriedPayloads carried_;
  const TrialData* data_ = nullptr;
  const StagedExperiments* staged_ = nullptr;
};

/// Judges what observers found beside what acted on the robot. `cell` must outlive it.
class ObservationJudge {
 public:
  explicit ObservationJudge(const PreparedCell& cell) : truth_(cell) {}

  /// Selects a trial, and then what was found in one of its experiments; both must outlive the
  /// calls below.
  void SetTrial(const TrialData& data, const StagedExperiments& staged) {
    truth_.SetTrial(data);
    truth_.SetStaged(staged);
  }
  void Select(const Observed& observed, const std::string& experiment,
              const Observation& observation);

  /// Root mean square of the error of the force: of each of x, y, z, and of its length. In a sample
  /// without a force it is that of no force: who tells none wins nothing.
  MetricValue ForceError() const;
  /// Root mean square of |p̂ − p|, in the samples of contact in which one touch acts, on the link
  /// that the observer looks at, and the observer tells a place.
  MetricValue PlaceError() const;
  MetricValue Auc() const;
  MetricValue TruePositiveRate(double false_positive_rate) const;
  MetricValue Roc() const;
  /// See MedianDelayAt().
  MetricValue Delay(double false_episodes_per_minute) const;
  /// Of the observer's own alarms.
  MetricValue FalseEpisodes() const;
  MetricValue LabelAccuracy() const;
  /// Fraction of the samples with a label, of those with contact or of those without, that are
  /// labelled as contact.
  MetricValue LabelledAsContact(bool with_contact) const;

 private:
  bool HasTruth() const { return truth_.Has(detects_); }
  std::vector<bool> There(const Eigen::VectorXd& time_s) const {
    return truth_.There(detects_, *experiment_, time_s);
  }

  ObservedTruth truth_;
  Detects detects_ = Detects::kNothing;
  int touched_link_ = -1;
  const std::string* experiment_ = nullptr;
  const Observation* observation_ = nullptr;
  std::optional<DetectionRecord> record_;  ///< Nothing if it detects nothing.
  std::vector<RocPoint> roc_;
  std::string absent_;  ///< Why there is no metric where there is none.
};

/// A metric of an observation: its description and how it is evaluated.
struct ObservationMetric {
  MetricInfo info;
  std::string_view series;  ///< That an observer has to give.
  /// @param argument  of the name, as `fpr` of "detection_tpr(fpr=0.06)".
  MetricValue (*evaluate)(const ObservationJudge& judge, double argument);
};

/// All of them. A further metric is a row and its function.
std::span<const ObservationMetric> ObservationMetricTable();

/// Evaluates the metrics of observations among those of a run.
class ObservationEvaluator {
 public:
  /// @param metrics  full names, as in the run's manifest. Both must outlive this.
  ObservationEvaluator(const PreparedCell& cell, const std::vector<RunMetric>& metrics);

  /// @param gives   see Observer::gives(): metrics of what it does not give are left out.
  /// @param staged  that were made with the model.
  std::vector<MetricValue> Evaluate(const Observed& observed,
                                    const std::vector<std::string_view>& gives,
                                    const TrialData& data, const StagedExperiments& staged = {});

 private:
  struct Requested {
    const ObservationMetric& metric;
    std::string name;  ///< In full.
    std::string experiment;
    double argument;
  };

  std::vector<Requested> requested_;
  ObservationJudge judge_;
};

}  // namespace idbench
