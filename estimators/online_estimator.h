#pragma once

#include <optional>
#include <vector>

#include "estimators/estimator.h"
#include "estimators/sample.h"

namespace idbench {

/// What was known after one sample.
struct TrackPoint {
  double t_s = 0.0;   ///< Of the sample, recorded time (see recorded_time.h) [s].
  Eigen::VectorXd x;  ///< Empty if the estimate failed.
  std::optional<Eigen::VectorXd> sigma;  ///< Where the method states a covariance.
};
using EstimateTrack = std::vector<TrackPoint>;

/// A method that takes one sample after another, so that a live robot can feed it:
///
///     estimator.Begin(problem);
///     Sample sample(problem);
///     while (robot.Read(sample)) estimator.Update(sample);
///     const Estimate estimate = estimator.Current();
///
/// Run() is that loop over the aligned samples of all identification datasets, one after another
/// without a new beginning; RunAt() looks at Current() on the way, in one pass.
class OnlineEstimator : public Estimator {
 public:
  /// Starts afresh; allocates all that updates need.
  /// @throws EstimationFailure for a problem that the method does not take.
  void Begin(const Problem& problem);

  /// Takes in one sample. Allocates nothing.
  ///
  /// What a live robot fails to deliver is to be NaN: each equation row that cannot be evaluated
  /// without it is left out, others count. (A recording with such a number is refused by Run().)
  /// @throws std::invalid_argument before Begin(), or for sizes that are not the problem's.
  void Update(const Sample& sample);

  /// What is known by now. Never throws for what data or method do, see Run().
  /// @throws std::invalid_argument before Begin().
  Estimate Current() const;

  /// Current() after every sample of what Run() works in.
  /// @throws EstimationFailure where Run() would fail before its end.
  EstimateTrack Track(const Problem& problem, std::span<const Dataset> datasets);

 protected:
  virtual void Start(const Problem& problem) = 0;
  virtual void Absorb(const Sample& sample) = 0;
  virtual Estimate Snapshot() const = 0;

  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) final;
  std::vector<Estimate> IdentifyAt(const Problem& problem, std::span<const Dataset> datasets,
                                   std::span<const double> checkpoints_s) final;

 private:
  /// Takes in what was recorded by the checkpoint.
  Estimate ReadUpTo(double checkpoint_s, SampleReader& reader);

  std::optional<Problem> problem_;  ///< Absent before Begin().
};

}  // namespace idbench
