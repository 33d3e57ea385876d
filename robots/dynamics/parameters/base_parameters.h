#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "robots/dynamics/rows.h"

namespace idbench {

/// Base (minimal) parameters β = B·π of a robot for given equations: the combinations of standard
/// parameters that these equations can tell apart.
///
/// Found numerically from the regressor at fixed random states. Columns are taken in π's order; a
/// column that depends on earlier ones is regrouped into them (Gautier 1991). With this order links
/// nearer to the base keep their parameters, as in Khalil's rules.
struct BaseParameters {
  std::vector<int> independent;  ///< Indices into π, increasing: the columns that β keeps.
  Eigen::MatrixXd B;  ///< independent.size() × size of π; the identity on `independent`.
  /// `link2.Izz`, or `link2.Izz_R` if other parameters are regrouped into it.
  std::vector<std::string> names;
  std::vector<std::string> expressions;  ///< "link2.Izz + link3.Iyy + 0.25·link3.m" …
  std::vector<int> unidentifiable;  ///< Indices into π of considered parameters without any effect.
  /// Last kept over first dropped singular value; infinite at full rank.
  double singular_value_gap = 0.0;

  int size() const { return static_cast<int>(independent.size()); }
};

/// Finds the base parameters that data of all the configurations together can tell apart.
/// @param considered  indices into π, strictly increasing; other parameters count as known.
/// @param configurations  indices into RobotModel::configurations(); empty: those that have data
///         for identification.
/// @throws std::invalid_argument if `considered` is not strictly increasing.
/// @throws std::domain_error if no gap of at least 1e6 separates the singular values of the scaled
///         regressor, so that its rank is not certain; the message names the robot and the gap.
BaseParameters FindBaseParameters(const RobotModel& model,
                                  const std::vector<PlacedEquation>& equations,
                                  const std::vector<int>& considered,
                                  const FrictionShape& friction = {},
                                  std::vector<int> configurations = {});

/// Fixed pseudo-random states: q in ±π [rad] or ±1 [m], q̇ in ±5, q̈ in ±20 (SI), and inputs in ±1.
struct FixedStates {
  Eigen::MatrixXd q, qd, qdd;   ///< count × n
  Eigen::MatrixXd inputs = {};  ///< count × RobotModel::input_count(), see StateSamples::inputs.
  StateSamples samples() const { return {q, qd, qdd, &inputs}; }
};
/// Returns `count` fixed states. The same arguments give the same states; `salt`
/// selects another set.
FixedStates MakeFixedStates(const RobotModel& model, Eigen::Index count, unsigned salt);
/// Sets of fixed states that results depend on. The value is the salt: another one changes results.
enum class StateSet : unsigned {
  kBaseParameters = 1,      ///< On which FindBaseParameters() tells parameters apart.
  kTorqueError = 2,         ///< On which metrics compare torques of estimate and truth.
  kWrittenModel = 3,        ///< On which a written model is compared with the one it came from.
  kFingerprint = 3,         ///< Of which the fingerprint of floating-point arithmetic is made.
  kIdentifiability = 4,     ///< On which an overview tells what shows a parameter.
  kSeenDirections = 5,      ///< On which recursive least squares finds its directions.
  kSelfCheck = 17,          ///< On which a robot is checked against MuJoCo.
  kInstructionCounts = 61,  ///< On which the instructions of the kernel are counted.
};
FixedStates MakeFixedStates(const RobotModel& model, Eigen::Index count, StateSet set);

/// Returns true if rows of one of the equations can hold the inertia of a body, see
/// RobotModel::body_end(): of moving links and what is attached to them all do but those of a cut
/// that these do not lie beyond, and those of joints that do not carry it. No equations stand for
/// the joint torques.
bool InRows(const RobotModel& model, int body, const std::vector<PlacedEquation>& equations);
/// Returns true if rows of one of the equations hold a term.
bool InRows(const Term& term, const std::vector<PlacedEquation>& equations);

/// Returns the indices into π of the parameters that can be estimated: the inertial parameters of
/// the bodies in the rows of `equations` (massless links have none, and attached bodies may be
/// known), the given parameters of all joints, and the terms with these names; where only some rows
/// of equations count, those of joints that have a row. Increasing.
std::vector<int> ConsideredParameters(const RobotModel& model,
                                      const std::vector<PlacedEquation>& equations,
                                      const std::vector<JointParameter>& joint_parameters,
                                      const std::vector<std::string>& terms = {});

}  // namespace idbench
