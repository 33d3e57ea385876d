#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <optional>
#include <string>
#include <vector>

#include "robots/dynamics/base_parameters.h"
#include "robots/dynamics/body_map.h"
#include "robots/dynamics/planar_lagrangian.h"

namespace idbench {

/// π = π₀ + A·x. Columns of A are what a unit of x adds to π.
struct AffineMap {
  Eigen::VectorXd pi0;  ///< Size of π.
  Eigen::MatrixXd A;    ///< Size of π × size of x.
};

/// A body of which π is not affine in the unknowns.
struct MappedBody {
  int first_pi;  ///< Its ten standard parameters follow from there on.
  int first_x;   ///< Its unknowns.
  BodyMap map;
};

/// π and ∂π/∂x at some x; made by Parametrisation::MakeLinearisation().
struct Linearisation {
  Eigen::VectorXd pi;
  Eigen::SparseMatrix<double> J;  ///< Its pattern is the same at every x.
};

/// How the unknowns x relate to the standard parameters π, and what may be known about x:
/// π = π₀ + A·x, plus what bodies add whose ten parameters are not affine in their unknowns. Where
/// x is the β of a PlanarLagrangian, no π stands for it: π is 0.
class Parametrisation {
 public:
  /// What a prior says, in x. Absent: nothing is known.
  struct Prior {
    Eigen::VectorXd mean;
    std::optional<Eigen::MatrixXd> covariance;
  };

  /// @param map     where `bodies` have unknowns or parameters, both are 0.
  /// @param to_x    recovers the other unknowns from a π: x = to_x·(π − π₀).
  /// @param bodies  that are not affine.
  Parametrisation(std::string type, AffineMap map, Eigen::MatrixXd to_x,
                  std::vector<std::string> names, std::vector<std::string> units,
                  std::vector<MappedBody> bodies = {},
                  std::optional<PlanarLagrangian> lagrangian = std::nullopt);

  const std::string& type() const { return type_; }
  int size() const { return static_cast<int>(names.size()); }
  int pi_size() const { return static_cast<int>(map_.pi0.size()); }
  /// The map, if π is affine in x; nullptr otherwise.
  const AffineMap* affine() const { return bodies_.empty() && !lagrangian_ ? &map_ : nullptr; }
  /// The model of which x is the β, if it is not π that the equations of motion are linear in;
  /// nullptr otherwise.
  const PlanarLagrangian* lagrangian() const { return lagrangian_ ? &*lagrangian_ : nullptr; }

  Eigen::VectorXd Pi(const Eigen::Ref<const Eigen::VectorXd>& x) const;
  /// ∂π/∂x at x: size of π × size of x.
  Eigen::MatrixXd Jacobian(const Eigen::Ref<const Eigen::VectorXd>& x) const;
  /// Entries of π that π₀ or x can make non-zero.
  std::vector<int> UsedPi() const;

  /// For Linearise() to write to; where π is affine, J is A already.
  Linearisation MakeLinearisation() const;
  /// Pi() and Jacobian() at x, into `at`. Allocates nothing.
  void Linearise(const Eigen::Ref<const Eigen::VectorXd>& x, Linearisation& at) const;

  /// The x whose Pi() predicts as `pi` does, as far as this parametrisation can. Not finite where
  /// it has none, e.g. the logarithm of a negative mass.
  Eigen::VectorXd FromPi(const Eigen::Ref<const Eigen::VectorXd>& pi) const;

  std::vector<std::string> names;
  std::vector<std::string> units;
  Eigen::VectorXd lower, upper;  ///< ±infinity where x is not bounded.
  std::optional<Prior> prior;
  /// Pi() is one of many that predict the same: single links of it mean nothing.
  bool representative = false;
  /// How a name is to be read, for base parameters their combination; empty or one for each name.
  std::vector<std::string> expressions;

 private:
  std::string type_;
  AffineMap map_;
  Eigen::MatrixXd to_x_;
  std::vector<MappedBody> bodies_;
  std::optional<PlanarLagrangian> lagrangian_;
};

/// x = the considered standard parameters; all others are zero.
Parametrisation StandardParametrisation(const RobotModel& model,
                                        const std::vector<int>& considered);

/// x = base parameters; Pi() puts them on their independent columns and is `representative`.
Parametrisation BaseParametrisation(const RobotModel& model, const BaseParameters& base);

/// x = per body mass and principal moments (m, J1, J2, J3) about the centre of mass, then the joint
/// parameters: centres of mass and principal axes are taken as known, from `pi_known`.
///
/// I_o = R·diag(J)·Rᵀ + m·(|c|²·1 − c·cᵀ), h = m·c.
/// @param considered  of a body either all ten parameters or none.
/// @throws std::invalid_argument if a considered body has no mass in `pi_known`, so no known
/// centre,
///         or if only some of its parameters are considered.
/// Source: Joukov, Bonnet, Venture & Kulić, IROS 2015, section IV.A.
Parametrisation MassesAndMoments(const RobotModel& model, const std::vector<int>& considered,
                                 const Eigen::Ref<const Eigen::VectorXd>& pi_known);

/// x = per body mass, first moments and principal moments about the centre of mass (m, mcx, mcy,
/// mcz, J1, J2, J3), see FirstMomentsMap, then the joint parameters: principal axes are taken as
/// known, from `pi_known`. Not affine.
/// @throws std::invalid_argument as MassesAndMoments().
Parametrisation MassesMomentsAndFirstMoments(const RobotModel& model,
                                             const std::vector<int>& considered,
                                             const Eigen::Ref<const Eigen::VectorXd>& pi_known);

/// x = β of a planar robot: more than its π can stand for. FromPi() is PlanarLagrangian::FromPi().
Parametrisation PlanarLagrangianParametrisation(const RobotModel& model,
                                                PlanarLagrangian lagrangian);

/// x = per body the ten unknowns of LogCholeskyMap, then the joint parameters: every x stands for
/// bodies that can exist. Not affine.
/// @param pi_known  bodies that x has to be able to stand for.
/// @throws std::invalid_argument if a considered body is not physically consistent in `pi_known`,
///         or if only some of its parameters are considered.
Parametrisation LogCholesky(const RobotModel& model, const std::vector<int>& considered,
                            const Eigen::Ref<const Eigen::VectorXd>& pi_known);

}  // namespace idbench
