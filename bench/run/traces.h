#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bench/cell/prepared_cell.h"
#include "bench/metrics/identified_model.h"
#include "bench/metrics/observation_metrics.h"
#include "bench/metrics/true_unknowns.h"
#include "bench/run/estimator_run.h"
#include "bench/run/friction_curves.h"
#include "bench/trial/labelled_observers.h"
#include "estimators/interface/observer.h"
#include "scenarios/options/json.h"

namespace idbench {

/// What charts show of one trial beside its statistics, as JSON lines with six digits.
struct TrialTraces {
  /// `series/tracks.jsonl`, the unknowns over recorded time, one line per estimator:
  ///
  ///     {"cell": 0, "trial": 0, "estimator": "ekf", "t_s": […], "x": [[all unknowns], …],
  ///      "sigma": [[…], …], "x_true": […]}
  ///
  /// Online methods at evenly spread instants, others at the scenario's checkpoints, both at the
  /// end. Instants at which the estimate failed are left out; `sigma` stands where every estimate
  /// states a covariance, `x_true` where the truth is known: a list for each instant where it
  /// changes with time.
  std::string tracks;
  /// `series/residuals.jsonl`, τ − τ̂ [N·m, N] at the measured state, τ as measured, of the final
  /// estimate, every few samples; one line per estimator and experiment or, with its number from 0
  /// as
  /// `"segment"`, per segment of its recording, over the time since the experiment's beginning:
  ///
  ///     {"cell": 0, "trial": 0, "estimator": "ols", "experiment": "validation",
  ///      "channel": "joint_torque", "t_s": […], "rows": ["joint1", …], "residual": [[joint1], …],
  ///      "measured": [[joint1], …], "units": {"rail": "N"}}
  ///
  /// `measured` is τ, so that measured − residual is what the estimate predicts. `units` holds the
  /// rows that are not in N·m, and is absent if there are none.
  std::string residuals;
  /// `series/observations.jsonl`, what observers found, one line per observer, model, experiment or
  /// segment (as above) and series, over the time since the experiment's beginning:
  ///
  ///     {"cell": 0, "trial": 0, "observer": "T2", "estimator": "ols", "experiment": "contact",
  ///      "series": "statistic", "columns": ["T2"], "units": ["1"], "t_s": […],
  ///      "values": [[T2], …], "detected": [0, 1, …], "there": [0, 1, …]}
  ///
  /// `values` has a list for each column, null where there is no value. A series has at most 300
  /// instants, each of which stands for the samples up to the next one: of a `statistic` it has the
  /// largest value of them, of other series the first one. `detected`, of a statistic whose
  /// observer has a threshold: whether that detects in any of them, null where it cannot say.
  /// `there`, in simulations, of observers that detect something: whether that truly is there in
  /// any of them. An `external_force` has the true one in simulations:
  ///
  ///      "true": [[x], [y], [z]]
  ///
  /// What an observer did not find, in a trial or with a model that failed, has no line.
  std::string observations;
  /// `series/motions.jsonl`, where the robot was at the joint positions q of its datasets, one line
  /// per experiment or segment (as above), over the time since the experiment's beginning:
  ///
  ///     {"cell": 0, "trial": 0, "experiment": "validation", "t_s": […], "gravity": [0, 0, -9.81],
  ///      "frames": ["link1", …, "end effector"], "parents": [-1, 0, …], "joints": ["joint1", …],
  ///      "units": {"rail": "m"}, "q": [[joint1, …], …], "points": [[[x, y, z], …], …]}
  ///
  /// `points` has a list for each instant, of each frame of a StickFigure in base axes [m], in
  /// which gravity is given too [m/s²]; `units` holds the joints whose q is not in rad. At most 300
  /// instants; a dataset without joint positions has no line.
  std::string motions;
  /// `series/friction.jsonl`, what an estimate says of a joint's friction over its velocity v, see
  /// FrictionCurves; one line per estimator and joint:
  ///
  ///     {"cell": 0, "trial": 0, "estimator": "ols", "joint": "joint1",
  ///      "terms": ["joint1.fv", …], "units": {"velocity": "rad/s", "torque": "N·m"},
  ///      "covered": [least v, largest v], "velocity": […], "torque": […], "sigma": […],
  ///      "true": […]}
  ///
  /// `covered` is what data for identification cover, with at most 81 velocities in it; `sigma`
  /// stands where the estimate states it, `true` in simulations, of the same terms. Prismatic
  /// joints have m/s and N.
  std::string friction;
  /// `series/swings.jsonl`, series of a final estimate of experiments that its method made, see
  /// SwingSeries(); one line per estimator and swing, over the time of the swing:
  ///
  ///     {"cell": 0, "trial": 0, "estimator": "dino", "swing": "rod1: last fall",
  ///      "columns": ["rod1", …], "units": ["rad", …], "t_s": […], "values": [[rod1], …]}
  ///
  /// At most 300 instants.
  std::string swings;
  /// `series/following.jsonl`, how the robot followed its motion under control with an estimate,
  /// one line per estimator and experiment:
  ///
  ///     {"cell": 0, "trial": 0, "estimator": "ols", "experiment": "following",
  ///      "joints": ["joint1", …], "units": {"rail": "m"}, "t_s": […],
  ///      "desired": [[joint1], …], "position": [[joint1], …]}
  ///
  /// True positions, at most 300 instants; an experiment that failed has no line.
  std::string following;
};

/// Traces one trial, estimator by estimator, from runs that look at its instants:
///
///     const std::vector<double> traced_s = tracer.InstantsOf(estimator);
///     tracer.Add(label, RunOnce(estimator, …, {.traced_s = traced_s}), traced_s);
///
/// and then what observers found with these estimates.
class TrialTracer {
 public:
  /// Both must outlive this. @param data  PreparedCell::Run() of the trial.
  TrialTracer(const PreparedCell& context, std::size_t cell, const TrialData& data);

