#include "estimators/active/swing_weak_form.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "estimators/active/swing_balances.h"
#include "estimators/solvers/least_squares.h"

namespace idbench {
namespace {

/// A fit of all windows of all swings.
class SwingFit {
 public:
  SwingFit(const Problem& problem, const SwingWeakFormOptions& options)
      : problem_(problem), options_(options) {}

  void Add(const SwingRecord& record) {
    records_.push_back(SwingBalances(problem_, record, options_.balances).Windows());
  }

  /// Solves for what the swings show.
  /// @throws EstimationFailure (rank_deficient) if that leaves out more than friction.
  LeastSquaresSolution Solve() {
    held_.clear();
    LeastSquaresSolution solution = SolveOthers();
    const Eigen::Index first = problem_.parameters.lagrangian()->FirstJointTerm();
    if (!solution.determined() && (solution.undetermined.head(first).array() < kShown).all()) {
      for (Eigen::Index k = first; k < solution.undetermined.size(); ++k) {
        if (solution.undetermined[k] >= kShown) held_.push_back(k);
      }
      solution = SolveOthers();
    }
    if (solution.determined()) return solution;
    throw EstimationFailure(Outcome::kRankDeficient,
                            DescribeUndetermined(solution, problem_.parameters.names) +
                                "; use longer swings or greater pushes, or fewer unknowns "
                                "(/problem/parametrisation/friction)");
  }

  /// Names of the unknowns that the last solution holds at the prior's mean.
  std::vector<std::string> held() const {
    std::vector<std::string> names;
    for (const Eigen::Index k : held_) {
      names.push_back(problem_.parameters.names[static_cast<std::size_t>(k)]);
    }
    return names;
  }

  /// Of the solution, see SwingWeakForm.
  Eigen::MatrixXd Covariance(const LeastSquaresSolution& solution) const {
    const Eigen::Index p = solution.x.size();
    const double overlap = std::max(
        1.0, 2.0 * std::ranges::max(options_.balances.windows_s) / options_.balances.stride_s);
    Eigen::MatrixXd inner = Eigen::MatrixXd::Zero(p, p);
    for (const auto& windows : records_) {
      Eigen::MatrixXd scores(p, std::ssize(windows));
      for (Eigen::Index c = 0; c < scores.cols(); ++c) {
        const Balances& window = windows[static_cast<std::size_t>(c)];
        scores.col(c) = window.G.transpose() * (window.y - window.G * solution.x);
      }
      for (Eigen::Index lag = 0; lag < std::min<Eigen::Index>(scores.cols(), std::lround(overlap));
           ++lag) {
        const double weight = 1.0 - static_cast<double>(lag) / overlap;
        const Eigen::Index pairs = scores.cols() - lag;
        const Eigen::MatrixXd products =
            scores.leftCols(pairs) * scores.rightCols(pairs).transpose();
        inner += lag == 0 ? products : (weight * (products + products.transpose())).eval();
      }
    }
    return solution.inverse * inner * solution.inverse;
  }

 private:
  /// An unknown whose part in undetermined directions is smaller is shown.
  static constexpr double kShown = 1e-6;

  /// Solves with `held_` at the prior's mean, by equations that weigh as much as all data.
  LeastSquaresSolution SolveOthers() const {
    const Eigen::Index p = problem_.parameters.size();
    StreamingQr qr(p);
    double squares = 0.0;
    for (const auto& windows : records_) {
      for (const Balances& window : windows) {
        qr.Add(window.G, window.y);
        squares += window.G.squaredNorm();
      }
    }
    for (const Eigen::Index k : held_) {
      const double weight = 1e3 * std::sqrt(squares);
      qr.Add(weight * Eigen::RowVectorXd::Unit(p, k),
             Eigen::VectorXd::Constant(1, weight * problem_.parameters.prior->mean[k]));
    }
    return qr.Solve();
  }

  const Problem& problem_;
  const SwingWeakFormOptions& options_;
  std::vector<std::vector<Balances>> records_;
  std::vector<Eigen::Index> held_;
};

}  // namespace

FieldTable Visit(SwingWeakFormOptions& o) {
  FieldTable table;
  AddFields(table, o.swing);
  table
      .Add("first_levels", o.first_levels,
           {.doc = "Factors of the guessed gravity that the first swings compensate",
            .lower = 0.0,
            .lower_open = true})
      .Add("last_levels", o.last_levels,
           {.doc = "Factors of the gravity found by the first swings that the last ones compensate",
            .lower = 0.0,
            .lower_open = true});
  AddFields(table, o.balances);
  table.Check([&o](std::vector<Issue>& issues) {
    if (!o.first_levels.empty()) return;
    issues.push_back({"/first_levels", "is empty", {"give two levels, as [1, 1.3]"}});
  });
  return table;
}

Estimate SwingWeakForm::Experiment(const Problem& problem, Plant& plant) {
  SwingLaboratory laboratory(problem, plant, options_.swing);
  SwingFit fit(problem, options_);
  Estimate estimate;
  const auto swing = [&](const Eigen::VectorXd& gravity, const std::string& name) {
    for (const PushDirection direction : {PushDirection::kTip, PushDirection::kAlternating}) {
      if (direction == PushDirection::kAlternating && laboratory.dofs() == 1) continue;
      const SwingRecord record = laboratory.Swing(gravity, laboratory.Push(direction, gravity));
      fit.Add(record);
      estimate.series.push_back(
          SwingSeries(record, fmt::format("{}, push {}", name, ToString(direction)), problem));
    }
  };
  const Eigen::VectorXd guess = laboratory.guess();
  for (const double level : options_.first_levels) {
    swing(level * guess, fmt::format("{:.4g} × guess", level));
  }
  LeastSquaresSolution solution = fit.Solve();
  if (!options_.last_levels.empty()) {
    const Eigen::VectorXd found =
        solution.x.segment(laboratory.lagrangian().FirstGravity(), guess.size())
            .cwiseMax(0.5 * guess);
    for (const double level : options_.last_levels) {
      swing(level * found, fmt::format("{:.4g} × found", level));
    }
    solution = fit.Solve();
  }
  estimate.x = solution.x;
  const std::vector<std::string> held = fit.held();
  if (held.empty()) {
    estimate.covariance = fit.Covariance(solution);
  } else {
    estimate.notes["unknowns"] =
        fmt::format("held at the prior's mean, as no swing shows them: {}", fmt::join(held, ", "));
    estimate.notes["covariance"] = "none stated: friction is held";
  }
  estimate.diagnostics["condition"] = solution.condition;
  return estimate;
}

}  // namespace idbench
