#include "estimators/problem.h"

namespace idbench {

std::vector<Equation> Problem::equations() const {
  std::vector<Equation> equations;
  for (const EquationRows& row : rows) equations.push_back(row.equation);
  return equations;
}

std::vector<std::string_view> Problem::measured_channels() const {
  std::vector<std::string_view> channels;
  for (const EquationRows& row : rows) {
    channels.push_back(row.equation == Equation::kTorque ? kJointTorque : kBaseWrench);
  }
  return channels;
}

}  // namespace idbench
