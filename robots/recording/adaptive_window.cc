#include "robots/recording/adaptive_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>

namespace idbench {
namespace {

/// Part of a band by which rounding may put a sample on its edge beyond it: residuals of quantised
/// samples are multiples of a part of the step, and often equal to the band.
constexpr double kBandRounding = 1e-9;
constexpr int kFewestInWindow = 3;

void CheckWindows(const Eigen::VectorXd& time_s, const Eigen::MatrixXd& samples, int derivative,
                  const Eigen::VectorXd& band, const AdaptiveWindow& window) {
  const auto refuse = [](const std::string& what) {
    throw std::invalid_argument("DifferentiateAdaptively: " + what);
  };
  if (derivative != 1 && derivative != 2) {
    refuse(fmt::format("got derivative {}, 1 or 2 is accepted", derivative));
  }
  if (window.most_samples < kFewestInWindow) {
    refuse(fmt::format("got windows of {} samples, at least 3 are accepted", window.most_samples));
  }
  if (band.size() != samples.cols() || !(band.array() > 0.0).all()) {
    refuse(fmt::format("got {} bands for {} signals, expected a positive one for each", band.size(),
                       samples.cols()));
  }
  if (time_s.size() != samples.rows()) {
    refuse(fmt::format("{} time stamps for {} samples", time_s.size(), samples.rows()));
  }
  if (samples.rows() < kFewestInWindow) {
    refuse(fmt::format("got {} samples, at least 3 are needed", samples.rows()));
  }
  for (Eigen::Index i = 1; i < time_s.size(); ++i) {
    if (!(time_s[i] > time_s[i - 1])) {
      refuse(fmt::format("time does not increase at sample {}", i));
    }
  }
}

/// Samples of a window.
struct SampleRange {
  Eigen::Index first = 0;
  Eigen::Index count = 0;
};

/// @param reach  samples on each side of sample i or, of one that ends there, before it.
SampleRange RangeAbout(Eigen::Index i, Eigen::Index reach, Eigen::Index size, int derivative,
                       WindowPlace place) {
  const bool centred = place == WindowPlace::kCentred;
  const Eigen::Index fewest = centred ? kFewestInWindow : derivative + 1;
  const Eigen::Index begin = std::max<Eigen::Index>(i - reach, 0);
  const Eigen::Index wanted = std::max(centred ? i + reach : i, begin + fewest - 1);
  const Eigen::Index last = std::min(wanted, size - 1);
  const Eigen::Index first = std::min(begin, last - fewest + 1);
  return {first, last - first + 1};
}

/// Polynomials of degree 1 or 2 through windows of one signal.
class WindowFit {
 public:
  WindowFit(const Eigen::VectorXd& time_s, int degree, Eigen::Index most)
      : time_s_(time_s), degree_(degree), s_(most), y_(most), p_(most) {}

  /// Fits the polynomial by orthogonal ones, x ≈ x̄ + b·s + c·p with s = t − t̄ and
  /// p = s² − (Σs³/Σs²)·s − Σs²/n.
  void To(const Eigen::Ref<const Eigen::VectorXd>& x, const SampleRange& range) {
    n_ = range.count;
    Eigen::Ref<Eigen::ArrayXd> s = s_.head(n_);
    Eigen::Ref<Eigen::ArrayXd> y = y_.head(n_);
    s = time_s_.segment(range.first, n_).array() - time_s_[range.first];
    s -= s.mean();
    // Relative to the first, so that a constant gives exactly 0.
    y = x.segment(range.first, n_).array() - x[range.first];
    y -= y.mean();
    const double squares = s.square().sum();
    slope_ = (s * y).sum() / squares;
    y -= slope_ * s;
    if (degree_ == 1) return;
    Eigen::Ref<Eigen::ArrayXd> p = p_.head(n_);
    p = s.square() - (s.cube().sum() / squares) * s - squares / static_cast<double>(n_);
    curvature_ = (p * y).sum() / p.square().sum();
    y -= curvature_ * p;
  }

