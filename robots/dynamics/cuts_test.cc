#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "robots/dynamics/equations_test.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/mujoco_reference_test.h"
#include "robots/robot.h"

/// Wrenches at cuts through the tree: predictions and regressors.
namespace idbench {
namespace {

Eigen::Matrix3d Turned(double angle, const Eigen::Vector3d& axis) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

/// Cuts through all links that have a body: at the link's frame, and turned and beside it; those
/// that carry others also in front of these.
RobotModel WithCuts(RobotModel model) {
  std::vector<Cut> cuts;
  for (int link = 0; link < model.dofs(); ++link) {
    if (model.link(link).massless) continue;
    const std::string name = model.link(link).name;
    cuts.push_back({.name = name, .link = link});
    cuts.push_back({name + "_turned", link, Turned(0.3 + link, {1.0, -2.0, 0.5}),
                    Eigen::Vector3d(0.1, -0.2, 0.03 * link)});
    if (model.subtree_size(link) == 1) continue;
    cuts.push_back({name + "_front", link, Turned(-0.7, {0.2, 1.0, 1.0}),
                    Eigen::Vector3d(0.0, 0.1, 0.4), false});
  }
  model.SetCuts(std::move(cuts));
  return model;
}

std::vector<PlacedEquation> CutsOf(const RobotModel& model) {
  std::vector<PlacedEquation> equations;
  for (int cut = 0; cut < std::ssize(model.cuts()); ++cut) {
    equations.emplace_back(Equation::kCut, cut);
  }
  return equations;
}

Eigen::VectorXd AnyPi(const RobotModel& model) {
  Eigen::VectorXd pi(ParameterLayout(model).size());
  for (Eigen::Index k = 0; k < pi.size(); ++k) pi[k] = std::sin(1.0 + 2.3 * static_cast<double>(k));
  return pi;
}

std::vector<RobotModel> Models() {
  std::vector<RobotModel> models;
  for (const MujocoReference& reference : AllReferences()) {
    models.push_back(WithCuts(reference.tree.model));
  }
  return models;
}

TEST_CASE("A cut's wrench is the sum of forces of all that MuJoCo moves beyond it") {
  for (MujocoReference& reference : AllReferences()) {
    const RobotModel model = WithCuts(reference.tree.model);
    CAPTURE(model.name());
    const Dynamics dynamics(model);
    Dynamics::Scratch scratch(dynamics);
    const FixedStates states = MakeFixedStates(model, 5, 77);
    for (int k = 0; k < std::ssize(model.cuts()); ++k) {
      const Cut& cut = model.cuts()[static_cast<std::size_t>(k)];
      Eigen::MatrixXd wrenches(5, 6);
      dynamics.CutWrench(k, reference.pi, states.samples(), scratch, wrenches);
      for (Eigen::Index i = 0; i < 5; ++i) {
        reference.SetState(states.q.row(i).transpose(), states.qd.row(i).transpose(),
                           states.qdd.row(i).transpose());
        reference.InverseDynamics();
        const Eigen::VectorXd expected = reference.CutWrench(cut);
        // Both sum over all bodies beyond, in another order.
        CHECK((wrenches.row(i).transpose() - expected).norm() <= 1e-9 * expected.norm());
      }
    }
  }
}

TEST_CASE("A static load pulls on a cut downwards, so the cut holds it up") {
  // 2 kg at (0.3, 0, -0.1) of a link that is turned by a quarter about y: what was x hangs down.
  Link link{.name = "link", .joint = "hinge", .axis = Eigen::Vector3d::UnitY()};
  const Eigen::VectorXd none = Eigen::VectorXd::Ones(1);
  RobotModel model("hinge", "base", {link}, {0.0, 0.0, -10.0}, {none, none, none, none, none});
  model.SetCuts({{.name = "ft", .link = 0, .p_LS_L = Eigen::Vector3d(0.1, 0.0, 0.0)}});
  const Dynamics dynamics(model);
  Dynamics::Scratch scratch(dynamics);
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(dynamics.layout().size());
  pi.segment<kInertialCount>(dynamics.layout().Body(0)) =
      ToStandard({2.0, Eigen::Vector3d(0.3, 0.0, -0.1), Eigen::Matrix3d::Identity()});
  const Eigen::MatrixXd rest = Eigen::MatrixXd::Zero(1, 1);
  Eigen::MatrixXd wrench(1, 6);
  dynamics.CutWrench(0, pi, {rest, rest, rest}, scratch, wrench);
  // (0.2, 0, -0.1) × (0, 0, 20) = (0, -4, 0). Closed form: rounding only.
  Eigen::RowVectorXd expected(6);
  expected << 0.0, 0.0, 20.0, 0.0, -4.0, 0.0;
  CHECK((wrench - expected).norm() < 1e-13);
  const Eigen::MatrixXd quarter = Eigen::MatrixXd::Constant(1, 1, std::numbers::pi / 2);
  dynamics.CutWrench(0, pi, {quarter, rest, rest}, scratch, wrench);
  // z of the world is −x of the link: (0.2, 0, -0.1) × (-20, 0, 0) = (0, 2, 0).
  expected << -20.0, 0.0, 0.0, 0.0, 2.0, 0.0;
  CHECK((wrench - expected).norm() < 1e-13);
}

TEST_CASE("The rows of a cut times π are its wrench, and a joint's torque is a part of it") {
  for (const RobotModel& model : Models()) {
    CAPTURE(model.name());
    const Dynamics dynamics(model);
    Dynamics::Scratch scratch(dynamics);
    const Eigen::VectorXd pi = AnyPi(model);
    const FixedStates states = MakeFixedStates(model, 13, 78);
    std::vector<PlacedEquation> equations = CutsOf(model);
    equations.emplace_back(Equation::kTorque);
    equations.emplace_back(Equation::kWrench);
    const std::vector<int> columns = ConsideredParameters(model, equations, {});
    const RowRegressor rows(dynamics, equations, columns);
    REQUIRE(rows.row_count() == model.dofs() + 6 + 6 * std::ssize(model.cuts()));
    std::vector<Eigen::MatrixXd> W;
    rows.Dense(states.samples(), scratch, W);
    Eigen::MatrixXd predicted = Eigen::MatrixXd::Zero(13, rows.row_count());
    for (int r = 0; r < rows.row_count(); ++r) {
      for (Eigen::Index c = 0; c < W[static_cast<std::size_t>(r)].cols(); ++c) {
        const int position = rows.ColumnsOf(r)[static_cast<std::size_t>(c)];
        predicted.col(r) +=
            W[static_cast<std::size_t>(r)].col(c) * pi[columns[static_cast<std::size_t>(position)]];
      }
    }
    for (int cut = 0; cut < std::ssize(model.cuts()); ++cut) {
      const Eigen::Index first = model.dofs() + 6 + 6 * cut;
      Eigen::MatrixXd wrench(13, 6);
      dynamics.Predict({Equation::kCut, cut}, pi, states.samples(), scratch, wrench);
      // Round-off of sums of 100 terms.
      CHECK((predicted.middleCols(first, 6) - wrench).norm() < 1e-12 * wrench.norm());
      const Cut& at = model.cuts()[static_cast<std::size_t>(cut)];
      if (at.name != model.link(at.link).name) continue;
      // τ = a·(moment about the anchor), or a·force.
      const Link& link = model.link(at.link);
      const Eigen::Vector3d about = link.anchor.cross(link.axis);
      const bool turns = link.type == JointType::kRevolute;
      const Eigen::VectorXd force = wrench.leftCols<3>() * (turns ? about : link.axis);
      const Eigen::VectorXd moment = wrench.rightCols<3>() * link.axis;
      const Eigen::VectorXd torque = turns ? Eigen::VectorXd(moment + force) : force;
      CHECK((torque - predicted.col(at.link)).norm() < 1e-12 * wrench.norm());
    }
  }
}

TEST_CASE("Rows of cuts hold the bodies beyond them, and so do the parameters considered") {
  RobotModel model = LoadRobot("planar3").model;
  model.SetCuts({{.name = "whole", .link = 1}, {.name = "front", .link = 1, .link_beyond = false}});
  const ParameterLayout layout(model);
  const PlacedEquation whole(Equation::kCut, 0), front(Equation::kCut, 1);
  CHECK(!InRows(model, -1, {whole}));
  CHECK(!InRows(model, 0, {whole, front}));
  CHECK(InRows(model, 1, {whole, front}));
  CHECK(!InRows(model, 1, {front}));
  CHECK(InRows(model, 2, {front}));
  CHECK(InRows(model, 0, {front, Equation::kTorque}));
  CHECK(!InRows(model, -1, {front, Equation::kTorque}));
  CHECK(InRows(model, -1, {front, Equation::kWrench}));
  CHECK(ConsideredParameters(model, {whole}, {}).front() == layout.Body(1));
  CHECK(ConsideredParameters(model, {whole}, {}).size() == 2 * kInertialCount);
  CHECK(ConsideredParameters(model, {front}, {}).front() == layout.Body(2));

  const Dynamics dynamics(model);
  const std::vector<int> columns = ConsideredParameters(model, kTorque, {});
  const RowRegressor rows(dynamics, {front, whole}, columns);
  REQUIRE(rows.row_count() == 12);
  CHECK(rows.ColumnsOf(0).size() == 2 * kInertialCount);  // in the order of the cuts
  CHECK(rows.ColumnsOf(11).size() == kInertialCount);
  CHECK(rows.ColumnsOf(11).front() == 2 * kInertialCount);
}

TEST_CASE("Batches, single samples and Gram matrices of cuts have the same entries") {
  for (const RobotModel& model : Models()) {
    const Dynamics dynamics(model);
    Dynamics::Scratch scratch(dynamics);
    const FixedStates states = MakeFixedStates(model, 11, 79);
    // Every second one, so that the kernel skips some.
    std::vector<PlacedEquation> equations = {Equation::kTorque};
    for (int cut = 0; cut < std::ssize(model.cuts()); cut += 2) {
      equations.emplace_back(Equation::kCut, cut);
    }
    const std::vector<int> columns = ConsideredParameters(model, equations, {});
    const RowRegressor rows(dynamics, equations, columns);
    std::vector<Eigen::MatrixXd> dense, grams;
    rows.Dense(states.samples(), scratch, dense);
    const Eigen::MatrixXd y = Eigen::MatrixXd::Ones(11, rows.row_count());
    rows.Gram(states.samples(), y, scratch, grams);
    Eigen::MatrixXd W(rows.row_count(), rows.column_count());
    for (Eigen::Index i = 0; i < 11; ++i) {
      rows.Single(states.q.row(i).transpose(), states.qd.row(i).transpose(),
                  states.qdd.row(i).transpose(), scratch, W);
      for (int r = 0; r < rows.row_count(); ++r) {
        const auto& own = rows.ColumnsOf(r);
        for (std::size_t c = 0; c < own.size(); ++c) {
          CHECK(W(r, own[c]) ==
                dense[static_cast<std::size_t>(r)](i, static_cast<Eigen::Index>(c)));
        }
      }
    }
    for (std::size_t r = 0; r < dense.size(); ++r) {
      const Eigen::VectorXd sums = dense[r].colwise().sum().transpose();
      const Eigen::VectorXd last = grams[r].col(dense[r].cols()).head(dense[r].cols());
      CHECK((sums - last).norm() <= 1e-12 * (1.0 + sums.norm()));
    }
  }
}

TEST_CASE("A robot refuses cuts that it cannot have") {
  RobotModel model = LoadRobot("planar2").model;
  const auto refused = [&model](Cut cut, const char* message) {
    CHECK_THROWS_WITH_AS(model.SetCuts({std::move(cut)}), message, std::invalid_argument);
    CHECK(model.cuts().empty());
  };
  refused({.name = "a", .link = 2},
          "RobotModel planar2: the cut 'a' is on link 2, there are links 0 to 1");
  refused({.name = "", .link = 0}, "RobotModel planar2: the cut '' has no name");
  refused({.name = "a", .R_LS = 2.0 * Eigen::Matrix3d::Identity()},
          "RobotModel planar2: the cut 'a': its axes must be a rotation");
  refused({.name = "a", .R_LS = -Eigen::Matrix3d::Identity()},
          "RobotModel planar2: the cut 'a': its axes must be a rotation");
  refused({.name = "a", .p_LS_L = Eigen::Vector3d(0.0, std::nan(""), 0.0)},
          "RobotModel planar2: the cut 'a': its point is not finite");
  CHECK_THROWS_WITH_AS(model.SetCuts({{.name = "a"}, {.name = "a"}}),
                       "RobotModel planar2: the cut 'a' occurs twice", std::invalid_argument);
  model.SetCuts({{.name = "a"}, {.name = "b", .link = 1}});
  CHECK(model.CutIndex("b") == 1);
  CHECK(model.CutIndex("c") == -1);
  const Dynamics dynamics(model);
  CHECK_THROWS_AS(RowRegressor(dynamics, {PlacedEquation(Equation::kCut, 2)}, {0}),
                  std::out_of_range);
}

TEST_CASE("Six rows of a sensor in a seven-joint arm show what lies beyond it, and no more") {
  RobotModel model = LoadRobot("kuka_lwr4").model;
  model.SetCuts({{.name = "wrist", .link = 6}, {.name = "elbow", .link = 3}});
  const auto rank = [&model](const std::vector<PlacedEquation>& equations) {
    return FindBaseParameters(model, equations, ConsideredParameters(model, equations, {})).size();
  };
  CHECK(rank({PlacedEquation(Equation::kCut, 0)}) == kInertialCount);
  // Three further joints, each of which adds 7 (Khalil & Dombre 2002, section 9.4.3).
  CHECK(rank({PlacedEquation(Equation::kCut, 1)}) == kInertialCount + 3 * 7);
  CHECK(rank({Equation::kTorque}) == 43);
  // Of the first body behind the cut the torques show 7, and 3 together with the link before.
  CHECK(rank({Equation::kTorque, PlacedEquation(Equation::kCut, 1)}) == 43 + 3);
}

}  // namespace
}  // namespace idbench
