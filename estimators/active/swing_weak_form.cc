#include "estimators/active/swing_weak_form.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
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
      : problem_(problem), options_(options), names_(problem.parameters.names) {
    if (!options.balances.leaning) return;
    for (const Link& link : problem.model.links()) names_.push_back(link.name + ".lean");
  }

  /// @param model  of the same swing, for instruments; nullptr: none.
  void Add(const SwingRecord& record, const SwingRecord* model = nullptr) {
    if (!record.fell) ++stood_;
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
    const std::string told = DescribeUndetermined(solution, names_);
    throw EstimationFailure(
        Outcome::kRankDeficient,
        told + (stood_ == 0 ? "; every swing ended in a fall: is a torque or a reading late, or "
                              "limit_rad too small, or push_rad_s too great?"
                            : "; use longer swings or greater pushes, or fewer unknowns "
                              "(/problem/parametrisation/friction)"));
  }

  /// Forgets all windows, not what the last solution holds.
  void Clear() { records_.clear(); }

  /// Names of the unknowns that the last solution holds: friction at the prior's mean, what leans
  /// at 0.
  std::vector<std::string> held() const {
    std::vector<std::string> names;
    for (const Eigen::Index k : held_) names.push_back(names_[static_cast<std::size_t>(k)]);
    return names;
  }

  /// Solves ZᵀG·x = Zᵀy, with what the last Solve() held, and states the covariance.
  WeakSolution SolveByInstruments() const {
    const Eigen::Index p = std::ssize(names_);
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
      b[k] += held_weight * HeldAt(k);
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
    const Eigen::Index p = std::ssize(names_);
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
             Eigen::VectorXd::Constant(1, weight * HeldAt(k)));
    }
    return qr.Solve();
  }

  double HeldAt(Eigen::Index k) const {
    return k < problem_.parameters.size() ? problem_.parameters.prior->mean[k] : 0.0;
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
  std::vector<std::string> names_;  ///< Of the unknowns, as Balances has them.
  std::vector<std::vector<Balances>> records_;
  std::vector<Eigen::Index> held_;
  int stood_ = 0;  ///< Swings without a fall.
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

/// Root mean square of the angles by which models swing otherwise, over that of the swings.
double Misfit(const PlanarLagrangian& lagrangian, const std::vector<SwingRecord>& swings,
              const std::vector<SwingRecord>& models) {
  double differences = 0.0, squares = 0.0;
  for (std::size_t k = 0; k < swings.size(); ++k) {
    differences += (lagrangian.S() * (models[k].q - swings[k].q)).squaredNorm();
    squares += ((lagrangian.S() * swings[k].q).colwise() + lagrangian.theta0()).squaredNorm();
  }
  return std::sqrt(differences / squares);
}

/// A fit by instruments, or by least squares.
struct RefinedFit {
  WeakSolution solution;
  std::string health = "";  ///< Why it is by least squares; "" if it is not.
  double misfit = 0.0;      ///< Of the model; infinity if it is none of a robot.
};

/// Fits all swings, with swings of the model with parameters x as instruments, see SwingWeakForm.
/// @param least_squares  fit of these swings, which has found x.
RefinedFit Refined(const Problem& problem, const std::vector<SwingRecord>& swings,
                   const Eigen::VectorXd& x, const SwingWeakFormOptions& options,
                   const SwingFit& least_squares) {
  constexpr const char* kWithout = "a fit without instruments, which noise of positions biases";
  const auto models = ModelSwings(problem, x, swings, options.swing);
  if (!models) {
    return {
        .solution = least_squares.SolveByInstruments(),
        .health = fmt::format("the swings tell inertias that are those of no robot; {}", kWithout),
        .misfit = std::numeric_limits<double>::infinity()};
  }
  const double misfit = Misfit(*problem.parameters.lagrangian(), swings, *models);
  if (!(misfit <= options.greatest_misfit)) {
    return {.solution = least_squares.SolveByInstruments(),
            .health = fmt::format(
                "the model does not swing as the robot does; otherwise by {:.2g} of the robot's "
                "swings: friction that is no unknown, torques or readings that are late, swings "
                "too fast for the windows, or another effect that it lacks, which σ does not "
                "count; {}",
                misfit, kWithout),
            .misfit = misfit};
  }
  SwingFit fit = least_squares;
  fit.Clear();
  for (std::size_t k = 0; k < swings.size(); ++k) fit.Add(swings[k], &(*models)[k]);
  return {.solution = fit.SolveByInstruments(), .misfit = misfit};
}

/// What must be known of gravity that leans by δ: on a tilted base G is less by δ²/2, which counts
/// where it is more than σ. "" if it does for no link.
/// @param lean  H of the links; empty: not asked for.
std::string LeanThatCounts(const Problem& problem, const Estimate& estimate,
                           const Eigen::VectorXd& lean) {
  const Eigen::Index first = problem.parameters.lagrangian()->FirstGravity();
  const Eigen::VectorXd sigma = estimate.sigma().value();
  double greatest = 0.0;
  std::size_t link = 0;
  for (Eigen::Index i = 0; i < lean.size(); ++i) {
    const double delta = lean[i] / estimate.x[first + i];
    const bool counts = 0.5 * delta * delta * std::abs(estimate.x[first + i]) > sigma[first + i];
    if (!counts || std::abs(delta) <= std::abs(greatest)) continue;
    greatest = delta;
    link = static_cast<std::size_t>(i);
  }
  if (greatest == 0.0) return "";
  return fmt::format(
      "of gravity (G) as it is where the robot stands; that of {} leans by {:.2g} rad: where the "
      "base is not level, that of a level one is greater by the cosine, more than σ",
      problem.model.links()[link].name, greatest);
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
  table
      .Add("stop_at_fraction", o.stop_at_fraction,
           {.doc = "Swings at further levels are left out when the stated σ of each gravity "
                   "parameter is this part of it; 0: none is",
            .lower = 0.0,
            .upper = 1.0})
      .Add("greatest_misfit", o.greatest_misfit,
           {.doc = "Root mean square of the angles by which the model swings otherwise than the "
                   "robot, over that of the robot's, beyond which it gives no instruments",
            .lower = 0.0});
  table.Add(
      "rate_timing_periods", o.rate_timing_periods,
      {.doc = "Standard deviation of the time at which friction and centrifugal torques act, "
              "about that of their rates, in periods of the plant, for the stated covariance: "
              "0.5 for a simulation whose steps are these periods, 0 for none",
       .lower = 0.0,
       .upper = 10.0});
  table.Check([&o](std::vector<Issue>& issues) {
    if (std::ranges::all_of(o.first_levels,
                            [&o](double level) { return level == o.first_levels.front(); })) {
      issues.push_back({"/first_levels",
                        "holds no two levels that differ: one does not tell gravity from inertia",
                        {"give two levels, as [1, 1.3]"}});
    }
    if (o.balances.windows_s.empty()) return;
    const double narrowest_s = 3.0 * o.balances.rate_window_s;
    if (std::ranges::min(o.balances.windows_s) < narrowest_s) {
      issues.push_back(
          {"/windows_s",
           fmt::format("holds {} s, which is little beside the {} s over which rates are smoothed",
                       std::ranges::min(o.balances.windows_s), o.balances.rate_window_s),
           {fmt::format("accepted here: at least {:g} s", narrowest_s),
            "or a smaller rate_window_s"}});
    }
    const double least_s = o.balances.windows_s.front() + 2.0 * o.balances.stride_s;
    if (o.swing.duration_s >= least_s) return;
    issues.push_back({"/duration_s",
                      fmt::format("swings of {} s have no room for test functions of {} s",
                                  o.swing.duration_s, o.balances.windows_s.front()),
                      {fmt::format("accepted here: at least {} s", least_s),
                       "or a narrower first window (windows_s)"}});
  });
}

FieldTable Visit(SwingWeakFormOptions& o) {
  FieldTable table;
  AddFields(table, o);
  return table;
}

double LeastUse(const SwingWeakFormOptions& options) {
  std::size_t levels = options.first_levels.size();
  if (options.stop_at_fraction == 0.0) levels += options.last_levels.size();
  return options.swing.duration_s * static_cast<double>(levels);
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
  const Eigen::Index first = laboratory.lagrangian().FirstGravity();
  LeastSquaresSolution solution = fit.Solve();
  const Eigen::VectorXd found = solution.x.segment(first, guess.size()).cwiseMax(0.5 * guess);
  const auto is_told = [&] {
    if (options.stop_at_fraction == 0.0) return false;
    const WeakSolution now = Refined(problem, fitted.swings, solution.x, options, fit).solution;
    const Eigen::ArrayXd variances = now.covariance.diagonal().segment(first, guess.size());
    const Eigen::ArrayXd parts =
        variances.sqrt() / now.x.segment(first, guess.size()).array().abs();
    return fit.held().empty() && parts.maxCoeff() <= options.stop_at_fraction;
  };
  for (const double level : options.last_levels) {
    if (is_told()) break;
    swing(level * found, fmt::format("{:.4g} × found", level));
    solution = fit.Solve();
  }
  const RefinedFit refined = Refined(problem, fitted.swings, solution.x, options, fit);
  const Eigen::Index size = problem.parameters.size();
  estimate.x = refined.solution.x.head(size);
  // Of several links some inertia may be told badly, and gravity well.
  if (guess.size() == 1 && !(estimate.x[0] > 0.0)) {
    throw EstimationFailure(
        Outcome::kNotConverged,
        fmt::format("the inertia would be {:.3g} kg·m²: does the robot swing too fast for the "
                    "windows (windows_s, rate_window_s), as under a guess that is far too large, "
                    "or are readings wrong?",
                    estimate.x[0]));
  }
  fitted.lean = refined.solution.x.tail(refined.solution.x.size() - size);
  for (Eigen::Index i = 0; i < fitted.lean.size(); ++i) {
    estimate.diagnostics[fmt::format("lean_rad:{}",
                                     problem.model.links()[static_cast<std::size_t>(i)].name)] =
        fitted.lean[i] / estimate.x[first + i];
  }
  if (!refined.health.empty()) estimate.notes["health"] = refined.health;
  const auto falls = std::ranges::count_if(fitted.swings, &SwingRecord::fell);
  if (falls > 0) {
    estimate.notes["swings"] = fmt::format(
        "swings ended in falls; {} of {}: torques or readings that are late, a guess "
        "that is too small, or a limit (limit_rad) that is; σ does not count why",
        falls, fitted.swings.size());
  }
  const std::vector<std::string> held = fit.held();
  if (held.empty()) {
    estimate.covariance = refined.solution.covariance.topLeftCorner(size, size);
    const std::string lean = LeanThatCounts(problem, estimate, fitted.lean);
    if (!lean.empty()) estimate.notes["sigma"] = lean;
  } else {
    estimate.notes["unknowns"] = fmt::format(
        "held at the prior's mean, or upright, as no swing shows them: {}", fmt::join(held, ", "));
    estimate.notes["covariance"] = "none stated: unknowns are held";
  }
  estimate.diagnostics["condition"] = solution.condition;
  if (std::isfinite(refined.misfit)) estimate.diagnostics["model_misfit"] = refined.misfit;
  return fitted;
}

Estimate SwingWeakForm::Experiment(const Problem& problem, Plant& plant) {
  return SwingAndFit(problem, plant, options_).estimate;
}

}  // namespace idbench
