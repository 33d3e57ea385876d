#include "estimators/active/swing_weak_form.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "estimators/solvers/least_squares.h"

namespace idbench {
namespace {

/// Balances of one window: rows of G·β = y.
struct Balances {
  Eigen::MatrixXd G;
  Eigen::VectorXd y;
};

/// Slopes of each row at its samples, of a cubic that is fitted to 2·half + 1 of them; to fewer at
/// the ends. A mean or a straight line takes (ω·T)²/24 or more of a swing's rates in a window T.
/// Source: Savitzky & Golay, Anal. Chem. 36, 1964.
Eigen::MatrixXd CubicSlopes(const Eigen::MatrixXd& x, Eigen::Index half, double period_s) {
  const Eigen::Index last = x.cols() - 1;
  Eigen::MatrixXd slopes(x.rows(), x.cols());
  for (Eigen::Index k = 0; k <= last; ++k) {
    const Eigen::Index reach = std::min({half, k, last - k});
    if (reach < 2) {
      const Eigen::Index from = std::max<Eigen::Index>(k - 1, 0);
      const Eigen::Index to = std::min(k + 1, last);
      slopes.col(k) = (x.col(to) - x.col(from)) / (period_s * static_cast<double>(to - from));
      continue;
    }
    // The odd part a·j + b·j³ of the cubic: its sums of j², j⁴, j⁶ over the window.
    double s2 = 0.0, s4 = 0.0, s6 = 0.0;
    for (Eigen::Index j = 1; j <= reach; ++j) {
      const double square = 2.0 * static_cast<double>(j * j);
      s2 += square;
      s4 += square * static_cast<double>(j * j);
      s6 += square * static_cast<double>(j * j * j * j);
    }
    slopes.col(k).setZero();
    for (Eigen::Index j = 1; j <= reach; ++j) {
      const double at = static_cast<double>(j);
      const double weight = (s6 * at - s4 * at * at * at) / (s2 * s6 - s4 * s4);
      slopes.col(k) += weight / period_s * (x.col(k + j) - x.col(k - j));
    }
  }
  return slopes;
}

/// The equations of motion of one swing, sample by sample.
class SwingEquations {
 public:
  SwingEquations(const Problem& problem, const SwingRecord& record,
                 const SwingWeakFormOptions& options)
      : problem_(problem),
        lagrangian_(*problem.parameters.lagrangian()),
        options_(options),
        h_(record.period_s),
        theta_((lagrangian_.S() * record.q).colwise() + lagrangian_.theta0()),
        S_inverse_(lagrangian_.S().inverse()),
        tau_(S_inverse_.transpose() * record.tau) {
    const auto half =
        std::max<Eigen::Index>(std::lround(0.5 * (options.rate_window_s / h_ - 1.0)), 0);
    qd_ = CubicSlopes(record.q, half, h_);
    omega_ = lagrangian_.S() * qd_;
  }

  /// Returns the balances of all windows in which something moves: those about the same instant
  /// stand together, one behind the other.
  std::vector<Balances> Windows() const {
    const auto stride = std::max<Eigen::Index>(std::lround(options_.stride_s / h_), 1);
    std::vector<Balances> windows;
    for (Eigen::Index middle = stride; middle < theta_.cols(); middle += stride) {
      Balances about = None();
      for (std::size_t k = 0; k < options_.windows_s.size(); ++k) {
        const auto half = std::max<Eigen::Index>(std::lround(0.5 * options_.windows_s[k] / h_), 2);
        if (middle < half || middle + half >= theta_.cols()) continue;
        const auto rates = omega_.middleCols(middle - half, 2 * half + 1);
        if (rates.cwiseAbs().maxCoeff() < options_.least_rate_rad_s) continue;
        const Balances window = Window(middle - half, 2 * half);
        if (k == 0 || window.y.size() == theta_.rows()) Append(window, about);
      }
      if (about.y.size() > 0) windows.push_back(std::move(about));
    }
    return windows;
  }

