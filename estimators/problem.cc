#include "estimators/problem.h"

#include <cassert>
#include <string>

namespace idbench {

std::string_view MeasuredChannel(Equation equation) {
  switch (equation) {
    case Equation::kTorque:
      return kJointTorque;
    case Equation::kWrench:
      return kBaseWrench;
    case Equation::kEndEffector:
      break;
  }
  return kEndEffectorWrench;
}

int RowsOf(Equation equation, int dofs) { return equation == Equation::kTorque ? dofs : 6; }

std::vector<Equation> Problem::equations() const {
  std::vector<Equation> equations;
  for (const EquationRows& row : rows) equations.push_back(row.equation);
  return equations;
}

std::vector<std::string_view> Problem::measured_channels() const {
  std::vector<std::string_view> channels;
  for (const EquationRows& row : rows) {
    channels.push_back(MeasuredChannel(row.equation));
  }
  return channels;
}

int Problem::row_count() const {
  int count = 0;
  for (const EquationRows& row : rows) count += RowsOf(row.equation, model.dofs());
  return count;
}

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

}  // namespace idbench
