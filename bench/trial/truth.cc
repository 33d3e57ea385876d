#include "bench/trial/truth.h"

#include <Eigen/LU>
#include <algorithm>
#include <utility>

#include "robots/dynamics/calibration.h"
#include "robots/physical_inertia.h"
#include "scenarios/carried_payloads.h"
#include "scenarios/problem/drawn_set.h"
#include "scenarios/problem/parametrisations.h"
#include "sim/sensors/calibration_error.h"
#include "sim/truth/motor.h"

namespace idbench {

const CompiledTruth& Truth::Of(const ExperimentOptions& experiment) const {
  const auto found = loaded.find(&experiment);
  return found == loaded.end() ? robot : found->second;
}

std::string Truth::WhyNoJointTorques() const {
  if (with_back_emf.empty()) return "";
  return "friction that is identified from duty cycles includes the back-EMF of the motors, the "
         "joints' torques do not";
}

namespace {

/// Gains are those of the simulated motors.
void SetGains(const Scenario& scenario, const RobotModel& model, Eigen::VectorXd& pi) {
  for (const EquationOptions& equation : scenario.problem.equations) {
    const EquationInfo& info = InfoOf(equation.type);
    if (info.rows != RowsFrom::kDriveRows) continue;
    Eigen::Index k = pi.size() - std::ssize(model.terms());
    for (const Term& term : model.terms()) {
      if (term.rows == TermRows::kDrives) {
        pi[k] = DriveGain(scenario.robot.truth->joints.motor, static_cast<std::size_t>(term.input),
                          info.channel);
      }
      ++k;
    }
  }
}

/// s with c = s·(c of the term); 0 if there is none.
double MultipleOf(const Term& term, const std::vector<Term::Share>& c) {
  const std::vector<Term::Share>& own = term.shares;
  if (own.size() != c.size()) return 0.0;
  for (std::size_t k = 0; k < c.size(); ++k) {
    const bool parallel = own[k].factor * c[0].factor == own[0].factor * c[k].factor;
    if (own[k].joint != c[k].joint || !parallel) return 0.0;
  }
  return c[0].factor / own[0].factor;
}

/// Viscous friction that is to be estimated and that the back-EMF of a motor can be part of.
struct FrictionOfMotor {
  int entry = -1;         ///< Of π; −1: there is none.
  double multiple = 0.0;  ///< c of the motor over c of the term.
};

/// Finds that of a motor, or of the joint that it drives: one for both directions, or one for each.
/// @param c  of the motor, its column of B.
std::vector<FrictionOfMotor> FindFriction(const std::string& motor,
                                          const std::vector<Term::Share>& c,
                                          const RobotModel& model, const std::vector<int>& asked) {
  FrictionOfMotor both, forwards, backwards;
  const std::vector<Term> terms = TermsOf(model);
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const Term& term = terms[k];
    const int entry = ParameterLayout(model).inertial_size() + static_cast<int>(k);
    const bool of_velocity =
        term.rows == TermRows::kJoints && term.argument == TermArgument::kVelocity;
    if (!of_velocity || std::ranges::find(asked, entry) == asked.end()) continue;
    const double multiple = MultipleOf(term, c);
    if (multiple == 0.0) continue;
    const auto take = [&](FrictionOfMotor& found) {
      if (found.entry < 0 || term.name.starts_with(motor + ".")) found = {entry, multiple};
    };
    if (term.shape == TermShape::kLinear) take(both);
    if (term.shape == TermShape::kPositivePart) take(forwards);
    if (term.shape == TermShape::kNegativePart) take(backwards);
  }
  if (both.entry >= 0) return {both};
  if (forwards.entry >= 0 && backwards.entry >= 0) return {forwards, backwards};
  return {};
}

/// In equations of duty cycles the back-EMF B·diag(b)·Bᵀ·q̇ is viscous friction of the motors. Where
/// others hold the same friction without it, no value is true for both.
void AddBackEmf(const Scenario& scenario, const Robot& robot, Truth& truth) {
  std::vector<PlacedEquation> without;  // rows that hold friction without back-EMF
  std::vector<int> joints;              // rows that hold it
  for (const PlacedEquation& equation : EquationsOf(scenario.problem, robot.model)) {
    const RowsFrom rows = InfoOf(equation.kind).rows;
    if (equation.kind == Equation::kPwmDrive) joints = ChosenRows(equation, robot.model.dofs());
    if (rows == RowsFrom::kTorqueRows || rows == RowsFrom::kMappedRows) without.push_back(equation);
  }
  const std::vector<Term> terms = TermsOf(robot.model);
  const auto is_shared = [&](const FrictionOfMotor& friction) {
    const int term = friction.entry - ParameterLayout(robot.model).inertial_size();
    return InRows(terms[static_cast<std::size_t>(term)], without);
  };
  const std::vector<int> asked = AskedParameters(robot, scenario.problem);
  const std::vector<std::string> names = ParameterNames(robot.model);
  const Actuation& actuation = robot.model.actuation();
  for (std::size_t m = 0; m < actuation.names.size(); ++m) {
    const double b = BackEmfFriction(scenario.robot.truth->joints.motor, m);
    const Eigen::VectorXd shares = actuation.B(joints, static_cast<Eigen::Index>(m));
    if (b == 0.0 || shares.isZero(0.0)) continue;
    const std::vector<Term::Share> c = SharesOf(actuation.B.col(static_cast<Eigen::Index>(m)));
    const auto friction = FindFriction(actuation.names[m], c, robot.model, asked);
    if (friction.empty() || std::ranges::any_of(friction, is_shared)) {
      truth.back_emf_left_out.push_back(actuation.names[m]);
      continue;
    }
    for (const auto& [entry, multiple] : friction) {
      truth.pi[entry] += b * multiple * multiple;
      truth.with_back_emf.push_back(names[static_cast<std::size_t>(entry)]);
    }
  }
}

/// The bias of a row's sensor; 0 for rows that no equation, or more than one, measures.
/// @param rows  kind of the rows. @param cut  of rows of a cut, else −1.
double BiasOf(const Scenario& scenario, const RobotModel& model, RowsFrom rows, int cut, int row) {
  std::vector<double> biases;
  for (const EquationOptions& equation : scenario.problem.equations) {
    if (InfoOf(equation.type).rows != rows) continue;
    if (cut >= 0 && model.CutIndex(equation.mount) != cut) continue;
    const std::string own = cut >= 0 ? NameAt(kWrenchAtCut, equation.mount)
                                     : std::string(InfoOf(equation.type).channel);
    const auto& sensors = (*scenario.sensors)[equation.channel.empty() ? own : equation.channel];
    const auto k = static_cast<std::size_t>(row);
    const std::string name = cut >= 0 ? std::string(kWrenchComponents[k]) : model.link(row).joint;
    biases.push_back(*OfPart(sensors, name, k).bias);
  }
  return biases.size() == 1 ? biases.front() : 0.0;
}

/// A constant error of a sensor is no error of an offset that is estimated: no data tell them
/// apart.
void AddBias(const Scenario& scenario, const Robot& robot, Truth& truth) {
  const RobotModel& model = robot.model;
  for (const EquationOptions& equation : scenario.problem.equations) {
    // They hold the offsets of joints without that bias.
    const RowsFrom rows = InfoOf(equation.type).rows;
    if (rows == RowsFrom::kDriveRows || rows == RowsFrom::kMappedRows) return;
  }
  const std::vector<Term> terms = TermsOf(model);
  const std::vector<std::string> names = ParameterNames(model);
  for (const int k : AskedParameters(robot, scenario.problem)) {
    const int index = k - ParameterLayout(model).inertial_size();
    if (index < 0) continue;
    const Term& term = terms[static_cast<std::size_t>(index)];
    if (IsCalibration(term)) continue;
    const bool of_cut = term.rows == TermRows::kCut;
    const bool of_joint = term.rows == TermRows::kJoints && term.shape == TermShape::kOne;
    if (term.shares.size() != 1 || !(of_cut || of_joint)) continue;
    const double bias = BiasOf(scenario, model, of_cut ? RowsFrom::kCutRows : RowsFrom::kTorqueRows,
                               term.cut, term.shares[0].joint) /
                        term.shares[0].factor;
    if (bias == 0.0) continue;
    truth.pi[k] += bias;
    truth.with_bias.push_back(names[static_cast<std::size_t>(k)]);
  }
}

/// A payload that is carried throughout belongs to the robot that is identified.
void AddCarried(const Scenario& scenario, const Robot& robot, Eigen::VectorXd& pi) {
  if (KindNamed(scenario.problem.parametrisation.type).truth != TrueValues::kOfRobot) return;
  const ParameterLayout layout(robot.model);
  for (const Payload& payload : CarriedBy(scenario, robot).throughout) {
    pi.segment<kInertialCount>(layout.Body(payload.link)) += ToStandard(payload.inertia);
  }
}

}  // namespace