  /// Instants before the end at which a method's estimate is traced [s of identification time].
  std::vector<double> InstantsOf(const Estimator& estimator) const;
  /// @param run     looked at `traced_s`, the method's instants.
  /// @param staged  experiments that were made with its final estimate.
  void Add(const std::string& label, const EstimatorRun& run, std::vector<double> traced_s,
           const StagedExperiments& staged);

  /// Adds what an observer found with a model.
  /// @param dataset      index of what it watched, of the trial's datasets.
  /// @param observation  ok.
  void Add(const LabelledObserver& observer, const std::string& model, std::size_t dataset,
           const Observation& observation);
  /// Adds what it found in an experiment that was made with the model.
  /// @param staged  all of that model, which must outlive this call.
  void Add(const LabelledObserver& observer, const std::string& model,
           const StagedExperiments& staged, const std::string& experiment,
           const Observation& observation);

  const TrialTraces& traces() const { return traces_; }

 private:
  /// Place of a dataset among those of its label.
  struct Segment {
    Json name;  ///< "experiment", and "segment" if there are several.
    /// From stamps to time since the experiment's beginning [s].
    double shift_s;
  };

  void AddFollowing(const Json& head, const StagedExperiment& stage);
  void AddMotion(const Dataset& dataset, const Segment& segment);
  void AddObservation(const LabelledObserver& observer, const std::string& model,
                      const Segment& segment, const std::string& experiment,
                      const Observation& observation);
  /// Adds what truly was there, in a simulation.
  void AddTruth(const Series& series, const std::string& experiment, Detects detects,
                Json& line) const;
  /// Nothing (null) for an experiment without measured torques.
  /// @param shift_s  from stamps to time since the experiment's beginning [s].
  Json ResidualOf(const Estimate& estimate, const Dataset& dataset, double shift_s);

  const PreparedCell& context_;
  const TrialData& data_;
  std::size_t cell_;
  double end_s_;  ///< Identification time.
  IdentifiedModel model_;
  FrictionCurves friction_;
  Eigen::MatrixXd predicted_;            ///< Torque, samples × joints.
  std::optional<TrueUnknowns> truth_;    ///< Nothing for recordings.
  std::optional<ObservedTruth> acting_;  ///< Likewise.
  std::vector<Segment> segments_;        ///< Of each dataset.
  TrialTraces traces_;
};

}  // namespace idbench
