#include "robots/recording/rate_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <optional>
#include <unsupported/Eigen/FFT>
#include <utility>

#include "robots/recording/power_ratio.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

constexpr double kLeastExplained = 0.9;
constexpr double kSameFactor = 0.1;
constexpr double kLeastMotion = 0.01;
constexpr Eigen::Index kLeastForRates = 10;
/// Share of sound recordings that a sentence of one kind is said about.
constexpr double kFalseAlarms = 1e-3;
/// Share of a motion's power inside its band.
constexpr double kBandShare = 0.99;
/// Bins next to a line that a Hann taper lets its power leak to.
constexpr Eigen::Index kLeak = 2;

/// Bins 1 … of the discrete Fourier transforms of x and of ∫ẋ dt of one segment, both without their
/// straight lines and behind a Hann taper, which keeps out the edges of filters and what leaks of
/// lines; divided by the bin's number, which integrates them once more: what differs of signals
/// that have passed different filters, and noise, are fast beside the motion. n columns.
struct Spectra {
  Eigen::MatrixXcd x, integral;
};

/// x and the integrals of its rates, as their spectra tell them.
class RateFit {
 public:
  explicit RateFit(std::vector<Spectra> segments);

  Eigen::Index size() const { return x_.size(); }
  /// k of x_i ≈ k·∫ẋ_j dt.
  double Factor(Eigen::Index i, Eigen::Index j) const { return cross_(j, i) / integral_[j]; }
  /// Share of x_i's variance that it explains.
  double Explained(Eigen::Index i, Eigen::Index j) const {
    return cross_(j, i) * cross_(j, i) / (integral_[j] * x_[i]);
  }
  bool Fits(Eigen::Index i, Eigen::Index j) const { return Explained(i, j) >= kLeastExplained; }
  bool Equal(Eigen::Index i, Eigen::Index j) const {
    return Fits(i, j) && std::abs(Factor(i, j) - 1.0) <= kSameFactor;
  }
  bool Moves(Eigen::Index j) const {
    const double least = kLeastMotion * kLeastMotion;
    return motion_(j, 0) > least * motion_.col(0).maxCoeff() &&
           motion_(j, 1) > least * motion_.col(1).maxCoeff();
  }
  /// Power of x_i − k·∫ẋ_j dt.
  PowerEstimate Residual(Eigen::Index i, Eigen::Index j, double k) const;
  /// Whether x_j − ∫ẋ_j dt has more power inside the band of the motion than white noise of ẋ that
  /// shows above it.
  bool ResidualMoves(Eigen::Index j) const;
  /// Whether x_j − ∫ẋ_j dt has more power than that of the median joint, or that does not fit.
  bool StandsOut(Eigen::Index j) const;

 private:
  std::vector<Spectra> segments_;
  Eigen::MatrixXd cross_;         ///< n × n: ∫ẋ_j · x_i
  Eigen::VectorXd x_, integral_;  ///< n: their squares
  Eigen::MatrixX2d motion_;  ///< n × 2: squares of x and of ∫ẋ dt, not integrated once more
};

/// 1, 2, …
Eigen::ArrayXd BinNumbers(Eigen::Index count) {
  return Eigen::ArrayXd::LinSpaced(count, 1.0, static_cast<double>(count));
}

RateFit::RateFit(std::vector<Spectra> segments) : segments_(std::move(segments)) {
  const Eigen::Index n = segments_.front().x.cols();
  cross_.setZero(n, n);
  x_.setZero(n);
  integral_.setZero(n);
  motion_.setZero(n, 2);
  for (const Spectra& each : segments_) {
    const Eigen::RowVectorXd squares = BinNumbers(each.x.rows()).square().matrix().transpose();
    motion_.col(0) += (squares * each.x.cwiseAbs2()).transpose();
    motion_.col(1) += (squares * each.integral.cwiseAbs2()).transpose();
    cross_ += (each.integral.adjoint() * each.x).real();
    x_ += each.x.colwise().squaredNorm().transpose();
    integral_ += each.integral.colwise().squaredNorm().transpose();
  }
}

PowerEstimate RateFit::Residual(Eigen::Index i, Eigen::Index j, double k) const {
  Eigen::Index count = 0;
  for (const Spectra& each : segments_) count += each.x.rows();
  Eigen::VectorXd ordinates(count);
  for (const Spectra& each : segments_) {
    count -= each.x.rows();
    ordinates.segment(count, each.x.rows()) =
        (each.x.col(i) - k * each.integral.col(j)).cwiseAbs2();
  }
  return PowerOf(ordinates, kHannRepetition);
}

/// How many bins hold kBandShare of the power, from the lowest.
Eigen::Index BandOf(const Eigen::VectorXd& ordinates) {
  double below = 0.0;
  Eigen::Index bins = 0;
  while (bins < ordinates.size() && below < kBandShare * ordinates.sum()) {
    below += ordinates[bins++];
  }
  return bins;
}

