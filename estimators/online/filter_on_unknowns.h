#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "estimators/interface/configured_estimator.h"
#include "estimators/interface/online_estimator.h"
#include "estimators/solvers/information_filter.h"
#include "estimators/solvers/kalman_filter.h"
#include "estimators/solvers/learned_directions.h"
#include "estimators/solvers/linearisation_review.h"
#include "estimators/solvers/prior_coordinates.h"
#include "estimators/solvers/sample_regression.h"
#include "estimators/solvers/seen_unknowns.h"
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
    information_.reset();
    filter_.emplace(std::move(state), std::move(covariance));
    noise_.emplace(in_state, filter_->state().size());
    residual_.resize(in_state.row_count());
    first_t_s_.reset();
    last_t_s_ = 0.0;
  }

  /// Starts a filter of the coordinates of the state about a prior that knows nothing of some
  /// directions of it.
  /// @throws EstimationFailure (refused) with process noise, which is a part of P₀, and where the
  ///         equations are not linear in the state, which is linearised at the prior first.
  void StartFilter(const Problem& in_state, PriorCoordinates coordinates) {
    if (!this->options_.process_noise.is_none()) {
      Refuse(
          "process noise is a part of the prior's covariance, and /problem/prior/std says that "
          "nothing is known (null) of some unknowns: give them a σ");
    }
    if (linearises(in_state)) {
      Refuse(
          "linearises about what it knows, and /problem/prior/std says that nothing is known "
          "(null) "
          "of some unknowns: give them a σ, or take a parametrisation that is affine in x");
    }
    coordinates_ = std::move(coordinates);
    names_ = in_state.parameters.names;
    regression_.emplace(in_state);
    filter_.reset();
    information_.emplace(RowNoise(in_state, coordinates_.root.cols()), coordinates_.Precision());
    residual_.resize(in_state.row_count());
    H_.resize(in_state.row_count(), coordinates_.root.cols());
  }

  /// Records the state, its covariance and the filter's diagnostics.
  /// @throws EstimationFailure (rank_deficient) if the data do not determine what no prior holds;
  ///         (diverged) as StateDiagnostics() does.
  void State(Estimate& estimate) const {
    if (filter_) {
      estimate.x = filter_->state();
      estimate.covariance = filter_->covariance();
      return StateDiagnostics(*filter_, estimate);
    }
    const InformationFilter::Solution solution =
        information_->Solve([this](Eigen::Index, const Eigen::VectorXd& part) {
          return DescribeUndetermined(coordinates_, names_, part);
        });
    const Eigen::MatrixXd& T = coordinates_.root;
    estimate.x = coordinates_.mean + T * solution.c;
    const Eigen::MatrixXd covariance = T * solution.covariance * T.transpose();
    estimate.covariance = 0.5 * (covariance + covariance.transpose());
    StateDiagnostics(*information_, estimate);
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
    if (information_) return AbsorbInformation(sample);
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
    if (filter_) filter_->CheckDigits();
    const std::optional<PriorSpread> prior = SpreadBefore(problem.parameters, estimate);
    if (linearises(problem) && prior && this->options_.process_noise.is_none()) {
      ReviewLinearisation(problem, datasets, *prior, estimate);
    }
    ReviewStated(seen_, problem, datasets, StatedFor::kDeclaredNoise, estimate);
  }

  std::optional<SampleRegression> regression_;  ///< In the filter's state.
  std::optional<KalmanFilter> filter_;
  /// In its place, of the coordinates of the state, where a prior knows nothing of some.
  std::optional<InformationFilter> information_;
  PriorCoordinates coordinates_;
  std::optional<SeenUnknowns> seen_;  ///< What the state stands for, where not the unknowns.
  std::optional<RowNoise> noise_;
  Eigen::VectorXd residual_;

 private:
  void AbsorbInformation(const Sample& sample) {
    regression_->Evaluate(sample);
    regression_->Residual(sample, coordinates_.mean, residual_);
    H_.noalias() = regression_->H() * coordinates_.root;
    information_->Correct(H_, residual_);
  }

  std::vector<std::string> names_;   ///< Of the state.
  Eigen::MatrixXd H_;                ///< Of the coordinates.
  std::optional<double> first_t_s_;  ///< Recorded time of the first sample [s].
  double last_t_s_ = 0.0;            ///< Of the last one [s].
};

}  // namespace idbench
