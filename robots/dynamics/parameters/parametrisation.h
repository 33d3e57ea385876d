#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <optional>
#include <string>
#include <vector>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/dynamics/parameters/body_map.h"
#include "robots/dynamics/walkers/planar_lagrangian.h"

namespace idbench {

/// Affine map π = π₀ + A·x. Column k of A is what a unit of x_k adds to π.
struct AffineMap {
  Eigen::VectorXd pi0;  ///< Size of π.
  Eigen::MatrixXd A;    ///< Size of π × size of x.
};

/// Body whose π is not affine in the unknowns.
struct MappedBody {
  int first_pi;  ///< Index into π of its first parameter; it has ten.
  int first_x;   ///< Index into x of its first unknown; it has BodyMap's kSize.
  BodyMap map;
};

/// π and ∂π/∂x at some x; made by Parametrisation::MakeLinearisation().
struct Linearisation {
  Eigen::VectorXd pi;
  Eigen::SparseMatrix<double> J;  ///< Size of π × size of x; the same pattern at every x.
};

/// Relation between the unknowns x and the standard parameters π, and what may be known about x. π
/// = π₀ + A·x, plus the bodies whose ten parameters are not affine in their unknowns. If x is the β
/// of a PlanarLagrangian, no π represents it: π is 0.
class Parametrisation {
 public:
  /// What a prior says about x. Without a covariance it does not say how far its mean may be off.
  struct Prior {
    Eigen::VectorXd mean;
    std::optional<Eigen::MatrixXd> covariance;
    /// Relative σ of bodies as wholes, from the base link on, in the metric of their
    /// pseudo-inertia; NaN where none is stated, empty if of no body.
    Eigen::VectorXd body_sigma = {};
    /// Directions of x that nothing is known of, independent columns of p entries; empty if there
    /// are none. The covariance is 0 along the unknowns that they alone move.
    Eigen::MatrixXd unknown = {};

    /// Returns true if nothing is known of unknown k, so that the covariance says nothing of it.
    bool KnowsNothingOf(Eigen::Index k) const {
      return unknown.size() > 0 && !unknown.row(k).isZero(0.0);
    }
  };

  /// @param type    name of the kind, e.g. "base".
  /// @param map     0 for the unknowns and parameters of `bodies`.
  /// @param to_x    recovers the other unknowns from π: x = to_x·(π − π₀); size of x × size of π.
  /// @param bodies  bodies whose π is not affine in the unknowns.
  /// @throws std::invalid_argument if sizes contradict each other.
  Parametrisation(std::string type, AffineMap map, Eigen::MatrixXd to_x,
                  std::vector<std::string> names, std::vector<std::string> units,
                  std::vector<MappedBody> bodies = {},
                  std::optional<PlanarLagrangian> lagrangian = std::nullopt);

  const std::string& type() const { return type_; }
  int size() const { return static_cast<int>(names.size()); }
  int pi_size() const { return static_cast<int>(map_.pi0.size()); }
  /// Returns the map if π is affine in x, nullptr otherwise.
  const AffineMap* affine() const { return bodies_.empty() && !lagrangian_ ? &map_ : nullptr; }
  /// Returns the model whose β is x, if the equations of motion are linear in β instead of π;
  /// nullptr otherwise.
  const PlanarLagrangian* lagrangian() const { return lagrangian_ ? &*lagrangian_ : nullptr; }

  /// Sets entries of π₀, of parameters that are known.
  /// @throws std::invalid_argument if they leave π, or an unknown moves one of them.
  void SetKnown(int first, const Eigen::Ref<const Eigen::VectorXd>& values);

  /// Returns π(x).
  Eigen::VectorXd Pi(const Eigen::Ref<const Eigen::VectorXd>& x) const;
  /// Returns ∂π/∂x at x: size of π × size of x.
  Eigen::MatrixXd Jacobian(const Eigen::Ref<const Eigen::VectorXd>& x) const;
  /// Returns the indices of the entries of π that π₀ or x can make non-zero, increasing.
  std::vector<int> UsedPi() const;