bool RateFit::ResidualMoves(Eigen::Index j) const {
  PowerEstimate inside, above;
  for (const Spectra& each : segments_) {
    const Eigen::VectorXd x = each.x.col(j).cwiseAbs2();
    const Eigen::VectorXd integral = each.integral.col(j).cwiseAbs2();
    const Eigen::Index band = std::max(BandOf(x), BandOf(integral));
    if (2 * band + kLeak > x.size()) continue;  // noise: a motion has a narrower band
    // The slope of x_j − ∫ẋ_j dt: of white noise of ẋ as strong above the band as inside, and
    // stronger of noise of x.
    const Eigen::VectorXcd slope =
        (each.x.col(j) - each.integral.col(j)).array() * BinNumbers(x.size()).square();
    inside.power += slope.head(band).squaredNorm();
    above.power += slope.segment(band + kLeak, band).squaredNorm();
    inside.freedom += 2.0 * static_cast<double>(band) / kHannRepetition;
  }
  above.freedom = inside.freedom;
  return inside.freedom > 0.0 && Exceeds(inside, above, kFalseAlarms / static_cast<double>(size()));
}

bool RateFit::StandsOut(Eigen::Index j) const {
  std::vector<PowerEstimate> residuals;
  std::vector<double> explained;
  for (Eigen::Index i = 0; i < size(); ++i) {
    if (!Moves(i)) continue;
    residuals.push_back(Residual(i, i, 1.0));
    explained.push_back(Explained(i, i));
  }
  const std::size_t middle = (residuals.size() - 1) / 2;
  std::ranges::sort(explained);
  if (explained[middle] < kLeastExplained) return true;
  std::ranges::sort(residuals, {}, &PowerEstimate::power);
  return Exceeds(Residual(j, j, 1.0), residuals[middle],
                 kFalseAlarms / static_cast<double>(size()));
}

/// Takes the straight line over time from each column.
void Detrend(const Eigen::VectorXd& time_s, Eigen::MatrixXd& columns) {
  const Eigen::VectorXd t = time_s.array() - time_s.mean();
  columns.rowwise() -= columns.colwise().mean().eval();
  const Eigen::RowVectorXd slope = (t.transpose() * columns) / t.squaredNorm();
  columns -= t * slope;
}

Eigen::MatrixXd Integrated(const Eigen::VectorXd& time_s, const Eigen::MatrixXd& rate) {
  Eigen::MatrixXd integral = Eigen::MatrixXd::Zero(rate.rows(), rate.cols());
  for (Eigen::Index i = 1; i < rate.rows(); ++i) {
    integral.row(i) =
        integral.row(i - 1) + 0.5 * (time_s[i] - time_s[i - 1]) * (rate.row(i) + rate.row(i - 1));
  }
  return integral;
}

/// The largest number up to `count` without a prime factor above 5: transforms of it are fast.
Eigen::Index TransformLength(Eigen::Index count) {
  for (;; --count) {
    Eigen::Index rest = count;
    for (const Eigen::Index factor : {2, 3, 5}) {
      while (rest % factor == 0) rest /= factor;
    }
    if (rest == 1) return count;
  }
}

Eigen::MatrixXcd SpectraOf(const Eigen::MatrixXd& columns) {
  Eigen::FFT<double> fft;
  const Eigen::Index count = (columns.rows() - 3) / 2;
  Eigen::MatrixXcd spectra(count, columns.cols());
  Eigen::VectorXcd bins;
  for (Eigen::Index j = 0; j < columns.cols(); ++j) {
    const Eigen::VectorXcd samples = columns.col(j).cast<std::complex<double>>();
    fft.fwd(bins, samples);
    // A taper by (1 − cos)/2 joins three bins.
    spectra.col(j) = 0.5 * bins.segment(1, count);
    spectra.col(j) -= 0.25 * (bins.head(count) + bins.segment(2, count));
    spectra.col(j).array() /= BinNumbers(count);
  }
  return spectra;
}

/// Nothing if there is nothing to compare.
std::optional<RateFit> FitRates(std::span<const Dataset> segments, std::string_view quantity,
                                std::string_view rate) {
  std::vector<Spectra> spectra;
  for (const Dataset& segment : segments) {
    const Channel* const x = segment.Find(quantity);
    const Channel* const xd = segment.Find(rate);
    if (x == nullptr || xd == nullptr || x->time_s != xd->time_s) return std::nullopt;
    if (xd->samples.cols() != x->samples.cols() || !x->samples.allFinite() ||
        !xd->samples.allFinite()) {
      return std::nullopt;
    }
    if (x->time_s.size() < kLeastForRates) continue;
    const Eigen::Index length = TransformLength(x->time_s.size());
    const Eigen::VectorXd time_s = x->time_s.head(length);
    Eigen::MatrixXd values = x->samples.topRows(length);
    Eigen::MatrixXd integral = Integrated(time_s, xd->samples.topRows(length));
    Detrend(time_s, values);
    Detrend(time_s, integral);
    spectra.push_back({SpectraOf(values), SpectraOf(integral)});
  }
  if (spectra.empty()) return std::nullopt;
  return RateFit(std::move(spectra));
}

