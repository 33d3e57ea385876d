#include "scenarios/options/capability.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace idbench {
namespace {

/// Words for a capability wherever it is not there.
struct Words {
  Capability capability;
  std::string_view absent, needed, cure;
};

constexpr auto kWords = std::to_array<Words>({
    {Capability::kTruth, "no truth: a recording of a real robot", "needs a simulation's truth",
     "remove /recording to simulate"},
    {Capability::kTrueUnknowns, "no values of the unknowns are the true ones",
     "needs true values of the unknowns", ""},
    {Capability::kStandardUnknowns, "the unknowns are no standard parameters",
     "needs standard parameters for its unknowns", ""},
    {Capability::kConstantUnknowns, "the unknowns change with time",
     "needs unknowns that do not change with time", ""},
    {Capability::kLagrangian, "it takes the parametrisation \"planar_lagrangian\"",
     "needs the parametrisation \"planar_lagrangian\"", ""},
    {Capability::kAffine, "the parametrisation is not affine",
     "needs a parametrisation that is affine in x", ""},
    {Capability::kMotionUnknowns, "no unknown is in the equations of motion",
     "needs unknowns of the equations of motion", ""},
    {Capability::kStateUnknowns, "the unknowns are no state of the joints",
     "needs the parametrisation \"joint_state\"", ""},
    {Capability::kAmounts, "a factor does not scale such unknowns",
     "needs unknowns that a factor scales", ""},
    {Capability::kMassesAndMoments, "the unknowns are not masses and moments",
     "needs the parametrisation \"masses_and_moments\"", ""},
    {Capability::kPrior, "no prior", "needs a prior", "declare /problem/prior"},
    {Capability::kWindows, "no windows: see windows", "needs windows", "declare /windows"},
    {Capability::kPriorCovariance, "no covariance of the prior: see std and relative_std",
     "needs to know how far the prior may be off",
     "declare /problem/prior/std, relative_std or std_of_bounds"},
    {Capability::kSigmaOfAll, "nothing is known (null) of some unknowns",
     "needs to know how far the prior of every unknown may be off",
     "give a σ in place of each null in /problem/prior/std"},
    {Capability::kSigmaOfBodies, "nothing is known (null) of some body",
     "needs a prior of every body to be near to",
     "give a σ in place of each null of bodies in /problem/prior/std"},
    {Capability::kDrawnAsDeclared, "truth and prior are not drawn from each other",
     "needs truth and prior that are drawn from each other", ""},
    {Capability::kRowSigma, "no σ of the equations is declared",
     "needs a positive declared σ of every equation", ""},
    {Capability::kBounds, "no bounds: see lower_prior_factor, first_moment_reach_m and bounds",
     "needs bounds", "declare them in /problem/parametrisation"},
    {Capability::kTwoBounds, "not every unknown has two bounds",
     "needs bounds on both sides of every unknown", ""},
    {Capability::kSingleLinks, "the unknowns say nothing of single links",
     "needs unknowns that describe single links", ""},
    {Capability::kMeasuredState, "the state is not measured", "needs a measured state", ""},
    {Capability::kTorqueReplay,
     "no torque_replay: torque that depends on the state cannot be replayed",
     "needs an experiment with the control torque_replay", ""},
    {Capability::kMeasuredTorque, "joint torques are not measured", "needs measured joint torques",
     ""},
    {Capability::kTorqueSigma, "no σ of the joint torques is declared",
     "needs a declared σ of the joint torques", ""},
    {Capability::kSixJoints, "fewer than six joints", "needs at least 6 joints",
     "fewer joints do not determine the wrench"},
    {Capability::kMotorPerJoint, "not as many motors as joints", "needs as many motors as joints",
     "drives of a joint without a motor of its own say nothing of it"},
    {Capability::kImu, "no IMU", "needs an IMU on the robot", "declare its place in /robot/imu"},
    {Capability::kDistanceMeter, "no distance meter", "needs a distance meter on the robot",
     "declare its place in /robot/distance_meter"},
    {Capability::kForceTorqueSensor, "no force/torque sensor",
     "needs a force/torque sensor inside the robot",
     "declare its place in /robot/force_torque_sensors"},
    {Capability::kMeasuredPositions, "joint positions are not measured",
     "needs measured joint positions", ""},
    {Capability::kStepByStep, "an experiment is not simulated step by step",
     "needs experiments that are simulated step by step",
     "set /control/type to one other than \"exact_replay\""},
    {Capability::kDesiredMotion, "not all experiments follow a motion to their end",
     "needs experiments that all follow a motion to their end",
     "do without \"torque_replay\" and release"},
    {Capability::kObservedForce, "no observer tells forces: see observers",
     "needs an observer of forces", "declare one in /observers"},
    {Capability::kObservedPlace, "no observer tells where it is touched: see observers",
     "needs an observer of the place of touches", "declare one in /observers"},
    {Capability::kActiveEstimator, "no estimator makes experiments of its own",
     "needs an estimator that makes experiments of its own", "name one in /estimators"},
    {Capability::kDetection, "no observer detects anything: see observers",
     "needs an observer that detects", "declare one in /observers"},
    {Capability::kStaged, "no experiment is controlled with an estimate: see model of a control",
     "needs an experiment that is controlled with an estimate",
     "set the model of its control to \"estimate\""},
    {Capability::kDriveRows, "no equation of drives", "needs an equation of drives",
     "declare \"motor_pwm\", or another of motors, in /problem/equations"},
    {Capability::kUnknownGains, "no gain of a drive is unknown", "needs an unknown gain of a drive",
     "ask for it in /problem/terms, {\"type\": \"gain\"}"},
    {Capability::kMeasuredColumns, "neither an equation of drives nor an unknown calibration",
     "needs an equation of drives, or an unknown calibration of a sensor",
     "declare \"motor_pwm\", or another of motors, in /problem/equations, or ask for the latter "
     "in /problem/terms, {\"type\": \"calibration\"}"},
    {Capability::kUnknownOffsets, "no offset is unknown", "needs an unknown offset",
     "ask for it in /problem/terms, {\"type\": \"offset\"}"},
    {Capability::kDutyCycleRows, "no equation of duty cycles", "needs the equation \"motor_pwm\"",
     "declare it in /problem/equations"},
    {Capability::kCutRows, "no equation of the wrench at a force/torque sensor",
     "needs the equation \"wrench\"", "declare it in /problem/equations"},
    {Capability::kUntouched, "something touches the robot in an identification experiment",
     "needs data in which nothing touches the robot, and a configuration of an identification "
     "experiment is \"touched\"",
     "give these experiments the role \"application\", or take \"drive_nls\" or \"two_stage\""},
});

Lack WordsOf(Capability capability) {
  const Words& words = *std::ranges::find(kWords, capability, &Words::capability);
  return {std::string(words.absent), std::string(words.needed), std::string(words.cure)};
}

}  // namespace

std::string Lack::Sentence() const { return cure.empty() ? needed : needed + ": " + cure; }

Supplies& Supplies::Add(Capabilities supplied) {
  supplied_ = supplied_ | supplied;
  return *this;
}

Supplies& Supplies::Lacks(Capability capability, Lack words) {
  missing_.push_back({capability, std::move(words)});
  return *this;
}

Supplies& Supplies::AddIf(bool there, Capability capability) {
  return Add(Capabilities::If(there, capability));
}

std::vector<Lack> Supplies::Unmet(Capabilities needs) const {
  std::vector<Lack> unmet;
  const auto tell = [&unmet](const Lack& words) {
    const bool told = std::ranges::any_of(
        unmet, [&words](const Lack& other) { return other.Sentence() == words.Sentence(); });
    if (!told) unmet.push_back(words);
  };
  for (const Words& each : kWords) {
    if (!needs.Has(each.capability) || Has(each.capability)) continue;
    bool worded = false;
    for (const auto& [capability, words] : missing_) {
      if (capability != each.capability) continue;
      tell(words);
      worded = true;
    }
    if (!worded) tell(WordsOf(each.capability));
  }
  return unmet;
}

}  // namespace idbench
