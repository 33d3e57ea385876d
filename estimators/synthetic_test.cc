#include "estimators/synthetic_test.h"

#include <cmath>
#include <numbers>

#include "robots/plant/random_stream.h"
#include "robots/robot.h"

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
      const auto channel = static_cast<std::uint64_t>(3 * joint + k);
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
                        const FixedStates& states, Equation equation) {
  const Dynamics dynamics(problem.model, problem.friction);
  Dynamics::Scratch scratch(dynamics);
  if (equation == Equation::kTorque) {
    Eigen::MatrixXd tau(states.q.rows(), dynamics.dofs());
    dynamics.InverseDynamics(pi, states.samples(), scratch, tau);
    return tau;
  }
  Eigen::MatrixXd wrench(states.q.rows(), 6);
  dynamics.BaseWrench(pi, states.samples(), scratch, wrench);
  return wrench;
}

/// A problem without a prior.
Problem MakeProblem(const RobotModel& model, const std::string& parametrisation,
                    const std::vector<Equation>& equations, FrictionShape friction,
                    const std::vector<JointParameter>& joint_parameters) {
  const std::vector<int> considered = ConsideredParameters(model, equations, joint_parameters);
  std::vector<EquationRows> rows;
  for (const Equation equation : equations) rows.push_back({equation, {}});
  Parametrisation parameters =
      parametrisation == "standard"
          ? StandardParametrisation(model, considered)
          : BaseParametrisation(model, FindBaseParameters(model, equations, considered, friction));
  return {model, friction, std::move(parameters), std::move(rows), {}};
}

}  // namespace

Dataset WithoutChannel(const Dataset& dataset, std::string_view name) {
  Dataset copy(dataset.label(), dataset.role());
  for (const Channel& channel : dataset.channels()) {
    if (channel.name != name) copy.Add(channel);
  }
  return copy;
}

Synthetic::Synthetic(const std::string& robot_name, const std::string& parametrisation,
                     const std::vector<Equation>& equations, FrictionShape friction,
                     const std::vector<JointParameter>& joint_parameters)
    : problem(MakeProblem(LoadRobot(robot_name).model, parametrisation, equations, friction,
                          joint_parameters)),
      model(problem.model),
      pi(LoadRobot(robot_name).FindSet("")->pi) {
  const ParameterLayout layout(model.dofs());
  for (int joint = 0; joint < model.dofs(); ++joint) {
    pi[layout.Joint(joint, JointParameter::kViscous)] = 0.4 + 0.1 * joint;
    pi[layout.Joint(joint, JointParameter::kCoulomb)] = 0.7 - 0.05 * joint;
    pi[layout.Joint(joint, JointParameter::kOffset)] = 0.0;
    pi[layout.Joint(joint, JointParameter::kRotorInertia)] = 0.0;
  }
  const Eigen::VectorXd truth = x();
  problem.parameters.prior = Parametrisation::Prior{
      1.2 * truth + Eigen::VectorXd::Constant(truth.size(), 0.01), std::nullopt};
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
  for (const Equation equation : problem.equations()) {
    Eigen::MatrixXd y = Predict(problem, pi, states, equation);
    if (equation == Equation::kWrench) {
      add(kBaseWrench, "N, N·m", y);
      continue;
    }
    const RandomStream stream(1, trial, label + "/gaussian");
    for (Eigen::Index j = 0; j < sigma.size(); ++j) {
      for (Eigen::Index i = 0; i < samples; ++i) {
        y(i, j) +=
            sigma[j] * stream.Normal(static_cast<std::uint64_t>(j), static_cast<std::uint64_t>(i));
      }
    }
    add(kJointTorque, "N·m", y);
  }
  return dataset;
}

}  // namespace idbench
