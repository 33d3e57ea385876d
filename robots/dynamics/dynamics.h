#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <vector>

#include "robots/dynamics/equations.h"
#include "robots/dynamics/friction_shape.h"
#include "robots/dynamics/kernel/kernel.h"
#include "robots/dynamics/model.h"
#include "robots/dynamics/parameters.h"

namespace idbench {

/// States of N samples, N × n each: q [rad or m], q̇, q̈.
struct StateSamples {
  Eigen::Ref<const Eigen::MatrixXd> q, qd, qdd;
  /// What was measured and stands among columns, N' × RobotModel::input_count(): what drives are
  /// fed (torque, current or duty cycle of each motor), and the wrenches of sensors with terms of
  /// calibration. Sample k is row first_input + k; nullptr if no row holds such columns.
  const Eigen::MatrixXd* inputs = nullptr;
  Eigen::Index first_input = 0;

  Eigen::Index size() const { return q.rows(); }
};

/// Rigid-body dynamics of one robot, linear in its standard parameters π (see ParameterLayout):
///
///   τ = Y(q, q̇, q̈) π_links + fv·q̇ + fc·s(q̇) + fo + ia·q̈ + Σ c·f(cᵀq̇ or cᵀq̈)·θ
///
/// A body A that is attached to link L adds X·π_A to the parameters of L, with X that turns them
/// into the frame of L (see TransformationOf()).
///
/// Terms that do not act in its configuration (RobotModel::AbsentTerms()) are left out: whatever
/// their θ, they add nothing and have no column.
///
/// Immutable; functions write only to the caller's Scratch and outputs. Outputs are overwritten and
/// must not alias an input. Nothing here allocates after construction unless stated. Vectors have
/// size n = dofs(); sizes are asserted.
class Dynamics {
 public:
  /// Buffers for one thread; valid for the Dynamics that it was made from.
  class Scratch {
   public:
    explicit Scratch(const Dynamics& dynamics);
    Scratch(Scratch&&) = default;
    Scratch& operator=(Scratch&&) = default;

   private:
    friend class Dynamics;
    friend class DerivedRows;
    friend class RowRegressor;

    /// Map from joint torques to an equation, and its T of one sample.
    struct Mapped {
      std::unique_ptr<TorqueMap> map;
      Eigen::MatrixXd T;
    };
    Mapped& MapTo(Equation equation) { return maps_[static_cast<std::size_t>(equation)]; }

    Eigen::VectorXd kernel_, padded_, tau_, wrench_;
    Eigen::VectorXd links_;   ///< π of the base and the links with what is attached to them.
    Eigen::VectorXd acting_;  ///< π of the terms that act; empty if all do.
    /// Packs of the regressor, followed by the entries of the terms' columns and 0, for single
    /// samples.
    Eigen::VectorXd blocks_;
    std::vector<double*> to_blocks_;  ///< Pack k of the kernel's order within `blocks_`.
    std::array<Mapped, kEquationKinds.size()> maps_;
    Eigen::VectorXd q_;        ///< n, joint positions of one sample.
    Eigen::VectorXd torques_;  ///< Torque rows of one sample that are mapped or driven.
  };

  /// @param model   kinematic tree, gravity and end effector.
  /// @param kernel  instruction set to run on; must outlive this object.
  explicit Dynamics(const RobotModel& model, FrictionShape friction = {},
                    const Kernel& kernel = ActiveKernel());
  /// As above, of the robot in one of its configurations; otherwise it is in the first.
  /// @param configuration  index into RobotModel::configurations().
  Dynamics(const RobotModel& model, FrictionShape friction, int configuration,
           const Kernel& kernel = ActiveKernel());

  int dofs() const { return static_cast<int>(links_.size()); }
  const ParameterLayout& layout() const { return layout_; }
  const FrictionShape& friction() const { return friction_; }

  /// Computes joint torques [N·m or N] by Newton-Euler recursion. O(n). In a batch a sample costs
  /// about a sixth of a single one and has the same bits.
  /// @param pi        standard parameters, layout().size().
  /// @param[out] tau  n.
  void InverseDynamics(const Eigen::Ref<const Eigen::VectorXd>& pi,
                       const Eigen::Ref<const Eigen::VectorXd>& q,
                       const Eigen::Ref<const Eigen::VectorXd>& qd,
                       const Eigen::Ref<const Eigen::VectorXd>& qdd, Scratch& scratch,
                       Eigen::Ref<Eigen::VectorXd> tau) const;

  /// Computes the joint torques of N samples [N·m or N].
  /// @param[out] tau  N × n.
  void InverseDynamics(const Eigen::Ref<const Eigen::VectorXd>& pi, const StateSamples& samples,
                       Scratch& scratch, Eigen::Ref<Eigen::MatrixXd> tau) const;

