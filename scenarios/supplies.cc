#include "scenarios/supplies.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <variant>

#include "robots/dynamics/actuation.h"
#include "robots/dynamics/end_effector_wrench.h"
#include "scenarios/carried_payloads.h"
#include "scenarios/drawn_as_declared.h"
#include "scenarios/laboratory_check.h"
#include "scenarios/motion/controllers.h"
#include "scenarios/observers.h"
#include "scenarios/problem/parameter_kind.h"
#include "scenarios/problem/parametrisations.h"
#include "scenarios/problem/prior_entries.h"
#include "scenarios/problem/problem_parts.h"

namespace idbench {
namespace {

bool DeclaresTorqueSigma(const Scenario& scenario) {
  return scenario.simulated() ? scenario.sensors->DeclaresSigma(kJointTorque)
                              : scenario.recording->declared_sigma[kJointTorque].has_value();
}

/// A recording may have the torques of motors, which a transmission maps to the joints.
bool MeasuresTorque(const Scenario& scenario, const RobotModel& model) {
  if (scenario.simulated()) {
    return (*scenario.sensors)[kJointTorque].origin != SensorOrigin::kAbsent;
  }
  const auto& columns = scenario.recording->columns;
  return columns[kJointTorque].has_value() ||
         (columns[kMotorTorque].has_value() && !HasMotorOnEachJoint(model));
}

bool IsBody(const RobotModel& model, const std::string& name) {
  for (int body = -1; body < model.body_end(); ++body) {
    if (model.BodyName(body) == name) return true;
  }
  return false;
}

/// Whether a prior says that nothing is known of something that `of` accepts.
bool SaysNull(const SigmaEntries& entries, const std::function<bool(const std::string&)>& of) {
  return std::ranges::any_of(entries,
                             [&of](const auto& entry) { return !entry.second && of(entry.first); });
}

}  // namespace

Supplies SuppliedBy(const Scenario& scenario, const Robot& robot, std::string_view experiment) {
  const ProblemOptions& problem = scenario.problem;
  const auto& prior = problem.prior;
  const auto is_replayed = [&](const auto& labelled) {
    return (experiment.empty() || experiment == labelled.first) &&
           IsTorqueReplay(scenario, labelled.second);
  };
  const auto is_staged = [&](const auto& labelled) {
    return (experiment.empty() || experiment == labelled.first) &&
           IsStaged(scenario, labelled.second);
  };
  const auto is_exact = [&scenario](const auto& labelled) {
    return std::holds_alternative<ExactReplayOptions>(ControlOf(scenario, labelled.second));
  };
  const auto is_of_bodies = [&robot](const std::string& key) {
    return key == kBodyKind || IsInertialKind(ParameterKind(key)) || IsBody(robot.model, key);
  };
  const auto is_gain = [](const TermOptions& term) { return term.type == TermKind::kGain; };
  const bool has_unknown_gains =
      std::ranges::any_of(problem.terms, is_gain) &&
      !DriveGainsAmong(robot.model, AskedParameters(robot, problem)).empty();
  const auto is_calibration = [](const TermOptions& term) {
    return term.type == TermKind::kCalibration;
  };
  const std::vector<PlacedEquation> equations = EquationsOf(problem, robot.model);
  const bool has_drives = std::ranges::any_of(equations, [](const PlacedEquation& equation) {
    return InfoOf(equation.kind).rows == RowsFrom::kDriveRows;
  });
  const bool has_duty_cycles = std::ranges::any_of(equations, [](const PlacedEquation& equation) {
    return equation.kind == Equation::kPwmDrive;
  });
  using enum Capability;
  Supplies supplies = KindNamed(problem.parametrisation.type).Supplied();
  supplies.AddIf(scenario.simulated(), kTruth)
      .AddIf(prior.has_value(), kPrior)
      .AddIf(prior && prior->has_covariance(), kPriorCovariance)
      .AddIf(!prior || !SaysNull(prior->std, [](const std::string&) { return true; }), kSigmaOfAll)
      .AddIf(!prior || !SaysNull(prior->std, is_of_bodies), kSigmaOfBodies)
      .AddIf(!scenario.windows.empty(), kWindows)
      .AddIf(problem.parametrisation.payload || problem.parametrisation.bounded(), kBounds)
      .AddIf(std::ranges::any_of(scenario.experiments, is_replayed), kTorqueReplay)
      .AddIf(MeasuresTorque(scenario, robot.model), kMeasuredTorque)
      .AddIf(DeclaresTorqueSigma(scenario), kTorqueSigma)
      .AddIf(robot.model.imu().has_value(), kImu)
      .AddIf(robot.model.distance_meter().has_value(), kDistanceMeter)
      .AddIf(!robot.model.cuts().empty(), kForceTorqueSensor)
      .AddIf(DrawnAsDeclared(scenario), kDrawnAsDeclared)
      .AddIf(IsObserved(scenario, kObservedForce, experiment), kObservedForce)
      .AddIf(IsObserved(scenario, kObservedPlace, experiment), kObservedPlace)
      .AddIf(IsObserved(scenario, kDetection, experiment), kDetection)
      .AddIf(!ActiveEstimators(scenario).empty(), kActiveEstimator)
      .AddIf(std::ranges::any_of(scenario.experiments, is_staged), kStaged)
      .AddIf(has_drives, kDriveRows)
      .AddIf(has_unknown_gains, kUnknownGains)
      .AddIf(has_drives || std::ranges::any_of(problem.terms, is_calibration), kMeasuredColumns)
      .AddIf(!MotorsOfDutyCycles(robot.model, equations).motors.empty(), kDutyCycleRows)
      .AddIf(!CutsOf(equations).empty(), kCutRows)
      .Lacks(kDrawnAsDeclared, {.absent = kNotDrawnAsDeclared})
      .AddIf(robot.model.dofs() >= kWrenchSize, kSixJoints)
      .AddIf(robot.model.actuation().B.rows() == robot.model.actuation().B.cols(), kMotorPerJoint)
      .Lacks(kSixJoints, {.needed = fmt::format("needs at least {} joints, {} has {}", kWrenchSize,
                                                robot.name, robot.model.dofs())});
  if (has_duty_cycles) {
    supplies.Lacks(
        kDutyCycleRows,
        {.absent = "no motor's torque follows from those of the joints that have rows of "
                   "duty cycles",
         .needed = "needs rows of duty cycles of joints from which the torque of some "
                   "motor follows"});
  }
  if (!scenario.simulated()) return supplies;
  supplies.AddIf(HasTrueUnknowns(scenario, robot), kTrueUnknowns)
      .Lacks(
          kTrueUnknowns,
          {.absent = "the true robot changes: payloads come, go or differ between experiments; to "
                     "judge how one is followed, take the parametrisation \"payload\" and declare "
                     "/windows, or ask for joint_torque_rmse_nm, which compares each sample of an "
                     "identification experiment with what an online method knew before it"});
  const SensorOrigin positions = (*scenario.sensors)[kJointPosition].origin;
  const auto is_free = [&scenario](const auto& labelled) {
    return IsTorqueReplay(scenario, labelled.second) || labelled.second.release;
  };
  supplies.AddIf(std::ranges::none_of(scenario.experiments, is_free), kDesiredMotion);
  return supplies.AddIf(positions == SensorOrigin::kMeasured, kMeasuredPositions)
      .Lacks(kMeasuredPositions,
             {.needed = fmt::format("needs measured joint positions; those here are {}",
                                    ToString(positions)),
              .cure = "set /sensors/joint_position/origin to \"measured\""})
      .AddIf(std::ranges::none_of(scenario.experiments, is_exact), kStepByStep);
}

}  // namespace idbench
