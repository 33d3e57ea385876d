#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "robots/dynamics/dynamics.h"
#include "robots/dynamics/model.h"
#include "robots/dynamics/parameters.h"

namespace idbench {

/// Return what a unit of a joint's parameter adds to the joint's torque, and the derivative of that
/// with respect to q̇.
double JointColumn(JointParameter kind, double qd, double qdd, const FrictionShape& shape);
double JointSlope(JointParameter kind, double qd, const FrictionShape& shape);

/// Lagrangian model of a robot of straight links in a vertical plane, linear in its parameters β.
///
/// Link i has the angle θ_i from the upward vertical and the rate ω_i = θ̇_i. Both are sums over the
/// joints from the base to link i, θ = θ₀ + S·q:
///   K = ½ Σ_i J_i·ω_i² + Σ_(a,i) P_ai·ω_a·ω_i·cos(θ_i − θ_a),  V = Σ_i G_i·cos θ_i,
///   τ = d/dt ∂K/∂q̇ − ∂K/∂q + ∂V/∂q + fv·q̇ + fc·s(q̇) + fo + ia·q̈ = Z(q, q̇, q̈)·β,
/// where a is an ancestor of i. J, P and G count as independent, so lengths and gravity need not be
/// known. For a physical robot P_ai = l_ai·G_i/g, with l_ai the distance on a from its joint to the
/// joint that leads towards i. Order of β: all J_i [kg·m²], all P_ai [kg·m²] by i and then a, all
/// G_i [N·m], then the requested friction, kind by kind.
///
/// Vectors have size n = dofs(); sizes are asserted. Nothing allocates after construction
/// unless stated. Source: Dolinský & Čelikovský, IEEE TCST 26(5), 2018, equations (9)-(13),
/// (57)-(59), (62).
class PlanarLagrangian {
 public:
  /// Term P_ai·ω_a·ω_i·cos(θ_i − θ_a).
  struct Coupling {
    int ancestor;
    int link;
  };
  /// Joint parameter in β.
  struct JointTerm {
    JointParameter kind;
    int joint;
  };

  /// @param pi_known  standard parameters; their centres of mass give the directions of the links.
  /// @param friction  kinds of joint parameters, in the order that β has them, each for all joints.
  /// @throws std::invalid_argument, naming the joint or link, unless all joints are revolute with
  ///         parallel horizontal axes, only the first is on the base, and in each link the centre
  ///         of mass (with the links that hang on it) and all further joints lie on one line
  ///         through its joint.
  PlanarLagrangian(const RobotModel& model, const Eigen::Ref<const Eigen::VectorXd>& pi_known,
                   const std::vector<JointParameter>& friction = {}, FrictionShape shape = {});

  int dofs() const { return static_cast<int>(theta0_.size()); }
  /// Returns the size of β.
  int size() const { return static_cast<int>(names_.size()); }
  /// Returns `<link>.J`, `<ancestor>.<link>.P`, `<link>.G`, `<joint>.fv` …
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<std::string>& units() const { return units_; }

  /// Return θ₀ [rad] and S (n × n, entries −1, 0 and 1; no zero in the first column).
  const Eigen::VectorXd& theta0() const { return theta0_; }
  const Eigen::MatrixXd& S() const { return S_; }
  /// Return the parts of β = (J, P of couplings(), G, joint_terms()) and where they begin.
  const std::vector<Coupling>& couplings() const { return couplings_; }
  const std::vector<JointTerm>& joint_terms() const { return joint_terms_; }
  int FirstCoupling() const { return dofs(); }
  int FirstGravity() const { return dofs() + static_cast<int>(couplings_.size()); }
  int FirstJointTerm() const { return FirstGravity() + dofs(); }
  const FrictionShape& friction() const { return shape_; }

  /// Returns β of a robot with standard parameters π; ignores what β cannot represent.
  Eigen::VectorXd FromPi(const Eigen::Ref<const Eigen::VectorXd>& pi) const;

