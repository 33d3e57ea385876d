#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "bench/lab_checks/lab_context.h"

namespace idbench {
namespace {

/// Part of a joint's torques that a coefficient of another shape makes before it is told; and that
/// all shapes together have to explain: coefficients that cancel each other explain little.
constexpr double kLeastShape = 0.02;
constexpr double kLeastExplainedShape = 0.01;
/// v_s of Stribeck friction, as a part of the speed that 95 % of the samples do not reach.
constexpr double kStribeckPart = 0.15;

struct Shape {
  std::string_view more, less;  ///< What a positive and a negative coefficient says.
  double (*of)(double qd, double q, double fast);
};
double Sign(double x) { return x > 0.0 ? 1.0 : (x < 0.0 ? -1.0 : 0.0); }

constexpr Shape kShapes[] = {
    {"more friction at low speed (Stribeck)",
     "less friction at low speed (its sign turns gradually)",
     [](double qd, double, double fast) {
       return Sign(qd) * std::exp(-std::pow(qd / (kStribeckPart * fast), 2));
     }},
    {"viscous friction that grows more than the speed",
     "viscous friction that grows less than the speed",
     [](double qd, double, double fast) { return qd * std::abs(qd) / fast; }},
    {"viscous friction that is larger in the positive direction",
     "viscous friction that is larger in the negative direction",
     [](double qd, double, double) { return std::abs(qd); }},
    {"Coulomb friction that depends on the position",
     "Coulomb friction that depends on the position",
     [](double qd, double q, double) { return Sign(qd) * std::cos(q); }},
    {"Coulomb friction that depends on the position",
     "Coulomb friction that depends on the position",
     [](double qd, double q, double) { return Sign(qd) * std::sin(q); }},
};

/// Part of a column's torques that one fit explains of what another leaves, held-out.
double Explained(const FitScore& with, const FitScore& without, Eigen::Index column) {
  return std::sqrt(
      std::max(0.0, std::pow(without.relative[column], 2) - std::pow(with.relative[column], 2)));
}

double FastOf(const Eigen::VectorXd& qd) {
  std::vector<double> speeds;
  for (const double each : qd) speeds.push_back(std::abs(each));
  const auto at = static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(speeds.size()));
  std::ranges::nth_element(speeds, speeds.begin() + at);
  return std::max(speeds[static_cast<std::size_t>(at)], 1e-9);
}

}  // namespace

std::vector<LabFinding> TellFrictionShape(const LabContext& context) {
  if (context.search == nullptr || NothingFits(context)) return {};
  const DataChange& change = context.search->change;
  const LabRows& rows = *context.rows;
  const Eigen::Index n = rows.joints();
  const Eigen::MatrixXd q = rows.Positions(change), qd = rows.Velocities(change);
  std::vector<Eigen::MatrixXd> extras;
  for (Eigen::Index j = 0; j < n; ++j) {
    const double fast = FastOf(qd.col(j));
    Eigen::MatrixXd columns(rows.size(), std::ssize(kShapes));
    for (Eigen::Index k = 0; k < columns.cols(); ++k) {
      for (Eigen::Index i = 0; i < rows.size(); ++i) {
        columns(i, k) = kShapes[k].of(qd(i, j), q(i, j), fast);
      }
    }
    extras.push_back(std::move(columns));
  }
  const ExtraFit fit = context.fit->WithExtras(change, extras);
  const double critical = CriticalT(static_cast<double>(n * std::ssize(kShapes)));
  std::vector<LabFinding> findings;
  for (Eigen::Index j = 0; j < n; ++j) {
    const auto at = static_cast<std::size_t>(j);
    const double explained = Explained(fit.score, context.search->score, change.torque_of[at]);
    if (explained < kLeastExplainedShape) continue;
    std::vector<std::string> told;
    for (Eigen::Index k = 0; k < std::ssize(kShapes); ++k) {
      const double value = fit.coefficient[at][k], sigma = fit.sigma[at][k];
      if (std::abs(value) < critical * sigma || fit.part[at][k] < kLeastShape) continue;
      told.push_back(fmt::format("{}: {:.3g} ± {:.1g} (σ) N·m",
                                 value > 0.0 ? kShapes[k].more : kShapes[k].less, value, sigma));
    }
    if (told.empty()) continue;
    findings.push_back(
        {.check = "friction_shape",
         .joint = context.joint(j),
         .evidence = fmt::format(
             "beside viscous and Coulomb friction and an offset: {} (other shapes of friction "
             "explain {:.2g} % of its torques, held-out parts of the log)",
             fmt::join(told, "; "), 100.0 * explained),
         .cure = "what the width of Coulomb friction does not hold, which identification chooses "
                 "for each joint, wants such terms in /robot/terms (Stribeck, parts by direction) "
                 "or no slow motion; inertias take up a part of it otherwise"});
  }
  return findings;
}

}  // namespace idbench