  /// Computes the measured side of an equation of N samples, offsets of sensors included; of mapped
  /// torques NaN where there is no map. Of a cut it is what its sensor reads, (1 + D)⁻¹·(W·π + o),
  /// without a look at what it did read; not finite if 1 + D has no inverse. Of drives it is what
  /// is left of 0 = τ − B·diag(v)·gains for other gains and parameters than the true ones.
  /// Allocates for mapped torques, for cuts, and where only some rows count.
  /// @param equation       not one of a state.
  /// @param[out] measured  N × RowsOf(equation, n).
  void Predict(const PlacedEquation& equation, const Eigen::Ref<const Eigen::VectorXd>& pi,
               const StateSamples& samples, Scratch& scratch,
               Eigen::Ref<Eigen::MatrixXd> measured) const;

  /// Computes W·π of an equation of N samples, W with what was measured among its columns: of a cut
  /// W·π + o − D·w, which the measured wrench w equals; of all others as Predict(). For residuals
  /// of rows, never for predictions: rows of a cut hold for D = −1 whatever is measured.
  /// @param[out] side  N × RowsOf(equation, n).
  void RightSide(const PlacedEquation& equation, const Eigen::Ref<const Eigen::VectorXd>& pi,
                 const StateSamples& samples, Scratch& scratch,
                 Eigen::Ref<Eigen::MatrixXd> side) const;

  /// Computes the base wrench of N samples [N, N·m]: force, then moment, of the ground on the base,
  /// at the base's origin, in base axes.
  /// @param[out] wrench  N × 6.
  void BaseWrench(const Eigen::Ref<const Eigen::VectorXd>& pi, const StateSamples& samples,
                  Scratch& scratch, Eigen::Ref<Eigen::MatrixXd> wrench) const;

  /// Computes the wrench of N samples at a cut of the model [N, N·m]: force, then moment, of what
  /// carries the cut on what lies beyond it, about the cut's origin S, in its axes, and the offsets
  /// of its sensor; its calibration is left out. Allocates.
  /// @param cut           index into RobotModel::cuts().
  /// @param[out] wrench  N × 6.
  void CutWrench(int cut, const Eigen::Ref<const Eigen::VectorXd>& pi, const StateSamples& samples,
                 Scratch& scratch, Eigen::Ref<Eigen::MatrixXd> wrench) const;

  /// Computes the joint-torque regressor Y of the moving links: τ = Y(q, q̇, q̈) π_links, without
  /// joint terms. O(n²).
  ///
  /// @param[out] Y  n × 10n. Block column i multiplies link i's (m, m·c, I) [kg, kg·m, kg·m²],
  ///         about the link's origin, in the link's frame. Source: Atkeson, An & Hollerbach,
  ///         IJRR 5(3), 1986.
  void TorqueRegressor(const Eigen::Ref<const Eigen::VectorXd>& q,
                       const Eigen::Ref<const Eigen::VectorXd>& qd,
                       const Eigen::Ref<const Eigen::VectorXd>& qdd, Scratch& scratch,
                       Eigen::Ref<Eigen::MatrixXd> Y) const;

  /// Computes the joint-torque regressor of N samples, eight at a time and never stored as a whole.
  /// Calls consume(first, blocks) for the samples first … first + 7, or fewer at the end. `blocks`
  /// holds the entries of Y that can differ from zero, each as eight doubles, one per sample
  /// (undefined beyond the last sample): for each joint row r the ten columns of each of the links
  /// r … r + subtree_size − 1.
  template <class Consume>
  void TorqueRegressorBlocks(const StateSamples& samples, Scratch& scratch,
                             const Consume& consume) const {
    for (Eigen::Index first = 0; first < samples.size(); first += kLanes) {
      kernel_->regressor(View(), PackAt(samples, first, scratch), {nullptr, 0},
                         scratch.kernel_.data(), scratch.to_blocks_.data(), 0);
      consume(first, static_cast<const double*>(scratch.blocks_.data()));
    }
  }

  /// Computes the base-wrench regressor Y: BaseWrench() = Y·(π_base, π_links).
  /// @param[out] Y  6 × 10(n + 1).
  void WrenchRegressor(const Eigen::Ref<const Eigen::VectorXd>& q,
                       const Eigen::Ref<const Eigen::VectorXd>& qd,
                       const Eigen::Ref<const Eigen::VectorXd>& qdd, Scratch& scratch,
                       Eigen::Ref<Eigen::MatrixXd> Y) const;

