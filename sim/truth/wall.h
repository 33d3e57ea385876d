#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <optional>
#include <string>

#include "robots/mjspec.h"
#include "sim/truth/true_robot.h"

namespace idbench {

/// A plane that pushes back a point T of a link that is behind it:
///
///   f = F·n − μ·F·v_t/√(|v_t|² + w²),   F = max(0, k·d − c·n·v),
///
/// with d the depth of T behind the plane, v its velocity and v_t the part of v along the plane.
/// The wall does not pull.
struct Wall {
  std::string name;  ///< "wall 0"
  int link = 0;
  /// T is on a body that is attached to the link, and so beyond every cut through it.
  bool beyond_cuts = false;
  Eigen::Vector3d p_LT_L = Eigen::Vector3d::Zero();     ///< In the link's frame [m].
  Eigen::Vector3d p_BW_B = Eigen::Vector3d::Zero();     ///< A point of the plane, base axes [m].
  Eigen::Vector3d normal_B = Eigen::Vector3d::UnitZ();  ///< n, of length 1, out of the wall.
  double stiffness = 0.0;                               ///< k [N/m]
  double damping = 0.0;                                 ///< c [N·s/m]
  double friction = 0.0;                                ///< μ
  double friction_width = 1e-3;                         ///< w [m/s]
};

/// Contact of a robot with one wall, at one state. Use one object per thread; the wall must outlive
/// it. Find() allocates nothing.
class WallContact {
 public:
  WallContact(const Wall& wall, const TrueRobot& robot);

  /// Computes the contact at the position and velocities in `data`. mj_comPos() comes before.
  void Find(const mjModel& model, const mjData& data);

  const Wall& wall() const { return wall_; }
  int body() const { return body_; }
  /// The rest is about the contact that Find() computed last.
  double depth() const { return depth_; }        ///< d [m], negative in front of the wall.
  bool presses() const { return force_ > 0.0; }  ///< F > 0.
  const Eigen::Vector3d& point() const { return p_WT_W_; }   ///< T in world axes [m].
  const Eigen::Vector3d& force() const { return force_W_; }  ///< f in world axes [N].
  /// Adds h·JᵀCJ, with C = c·n·nᵀ + μ·F/√(|v_t|² + w²)·(1 − n·nᵀ): the rise of −h·Jᵀf with the
  /// velocities. Friction rises with its secant, so that a step that takes it at its end comes to
  /// rest and does not swing across.
  /// @param M  n × n, in the order of the robot's joints.
  void AddDamping(double h, Eigen::MatrixXd& M) const;
  /// Returns nᵀ·J·M⁻¹·Jᵀ·n, how easily T moves across the plane [1/kg].
  double Mobility(const Eigen::LLT<Eigen::MatrixXd>& M) const;

 private:
  using Jacobian = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>;

  const Wall& wall_;
  int body_, base_;
  Eigen::VectorXi dofs_;  ///< Address of each joint in MuJoCo's vectors.
  double depth_ = 0.0;
  double force_ = 0.0;    ///< F [N]
  double sliding_ = 0.0;  ///< μ·F/√(|v_t|² + w²) [N·s/m]
  Eigen::Vector3d n_W_, p_WT_W_, force_W_;
  Jacobian J_mujoco_;   ///< 3 × n, of T, in MuJoCo's order.
  Eigen::Matrix3Xd J_;  ///< 3 × n, of T, in world axes.
};

/// Greatest h·√(k·nᵀJM⁻¹Jᵀn) of a step h: 12 steps of a period of the robot on the wall's spring.
inline constexpr double kStiffestContact = 0.5;

/// Returns why walls cannot be simulated with these options; nothing if they can.
std::optional<std::string> WhyNoWalls(const MujocoPlantOptions& options,
                                      const MismatchOptions& mismatch);

}  // namespace idbench
