#include "estimators/motors/calibrated_sensor.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>

#include "estimators/interface/estimate.h"
#include "robots/dynamics/calibration.h"

namespace idbench {
namespace {

using Matrix6d = Eigen::Matrix<double, 6, 6>;

Matrix6d InverseOf(const Matrix6d& calibration) {
  return Eigen::PartialPivLU<Matrix6d>(calibration).solve(Matrix6d::Identity());
}

/// The unknown that is a term alone; −1 if the term is known.
Eigen::Index UnknownOf(const AffineMap& map, Eigen::Index at, const std::string& term) {
  Eigen::Index found = -1;
  for (Eigen::Index x = 0; x < map.A.cols(); ++x) {
    if (map.A(at, x) == 0.0) continue;
    if (map.A(at, x) != 1.0 || (map.A.col(x).array() != 0.0).count() != 1 || found >= 0) {
      Refuse(fmt::format("{} is mixed with other unknowns", term));
    }
    found = x;
  }
  return found;
}

}  // namespace

Matrix6d CalibratedSensor::ChangeOf(const Eigen::Ref<const Eigen::VectorXd>& dx) const {
  return entries.unaryExpr([&dx](Eigen::Index x) { return x < 0 ? 0.0 : dx[x]; });
}

Matrix6d CalibratedSensor::At(const Eigen::Ref<const Eigen::VectorXd>& x) const {
  return known + ChangeOf(x);
}

Eigen::MatrixXd CalibratedSensor::Residuals(const Rows& Me,
                                            const Eigen::Ref<const Eigen::VectorXd>& x) const {
  const Eigen::Index p = x.size();
  Eigen::MatrixXd rho(Me[0].rows(), 6);
  for (Eigen::Index row = 0; row < 6; ++row) {
    const Eigen::MatrixXd& own = Me[static_cast<std::size_t>(row)];
    rho.col(row) = own.col(p) - own.leftCols(p) * x;
  }
  return rho * InverseOf(At(x)).transpose();
}

Eigen::MatrixXd CalibratedSensor::Linearise(const Rows& Me,
                                            const Eigen::Ref<const Eigen::VectorXd>& x,
                                            Rows& J) const {
  const Eigen::Index p = x.size();
  const Eigen::MatrixXd r = Residuals(Me, x);
  const Matrix6d inverse = InverseOf(At(x));
  for (Eigen::MatrixXd& of_component : J) of_component.setZero(r.rows(), p);
  for (Eigen::Index row = 0; row < 6; ++row) {
    // M holds −w in the columns of D; with w = ŵ + r there it is −ŵ + … of the derivative.
    Eigen::MatrixXd M = Me[static_cast<std::size_t>(row)].leftCols(p);
    for (Eigen::Index column = 0; column < 6; ++column) {
      if (entries(row, column) >= 0) M.col(entries(row, column)) += r.col(column);
    }
    for (Eigen::Index component = 0; component < 6; ++component) {
      const double factor = inverse(component, row);
      if (factor != 0.0) J[static_cast<std::size_t>(component)] -= factor * M;
    }
  }
  return r;
}

std::vector<CalibratedSensor> FindCalibratedSensors(const Problem& problem) {
  std::vector<CalibratedSensor> sensors;
  const AffineMap& map = *problem.parameters.affine();
  const std::vector<int> cuts = UnknownCalibrations(problem);
  const std::vector<Term>& terms = problem.model.terms();
  Eigen::Index first = 0;
  for (const EquationRows& rows : problem.rows_in_order()) {
    const bool calibrated = rows.equation == Equation::kCut && std::ranges::count(cuts, rows.cut);
    if (calibrated) {
      CalibratedSensor sensor{.name = problem.model.cuts()[static_cast<std::size_t>(rows.cut)].name,
                              .first = first};
      if (rows.count(problem.model) != 6) {
        Refuse(fmt::format("the calibration of '{}' takes all six rows of its wrench, and {} count",
                           sensor.name, rows.count(problem.model)));
      }
      sensor.known = CalibrationOf(problem.model, rows.cut, map.pi0);
      for (std::size_t k = 0; k < terms.size(); ++k) {
        if (!IsCalibration(terms[k]) || terms[k].cut != rows.cut) continue;
        const Eigen::Index at = map.A.rows() - std::ssize(terms) + static_cast<Eigen::Index>(k);
        const int column = terms[k].input - problem.model.WrenchInput(rows.cut);
        sensor.entries(terms[k].shares[0].joint, column) = UnknownOf(map, at, terms[k].name);
      }
      sensors.push_back(std::move(sensor));
    }
    first += rows.count(problem.model);
  }
  return sensors;
}

}  // namespace idbench
