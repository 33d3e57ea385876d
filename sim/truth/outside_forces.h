#pragma once

#include <Eigen/Core>
#include <vector>

#include "robots/mjspec.h"
#include "sim/truth/scene.h"
#include "sim/truth/wall.h"

namespace idbench {

/// The forces of an environment on the bodies of a true robot's MuJoCo model, at one instant. Use
/// one object per thread; the scene's parts must outlive it. Allocates nothing after construction.
class OutsideForces {
 public:
  /// Nothing acts until Set() is called.
  explicit OutsideForces(const Scene& scene);

  /// Finds which touches act at time `t` [s]. O(log n + number of those between begin and end).
  void Set(double t);
  /// Returns true if anything may act: a touch at that time, or a wall.
  bool may_act() const { return !acting_.empty() || !contacts_.empty(); }
  /// Computes the forces at the position and velocities in `data`. mj_comPos() comes before.
  void Find(const mjModel& model, const mjData& data);

  /// The rest is about the forces that Find() computed last.

  /// Writes `xfrc_applied` of the bodies that are ever touched: 0 where nothing acts.
  void Apply(mjData& data) const;
  /// Subtracts the joint torques Jᵀf of the forces. mj_comPos() comes before.
  /// @param[out] torques  nv, in MuJoCo's order [N·m or N].
  void SubtractTorques(const mjModel& model, mjData& data, double* torques) const;
  /// Adds force and moment about a point P of all forces, in world axes [N, N·m].
  /// @param beyond_on  of those alone that are attached to this body and beyond its cuts; −1: all.
  void AddWrench(const Eigen::Vector3d& p_WP_W, int beyond_on, Eigen::Vector3d& force_W,
                 Eigen::Vector3d& moment_W) const;
  /// Returns the contacts with all walls.
  const std::vector<WallContact>& contacts() const { return contacts_; }

 private:
  /// A touch, and the body that carries its link's frame.
  struct Placed {
    const Touch* touch;
    int body;
  };
  struct Acting {
    Placed placed;
    double part;
  };
  struct Force {
    int body;  ///< That carries the frame of the link on which it acts.
    bool beyond_cuts;
    Eigen::Vector3d p_WT_W, force_W;  ///< [m, N]
  };

  int base_;                        ///< Body whose frame is the base's.
  std::vector<Placed> placed_;      ///< In the order of their begin.
  std::vector<double> latest_end_;  ///< Of each of these and all before it [s].
  std::vector<int> bodies_;         ///< That are ever touched.
  std::vector<Acting> acting_;
  std::vector<WallContact> contacts_;  ///< One for each wall.
  std::vector<Force> forces_;
};

}  // namespace idbench
