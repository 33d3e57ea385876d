#include "robots/dynamics/parametrisation.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace idbench {
namespace {

/// Picks names or units by index.
std::vector<std::string> Pick(const std::vector<std::string>& all, const std::vector<int>& which) {
  std::vector<std::string> picked;
  for (const int k : which) picked.push_back(all[static_cast<std::size_t>(k)]);
  return picked;
}

AffineMap SelectionMap(Eigen::Index pi_size, const std::vector<int>& which) {
  AffineMap map{Eigen::VectorXd::Zero(pi_size),
                Eigen::MatrixXd::Zero(pi_size, static_cast<Eigen::Index>(which.size()))};
  for (std::size_t k = 0; k < which.size(); ++k) {
    map.A(which[k], static_cast<Eigen::Index>(k)) = 1.0;
  }
  return map;
}

using Inertial = Eigen::Matrix<double, kInertialCount, 1>;

/// Ten standard parameters of a unit principal moment along `axis`, about the centre of mass.
Inertial UnitMoment(const Eigen::Vector3d& axis) {
  CentralInertia unit;
  unit.I_com = axis * axis.transpose();
  return ToStandard(unit);
}

/// Ten standard parameters of a unit point mass at `com`.
Inertial UnitMass(const Eigen::Vector3d& com) {
  CentralInertia unit;
  unit.mass = 1.0;
  unit.com = com;
  return ToStandard(unit);
}

/// The row that reads the moment about `axis` through a known centre of mass from a body's ten
/// parameters: J = aᵀ (I_o − m·(|c|²·1 − c·cᵀ)) a.
Eigen::RowVectorXd MomentReader(const Eigen::Vector3d& axis, const Eigen::Vector3d& com) {
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(kInertialCount);
  row[0] = -(com.squaredNorm() - com.dot(axis) * com.dot(axis));
  row[4] = axis.x() * axis.x();
  row[5] = 2.0 * axis.x() * axis.y();
  row[6] = axis.y() * axis.y();
  row[7] = 2.0 * axis.x() * axis.z();
  row[8] = 2.0 * axis.y() * axis.z();
  row[9] = axis.z() * axis.z();
  return row;
}

/// One unknown of x: what a unit of it adds to π, and the row that reads it from π, both from index
/// `first` on.
struct Unknown {
  int first;
  Eigen::VectorXd column;
  Eigen::RowVectorXd reader;
  std::string name, unit;
};

/// Mass and principal moments of the body whose mass is called `mass_name` and is π's entry
/// `first`.
void AddBody(const std::string& mass_name, int first, const CentralInertia& known,
             std::vector<Unknown>& unknowns) {
  if (!(known.mass > 0.0)) {
    throw std::invalid_argument("masses_and_moments: " + mass_name +
                                " is not positive in the known set, so its centre of mass is not "
                                "known; use the parametrisation 'standard' or 'base'");
  }
  unknowns.push_back(
      {first, UnitMass(known.com), Eigen::RowVectorXd::Unit(kInertialCount, 0), mass_name, "kg"});
  const std::string body = mass_name.substr(0, mass_name.rfind('.'));
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(known.I_com);
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d axis = principal.eigenvectors().col(k);
    unknowns.push_back({first, UnitMoment(axis), MomentReader(axis, known.com),
                        body + ".J" + std::to_string(k + 1), "kg·m²"});
  }
}

void CheckWholeBodies(const RobotModel& model, const std::vector<int>& considered) {
  for (int body = -1; body < model.dofs(); ++body) {
    const int first = ParameterLayout(model.dofs()).Body(body);
    const auto count = std::ranges::count_if(
        considered, [first](int k) { return k >= first && k < first + kInertialCount; });
    if (count == 0 || count == kInertialCount) continue;
    throw std::invalid_argument(
        "masses_and_moments: of a body all ten parameters must be considered, or none; " +
        (body < 0 ? model.base_name() : model.link(body).name) + " has " + std::to_string(count));
  }
}

