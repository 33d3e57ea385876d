#include "estimators/interface/online_estimator.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

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
  CheckSize("inputs", sample.inputs.size(), problem_->input_count());
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

/// Estimates after every sample.
class OnlineEstimator::Recorder {
 public:
  explicit Recorder(const Parametrisation& parameters) : parameters_(parameters) {}

  void Add(double t_s, const Estimate& estimate) {
    t_s_.push_back(t_s);
    const auto size = static_cast<std::size_t>(parameters_.size());
    x_.resize(x_.size() + size, std::numeric_limits<double>::quiet_NaN());
    sigma_.resize(x_.size(), std::numeric_limits<double>::quiet_NaN());
    if (!estimate.ok()) return;
    std::ranges::copy(estimate.x, x_.end() - parameters_.size());
    const std::optional<Eigen::VectorXd> sigma = estimate.sigma();
    if (!sigma) return;
    std::ranges::copy(*sigma, sigma_.end() - parameters_.size());
    states_ = true;
  }

  std::vector<Series> series() const {
    std::vector<Series> all = {Make(kParameters, x_)};
    if (states_) all.push_back(Make(kParameterSigma, sigma_));
    return all;
  }

 private:
  Series Make(std::string_view name, const std::vector<double>& values) const {
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const auto samples = std::ssize(t_s_);
    return {.name = std::string(name),
            .columns = parameters_.names,
            .units = parameters_.units,
            .time_s = Eigen::Map<const Eigen::VectorXd>(t_s_.data(), samples),
            .values = Eigen::Map<const RowMajor>(values.data(), samples, parameters_.size())};
  }

  const Parametrisation& parameters_;
  std::vector<double> t_s_, x_, sigma_;  ///< The last two row by row.
  bool states_ = false;                  ///< Some estimate states σ.
};

/// One pass over all that is recorded, looked at on the way.
class OnlineEstimator::Pass {
 public:
  /// @param recorder  of what is known after each sample; nullptr if nobody asks. All must outlive
  ///                  this.
  Pass(OnlineEstimator& estimator, const Problem& problem, std::span<const Dataset> datasets,
       Recorder* recorder)
      : estimator_(estimator),
        problem_(problem),
        datasets_(datasets),
        recorder_(recorder),
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
    if (recorder_ != nullptr) recorder_->Add(sample.t_s, estimator_.Current());
  }

  OnlineEstimator& estimator_;
  const Problem& problem_;
  std::span<const Dataset> datasets_;
  Recorder* recorder_;
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
                                              Recorder* recorder) {
  Pass whole(*this, problem, datasets, recorder);
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

std::vector<Estimate> OnlineEstimator::Track(const Problem& problem,
                                             std::span<const Dataset> datasets,
                                             std::span<const double> checkpoints_s) {
  CheckCheckpoints(checkpoints_s);
  Recorder recorder(problem.parameters);
  std::vector<Estimate> estimates = LookAt(problem, datasets, checkpoints_s, &recorder);
  estimates.back().series = recorder.series();
  return estimates;
}

}  // namespace idbench
