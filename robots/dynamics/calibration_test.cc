#include "robots/dynamics/calibration.h"

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/robot.h"
#include "robots/term_options.h"

namespace idbench {
namespace {

/// The TX40 with two sensors, of which "ft" has offsets and a calibration, and gains of its motors.
RobotModel Calibrated() {
  RobotModel model = LoadRobot("staubli_tx40").model;
  model.SetCuts({{.name = "wrist", .link = 4}, {.name = "ft", .link = 2}});
  std::vector<Issue> issues;
  model.SetTerms({});
  model.SetTerms(MakeTerms({{.type = TermKind::kGain},
                            {.type = TermKind::kOffset, .sensors = "ft"},
                            {.type = TermKind::kCalibration, .sensors = "ft"}},
                           model, "", issues));
  REQUIRE(issues.empty());
  return model;
}

Eigen::VectorXd CalibratedPi(const RobotModel& model) {
  Eigen::VectorXd pi(ParameterLayout(model).size());
  for (Eigen::Index k = 0; k < pi.size(); ++k) pi[k] = std::sin(0.4 + 1.9 * static_cast<double>(k));
  pi.tail(36) *= 0.05;
  return pi;
}

TEST_CASE("1 + D holds the entries row by row, and is 1 where there are none") {
  const RobotModel model = Calibrated();
  const Eigen::VectorXd pi = CalibratedPi(model);
  const Eigen::Matrix<double, 6, 6> D =
      CalibrationOf(model, 1, pi) - Eigen::Matrix<double, 6, 6>::Identity();
  for (int row = 0; row < 6; ++row) {
    for (int column = 0; column < 6; ++column) {
      CHECK(D(row, column) == doctest::Approx(pi[pi.size() - 36 + 6 * row + column]));
    }
  }
  CHECK(CalibrationOf(model, 0, pi).isIdentity(0.0));
  CHECK(HasCalibration(model, 1));
  CHECK_FALSE(HasCalibration(model, 0));
  CHECK_FALSE(HasCalibration(LoadRobot("staubli_tx40").model));
  CHECK(model.input_count() == 6 + 12);
  CHECK(LoadRobot("staubli_tx40").model.input_count() == 6);
}

TEST_CASE("The least of a calibration does not depend on units, and is 0 at D = −1") {
  Eigen::Matrix<double, 6, 6> calibration =
      CalibrationOf(Calibrated(), 1, CalibratedPi(Calibrated()));
  const double least = LeastOfCalibration(calibration);
  CHECK(least > 0.5);
  CHECK(least < 1.0);
  Eigen::Vector<double, 6> units;
  units << 1.0, 1.0, 1.0, 1e-3, 1e-3, 1e-3;  // N·mm
  calibration = units.asDiagonal() * calibration * units.cwiseInverse().asDiagonal();
  CHECK(LeastOfCalibration(calibration) == doctest::Approx(least));
  CHECK(LeastOfCalibration(Eigen::Matrix<double, 6, 6>::Zero()) == 0.0);
}

TEST_CASE("A reading that is predicted makes the rows of a calibrated sensor hold") {
  const RobotModel model = Calibrated();
  const Dynamics dynamics(model);
  Dynamics::Scratch scratch(dynamics);
  FixedStates states = MakeFixedStates(model, 13, 31);
  REQUIRE(states.inputs.cols() == model.input_count());
  const Eigen::VectorXd pi = CalibratedPi(model);
  const PlacedEquation ft(Equation::kCut, 1);
  Eigen::MatrixXd w(13, 6), load(13, 6), side(13, 6);
  dynamics.Predict(ft, pi, states.samples(), scratch, w);
  dynamics.CutWrench(1, pi, states.samples(), scratch, load);
  CHECK((w * CalibrationOf(model, 1, pi).transpose() - load).norm() <= 1e-13 * load.norm());
  // The prediction does not look at what was measured; the rows do.
  CHECK((w - load).norm() > 1e-3 * load.norm());
  states.inputs.middleCols(model.WrenchInput(1), 6) = w;
  dynamics.RightSide(ft, pi, states.samples(), scratch, side);
  CHECK((side - w).norm() <= 1e-13 * w.norm());
  Eigen::VectorXd nothing = Eigen::VectorXd::Zero(pi.size());
  for (int k = 0; k < 6; ++k) nothing[pi.size() - 36 + 7 * k] = -1.0;
  dynamics.RightSide(ft, nothing, states.samples(), scratch, side);
  CHECK(side == w);  // D = −1
  // Some of the rows, of some of the samples.
  const PlacedEquation some(Equation::kCut, 1, {0, 4});
  Eigen::MatrixXd part(4, 2);
  dynamics.RightSide(some, pi,
                     {states.q.middleRows(5, 4), states.qd.middleRows(5, 4),
                      states.qdd.middleRows(5, 4), &states.inputs, 5},
                     scratch, part);
  CHECK((part.col(1) - w.col(4).segment(5, 4)).norm() <= 1e-13 * w.norm());
  // Of another sensor, and of joints, both are the same.
  Eigen::MatrixXd tau(13, 6);
  dynamics.RightSide({Equation::kCut, 0}, pi, states.samples(), scratch, side);
  dynamics.Predict({Equation::kCut, 0}, pi, states.samples(), scratch, load);
  CHECK(side == load);
  dynamics.RightSide(Equation::kTorque, pi, states.samples(), scratch, tau);
  dynamics.InverseDynamics(pi, states.samples(), scratch, w);
  CHECK(tau == w);
}

TEST_CASE("Batches, single samples and Gram matrices of calibrated rows have the same entries") {
  const RobotModel model = Calibrated();
  const Dynamics dynamics(model);
  Dynamics::Scratch scratch(dynamics);
  const FixedStates states = MakeFixedStates(model, 21, 7);
  const Eigen::VectorXd pi = CalibratedPi(model);
  std::vector<int> columns;
  for (int k = 0; k < pi.size(); ++k) columns.push_back(k);
  const std::vector<PlacedEquation> equations = {
      {Equation::kCut, 0}, {Equation::kCut, 1}, Equation::kCurrentDrive};
  const RowRegressor rows(dynamics, equations, columns);
  std::vector<Eigen::MatrixXd> W, grams;
  rows.Dense(states.samples(), scratch, W);
  Eigen::MatrixXd side(21, 6), single(rows.row_count(), rows.column_count());
  dynamics.RightSide(equations[1], pi, states.samples(), scratch, side);
  rows.Gram(states.samples(), Eigen::MatrixXd::Zero(21, rows.row_count()), scratch, grams);
  for (int row = 0; row < 6; ++row) {
    const auto at = static_cast<std::size_t>(6 + row);
    const std::vector<int>& own = rows.ColumnsOf(6 + row);
    CHECK((W[at] * pi(own) - side.col(row)).norm() <= 1e-13 * side.norm());
    const Eigen::MatrixXd gram = W[at].transpose() * W[at];
    CHECK((grams[at].topLeftCorner(gram.rows(), gram.cols()) - gram).norm() <= 1e-13 * gram.norm());
    for (Eigen::Index k = 0; k < 21; ++k) {
      rows.Single(states.q.row(k).transpose(), states.qd.row(k).transpose(),
                  states.qdd.row(k).transpose(), scratch, single, states.inputs.row(k).transpose());
      CHECK(single(6 + row, own) == W[at].row(k));
    }
  }
  // Rows that hold no input need none, whatever columns are asked for.
  const RowRegressor torques(dynamics, {Equation::kTorque}, columns);
  Eigen::MatrixXd of_torques(torques.row_count(), torques.column_count());
  torques.Single(states.q.row(0).transpose(), states.qd.row(0).transpose(),
                 states.qdd.row(0).transpose(), scratch, of_torques);
  CHECK(of_torques.rightCols(36).isZero(0.0));
}

TEST_CASE("Entries of a calibration are told apart from all that a sensor shows") {
  const RobotModel model = Calibrated();
  const auto count = [&](const std::vector<std::string>& terms) {
    const std::vector<PlacedEquation> ft = {{Equation::kCut, 1}};
    return FindBaseParameters(model, ft, ConsideredParameters(model, ft, {}, terms)).size();
  };
  std::vector<std::string> offsets, all;
  for (const Term& term : model.terms()) {
    if (term.rows != TermRows::kCut) continue;
    all.push_back(term.name);
    if (!IsCalibration(term)) offsets.push_back(term.name);
  }
  CHECK(count(all) == count(offsets) + 36);
}

TEST_CASE("An entry that takes the wrench of another sensor is refused") {
  RobotModel model = Calibrated();
  std::vector<Term> terms = model.terms();
  terms.back().input = 6;
  CHECK_THROWS_WITH_AS(
      model.SetTerms(terms),
      "RobotModel staubli_tx40: term 'ft.d_mz_mz' takes input 6, those of its cut are 12 to 17",
      std::invalid_argument);
}

}  // namespace
}  // namespace idbench