  /// Computes Z(q, q̇, q̈).
  /// @param[out] Z  n × size(), overwritten.
  void Rows(const Eigen::Ref<const Eigen::VectorXd>& q, const Eigen::Ref<const Eigen::VectorXd>& qd,
            const Eigen::Ref<const Eigen::VectorXd>& qdd, Eigen::Ref<Eigen::MatrixXd> Z) const;
  /// Computes ∂(∂K/∂q̇)/∂β: the momenta are p = D(q)·q̇ = rows·β.
  /// @param[out] rows  n × size(), overwritten.
  void MomentumRows(const Eigen::Ref<const Eigen::VectorXd>& q,
                    const Eigen::Ref<const Eigen::VectorXd>& qd,
                    Eigen::Ref<Eigen::MatrixXd> rows) const;

  /// Computes Z(q, q̇, q̈)·β [N·m].
  void Torque(const Eigen::Ref<const Eigen::VectorXd>& beta,
              const Eigen::Ref<const Eigen::VectorXd>& q,
              const Eigen::Ref<const Eigen::VectorXd>& qd,
              const Eigen::Ref<const Eigen::VectorXd>& qdd, Eigen::Ref<Eigen::VectorXd> tau) const;
  /// Computes the mass matrix D(q), rotor inertias included.
  /// @param[out] D  n × n, symmetric [kg·m²].
  void MassMatrix(const Eigen::Ref<const Eigen::VectorXd>& beta,
                  const Eigen::Ref<const Eigen::VectorXd>& q, Eigen::Ref<Eigen::MatrixXd> D) const;
  /// Computes q̈ = D(q)⁻¹·(τ − Z(q, q̇, 0)·β). Returns false and writes nothing if D(q) is not
  /// positive definite.
  bool ForwardDynamics(const Eigen::Ref<const Eigen::VectorXd>& beta,
                       const Eigen::Ref<const Eigen::VectorXd>& q,
                       const Eigen::Ref<const Eigen::VectorXd>& qd,
                       const Eigen::Ref<const Eigen::VectorXd>& tau,
                       Eigen::Ref<Eigen::VectorXd> qdd) const;
  /// Computes ∂(Z·β)/∂q and ∂(Z·β)/∂q̇ at (q, q̇, q̈), n × n each, overwritten; ∂(Z·β)/∂q̈ is
  /// MassMatrix(). Along forward dynamics ∂q̈/∂(q, q̇) = −D⁻¹ of these and ∂q̈/∂β = −D⁻¹·Z.
  void TorqueDerivatives(const Eigen::Ref<const Eigen::VectorXd>& beta,
                         const Eigen::Ref<const Eigen::VectorXd>& q,
                         const Eigen::Ref<const Eigen::VectorXd>& qd,
                         const Eigen::Ref<const Eigen::VectorXd>& qdd,
                         Eigen::Ref<Eigen::MatrixXd> by_q, Eigen::Ref<Eigen::MatrixXd> by_qd) const;

  /// Largest dofs(): buffers of that size are on the stack.
  static constexpr int kMaxDofs = 16;

 private:
  void CheckJoints(const RobotModel& model) const;
  /// Finds the directions of the links, and the positions of the joints on them.
  void FindLines(const RobotModel& model, const Eigen::Ref<const Eigen::VectorXd>& pi_known);
  /// Finds θ₀ and S.
  void FindAngles(const RobotModel& model);

  Eigen::VectorXd theta0_;
  Eigen::MatrixXd S_;
  std::vector<Coupling> couplings_;
  std::vector<JointTerm> joint_terms_;
  FrictionShape shape_;
  std::vector<std::string> names_, units_;

  // For FromPi(): each link's joint axis, a point on it and the link's line, in the link's frame,
  // and the position of its joint on its parent's line [m].
  ParameterLayout layout_;
  double gravity_;
  std::vector<int> parent_;
  std::vector<Eigen::Vector3d> axis_, anchor_, line_;
  Eigen::VectorXd reach_;
};

}  // namespace idbench