Parametrisation Assemble(std::string type, int pi_size, const std::vector<Unknown>& unknowns) {
  const auto size = static_cast<Eigen::Index>(unknowns.size());
  AffineMap map{Eigen::VectorXd::Zero(pi_size), Eigen::MatrixXd::Zero(pi_size, size)};
  Eigen::MatrixXd to_x = Eigen::MatrixXd::Zero(size, pi_size);
  std::vector<std::string> names, units;
  for (Eigen::Index k = 0; k < size; ++k) {
    const Unknown& unknown = unknowns[static_cast<std::size_t>(k)];
    map.A.col(k).segment(unknown.first, unknown.column.size()) = unknown.column;
    to_x.row(k).segment(unknown.first, unknown.reader.size()) = unknown.reader;
    names.push_back(unknown.name);
    units.push_back(unknown.unit);
  }
  return {std::move(type), std::move(map), std::move(to_x), std::move(names), std::move(units)};
}

}  // namespace

Parametrisation::Parametrisation(std::string type, AffineMap map, Eigen::MatrixXd to_x,
                                 std::vector<std::string> the_names,
                                 std::vector<std::string> the_units)
    : names(std::move(the_names)),
      units(std::move(the_units)),
      lower(Eigen::VectorXd::Constant(size(), -std::numeric_limits<double>::infinity())),
      upper(-lower),
      type_(std::move(type)),
      map_(std::move(map)),
      to_x_(std::move(to_x)) {
  if (map_.A.cols() != size() || map_.A.rows() != pi_size() || to_x_.rows() != size() ||
      to_x_.cols() != pi_size() || units.size() != names.size()) {
    throw std::invalid_argument("Parametrisation " + type_ + ": sizes contradict each other");
  }
}

Eigen::VectorXd Parametrisation::Pi(const Eigen::Ref<const Eigen::VectorXd>& x) const {
  return map_.pi0 + map_.A * x;
}

Eigen::MatrixXd Parametrisation::Jacobian(const Eigen::Ref<const Eigen::VectorXd>&) const {
  return map_.A;
}

Eigen::VectorXd Parametrisation::FromPi(const Eigen::Ref<const Eigen::VectorXd>& pi) const {
  return to_x_ * (pi - map_.pi0);
}

Parametrisation StandardParametrisation(const RobotModel& model,
                                        const std::vector<int>& considered) {
  AffineMap map = SelectionMap(ParameterLayout(model.dofs()).size(), considered);
  Eigen::MatrixXd to_x = map.A.transpose();
  return {"standard", std::move(map), std::move(to_x), Pick(ParameterNames(model), considered),
          Pick(ParameterUnits(model), considered)};
}

Parametrisation BaseParametrisation(const RobotModel& model, const BaseParameters& base) {
  Parametrisation result("base", SelectionMap(base.B.cols(), base.independent), base.B, base.names,
                         Pick(ParameterUnits(model), base.independent));
  result.expressions = base.expressions;
  result.representative = true;
  return result;
}

Parametrisation MassesAndMoments(const RobotModel& model, const std::vector<int>& considered,
                                 const Eigen::Ref<const Eigen::VectorXd>& pi_known) {
  const ParameterLayout layout(model.dofs());
  CheckWholeBodies(model, considered);
  const std::vector<std::string> all_names = ParameterNames(model);
  const std::vector<std::string> all_units = ParameterUnits(model);
  std::vector<Unknown> unknowns;
  for (const int index : considered) {
    const std::string& name = all_names[static_cast<std::size_t>(index)];
    if (index >= layout.Body(model.dofs())) {
      unknowns.push_back({index, Eigen::VectorXd::Ones(1), Eigen::RowVectorXd::Ones(1), name,
                          all_units[static_cast<std::size_t>(index)]});
    } else if (index % kInertialCount == 0) {  // the mass stands for all ten
      AddBody(name, index, FromStandard(pi_known.segment<kInertialCount>(index)), unknowns);
    }
  }
  return Assemble("masses_and_moments", layout.size(), unknowns);
}

}  // namespace idbench
