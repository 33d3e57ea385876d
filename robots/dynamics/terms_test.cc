#include "robots/dynamics/terms.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/robot.h"

namespace idbench {
namespace {

constexpr FrictionShape kSmooth{0.3};

Term MakeTerm(TermShape shape, std::vector<Term::Share> shares, std::string name = "m.k") {
  return {.name = std::move(name), .unit = "N·m", .shape = shape, .shares = std::move(shares)};
}

/// One term of every shape and argument, on joint 1, or on joints 0 and 2 of a coupled motor.
std::vector<Term> AllKinds() {
  const std::vector<Term::Share> motor = {{0, -1.625}, {2, 0.5}};
  std::vector<Term> terms = {
      {.name = "m.ia",
       .unit = "kg·m²",
       .argument = TermArgument::kAcceleration,
       .shape = TermShape::kLinear,
       .shares = motor},
      MakeTerm(TermShape::kOne, motor, "m.fo"),
      MakeTerm(TermShape::kLinear, motor, "m.fv"),
      MakeTerm(TermShape::kCoulomb, motor, "m.fc"),
      MakeTerm(TermShape::kPositivePart, {{1}}, "j.fv+"),
      MakeTerm(TermShape::kNegativePart, {{1}}, "j.fv-"),
      MakeTerm(TermShape::kPositiveSign, {{1}}, "j.fc+"),
      MakeTerm(TermShape::kNegativeSign, motor, "m.fc-"),
      MakeTerm(TermShape::kStribeck, motor, "m.fs"),
  };
  terms.back().stribeck_velocity = 0.7;
  return terms;
}

TEST_CASE("A joint's terms have the width of their joint, those of motors the common one") {
  const FrictionShape friction{.coulomb_width_rad_s = 0.3, .own_widths_rad_s = {0.1, 0.2, 0.4}};
  const auto width = [&](std::vector<Term::Share> shares) {
    return MakeTerm(TermShape::kCoulomb, std::move(shares)).WidthOf(friction);
  };
  CHECK(width({{1}}) == 0.2);
  CHECK(width({{2}}) == 0.4);
  CHECK(width({{1, 2.0}}) == 0.3);
  CHECK(width({{0}, {1}}) == 0.3);
  for (const TermShape shape : {TermShape::kCoulomb, TermShape::kPositiveSign}) {
    CHECK(MakeTerm(shape, {{1}}).Shape(0.05, friction) == FrictionShape::Coulomb(0.05, 0.2));
  }
}

TEST_CASE("Each shape makes what it says of its argument, and asymmetric ones dissipate") {
  const auto value = [](TermShape shape, double v) {
    return MakeTerm(shape, {{0}}).Shape(v, kSmooth);
  };
  const double s = std::tanh(0.2 / 0.3);
  CHECK(value(TermShape::kOne, -0.2) == 1.0);
  CHECK(value(TermShape::kLinear, -0.2) == -0.2);
  CHECK(value(TermShape::kCoulomb, -0.2) == -s);
  CHECK(value(TermShape::kPositivePart, 0.2) == 0.2);
  CHECK(value(TermShape::kPositivePart, -0.2) == 0.0);
  CHECK(value(TermShape::kNegativePart, -0.2) == -0.2);
  CHECK(value(TermShape::kNegativePart, 0.2) == 0.0);
  CHECK(value(TermShape::kPositiveSign, 0.2) == s);
  CHECK(value(TermShape::kPositiveSign, -0.2) == 0.0);
  CHECK(value(TermShape::kNegativeSign, -0.2) == -s);
  CHECK(value(TermShape::kNegativeSign, 0.2) == 0.0);
  CHECK(value(TermShape::kStribeck, 0.2) == doctest::Approx(s * std::exp(-0.04)));
  for (const TermShape shape :
       {TermShape::kLinear, TermShape::kCoulomb, TermShape::kPositivePart, TermShape::kNegativePart,
        TermShape::kPositiveSign, TermShape::kNegativeSign, TermShape::kStribeck}) {
    for (const double v : {-3.0, -1e-3, 0.0, 1e-3, 3.0}) CHECK(v * value(shape, v) >= 0.0);
  }
}

TEST_CASE("A term of a motor acts on all its joints, by its own speed") {
  RobotModel model = LoadRobot("planar3").model;
  model.SetTerms(AllKinds());
  const ParameterLayout layout(model);
  const int first = layout.size() - 9;
  CHECK(layout.term_count() == 4 * 3 + 9);
  CHECK(ParameterNames(model).back() == "m.fs");
  CHECK(ParameterUnits(model)[static_cast<std::size_t>(first)] == "kg·m²");
  const Dynamics dynamics(model, kSmooth);
  Dynamics::Scratch scratch(dynamics);
  const Eigen::Vector3d q(0.1, 0.2, 0.3), qd(0.4, -0.7, 1.1), qdd(2.0, -1.0, 5.0);
  const Eigen::Vector3d c(-1.625, 0.0, 0.5);
  Eigen::VectorXd tau(3);
  const auto torque = [&](int term) {
    const Eigen::VectorXd pi = 2.0 * Eigen::VectorXd::Unit(layout.size(), first + term);
    dynamics.InverseDynamics(pi, q, qd, qdd, scratch, tau);
    return tau;
  };
  const double v = c.dot(qd);
  CHECK(torque(0).isApprox(2.0 * c * c.dot(qdd)));
  CHECK(torque(1).isApprox(2.0 * c));
  CHECK(torque(2).isApprox(2.0 * c * v));
  CHECK(torque(3).isApprox(2.0 * c * std::tanh(v / 0.3)));
  CHECK(torque(4).isZero(0.0));
  CHECK(torque(5).isApprox(Eigen::Vector3d(0.0, 2.0 * -0.7, 0.0)));
  CHECK(torque(7).isApprox(2.0 * c * std::min(0.0, std::tanh(v / 0.3))));
  CHECK(torque(8).isApprox(2.0 * c * std::tanh(v / 0.3) * std::exp(-v * v / 0.49)));
  Eigen::MatrixXd M(3, 3);
  dynamics.MassMatrix(2.0 * Eigen::VectorXd::Unit(layout.size(), first), q, scratch, M);
  CHECK(M.isApprox(2.0 * c * c.transpose()));
}

TEST_CASE("Columns of terms times π are what the dynamics add, sample by sample and in batches") {
  RobotModel model = LoadRobot("planar3").model;
  model.SetTerms(AllKinds());
  const Dynamics dynamics(model, kSmooth);
  Dynamics::Scratch scratch(dynamics);
  std::vector<int> columns(static_cast<std::size_t>(dynamics.layout().size()));
  for (std::size_t k = 0; k < columns.size(); ++k) columns[k] = static_cast<int>(k);
  Eigen::VectorXd pi(dynamics.layout().size());
  for (Eigen::Index k = 0; k < pi.size(); ++k) pi[k] = std::sin(1.0 + 2.3 * static_cast<double>(k));
  constexpr Eigen::Index kCount = 21;
  const FixedStates states = MakeFixedStates(model, kCount, 5);
  Eigen::MatrixXd tau(kCount, 3);
  dynamics.InverseDynamics(pi, states.samples(), scratch, tau);

  const RowRegressor rows(dynamics, {Equation::kTorque}, columns);
  std::vector<Eigen::MatrixXd> dense;
  rows.Dense(states.samples(), scratch, dense);
  Eigen::MatrixXd W(rows.row_count(), rows.column_count());
  for (Eigen::Index k = 0; k < kCount; ++k) {
    rows.Single(states.q.row(k).transpose(), states.qd.row(k).transpose(),
                states.qdd.row(k).transpose(), scratch, W);
    CHECK((W * pi - tau.row(k).transpose()).norm() < 1e-12 * tau.norm());
    Eigen::VectorXd single(3);
    dynamics.InverseDynamics(pi, states.q.row(k).transpose(), states.qd.row(k).transpose(),
                             states.qdd.row(k).transpose(), scratch, single);
    CHECK(single == tau.row(k).transpose());
    for (int r = 0; r < 3; ++r) {
      const auto& own = rows.ColumnsOf(r);
      for (std::size_t c = 0; c < own.size(); ++c) {
        CHECK(W(r, own[c]) == dense[static_cast<std::size_t>(r)](k, static_cast<Eigen::Index>(c)));
      }
    }
  }
  // Joint 1 has terms of its own and none of the motor's.
  CHECK(std::ranges::find(rows.ColumnsOf(1), static_cast<int>(columns.size()) - 1) ==
        rows.ColumnsOf(1).end());
}

TEST_CASE("Terms are counted with base parameters, and those that others express are regrouped") {
  RobotModel model = LoadRobot("planar3").model;
  const std::vector<JointParameter> viscous = {JointParameter::kViscous};
  const auto rank = [&](const std::vector<std::string>& own) {
    return FindBaseParameters(model, {Equation::kTorque},
                              ConsideredParameters(model, {Equation::kTorque}, viscous, own))
        .size();
  };
  const int rigid = rank({});
  // Of a motor that drives joints 0 and 2: fv₀·q̇₀ and fv₂·q̇₂ leave of c·cᵀq̇ the coupling.
  model.SetTerms({MakeTerm(TermShape::kLinear, {{0, 1.0}, {2, 1.0}}, "m.fv"),
                  MakeTerm(TermShape::kPositivePart, {{1}}, "joint2.fv+"),
                  MakeTerm(TermShape::kNegativePart, {{1}}, "joint2.fv-")});
  CHECK(rank({}) == rigid);
  CHECK(rank({"m.fv"}) == rigid + 1);
  CHECK(rank({"m.fv", "joint2.fv+"}) == rigid + 2);
  // Both parts together are viscous friction.
  CHECK(rank({"m.fv", "joint2.fv+", "joint2.fv-"}) == rigid + 2);
}

TEST_CASE("Terms that cannot be are refused") {
  RobotModel model = LoadRobot("planar2").model;
  const Term fine = MakeTerm(TermShape::kLinear, {{0}});
  CHECK_NOTHROW(model.SetTerms({fine}));
  CHECK_THROWS_WITH_AS(model.SetTerms({fine, fine}), doctest::Contains("occurs twice"),
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(model.SetTerms({MakeTerm(TermShape::kLinear, {{2}})}),
                       doctest::Contains("acts on joint 2"), std::invalid_argument);
  CHECK_THROWS_WITH_AS(model.SetTerms({MakeTerm(TermShape::kLinear, {})}),
                       doctest::Contains("acts on no joint"), std::invalid_argument);
  Term accelerated = MakeTerm(TermShape::kCoulomb, {{0}});
  accelerated.argument = TermArgument::kAcceleration;
  CHECK_THROWS_WITH_AS(model.SetTerms({accelerated}), doctest::Contains("not linear"),
                       std::invalid_argument);
  Term still = MakeTerm(TermShape::kStribeck, {{0}});
  still.stribeck_velocity = 0.0;
  CHECK_THROWS_WITH_AS(model.SetTerms({still}), doctest::Contains("must be positive"),
                       std::invalid_argument);
  CHECK(model.terms() == std::vector{fine});
}

TEST_CASE("A column of B names the joints that a motor drives") {
  CHECK(SharesOf(Eigen::Vector3d(0.0, -1.5, 2.0)) == std::vector<Term::Share>{{1, -1.5}, {2, 2.0}});
  CHECK(SharesOf(Eigen::Vector3d::Zero()).empty());
}

}  // namespace
}  // namespace idbench
