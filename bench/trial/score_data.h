#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "robots/recording/dataset.h"
#include "robots/recording/filter.h"
#include "robots/recording/processing.h"
#include "scenarios/scoring.h"

namespace idbench {

/// Cut-off of a score, as a multiple of that of /scoring.
enum class ScoreCutoff { kDeclared, kHalf, kTwice, kNone };

/// What one dataset's predictions are compared with behind a low-pass F.
struct SmoothedScore {
  /// F q, F q̇, F q̈ or the differences of F q, and F of what was measured, on one uniform time
  /// vector.
  Dataset dataset;
  std::optional<ButterworthLowpass> lowpass;  ///< F at the rate of the dataset.
  std::string failure;                        ///< Why there is none; "" if there is.
  /// Too short for F, and left out: other segments of its experiment are the score.
  bool left_out = false;

  /// Samples at either end that tell of what lies beyond it: once through F q, once through F of
  /// the prediction.
  Eigen::Index edge_samples() const { return 2 * lowpass->EdgeSamples(); }
};

/// What the predictions of one dataset are compared with.
struct ScoreData {
  /// The processed states with torque, and what else scores compare, that no low-pass of
  /// /processing went over; absent: the dataset as it is.
  std::optional<Dataset> as_measured;
  std::vector<std::pair<ScoreCutoff, SmoothedScore>> smoothed;

  /// Returns what stands for a cut-off; nullptr where torques are compared unsmoothed.
  const SmoothedScore* Smoothed(ScoreCutoff cutoff) const;
};

/// What all estimates of a cell are compared with.
struct Scores {
  std::vector<ScoreData> datasets;  ///< One per dataset of a trial.
  std::string told;                 ///< A sentence for captions.
};

/// /processing of a dataset, with what else stands between a recording and estimators.
using ProcessDataset = std::function<Dataset(const Dataset&, const ProcessingOptions&)>;

/// Makes what scores need, from what was measured.
///
/// A smoothed score processes the measured data as /processing says, with F in place of its
/// low-pass; recorded rates go through F, derived ones are differences of F q. Times that are not
/// uniform are resampled at the recorded rate, and what is sampled at more than 40 times the
/// cut-off is decimated. A segment of a log that is too short for F is left out, as long as another
/// one of its experiment is not. Where F fits no segment of an experiment, that score fails; where
/// that is so of a cut-off that was found and not declared, torques of that experiment are compared
/// unsmoothed; where F does not fit the rate of a log, those of all. `told` says each.
///
/// @param measured   before /processing, one per dataset: per experiment or segment of one.
/// @param processed  as estimators get them.
/// @param channels   what scores compare beside joint torques, as far as all datasets have it:
///                   wrenches at force/torque sensors, duty cycles.
/// @throws ConfigError (source: the dataset's label) if a declared cut-off fits no segment of an
///         experiment.
Scores MakeScores(const ScoringOptions& scoring, const ProcessingOptions& processing,
                  std::span<const Dataset> measured, std::span<const Dataset> processed,
                  const ProcessDataset& process, std::span<const std::string> channels = {});

}  // namespace idbench
