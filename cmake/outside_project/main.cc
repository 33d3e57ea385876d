#include <Eigen/Core>
#include <cmath>
#include <iostream>
#include <limits>

#include "robots/dynamics/dynamics.h"

// A pendulum held level: its joint carries m·g·c, which is 9.81 times the first moment mcx.
int main() {
  using namespace idbench;
  const Eigen::VectorXd unlimited =
      Eigen::VectorXd::Constant(1, std::numeric_limits<double>::infinity());
  const RobotModel pendulum("pendulum", "base", {Link{.name = "link1", .joint = "joint1"}},
                            Eigen::Vector3d(0.0, -9.81, 0.0),
                            {-unlimited, unlimited, unlimited, unlimited, unlimited});
  const Dynamics dynamics(pendulum);
  Dynamics::Scratch scratch(dynamics);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(1);
  Eigen::MatrixXd Y(1, 10);
  dynamics.TorqueRegressor(zero, zero, zero, scratch, Y);
  std::cout << "Y = " << Y << '\n';
  return std::abs(Y(0, 1) - 9.81) < 1e-12 ? 0 : 1;
}
