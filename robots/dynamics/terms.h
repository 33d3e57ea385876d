#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "robots/dynamics/friction_shape.h"

namespace idbench {

/// What the argument v of a term is.
enum class TermArgument : std::uint8_t {
  kVelocity,      ///< v = cᵀq̇
  kAcceleration,  ///< v = cᵀq̈
  kInput,         ///< v is a measured input of the sample, see StateSamples::inputs.
};

/// Rows that a term enters.
enum class TermRows : std::uint8_t {
  kJoints,  ///< Those of joint torques, and of what these are mapped to.
  kDrives,  ///< Those of the drives alone, see RowsFrom::kDriveRows.
  kCut,     ///< Those of the wrench at a cut.
};

/// What a term makes of its argument v; s is the shape of Coulomb friction, see FrictionShape.
enum class TermShape : std::uint8_t {
  kOne,           ///< 1
  kLinear,        ///< v
  kCoulomb,       ///< s(v)
  kPositivePart,  ///< max(v, 0)
  kNegativePart,  ///< min(v, 0)
  kPositiveSign,  ///< max(s(v), 0)
  kNegativeSign,  ///< min(s(v), 0)
  kStribeck,      ///< s(v)·exp(−(v/v_s)²)
};

/// Parameter θ of a joint or of a motor, beside those of bodies. It adds to the joint torques
///
///   τ += c·f(cᵀq̇)·θ,  or  c·f(cᵀq̈)·θ,
///
/// with f its shape. c says where it acts: a unit vector for a joint; for a motor whose speed is
/// q̇_m = cᵀq̇, its column of B (see Actuation). Its power is q̇_m·f(q̇_m)·θ, so that friction with a
/// positive θ dissipates. Source: Traversaro, Del Prete, Muradore, Natale & Nori, 2013, equation
/// (11), for coupled joints.
///
/// A drive gain enters the rows of drives with its motor's column of −B for c and the motor's
/// current (or torque, or duty cycle) for v; an offset of a force/torque sensor one row of its cut.
/// An entry D_jk of such a sensor's calibration (see calibration.h) enters row j of the cut by −1,
/// with component k of the measured wrench for v.
struct Term {
  /// Entry of c that is not 0.
  struct Share {
    int joint = 0;  ///< Row: joint, or component of a wrench.
    double factor = 1.0;

    bool operator==(const Share&) const = default;
  };

  std::string name;  ///< `<joint or motor>.<coefficient>`
  std::string unit;
  TermArgument argument = TermArgument::kVelocity;
  TermShape shape = TermShape::kOne;
  std::vector<Share> shares = {};  ///< c, by increasing joint; not empty.
  double stribeck_velocity = 1.0;  ///< v_s of kStribeck [rad/s or m/s].
  TermRows rows = TermRows::kJoints;
  int cut = -1;    ///< Of kCut: index into RobotModel::cuts().
  int input = -1;  ///< Of kInput: column of StateSamples::inputs.

  bool operator==(const Term&) const = default;

  /// Returns that of the two on which v depends.
  template <class Rates>
  const Rates& Of(const Rates& qd, const Rates& qdd) const {
    return argument == TermArgument::kVelocity ? qd : qdd;
  }
  template <class Rates>
  Rates& Of(Rates& qd, Rates& qdd) const {
    return argument == TermArgument::kVelocity ? qd : qdd;
  }
  /// Returns v = cᵀ·rates, with what Of() returns of one sample.
  template <class Rates>
  double Argument(const Rates& rates) const {
    double v = shares[0].factor * rates[shares[0].joint];
    for (std::size_t k = 1; k < shares.size(); ++k) v += shares[k].factor * rates[shares[k].joint];
    return v;
  }
  /// Returns f(v).
  double Shape(double v, const FrictionShape& friction) const;
  /// Returns f'(v); 0 at a step of a sign, and of a part at its end.
  double Slope(double v, const FrictionShape& friction) const;
  /// Returns the width of s in it: of a joint's term that of the joint, of a motor's the common
  /// one.
  double WidthOf(const FrictionShape& friction) const {
    return IsOfOneJoint() ? friction.WidthOf(shares[0].joint) : friction.coulomb_width_rad_s;
  }
  /// Returns true if v is the rate of a single joint.
  bool IsOfOneJoint() const { return shares.size() == 1 && shares[0].factor == 1.0; }
  /// Returns true if s is in it.
  bool HasCoulombShape() const {
    return shape == TermShape::kCoulomb || shape == TermShape::kPositiveSign ||
           shape == TermShape::kNegativeSign || shape == TermShape::kStribeck;
  }
  /// Returns f(v) of one sample.
  /// @param inputs  may be empty if v is none.
  double At(const Eigen::Ref<const Eigen::VectorXd>& qd,
            const Eigen::Ref<const Eigen::VectorXd>& qdd,
            const Eigen::Ref<const Eigen::VectorXd>& inputs, const FrictionShape& friction) const {
    if (shape == TermShape::kOne) return 1.0;
    if (argument == TermArgument::kInput) return Shape(inputs[input], friction);
    return Shape(Argument(Of(qd, qdd)), friction);
  }
};

/// Coefficient that joints or motors have one each of.
struct TermCoefficient {
  std::string_view name;  ///< "fv" of `joint1.fv`
  /// SI units on a revolute joint or a motor, and on a prismatic joint.
  std::string_view unit;
  std::string_view prismatic_unit;
  TermArgument argument;
  TermShape shape;
  bool positive = true;  ///< It cannot be negative.
};

/// Returns the term of that coefficient of a joint or motor.
Term MakeTerm(const std::string& place, const TermCoefficient& coefficient,
              std::vector<Term::Share> shares, bool prismatic);

/// Returns c of a column of B or of any other map from joints.
std::vector<Term::Share> SharesOf(const Eigen::Ref<const Eigen::VectorXd>& column);

}  // namespace idbench
