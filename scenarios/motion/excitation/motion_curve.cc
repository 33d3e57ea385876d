#include "scenarios/motion/excitation/motion_curve.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "scenarios/motion/trajectory/fourier.h"

namespace idbench {

SplineCurve::SplineCurve(double duration_s, double waypoint_s)
    : spline_(duration_s, std::max(1, static_cast<int>(std::lround(duration_s / waypoint_s)))) {}

std::unique_ptr<Motion> SplineCurve::Make(const Eigen::MatrixXd& c) const {
  return std::make_unique<QuinticSplineMotion>(duration_s(), c);
}

FourierCurve::FourierCurve(double duration_s, int harmonics, bool rest)
    : duration_s_(duration_s), harmonics_(harmonics) {
  if (harmonics < (rest ? 2 : 1)) {
    throw std::invalid_argument("FourierCurve: a series at rest at its ends takes two harmonics");
  }
  const Eigen::Index H = harmonics;
  const Eigen::Index dropped = rest ? 1 : 0;  // a_1 and b_1 follow from the others
  series_ = Eigen::MatrixXd::Zero(1 + 2 * H, 1 + 2 * (H - dropped));
  series_(0, 0) = 1.0;
  Eigen::Index at = 1;
  for (Eigen::Index l = 1 + dropped; l <= H; ++l, ++at) {
    series_(l, at) = 1.0;
    if (rest) series_(1, at) = -1.0;
  }
  for (Eigen::Index l = 1 + dropped; l <= H; ++l, ++at) {
    series_(H + l, at) = 1.0;
    if (rest) series_(H + 1, at) = -static_cast<double>(l);
  }
}

Eigen::MatrixXd FourierCurve::At(double t) const {
  Eigen::MatrixXd terms = Eigen::MatrixXd::Zero(3, 1 + 2 * harmonics_);
  terms(0, 0) = 1.0;
  for (int l = 1; l <= harmonics_; ++l) {
    const double wl = 2.0 * std::numbers::pi / duration_s_ * l;
    const double s = std::sin(wl * t), c = std::cos(wl * t);
    terms.col(l) << s / wl, c, -wl * s;
    terms.col(harmonics_ + l) << -c / wl, s, wl * c;
  }
  return terms * series_;
}

std::unique_ptr<Motion> FourierCurve::Make(const Eigen::MatrixXd& c) const {
  const Eigen::MatrixXd all = series_ * c;
  return std::make_unique<FourierMotion>(FourierSeries{1.0 / duration_s_, all.row(0).transpose(),
                                                       all.middleRows(1, harmonics_).transpose(),
                                                       all.bottomRows(harmonics_).transpose()},
                                         duration_s_);
}

}  // namespace idbench
