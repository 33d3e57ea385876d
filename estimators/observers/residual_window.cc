#include "estimators/observers/residual_window.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace idbench {
namespace {

constexpr double kNoSample = std::numeric_limits<double>::quiet_NaN();

}  // namespace

ResidualWindow::ResidualWindow(Eigen::Index rows, int samples)
    : samples_(Eigen::MatrixXd::Constant(samples, rows, kNoSample)),
      z_(Eigen::RowVectorXd::Constant(rows, kNoSample)),
      roots_(Eigen::RowVectorXd::Zero(rows)) {
  assert(samples >= 1);
}

void ResidualWindow::Push(const Eigen::Ref<const Eigen::RowVectorXd>& sample) {
  samples_.row(next_) = sample;
  next_ = (next_ + 1) % samples_.rows();
  for (Eigen::Index row = 0; row < samples_.cols(); ++row) {
    double sum = 0.0, count = 0.0;
    // From the oldest one: the same samples give the same bits.
    for (Eigen::Index i = 0; i < samples_.rows(); ++i) {
      const double value = samples_((next_ + i) % samples_.rows(), row);
      if (std::isnan(value)) continue;
      sum += value;
      count += 1.0;
    }
    roots_[row] = std::sqrt(count);
    z_[row] = count > 0.0 ? sum / roots_[row] : kNoSample;
  }
}

BiasTracker::BiasTracker(const Options& options, const Eigen::VectorXd& sigma)
    : options_(options),
      b_(Eigen::RowVectorXd::Zero(sigma.size())),
      limit_(options.clip * sigma.transpose()) {}

void BiasTracker::Update(const Eigen::Ref<const Eigen::RowVectorXd>& r, double step_s,
                         bool detected) {
  frozen_for_s_ = detected ? frozen_for_s_ + step_s : 0.0;
  const bool frozen = detected && frozen_for_s_ <= options_.longest_freeze_s;
  const double part = -std::expm1(-step_s / (frozen ? options_.frozen_s : options_.time_s));
  for (Eigen::Index row = 0; row < b_.size(); ++row) {
    if (std::isnan(r[row])) continue;
    b_[row] += part * std::clamp(r[row] - b_[row], -limit_[row], limit_[row]);
  }
}

MahalanobisSquare::MahalanobisSquare(const Eigen::MatrixXd& S)
    : S_(S), part_(S), root_(S.rows()), there_(S.rows()), now_(S.rows()), whitened_(S.rows()) {}

void MahalanobisSquare::Factorise(const Eigen::Ref<const Eigen::RowVectorXd>& z,
                                  const Eigen::MatrixXd* added) {
  now_ = z.array().isNaN() == false;  // NOLINT(readability-simplify-boolean-expr): an array
  rows_ = static_cast<int>(now_.count());
  if (added == nullptr && of_S_alone_ && (now_ == there_).all()) return;
  there_ = now_;
  of_S_alone_ = added == nullptr;
  part_ = S_;
  if (added != nullptr) part_ += *added;
  // Rows that are missing stand apart from all others, with z = 0.
  for (Eigen::Index row = 0; row < z.size(); ++row) {
    if (there_[row]) continue;
    part_.row(row).setZero();
    part_.col(row).setZero();
    part_(row, row) = 1.0;
  }
  root_.compute(part_);
}

double MahalanobisSquare::Square(const Eigen::Ref<const Eigen::RowVectorXd>& z) {
  if (rows_ == 0) return kNoSample;
  for (Eigen::Index row = 0; row < z.size(); ++row) whitened_[row] = there_[row] ? z[row] : 0.0;
  root_.matrixL().solveInPlace(whitened_);
  return whitened_.squaredNorm();
}

double MahalanobisSquare::Of(const Eigen::Ref<const Eigen::RowVectorXd>& z) {
  Factorise(z, nullptr);
  return Square(z);
}

double MahalanobisSquare::Of(const Eigen::Ref<const Eigen::RowVectorXd>& z,
                             const Eigen::MatrixXd& added) {
  Factorise(z, &added);
  return Square(z);
}

}  // namespace idbench
