#include "estimators/motors/motor_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <optional>

#include "estimators/interface/estimate.h"
#include "estimators/solvers/least_squares.h"
#include "robots/dynamics/parameters.h"

namespace idbench {
namespace {

/// Samples that are turned into rows of motors at a time.
constexpr Eigen::Index kMotorSamples = 512;
/// Reciprocal condition of B below which motors do not follow from joints.
constexpr double kLeastReciprocal = 1e-9;

/// The drives' equation, and the first of its rows.
struct DriveRows {
  EquationRows equation;
  Eigen::Index first = 0;
};
DriveRows FindDrives(const Problem& problem) {
  std::optional<DriveRows> found;
  Eigen::Index first = 0;
  for (const EquationRows& rows : problem.rows_in_order()) {
    if (rows.of_drives()) {
      if (found) {
        Refuse("gains follow from one equation of drives, and the problem has several");
      }
      found = DriveRows{rows, first};
    }
    first += rows.count(problem.model);
  }
  if (!found) {
    Refuse("gains follow from an equation of drives, and the problem has none");
  }
  return *std::move(found);
}

/// Finds the unknown that is a motor's gain alone, or its known value.
void FindGain(const Problem& problem, int motor, MotorRow& row) {
  const AffineMap& map = *problem.parameters.affine();
  const std::vector<Term> terms = TermsOf(problem.model);
  const Eigen::Index first = ParameterLayout(problem.model).inertial_size();
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const Term& term = terms[k];
    if (term.rows != TermRows::kDrives || term.input != motor) continue;
    const Eigen::Index at = first + static_cast<Eigen::Index>(k);
    row.known_gain = map.pi0[at];
    for (Eigen::Index x = 0; x < map.A.cols(); ++x) {
      if (map.A(at, x) == 0.0) continue;
      const bool alone = map.A(at, x) == 1.0 && (map.A.col(x).array() != 0.0).count() == 1 &&
                         row.gain < 0 && row.known_gain == 0.0;
      if (!alone) {
        const bool own = std::ranges::any_of(problem.model.configurations(), [&](const auto& each) {
          return std::ranges::find(each.own, static_cast<int>(k), &OwnTerm::own) != each.own.end();
        });
        Refuse(
            fmt::format("the gain of '{}' {}", row.name,
                        own ? "is another in some configurations, and motors have one here: take "
                              "it out of their \"own\""
                            : "is mixed with other unknowns"));
      }
      row.gain = x;
    }
  }
  if (row.gain < 0 && !(row.known_gain > 0.0)) {
    Refuse(fmt::format(
        "the gain of '{}' is neither an unknown (/problem/terms, type \"gain\") nor known "
        "(/problem/prior/terms), or known as {}",
        row.name, row.known_gain));
  }
}

}  // namespace

std::vector<MotorRow> FindMotorRows(const Problem& problem) {
  if (problem.parameters.affine() == nullptr) {
    Refuse(fmt::format("the parametrisation '{}' is not affine in x", problem.parameters.type()));
  }
  const bool calibrates = !UnknownCalibrations(problem).empty();
  if (calibrates && std::ranges::none_of(problem.rows, &EquationRows::of_drives)) return {};
  const auto [equation, first] = FindDrives(problem);
  const Actuation& actuation = problem.model.actuation();
  const std::vector<int> joints = ChosenRows(equation.placed(), problem.model.dofs());
  const std::vector<int> motors = equation.ReadColumns(problem.model);
  if (motors.size() != joints.size()) {
    Refuse(fmt::format("{} motors drive the {} joints of '{}': gains need as many of both",
                       motors.size(), joints.size(), ToString(equation.equation)));
  }
  for (const int motor : motors) {
    for (int joint = 0; joint < problem.model.dofs(); ++joint) {
      if (actuation.B(joint, motor) == 0.0 || std::ranges::count(joints, joint) > 0) continue;
      Refuse(fmt::format("'{}' drives '{}' too, whose row the problem does not use",
                         actuation.names[static_cast<std::size_t>(motor)],
                         problem.model.joint_names()[static_cast<std::size_t>(joint)]));
    }
  }
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(actuation.B(joints, motors));
  if (!lu.isInvertible() || lu.rcond() < kLeastReciprocal) {
    Refuse("the torques of the motors do not follow from those of the joints: B has no inverse");
  }
  const Eigen::MatrixXd inverse =
      lu.solve(Eigen::MatrixXd::Identity(std::ssize(joints), std::ssize(joints)));
  std::vector<MotorRow> found;
  for (std::size_t i = 0; i < motors.size(); ++i) {
    MotorRow row{.name = actuation.names[static_cast<std::size_t>(motors[i])], .rows = {}};
    const double largest = inverse.row(static_cast<Eigen::Index>(i)).cwiseAbs().maxCoeff();
    for (Eigen::Index j = 0; j < inverse.cols(); ++j) {
      const double factor = inverse(static_cast<Eigen::Index>(i), j);
      if (std::abs(factor) > kLeastReciprocal * largest) row.rows.emplace_back(first + j, factor);
    }
    FindGain(problem, motors[i], row);
    found.push_back(std::move(row));
  }
  return found;
}

