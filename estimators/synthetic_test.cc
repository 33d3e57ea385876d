#include "estimators/synthetic_test.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "robots/dynamics/parameters/payload_parametrisation.h"
#include "robots/random/random_stream.h"
#include "robots/robot.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// Three sines per joint, with phases that depend on `label`, and their exact derivatives.
FixedStates SmoothStates(int dofs, const Eigen::VectorXd& time_s, const std::string& label) {
  const RandomStream stream(7, 0, label);
  FixedStates states;
  for (Eigen::MatrixXd* matrix : {&states.q, &states.qd, &states.qdd}) {
    matrix->setZero(time_s.size(), dofs);
  }
  for (int joint = 0; joint < dofs; ++joint) {
    for (int k = 0; k < 3; ++k) {
      const auto channel = 3 * static_cast<std::uint64_t>(joint) + static_cast<std::uint64_t>(k);
      const double phase = 2.0 * std::numbers::pi * stream.Uniform(channel, 0);
      const double omega = 1.3 + 1.9 * k + 0.37 * joint;
      const double speed = 2.5;
      const Eigen::ArrayXd angle = omega * time_s.array() + phase;
      states.q.col(joint).array() += speed / omega * angle.sin();
      states.qd.col(joint).array() += speed * angle.cos();
      states.qdd.col(joint).array() -= speed * omega * angle.sin();
    }
  }
  return states;
}

/// The left-hand side of one kind of equation: N × rows.
Eigen::MatrixXd Predict(const Problem& problem, const Eigen::VectorXd& pi,
                        const FixedStates& states, const PlacedEquation& equation) {
  const Dynamics dynamics(problem.model, problem.friction);
  Dynamics::Scratch scratch(dynamics);
  if (equation.kind == Equation::kTorque) {
    Eigen::MatrixXd tau(states.q.rows(), dynamics.dofs());
    dynamics.InverseDynamics(pi, states.samples(), scratch, tau);
    return tau;
  }
  Eigen::MatrixXd wrench(states.q.rows(), 6);
  dynamics.Predict(equation, pi, states.samples(), scratch, wrench);
  return wrench;
}

/// A payload of 1.5 kg on the last link, which is a part of `pi`.
Parametrisation PayloadOf(const RobotModel& model, const Eigen::VectorXd& pi) {
  CentralInertia payload;
  payload.mass = 1.5;
  payload.com = {0.0, 0.0, 0.1};
  payload.I_com = Eigen::Vector3d(0.01, 0.02, 0.025).asDiagonal();
  Eigen::VectorXd known = pi;
  known.segment<kInertialCount>(ParameterLayout(model.dofs()).Body(model.dofs() - 1)) -=
      ToStandard(payload);
  return PayloadParametrisation(model, model.dofs() - 1, payload.com, known);
}

/// A problem without a prior.
Problem SyntheticProblem(const RobotModel& model, const Eigen::VectorXd& pi,
                         const std::string& parametrisation,
                         const std::vector<PlacedEquation>& equations, FrictionShape friction,
                         const std::vector<JointParameter>& joint_parameters) {
  const std::vector<int> considered = ConsideredParameters(model, equations, joint_parameters);
  std::vector<EquationRows> rows;
  for (const auto& [kind, cut, chosen] : equations) {
    rows.push_back({.equation = kind, .cut = cut, .chosen = chosen});
  }
  const auto make = [&] {
    if (parametrisation == "standard") return StandardParametrisation(model, considered);
    if (parametrisation == "masses_and_moments") return MassesAndMoments(model, considered, pi);
    if (parametrisation == "masses_moments_first_moments") {
      return MassesMomentsAndFirstMoments(model, considered, pi);
    }
    if (parametrisation == "log_cholesky") return LogCholesky(model, considered, pi);
    if (parametrisation == "payload") return PayloadOf(model, pi);
    return BaseParametrisation(model, FindBaseParameters(model, equations, considered, friction));
  };
  return {model, friction, make(), std::move(rows), {}};
}

}  // namespace

Dataset WithoutChannel(const Dataset& dataset, std::string_view name) {
  Dataset copy = dataset.WithoutChannels();
  for (const Channel& channel : dataset.channels()) {
    if (channel.name != name) copy.Add(channel);
  }
  return copy;
}

Synthetic::Synthetic(const std::string& robot_name, const std::string& parametrisation,
                     const std::vector<PlacedEquation>& equations, FrictionShape friction,
                     const std::vector<JointParameter>& joint_parameters)
    : Synthetic(LoadRobot(robot_name).model, LoadRobot(robot_name).FindSet("")->pi, parametrisation,
                equations, friction, joint_parameters) {}

