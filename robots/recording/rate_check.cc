#include "robots/recording/rate_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

constexpr double kLeastExplained = 0.9;
constexpr double kSameFactor = 0.1;
constexpr double kLeastMotion = 0.01;
constexpr Eigen::Index kLeastForRates = 10;

/// Σ over segments of products of x and ∫ẋ dt, both without their straight lines.
struct Products {
  Eigen::MatrixXd cross;        ///< n × n: ∫ẋ_j · x_i
  Eigen::VectorXd x, integral;  ///< n: their squares

  /// k of x_i ≈ k·∫ẋ_j dt.
  double Factor(Eigen::Index i, Eigen::Index j) const { return cross(j, i) / integral[j]; }
  /// Share of x_i's variance that it explains.
  double Explained(Eigen::Index i, Eigen::Index j) const {
    return cross(j, i) * cross(j, i) / (integral[j] * x[i]);
  }
  bool Fits(Eigen::Index i, Eigen::Index j) const { return Explained(i, j) >= kLeastExplained; }
  bool Equal(Eigen::Index i, Eigen::Index j) const {
    return Fits(i, j) && std::abs(Factor(i, j) - 1.0) <= kSameFactor;
  }
};

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

/// Nothing if there is nothing to compare.
std::optional<Products> SumUp(std::span<const Dataset> segments, std::string_view quantity,
                              std::string_view rate) {
  std::optional<Products> sums;
  for (const Dataset& segment : segments) {
    const Channel* const x = segment.Find(quantity);
    const Channel* const xd = segment.Find(rate);
    if (x == nullptr || xd == nullptr || x->time_s != xd->time_s) return std::nullopt;
    const Eigen::Index n = x->samples.cols();
    if (xd->samples.cols() != n || !x->samples.allFinite() || !xd->samples.allFinite()) {
      return std::nullopt;
    }
    if (x->time_s.size() < kLeastForRates) continue;
    if (!sums) {
      sums = {Eigen::MatrixXd::Zero(n, n), Eigen::VectorXd::Zero(n), Eigen::VectorXd::Zero(n)};
    }
    Eigen::MatrixXd values = x->samples;
    Eigen::MatrixXd integral = Integrated(x->time_s, xd->samples);
    Detrend(x->time_s, values);
    Detrend(x->time_s, integral);
    sums->cross += integral.transpose() * values;
    sums->x += values.colwise().squaredNorm().transpose();
    sums->integral += integral.colwise().squaredNorm().transpose();
  }
  return sums;
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

/// What is doubtful of the rate of joint j: the sentence behind its name; "" if nothing is.
std::string DoubtOf(Eigen::Index j, const Products& sums, const RateNames& names,
                    const std::vector<std::string>& joints) {
  if (sums.Equal(j, j)) return "";
  for (Eigen::Index i = 0; i < sums.x.size(); ++i) {
    if (i == j || !sums.Equal(i, j)) continue;
    return fmt::format("fits {} of {}, not its own: another order of columns?", names.quotient,
                       joints[static_cast<std::size_t>(i)]);
  }
  if (!sums.Fits(j, j)) {
    return fmt::format(
        "does not fit {}, which explains {:.2g} % of it: another joint's, or "
        "another clock's?",
        names.quotient, 100.0 * sums.Explained(j, j));
  }
  const double factor = 1.0 / sums.Factor(j, j);
  return fmt::format("fits {:.3g} × {}{}", factor, names.quotient, CauseOf(factor));
}

}  // namespace

std::vector<std::string> RateDoubts(std::span<const Dataset> segments, std::string_view quantity,
                                    std::string_view rate, const std::vector<std::string>& joints) {
  const std::optional<Products> sums = SumUp(segments, quantity, rate);
  if (!sums) return {};
  const double least_x = kLeastMotion * kLeastMotion * sums->x.maxCoeff();
  const double least_integral = kLeastMotion * kLeastMotion * sums->integral.maxCoeff();
  const RateNames names = NamesOf(quantity);
  std::vector<std::pair<std::string, std::vector<std::string>>> doubts;  // and whose
  for (Eigen::Index j = 0; j < sums->x.size(); ++j) {
    if (!(sums->x[j] > least_x) || !(sums->integral[j] > least_integral)) continue;
    std::string doubt = DoubtOf(j, *sums, names, joints);
    if (doubt.empty()) continue;
    auto known = std::ranges::find(doubts, doubt, [](const auto& each) { return each.first; });
    if (known == doubts.end()) known = doubts.insert(doubts.end(), {std::move(doubt), {}});
    known->second.push_back(joints[static_cast<std::size_t>(j)]);
  }
  std::vector<std::string> sentences;
  for (const auto& [doubt, whose] : doubts) {
    sentences.push_back(fmt::format("{} of {} {}", names.rate, ListSome(whose), doubt));
  }
  return sentences;
}

}  // namespace idbench
