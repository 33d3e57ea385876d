#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace idbench {

/// What one part of a scenario supplies and another needs: parametrisations, equations, sensors,
/// controls, estimators and metrics state both in these terms, and Supplies::Unmet() compares them.
/// Unmet needs are told in this order.
enum class Capability : std::uint8_t {
  kTruth,              ///< A simulated robot with known parameters and clean signals.
  kTrueUnknowns,       ///< True values of the unknowns, at all times.
  kStandardUnknowns,   ///< Unknowns that map to standard parameters π.
  kConstantUnknowns,   ///< Unknowns of the robot itself, which do not change with time.
  kLagrangian,         ///< Unknowns that are the β of a PlanarLagrangian.
  kAffine,             ///< π, if the unknowns map to it, is affine in them.
  kMotionUnknowns,     ///< Unknowns of the equations of motion.
  kStateUnknowns,      ///< Unknowns that are the positions and velocities of the joints.
  kAmounts,            ///< Unknowns that a factor scales.
  kMassesAndMoments,   ///< Unknowns of each body that are its mass and principal moments.
  kPrior,              ///< A prior.
  kWindows,            ///< Windows in which online estimators are tracked.
  kPriorCovariance,    ///< A prior with a covariance.
  kSigmaOfAll,         ///< No unknown of which the prior says that nothing is known.
  kSigmaOfBodies,      ///< No body of which the prior says that nothing is known.
  kDrawnAsDeclared,    ///< See DrawnAsDeclared().
  kRowSigma,           ///< A declared σ > 0 of every equation row.
  kBounds,             ///< A bound of some unknown.
  kTwoBounds,          ///< Two finite bounds of every unknown.
  kSingleLinks,        ///< Unknowns that describe single links.
  kMeasuredState,      ///< Equations with a measured state.
  kTorqueReplay,       ///< An experiment whose torque depends on time alone.
  kMeasuredTorque,     ///< Torques of the joints that are measured.
  kTorqueSigma,        ///< A declared σ of the joint torques.
  kSixJoints,          ///< At least six joints.
  kMotorPerJoint,      ///< As many motors as joints, though each may drive several.
  kImu,                ///< An inertial measurement unit on the robot.
  kDistanceMeter,      ///< A distance meter on the robot.
  kForceTorqueSensor,  ///< A force/torque sensor inside the robot.
  kMeasuredPositions,  ///< Positions of the joints that sensors measure.
  kStepByStep,         ///< Experiments that are all simulated step by step.
  kDesiredMotion,      ///< Experiments that all follow a motion.
  kObservedForce,      ///< An observer that tells forces from outside.
  kObservedPlace,      ///< An observer that tells where something touches the robot.
  kActiveEstimator,    ///< An estimator that makes experiments of its own.
  kDetection,          ///< An observer that detects contact or a changed load.
  kStaged,             ///< An experiment that is controlled with what an estimator found.
  kDriveRows,          ///< Equations of drives.
  kUnknownGains,       ///< Gains of drives among the unknowns.
  kMeasuredColumns,    ///< Equations of drives, or an unknown calibration of a sensor.
  kUnknownOffsets,     ///< Offsets of sensors or of joints' torques among the unknowns.
  kDutyCycleRows,      ///< Rows of duty cycles of joints that tell some motor's torque.
  kCutRows,            ///< Equations of the wrench at a force/torque sensor.
  kUntouched,          ///< Data for identification in which nothing touches the robot.
};

/// A set of capabilities.
class Capabilities {
 public:
  constexpr Capabilities() = default;
  constexpr Capabilities(std::initializer_list<Capability> members) {
    for (const Capability member : members) bits_ |= BitOf(member);
  }

  /// Returns the set of `member` if `there`, else none.
  static constexpr Capabilities If(bool there, Capability member) {
    return there ? Capabilities{member} : Capabilities{};
  }

  constexpr bool Has(Capability member) const { return (bits_ & BitOf(member)) != 0; }
  constexpr bool HasAllOf(Capabilities others) const { return (others.bits_ & ~bits_) == 0; }
  constexpr Capabilities operator|(Capabilities others) const {
    others.bits_ |= bits_;
    return others;
  }
  constexpr bool operator==(const Capabilities&) const = default;

 private:
  static constexpr std::uint64_t BitOf(Capability member) {
    return std::uint64_t{1} << static_cast<unsigned>(member);
  }

  std::uint64_t bits_ = 0;
};

/// Words for a capability that is not there.
struct Lack {
  std::string absent = "";  ///< "no prior": a caption says why there is no such metric.
  std::string needed = "";  ///< "needs a prior": it follows the name of who needs it.
  std::string cure = "";    ///< "declare /problem/prior"; may be empty.

  /// Returns "needs a prior: declare /problem/prior".
  std::string Sentence() const;
};

/// What there is, and words for what is not.
class Supplies {
 public:
  Supplies& Add(Capabilities supplied);
  Supplies& AddIf(bool there, Capability capability);
  /// Sets words for a capability that is not added, in place of those that hold for all. Of several
  /// about the same capability all are told.
  Supplies& Lacks(Capability capability, Lack words);

  Capabilities supplied() const { return supplied_; }
  bool Has(Capability capability) const { return supplied_.Has(capability); }
  /// Returns the words for each of `needs` that is not supplied, in the order of Capability and
  /// without repetitions.
  std::vector<Lack> Unmet(Capabilities needs) const;

 private:
  struct Missing {
    Capability capability;
    Lack words;
  };
  Capabilities supplied_;
  std::vector<Missing> missing_;
};

}  // namespace idbench
