#include "estimators/solvers/in_coordinates.h"

#include <cassert>
#include <string>
#include <vector>

namespace idbench {

Problem InCoordinates(const Problem& problem, const Eigen::VectorXd& origin,
                      const Eigen::MatrixXd& S) {
  assert(problem.parameters.affine() != nullptr);
  const AffineMap& map = *problem.parameters.affine();
  std::vector<std::string> names;
  for (Eigen::Index k = 0; k < S.cols(); ++k) names.push_back("v" + std::to_string(k + 1));
  Problem other = problem;
  other.parameters =
      Parametrisation(problem.parameters.type(), {map.pi0 + map.A * origin, map.A * S},
                      Eigen::MatrixXd::Zero(S.cols(), map.pi0.size()), names,
                      std::vector<std::string>(names.size(), "1"));
  return other;
}

Problem LinearisedAt(const Problem& problem, const Eigen::VectorXd& x) {
  const Parametrisation& parameters = problem.parameters;
  const Eigen::MatrixXd J = parameters.Jacobian(x);
  Problem linear = problem;
  linear.parameters = Parametrisation(parameters.type(), {parameters.Pi(x) - J * x, J},
                                      Eigen::MatrixXd::Zero(x.size(), parameters.pi_size()),
                                      parameters.names, parameters.units);
  return linear;
}

}  // namespace idbench