 private:
  Balances None() const { return {Eigen::MatrixXd(0, lagrangian_.size()), Eigen::VectorXd(0)}; }

  static void Append(const Balances& more, Balances& to) {
    const Eigen::Index before = to.y.size();
    to.G.conservativeResize(before + more.y.size(), Eigen::NoChange);
    to.y.conservativeResize(before + more.y.size());
    to.G.bottomRows(more.y.size()) = more.G;
    to.y.tail(more.y.size()) = more.y;
  }

  static double Bump(double part) {
    if (part <= 0.0 || part >= 1.0) return 0.0;
    const double s = std::sin(std::numbers::pi * part);
    return s * s * s * s;
  }

  Balances Window(Eigen::Index first, Eigen::Index width) const {
    const Eigen::Index n = theta_.rows();
    Balances links{Eigen::MatrixXd::Zero(n, lagrangian_.size()), Eigen::VectorXd::Zero(n)};
    const double period = 1.0 / static_cast<double>(width);
    for (Eigen::Index i = 0; i <= width; ++i) {
      const double at = static_cast<double>(i);
      const double psi = Bump(at * period);
      const Eigen::Index k = first + i;
      links.y += h_ * Bump((at + options_.torque_delay_periods) * period) * tau_.col(k);
      AddForces(k, h_ * psi, links.G);
      if (i == width) continue;
      // −∫ψ̇·p over the time between two samples.
      AddMomenta(k, psi - Bump((at + 1.0) * period), links.G);
    }
    return Unlocked(first, width, links);
  }

  /// Adds `weight` times the columns of ∂K/∂ω between samples k and k + 1.
  void AddMomenta(Eigen::Index k, double weight, Eigen::MatrixXd& G) const {
    const Eigen::VectorXd omega = (theta_.col(k + 1) - theta_.col(k)) / h_;
    const Eigen::VectorXd theta = 0.5 * (theta_.col(k + 1) + theta_.col(k));
    for (Eigen::Index i = 0; i < omega.size(); ++i) G(i, i) += weight * omega[i];
    Eigen::Index column = lagrangian_.FirstCoupling();
    for (const auto& [a, i] : lagrangian_.couplings()) {
      const double c = weight * std::cos(theta[i] - theta[a]);
      G(a, column) += c * omega[i];
      G(i, column++) += c * omega[a];
    }
  }

  /// Adds `weight` times the columns of ∂V/∂θ − ∂K/∂θ and of friction at sample k.
  void AddForces(Eigen::Index k, double weight, Eigen::MatrixXd& G) const {
    const auto theta = theta_.col(k);
    const auto omega = omega_.col(k);
    Eigen::Index column = lagrangian_.FirstCoupling();
    for (const auto& [a, i] : lagrangian_.couplings()) {
      const double s = weight * omega[a] * omega[i] * std::sin(theta[i] - theta[a]);
      G(i, column) += s;
      G(a, column++) -= s;
    }
    for (Eigen::Index i = 0; i < theta.size(); ++i) G(i, column++) -= weight * std::sin(theta[i]);
    for (const auto& [kind, joint] : lagrangian_.joint_terms()) {
      const double torque = JointColumn(kind, qd_(joint, k), 0.0, lagrangian_.friction());
      G.col(column++) += weight * torque * S_inverse_.row(joint).transpose();
    }
  }

