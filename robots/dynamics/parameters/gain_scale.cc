#include "robots/dynamics/parameters/gain_scale.h"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>

#include "robots/dynamics/calibration.h"
#include "robots/dynamics/parameters/base_parameters.h"

namespace idbench {
namespace {

/// A direction is shown if its singular value is at least this part of the greatest, of columns
/// scaled to norm 1: round-off leaves 1e-15, and a weight of a thousandth of the robot 1e-4.
constexpr double kShown = 1e-9;
/// A term has a part in a direction from this size of its entry on.
constexpr double kPart = 1e-6;
/// Size of the entries of D in some robot: 1 + D has an inverse.
constexpr double kSomeCalibration = 0.1;

/// Terms whose columns hold what was measured.
bool IsOfDrives(const Term& term) { return term.rows == TermRows::kDrives; }
bool HoldsInputs(const Term& term) { return IsOfDrives(term) || IsCalibration(term); }

/// Any robot, with what is known of this one. Its gains are far from 0, its calibrations near 1.
Eigen::VectorXd SomeRobot(const RobotModel& model, const std::vector<int>& considered,
                          const Eigen::VectorXd& known) {
  const FixedStates numbers =
      MakeFixedStates(model, known.size() / model.dofs() + 1, StateSet::kIdentifiability);
  const Eigen::Index first = known.size() - std::ssize(model.terms());
  Eigen::VectorXd pi = known;
  for (const int k : considered) {
    const double number = numbers.inputs.reshaped()[k];
    const bool of_calibration =
        k >= first && IsCalibration(model.terms()[static_cast<std::size_t>(k - first)]);
    pi[k] = of_calibration ? kSomeCalibration * number : 1.5 + 0.5 * number;
  }
  return pi;
}

/// Sets the inputs with which the drives give the torques of the robot `pi`, and its sensors'
/// readings.
void SetInputs(const Dynamics& dynamics, const RobotModel& model, const Eigen::VectorXd& pi,
               bool drives, FixedStates& states) {
  Dynamics::Scratch scratch(dynamics);
  Eigen::MatrixXd tau(states.q.rows(), model.dofs());
  dynamics.InverseDynamics(pi, states.samples(), scratch, tau);
  if (drives) {
    states.inputs.leftCols(model.dofs()) =
        model.actuation().B.partialPivLu().solve(tau.transpose()).transpose();
  }
  for (int cut = 0; cut < std::ssize(model.cuts()); ++cut) {
    if (!HasCalibration(model, cut)) continue;
    Eigen::MatrixXd wrench(states.q.rows(), 6);
    dynamics.Predict({Equation::kCut, cut}, pi, states.samples(), scratch, wrench);
    states.inputs.middleCols(model.WrenchInput(cut), 6) = wrench;
  }
  const std::vector<Term>& terms = model.terms();
  for (std::size_t k = 0; k < terms.size(); ++k) {
    if (!drives || !IsOfDrives(terms[k])) continue;
    states.inputs.col(terms[k].input) /=
        pi[pi.size() - std::ssize(terms) + static_cast<Eigen::Index>(k)];
  }
}

/// The rows of drives, and those of what is measured as far as it is defined at all states.
std::vector<PlacedEquation> RowsWithScale(const std::vector<PlacedEquation>& equations) {
  std::vector<PlacedEquation> drives, measured;
  for (const PlacedEquation& equation : equations) {
    (InfoOf(equation.kind).rows == RowsFrom::kDriveRows ? drives : measured).push_back(equation);
  }
  if (!measured.empty()) measured = EverywhereDefined(measured);
  measured.insert(measured.end(), drives.begin(), drives.end());
  return measured;
}

/// The rows of all configurations with data for identification, columns scaled to norm 1.
Eigen::MatrixXd ScaledRows(const RobotModel& model, const std::vector<PlacedEquation>& equations,
                           const std::vector<int>& columns, const Eigen::VectorXd& pi,
                           const FrictionShape& friction) {
  Eigen::MatrixXd W(0, std::ssize(columns));
  for (const int configuration : model.IdentifiedConfigurations()) {
    const Dynamics dynamics(model, friction, configuration);
    Dynamics::Scratch scratch(dynamics);
    const RowRegressor rows(dynamics, RowsWithScale(equations), columns);
    FixedStates states =
        MakeFixedStates(model, 50 + 4 * W.cols() / rows.row_count(), StateSet::kIdentifiability);
    SetInputs(dynamics, model, pi, HaveRowsFrom(equations, RowsFrom::kDriveRows), states);
    Eigen::MatrixXd one(rows.row_count(), rows.column_count());
    for (Eigen::Index k = 0; k < states.q.rows(); ++k) {
      rows.Single(states.q.row(k).transpose(), states.qd.row(k).transpose(),
                  states.qdd.row(k).transpose(), scratch, one, states.inputs.row(k).transpose());
      W.conservativeResize(W.rows() + one.rows(), Eigen::NoChange);
      W.bottomRows(one.rows()) = one;
    }
  }
  W.colwise().normalize();
  return W;
}

}  // namespace

std::vector<std::string> TermsWithoutScale(const RobotModel& model,
                                           const std::vector<PlacedEquation>& equations,
                                           const std::vector<int>& considered,
                                           const Eigen::VectorXd& known,
                                           const FrictionShape& friction) {
  const Eigen::Index first = ParameterLayout(model).size() - std::ssize(model.terms());
  const auto holds_inputs = [&](int k) {
    return k >= first && HoldsInputs(model.terms()[static_cast<std::size_t>(k - first)]);
  };
  if (std::ranges::none_of(considered, holds_inputs)) return {};
  const std::vector<int> columns =
      FindBaseParameters(model, equations, considered, friction).independent;
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(
      ScaledRows(model, equations, columns, SomeRobot(model, considered, known), friction),
      Eigen::ComputeThinV);
  const Eigen::VectorXd& values = svd.singularValues();
  const Eigen::Index shown = (values.array() > kShown * values[0]).count();
  const Eigen::MatrixXd hidden = svd.matrixV().rightCols(values.size() - shown);
  std::vector<std::string> terms;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (!holds_inputs(columns[c]) || hidden.row(static_cast<Eigen::Index>(c)).norm() <= kPart)
      continue;
    terms.push_back(model.terms()[static_cast<std::size_t>(columns[c] - first)].name);
  }
  return terms;
}

}  // namespace idbench
