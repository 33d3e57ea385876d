#include "estimators/motors/driven_arm_test.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "robots/dynamics/calibration.h"
#include "robots/dynamics/dynamics.h"
#include "robots/dynamics/kinematics.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/random/random_stream.h"
#include "robots/robot.h"

namespace idbench {
namespace {

constexpr int kDriven = 4;
constexpr double kTrueGains[] = {1.79, 0.69, 0.69, 0.71};
constexpr double kTrueOffsets[] = {3.0, -5.0, 8.0, 0.15, -0.2, 0.1};

constexpr const char* kSensor = "r_arm_ft_sensor";
constexpr int kTouched = 3;  // the link of the elbow
constexpr double kWeightKg = 0.5, kWeightMoment = 1e-4;

/// Error of a calibration of 3 %, where forces and moments are compared in 20 N and 2 N·m.
Eigen::Matrix<double, 6, 6> ErrorOfCalibration(CalibrationEntries entries) {
  const RandomStream stream(29, 0, "calibration");
  Eigen::Matrix<double, 6, 6> E = Eigen::Matrix<double, 6, 6>::Zero();
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      if (i != j && entries == CalibrationEntries::kDiagonal) continue;
      const double units = (i < 3 ? 20.0 : 2.0) / (j < 3 ? 20.0 : 2.0);
      E(i, j) = 0.03 * (i == j ? 1.0 : 0.35) * units *
                stream.Normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j));
    }
  }
  return E;
}

RobotModel DrivenModel(const DrivenArm::Extras& extras) {
  RobotModel model = LoadRobot("icub_right_arm").model;
  std::vector<TermOptions> terms = OptionsOfTerms(model);
  terms.push_back(
      {.type = TermKind::kGain, .motors = "motor{0..3}", .equation = Equation::kPwmDrive});
  terms.push_back({.type = TermKind::kOffset, .sensors = kSensor});
  if (extras.calibration) {
    terms.push_back(
        {.type = TermKind::kCalibration, .sensors = kSensor, .entries = *extras.calibration});
  }
  std::vector<Issue> issues;
  model.SetTerms({});
  model.SetTerms(MakeTerms(terms, model, "", issues));
  if (!issues.empty()) throw std::logic_error(issues.front().what);
  if (extras.loaded) {
    model.SetAttached(
        {{.name = "weight", .link = model.dofs() - 1, .p_LA_L = {-0.06, 0.0, 0.02}, .known = true}},
        {{.name = ""}, {.name = "loaded", .attached = {0}}});
  }
  if (extras.touched) {
    model.SetAttached({}, {{.name = ""}, {.name = "touched", .touched = kTouched}});
  }
  return model;
}

Problem DrivenProblem(const DrivenArm::Extras& extras) {
  RobotModel model = DrivenModel(extras);
  std::vector<EquationRows> rows = {
      {.equation = Equation::kPwmDrive, .chosen = {0, 1, 2, 3}},
      {.equation = Equation::kWrench, .channel = std::string(kBaseWrench)}};
  if (!extras.on_base) {
    rows[1].equation = Equation::kCut;
    rows[1].cut = model.CutIndex(kSensor);
    rows[1].channel = NameAt(kWrenchAtCut, kSensor);
  }
  std::vector<std::string> terms;
  for (const Term& term : model.terms()) {
    if (!extras.on_base || term.rows != TermRows::kCut) terms.push_back(term.name);
  }
  const std::vector<int> considered = ConsideredParameters(model, EquationsOf(rows), {}, terms);
  Parametrisation parameters = StandardParametrisation(model, considered);
  return {std::move(model), FrictionShape{0.05}, std::move(parameters), std::move(rows), {}};
}

/// Adds eight sines to each joint, whose phases depend on `trial`.
void Swing(double amplitude, int trial, const Eigen::VectorXd& time_s, FixedStates& states) {
  const RandomStream stream(13, trial, "swing");
  for (Eigen::Index joint = 0; joint < states.q.cols(); ++joint) {
    for (Eigen::Index k = 0; k < 8; ++k) {
      const double omega = 4.0 + static_cast<double>(k) + 0.1 * static_cast<double>(joint);
      const double phase = 6.28 * stream.Uniform(static_cast<std::uint64_t>(8 * joint + k), 0);
      const Eigen::ArrayXd angle = omega * time_s.array() + phase;
      states.q.col(joint).array() += amplitude * angle.sin();
      states.qd.col(joint).array() += amplitude * omega * angle.cos();
      states.qdd.col(joint).array() -= amplitude * omega * omega * angle.sin();
    }
  }
}

