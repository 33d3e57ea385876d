#include "estimators/active/swing_balances.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace idbench {
namespace {

/// Test function at a part of its window.
double Bump(double part) {
  if (part <= 0.0 || part >= 1.0) return 0.0;
  const double s = std::sin(std::numbers::pi * part);
  return s * s * s * s;
}

}  // namespace

void AddFields(FieldTable& table, BalanceOptions& o) {
  table
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
                   "from the reading that it answers; null: as the plant says, (m - 1)/(2 m) of a "
                   "simulation of m semi-implicit steps a period",
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
      .Add("leaning", o.leaning,
           {.doc = "Fit by how much the gravity of each link leans, too: centres of mass beside "
                   "the links' lines, a base that is not level, zeros of encoders"})
      .Check([&o](std::vector<Issue>& issues) {
        if (!o.windows_s.empty()) return;
        issues.push_back({"/windows_s", "is empty", {"give one width, as [1.5]"}});
      });
}

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

SwingBalances::SwingBalances(const Problem& problem, const SwingRecord& record,
                             const BalanceOptions& options)
    : problem_(problem),
      lagrangian_(*problem.parameters.lagrangian()),
      options_(options),
      h_(record.period_s),
      delay_(options.torque_delay_periods.value_or(record.torque_delay_periods)),
      columns_(lagrangian_.size() + (options.leaning ? lagrangian_.dofs() : 0)),
      theta_((lagrangian_.S() * record.q).colwise() + lagrangian_.theta0()),
      S_inverse_(lagrangian_.S().inverse()),
      tau_(S_inverse_.transpose() * record.tau) {
  const auto half =
      std::max<Eigen::Index>(std::lround(0.5 * (options.rate_window_s / h_ - 1.0)), 0);
  qd_ = CubicSlopes(record.q, half, h_);
  omega_ = lagrangian_.S() * qd_;
}

Balances SwingBalances::None(Eigen::Index rows) const {
  const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(rows, columns_);
  return {.G = none, .y = Eigen::VectorXd::Zero(rows), .late = none, .Z = none};
}

std::vector<Balances> SwingBalances::Windows(const SwingBalances* model) const {
  const auto stride = std::max<Eigen::Index>(std::lround(options_.stride_s / h_), 1);
  std::vector<Balances> windows;
  for (Eigen::Index middle = stride; middle < theta_.cols(); middle += stride) {
    Balances about = None(0);
    for (std::size_t k = 0; k < options_.windows_s.size(); ++k) {
      const auto half = std::max<Eigen::Index>(std::lround(0.5 * options_.windows_s[k] / h_), 2);
      if (middle < half || middle + half >= theta_.cols()) continue;
      const Eigen::Index first = middle - half;
      const auto rates = omega_.middleCols(first, 2 * half + 1);
      if (rates.cwiseAbs().maxCoeff() < options_.least_rate_rad_s) continue;
      const Eigen::MatrixXd groups = Groups(first, 2 * half);
      if (k > 0 && groups.rows() < theta_.rows()) continue;
      const Balances links = OfLinks(first, 2 * half);
      const Eigen::MatrixXd Z = model == nullptr ? links.G : model->OfLinks(first, 2 * half).G;
      Append({groups * links.G, groups * links.y, groups * links.late, groups * Z}, about);
    }
    if (about.y.size() > 0) windows.push_back(std::move(about));
  }
  return windows;
}

void SwingBalances::Append(const Balances& more, Balances& to) {
  const Eigen::Index rows = to.y.size() + more.y.size();
  for (const auto matrix : {&Balances::G, &Balances::late, &Balances::Z}) {
    (to.*matrix).conservativeResize(rows, Eigen::NoChange);
    (to.*matrix).bottomRows(more.y.size()) = more.*matrix;
  }
  to.y.conservativeResize(rows);
  to.y.tail(more.y.size()) = more.y;
}

Balances SwingBalances::OfLinks(Eigen::Index first, Eigen::Index width) const {
  Balances links = None(theta_.rows());
  const double period = 1.0 / static_cast<double>(width);
  for (Eigen::Index i = 0; i <= width; ++i) {
    const double at = static_cast<double>(i);
    const double psi = Bump(at * period);
    const Eigen::Index k = first + i;
    links.y += h_ * Bump((at + delay_) * period) * tau_.col(k);
    AddForces(k, h_ * psi, links.G);
    if (i > 0 && i < width) AddLate(k, h_ * psi, links.late);
    if (i == width) continue;
    // −∫ψ̇·p over the time between two samples.
    AddMomenta(k, psi - Bump((at + 1.0) * period), links.G);
  }
  return links;
}

void SwingBalances::AddMomenta(Eigen::Index k, double weight, Eigen::MatrixXd& G) const {
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

void SwingBalances::AddForces(Eigen::Index k, double weight, Eigen::MatrixXd& G) const {
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
  if (!options_.leaning) return;
  for (Eigen::Index i = 0; i < theta.size(); ++i) G(i, column++) += weight * std::cos(theta[i]);
}

void SwingBalances::AddLate(Eigen::Index k, double weight, Eigen::MatrixXd& late) const {
  // Centrifugal torques P·ω²·sin on the two links of a pair, as semi-implicit steps have them.
  Eigen::Index column = lagrangian_.FirstCoupling();
  const Eigen::VectorXd squares =
      0.5 * (omega_.col(k - 1).cwiseAbs2() - omega_.col(k + 1).cwiseAbs2());
  for (const auto& [a, i] : lagrangian_.couplings()) {
    const double s = weight * std::sin(theta_(i, k) - theta_(a, k));
    late(a, column) -= s * squares[i];
    late(i, column++) += s * squares[a];
  }
  column = lagrangian_.FirstJointTerm();
  for (const auto& [kind, joint] : lagrangian_.joint_terms()) {
    const FrictionShape& shape = lagrangian_.friction();
    const double change = 0.5 * (JointColumn(kind, qd_(joint, k - 1), 0.0, shape) -
                                 JointColumn(kind, qd_(joint, k + 1), 0.0, shape));
    late.col(column++) += weight * change * S_inverse_.row(joint).transpose();
  }
}

Eigen::MatrixXd SwingBalances::Groups(Eigen::Index first, Eigen::Index width) const {
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
  Eigen::MatrixXd sums(0, n);
  for (int j = 0; j < n; ++j) {
    if (group[static_cast<std::size_t>(j)] != j) continue;
    sums.conservativeResize(sums.rows() + 1, Eigen::NoChange);
    for (Eigen::Index i = 0; i < n; ++i) {
      sums(sums.rows() - 1, i) = group[static_cast<std::size_t>(i)] == j ? 1.0 : 0.0;
    }
  }
  return sums;
}

}  // namespace idbench
