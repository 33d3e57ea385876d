#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "robots/dynamics/equations.h"
#include "robots/dynamics/parameters/parametrisation.h"
#include "robots/recording/aligned_view.h"
#include "scenarios/options/capability.h"

namespace idbench {

/// Whose speed a dead zone asks for, see RowMask.
enum class DeadZoneOf : std::uint8_t {
  kRow,     ///< Of those on which the row depends.
  kSample,  ///< Of all of the robot that have one.
};
template <>
inline constexpr auto kEnumNames<DeadZoneOf> = std::to_array<EnumName<DeadZoneOf>>(
    {{DeadZoneOf::kRow, "row"}, {DeadZoneOf::kSample, "sample"}});

/// An equation that an estimator is to use, with the declared noise of its rows. There may be
/// several of a kind, each measured by a channel of its own.
struct EquationRows {
  Equation equation = Equation::kTorque;
  /// Standard deviation of each row that counts [N·m or N], as declared; empty where none is.
  /// Behind processing that of white noise with the same spectral density at frequency 0: fits and
  /// filters take it for white. Of drives that of B·diag(v)·gains at the known gains or those of
  /// the prior.
  Eigen::VectorXd sigma = {};
  std::string channel = "";      ///< "" for that of the kind.
  std::string mount = "";        ///< Place that its rows are about; "" for that of the kind.
  int cut = -1;                  ///< Of kCut: index into RobotModel::cuts() of the place.
  std::vector<int> chosen = {};  ///< Rows that count, see PlacedEquation::rows; empty: all.
  /// Least speed of each joint at which rows count, n [rad/s or m/s], 0 for any; empty: all rows
  /// count. See RowMask.
  Eigen::VectorXd dead_zone = {};
  DeadZoneOf dead_zone_of = DeadZoneOf::kRow;
  /// Standard deviation of one sample of each row that counts, which residuals and innovations
  /// have; empty: as `sigma`.
  Eigen::VectorXd sample_sigma = {};
  /// Autocorrelation of the noise of each row from sample to sample, ρ_0 = 1, ρ_1, …; empty: white.
  Eigen::VectorXd autocorrelation = {};

  /// Returns `sample_sigma`, or `sigma` where that is the same.
  const Eigen::VectorXd& of_sample() const {
    return sample_sigma.size() > 0 ? sample_sigma : sigma;
  }
  /// Returns the name of the channel that holds the measured side.
  std::string_view measured() const {
    return channel.empty() ? InfoOf(equation).channel : std::string_view(channel);
  }
  /// Returns true for rows of drives: the channel stands among the columns, and nothing on the
  /// measured side.
  bool of_drives() const { return InfoOf(equation).rows == RowsFrom::kDriveRows; }
  /// Returns the first of the columns of StateSamples::inputs that hold the channel: of drives, and
  /// of a sensor with terms of calibration; −1 of others.
  int first_input(const RobotModel& model) const;
  /// Returns the equation.
  PlacedEquation placed() const { return {equation, cut, chosen}; }
  /// Returns the number of rows of a sample.
  int count(const RobotModel& model) const { return RowsOf(placed(), model.dofs()); }
  /// Returns the columns of the channel that the rows read: of drives those of the motors that
  /// drive one of their joints, of a calibrated sensor all.
  std::vector<int> ReadColumns(const RobotModel& model) const;
  /// Returns the name of the place that the rows are about.
  std::string_view place() const {
    return mount.empty() ? InfoOf(equation).mount : std::string_view(mount);
  }
};

/// Returns the equations of `rows`, one each.
std::vector<PlacedEquation> EquationsOf(const std::vector<EquationRows>& rows);

/// What an estimator estimates, and all that it may know about the robot.
///
/// Bounds, prior, friction columns and declared σ are part of the problem, so that all estimators
/// of a table get the same; an estimator's own options hold only what belongs to that method.
struct Problem {
  RobotModel model;        ///< Kinematic tree, gravity and limits; no value that is estimated.
  FrictionShape friction;  ///< s(q̇) of the Coulomb friction columns.
  Parametrisation parameters;
  std::vector<EquationRows> rows;
  AlignmentOptions alignment;  ///< What to do if channels were not sampled together.

  /// Returns the equations in the order of a RowRegressor's rows, each once.
  std::vector<EquationRows> rows_in_order() const;
  /// Returns the equations, in the order of `rows`.
  std::vector<PlacedEquation> equations() const;
  /// Returns the channels that hold the measured sides, in the order of `rows`.
  std::vector<std::string_view> measured_channels() const;
  /// Returns the number of equation rows of one sample, over all `rows`.
  int row_count() const;
  /// Returns the number of inputs of a sample, see StateSamples::inputs; 0 if no equation needs
  /// any.
  int input_count() const;
};

/// Returns the unknowns that are offsets of force/torque sensors or of joints' torques, and nothing
/// else; increasing. The parametrisation must be affine (asserted).
std::vector<Eigen::Index> UnknownOffsets(const Problem& problem);

/// Returns the cuts of whose sensors an entry of the calibration is unknown, increasing: indices
/// into RobotModel::cuts(). The parametrisation must be affine (asserted).
std::vector<int> UnknownCalibrations(const Problem& problem);

/// Returns what a problem supplies to a method, and words for what it does not.
Supplies SuppliedBy(const Problem& problem);

}  // namespace idbench
