#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <map>
#include <memory>
#include <ranges>
#include <string>
#include <vector>

#include "bench/trial/prior_knowledge.h"
#include "bench/trial/score_data.h"
#include "bench/trial/truth.h"
#include "robots/plant/metered_plant.h"
#include "robots/plant/motion.h"
#include "robots/recording/dataset.h"
#include "sim/sensors/signals.h"
#include "sim/truth/environment.h"

namespace idbench {

/// One trial: what is to be estimated, what was recorded, and the truth.
struct TrialData {
  std::int64_t trial = -1;  ///< Or −1, of what all trials share.
  /// What estimators get beside the datasets.
  const Problem& problem() const { return known->problem; }
  /// The set behind the problem's prior; empty without one.
  const Eigen::VectorXd& prior_pi() const { return known->prior_pi; }
  /// Parameters π of the simulated robot; nullptr for recordings.
  const Eigen::VectorXd* true_pi() const { return truth != nullptr ? &truth->pi : nullptr; }
  /// See Truth; of recordings it is not known, and "".
  std::string WhyNoJointTorques() const {
    return truth != nullptr ? truth->WhyNoJointTorques() : "";
  }

  /// In the scenario's order: one per experiment, or one for each segment of its recording, with
  /// the same label. Nothing is interpolated, filtered or differentiated from one to the next.
  std::vector<Dataset> datasets;
  /// Returns the datasets of an experiment, which are one or more.
  auto DatasetsOf(const std::string& experiment) const {
    return std::views::filter(
        datasets, [&experiment](const Dataset& dataset) { return dataset.label() == experiment; });
  }
  std::string rollout;  ///< Hash of what decided the identification roll-outs.
  /// The same before any sensor effect, with what no sensor reads (ChannelInfo::truth), for metrics
  /// alone; none of a recording. They live in the
  /// roll-outs that trials share, or in `drawn`.
  std::vector<const Signals*> clean;
  std::vector<std::unique_ptr<const Signals>> drawn;
  /// Motions that were designed for this trial, by experiment.
  std::map<std::string, std::unique_ptr<const Motion>> drawn_motions;
  /// What touched the robot in each experiment, in the order of `clean`, with its times, for
  /// metrics alone; nullptr for experiments without an environment.
  std::vector<const Environment*> environments;
  std::vector<std::unique_ptr<const Environment>> drawn_environments;
  PlantSource make_plant;  ///< For methods that experiment; nothing for recordings.
  /// What predictions are compared with where it is not `datasets` as they are; nullptr otherwise.
  const Scores* scores = nullptr;
  std::unique_ptr<const Scores> drawn_scores;
  /// They live in the context, or below where each trial draws its own.
  const PriorKnowledge* known = nullptr;
  const Truth* truth = nullptr;  ///< Nothing for recordings.
  std::unique_ptr<const PriorKnowledge> drawn_known;
  std::unique_ptr<const Truth> drawn_truth;
};

}  // namespace idbench
