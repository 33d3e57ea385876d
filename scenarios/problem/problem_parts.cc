#include "scenarios/problem/problem_parts.h"

#include <algorithm>
#include <stdexcept>

#include "robots/dynamics/actuation.h"
#include "robots/dynamics/parameters.h"

namespace idbench {
namespace {

/// Part of the largest entry of a row of B⁻¹ below which an entry is rounding.
constexpr double kNoShare = 1e-10;

/// Index into π of the first of the model's own terms.
int FirstOwnTerm(const RobotModel& model) {
  return ParameterLayout(model).size() - static_cast<int>(model.terms().size());
}

}  // namespace

std::vector<int> CutsOf(const std::vector<PlacedEquation>& equations) {
  std::vector<int> cuts;
  for (const PlacedEquation& equation : equations) {
    if (equation.kind == Equation::kCut) cuts.push_back(equation.cut);
  }
  std::ranges::sort(cuts);
  const auto repeated = std::ranges::unique(cuts);
  cuts.erase(repeated.begin(), repeated.end());
  return cuts;
}

std::vector<std::string> ScoredChannels(const ProblemOptions& problem) {
  std::vector<std::string> channels;
  for (const auto& equation : problem.equations) {
    const bool of_cut = equation.type == Equation::kCut;
    if (!of_cut && equation.type != Equation::kPwmDrive) continue;
    std::string channel = equation.channel;
    if (channel.empty()) {
      channel = of_cut ? NameAt(kWrenchAtCut, equation.mount) : std::string(kMotorPwm);
    }
    if (std::ranges::find(channels, channel) == channels.end()) channels.push_back(channel);
  }
  return channels;
}

MotorsFromJoints MotorsOfDutyCycles(const RobotModel& model,
                                    const std::vector<PlacedEquation>& equations) {
  std::vector<bool> has_rows(static_cast<std::size_t>(model.dofs()), false);
  for (const PlacedEquation& equation : equations) {
    if (equation.kind != Equation::kPwmDrive) continue;
    for (const int joint : ChosenRows(equation, model.dofs())) {
      has_rows[static_cast<std::size_t>(joint)] = true;
    }
  }
  MotorsFromJoints of{{}, Eigen::MatrixXd(0, model.dofs())};
  const Actuation& actuation = model.actuation();
  if (std::ranges::none_of(has_rows, [](bool has) { return has; }) ||
      actuation.B.rows() != actuation.B.cols()) {
    return of;
  }
  Eigen::MatrixXd all;
  try {
    all = MotorsOfJointTorque(actuation);
  } catch (const std::invalid_argument&) {
    return of;
  }
  for (Eigen::Index motor = 0; motor < all.rows(); ++motor) {
    const double least = kNoShare * all.row(motor).cwiseAbs().maxCoeff();
    bool follows = true;
    for (Eigen::Index joint = 0; joint < all.cols(); ++joint) {
      if (std::abs(all(motor, joint)) <= least) {
        all(motor, joint) = 0.0;
      } else {
        follows = follows && has_rows[static_cast<std::size_t>(joint)];
      }
    }
    if (follows) of.motors.push_back(static_cast<int>(motor));
  }
  of.from_joints = all(of.motors, Eigen::all);
  return of;
}

std::vector<int> DriveGainsAmong(const RobotModel& model, const std::vector<int>& parameters) {
  std::vector<int> gains;
  for (const int parameter : parameters) {
    const int own = parameter - FirstOwnTerm(model);
    if (own >= 0 && model.terms()[static_cast<std::size_t>(own)].rows == TermRows::kDrives) {
      gains.push_back(parameter);
    }
  }
  return gains;
}

std::string MotorOfGain(const RobotModel& model, int gain) {
  const Term& term = model.terms()[static_cast<std::size_t>(gain - FirstOwnTerm(model))];
  std::string label = model.actuation().names[static_cast<std::size_t>(term.input)];
  const std::size_t of_configuration = term.name.find('@', label.size());
  if (of_configuration != std::string::npos) label += term.name.substr(of_configuration);
  return label;
}

}  // namespace idbench
