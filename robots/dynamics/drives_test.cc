#include <doctest/doctest.h>

#include <algorithm>
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

/// Some rows of all kinds, and which they are of all rows of these kinds; torque 4 twice, and both
/// rows of the sensor.
const std::vector<PlacedEquation> kAllKinds = {Equation::kTorque, Equation::kWrench,
                                               PlacedEquation(Equation::kCut, 1),
                                               Equation::kEndEffector, Equation::kCurrentDrive};
const std::vector<PlacedEquation> kSomeRows = {{Equation::kCurrentDrive, -1, {0, 2, 5}},
                                               {Equation::kTorque, -1, {1, 4}},
                                               {Equation::kCut, 1, {0, 5}},
                                               {Equation::kTorque, -1, {0, 4}},
                                               {Equation::kEndEffector, -1, {3}},
                                               {Equation::kWrench, -1, {2}},
                                               {Equation::kCut, 1, {0, 5}}};
const std::vector<std::size_t> kWhichRows = {0, 4, 1, 4, 8, 12, 17, 12, 17, 21, 24, 26, 29};

/// The same numbers, among them those of the wrench at the end effector where there is none.
bool AreSame(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  REQUIRE(a.rows() == b.rows());
  REQUIRE(a.cols() == b.cols());
  return (a.array() == b.array() || (a.array().isNaN() && b.array().isNaN())).all();
}

TEST_CASE("Rows that are chosen have the bits that they have among all, in every equation") {
  RobotModel model = WithDrives();
  model.SetAttached({{"tool", 3, Eigen::Matrix3d::Identity(), {0.1, 0.0, 0.2}}}, {{"", {0}}});
  const Dynamics dynamics(model, FrictionShape{0.3});
  Dynamics::Scratch scratch(dynamics);
  const FixedStates states = MakeFixedStates(model, 21, 32);
  const RowRegressor all(dynamics, kAllKinds, TermsWithLinks(model));
  const RowRegressor some(dynamics, kSomeRows, TermsWithLinks(model));
  REQUIRE(some.row_count() == static_cast<int>(kWhichRows.size()));
  std::vector<Eigen::MatrixXd> dense, chosen, grams, chosen_grams;
  all.Dense(states.samples(), scratch, dense);
  some.Dense(states.samples(), scratch, chosen);
  all.Gram(states.samples(), Eigen::MatrixXd::Ones(21, all.row_count()), scratch, grams);
  some.Gram(states.samples(), Eigen::MatrixXd::Ones(21, some.row_count()), scratch, chosen_grams);
  for (std::size_t r = 0; r < kWhichRows.size(); ++r) {
    CAPTURE(r);
    const std::size_t which = kWhichRows[r];
    CHECK(some.ColumnsOf(static_cast<int>(r)) == all.ColumnsOf(static_cast<int>(which)));
    CHECK(AreSame(chosen[r], dense[which]));
    CHECK(AreSame(chosen_grams[r], grams[which]));
  }
  Eigen::MatrixXd W(all.row_count(), all.column_count());
  Eigen::MatrixXd W_chosen(some.row_count(), some.column_count());
  for (Eigen::Index i = 0; i < 3; ++i) {
    const Eigen::VectorXd q = states.q.row(i), qd = states.qd.row(i), qdd = states.qdd.row(i);
    const Eigen::VectorXd inputs = states.inputs.row(i);
    all.Single(q, qd, qdd, scratch, W, inputs);
    some.Single(q, qd, qdd, scratch, W_chosen, inputs);
    for (std::size_t r = 0; r < kWhichRows.size(); ++r) {
      CHECK(AreSame(W_chosen.row(static_cast<Eigen::Index>(r)),
                    W.row(static_cast<Eigen::Index>(kWhichRows[r]))));
    }
  }
}

TEST_CASE("Rows that are chosen are predicted as among all") {
  const RobotModel model = WithDrives();
  const Dynamics dynamics(model);
  Dynamics::Scratch scratch(dynamics);
  const FixedStates states = MakeFixedStates(model, 13, 31);
  const Eigen::VectorXd pi = WavyPi(model);
  for (const PlacedEquation& equation : kSomeRows) {
    const PlacedEquation whole(equation.kind, equation.cut);
    Eigen::MatrixXd all(13, RowsOf(whole, 6)), some(13, RowsOf(equation, 6));
    dynamics.Predict(whole, pi, states.samples(), scratch, all);
    dynamics.Predict(equation, pi, states.samples(), scratch, some);
    CHECK(AreSame(some, all(Eigen::all, equation.rows)));
  }
}

TEST_CASE("Rows that are chosen hold the bodies and the terms of their joints alone") {
  RobotModel model = WithDrives();
  model.SetAttached({{"tool", 1, Eigen::Matrix3d::Identity(), {0.1, 0.0, 0.2}}}, {{"", {0}}});
  const std::vector<PlacedEquation> distal = {{Equation::kCurrentDrive, -1, {2, 3}}};
  for (int body = -1; body < model.body_end(); ++body) {
    CHECK(InRows(model, body, distal) == (body >= 2 && body < 6));
  }
  CHECK(InRows(model, 6, {PlacedEquation(Equation::kTorque, -1, {1})}));  // the tool
  CHECK(InRows(model, 0, {PlacedEquation(Equation::kEndEffector, -1, {3})}));
  CHECK(InRows(model, -1, {PlacedEquation(Equation::kWrench, -1, {3})}));
  std::vector<std::string> held;
  for (const Term& term : model.terms()) {
    if (InRows(term, distal)) held.push_back(term.name);
  }
  // Of the motors of joints 3 and 4: friction and gains, and no offsets.
  CHECK(held == std::vector<std::string>{"motor3.fc+", "motor3.fc-", "motor3.fv+", "motor3.fv-",
                                         "motor4.fc+", "motor4.fc-", "motor4.fv+", "motor4.fv-",
                                         "motor3.gain", "motor4.gain"});
  held.clear();
  for (const Term& term : model.terms()) {
    if (InRows(term, {PlacedEquation(Equation::kCut, 1, {0, 4})})) held.push_back(term.name);
  }
  CHECK(held == std::vector<std::string>{"ft.offset_fx", "ft.offset_my"});
  const ParameterLayout layout(model);
  const std::vector<int> considered =
      ConsideredParameters(model, distal, {JointParameter::kViscous});
  CHECK(std::ranges::count_if(considered, [&](int k) { return k >= layout.inertial_size(); }) == 2);
  CHECK(considered.back() == layout.Joint(3, JointParameter::kViscous));
  CHECK(considered.front() == layout.Body(2));
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
