#include "estimators/active/swing_health.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "estimators/active/frequency_line.h"

namespace idbench {
namespace {

/// Swings that keep less than this part of their amplitude, from the first third to the last, die
/// out. Without friction a slow one, A·sin ωt of which a third holds no period, keeps 0.55 at
/// least.
constexpr double kKept = 0.5;
/// Parts of an amplitude by which the middle of a swing may be off upright: its mean, over the
/// standard deviation, and the middle of its extremes, over half their distance.
constexpr double kOffMiddle = 0.25;

double Variance(const Eigen::VectorXd& series) {
  return (series.array() - series.mean()).square().mean();
}

/// The amplitude in the last third over that in the first one, of all links, without noise: about
/// the mean of each; about upright where a third holds no period, and may lie about an extreme.
double KeptPart(const Eigen::MatrixXd& phi, double period_s) {
  const Eigen::Index third = phi.cols() / 3;
  const auto is_slow = [&](const Eigen::VectorXd& theta) {
    const Eigen::VectorXd begin = theta.head(third);
    return SwingFrequency(begin.array() - begin.mean(), period_s) == 0.0;
  };
  bool all_slow = true;
  for (Eigen::Index i = 0; i < phi.rows(); ++i) all_slow = all_slow && is_slow(phi.row(i));
  double first = 0.0;
  double last = 0.0;
  for (Eigen::Index i = 0; i < phi.rows(); ++i) {
    const Eigen::VectorXd theta = phi.row(i);
    const double noise = std::pow(NoiseOfReadings(theta), 2);
    const auto squares = [&](const Eigen::VectorXd& part) {
      const double mean_square =
          all_slow ? part.squaredNorm() / static_cast<double>(part.size()) : Variance(part);
      return std::max(0.0, mean_square - noise);
    };
    first += squares(theta.head(third));
    last += squares(theta.tail(third));
  }
  return first > 0.0 ? std::sqrt(last / first) : 1.0;
}

/// The middle of a link's swing if it is off upright, else 0 [rad].
double OffUpright(const Eigen::VectorXd& theta) {
  const double middle = 0.5 * (theta.maxCoeff() + theta.minCoeff());
  const double reach = 0.5 * (theta.maxCoeff() - theta.minCoeff());
  const double mean = theta.mean();
  const bool is_off = std::abs(mean) > kOffMiddle * std::sqrt(Variance(theta)) &&
                      std::abs(middle) > kOffMiddle * reach;
  return is_off ? mean : 0.0;
}

}  // namespace

double NoiseOfReadings(const Eigen::VectorXd& theta) {
  const Eigen::Index count = theta.size() - 2;
  if (count < 1) return 0.0;
  return std::sqrt(
      (theta.head(count) - 2.0 * theta.segment(1, count) + theta.tail(count)).squaredNorm() /
      (6.0 * static_cast<double>(count)));
}

std::string BesideGravity(const std::vector<SwingRecord>& swings, const Problem& problem) {
  double kept = 1.0;
  double off = 0.0;
  std::size_t link = 0;
  for (const SwingRecord& swing : swings) {
    const Eigen::MatrixXd phi = AnglesFromUpright(swing, *problem.parameters.lagrangian());
    if (phi.cols() < 3) continue;
    kept = std::min(kept, KeptPart(phi, swing.period_s));
    for (Eigen::Index i = 0; i < phi.rows(); ++i) {
      const double of_link = OffUpright(phi.row(i));
      if (std::abs(of_link) <= std::abs(off)) continue;
      off = of_link;
      link = static_cast<std::size_t>(i);
    }
  }
  if (kept < kKept) {
    return fmt::format(
        "the swings die out, of friction or of noise in readings; of their amplitude {:.2g} is "
        "left in the last third: the method has neither, and gravity may be far off",
        kept);
  }
  if (off == 0.0) return "";
  return fmt::format(
      "the robot does not swing about its upright pose, as the method assumes; {} swings about "
      "{:.2g} rad, or sticks there: a base that is not level, a centre of mass off the axis of the "
      "link, or friction",
      problem.model.links()[link].name, off);
}

}  // namespace idbench
