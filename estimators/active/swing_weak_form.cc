#include "estimators/active/swing_weak_form.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "estimators/active/chain_model.h"
#include "estimators/active/swing_balances.h"
#include "estimators/solvers/least_squares.h"
#include "robots/plant/plant_error.h"

namespace idbench {
namespace {

struct WeakSolution {
  Eigen::VectorXd x;
  Eigen::MatrixXd covariance;
};

/// A fit of all windows of all swings.
class SwingFit {
 public:
  SwingFit(const Problem& problem, const SwingWeakFormOptions& options)
      : problem_(problem), options_(options) {}

  /// @param model  of the same swing, for instruments; nullptr: none.
  void Add(const SwingRecord& record, const SwingRecord* model = nullptr) {
    const SwingBalances balances(problem_, record, options_.balances);
    if (model == nullptr) {
      records_.push_back(balances.Windows());
    } else {
      const SwingBalances instruments(problem_, *model, options_.balances);
      records_.push_back(balances.Windows(&instruments));
    }
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

  /// Forgets all windows, not what the last solution holds.
  void Clear() { records_.clear(); }

  /// Names of the unknowns that the last solution holds at the prior's mean.
  std::vector<std::string> held() const {
    std::vector<std::string> names;
    for (const Eigen::Index k : held_) {
      names.push_back(problem_.parameters.names[static_cast<std::size_t>(k)]);
    }
    return names;
  }

  /// Solves ZᵀG·x = Zᵀy, with what the last Solve() held, and states the covariance.
  WeakSolution SolveByInstruments() const {
    const Eigen::Index p = problem_.parameters.size();
    Eigen::MatrixXd N = Eigen::MatrixXd::Zero(p, p);
    Eigen::VectorXd b = Eigen::VectorXd::Zero(p);
    for (const auto& windows : records_) {
      for (const Balances& window : windows) {
        N += window.Z.transpose() * window.G;
        b += window.Z.transpose() * window.y;
      }
    }
    const double held_weight = kHeldWeight * kHeldWeight * N.trace();
    for (const Eigen::Index k : held_) {
      N(k, k) += held_weight;
      b[k] += held_weight * problem_.parameters.prior->mean[k];
    }
    const Eigen::VectorXd scale = N.diagonal().cwiseAbs().cwiseSqrt().cwiseInverse();
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(scale.asDiagonal() * N * scale.asDiagonal());
    const Eigen::MatrixXd solved = lu.solve(Eigen::MatrixXd::Identity(p, p));
    const Eigen::MatrixXd inverse = scale.asDiagonal() * solved * scale.asDiagonal();
    const Eigen::VectorXd x = inverse * b;
    return {x, inverse * ScoresOf(x) * inverse.transpose()};
  }

 private:
  /// An unknown whose part in undetermined directions is smaller is shown.
  static constexpr double kShown = 1e-6;
  /// Weight of an unknown that is held, over that of all data.
  static constexpr double kHeldWeight = 1e3;

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
      const double weight = kHeldWeight * std::sqrt(squares);
      qr.Add(weight * Eigen::RowVectorXd::Unit(p, k),
             Eigen::VectorXd::Constant(1, weight * problem_.parameters.prior->mean[k]));
    }
    return qr.Solve();
  }

  /// Covariance of Σ Zᵀ·(y − G·x), see SwingWeakForm.
  Eigen::MatrixXd ScoresOf(const Eigen::VectorXd& x) const {
    const Eigen::Index p = x.size();
    const Eigen::Index friction = problem_.parameters.lagrangian()->FirstJointTerm();
    const double overlap = std::max(
        1.0, 2.0 * std::ranges::max(options_.balances.windows_s) / options_.balances.stride_s);
    Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(p, p);
    Eigen::MatrixXd late = Eigen::MatrixXd::Zero(p, 2);  // of centrifugal torques, of friction
    for (const auto& windows : records_) {
      Eigen::MatrixXd scores(p, std::ssize(windows));
      for (Eigen::Index c = 0; c < scores.cols(); ++c) {
        const Balances& window = windows[static_cast<std::size_t>(c)];
        scores.col(c) = window.Z.transpose() * (window.y - window.G * x);
        late.col(0) += window.Z.transpose() * (window.late.leftCols(friction) * x.head(friction));
        late.col(1) +=
            window.Z.transpose() * (window.late.rightCols(p - friction) * x.tail(p - friction));
      }
      for (Eigen::Index lag = 0; lag < std::min<Eigen::Index>(scores.cols(), std::lround(overlap));
           ++lag) {
        const double weight = 1.0 - static_cast<double>(lag) / overlap;
        const Eigen::Index pairs = scores.cols() - lag;
        const Eigen::MatrixXd products =
            scores.leftCols(pairs) * scores.rightCols(pairs).transpose();
        covariance += lag == 0 ? products : (weight * (products + products.transpose())).eval();
      }
    }
    const double sigma = options_.rate_timing_periods;
    return covariance + sigma * sigma * late * late.transpose();
  }

