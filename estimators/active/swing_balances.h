#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "estimators/active/swing.h"
#include "estimators/interface/problem.h"
#include "robots/dynamics/walkers/planar_lagrangian.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// How balances of swings are taken, see SwingBalances.
struct BalanceOptions {
  std::vector<double> windows_s = {2.0, 5.0};
  double stride_s = 0.216;
  double rate_window_s = 0.27;
  std::optional<double> torque_delay_periods = std::nullopt;
  double least_rate_rad_s = 2e-3;
  double stuck_rate_rad_s = 4e-3;
  double stuck_fraction = 0.85;
  bool leaning = true;

  bool operator==(const BalanceOptions&) const = default;
};
/// Adds these options to the table of a method's.
void AddFields(FieldTable& table, BalanceOptions& options);

/// Slopes of each row at its samples, of a cubic that is fitted to 2·half + 1 of them; to fewer at
/// the ends. A mean or a straight line takes (ω·T)²/24 or more of a swing's rates in a window T.
/// Source: Savitzky & Golay, Anal. Chem. 36, 1964.
Eigen::MatrixXd CubicSlopes(const Eigen::MatrixXd& x, Eigen::Index half, double period_s);

/// Balances of the links about one instant: rows of G·β = y [N·m·s].
struct Balances {
  Eigen::MatrixXd G;  ///< rows × p, of β and, if they lean, of H
  Eigen::VectorXd y;  ///< rows
  /// rows × p: what G changes by if centrifugal torques (columns of J and P) and friction (the
  /// last columns) act one period later than G has it.
  Eigen::MatrixXd late;
  Eigen::MatrixXd Z;  ///< rows × p: instruments, G of the same windows in another record.
};

/// The equations of motion of one swing in weak form.
///
/// In absolute angles, with test functions ψ = sin⁴(πt/T) and integrated by parts,
///   ∫ψ·τ_i dt = −∫ψ̇·∂K/∂ω_i dt + ∫ψ·(∂V/∂θ_i − ∂K/∂θ_i + friction) dt
/// is the balance of link i, linear in β, without accelerations. With `leaning` V has the terms
/// Σ_i H_i·sin θ_i too, and G the columns cos θ_i of the H_i behind those of β: of centres of mass
/// beside the lines of the links, of a base that is not level, of zeros of the encoders. Momenta
/// are those between two samples. Friction of a joint that moves in less than `stuck_fraction` of a
/// window is no function of its rate: the balances of the links that it locks together are added,
/// so that it drops out, and that of links locked to the ground is left out. Windows wider than the
/// first are for swings in which nothing sticks: noise in them counts less. Source: Bortz,
/// Messenger & Dukic, Bull. Math. Biol. 85, 2023 (weak form).
class SwingBalances {
 public:
  /// @param problem, options  must outlive this.
  SwingBalances(const Problem& problem, const SwingRecord& record, const BalanceOptions& options);

  /// Returns the balances of all windows in which something moves: those about the same instant
  /// stand together, one behind the other.
  /// @param model  the same swing, as long, by a model: its rows are the instruments; nullptr: the
  ///               rows are their own.
  std::vector<Balances> Windows(const SwingBalances* model = nullptr) const;

 private:
  Balances None(Eigen::Index rows) const;
  static void Append(const Balances& more, Balances& to);
  /// Returns the balances of all links in the window of width + 1 samples.
  Balances OfLinks(Eigen::Index first, Eigen::Index width) const;
  /// Adds `weight` times the columns of ∂K/∂ω between samples k and k + 1.
  void AddMomenta(Eigen::Index k, double weight, Eigen::MatrixXd& G) const;
  /// Adds `weight` times what these columns change by in a period, see Balances::late.
  void AddLate(Eigen::Index k, double weight, Eigen::MatrixXd& late) const;
  /// Adds `weight` times the columns of ∂V/∂θ − ∂K/∂θ and of friction at sample k.
  void AddForces(Eigen::Index k, double weight, Eigen::MatrixXd& G) const;
  /// Returns the sums of links that joints at rest lock together, a row of 0 and 1 each.
  Eigen::MatrixXd Groups(Eigen::Index first, Eigen::Index width) const;

  const Problem& problem_;
  const PlanarLagrangian& lagrangian_;
  const BalanceOptions& options_;
  double h_, delay_;
  Eigen::Index columns_;
  Eigen::MatrixXd theta_;       ///< n × N, absolute angles as they were read.
  Eigen::MatrixXd S_inverse_;   ///< n × n
  Eigen::MatrixXd tau_;         ///< n × N, on the absolute angles.
  Eigen::MatrixXd qd_, omega_;  ///< n × N, smoothed rates of joints and links.
};

}  // namespace idbench
