#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <string_view>

#include "estimators/interface/problem.h"
#include "estimators/interface/series.h"
#include "robots/dynamics/walkers/planar_lagrangian.h"
#include "robots/plant/plant.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Direction of the rates with which an upright chain is let go.
enum class PushDirection : std::uint8_t {
  kTip,          ///< Those after a blow at the tip, A⁻¹·1, A the inertias of the guess.
  kAlternating,  ///< Link by link to either side.
  kLowestMode,   ///< The slowest mode of the guess under its compensation.
};
template <>
inline constexpr auto kEnumNames<PushDirection> =
    std::to_array<EnumName<PushDirection>>({{PushDirection::kTip, "tip"},
                                            {PushDirection::kAlternating, "alternating"},
                                            {PushDirection::kLowestMode, "lowest_mode"}});

/// How a swing is made, see Swing().
struct SwingOptions {
  double duration_s = 90.0;
  double push_rad_s = 0.02;
  double limit_rad = 0.2617993877991494;  // 15°
  double coriolis_factor = 1.0;
  double velocity_cutoff_hz = 20.0;

  bool operator==(const SwingOptions&) const = default;
};
/// Adds these options to the table of a method's.
void AddFields(FieldTable& table, SwingOptions& options);

/// What is known of a swing: positions that were read, and torques that were commanded.
struct SwingRecord {
  double period_s = 0.0;
  double torque_delay_periods = 0.5;  ///< See PlantInfo.
  Eigen::MatrixXd q;                  ///< n × N, at 0, period … [rad]
  /// n × N [N·m]: column k is held from q(k) on; the last one is the one before.
  Eigen::MatrixXd tau;
  bool fell = false;                         ///< The record ends before.
  Eigen::VectorXd gravity = {}, rates = {};  ///< As it was made, see SwingLaboratory::Swing().

  Eigen::Index size() const { return q.cols(); }
};

/// Returns the angles of the links from upright, one row each [rad].
Eigen::MatrixXd AnglesFromUpright(const SwingRecord& record, const PlanarLagrangian& lagrangian);

/// Beginning of the name of a swing among an estimate's series; what follows names the swing.
inline constexpr std::string_view kSwingSeries = "swing/";
/// Returns the angles of the links from upright in a swing, as they were read.
Series SwingSeries(const SwingRecord& record, const std::string& name, const Problem& problem);

/// Returns the positions of the joints at which all links of a planar Lagrangian are upright.
/// @throws EstimationFailure (refused), naming the joint, if one is beyond its range there.
Eigen::VectorXd Upright(const Problem& problem);

/// @throws EstimationFailure (refused) if the problem's robot has more joints than `most`.
void CheckJoints(const Problem& problem, int most);

/// Experiments on a chain that stands upright under over-compensated gravity.
///
/// The torque τ = Z(q, q̇, 0)·β' compensates the robot's Coriolis and centrifugal torques and f_i
/// times its gravity, as the guess β' has them. In absolute angles φ from upright it leaves
///   M(φ)·φ̈ = −diag(b_i·(f_i − 1))·sin φ,  b_i = G_i,
/// an upright spring where f_i > 1, and a fall where f_i < 1. Source: Jamisola & Dadios, A Novel
/// Dynamics Identification Method for Rigid-Body Manipulators, (6), (7), (13), with the sign of
/// (13) mended.
class SwingLaboratory {
 public:
  /// @param problem, plant  must outlive this.
  /// @throws EstimationFailure (refused) if the problem is no planar Lagrangian or has no prior, as
  ///         Upright() does, or if the plant takes no torques or begins at rest.
  SwingLaboratory(const Problem& problem, Plant& plant, const SwingOptions& options);

  int dofs() const { return lagrangian_.dofs(); }
  const PlanarLagrangian& lagrangian() const { return lagrangian_; }
  /// Returns the G of the prior's mean: the guess.
  Eigen::VectorXd guess() const {
    return prior_.segment(lagrangian_.FirstGravity(), lagrangian_.dofs());
  }
  /// Returns rates of absolute angles, the greatest of which is the declared one [rad/s].
  /// @param gravity  that is to be compensated, f_i·b_i [N·m]; of the lowest mode alone it decides.
  Eigen::VectorXd Push(PushDirection direction, const Eigen::VectorXd& gravity) const;
  /// Lets the chain go with such rates. It falls where an absolute angle passes the limit.
  /// @param gravity  that is compensated, f_i·b_i [N·m].
  SwingRecord Swing(const Eigen::VectorXd& gravity, const Eigen::VectorXd& rates);

 private:
  const PlanarLagrangian& lagrangian_;
  const Eigen::VectorXd& prior_;
  Plant& plant_;
  SwingOptions options_;
  Eigen::MatrixXd S_inverse_;
  Eigen::VectorXd upright_;  ///< q where all absolute angles are 0.
};

}  // namespace idbench
