#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/rollouts/motion_design.h"
#include "bench/trial/staged_experiment.h"
#include "bench/trial/trial_data.h"
#include "robots/recording/channel_noise.h"
#include "sim/sensors/sensors.h"

namespace idbench {

/// Where the data of a cell's trials come from. Safe to use from several threads.
class DataSource {
 public:
  virtual ~DataSource() = default;

  /// Returns the sensors with σ resolved to SI units; nullptr for recordings.
  virtual const SensorOptions* sensors() const = 0;
  /// Returns true if the experiments have this channel.
  virtual bool Measures(std::string_view channel) const = 0;
  /// Returns the noise that is declared of a channel as estimators get it: processed, and
  /// interpolated where the problem aligns channels at a rate of its own.
  virtual ChannelNoise NoiseOf(std::string_view channel) const = 0;

  /// Returns what identifies the motion that all trials have in common although each has a roll-out
  /// of its own (a truth drawn per trial, feedback that is measured); "" where roll-outs are as
  /// many as motions.
  virtual std::string SharedMotion() const = 0;

  /// A desired motion, and what it is to show.
  struct ShowingMotion {
    const ShownParameters* shown = nullptr;
    int configuration = 0;  ///< Of the robot.
    DesiredMotion desired = {};
  };
  /// Returns the desired motion of an experiment in a trial; nothing without one, as in recordings
  /// and under open-loop torque. The source and `data` must outlive it.
  virtual std::optional<ShowingMotion> MotionOf(const TrialData& data,
                                                const std::string& experiment) const = 0;

  /// Returns sentences about the data that a reader of results must know: what is doubtful about
  /// them, and what was done to them.
  virtual std::vector<std::string> Notes() const = 0;

  /// Adds the truth of `data.trial`, if there is one.
  virtual void AddTruth(TrialData& data) const = 0;
  /// Adds what was recorded. @throws PlantError if a roll-out drawn for this trial fails.
  /// @param data  with its problem and truth.
  virtual void AddDatasets(TrialData& data) const = 0;
  /// Makes the experiments of a trial that are controlled with an estimate (IsStaged()), by π.
  virtual StagedExperiments RunStaged(const TrialData& data, const Eigen::VectorXd& pi) const = 0;
};

}  // namespace idbench