  /// Adds the balances of links that joints at rest lock together.
  Balances Unlocked(Eigen::Index first, Eigen::Index width, const Balances& links) const {
    const Eigen::Index n = theta_.rows();
    // The group of each link: the first of the links that it is locked to; −1 is the ground.
    std::vector<int> group(static_cast<std::size_t>(n));
    const bool friction = !lagrangian_.joint_terms().empty();
    for (int j = 0; j < n; ++j) {
      const auto rates = qd_.row(j).segment(first, width + 1).array().abs();
      const double moving = static_cast<double>((rates > options_.stuck_rate_rad_s).count()) /
                            static_cast<double>(width + 1);
      const int parent = problem_.model.links()[static_cast<std::size_t>(j)].parent;
      const bool stuck = friction && moving < options_.stuck_fraction;
      const int of_parent = parent < 0 ? -1 : group[static_cast<std::size_t>(parent)];
      group[static_cast<std::size_t>(j)] = stuck ? of_parent : j;
    }
    Balances unlocked = None();
    for (int j = 0; j < n; ++j) {
      if (group[static_cast<std::size_t>(j)] != j) continue;
      Balances sum{Eigen::MatrixXd::Zero(1, links.G.cols()), Eigen::VectorXd::Zero(1)};
      for (Eigen::Index i = 0; i < n; ++i) {
        if (group[static_cast<std::size_t>(i)] != j) continue;
        sum.G += links.G.row(i);
        sum.y[0] += links.y[i];
      }
      Append(sum, unlocked);
    }
    return unlocked;
  }

  const Problem& problem_;
  const PlanarLagrangian& lagrangian_;
  const SwingWeakFormOptions& options_;
  double h_;
  Eigen::MatrixXd theta_;       ///< n × N, absolute angles as they were read.
  Eigen::MatrixXd S_inverse_;   ///< n × n
  Eigen::MatrixXd tau_;         ///< n × N, on the absolute angles.
  Eigen::MatrixXd qd_, omega_;  ///< n × N, smoothed rates of joints and links.
};

/// A fit of all windows of all swings.
class SwingFit {
 public:
  SwingFit(const Problem& problem, const SwingWeakFormOptions& options)
      : problem_(problem), options_(options) {}

  void Add(const SwingRecord& record) {
    records_.push_back(SwingEquations(problem_, record, options_).Windows());
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
    const double overlap =
        std::max(1.0, 2.0 * std::ranges::max(options_.windows_s) / options_.stride_s);
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
            .lower_open = true})
      .Add("windows_s", o.windows_s,
           {.doc = "Widths of the test functions; those after the first are used where no joint "
                   "sticks",
            .unit = "s",
            .lower = 0.0,
            .lower_open = true})
      .Add("stride_s", o.stride_s,
           {.doc = "Time from one test function to the next",
            .unit = "s",
            .lower = 0.0,
            .lower_open = true})
      .Add(
          "rate_window_s", o.rate_window_s,
          {.doc = "Time over which a cubic is fitted to positions for their rates, in friction and "
                  "centrifugal torques",
           .unit = "s",
           .lower = 0.0})
      .Add("torque_delay_periods", o.torque_delay_periods,
           {.doc = "Middle of the time in which a commanded torque acts, in periods of the plant "
                   "from the reading that it answers: 0.5 for one that is held until the next, "
                   "(m - 1)/(2 m) for a simulation of m semi-implicit steps a period, 0 for m = 1",
            .lower = 0.0,
            .upper = 10.0})
      .Add("least_rate_rad_s", o.least_rate_rad_s,
           {.doc = "Windows in which all links are slower are left out",
            .unit = "rad/s",
            .lower = 0.0})
      .Add("stuck_rate_rad_s", o.stuck_rate_rad_s,
           {.doc = "Rate below which a joint does not move", .unit = "rad/s", .lower = 0.0})
      .Add("stuck_fraction", o.stuck_fraction,
           {.doc = "A joint that moves in a smaller part of a window counts as stuck",
            .lower = 0.0,
            .upper = 1.0})
      .Check([&o](std::vector<Issue>& issues) {
        if (o.first_levels.empty()) {
          issues.push_back({"/first_levels", "is empty", {"give two levels, as [1, 1.3]"}});
        }
        if (o.windows_s.empty()) {
          issues.push_back({"/windows_s", "is empty", {"give one width, as [1.5]"}});
        }
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
