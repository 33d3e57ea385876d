#include "estimators/online_estimator.h"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>

namespace idbench {
namespace {

constexpr double kEnd = std::numeric_limits<double>::infinity();

void CheckSize(const char* what, Eigen::Index size, Eigen::Index expected) {
  if (size == expected) return;
  throw std::invalid_argument(
      fmt::format("Update: {} has {} numbers, expected {}", what, size, expected));
}

}  // namespace

void OnlineEstimator::Begin(const Problem& problem) {
  problem_.reset();
  CheckNeeds(problem);
  Start(problem);
  problem_ = problem;
}

void OnlineEstimator::Update(const Sample& sample) {
  if (!problem_) throw std::invalid_argument("Update: Begin() has to come first");
  CheckSize("q", sample.q.size(), problem_->model.dofs());
  CheckSize("qd", sample.qd.size(), problem_->model.dofs());
  CheckSize("qdd", sample.qdd.size(), problem_->model.dofs());
  CheckSize("y", sample.y.size(), problem_->row_count());
  Absorb(sample);
}

Estimate OnlineEstimator::Current() const {
  if (!problem_) throw std::invalid_argument("Current: Begin() has to come first");
  return Guarded(*problem_, [this] { return Snapshot(); });
}

EstimateTrack OnlineEstimator::Track(const Problem& problem, std::span<const Dataset> datasets) {
  Begin(problem);
  SampleReader reader(problem, datasets);
  Sample sample(problem);
  EstimateTrack track;
  while (reader.Next(kEnd, sample)) {
    Update(sample);
    const Estimate estimate = Current();
    track.push_back({sample.t_s, {}, {}});
    if (!estimate.ok()) continue;
    track.back().x = estimate.x;
    track.back().sigma = estimate.sigma();
  }
  return track;
}

Estimate OnlineEstimator::ReadUpTo(double checkpoint_s, SampleReader& reader) {
  Sample sample(*problem_);
  while (reader.Next(checkpoint_s, sample)) Update(sample);
  if (reader.count() == 0) throw EstimationFailure(Outcome::kRefused, "there are no samples");
  return Snapshot();
}

Estimate OnlineEstimator::Identify(const Problem& problem, std::span<const Dataset> datasets) {
  Begin(problem);
  SampleReader reader(problem, datasets);
  return ReadUpTo(kEnd, reader);
}

std::vector<Estimate> OnlineEstimator::IdentifyAt(const Problem& problem,
                                                  std::span<const Dataset> datasets,
                                                  std::span<const double> checkpoints_s) {
  // What is interpolated near a checkpoint may depend on what was recorded behind it.
  if (problem.alignment.policy == "resample") {
    return Estimator::IdentifyAt(problem, datasets, checkpoints_s);
  }
  std::optional<SampleReader> reader;
  const auto estimate_at = [&](double checkpoint_s) {
    return Guarded(problem, [&] {
      if (!reader) {
        Begin(problem);
        reader.emplace(problem, datasets);
      }
      return ReadUpTo(checkpoint_s, *reader);
    });
  };
  std::vector<Estimate> estimates;
  for (const double checkpoint_s : checkpoints_s) estimates.push_back(estimate_at(checkpoint_s));
  estimates.push_back(estimate_at(kEnd));
  return estimates;
}

}  // namespace idbench
