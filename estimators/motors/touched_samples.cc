#include "estimators/motors/touched_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "estimators/interface/aligned_equations.h"
#include "estimators/interface/estimate.h"
#include "robots/dynamics/parameters.h"

namespace idbench {
namespace {

/// Refuses unknowns of a sensor that are of the touched configuration alone: none of its rows
/// count there.
void CheckOwnTerms(const Problem& problem, const Configuration& touched,
                   const std::vector<int>& cuts) {
  const AffineMap* const map = problem.parameters.affine();
  if (map == nullptr) return;
  const std::vector<Term> terms = TermsOf(problem.model);
  const Eigen::Index first = map->A.rows() - std::ssize(terms);
  for (const OwnTerm& each : touched.own) {
    const Term& term = terms[static_cast<std::size_t>(each.own)];
    const bool of_sensor = term.rows == TermRows::kCut && std::ranges::count(cuts, term.cut) > 0;
    if (!of_sensor || map->A.row(first + each.own).isZero(0.0)) continue;
    Refuse(fmt::format(
        "'{}' cannot be told: what touches '{}' is in all that the sensor measures in "
        "the configuration '{}'; take it out of /configurations/{}/own",
        term.name, problem.model.BodyName(touched.touched), touched.name, touched.name));
  }
}

/// Returns true for bodies of which the wrench at the cut, or that on the base (−1), tells.
bool IsFelt(const RobotModel& model, int body, int cut) {
  return cut < 0 || model.IsBeyond(body, model.cuts()[static_cast<std::size_t>(cut)]);
}

std::string NameOfWrench(const RobotModel& model, int cut) {
  if (cut < 0) return std::string(InfoOf(Equation::kWrench).mount);
  return model.cuts()[static_cast<std::size_t>(cut)].name;
}

/// Refuses unknown bodies that only touched configurations have, beyond the sensor: where the
/// measured wrench stands for the predicted one, they are in nothing.
void CheckBodies(const Problem& problem) {
  const RobotModel& model = problem.model;
  const AffineMap* const map = problem.parameters.affine();
  if (map == nullptr) return;
  const ParameterLayout layout(model);
  for (int k = 0; k < std::ssize(model.attached()); ++k) {
    const int body = model.dofs() + k;
    if (map->A.middleRows(layout.Body(body), kInertialCount).isZero(0.0)) continue;
    std::string touched;
    bool seen = false;
    for (const int c : model.IdentifiedConfigurations()) {
      const Configuration& each = model.configurations()[static_cast<std::size_t>(c)];
      if (std::ranges::count(each.attached, k) == 0) continue;
      const auto sensor = FindTouchedSensor(problem, c);
      const bool hidden = sensor && IsFelt(model, body, sensor->cut);
      seen |= !hidden;
      if (hidden) touched = each.name;
    }
    if (seen || touched.empty()) continue;
    Refuse(
        fmt::format("'{}' is attached only where something touches the robot (configuration '{}'), "
                    "and there nothing tells its inertia: attach it in an experiment for "
                    "identification in which nothing does, or know it",
                    model.BodyName(body), touched));
  }
}

}  // namespace

std::optional<TouchedSensor> FindTouchedSensor(const Problem& problem, int configuration) {
  const RobotModel& model = problem.model;
  const Configuration& there = model.configurations()[static_cast<std::size_t>(configuration)];
  if (there.touched < 0) return std::nullopt;
  std::optional<TouchedSensor> found;
  std::vector<Eigen::Index> moved;
  std::vector<int> cuts;
  Eigen::Index first = 0;
  for (const EquationRows& rows : problem.rows_in_order()) {
    const Eigen::Index at = first;
    first += rows.count(model);
    if (rows.of_drives()) continue;
    const RowsFrom source = InfoOf(rows.equation).rows;
    if (source != RowsFrom::kCutRows && source != RowsFrom::kWrenchRows) {
      Refuse(
          fmt::format("something touches the robot in the configuration '{}', and what that does "
                      "to the equation '{}' is not told",
                      there.name, ToString(rows.equation)));
    }
    if (!IsFelt(model, there.touched, rows.cut)) continue;
    if (rows.count(model) != 6) {
      Refuse(fmt::format("all six rows of '{}' have to count: it tells what touches '{}'",
                         NameOfWrench(model, rows.cut), model.BodyName(there.touched)));
    }
    moved.push_back(at);
    cuts.push_back(rows.cut);
    const bool nearer =
        !found || FrameOfWrench(model, rows.cut).link >= FrameOfWrench(model, found->cut).link;
    if (nearer) found = TouchedSensor{rows.cut, at, {}};
  }
  if (!found) {
    Refuse(
        fmt::format("something touches '{}' in the configuration '{}', and no equation is of a "
                    "force/torque sensor before it",
                    model.BodyName(there.touched), there.name));
  }
  if (std::ranges::count(UnknownCalibrations(problem), found->cut) > 0) {
    Refuse(fmt::format("the calibration of '{}' is unknown, and it has to tell what touches '{}'",
                       model.cuts()[static_cast<std::size_t>(found->cut)].name,
                       model.BodyName(there.touched)));
  }
  CheckOwnTerms(problem, there, cuts);
  found->moved = std::move(moved);
  return found;
}

void CheckTouched(const Problem& problem) {
  bool all = true;
  for (const int configuration : problem.model.IdentifiedConfigurations()) {
    all &= FindTouchedSensor(problem, configuration).has_value();
  }
  if (!all) return CheckBodies(problem);
  Refuse(
      "something touches the robot in all experiments for identification: what the sensor measures "
      "of the robot itself takes one in which nothing does");
}

bool IsTouched(const Problem& problem, const Dataset& dataset) {
  const auto configuration = static_cast<std::size_t>(ConfigurationOf(problem, dataset));
  return problem.model.configurations()[configuration].touched >= 0;
}

std::vector<Eigen::MatrixXd> TorquePerWrench(const RobotModel& model, int touched,
                                             const FixedFrame& sensor, const Eigen::MatrixXd& q) {
  const int link = model.CarrierOf(touched);
  std::vector<Eigen::MatrixXd> torque(static_cast<std::size_t>(model.dofs()),
                                      Eigen::MatrixXd::Zero(q.rows(), 6));
  std::vector<Pose> poses(static_cast<std::size_t>(model.dofs()));
  Eigen::MatrixXd J(6, model.dofs());
  for (Eigen::Index i = 0; i < q.rows(); ++i) {
    ForwardKinematics(model, q.row(i).transpose(), poses);
    const Pose& at = poses[static_cast<std::size_t>(link)];
    const Pose S = PoseOf(sensor, poses);
    PointJacobian(model, poses, link, at.R_BL.transpose() * (S.p_BL_B - at.p_BL_B), J);
    for (std::size_t j = 0; j < torque.size(); ++j) {
      const auto column = J.col(static_cast<Eigen::Index>(j));
      torque[j].row(i) << (S.R_BL.transpose() * column.head<3>()).transpose(),
          (S.R_BL.transpose() * column.tail<3>()).transpose();
    }
  }
  return torque;
}

}  // namespace idbench
