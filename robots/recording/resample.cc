#include "robots/recording/resample.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "robots/recording/differentiate.h"

namespace idbench {
namespace {

Eigen::VectorXd Steps(const Eigen::VectorXd& time_s) {
  if (time_s.size() < 2) {
    throw std::invalid_argument(
        fmt::format("got {} time stamps, a rate needs at least 2", time_s.size()));
  }
  return time_s.tail(time_s.size() - 1) - time_s.head(time_s.size() - 1);
}

/// Reorders `values`. Of an even number, the mean of the two in the middle.
double Median(Eigen::VectorXd& values) {
  const auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

void CheckInterpolation(const Eigen::VectorXd& time_s, const Eigen::MatrixXd& samples,
                        const Eigen::VectorXd& at_s, Eigen::Index least) {
  const Eigen::Index size = time_s.size();
  if (size != samples.rows()) {
    throw std::invalid_argument(
        fmt::format("Interpolate: {} time stamps for {} samples", size, samples.rows()));
  }
  if (size < least) {
    throw std::invalid_argument(
        fmt::format("Interpolate: got {} samples, at least {} are needed", size, least));
  }
  const double slack =
      kSameTimeTolerance * (time_s[size - 1] - time_s[0]) / static_cast<double>(size - 1);
  for (const double t : at_s) {
    if (!(t >= time_s[0] - slack && t <= time_s[size - 1] + slack)) {
      throw std::invalid_argument(
          fmt::format("Interpolate: {} s lies outside {} … {} s", t, time_s[0], time_s[size - 1]));
    }
  }
}

}  // namespace

double NominalRate(const Eigen::VectorXd& time_s) {
  Eigen::VectorXd steps = Steps(time_s);
  return 1.0 / Median(steps);
}

double LargestJitter(const Eigen::VectorXd& time_s) {
  Eigen::VectorXd steps = Steps(time_s);
  const double nominal = Median(steps);
  return (steps.array() - nominal).abs().maxCoeff() / nominal;
}

bool IsSameTime(const Eigen::VectorXd& a_s, const Eigen::VectorXd& b_s) {
  if (a_s.size() != b_s.size()) return false;
  if (a_s.size() < 2) return a_s == b_s;
  const double step = (a_s[a_s.size() - 1] - a_s[0]) / static_cast<double>(a_s.size() - 1);
  return (a_s - b_s).cwiseAbs().maxCoeff() <= kSameTimeTolerance * step;
}

Eigen::VectorXd UniformTime(double first_s, double last_s, double rate_hz) {
  if (!(first_s <= last_s) || !(rate_hz > 0.0)) {
    throw std::invalid_argument(
        fmt::format("UniformTime: got {} … {} s at {} Hz", first_s, last_s, rate_hz));
  }
  // The tolerance keeps an instant that only rounding puts behind the end.
  const double steps = std::floor((last_s - first_s) * rate_hz + 0.5 * kSameTimeTolerance);
  Eigen::VectorXd time_s(static_cast<Eigen::Index>(steps) + 1);
  for (Eigen::Index i = 0; i < time_s.size(); ++i)
    time_s[i] = first_s + static_cast<double>(i) / rate_hz;
  return time_s;
}

Eigen::MatrixXd Interpolate(const Eigen::VectorXd& time_s, const Eigen::MatrixXd& samples,
                            const Eigen::VectorXd& at_s, Interpolation interpolation) {
  const bool cubic = interpolation == Interpolation::kCubic;
  CheckInterpolation(time_s, samples, at_s, cubic ? 3 : 2);
  const Eigen::MatrixXd slopes = cubic ? Differentiate(time_s, samples) : Eigen::MatrixXd();
  Eigen::MatrixXd result(at_s.size(), samples.cols());
  for (Eigen::Index m = 0; m < at_s.size(); ++m) {
    const auto after = std::upper_bound(time_s.begin(), time_s.end(), at_s[m]);
    const Eigen::Index i =
        std::clamp<Eigen::Index>(after - time_s.begin() - 1, 0, time_s.size() - 2);
    const double h = time_s[i + 1] - time_s[i];
    const double s = (at_s[m] - time_s[i]) / h;
    for (Eigen::Index j = 0; j < samples.cols(); ++j) {
      const double x0 = samples(i, j), x1 = samples(i + 1, j);
      const double line = x0 + s * (x1 - x0);
      if (!cubic) {
        result(m, j) = line;
        continue;
      }
      // x(s) = line + s(1 − s)·[(1 − s)(h·ẋ₀ − Δ) − s(h·ẋ₁ − Δ)],  Δ = x₁ − x₀
      const double bend0 = h * slopes(i, j) - (x1 - x0);
      const double bend1 = h * slopes(i + 1, j) - (x1 - x0);
      result(m, j) = line + s * (1.0 - s) * ((1.0 - s) * bend0 - s * bend1);
    }
  }
  return result;
}

Eigen::MatrixXd Decimate(const Eigen::MatrixXd& samples, Eigen::Index factor) {
  if (factor < 1) {
    throw std::invalid_argument(
        fmt::format("Decimate: got factor {}, at least 1 is accepted", factor));
  }
  return samples(Eigen::seq(0, samples.rows() - 1, factor), Eigen::all);
}

}  // namespace idbench
