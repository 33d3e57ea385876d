#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "bench/lab_checks/data_change.h"
#include "robots/recording/dataset.h"

namespace idbench {

/// Samples of a processed log on which hypotheses are compared: few enough to be quick, all joints
/// at once, in blocks of time that are held out one after another. Columns as recorded.
class LabRows {
 public:
  static constexpr Eigen::Index kBlocks = 16;
  /// Longest delay of torques that can be looked at [s].
  static constexpr double kLongestDelay = 0.1;

  /// @param processed  segments with joint_position, joint_velocity, joint_acceleration and
  ///                   joint_torque on one time vector each; must outlive this object.
  /// @param samples    about how many to keep.
  /// @throws std::invalid_argument if a channel is missing or no segment is long enough.
  LabRows(std::span<const Dataset> processed, Eigen::Index samples);

  /// Whether the segments have samples enough for the blocks, behind the longest delay.
  static bool CanHold(std::span<const Dataset> processed);

  std::span<const Dataset> processed() const { return processed_; }
  Eigen::Index size() const { return time_s_.size(); }
  int joints() const { return static_cast<int>(q_.cols()); }
  const Eigen::VectorXd& time_s() const { return time_s_; }
  /// First sample of block b; of kBlocks it is size().
  Eigen::Index BlockStart(Eigen::Index b) const { return b * size() / kBlocks; }

  /// Return what the model's joints read, N × n.
  Eigen::MatrixXd Positions(const DataChange& change) const;
  Eigen::MatrixXd Velocities(const DataChange& change) const;
  Eigen::MatrixXd Accelerations(const DataChange& change) const;
  /// Returns the columns of the torques delay_s later, N × n, neither sorted nor scaled.
  Eigen::MatrixXd Torques(double delay_s) const;
  /// Returns 1 where the column's velocity keeps its sign for long enough that a low-pass leaves no
  /// trace of Coulomb friction's jump, 0 elsewhere, N × n.
  const Eigen::MatrixXd& steady_sign() const { return steady_sign_; }

 private:
  struct Picked {
    Eigen::Index segment, sample;
  };
  /// Sets steady_sign_ of what was picked of a segment, rows first … last − 1.
  void MarkSteadySigns(const Dataset& segment, Eigen::Index first, Eigen::Index last);

  std::span<const Dataset> processed_;
  std::vector<Picked> picked_;
  Eigen::VectorXd time_s_;
  Eigen::MatrixXd q_, qd_, qdd_, steady_sign_;
};

/// Part of the widest range of positions below which a joint never moves.
inline constexpr double kNeverMoves = 0.005;
/// Returns the joints that never move.
/// @param ranges  of the positions of each joint.
std::vector<int> NeverMoving(const Eigen::VectorXd& ranges);

}  // namespace idbench
