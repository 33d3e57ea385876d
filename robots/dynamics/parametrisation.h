#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "robots/dynamics/base_parameters.h"

namespace idbench {

/// π = π₀ + A·x. Columns of A are what a unit of x adds to π.
struct AffineMap {
  Eigen::VectorXd pi0;  ///< Size of π.
  Eigen::MatrixXd A;    ///< Size of π × size of x.
};

/// How the unknowns x relate to the standard parameters π, and what may be known about x.
class Parametrisation {
 public:
  /// What a prior says, in x. Absent: nothing is known.
  struct Prior {
    Eigen::VectorXd mean;
    std::optional<Eigen::MatrixXd> covariance;
  };

  /// x and π are one map apart; `to_x` recovers x from a π: x = to_x·(π − π₀).
  Parametrisation(std::string type, AffineMap map, Eigen::MatrixXd to_x,
                  std::vector<std::string> names, std::vector<std::string> units);

  const std::string& type() const { return type_; }
  int size() const { return static_cast<int>(names.size()); }
  int pi_size() const { return static_cast<int>(map_.pi0.size()); }
  /// The map, if π is affine in x; nullptr otherwise.
  const AffineMap* affine() const { return &map_; }

  Eigen::VectorXd Pi(const Eigen::Ref<const Eigen::VectorXd>& x) const;
  /// ∂π/∂x at x: size of π × size of x.
  Eigen::MatrixXd Jacobian(const Eigen::Ref<const Eigen::VectorXd>& x) const;
  /// The x whose Pi() predicts as `pi` does, as far as this parametrisation can.
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
/// Source: Joukov, Bonnet, Venture & Kulić, Humanoids 2015, section II.
Parametrisation MassesAndMoments(const RobotModel& model, const std::vector<int>& considered,
                                 const Eigen::Ref<const Eigen::VectorXd>& pi_known);

}  // namespace idbench
