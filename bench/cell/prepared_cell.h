#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/rollouts/rollouts.h"
#include "bench/trial/data_source.h"
#include "bench/trial/trial_data.h"
#include "scenarios/scenario_reader.h"

namespace idbench {

/// What all trials of a cell share: scenario, problem, and where its data come from.
///
/// Truth stays in here: estimators get the trial's Problem and Datasets. After construction safe to
/// use from several threads.
class PreparedCell {
 public:
  /// @param rollouts  must outlive this, as `loaded` and `cell`.
  /// @throws ConfigError (source: the scenario's file) where the cell cannot be run: data that
  ///         processing refuses, a roll-out that fails, an estimator whose needs are not met.
  PreparedCell(const LoadedScenario& loaded, const Cell& cell, RolloutStore& rollouts);

  const Scenario& scenario() const { return cell_.scenario; }
  /// With the terms of the cell's problem.
  const Robot& robot() const { return cell_.robot; }
  /// What all trials share of the problem: model, equations, σ, names and units. Prior, bounds and
  /// what is taken for known may be drawn per trial: see TrialData::problem().
  const Problem& problem() const { return known_.problem; }
  /// The considered parameters, indices into π.
  const std::vector<int>& asked() const { return asked_; }
  /// Sensors with σ resolved to SI units; nullptr for recordings.
  const SensorOptions* sensors() const { return source_->sensors(); }
  /// See DataSource::NoiseOf().
  ChannelNoise NoiseOf(std::string_view channel) const { return source_->NoiseOf(channel); }
  /// See DataSource::SharedMotion().
  const std::string& shared_motion() const { return shared_motion_; }
  /// Sentences about what was given to the estimators, for captions.
  const std::vector<std::string>& marks() const { return marks_; }

  /// Those of them that `validate` tells: see DataSource::Notes(), ProcessingNotes(), KnownNote()
  /// and ExactChannelsNote().
  const std::vector<std::string>& notes() const { return notes_; }
  /// Those of which it warns, as they make a table unfair or wrong: see CheckPriorSigma() and
  /// CheckRefusals() of a manifest, AccelerationNoiseWarning(), TruePriorNote() and
  /// HeldByPriorNotes().
  const std::vector<std::string>& warnings() const { return warnings_; }

  /// Why trial 0 fails before any estimator has its data; "" if it does not. It drew its robot or
  /// its motion, so that others need not fail.
  const std::string& first_failure() const { return first_failure_; }

  /// The data of one trial. @throws PlantError if a roll-out drawn for this trial fails.
  TrialData Run(std::int64_t trial) const;
  /// See DataSource::MotionOf().
  std::optional<DataSource::ShowingMotion> MotionOf(const TrialData& data,
                                                    const std::string& experiment) const {
    return source_->MotionOf(data, experiment);
  }
  /// See DataSource::RunStaged().
  StagedExperiments RunStaged(const TrialData& data, const Eigen::VectorXd& pi) const {
    return source_->RunStaged(data, pi);
  }

 private:
  /// Sets the declared noise of the problem's equations.
  void DeclareNoise();
  /// The trial's problem and robot, before any experiment.
  TrialData Subject(std::int64_t trial) const;

  const LoadedScenario& loaded_;
  const Cell& cell_;
  std::vector<int> asked_;
  PriorKnowledge known_;  ///< Of trial −1.
  std::unique_ptr<const DataSource> source_;
  std::string shared_motion_;
  std::vector<std::string> marks_, notes_, warnings_;
  std::string first_failure_;
};

}  // namespace idbench
