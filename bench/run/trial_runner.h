#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/cell/prepared_cell.h"
#include "bench/metrics/metrics.h"
#include "bench/metrics/motion_metrics.h"
#include "bench/metrics/observation_metrics.h"
#include "bench/run/estimator_run.h"
#include "bench/run/kept_trials.h"
#include "bench/trial/labelled_estimators.h"
#include "bench/trial/labelled_observers.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

/// One trial as it is run.
struct Trial {
  TrialData data;
  /// What estimators are given in place of the datasets of `data`, to which metrics keep.
  std::optional<std::vector<Dataset>> given = std::nullopt;

  const std::vector<Dataset>& datasets() const { return given ? *given : data.datasets; }
};

/// Makes a trial of a cell; may be called by several threads at once.
using TrialSource = std::function<Trial(const PreparedCell& context, std::int64_t trial)>;

/// The trial as the cell has it.
Trial TrialOfCell(const PreparedCell& context, std::int64_t trial);

/// Runs trials of one cell on one thread and writes their records. Each estimator runs once on a
/// trial, and observers are given what it found; what is to be kept of the trial goes to
/// KeptTrials.
class TrialRunner {
 public:
  /// @param metrics  full names. Both must outlive this.
  /// @param kept    must outlive this; may be nullptr.
  TrialRunner(const PreparedCell& context, std::size_t cell, const std::vector<RunMetric>& metrics,
              KeptTrials* kept = nullptr, const EstimatorSource& estimators = MakeEstimators,
              TrialSource trials = TrialOfCell);

  /// The records of one trial: one JSON line per estimator in the scenario's order, then one per
  /// observer and model, then one per experiment whose motion has metrics.
  std::string Run(std::int64_t trial);

  /// Estimates that failed so far.
  std::int64_t failures() const { return failures_; }

 private:
  class Keeper;
  /// A model, and the experiments that were made with it.
  struct Found {
    Estimate estimate;
    StagedExperiments staged = {};
  };

  /// What stands first in a record of an observer.
  Json Head(const LabelledObserver& observer, const std::string& model, std::int64_t trial) const;
  /// Adds the motion that all trials share, where roll-outs do not tell it.
  void AddMotion(Json& record) const;
  Json Record(const std::string& label, const EstimatorRun& run, const TrialData& data,
              const StagedExperiments& staged);
  /// Makes the experiments that are controlled with a model; where it does not predict the joints'
  /// torques, they fail.
  StagedExperiments RunStaged(const TrialData& data, const Estimate& model) const;
  /// The records of all observers, one JSON line for each of their models.
  /// @param found     of each estimator.
  /// @param datasets  that estimators and observers are given.
  /// @param keeper    may be nullptr.
  std::string Observe(std::vector<Found> found, const TrialData& data,
                      const std::vector<Dataset>& datasets, Keeper* keeper);
  Json ObserverRecord(LabelledObserver& observer, const std::string& model, const Found& found,
                      const TrialData& data, const std::vector<Dataset>& datasets, Keeper* keeper);
  /// What stands first in the record of a motion.
  Json HeadOfMotion(const std::string& experiment, std::int64_t trial) const;
  /// The records of the motions.
  std::string JudgeMotions(const TrialData& data) const;
  /// Adds what training data and prior say of an estimate that did not fail.
  void AddNotes(Estimator& estimator, const TrialData& data, FitMetrics::PriorFit& prior_fit,
                Estimate& estimate);
  /// The records of a trial without data.
  std::string Fail(std::int64_t trial, const std::string& why);

  const PreparedCell& context_;
  std::size_t cell_;
  LabelledEstimators methods_;
  std::vector<LabelledObserver> observers_;
  MetricEvaluator metrics_;
  ObservationEvaluator observations_;
  MotionEvaluator motions_;
  KeptTrials* kept_;
  TrialSource trials_;
  std::int64_t failures_ = 0;
};

}  // namespace idbench
