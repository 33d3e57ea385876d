#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "robots/dynamics/equations_test.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/robot.h"
#include "robots/term_options.h"

/// Rows of drives, which hold what motors are fed among their columns, and offsets of force/torque
/// sensors.
namespace idbench {
namespace {

/// The TX40, whose wrist is coupled, with gains of all motors, friction of the motors and a sensor
/// with offsets.
RobotModel WithDrives() {
  RobotModel model = LoadRobot("staubli_tx40").model;
  model.SetCuts({{.name = "wrist", .link = 4}, {.name = "ft", .link = 2}});
  std::vector<Issue> issues;
  model.SetTerms({});
  model.SetTerms(MakeTerms({{.type = TermKind::kAsymmetric, .on = TermPlace::kMotors},
                            {.type = TermKind::kGain},
                            {.type = TermKind::kOffset, .sensors = "ft"}},
                           model, "", issues));
  REQUIRE(issues.empty());
  return model;
}

std::vector<int> TermsWithLinks(const RobotModel& model) {
  std::vector<int> columns;
  for (int k = kInertialCount; k < ParameterLayout(model).size(); ++k) columns.push_back(k);
  return columns;
}

Eigen::VectorXd WavyPi(const RobotModel& model) {
  Eigen::VectorXd pi(ParameterLayout(model).size());
  for (Eigen::Index k = 0; k < pi.size(); ++k) pi[k] = std::sin(0.4 + 1.9 * static_cast<double>(k));
  return pi;
}

TEST_CASE("Rows of drives are torques less what the motors give, and a sensor adds its offsets") {
  const RobotModel model = WithDrives();
  const int n = model.dofs();
  const Dynamics dynamics(model, FrictionShape{0.3});
  Dynamics::Scratch scratch(dynamics);
  const FixedStates states = MakeFixedStates(model, 13, 31);
  const Eigen::VectorXd pi = WavyPi(model);
  Eigen::MatrixXd tau(13, n), rest(13, n);
  dynamics.InverseDynamics(pi, states.samples(), scratch, tau);
  dynamics.Predict(Equation::kCurrentDrive, pi, states.samples(), scratch, rest);
  const Eigen::Index first_gain = pi.size() - 6 - n;
  const Eigen::MatrixXd given =
      states.inputs * pi.segment(first_gain, n).asDiagonal() * model.actuation().B.transpose();
  CHECK((tau - given - rest).norm() <= 1e-13 * tau.norm());  // sums in another order
  // Part of the samples: inputs are those of the same rows.
  Eigen::MatrixXd part(4, n);
  dynamics.Predict(Equation::kCurrentDrive, pi,
                   {states.q.middleRows(5, 4), states.qd.middleRows(5, 4),
                    states.qdd.middleRows(5, 4), &states.inputs, 5},
                   scratch, part);
  CHECK((part - rest.middleRows(5, 4)).norm() <= 1e-13 * rest.norm());

  Eigen::VectorXd without = pi;
  without.tail(6).setZero();
  Eigen::MatrixXd wrench(13, 6), bare(13, 6);
  const PlacedEquation ft(Equation::kCut, model.CutIndex("ft"));
  dynamics.Predict(ft, pi, states.samples(), scratch, wrench);
  dynamics.Predict(ft, without, states.samples(), scratch, bare);
  CHECK(((wrench - bare).rowwise() - pi.tail(6).transpose()).norm() < 1e-11);
  const PlacedEquation wrist(Equation::kCut, model.CutIndex("wrist"));
  dynamics.Predict(wrist, pi, states.samples(), scratch, wrench);
  dynamics.Predict(wrist, without, states.samples(), scratch, bare);
  CHECK(wrench == bare);  // its own sensor's alone
}

TEST_CASE("Batches, single samples and Gram matrices of drives have the same entries") {
  const RobotModel model = WithDrives();
  const Dynamics dynamics(model, FrictionShape{0.3});
  Dynamics::Scratch scratch(dynamics);
  const FixedStates states = MakeFixedStates(model, 21, 32);
  const Eigen::VectorXd pi = WavyPi(model);
  const std::vector<PlacedEquation> equations = {Equation::kTorque,
                                                 PlacedEquation(Equation::kCut, 1),
                                                 Equation::kCurrentDrive, Equation::kCurrentDrive};
  const std::vector<int> columns = TermsWithLinks(model);
  const RowRegressor rows(dynamics, equations, columns);
  std::vector<Eigen::MatrixXd> dense, grams;
  rows.Dense(states.samples(), scratch, dense);
  rows.Gram(states.samples(), Eigen::MatrixXd::Ones(21, rows.row_count()), scratch, grams);
  Eigen::MatrixXd W(rows.row_count(), rows.column_count());
  Eigen::MatrixXd predicted(21, 6);
  dynamics.Predict(Equation::kCurrentDrive, pi, states.samples(), scratch, predicted);
  const int drives = 6 + 6;
  for (Eigen::Index i = 0; i < 21; ++i) {
    rows.Single(states.q.row(i).transpose(), states.qd.row(i).transpose(),
                states.qdd.row(i).transpose(), scratch, W, states.inputs.row(i).transpose());
    for (int r = 0; r < rows.row_count(); ++r) {
      Eigen::RowVectorXd whole = Eigen::RowVectorXd::Zero(rows.column_count());
      for (std::size_t c = 0; c < rows.ColumnsOf(r).size(); ++c) {
        whole[rows.ColumnsOf(r)[c]] =
            dense[static_cast<std::size_t>(r)](i, static_cast<Eigen::Index>(c));
      }
      CHECK(W.row(r) == whole);
    }
    const Eigen::VectorXd product = W.middleRows(drives, 6) * pi.tail(pi.size() - kInertialCount);
    CHECK((product.transpose() - predicted.row(i)).norm() <= 1e-11 * (1.0 + predicted.norm()));
  }
  for (std::size_t r = 0; r < dense.size(); ++r) {
    const Eigen::VectorXd sums = dense[r].colwise().sum().transpose();
    const Eigen::VectorXd last = grams[r].col(dense[r].cols()).head(dense[r].cols());
    CHECK((sums - last).norm() <= 1e-12 * (1.0 + sums.norm()));
  }
}

TEST_CASE("Gains are unknowns of drives alone, offsets those of their sensor") {
  const RobotModel model = WithDrives();
  const auto count = [&model](const std::vector<PlacedEquation>& equations,
                              const std::vector<std::string>& terms) {
    return FindBaseParameters(model, equations, ConsideredParameters(model, equations, {}, terms))
        .size();
  };
  std::vector<std::string> gains, offsets;
  for (const Term& term : model.terms()) {
    if (term.rows == TermRows::kDrives) gains.push_back(term.name);
    if (term.rows == TermRows::kCut) offsets.push_back(term.name);
  }
  REQUIRE(gains.size() == 6);
  REQUIRE(offsets.size() == 6);
  const int robot = count({Equation::kTorque}, {});
  CHECK(count({Equation::kCurrentDrive}, {}) == robot);
  CHECK(count({Equation::kCurrentDrive}, gains) == robot + 6);
  CHECK(count({Equation::kTorque}, gains) == robot);  // they are in no row
  const PlacedEquation ft(Equation::kCut, model.CutIndex("ft"));
  CHECK(count({ft}, offsets) == count({ft}, {}) + 6);
}

TEST_CASE("Terms at cuts and of inputs that are not there are refused") {
  RobotModel model = LoadRobot("planar2").model;
  const auto refused = [&model](Term term, const char* message) {
    CHECK_THROWS_WITH_AS(model.SetTerms({std::move(term)}), message, std::invalid_argument);
  };
  refused({.name = "x", .unit = "", .shares = {{.joint = 0}}, .rows = TermRows::kCut, .cut = 0},
          "RobotModel planar2: term 'x' acts at cut 0, there are 0");
  refused({.name = "x",
           .unit = "",
           .argument = TermArgument::kInput,
           .shape = TermShape::kLinear,
           .shares = {{.joint = 0}},
           .rows = TermRows::kDrives,
           .input = 2},
          "RobotModel planar2: term 'x' takes input 2, there is one for each of 2 joints");
  model.SetCuts({{.name = "ft", .link = 0}});
  refused({.name = "x", .unit = "", .shares = {{.joint = 6}}, .rows = TermRows::kCut, .cut = 0},
          "RobotModel planar2: term 'x' acts on row 6 by a factor of 1.000000");
}

}  // namespace
}  // namespace idbench
