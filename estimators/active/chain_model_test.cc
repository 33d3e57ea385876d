#include "estimators/active/chain_model.h"

#include <doctest/doctest.h>

#include <cmath>

#include "estimators/active/chain_plant_test.h"
#include "estimators/active/swing.h"

namespace idbench {
namespace {

TEST_CASE("A model without friction makes the steps of an ideal plant") {
  for (const int rods : {1, 3}) {
    RodsProblem of(rods, 1.0);
    ChainPlant plant(of.lagrangian(), of.truth);
    ModelPlant model(of.lagrangian(), of.truth, 0.018);
    SwingLaboratory of_plant(of.problem, plant,
                             {.duration_s = 18.0, .push_rad_s = 0.3, .limit_rad = 1.0});
    SwingLaboratory of_model(of.problem, model,
                             {.duration_s = 18.0, .push_rad_s = 0.3, .limit_rad = 1.0});
    const Eigen::VectorXd gravity = 1.2 * of.TrueGravity();
    const Eigen::VectorXd rates = of_plant.Push(PushDirection::kAlternating, gravity);
    const SwingRecord swing = of_plant.Swing(gravity, rates);
    CHECK(swing.size() == 1001);
    CHECK(of_model.Swing(gravity, rates).q == swing.q);
  }
}

TEST_CASE("Friction takes what it takes from a rod, and holds it where gravity is less") {
  RodsProblem of(1, 1.0, {JointParameter::kViscous, JointParameter::kCoulomb});
  Eigen::VectorXd beta = of.truth;
  beta.tail(2) << 0.05, 0.2;
  const double h = 0.01;
  ChainModel model(of.lagrangian(), beta, h);
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(1);
  // J·(v − v₀) = h·(G·sin θ − fv·v − fc·tanh(v/w)), v far above w
  Eigen::VectorXd q = Eigen::VectorXd::Constant(1, -of.lagrangian().theta0()[0]);
  Eigen::VectorXd qd = Eigen::VectorXd::Constant(1, 0.5);
  REQUIRE(model.Step(none, q, qd));
  CHECK(qd[0] == doctest::Approx((beta[0] * 0.5 - h * 0.2) / (beta[0] + h * 0.05)).epsilon(1e-12));
  CHECK(q[0] + of.lagrangian().theta0()[0] == doctest::Approx(h * qd[0]).epsilon(1e-12));
  // Half of fc pulls it aside: it creeps at about w·atanh(½), and every step keeps its equation.
  q[0] = -of.lagrangian().theta0()[0] + of.lagrangian().S()(0, 0) * std::asin(0.1 / beta[1]);
  qd[0] = 0.0;
  for (int step = 0; step < 20; ++step) {
    const double before = qd[0];
    const double pull =
        beta[1] * std::sin(of.lagrangian().S()(0, 0) * q[0] + of.lagrangian().theta0()[0]);
    REQUIRE(model.Step(none, q, qd));
    const double rest = of.lagrangian().S()(0, 0) * pull - 0.05 * qd[0] -
                        0.2 * std::tanh(qd[0] / 1e-3) - beta[0] * (qd[0] - before) / h;
    CHECK(std::abs(rest) < 1e-10);  // rounding
  }
  CHECK(std::abs(std::abs(qd[0]) / (1e-3 * std::atanh(0.5)) - 1.0) < 1e-2);  // on 1e-4 rad
}

TEST_CASE("Derivatives of a swing are those of differences, with friction too") {
  RodsProblem of(2, 1.0, {JointParameter::kViscous, JointParameter::kCoulomb});
  const Eigen::Index p = of.truth.size() + 2;
  Eigen::VectorXd beta = of.truth;
  beta.tail(4) << 0.05, 0.03, 0.02, 0.01;
  // Unknowns: β, by how much gravity leans, then the state at the beginning.
  const auto state_after = [&](const Eigen::VectorXd& unknowns, ChainModel::Sensitivity* by) {
    ChainModel model(of.lagrangian(), unknowns.head(p), 0.01);
    Eigen::VectorXd q = unknowns.segment(p, 2), qd = unknowns.tail(2), tau(2);
    for (int step = 0; step < 30; ++step) {
      tau << 0.5 * std::sin(0.3 * step), -0.2;
      REQUIRE((by != nullptr ? model.Step(tau, q, qd, *by) : model.Step(tau, q, qd)));
    }
    Eigen::VectorXd state(4);
    state << q, qd;
    return state;
  };
  Eigen::VectorXd unknowns(p + 4);
  unknowns << beta, 0.3, -0.2, Upright(of.problem) + Eigen::Vector2d(0.1, -0.2), 0.4, -0.7;
  ChainModel::Sensitivity by{Eigen::MatrixXd::Zero(2, p + 4), Eigen::MatrixXd::Zero(2, p + 4)};
  by.q.middleCols(p, 2).setIdentity();
  by.qd.rightCols(2).setIdentity();
  state_after(unknowns, &by);
  for (Eigen::Index k = 0; k < unknowns.size(); ++k) {
    constexpr double kChange = 1e-6;
    Eigen::VectorXd more = unknowns, less = unknowns;
    more[k] += kChange;
    less[k] -= kChange;
    const Eigen::VectorXd slope =
        (state_after(more, nullptr) - state_after(less, nullptr)) / (2.0 * kChange);
    CAPTURE(k);
    CHECK((by.q.col(k) - slope.head(2)).norm() < 1e-6 * (1.0 + slope.norm()));
    CHECK((by.qd.col(k) - slope.tail(2)).norm() < 1e-6 * (1.0 + slope.norm()));
  }
}

TEST_CASE("Inertias that are of no robot make no step") {
  RodsProblem of(2, 1.0);
  Eigen::VectorXd beta = of.truth;
  beta[of.lagrangian().FirstCoupling()] *= 10.0;
  ModelPlant model(of.lagrangian(), beta, 0.018);
  Reading reading;
  model.MoveTo({Upright(of.problem), Eigen::VectorXd::Zero(2), {}}, reading);
  CHECK_THROWS_WITH(model.Exchange(Command::Zero(2), reading),
                    "the inertias of the model are not those of a robot");
}

}  // namespace
}  // namespace idbench