/// What the factor of a rate, ẋ = factor·dx/dt, may come from.
std::string CauseOf(double factor) {
  constexpr double kDegrees = 180.0 / std::numbers::pi;
  const auto near = [factor](double cause) {
    return std::abs(factor / cause - 1.0) <= kSameFactor;
  };
  if (near(kDegrees) || near(1.0 / kDegrees)) return ": degrees for radians in one of them?";
  if (near(-1.0)) return ": the sign of one of them?";
  if (near(-kDegrees) || near(-1.0 / kDegrees)) {
    return ": degrees for radians, and the sign of one of them?";
  }
  return ": the unit of one of them, or a gear?";
}

struct RateNames {
  std::string_view rate;      ///< "velocity"
  std::string_view quotient;  ///< "dq/dt"
};

RateNames NamesOf(std::string_view quantity) {
  if (quantity == kJointPosition) return {"velocity", "dq/dt"};
  return {"acceleration", "dq̇/dt"};
}

/// The joints whose positions the rates of joint j fit, and significantly better than those of j:
/// the one that they fit best, and those that cannot be told from it.
std::vector<Eigen::Index> OthersThatFit(Eigen::Index j, const RateFit& fit) {
  std::vector<std::pair<Eigen::Index, PowerEstimate>> others;
  for (Eigen::Index i = 0; i < fit.size(); ++i) {
    if (i != j && fit.Equal(i, j)) others.emplace_back(i, fit.Residual(i, j, 1.0));
  }
  if (others.empty()) return {};
  const PowerEstimate least =
      std::ranges::min(others, {}, [](const auto& each) { return each.second.power; }).second;
  const double false_alarms = kFalseAlarms / static_cast<double>(fit.size() * (fit.size() - 1));
  if (!Exceeds(fit.Residual(j, j, 1.0), least, false_alarms)) return {};
  std::vector<Eigen::Index> fitting;
  for (const auto& [i, residual] : others) {
    if (!Exceeds(residual, least, false_alarms)) fitting.push_back(i);
  }
  return fitting;
}

/// What is doubtful of the rate of joint j: the sentence behind its name; "" if nothing is.
std::string DoubtOf(Eigen::Index j, const RateFit& fit, const RateNames& names,
                    const std::vector<std::string>& joints) {
  if (fit.Equal(j, j)) return "";
  std::vector<std::string> others;
  for (const Eigen::Index i : OthersThatFit(j, fit)) {
    others.push_back(joints[static_cast<std::size_t>(i)]);
  }
  if (!others.empty()) {
    return fmt::format("fits {} of {}, not its own: another order of columns?", names.quotient,
                       fmt::join(others, " or "));
  }
  if (!fit.Fits(j, j)) {
    if (!fit.ResidualMoves(j) || !fit.StandsOut(j)) return "";
    return fmt::format(
        "does not fit {}, which explains {:.2g} % of it: another joint's, or "
        "another clock's?",
        names.quotient, 100.0 * fit.Explained(j, j));
  }
  const double k = fit.Factor(j, j);
  if (!Exceeds(fit.Residual(j, j, 1.0), fit.Residual(j, j, k),
               kFalseAlarms / static_cast<double>(fit.size()))) {
    return "";
  }
  const double factor = 1.0 / k;
  return fmt::format("fits {:.3g} × {}{}", factor, names.quotient, CauseOf(factor));
}

}  // namespace

std::vector<std::string> RateDoubts(std::span<const Dataset> segments, std::string_view quantity,
                                    std::string_view rate, const std::vector<std::string>& joints) {
  const std::optional<RateFit> fit = FitRates(segments, quantity, rate);
  if (!fit) return {};
  const RateNames names = NamesOf(quantity);
  std::vector<std::pair<std::string, std::vector<std::string>>> doubts;  // and whose
  for (Eigen::Index j = 0; j < fit->size(); ++j) {
    if (!fit->Moves(j)) continue;
    std::string doubt = DoubtOf(j, *fit, names, joints);
    if (doubt.empty()) continue;
    auto known = std::ranges::find(doubts, doubt, [](const auto& each) { return each.first; });
    if (known == doubts.end())
      known = doubts.emplace(doubts.end(), std::move(doubt), std::vector<std::string>());
    known->second.push_back(joints[static_cast<std::size_t>(j)]);
  }
  std::vector<std::string> sentences;
  for (const auto& [doubt, whose] : doubts) {
    sentences.push_back(fmt::format("{} of {} {}", names.rate, ListSome(whose), doubt));
  }
  return sentences;
}

}  // namespace idbench
