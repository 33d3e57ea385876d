#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
#include <string_view>

#include "bench/trial/trial_data.h"
#include "robots/dynamics/dynamics.h"
#include "robots/recording/aligned_view.h"

namespace idbench {

/// What a channel measured in an experiment and what a model predicts of it, as /scoring of the
/// scenario compares them: y and ŷ of the measured states or, smoothed by the low-pass F, F y and
/// F(ŷ(F q, F q̇, F q̈)). The prediction passes F as a whole, with friction that changes its sign
/// within it. Segments of a recording stand one behind the other.
struct ScoredChannel {
  Eigen::MatrixXd measured;   ///< Samples × columns of the channel.
  Eigen::MatrixXd predicted;  ///< Samples × columns of the prediction.
  std::string failure;        ///< Why there is no such comparison; "" if there is.
};

/// Returns ŷ of N states, N rows.
using PredictionOfStates = std::function<Eigen::MatrixXd(const StateSamples& states)>;

/// Compares in the experiment of that label, which the trial has. Without /scoring, and where it
/// does not smooth that experiment, nothing passes F.
/// @param alignment  of the problem.
/// @param channel    among those of ScoredChannels(), where there is a /scoring.
ScoredChannel ScoreChannel(const TrialData& data, const AlignmentOptions& alignment,
                           const std::string& experiment, std::string_view channel,
                           const PredictionOfStates& predict);

}  // namespace idbench