Synthetic::Synthetic(const RobotModel& robot, Eigen::VectorXd nominal,
                     const std::string& parametrisation,
                     const std::vector<PlacedEquation>& equations, FrictionShape friction,
                     const std::vector<JointParameter>& joint_parameters)
    : problem(
          SyntheticProblem(robot, nominal, parametrisation, equations, friction, joint_parameters)),
      model(problem.model),
      pi(std::move(nominal)) {
  const auto asked = [&](JointParameter which) {
    return std::ranges::find(joint_parameters, which) != joint_parameters.end();
  };
  const ParameterLayout layout(model.dofs());
  for (int joint = 0; joint < model.dofs(); ++joint) {
    pi.segment<kJointParameterCount>(layout.Joint(joint, JointParameter::kViscous)).setZero();
    if (asked(JointParameter::kViscous)) {
      pi[layout.Joint(joint, JointParameter::kViscous)] = 0.4 + 0.1 * joint;
    }
    if (asked(JointParameter::kCoulomb)) {
      pi[layout.Joint(joint, JointParameter::kCoulomb)] = 0.7 - 0.05 * joint;
    }
  }
  const Eigen::VectorXd truth = x();
  // What stands for bodies stays so.
  const double bit = parametrisation == "base" ? 0.01 : 0.0;
  problem.parameters.prior = Parametrisation::Prior{
      1.2 * truth + Eigen::VectorXd::Constant(truth.size(), bit), std::nullopt};
}

void Synthetic::Declare(const Eigen::VectorXd& sigma, double least_width) {
  Eigen::Index row = 0;
  for (EquationRows& rows : problem.rows) {
    const Eigen::Index count = rows.count(model);
    rows.sigma = sigma.segment(row, count);
    row += count;
  }
  Parametrisation& parameters = problem.parameters;
  const Eigen::VectorXd& mean = parameters.prior->mean;
  const Eigen::VectorXd width = mean.cwiseAbs().array() + least_width;
  parameters.lower = mean - width;
  parameters.upper = mean + width;
  parameters.prior->covariance = (0.5 * width).array().square().matrix().asDiagonal();
}

Dataset Synthetic::Record(const std::string& label, Eigen::Index samples,
                          const Eigen::VectorXd& sigma, int trial, Role role) const {
  const Eigen::VectorXd time_s =
      Eigen::VectorXd::LinSpaced(samples, 0.0, 0.01 * static_cast<double>(samples - 1));
  const FixedStates states = SmoothStates(model.dofs(), time_s, label);
  Dataset dataset(label, role);
  const auto add = [&](std::string_view name, const char* unit, const Eigen::MatrixXd& values) {
    dataset.Add({std::string(name), unit, time_s, values, {}, Origin::kMeasured});
  };
  add(kJointPosition, "rad", states.q);
  add(kJointVelocity, "rad/s", states.qd);
  add(kJointAcceleration, "rad/s²", states.qdd);
  const RandomStream stream(1, trial, label + "/gaussian");
  Eigen::Index row = 0;
  for (const EquationRows& rows : problem.rows) {
    Eigen::MatrixXd y = Predict(problem, pi, states, rows.placed());
    for (Eigen::Index j = 0; j < y.cols(); ++j, ++row) {
      for (Eigen::Index i = 0; row < sigma.size() && i < samples; ++i) {
        y(i, j) += sigma[row] *
                   stream.Normal(static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(i));
      }
    }
    const bool torque = rows.equation == Equation::kTorque;
    add(rows.measured(), torque ? "N·m" : "N, N·m", y);
  }
  return dataset;
}

bool TouchEverywhere(Observer& observer, const RobotModel& model) {
  const auto gives = observer.gives();
  if (std::ranges::find(gives, kTouchPlace) == gives.end()) return false;
  const Json options = {{"link", model.link(model.dofs() - 1).name},
                        {"axis_from_m", {0.0, 0.0, 0.0}},
                        {"axis_to_m", {0.0, 0.0, 0.2}},
                        {"radius_m", 0.05},
                        {"threshold", 0.0},
                        {"least_force_n", 0.0}};
  std::vector<Issue> issues;
  ReadFields(observer.Fields(), options, "", issues);
  return true;
}

Synthetic Declared(const char* name, const char* parametrisation) {
  Synthetic robot(name, parametrisation);
  robot.Declare(Eigen::VectorXd::LinSpaced(robot.model.dofs(), kSigma[0], kSigma[1]), 0.2);
  return robot;
}

}  // namespace idbench
