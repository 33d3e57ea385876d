#pragma once

#include <Eigen/Core>
#include <vector>

#include "robots/dynamics/end_effector_wrench.h"
#include "robots/dynamics/kernel.h"
#include "robots/dynamics/model.h"
#include "robots/dynamics/parameters.h"

namespace idbench {

/// Shape of Coulomb friction, the same for all joints: fc·tanh(q̇ / width), or fc·sign(q̇) (0 at
/// rest) for width 0.
struct FrictionShape {
  double coulomb_width_rad_s = 0.0;

  double Coulomb(double qd) const;
};

/// States of N samples, each N × n: q [rad or m], q̇, q̈.
struct StateSamples {
  Eigen::Ref<const Eigen::MatrixXd> q, qd, qdd;

  Eigen::Index size() const { return q.rows(); }
};

/// Rigid-body dynamics of one robot, linear in its standard parameters π (see ParameterLayout):
///
///   τ = Y(q, q̇, q̈) π_links + fv·q̇ + fc·s(q̇) + fo + ia·q̈
///
/// Immutable; what is written goes into the caller's Scratch. Nothing here allocates after
/// construction unless said. Vectors have size n = dofs(); sizes are asserted.
class Dynamics {
 public:
  /// Buffers for one thread.
  class Scratch {
   public:
    explicit Scratch(const Dynamics& dynamics);
    Scratch(Scratch&&) = default;
    Scratch& operator=(Scratch&&) = default;

   private:
    friend class Dynamics;
    friend class RowRegressor;
    Eigen::VectorXd kernel, padded, tau, wrench;
    /// Packs of the regressor; behind them 1, each joint's q̇, s(q̇) and q̈, and 0, for single
    /// samples.
    Eigen::VectorXd blocks;
    std::vector<double*> to_blocks;  ///< Each pack of `blocks`, in the kernel's order.
    EndEffectorWrench end_effector;
    Eigen::MatrixXd T;        ///< 6 × n, its Map().
    Eigen::VectorXd q;        ///< n, of one sample.
    Eigen::VectorXd torques;  ///< Rows of one sample that are turned into the end effector's.
  };

  /// @param kernel  instruction set to run on.
  explicit Dynamics(const RobotModel& model, FrictionShape friction = {},
                    const Kernel& kernel = ActiveKernel());

  int dofs() const { return static_cast<int>(links_.size()); }
  const ParameterLayout& layout() const { return layout_; }
  const FrictionShape& friction() const { return friction_; }

  /// Newton-Euler: joint torques [N·m or N]. Samples in a batch cost about a sixth of single
  /// ones, to the same bits.
  void InverseDynamics(const Eigen::Ref<const Eigen::VectorXd>& pi,
                       const Eigen::Ref<const Eigen::VectorXd>& q,
                       const Eigen::Ref<const Eigen::VectorXd>& qd,
                       const Eigen::Ref<const Eigen::VectorXd>& qdd, Scratch& scratch,
                       Eigen::Ref<Eigen::VectorXd> tau) const;

  /// Joint torques of N samples. @param[out] tau N × n.
  void InverseDynamics(const Eigen::Ref<const Eigen::VectorXd>& pi, const StateSamples& samples,
                       Scratch& scratch, Eigen::Ref<Eigen::MatrixXd> tau) const;

  /// Wrench at the end effector of N samples, see EndEffectorWrench; NaN near singular
  /// configurations. Allocates. @param[out] wrench N × 6.
  void WrenchAtEndEffector(const Eigen::Ref<const Eigen::VectorXd>& pi, const StateSamples& samples,
                           Scratch& scratch, Eigen::Ref<Eigen::MatrixXd> wrench) const;

  /// Base wrench of N samples: force, then moment, of the ground on the base, at the base's origin,
  /// in base axes [N, N·m]. @param[out] wrench N × 6.
  void BaseWrench(const Eigen::Ref<const Eigen::VectorXd>& pi, const StateSamples& samples,
                  Scratch& scratch, Eigen::Ref<Eigen::MatrixXd> wrench) const;

