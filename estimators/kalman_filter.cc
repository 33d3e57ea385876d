#include "estimators/kalman_filter.h"

#include <cmath>
#include <utility>

namespace idbench {

double ProcessNoise::At(double t_s) const {
  return decay_s ? fraction * std::exp(-t_s / *decay_s) : fraction;
}

void AddFields(ProcessNoise& options, FieldTable& table) {
  table
      .Add("process_noise", options.fraction,
           {.doc = "Added to the covariance at each sample, as a part of the initial covariance",
            .lower = 0.0})
      .Add("process_noise_decay_s", options.decay_s,
           {.doc = "Time in which the process noise falls to 1/e; null: it stays",
            .unit = "s",
            .lower = 0.0,
            .lower_open = true});
}

KalmanFilter::KalmanFilter(Eigen::VectorXd state, Eigen::MatrixXd covariance)
    : state_(std::move(state)),
      P_(std::move(covariance)),
      P0_(P_),
      h_(state_.size()),
      Ph_(state_.size()),
      step_(state_.size()) {}

void KalmanFilter::Wander(double fraction) {
  // What has decayed to this is far below the round-off of P, and denormal numbers are slow.
  constexpr double kNothing = 1e-40;
  if (fraction > kNothing) P_ += fraction * P0_;
}

void KalmanFilter::Correct(const Eigen::Ref<const Eigen::MatrixXd>& H,
                           const Eigen::Ref<const Eigen::VectorXd>& residual,
                           const Eigen::Ref<const Eigen::VectorXd>& variance) {
  step_.setZero();
  for (Eigen::Index row = 0; row < H.rows(); ++row) {
    if (!std::isfinite(residual[row])) {
      ++rows_left_out_;
      continue;
    }
    h_ = H.row(row);
    // A joint's torque does not depend on the links before it, which stand first.
    Eigen::Index first = 0;
    while (first < h_.size() && h_[first] == 0.0) ++first;
    const Eigen::Index count = h_.size() - first;
    Ph_.noalias() = P_.rightCols(count) * h_.tail(count);
    const double s = h_.tail(count).dot(Ph_.tail(count)) + variance[row];
    const double innovation = residual[row] - h_.tail(count).dot(step_.tail(count));
    sum_of_squares_ += innovation * innovation / s;
    ++rows_;
    step_ += (innovation / s) * Ph_;
    // P ← P − (P h)(P h)ᵀ/s, symmetric to the last bit.
    Ph_ /= std::sqrt(s);
    P_.noalias() -= Ph_ * Ph_.transpose();
  }
  state_ += step_;
}

std::optional<double> KalmanFilter::normalised_innovation_squared() const {
  if (rows_ == 0) return std::nullopt;
  return sum_of_squares_ / static_cast<double>(rows_);
}

}  // namespace idbench
