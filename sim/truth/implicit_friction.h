#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "sim/truth/friction_element.h"
#include "sim/truth/true_robot.h"

namespace idbench {

/// Returns why friction cannot be integrated implicitly with these options; nothing if it can.
std::optional<std::string> WhyNotImplicit(const MujocoPlantOptions& options,
                                          const MismatchOptions& mismatch);

/// Step of the velocities with the friction of its end. Of the equations of motion
///
///   M(q)·q̈ = τ − c(q, q̇) − g(q) − Σ cₖ·ψₖ(cₖᵀq̇),    see FrictionElement,
///
/// ψ is taken at the step's end (backward Euler) and all else at its beginning, where it gives q̈:
///
///   M·Δ + h·Σ cₖ·(ψₖ(uₖ + cₖᵀΔ) − ψₖ(uₖ)) = h·M·q̈,   Δ = q̇⁺ − q̇,  uₖ = cₖᵀq̇.
///
/// Friction that warms up is κ⁺·ψ at the step's end and κ·ψ at its beginning; below, κ = κ⁺ = 1.
///
/// The error is of first order in h, as that of a semi-implicit Euler step. The step is stable for
/// any slope of ψ and it dissipates; with an explicit step friction chatters where h·ψ′·cᵀM⁻¹c > 2.
///
/// The equation is solved to rounding. One linearisation of it, (M + h·Σ c·ψ′·cᵀ)·Δ = h·M·q̈, does
/// not suffice: where tanh is saturated ψ′ is almost 0 and that step is the explicit one, so that a
/// joint swings across rest for ever once h·fc·cᵀM⁻¹c exceeds some 6 widths w. It also leaves a q̇
/// at which friction does not balance, and the recorded acceleration q̈ = M⁻¹(τ − … − Σ c·ψ) would
/// show the remainder over a small M. After an exact solution q̈ is the mean acceleration of the
/// step before, but for what torque, inertia and bias have changed since.
///
/// The solution is the minimum of a strictly convex function of Δ,
///
///   E(Δ) = ½·ΔᵀMΔ − bᵀΔ + h·Σ Ψₖ(uₖ + cₖᵀΔ),  Ψ′ = ψ,  b = h·(M·q̈ + Σ cₖ·ψₖ(uₖ)),
///
/// if every ψ is monotone: there is one, and Newton's method with a line search finds it. Therefore
/// only what is monotone is implicit: the level L(u), with Stribeck's law and the joint's load, is
/// that of the beginning, and elements that drive (FrictionElement::Dissipates()) are left out.
/// Their negative slopes would make M + h·Σ c·ψ′·cᵀ indefinite at a light joint; an explicit step
/// does not oscillate under them. With presliding only viscous parts are implicit: what it makes of
/// the rest is no function of the velocity.
///
/// Use one object per thread. `robot` need not outlive it. Step() allocates nothing.
class ImplicitFriction {
 public:
  explicit ImplicitFriction(const TrueRobot& robot);

  /// κ at the beginning of a step and κ⁺ at its end, see TrueRobot::FrictionFactor().
  struct Factors {
    double begin = 1.0, end = 1.0;
  };

  /// Solves the equation above.
  /// @param M       n × n, symmetric, positive definite [kg·m²]
  /// @param qd      q̇, n [rad/s]
  /// @param qdd     q̈, n [rad/s²], with κ·ψ.
  /// @param load    ℓ of the beginning, n [N·m], see TrueFriction.
  /// @param[out] delta  Δ, n [rad/s], overwritten.
  /// @throws PlantError if it is not found, as with values that are not finite.
  void Step(const Eigen::MatrixXd& M, const Eigen::VectorXd& qd, const Eigen::VectorXd& qdd,
            const Eigen::VectorXd& load, const Factors& factors, Eigen::VectorXd& delta);

 private:
  /// An element in a step, with the level of its beginning.
  struct ElementInStep {
    FrictionElement element;
    double level = 0.0;      ///< L(uₖ)
    double speed = 0.0;      ///< uₖ
    double reached = 0.0;    ///< uₖ + cₖᵀΔ
    double torque = 0.0;     ///< κ⁺·ψ there
    double direction = 0.0;  ///< cₖᵀp of a line search.
  };

  /// Computes the gradient and the Hessian of E at Δ. Returns whether the gradient is rounding.
  bool Linearise(const Eigen::MatrixXd& M, const Eigen::VectorXd& delta);
  /// Returns how far to go along the direction p from where Linearise() was: all of it, unless E
  /// has its minimum clearly before.
  double Length(const Eigen::MatrixXd& M);

  std::vector<ElementInStep> elements_;
  double h_;
  double width_;
  double end_factor_ = 1.0;  ///< κ⁺
  Eigen::VectorXd b_, gradient_, magnitude_, direction_;
  Eigen::MatrixXd hessian_;
  Eigen::LLT<Eigen::MatrixXd> cholesky_;
};

}  // namespace idbench
