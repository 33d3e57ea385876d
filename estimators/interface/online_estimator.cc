#include "estimators/interface/online_estimator.h"

#include <fmt/format.h>

#include <exception>
#include <limits>
#include <optional>
#include <stdexcept>

#include "estimators/interface/row_mask.h"

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
  const bool drives = std::ranges::any_of(problem_->rows, &EquationRows::of_drives);
  CheckSize("inputs", sample.inputs.size(), drives ? problem_->model.dofs() : 0);
  const auto configurations = static_cast<int>(problem_->model.configurations().size());
  if (sample.configuration < 0 || sample.configuration >= configurations) {
    throw std::invalid_argument(fmt::format("Update: configuration is {}, expected 0 to {}",
                                            sample.configuration, configurations - 1));
  }
  Absorb(sample);
}

Estimate OnlineEstimator::Current() const {
  if (!problem_) throw std::invalid_argument("Current: Begin() has to come first");
  return Guarded(*problem_, [this] { return Snapshot(); });
}

void OnlineEstimator::Review(const Problem& /*problem*/, std::span<const Dataset> /*datasets*/,
                             Estimate& /*estimate*/) const {}

/// One pass over all that is recorded, looked at on the way.
class OnlineEstimator::Pass {
 public:
  /// @param track  what is known after each sample; nullptr if nobody asks. All must outlive this.
  Pass(OnlineEstimator& estimator, const Problem& problem, std::span<const Dataset> datasets,
       EstimateTrack* track)
      : estimator_(estimator),
        problem_(problem),
        datasets_(datasets),
        track_(track),
        mask_(problem.model, problem.rows),
        counts_(Eigen::VectorXd::Zero(problem.row_count())),
        row_(counts_) {}

  /// Takes in what was recorded by the checkpoint.
  Estimate UpTo(double checkpoint_s) {
    if (failure_) std::rethrow_exception(failure_);
    if (!reader_) {
      estimator_.Begin(problem_);
      reader_.emplace(problem_, datasets_);
    }
    Sample sample(problem_);
    while (reader_->Next(checkpoint_s, sample)) Take(sample);
    if (reader_->count() == 0) {
      Refuse("there are no samples");
    }
    mask_.CheckLeft(counts_, reader_->count());
    Estimate estimate = estimator_.Snapshot();
    const bool states =
        estimate.covariance || (estimate.combinations && estimate.combinations->covariance);
    if (estimate.ok() && states) Review(checkpoint_s, estimate);
    return estimate;
  }

 private:
  void Review(double checkpoint_s, Estimate& estimate) const {
    if (checkpoint_s == kEnd) {
      estimator_.Review(problem_, datasets_, estimate);
    } else {
      estimator_.Review(problem_, RecordedUpTo(datasets_, checkpoint_s), estimate);
    }
  }

  void Take(const Sample& sample) {
    if (!mask_.empty()) {
      row_.setZero();
      mask_.Apply(sample.qd, row_);
      counts_.array() += 1.0 - row_.array().isNaN().cast<double>();
    }
    try {
      estimator_.Update(sample);
    } catch (...) {
      failure_ = std::current_exception();
      throw;
    }
    if (track_ == nullptr) return;
    const Estimate estimate = estimator_.Current();
    track_->push_back({sample.t_s, {}, {}});
    if (!estimate.ok()) return;
    track_->back().x = estimate.x;
    track_->back().sigma = estimate.sigma();
  }

  OnlineEstimator& estimator_;
  const Problem& problem_;
  std::span<const Dataset> datasets_;
  EstimateTrack* track_;
  std::optional<SampleReader> reader_;
  RowMask mask_;
  Eigen::VectorXd counts_, row_;  ///< Samples that count in each row; one of them.
  std::exception_ptr failure_;    ///< Of an update: the sample is gone, and cannot be taken again.
};

void OnlineEstimator::CheckProblem(const Problem& problem) { Begin(problem); }

Estimate OnlineEstimator::Identify(const Problem& problem, std::span<const Dataset> datasets) {
  return Pass(*this, problem, datasets, nullptr).UpTo(kEnd);
}

std::vector<Estimate> OnlineEstimator::LookAt(const Problem& problem,
                                              std::span<const Dataset> datasets,
                                              std::span<const double> checkpoints_s,
                                              EstimateTrack* track) {
  Pass whole(*this, problem, datasets, track);
  std::vector<Estimate> estimates;
  for (const double checkpoint_s : checkpoints_s) {
    estimates.push_back(problem.alignment.policy == AlignmentPolicy::kResample
                            ? Run(problem, RecordedUpTo(datasets, checkpoint_s))
                            : Guarded(problem, [&] { return whole.UpTo(checkpoint_s); }));
  }
  estimates.push_back(Guarded(problem, [&] { return whole.UpTo(kEnd); }));
  return estimates;
}

std::vector<Estimate> OnlineEstimator::IdentifyAt(const Problem& problem,
                                                  std::span<const Dataset> datasets,
                                                  std::span<const double> checkpoints_s) {
  return LookAt(problem, datasets, checkpoints_s, nullptr);
}

TrackedEstimates OnlineEstimator::Track(const Problem& problem, std::span<const Dataset> datasets,
                                        std::span<const double> checkpoints_s) {
  CheckCheckpoints(checkpoints_s);
  TrackedEstimates tracked;
  tracked.estimates = LookAt(problem, datasets, checkpoints_s, &tracked.track);
  return tracked;
}

}  // namespace idbench