  const Problem& problem_;
  const SwingWeakFormOptions& options_;
  std::vector<std::vector<Balances>> records_;
  std::vector<Eigen::Index> held_;
};

/// The same swings of a model with parameters x, without noise; nothing if x is of no robot.
std::optional<std::vector<SwingRecord>> ModelSwings(const Problem& problem, Eigen::VectorXd x,
                                                    const std::vector<SwingRecord>& swings,
                                                    const SwingOptions& options) {
  const PlanarLagrangian& lagrangian = *problem.parameters.lagrangian();
  // Friction that comes out negative would drive the model.
  const Eigen::Index terms = std::ssize(lagrangian.joint_terms());
  for (Eigen::Index k = 0; k < terms; ++k) {
    const JointParameter kind = lagrangian.joint_terms()[static_cast<std::size_t>(k)].kind;
    double& value = x[lagrangian.FirstJointTerm() + k];
    if (kind != JointParameter::kOffset) value = std::max(value, 0.0);
  }
  std::vector<SwingRecord> models;
  for (const SwingRecord& swing : swings) {
    ModelPlant model(lagrangian, x, swing.period_s);
    SwingLaboratory laboratory(problem, model, options);
    try {
      models.push_back(laboratory.Swing(swing.gravity, swing.rates));
    } catch (const PlantError&) {
      return std::nullopt;
    }
    models.back().q.conservativeResize(Eigen::NoChange, swing.size());
    models.back().tau.conservativeResize(Eigen::NoChange, swing.size());
  }
  return models;
}

}  // namespace

void AddFields(FieldTable& table, SwingWeakFormOptions& o) {
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
  table.Add(
      "rate_timing_periods", o.rate_timing_periods,
      {.doc = "Standard deviation of the time at which friction and centrifugal torques act, "
              "about that of their rates, in periods of the plant, for the stated covariance: "
              "0.5 for a simulation whose steps are these periods, 0 for none",
       .lower = 0.0,
       .upper = 10.0});
  table.Check([&o](std::vector<Issue>& issues) {
    if (!o.first_levels.empty()) return;
    issues.push_back({"/first_levels", "is empty", {"give two levels, as [1, 1.3]"}});
  });
}

FieldTable Visit(SwingWeakFormOptions& o) {
  FieldTable table;
  AddFields(table, o);
  return table;
}

FittedSwings SwingAndFit(const Problem& problem, Plant& plant,
                         const SwingWeakFormOptions& options) {
  SwingLaboratory laboratory(problem, plant, options.swing);
  SwingFit fit(problem, options);
  FittedSwings fitted;
  Estimate& estimate = fitted.estimate;
  const auto swing = [&](const Eigen::VectorXd& gravity, const std::string& name) {
    for (const PushDirection direction : {PushDirection::kTip, PushDirection::kAlternating}) {
      if (direction == PushDirection::kAlternating && laboratory.dofs() == 1) continue;
      fitted.swings.push_back(laboratory.Swing(gravity, laboratory.Push(direction, gravity)));
      fit.Add(fitted.swings.back());
      estimate.series.push_back(SwingSeries(
          fitted.swings.back(), fmt::format("{}, push {}", name, ToString(direction)), problem));
    }
  };
  const Eigen::VectorXd guess = laboratory.guess();
  for (const double level : options.first_levels) {
    swing(level * guess, fmt::format("{:.4g} × guess", level));
  }
  LeastSquaresSolution solution = fit.Solve();
  if (!options.last_levels.empty()) {
    const Eigen::VectorXd found =
        solution.x.segment(laboratory.lagrangian().FirstGravity(), guess.size())
            .cwiseMax(0.5 * guess);
    for (const double level : options.last_levels) {
      swing(level * found, fmt::format("{:.4g} × found", level));
    }
    solution = fit.Solve();
  }
  if (const auto models = ModelSwings(problem, solution.x, fitted.swings, options.swing)) {
    fit.Clear();
    for (std::size_t k = 0; k < models->size(); ++k) fit.Add(fitted.swings[k], &(*models)[k]);
  } else {
    estimate.notes["instruments"] =
        "none, as the swings tell inertias that are those of no robot: least squares, which noise "
        "of positions biases";
  }
  const WeakSolution final = fit.SolveByInstruments();
  estimate.x = final.x;
  const std::vector<std::string> held = fit.held();
  if (held.empty()) {
    estimate.covariance = final.covariance;
  } else {
    estimate.notes["unknowns"] =
        fmt::format("held at the prior's mean, as no swing shows them: {}", fmt::join(held, ", "));
    estimate.notes["covariance"] = "none stated: friction is held";
  }
  estimate.diagnostics["condition"] = solution.condition;
  return fitted;
}

Estimate SwingWeakForm::Experiment(const Problem& problem, Plant& plant) {
  return SwingAndFit(problem, plant, options_).estimate;
}

}  // namespace idbench