  /// Whether all samples of the window lie within the band about the polynomial.
  bool IsWithin(double band) const {
    return y_.head(n_).abs().maxCoeff() <= band * (1.0 + kBandRounding);
  }

  /// ẋ of a line, ẍ of a parabola.
  double derivative() const { return degree_ == 1 ? slope_ : 2.0 * curvature_; }

 private:
  const Eigen::VectorXd& time_s_;
  int degree_;
  Eigen::Index n_ = 0;
  Eigen::ArrayXd s_, y_, p_;  ///< s, residuals and p of the window.
  double slope_ = 0.0, curvature_ = 0.0;
};

}  // namespace

Eigen::MatrixXd DifferentiateAdaptively(const Eigen::VectorXd& time_s,
                                        const Eigen::MatrixXd& samples, int derivative,
                                        const Eigen::VectorXd& band, const AdaptiveWindow& window) {
  CheckWindows(time_s, samples, derivative, band, window);
  const Eigen::Index size = samples.rows();
  const Eigen::Index most = window.reach();
  const Eigen::Index least = window.place == WindowPlace::kCentred ? 1 : derivative;
  Eigen::MatrixXd result(size, samples.cols());
  WindowFit fit(time_s, derivative, std::max(window.most_samples, kFewestInWindow));
  for (Eigen::Index j = 0; j < samples.cols(); ++j) {
    // Of the first sample all windows are tried.
    Eigen::Index reach = most;
    for (Eigen::Index i = 0; i < size; ++i) {
      reach = std::min(reach + 1, most);
      for (;; --reach) {
        fit.To(samples.col(j), RangeAbout(i, reach, size, derivative, window.place));
        if (reach <= least || fit.IsWithin(band[j])) break;
      }
      result(i, j) = fit.derivative();
    }
  }
  return result;
}

FieldTable Visit(AdaptiveWindowOptions& options) {
  FieldTable table;
  table
      .Add("count_rad", options.count_rad,
           {.doc = "Step in which positions are measured, for all joints or a list with one each, "
                   "in m for a prismatic joint",
            .unit = "rad",
            .lower = 0.0,
            .lower_open = true,
            .required = true})
      .Add("velocity_counts", options.velocity_counts,
           {.doc = "Distance, in counts, that samples of a window may have from the line whose "
                   "slope is the velocity",
            .lower = 0.0,
            .lower_open = true})
      .Add("velocity_samples", options.velocity_samples,
           {.doc = "Largest number of samples in such a window; a centred one has an odd number",
            .lower = kFewestInWindow})
      .Add("acceleration_counts", options.acceleration_counts,
           {.doc = "Distance, in counts, that samples of a window may have from the parabola whose "
                   "second derivative is the acceleration",
            .lower = 0.0,
            .lower_open = true})
      .Add("acceleration_samples", options.acceleration_samples,
           {.doc = "Largest number of samples in such a window; a centred one has an odd number",
            .lower = kFewestInWindow})
      .Add("window", options.window,
           {.doc = "Place of the windows: about each sample (centred), of which causal processing "
                   "waits for the largest; or before it (ending), as published: what is derived is "
                   "then late by half of each window, and no other channel is"});
  return table;
}

AdaptiveWindow WindowOf(const AdaptiveWindowOptions& options, int derivative) {
  return {derivative == 1 ? options.velocity_samples : options.acceleration_samples,
          options.window};
}

Eigen::VectorXd BandOf(const AdaptiveWindowOptions& options, int derivative, Eigen::Index columns) {
  const double counts = derivative == 1 ? options.velocity_counts : options.acceleration_counts;
  Eigen::VectorXd band(columns);
  for (Eigen::Index j = 0; j < columns; ++j) {
    band[j] = counts * options.count_rad[static_cast<std::size_t>(j)];
  }
  return band;
}

}  // namespace idbench