  /// Computes the joint-space mass matrix, rotor inertias included.
  /// @param[out] M  n × n, symmetric [kg·m²; kg for prismatic joints].
  void MassMatrix(const Eigen::Ref<const Eigen::VectorXd>& pi,
                  const Eigen::Ref<const Eigen::VectorXd>& q, Scratch& scratch,
                  Eigen::Ref<Eigen::MatrixXd> M) const;

  /// Returns q̈ = M(q)⁻¹ (τ − h(q, q̇)), n, where h is the torque at q̈ = 0. By Cholesky; allocates.
  /// @throws std::domain_error if M(q) is not positive definite.
  Eigen::VectorXd ForwardDynamics(const Eigen::Ref<const Eigen::VectorXd>& pi,
                                  const Eigen::Ref<const Eigen::VectorXd>& q,
                                  const Eigen::Ref<const Eigen::VectorXd>& qd,
                                  const Eigen::Ref<const Eigen::VectorXd>& tau,
                                  Scratch& scratch) const;

 private:
  friend class DerivedRows;
  friend class RowRegressor;

  /// A body that is attached in this configuration.
  struct Carried {
    int body;  ///< See RobotModel::body_end().
    int link;
    Eigen::Matrix<double, kInertialCount, kInertialCount> X;  ///< π_link += X·π_body.
  };

  /// Returns π of the base and the links with what is attached to them, for the kernel: `pi`
  /// itself if that is nothing.
  const double* LinksOf(const Eigen::Ref<const Eigen::VectorXd>& pi, Scratch& scratch) const;
  /// Returns true if π holds terms that do not act: Acting() is without them.
  bool HasAbsent(const Eigen::Ref<const Eigen::VectorXd>& pi, const Scratch& scratch) const {
    return !absent_.empty() && pi.data() != scratch.acting_.data();
  }
  const Eigen::VectorXd& Acting(const Eigen::Ref<const Eigen::VectorXd>& pi,
                                Scratch& scratch) const;
  KernelModel View(const Eigen::Vector3d& gravity) const;
  KernelModel View() const { return View(gravity_); }
  /// Returns up to eight samples from `first` on: the matrices themselves, or padded copies
  /// of a remainder.
  KernelSamples PackAt(const StateSamples& samples, Eigen::Index first, Scratch& scratch) const;
  /// Returns one sample, padded to a pack.
  KernelSamples PackOf(const Eigen::Ref<const Eigen::VectorXd>& q,
                       const Eigen::Ref<const Eigen::VectorXd>& qd,
                       const Eigen::Ref<const Eigen::VectorXd>& qdd, Scratch& scratch) const;
  /// Computes the wrench at cuts_[cut]: base wrench for 0.
  void WrenchAt(std::size_t cut, const Eigen::Ref<const Eigen::VectorXd>& pi,
                const StateSamples& samples, Scratch& scratch,
                Eigen::Ref<Eigen::MatrixXd>& wrench) const;
  double JointTorque(const Eigen::Ref<const Eigen::VectorXd>& pi, int joint, double qd,
                     double qdd) const;
  /// Adds JointTorque() to column `joint` of tau, for all samples.
  void AddJointTorque(const Eigen::Ref<const Eigen::VectorXd>& pi, int joint,
                      const StateSamples& samples, Eigen::Ref<Eigen::MatrixXd>& tau) const;
  /// Calls add(term, θ) for each of the model's own terms in such rows with θ ≠ 0.
  template <class Add>
  void ForOwnTerms(const Eigen::Ref<const Eigen::VectorXd>& pi, TermRows rows,
                   const Add& add) const {
    const Eigen::Index first = layout_.size() - static_cast<Eigen::Index>(model_.terms().size());
    for (std::size_t k = 0; k < model_.terms().size(); ++k) {
      const double theta = pi[first + static_cast<Eigen::Index>(k)];
      if (theta != 0.0 && model_.terms()[k].rows == rows) add(model_.terms()[k], theta);
    }
  }

  const Kernel* kernel_;
  RobotModel model_;
  std::vector<KernelLink> links_;
  std::vector<KernelCut> cuts_;  ///< Under the base, then those of the model.
  Eigen::Vector3d gravity_;
  ParameterLayout layout_;
  FrictionShape friction_;
  /// TermsOf() the model; those that do not act have no shares.
  std::vector<Term> terms_;
  std::vector<int> absent_;       ///< Those that do not act, indices into π.
  std::vector<Carried> carried_;  ///< By increasing body.
  /// For each term the number of shares of those before it, and then that of all.
  std::vector<int> shares_before_ = {0};
  /// For each pack of `blocks`, in the order of rows, links and standard parameters, its position
  /// in the kernel's order.
  std::vector<std::size_t> to_kernel_;
};

}  // namespace idbench