MotorRegression::MotorRegression(const Problem& problem, const RegressionRows& rows)
    : rows_(rows), motors_(FindMotorRows(problem)), sensors_(FindCalibratedSensors(problem)) {
  for (Eigen::Index row = 0; row < rows.row_count(); ++row) {
    const bool of_motor = std::ranges::any_of(motors_, [row](const MotorRow& motor) {
      return std::ranges::any_of(motor.rows, [row](const auto& one) { return one.first == row; });
    });
    if (!of_motor) others_.push_back(row);
  }
  for (CalibratedSensor& sensor : sensors_) {
    const auto at = std::ranges::find(others_, sensor.first) - others_.begin();
    sensor.first = std::ssize(motors_) + at;
  }
  FindTouched(problem);
}

bool MotorRegression::Touched::Moves(Eigen::Index row) const {
  return std::ranges::any_of(sensor.moved,
                             [row](Eigen::Index first) { return row >= first && row < first + 6; });
}

void MotorRegression::FindTouched(const Problem& problem) {
  const std::vector<Configuration>& configurations = problem.model.configurations();
  if (std::ranges::all_of(configurations, [](const auto& each) { return each.touched < 0; }))
    return;
  CheckTouched(problem);
  for (std::size_t k = 0; k < rows_.dataset_count(); ++k) {
    const SampledStates states = rows_.StatesOf(k);
    touched_.emplace_back();
    const auto sensor = FindTouchedSensor(problem, states.configuration);
    if (!sensor) continue;
    const std::vector<Eigen::MatrixXd> of_joints = TorquePerWrench(
        problem.model, configurations[static_cast<std::size_t>(states.configuration)].touched,
        FrameOfWrench(problem.model, sensor->cut), states.q);
    Touched& touched = touched_.back().emplace(Touched{*sensor, {}});
    for (const MotorRow& motor : motors_) {
      Eigen::MatrixXd& torque =
          touched.per_wrench.emplace_back(Eigen::MatrixXd::Zero(states.q.rows(), 6));
      for (const auto& [row, factor] : motor.rows) {
        torque +=
            factor * of_joints[static_cast<std::size_t>(rows_.JointOf(static_cast<int>(row)))];
      }
    }
  }
}

void MotorRegression::Visit(const std::function<void(const Rows& rows)>& visit) const {
  const std::vector<Eigen::MatrixXd> known = rows_.Residuals(Eigen::VectorXd::Zero(unknowns()));
  std::vector<Eigen::Index> begins = {0};
  for (const Eigen::MatrixXd& of_dataset : known) {
    begins.push_back(begins.back() + of_dataset.rows());
  }
  const Eigen::Index p = unknowns();
  std::vector<Eigen::MatrixXd> block(static_cast<std::size_t>(rows_.row_count()));  // (W A, e)
  const auto hand_on = [&](std::size_t r, Eigen::Index first, Eigen::MatrixXd Me) {
    // What does not count is NaN, and so is every motor's row that it is in.
    Rows rows{.row = static_cast<Eigen::Index>(r), .samples = {}, .Me = {}};
    std::vector<Eigen::Index> counts;
    for (Eigen::Index k = 0; k < Me.rows(); ++k) {
      if (std::isnan(Me(k, p))) continue;
      counts.push_back(k);
      rows.samples.push_back(first + k);
    }
    if (counts.empty()) return;
    rows.Me = std::ssize(counts) < Me.rows() ? Me(counts, Eigen::all).eval() : std::move(Me);
    visit(rows);
  };
  rows_.VisitColumns(kMotorSamples, [&](const RowColumns& columns) {
    const auto dataset = static_cast<std::size_t>(columns.dataset);
    Eigen::MatrixXd& Me = block[static_cast<std::size_t>(columns.row)];
    Me.resize(columns.A.rows(), p + 1);
    Me.leftCols(p) = columns.A;
    Me.col(p) = known[dataset].col(columns.row).segment(columns.first, columns.A.rows());
    if (columns.row + 1 < rows_.row_count()) return;
    const Eigen::Index first = begins[dataset] + columns.first;
    const Touched* const touched =
        !touched_.empty() && touched_[dataset] ? &*touched_[dataset] : nullptr;
    for (std::size_t i = 0; i < motors_.size(); ++i) {
      Eigen::MatrixXd of_motor = Eigen::MatrixXd::Zero(columns.A.rows(), p + 1);
      for (const auto& [row, factor] : motors_[i].rows) {
        of_motor += factor * block[static_cast<std::size_t>(row)];
      }
      for (Eigen::Index k = 0; touched != nullptr && k < 6; ++k) {
        const auto wrench = static_cast<std::size_t>(touched->sensor.first + k);
        const auto torque = touched->per_wrench[i].col(k).segment(columns.first, columns.A.rows());
        of_motor -= torque.asDiagonal() * block[wrench];  // u + J·(w − W·x)
      }
      hand_on(i, first, std::move(of_motor));
    }
    for (std::size_t k = 0; k < others_.size(); ++k) {
      if (touched != nullptr && touched->Moves(others_[k])) continue;
      hand_on(motors_.size() + k, first, block[static_cast<std::size_t>(others_[k])]);
    }
  });
}