  /// Joint-torque regressor Y of the moving links, τ = Y(q, q̇, q̈) π_links without joint terms.
  ///
  /// @param[out] Y n × 10n, overwritten. Block column i multiplies link i's (m, m·c, I) [kg, kg·m,
  ///               kg·m²], about the link's origin, in the link's frame.
  /// Source: Atkeson, An & Hollerbach, IJRR 5(3), 1986.
  void TorqueRegressor(const Eigen::Ref<const Eigen::VectorXd>& q,
                       const Eigen::Ref<const Eigen::VectorXd>& qd,
                       const Eigen::Ref<const Eigen::VectorXd>& qdd, Scratch& scratch,
                       Eigen::Ref<Eigen::MatrixXd> Y) const;

  /// Joint-torque regressor of N samples, eight at a time and never stored as a whole: calls
  /// consume(first, blocks) for the samples first … first + 7, or as many as there are. `blocks`
  /// holds the entries of Y that can differ from zero, each as eight doubles, one for each sample
  /// (not defined behind the last one): for each joint row r the ten columns of each of the links
  /// r … r + subtree_size − 1.
  template <class Consume>
  void TorqueRegressorBlocks(const StateSamples& samples, Scratch& scratch,
                             const Consume& consume) const {
    for (Eigen::Index first = 0; first < samples.size(); first += kLanes) {
      kernel_->regressor(View(), PackAt(samples, first, scratch), false, scratch.kernel.data(),
                         scratch.to_blocks.data(), 0);
      consume(first, static_cast<const double*>(scratch.blocks.data()));
    }
  }

  /// Base-wrench regressor: BaseWrench() = Y·(π_base, π_links).
  /// @param[out] Y 6 × 10(n + 1), overwritten.
  void WrenchRegressor(const Eigen::Ref<const Eigen::VectorXd>& q,
                       const Eigen::Ref<const Eigen::VectorXd>& qd,
                       const Eigen::Ref<const Eigen::VectorXd>& qdd, Scratch& scratch,
                       Eigen::Ref<Eigen::MatrixXd> Y) const;

  /// Joint-space mass matrix, rotor inertias included. @param[out] M n × n, symmetric [kg·m²].
  void MassMatrix(const Eigen::Ref<const Eigen::VectorXd>& pi,
                  const Eigen::Ref<const Eigen::VectorXd>& q, Scratch& scratch,
                  Eigen::Ref<Eigen::MatrixXd> M) const;

  /// q̈ = M(q)⁻¹ (τ − h(q, q̇)), by Cholesky; allocates.
  /// @throws std::domain_error if M(q) is not positive definite.
  Eigen::VectorXd ForwardDynamics(const Eigen::Ref<const Eigen::VectorXd>& pi,
                                  const Eigen::Ref<const Eigen::VectorXd>& q,
                                  const Eigen::Ref<const Eigen::VectorXd>& qd,
                                  const Eigen::Ref<const Eigen::VectorXd>& tau,
                                  Scratch& scratch) const;

 private:
  friend class RowRegressor;

  KernelModel View(const Eigen::Vector3d& gravity) const;
  KernelModel View() const { return View(gravity_); }
  /// Up to eight samples from `first` on: the matrices themselves, or padded copies of a remainder.
  KernelSamples PackAt(const StateSamples& samples, Eigen::Index first, Scratch& scratch) const;
  /// One sample, padded to a pack.
  KernelSamples PackOf(const Eigen::Ref<const Eigen::VectorXd>& q,
                       const Eigen::Ref<const Eigen::VectorXd>& qd,
                       const Eigen::Ref<const Eigen::VectorXd>& qdd, Scratch& scratch) const;
  double JointTorque(const Eigen::Ref<const Eigen::VectorXd>& pi, int joint, double qd,
                     double qdd) const;
  /// Adds JointTorque() to the column `joint` of tau, for all samples.
  void AddJointTorque(const Eigen::Ref<const Eigen::VectorXd>& pi, int joint,
                      const StateSamples& samples, Eigen::Ref<Eigen::MatrixXd>& tau) const;

  const Kernel* kernel_;
  RobotModel model_;
  std::vector<KernelLink> links_;
  Eigen::Vector3d gravity_;
  ParameterLayout layout_;
  FrictionShape friction_;
  /// Of each pack of blocks, in the order of rows, links and standard parameters, its position in
  /// the kernel's order.
  std::vector<std::size_t> to_kernel_;
  Eigen::Index torque_blocks_ = 0;  ///< Those of them in joint rows.
};

}  // namespace idbench