Truth MakeTruth(const HashedRobot& robot, const Scenario& scenario, std::uint64_t seed,
                std::int64_t trial) {
  const TruthOptions& options = *scenario.robot.truth;
  const Robot& untrue = robot.robot();
  PhysicalParameters physical =
      MakePhysical(untrue.model, DrawTrueSet(untrue, options, seed, trial));
  TrueJointOptions joints = options.joints;
  if (auto& cogging = joints.mismatch.cogging) {
    *cogging = DrawPhases(*cogging, untrue.model.dofs(), seed, trial);
  }
  joints.ApplyTo(ParameterLayout(untrue.model), physical.pi);
  FillOwnTerms(untrue.model, options.terms, physical.pi);
  SetGains(scenario, untrue.model, physical.pi);
  const TruthRecipe recipe{.pi = physical.pi,
                           .plant = std::get<MujocoPlantOptions>(*scenario.plant),
                           .joints = joints,
                           .events = {},
                           .imu_offset_L = Eigen::Vector3d(options.imu_offset_m.data())};
  Truth truth{physical.pi, CompiledTruth(robot, recipe), {}, std::move(physical.changed)};
  AddCarried(scenario, untrue, truth.pi);
  AddBackEmf(scenario, untrue, truth);
  AddBias(scenario, untrue, truth);
  for (const auto& [label, experiment] : scenario.experiments) {
    const int configuration = untrue.model.ConfigurationIndex(experiment.configuration);
    if (experiment.events.empty() && configuration <= 0) continue;
    TruthRecipe of_experiment = recipe;
    of_experiment.events = experiment.events;
    of_experiment.configuration = configuration;
    truth.loaded.emplace(&experiment, CompiledTruth(robot, std::move(of_experiment)));
  }
  return truth;
}