/// Sums of three sines of each joint, whose phases depend on `label`, and their derivatives.
FixedStates Waves(int dofs, const Eigen::VectorXd& time_s, const std::string& label) {
  const RandomStream stream(11, 0, label);
  FixedStates states;
  for (Eigen::MatrixXd* matrix : {&states.q, &states.qd, &states.qdd}) {
    matrix->setZero(time_s.size(), dofs);
  }
  for (int joint = 0; joint < dofs; ++joint) {
    for (int k = 0; k < 3; ++k) {
      const auto at = 3 * static_cast<std::uint64_t>(joint) + static_cast<std::uint64_t>(k);
      const double omega = 0.9 + 1.3 * k + 0.23 * joint;
      const Eigen::ArrayXd angle = omega * time_s.array() + 6.28 * stream.Uniform(at, 0);
      states.q.col(joint).array() += 0.8 / omega * angle.sin();
      states.qd.col(joint).array() += 0.8 * angle.cos();
      states.qdd.col(joint).array() -= 0.8 * omega * angle.sin();
    }
  }
  return states;
}

/// Adds what a force on the touched link takes of torques and of the wrench at the sensor.
void AddTouch(const RobotModel& model, const FixedFrame& sensor, const Eigen::VectorXd& time_s,
              const Eigen::MatrixXd& q, Eigen::MatrixXd& tau, Eigen::MatrixXd& wrench) {
  const Eigen::Vector3d p_LP_L(-0.06, 0.03, 0.01);
  for (Eigen::Index i = 0; i < q.rows(); ++i) {
    const double t = time_s[i];
    const Eigen::Vector3d f(10.0 * std::sin(1.7 * t), 8.0 * std::sin(2.3 * t + 1.0),
                            9.0 * std::cos(1.1 * t));
    const Eigen::VectorXd at = q.row(i).transpose();
    tau.row(i) -= f.transpose() * PointJacobian(model, at, kTouched, p_LP_L).topRows<3>();
    const std::vector<Pose> poses = ForwardKinematics(model, at);
    const Pose& touched = poses[kTouched];
    const Pose S = PoseOf(sensor, poses);
    const Eigen::Matrix3d R_SB = S.R_BL.transpose();
    const Eigen::Vector3d arm = touched.p_BL_B + touched.R_BL * p_LP_L - S.p_BL_B;
    wrench.row(i).head<3>() -= R_SB * f;
    wrench.row(i).tail<3>() -= R_SB * arm.cross(f);
  }
}

}  // namespace

DrivenArm::DrivenArm(const Extras& extras) : problem(DrivenProblem(extras)) {
  const ParameterLayout layout(problem.model);
  const Robot robot = LoadRobot("icub_right_arm");
  const Eigen::VectorXd with_friction = robot.FindSet("urdf_icubgenova04_friction")->pi;
  const Eigen::Index friction = with_friction.size() - layout.links_size();
  pi = Eigen::VectorXd::Zero(layout.size());
  pi.head(layout.links_size()) = with_friction.head(layout.links_size());
  pi.segment(layout.inertial_size(), friction) = with_friction.tail(friction);
  if (extras.loaded) {
    const int weight = layout.Body(problem.model.dofs());
    pi.segment<kInertialCount>(weight) = ToStandard(
        {kWeightKg, Eigen::Vector3d::Zero(), kWeightMoment * Eigen::Matrix3d::Identity()});
    problem.parameters.SetKnown(weight, pi.segment<kInertialCount>(weight));
  }
  Eigen::Index at = layout.inertial_size() + friction;
  for (const double gain : kTrueGains) pi[at++] = gain;
  for (const double offset : kTrueOffsets) pi[at++] = offset;
  if (!extras.calibration) return;
  const Eigen::Matrix<double, 6, 6> E = ErrorOfCalibration(*extras.calibration);
  const Eigen::Matrix<double, 6, 6> D =
      (Eigen::Matrix<double, 6, 6>::Identity() + E).partialPivLu().solve(-E);
  for (int k = 0; k < 36; ++k) {
    const bool diagonal = k / 6 == k % 6;
    if (diagonal || *extras.calibration == CalibrationEntries::kAll) pi[at++] = D(k / 6, k % 6);
  }
}

Problem DrivenArm::WithKnownGains() const {
  Problem known = problem;
  std::vector<std::string> terms;
  for (const Term& term : problem.model.terms()) {
    if (term.rows != TermRows::kDrives) terms.push_back(term.name);
  }
  const std::vector<int> considered =
      ConsideredParameters(problem.model, EquationsOf(problem.rows), {}, terms);
  known.parameters = StandardParametrisation(problem.model, considered);
  const std::vector<std::string> names = ParameterNames(problem.model);
  const auto first = std::ranges::find(names, "motor0.gain") - names.begin();
  known.parameters.SetKnown(static_cast<int>(first), pi.segment(first, kDriven));
  return known;
}

