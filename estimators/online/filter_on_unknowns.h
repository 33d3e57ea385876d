#pragma once

#include <optional>
#include <utility>

#include "estimators/interface/configured_estimator.h"
#include "estimators/interface/online_estimator.h"
#include "estimators/solvers/kalman_filter.h"
#include "estimators/solvers/linearisation_review.h"
#include "estimators/solvers/sample_regression.h"
#include "estimators/solvers/stated_covariance.h"

namespace idbench {

/// Kalman filter of a problem's unknowns, or of other coordinates of them.
/// @tparam Options  with a `process_noise`.
template <class Options>
class FilterOnUnknowns : public ConfiguredEstimator<Options, OnlineEstimator> {
 public:
  bool follows() const override { return !this->options_.process_noise.is_none(); }

 protected:
  /// Starts the filter from x̂₀ = `state` and P₀ = `covariance`.
  /// @param in_state  the problem whose unknowns are the filter's state.
  void StartFilter(const Problem& in_state, Eigen::VectorXd state, Eigen::MatrixXd covariance) {
    regression_.emplace(in_state);
    filter_.emplace(std::move(state), std::move(covariance));
    noise_.emplace(in_state, filter_->state().size());
    residual_.resize(in_state.row_count());
    first_t_s_.reset();
    last_t_s_ = 0.0;
  }

  /// Lets the state wander up to the sample, by noise that decays from the first one that there is.
  void Wander(const Sample& sample) {
    if (!first_t_s_) first_t_s_ = last_t_s_ = sample.t_s;
    filter_->Wander(
        this->options_.process_noise.At(sample.t_s - *first_t_s_, sample.t_s - last_t_s_));
    last_t_s_ = sample.t_s;
  }

  /// Corrects the state, linearised once at the present one, with one sample.
  void Absorb(const Sample& sample) override {
    Wander(sample);
    regression_->Evaluate(sample);
    regression_->Linearise(filter_->state());
    regression_->Residual(sample, filter_->state(), residual_);
    filter_->Correct(regression_->H(), residual_, *noise_);
  }

  /// Returns true if the samples' equations are not linear in the filter's state.
  virtual bool linearises(const Problem& problem) const {
    return problem.parameters.affine() == nullptr;
  }

  void Review(const Problem& problem, std::span<const Dataset> datasets,
              Estimate& estimate) const override {
    const auto& prior = problem.parameters.prior;
    const auto& covariance =
        estimate.prior_covariance ? estimate.prior_covariance : prior->covariance;
    if (linearises(problem) && covariance && this->options_.process_noise.is_none()) {
      ReviewLinearisation(problem, datasets, *covariance, estimate);
    }
    ReviewStated(problem, datasets, StatedFor::kDeclaredNoise, estimate);
  }

  std::optional<SampleRegression> regression_;  ///< In the filter's state.
  std::optional<KalmanFilter> filter_;
  std::optional<RowNoise> noise_;
  Eigen::VectorXd residual_;

 private:
  std::optional<double> first_t_s_;  ///< Recorded time of the first sample [s].
  double last_t_s_ = 0.0;            ///< Of the last one [s].
};

}  // namespace idbench
