#include "robots/dynamics/parameters/gain_scale.h"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>

#include "robots/dynamics/parameters/base_parameters.h"

namespace idbench {
namespace {

/// A direction is shown if its singular value is at least this part of the greatest, of columns
/// scaled to norm 1: round-off leaves 1e-15, and a weight of a thousandth of the robot 1e-4.
constexpr double kShown = 1e-9;
/// A gain has a part in a direction from this size of its entry on.
constexpr double kPart = 1e-6;

/// Any robot, with what is known of this one. Its gains are far from 0.
Eigen::VectorXd SomeRobot(const RobotModel& model, const std::vector<int>& considered,
                          const Eigen::VectorXd& known) {
  const FixedStates numbers =
      MakeFixedStates(model, known.size() / model.dofs() + 1, StateSet::kIdentifiability);
  Eigen::VectorXd pi = known;
  for (const int k : considered) pi[k] = 1.5 + 0.5 * numbers.inputs.reshaped()[k];
  return pi;
}

/// Sets the inputs with which the drives give the torques of the robot `pi`.
void SetInputs(const Dynamics& dynamics, const RobotModel& model, const Eigen::VectorXd& pi,
               FixedStates& states) {
  Dynamics::Scratch scratch(dynamics);
  Eigen::MatrixXd tau(states.q.rows(), model.dofs());
  dynamics.InverseDynamics(pi, states.samples(), scratch, tau);
  states.inputs = model.actuation().B.partialPivLu().solve(tau.transpose()).transpose();
  const std::vector<Term>& terms = model.terms();
  for (std::size_t k = 0; k < terms.size(); ++k) {
    if (terms[k].rows != TermRows::kDrives) continue;
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
    SetInputs(dynamics, model, pi, states);
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

std::vector<std::string> GainsWithoutScale(const RobotModel& model,
                                           const std::vector<PlacedEquation>& equations,
                                           const std::vector<int>& considered,
                                           const Eigen::VectorXd& known,
                                           const FrictionShape& friction) {
  const Eigen::Index first = ParameterLayout(model).size() - std::ssize(model.terms());
  const auto is_gain = [&](int k) {
    return k >= first &&
           model.terms()[static_cast<std::size_t>(k - first)].rows == TermRows::kDrives;
  };
  if (std::ranges::none_of(considered, is_gain)) return {};
  const std::vector<int> columns =
      FindBaseParameters(model, equations, considered, friction).independent;
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(
      ScaledRows(model, equations, columns, SomeRobot(model, considered, known), friction),
      Eigen::ComputeThinV);
  const Eigen::VectorXd& values = svd.singularValues();
  const Eigen::Index shown = (values.array() > kShown * values[0]).count();
  const Eigen::MatrixXd hidden = svd.matrixV().rightCols(values.size() - shown);
  std::vector<std::string> gains;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (!is_gain(columns[c]) || hidden.row(static_cast<Eigen::Index>(c)).norm() <= kPart) continue;
    gains.push_back(model.terms()[static_cast<std::size_t>(columns[c] - first)].name);
  }
  return gains;
}

}  // namespace idbench
