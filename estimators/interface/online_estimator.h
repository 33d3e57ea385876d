#pragma once

#include <optional>
#include <vector>

#include "estimators/interface/estimator.h"
#include "estimators/interface/sample.h"

namespace idbench {

/// Method that takes one sample after another, so that a live robot can feed it:
///
///     estimator.Begin(problem);
///     Sample sample(problem);
///     while (robot.Read(sample)) estimator.Update(sample);
///     const Estimate estimate = estimator.Current();
///
/// Run() is that loop over the aligned samples of all identification datasets, one after another,
/// with a single Begin(). RunAt() reads Current() on the way, in one pass. Under the alignment
/// policy "resample" each checkpoint takes a pass of its own: what is interpolated near a
/// checkpoint may depend on what was recorded behind it. If an update fails, all later estimates
/// fail alike.
class OnlineEstimator : public Estimator {
 public:
  /// Resets the method and allocates all that updates need.
  /// @throws EstimationFailure if the method does not accept the problem.
  void Begin(const Problem& problem);

  /// Processes one sample. Allocates nothing.
  ///
  /// Set to NaN what a live robot fails to deliver: each equation row that depends on it is left
  /// out, the others count. (Run() refuses a recording that holds such a number.)
  /// @throws std::invalid_argument before Begin(), or if a size contradicts the problem.
  void Update(const Sample& sample);

  /// Returns the estimate from all samples so far. As Run(), it does not throw for a failure of the
  /// data or the method.
  /// @throws std::invalid_argument before Begin().
  Estimate Current() const;

  /// Returns true if older samples count less than newer ones, by process noise or forgetting: the
  /// method follows unknowns that change.
  virtual bool follows() const { return false; }

  /// Does RunAt(), and reads Current() after every sample in the same pass: the last estimate,
  /// even a failed one, has the series kParameters, up to the sample that the method refused, if
  /// any, and kParameterSigma with the σ that Current() states, if it does after some sample.
  std::vector<Estimate> Track(const Problem& problem, std::span<const Dataset> datasets,
                              std::span<const double> checkpoints_s = {});

 protected:
  /// Hooks of Begin(), Update() and Current(), called after their checks.
  virtual void Start(const Problem& problem) = 0;
  virtual void Absorb(const Sample& sample) = 0;
  virtual Estimate Snapshot() const = 0;
  /// Hook of Run() and RunAt(): may replace the covariance of an estimate, which Current() states
  /// with the declared σ, by what the residuals of all samples up to there say. Default: nothing.
  /// @param datasets  what was recorded up to there.
  virtual void Review(const Problem& problem, std::span<const Dataset> datasets,
                      Estimate& estimate) const;

  void CheckProblem(const Problem& problem) final;
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) final;
  std::vector<Estimate> IdentifyAt(const Problem& problem, std::span<const Dataset> datasets,
                                   std::span<const double> checkpoints_s) final;

 private:
  class Pass;
  class Recorder;

  /// Does the work of RunAt().
  /// @param recorder  of estimates after every sample; nullptr if nobody asks.
  std::vector<Estimate> LookAt(const Problem& problem, std::span<const Dataset> datasets,
                               std::span<const double> checkpoints_s, Recorder* recorder);

  std::optional<Problem> problem_;  ///< Absent before Begin().
};

}  // namespace idbench
