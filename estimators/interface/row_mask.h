#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "estimators/interface/problem.h"

namespace idbench {

/// Which equation rows of a sample count. Near rest a joint creeps before it slides, and friction
/// is not what the columns say; rows of an equation with a dead zone count only where what moves is
/// as fast as the zone says: |v| ≥ zone, with v
///   - the velocity q̇_j of each joint that has a zone, and
///   - that of each motor that drives several joints, v = cᵀq̇ / max|c|, c its column of B: in units
///     of the joint that it turns most, and with the largest zone of those that it drives.
/// DeadZoneOf::kRow asks for those on which the row's joint torques depend, DeadZoneOf::kSample for
/// all of the robot. Velocities are those that the estimator is given.
///
/// A row that does not count is NaN on the measured side, as one that a live robot fails to
/// deliver. Source of such zones: Traversaro, Del Prete, Muradore, Natale & Nori, 2013, section V.
class RowMask {
 public:
  /// All rows of everything count.
  RowMask() = default;
  /// @param equations  their rows, one equation after another.
  RowMask(const RobotModel& model, std::span<const EquationRows> equations);

  /// Returns true if all rows count at all velocities.
  bool empty() const { return rows_.empty(); }

  /// Sets rows that do not count to NaN. Allocates nothing.
  /// @param qd          n [rad/s or m/s].
  /// @param[in,out] y  one entry per row.
  void Apply(const Eigen::Ref<const Eigen::VectorXd>& qd, Eigen::Ref<Eigen::VectorXd> y) const;
  /// The same for N samples.
  /// @param qd          N × n.
  /// @param[in,out] y  N × rows.
  void ApplyToSamples(const Eigen::Ref<const Eigen::MatrixXd>& qd,
                      Eigen::Ref<Eigen::MatrixXd> y) const;

  /// Refuses data of which nothing is left in some row.
  /// @param counts  number of samples that count, one per row.
  /// @param samples  number of samples.
  /// @throws EstimationFailure (refused) with the row's name.
  void CheckLeft(const Eigen::Ref<const Eigen::VectorXd>& counts, Eigen::Index samples) const;

 private:
  struct Speed {
    std::vector<Term::Share> shares;  ///< c of v = cᵀq̇.
    double zone;
  };
  struct Row {
    Eigen::Index row;
    std::string name;
    std::vector<std::size_t> speeds;  ///< Indices into speeds_.
  };
  template <class Rates>
  bool Counts(const Row& row, const Rates& qd) const;
  void AddSpeeds(const RobotModel& model, const Eigen::VectorXd& zones);

  std::vector<Speed> speeds_;
  std::vector<Row> rows_;  ///< Those that do not count everywhere.
};

/// What dead zones leave out of an equation.
struct LeftOutRows {
  std::string equation;
  Eigen::Index rows = 0;      ///< Over all samples for identification.
  Eigen::Index left_out = 0;  ///< Of these.

  /// Returns it in words, "61 % of the rows of joint_torque lie in the dead zone".
  std::string Describe() const;
};

/// Returns what is left out of each equation with a dead zone, in data for identification; without
/// their samples where velocities are missing. An estimator that filters leaves out as many, as far
/// as it keeps the samples.
std::vector<LeftOutRows> LeftOutOf(const Problem& problem, std::span<const Dataset> datasets);

}  // namespace idbench
