#include "bench/metrics/scored_channel.h"

#include <fmt/format.h>

#include <array>

#include "bench/trial/score_data.h"

namespace idbench {
namespace {

/// Puts the rows of `more` below those of `all`.
void AppendRows(const Eigen::Ref<const Eigen::MatrixXd>& more, Eigen::MatrixXd& all) {
  const Eigen::Index before = all.rows();
  all.conservativeResize(before + more.rows(), more.cols());
  all.bottomRows(more.rows()) = more;
}

void AddSmoothed(const SmoothedScore& score, std::string_view channel,
                 const PredictionOfStates& predict, ScoredChannel& scored) {
  if (score.left_out) return;
  scored.failure = score.failure;
  if (!scored.failure.empty()) return;
  const Dataset& states = score.dataset;
  if (states.Find(channel) == nullptr) {
    scored.failure = fmt::format("there is no channel '{}'", channel);
    return;
  }
  Eigen::MatrixXd predicted =
      predict({states.Get(kJointPosition).samples, states.Get(kJointVelocity).samples,
               states.Get(kJointAcceleration).samples});
  score.lowpass->ApplyZeroPhase(predicted);
  const Eigen::Index edge = score.edge_samples();
  const Eigen::Index inside = predicted.rows() - 2 * edge;
  AppendRows(states.Get(channel).samples.middleRows(edge, inside), scored.measured);
  AppendRows(predicted.middleRows(edge, inside), scored.predicted);
}

void AddUnsmoothed(const Dataset& dataset, const AlignmentOptions& alignment,
                   std::string_view channel, const PredictionOfStates& predict,
                   ScoredChannel& scored) {
  const auto names = std::to_array<std::string_view>(
      {kJointPosition, kJointVelocity, kJointAcceleration, channel});
  const AlignedView view = Align(dataset, names, alignment);
  if (!view.ok()) {
    scored.failure = view.reason();
    return;
  }
  AppendRows(view[3], scored.measured);
  AppendRows(predict({view[0], view[1], view[2]}), scored.predicted);
}

}  // namespace

ScoredChannel ScoreChannel(const TrialData& data, const AlignmentOptions& alignment,
                           const std::string& experiment, std::string_view channel,
                           const PredictionOfStates& predict) {
  ScoredChannel scored;
  for (const Dataset& dataset : data.DatasetsOf(experiment)) {
    const auto index = static_cast<std::size_t>(&dataset - data.datasets.data());
    const ScoreData* scores = data.scores != nullptr ? &data.scores->datasets[index] : nullptr;
    const SmoothedScore* smoothed =
        scores != nullptr ? scores->Smoothed(ScoreCutoff::kDeclared) : nullptr;
    if (smoothed != nullptr) {
      AddSmoothed(*smoothed, channel, predict, scored);
    } else {
      const bool unfiltered = scores != nullptr && scores->as_measured;
      AddUnsmoothed(unfiltered ? *scores->as_measured : dataset, alignment, channel, predict,
                    scored);
    }
    if (!scored.failure.empty()) break;
  }
  return scored;
}

}  // namespace idbench
