#include "robots/recording/differentiate.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace idbench {
namespace {

void CheckStencil(const Eigen::VectorXd& time_s, const Eigen::MatrixXd& samples, int derivative,
                  int half_width) {
  if (derivative != 1 && derivative != 2) {
    throw std::invalid_argument(
        fmt::format("Differentiate: got derivative {}, 1 or 2 is accepted", derivative));
  }
  if (half_width < 1) {
    throw std::invalid_argument(
        fmt::format("Differentiate: got half-width {}, at least 1 is accepted", half_width));
  }
  if (time_s.size() != samples.rows()) {
    throw std::invalid_argument(
        fmt::format("Differentiate: {} time stamps for {} samples", time_s.size(), samples.rows()));
  }
  if (samples.rows() < 2 * half_width + 1) {
    throw std::invalid_argument(
        fmt::format("Differentiate: got {} samples, half-width {} needs at least {}",
                    samples.rows(), half_width, 2 * half_width + 1));
  }
  for (Eigen::Index i = 1; i < time_s.size(); ++i) {
    if (!(time_s[i] > time_s[i - 1])) {
      throw std::invalid_argument(
          fmt::format("Differentiate: time does not increase at sample {}", i));
    }
  }
}

}  // namespace

Eigen::MatrixXd Differentiate(const Eigen::VectorXd& time_s, const Eigen::MatrixXd& samples,
                              int derivative, int half_width) {
  CheckStencil(time_s, samples, derivative, half_width);
  const Eigen::Index size = samples.rows();
  const Eigen::Index w = half_width;
  Eigen::MatrixXd result(size, samples.cols());
  for (Eigen::Index j = 0; j < samples.cols(); ++j) {
    for (Eigen::Index i = 0; i < size; ++i) {
      const Eigen::Index middle = std::clamp(i, w, size - 1 - w);
      const double t0 = time_s[middle - w], t1 = time_s[middle], t2 = time_s[middle + w];
      const double x0 = samples(middle - w, j), x1 = samples(middle, j),
                   x2 = samples(middle + w, j);
      // Newton's form: p(t) = x0 + x01·(t − t0) + x012·(t − t0)(t − t1), x01 and x012 the divided
      // differences. A constant gives exactly 0.
      const double x01 = (x1 - x0) / (t1 - t0);
      const double x12 = (x2 - x1) / (t2 - t1);
      const double x012 = (x12 - x01) / (t2 - t0);
      const double t = time_s[i];
      result(i, j) = derivative == 1 ? x01 + x012 * ((t - t0) + (t - t1)) : 2.0 * x012;
    }
  }
  return result;
}

}  // namespace idbench