void SetCalibrations(const Scenario& scenario, const Robot& robot, const SensorKey& key,
                     Truth& truth) {
  using Matrix6d = Eigen::Matrix<double, 6, 6>;
  const std::vector<Term>& terms = robot.model.terms();
  const std::vector<int> asked = AskedParameters(robot, scenario.problem);
  const Eigen::Index first = truth.pi.size() - std::ssize(terms);
  for (const EquationOptions& equation : scenario.problem.equations) {
    if (equation.type != Equation::kCut) continue;
    const int cut = robot.model.CutIndex(equation.mount);
    const std::string own = NameAt(kWrenchAtCut, equation.mount);
    const auto& sensor = (*scenario.sensors)[equation.channel.empty() ? own : equation.channel];
    Matrix6d D = Matrix6d::Zero();
    if (sensor.calibration_error) {
      CalibrationError effect(*sensor.calibration_error, std::string(sensor.channel->name));
      effect.Reset(key);
      const Matrix6d C = Matrix6d::Identity() + effect.error();
      D = C.partialPivLu().solve(-effect.error());  // C⁻¹ − 1
    }
    Eigen::Vector<double, 6> bias = Eigen::Vector<double, 6>::Zero();
    for (int row = 0; row < 6 && !truth.with_bias.empty(); ++row) {
      bias[row] = BiasOf(scenario, robot.model, RowsFrom::kCutRows, cut, row);
    }
    for (std::size_t k = 0; k < terms.size(); ++k) {
      const Term& term = terms[k];
      if (term.rows != TermRows::kCut || term.cut != cut) continue;
      const Eigen::Index at = first + static_cast<Eigen::Index>(k);
      double& value = truth.pi[at];
      const int row = term.shares[0].joint;
      if (IsCalibration(term)) {
        value = D(row, term.input - robot.model.WrenchInput(cut));
      } else if (std::ranges::binary_search(asked, static_cast<int>(at))) {
        value += D.row(row).dot(bias);
      }
    }
  }
}

}  // namespace idbench