Eigen::Index DrivenArm::IndexOf(const std::string& name) const {
  const auto& names = problem.parameters.names;
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) throw std::logic_error("no unknown is called " + name);
  return found - names.begin();
}

Eigen::Vector4d DrivenArm::GainRatios(const Eigen::VectorXd& x) const {
  Eigen::Vector4d ratios;
  for (int i = 0; i < kDriven; ++i) {
    ratios[i] = x[IndexOf("motor" + std::to_string(i) + ".gain")] / kTrueGains[i];
  }
  return ratios;
}

double DrivenArm::CalibrationError(const Eigen::VectorXd& x) const {
  const Eigen::Matrix<double, 6, 6> off =
      CalibrationOf(problem.model, problem.rows[1].cut, problem.parameters.Pi(x)) -
      CalibrationOf(problem.model, problem.rows[1].cut, pi);
  Eigen::Vector<double, 6> units;
  units << 20.0, 20.0, 20.0, 2.0, 2.0, 2.0;
  const Eigen::Matrix<double, 6, 6> in_units =
      units.cwiseInverse().asDiagonal() * off * units.asDiagonal();
  return in_units.norm() /
         std::sqrt(std::max(1.0, static_cast<double>((off.array() != 0.0).count())));
}

Dataset DrivenArm::Record(const std::string& label, double duration_s, const Noise& noise,
                          int trial, const std::string& configuration) const {
  const RobotModel& model = problem.model;
  const auto samples = static_cast<Eigen::Index>(100.0 * duration_s);
  const Eigen::VectorXd time_s =
      Eigen::VectorXd::LinSpaced(samples, 0.0, 0.01 * static_cast<double>(samples - 1));
  const FixedStates desired = Waves(model.dofs(), time_s, label);
  FixedStates states = desired;
  Swing(noise.swing_rad, trial, time_s, states);
  const Dynamics dynamics(model, problem.friction, model.ConfigurationIndex(configuration));
  Dynamics::Scratch scratch(dynamics);
  Eigen::MatrixXd tau(samples, model.dofs()), wrench(samples, 6);
  dynamics.InverseDynamics(pi, states.samples(), scratch, tau);
  dynamics.Predict(problem.rows[1].placed(), pi, states.samples(), scratch, wrench);
  if (model.configurations()[static_cast<std::size_t>(model.ConfigurationIndex(configuration))]
          .touched >= 0) {
    AddTouch(model, FrameOfWrench(model, problem.rows[1].cut), time_s, states.q, tau, wrench);
  }
  // What noise exerts is not told.
  tau -= 0.1 * (states.qdd - desired.qdd);
  // τ = B·u, u = g·v.
  Eigen::MatrixXd pwm = model.actuation().B.fullPivLu().solve(tau.transpose()).transpose();
  for (int i = 0; i < model.dofs(); ++i) pwm.col(i) /= i < kDriven ? kTrueGains[i] : 1.0;
  const RandomStream stream(5, trial, label);
  const auto add_noise = [&](Eigen::MatrixXd& values, int column, int at, double sigma) {
    for (Eigen::Index k = 0; k < samples; ++k) {
      values(k, column) +=
          sigma * stream.Normal(static_cast<std::uint64_t>(at), static_cast<std::uint64_t>(k));
    }
  };
  for (int i = 0; i < model.dofs(); ++i) add_noise(pwm, i, i, noise.pwm_pct);
  for (int i = 0; i < 6; ++i) {
    add_noise(wrench, i, 10 + i, i < 3 ? noise.force_n : noise.moment_nm);
  }
  Dataset dataset(label, Role::kIdentification);
  const auto add = [&](std::string_view name, const char* unit, const Eigen::MatrixXd& values) {
    dataset.Add({std::string(name), unit, time_s, values, {}, Origin::kMeasured});
  };
  add(kJointPosition, "rad", states.q);
  add(kJointVelocity, "rad/s", states.qd);
  add(kJointAcceleration, "rad/s²", states.qdd);
  if (noise.swing_rad > 0.0) add(kDesiredPosition, "rad", desired.q);
  add(kMotorPwm, "%", pwm);
  add(problem.rows[1].channel, "N, N·m", wrench);
  dataset.set_configuration(configuration);
  return dataset;
}

}  // namespace idbench