  /// Returns storage for Linearise(); if π is affine, its J is A already.
  Linearisation MakeLinearisation() const;
  /// Computes Pi() and Jacobian() at x. Allocates nothing.
  /// @param[in,out] at  from MakeLinearisation() of this object.
  void Linearise(const Eigen::Ref<const Eigen::VectorXd>& x, Linearisation& at) const;

  /// Returns the x whose Pi() predicts the same as `pi`, as far as this parametrisation can. Not
  /// finite if there is none, e.g. for the logarithm of a negative mass.
  Eigen::VectorXd FromPi(const Eigen::Ref<const Eigen::VectorXd>& pi) const;

  /// Names and units of the unknowns, one each.
  std::vector<std::string> names;
  std::vector<std::string> units;
  Eigen::VectorXd lower, upper;  ///< Bounds of x; ±infinity if there is none.
  std::optional<Prior> prior;
  /// Pi() is one of many that predict the same: its single links have no meaning.
  bool representative = false;
  /// The unknowns change with time, so that no x is that of all data.
  bool changes = false;
  /// Explanation of each name, for base parameters their combination; empty or one per name.
  std::vector<std::string> expressions;

 private:
  std::string type_;
  AffineMap map_;
  Eigen::MatrixXd to_x_;
  std::vector<MappedBody> bodies_;
  std::optional<PlanarLagrangian> lagrangian_;
};

/// Makes x = the considered standard parameters; all others are zero.
/// @param considered  indices into π, increasing.
Parametrisation StandardParametrisation(const RobotModel& model,
                                        const std::vector<int>& considered);

/// Makes x = base parameters; Pi() puts them on their independent columns and is `representative`.
Parametrisation BaseParametrisation(const RobotModel& model, const BaseParameters& base);

/// Makes x = per body mass and principal moments (m, J1, J2, J3) about the centre of mass, then the
/// joint parameters. Centres of mass and principal axes are known, from `pi_known`.
///
/// I_o = R·diag(J)·Rᵀ + m·(|c|²·1 − c·cᵀ), h = m·c.
/// @param considered  for each body either all ten parameters or none.
/// @throws std::invalid_argument if a considered body has no mass in `pi_known`, so that its centre
///         is unknown, or if only some of its parameters are considered. Source: Joukov, Bonnet,
///         Venture & Kulić, IROS 2015, section IV.A.
Parametrisation MassesAndMoments(const RobotModel& model, const std::vector<int>& considered,
                                 const Eigen::Ref<const Eigen::VectorXd>& pi_known);

/// Makes x = per body mass, first moments and principal moments about the centre of mass (m, mcx,
/// mcy, mcz, J1, J2, J3), see FirstMomentsMap, then the joint parameters. Principal axes are known,
/// from `pi_known`. Not affine.
/// @throws std::invalid_argument as MassesAndMoments() does.
Parametrisation MassesMomentsAndFirstMoments(const RobotModel& model,
                                             const std::vector<int>& considered,
                                             const Eigen::Ref<const Eigen::VectorXd>& pi_known);

/// Makes x = β of a planar robot, which its π cannot represent. FromPi()
/// is PlanarLagrangian::FromPi().
Parametrisation PlanarLagrangianParametrisation(const RobotModel& model,
                                                PlanarLagrangian lagrangian);

/// Makes x = per body the ten unknowns of LogCholeskyMap, then the joint parameters: every x
/// represents physical bodies. Not affine.
/// @param pi_known  standard parameters with physically consistent considered bodies.
/// @throws std::invalid_argument if a considered body is not physically consistent in `pi_known`,
///         or if only some of its parameters are considered.
Parametrisation LogCholesky(const RobotModel& model, const std::vector<int>& considered,
                            const Eigen::Ref<const Eigen::VectorXd>& pi_known);

}  // namespace idbench
