#include "estimators/interface/problem.h"

namespace idbench {

std::string_view MeasuredChannel(Equation equation) {
  switch (equation) {
    case Equation::kTorque:
      return kJointTorque;
    case Equation::kWrench:
      return kBaseWrench;
    case Equation::kEndEffector:
      return kEndEffectorWrench;
    case Equation::kPosition:
      return kJointPosition;
    case Equation::kVelocity:
      break;
  }
  return kJointVelocity;
}

int RowsOf(Equation equation, int dofs) {
  return equation == Equation::kWrench || equation == Equation::kEndEffector ? kWrenchSize : dofs;
}

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

}  // namespace idbench
