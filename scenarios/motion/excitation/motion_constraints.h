#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "robots/dynamics/collision_model.h"
#include "robots/dynamics/dynamics.h"
#include "robots/dynamics/kinematics.h"
#include "robots/dynamics/rows.h"

namespace idbench {

/// What a motion has to keep, at samples of it: joints within ranges, below greatest speeds,
/// accelerations and torques; spheres apart from one another and above a floor. Each is a number
/// that may not be above 0, without unit:
///
///   (q − q_mid)/half − 1, and of its opposite,  |q̇|/v − 1, |q̈|/a − 1, |τ|/τ_max − 1 likewise,
///   1 − d/(r₁ + r₂) of two spheres at the distance d,  (z_floor − z)/0.1 m of a sphere's centre.
///
/// Limits that are infinite are left out; a joint without a range has that of PositionRange().
class MotionConstraints {
 public:
  struct Options {
    double margin = 1.0;  ///< Factor on ranges about their middles, speeds, accelerations, torques.
    bool torques = true;
    /// How many standard deviations of a torque count beside |τ|: √(w·Σ·wᵀ) of its row w of the
    /// regressor and the covariance Σ of π.
    double torque_sigmas = 0.0;
    Eigen::MatrixXd pi_covariance = {};  ///< Σ; empty: 0.
    bool pairs = true;                   ///< Of spheres.
    std::optional<double> floor_m =
        std::nullopt;          ///< Height of the floor in the base frame; nothing: no floor.
    double clearance_m = 0.0;  ///< What spheres and the floor must be apart beside.
  };

  /// @param dynamics  of the model; both must outlive this object.
  /// @param pi        parameters of the torques that are limited.
  MotionConstraints(const RobotModel& model, const Dynamics& dynamics, Eigen::VectorXd pi,
                    const Options& options);

  /// Returns the number of constraints of a sample.
  Eigen::Index size() const { return size_; }
  /// Computes all of them. @param[out] g  samples × size(), resized.
  void Values(const StateSamples& samples, Dynamics::Scratch& scratch, Eigen::MatrixXd& g) const;
  /// Adds the derivatives of Σ weights·g. @param weights  samples × size(), not negative.
  void AddGradient(const StateSamples& samples, const Eigen::MatrixXd& weights,
                   Dynamics::Scratch& scratch, StateGradient& gradient) const;

  /// Returns what constraint `index` of a sample is of, for messages: "velocity of 'joint2'".
  std::string NameOf(Eigen::Index index) const;

 private:
  /// Limits of one kind: |value − middle| ≤ half, of the joints that have them.
  struct Box {
    std::string_view what;
    std::vector<int> joints;
    Eigen::VectorXd middle, half;  ///< By joint in `joints`.
  };

  /// Returns the distance that the centres of two spheres have to keep [m].
  double ApartOf(int one, int other) const;
  static Box MakeBox(std::string_view what, const Eigen::VectorXd& lower,
                     const Eigen::VectorXd& upper, double margin);
  /// Returns the spread of torques beside |τ|, samples × n, and W·Σ of each row if it is asked for.
  Eigen::MatrixXd SpreadOf(const StateSamples& samples, Dynamics::Scratch& scratch,
                           std::vector<Eigen::MatrixXd>* by_row) const;
  Eigen::Index places() const {
    return std::ssize(collision_.pairs) + (floor_m_ ? std::ssize(collision_.above_floor) : 0);
  }

  const RobotModel& model_;
  CollisionModel collision_;
  const Dynamics& dynamics_;
  Eigen::VectorXd pi_;
  std::optional<double> floor_m_;
  double clearance_m_;
  std::vector<Box> boxes_;  ///< Of q, q̇, q̈ and τ.
  std::unique_ptr<RowRegressor> torques_;
  std::vector<int> torque_columns_;
  Eigen::MatrixXd spread_;  ///< Σ of those columns, times the square of `torque_sigmas`; or empty.
  Eigen::Index size_ = 0;
};

}  // namespace idbench