void MotorRegression::Visit(
    const std::function<void(const Rows& rows)>& visit,
    const std::function<void(const CalibratedSensor& sensor, const CalibratedSensor::Rows& Me,
                             const std::vector<Eigen::Index>& samples)>& visit_sensor) const {
  CalibratedSensor::Rows held;
  Visit([&](const Rows& rows) {
    const auto sensor = std::ranges::find_if(sensors_, [&rows](const CalibratedSensor& each) {
      return rows.row >= each.first && rows.row < each.first + 6;
    });
    if (sensor == sensors_.end()) return visit(rows);
    const Eigen::Index component = rows.row - sensor->first;
    held[static_cast<std::size_t>(component)] = rows.Me;
    if (component == 5) visit_sensor(*sensor, held, rows.samples);
  });
}

std::vector<Eigen::VectorXd> MotorRegression::Residuals(
    const Eigen::Ref<const Eigen::VectorXd>& x) const {
  std::vector<std::vector<double>> all(static_cast<std::size_t>(row_count()));
  const Eigen::Index p = unknowns();
  const auto append = [&all](Eigen::Index row, const Eigen::VectorXd& residual) {
    std::vector<double>& of_row = all[static_cast<std::size_t>(row)];
    of_row.insert(of_row.end(), residual.begin(), residual.end());
  };
  Visit([&](const Rows& rows) { append(rows.row, rows.Me.col(p) - rows.Me.leftCols(p) * x); },
        [&](const CalibratedSensor& sensor, const CalibratedSensor::Rows& Me, const auto&) {
          const Eigen::MatrixXd r = sensor.Residuals(Me, x);
          for (Eigen::Index k = 0; k < 6; ++k) append(sensor.first + k, r.col(k));
        });
  std::vector<Eigen::VectorXd> residuals;
  for (const std::vector<double>& of_row : all) {
    residuals.emplace_back(Eigen::Map<const Eigen::VectorXd>(of_row.data(), std::ssize(of_row)));
  }
  return residuals;
}

std::vector<Eigen::MatrixXd> MotorRegression::Triangles(
    const Eigen::Ref<const Eigen::VectorXd>& at,
    const std::function<double(Eigen::Index r, double rho)>& weight) const {
  const Eigen::Index p = unknowns();
  std::vector<StreamingQr> reductions(static_cast<std::size_t>(row_count()), StreamingQr(p));
  Visit(
      [&](const Rows& rows) {
        Eigen::VectorXd root = rows.Me.col(p) - rows.Me.leftCols(p) * at;
        for (double& rho : root) rho = std::sqrt(weight(rows.row, rho));
        reductions[static_cast<std::size_t>(rows.row)].Add(root.asDiagonal() * rows.Me.leftCols(p),
                                                           root.cwiseProduct(rows.Me.col(p)));
      },
      [](const CalibratedSensor&, const CalibratedSensor::Rows&, const auto&) {});
  std::vector<Eigen::MatrixXd> triangles;
  for (const StreamingQr& reduction : reductions) triangles.push_back(reduction.triangle());
  return triangles;
}

}  // namespace idbench
