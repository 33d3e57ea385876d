#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "robots/dynamics/equations_test.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/dynamics/parameters/parametrisation.h"
#include "robots/mujoco_reference_test.h"
#include "robots/robot.h"

/// Bodies that are attached to links in some configurations.
namespace idbench {
namespace {

const Eigen::Matrix3d kTurn =
    Eigen::AngleAxisd(0.7, Eigen::Vector3d(1.0, -2.0, 0.5).normalized()).toRotationMatrix();

/// A body on each second link with a body of its own and two on the last one, all of them in
/// configuration "all", the first in "one", none in "bare"; and cuts on the links that carry them.
RobotModel WithAttached(RobotModel model) {
  std::vector<AttachedBody> bodies;
  std::vector<Cut> cuts;
  for (int link = 0; link < model.dofs(); link += 2) {
    if (model.link(link).massless) continue;
    const std::string name = "on_" + model.link(link).name;
    bodies.push_back({name, link, kTurn, Eigen::Vector3d(0.1, -0.02 * link, 0.3)});
    cuts.push_back({name + "_whole", link, kTurn, Eigen::Vector3d(0.0, 0.1, 0.2)});
    cuts.push_back({.name = name + "_beyond", .link = link, .link_beyond = false});
  }
  bodies.push_back({.name = "tip", .link = model.dofs() - 1});
  std::vector<int> all;
  for (int k = 0; k < std::ssize(bodies); ++k) all.push_back(k);
  model.SetAttached(bodies, {{"bare"}, {"all", all}, {"one", {0}}});
  model.SetCuts(std::move(cuts));
  return model;
}

std::vector<RobotModel> ModelsWithAttached() {
  std::vector<RobotModel> models;
  for (const MujocoReference& reference : AllReferences()) {
    models.push_back(WithAttached(reference.tree.model));
  }
  return models;
}

Eigen::VectorXd SomePi(Eigen::Index size) {
  Eigen::VectorXd pi(size);
  for (Eigen::Index k = 0; k < size; ++k) pi[k] = std::sin(1.0 + 2.3 * static_cast<double>(k));
  return pi;
}

/// π of the same robot without attached bodies, which are part of their links.
Eigen::VectorXd Merged(const RobotModel& model, int configuration, const Eigen::VectorXd& pi) {
  const ParameterLayout layout(model);
  Eigen::VectorXd merged(layout.links_size() + layout.term_count());
  merged << pi.head(layout.links_size()), pi.tail(layout.term_count());
  for (const int k : model.configurations()[static_cast<std::size_t>(configuration)].attached) {
    const AttachedBody& body = model.attached()[static_cast<std::size_t>(k)];
    merged.segment<kInertialCount>(layout.Body(body.link)) += Transformed(
        pi.segment<kInertialCount>(layout.Body(model.dofs() + k)), body.R_LA, body.p_LA_L);
  }
  return merged;
}

std::vector<PlacedEquation> AllEquations(const RobotModel& model) {
  std::vector<PlacedEquation> equations = {Equation::kTorque, Equation::kWrench};
  for (int cut = 0; cut < std::ssize(model.cuts()); ++cut) {
    equations.emplace_back(Equation::kCut, cut);
  }
  return equations;
}

/// A row as long as π's columns.
Eigen::RowVectorXd WholeRow(const RowRegressor& rows, int row, const Eigen::MatrixXd& W,
                            Eigen::Index sample) {
  Eigen::RowVectorXd whole = Eigen::RowVectorXd::Zero(rows.column_count());
  for (std::size_t c = 0; c < rows.ColumnsOf(row).size(); ++c) {
    whole[rows.ColumnsOf(row)[c]] = W(sample, static_cast<Eigen::Index>(c));
  }
  return whole;
}

std::vector<int> EveryColumn(const RobotModel& model) {
  std::vector<int> columns;
  for (int k = 0; k < ParameterLayout(model).size(); ++k) columns.push_back(k);
  return columns;
}

TEST_CASE("What is attached to a link moves as a part of it, in its configurations alone") {
  for (const RobotModel& model : ModelsWithAttached()) {
    CAPTURE(model.name());
    RobotModel plain = model;
    plain.SetCuts({});
    plain.SetAttached({}, {{}});
    const Dynamics of_links(plain);
    Dynamics::Scratch plain_scratch(of_links);
    const int n = model.dofs();
    const FixedStates states = MakeFixedStates(model, 11, 91);
    const Eigen::VectorXd pi = SomePi(ParameterLayout(model).size());
    for (int configuration = 0; configuration < 3; ++configuration) {
      const Dynamics dynamics(model, {}, configuration);
      Dynamics::Scratch scratch(dynamics);
      const Eigen::VectorXd merged = Merged(model, configuration, pi);
      Eigen::MatrixXd tau(11, n), expected(11, n);
      dynamics.InverseDynamics(pi, states.samples(), scratch, tau);
      of_links.InverseDynamics(merged, states.samples(), plain_scratch, expected);
      // X·π and Transformed() round differently.
      CHECK((tau - expected).norm() <= 1e-13 * expected.norm());
      Eigen::VectorXd single(n);
      dynamics.InverseDynamics(pi, states.q.row(3).transpose(), states.qd.row(3).transpose(),
                               states.qdd.row(3).transpose(), scratch, single);
      CHECK(single == tau.row(3).transpose());
      Eigen::MatrixXd wrench(11, 6), expected_wrench(11, 6);
      dynamics.BaseWrench(pi, states.samples(), scratch, wrench);
      of_links.BaseWrench(merged, states.samples(), plain_scratch, expected_wrench);
      CHECK((wrench - expected_wrench).norm() <= 1e-13 * expected_wrench.norm());
      Eigen::MatrixXd M(n, n), expected_M(n, n);
      dynamics.MassMatrix(pi, states.q.row(0).transpose(), scratch, M);
      of_links.MassMatrix(merged, states.q.row(0).transpose(), plain_scratch, expected_M);
      CHECK((M - expected_M).norm() <= 1e-13 * expected_M.norm());
    }
  }
}

TEST_CASE("Rows times π are torques and wrenches, what is attached included") {
  for (const RobotModel& model : ModelsWithAttached()) {
    CAPTURE(model.name());
    const std::vector<PlacedEquation> equations = AllEquations(model);
    const FixedStates states = MakeFixedStates(model, 13, 92);
    const Eigen::VectorXd pi = SomePi(ParameterLayout(model).size());
    for (int configuration = 0; configuration < 3; ++configuration) {
      const Dynamics dynamics(model, {}, configuration);
      Dynamics::Scratch scratch(dynamics);
      const RowRegressor rows(dynamics, equations, EveryColumn(model));
      std::vector<Eigen::MatrixXd> W;
      rows.Dense(states.samples(), scratch, W);
      int row = 0;
      for (const PlacedEquation& equation : equations) {
        const int count = RowsOf(equation.kind, model.dofs());
        Eigen::MatrixXd predicted(13, count);
        dynamics.Predict(equation, pi, states.samples(), scratch, predicted);
        for (int r = 0; r < count; ++r, ++row) {
          for (Eigen::Index i = 0; i < 13; ++i) {
            const double sum = WholeRow(rows, row, W[static_cast<std::size_t>(row)], i) * pi;
            // Sums of the same products in another order.
            CHECK(std::abs(sum - predicted(i, r)) <= 1e-11 * (1.0 + predicted.norm()));
          }
        }
      }
      CHECK(row == rows.row_count());
    }
  }
}

TEST_CASE("A cut sees what is attached to its link, and the link itself only if it lies beyond") {
  const RobotModel model = WithAttached(LoadRobot("kuka_lwr4").model);
  const ParameterLayout layout(model);
  const Dynamics dynamics(model, {}, model.ConfigurationIndex("all"));
  const int last = model.CutIndex("on_link7_beyond"), whole = model.CutIndex("on_link7_whole");
  REQUIRE(last >= 0);
  const RowRegressor beyond(dynamics, {PlacedEquation(Equation::kCut, last)}, EveryColumn(model));
  std::vector<int> expected;  // those of both bodies on the last link, and nothing else
  for (int k = layout.Body(model.body_end() - 2); k < layout.inertial_size(); ++k) {
    expected.push_back(k);
  }
  CHECK(beyond.ColumnsOf(0) == expected);
  CHECK(InRows(model, model.body_end() - 1, {PlacedEquation(Equation::kCut, last)}));
  CHECK(!InRows(model, model.dofs() - 1, {PlacedEquation(Equation::kCut, last)}));
  CHECK(!InRows(model, model.dofs(), {PlacedEquation(Equation::kCut, last)}));
  CHECK(InRows(model, model.dofs() - 1, {PlacedEquation(Equation::kCut, whole)}));
}

TEST_CASE("Batches, single samples and Gram matrices of attached bodies have the same entries") {
  for (const RobotModel& model : ModelsWithAttached()) {
    CAPTURE(model.name());
    const Dynamics dynamics(model, {}, 1);
    Dynamics::Scratch scratch(dynamics);
    const FixedStates states = MakeFixedStates(model, 11, 93);
    std::vector<PlacedEquation> equations = AllEquations(model);
    equations.push_back(equations.front());  // an equation twice has its rows twice
    // With and without the columns of links, which theirs are made of; with some entries alone.
    for (const int step : {1, 3}) {
      std::vector<int> columns;
      const ParameterLayout layout(model);
      for (int k = step == 1 ? 0 : layout.links_size(); k < layout.size(); k += step) {
        columns.push_back(k);
      }
      const RowRegressor rows(dynamics, equations, columns);
      std::vector<Eigen::MatrixXd> dense, grams;
      rows.Dense(states.samples(), scratch, dense);
      rows.Gram(states.samples(), Eigen::MatrixXd::Ones(11, rows.row_count()), scratch, grams);
      Eigen::MatrixXd W(rows.row_count(), rows.column_count());
      for (Eigen::Index i = 0; i < 11; ++i) {
        rows.Single(states.q.row(i).transpose(), states.qd.row(i).transpose(),
                    states.qdd.row(i).transpose(), scratch, W);
        for (int r = 0; r < rows.row_count(); ++r) {
          CHECK(W.row(r) == WholeRow(rows, r, dense[static_cast<std::size_t>(r)], i));
        }
      }
      for (std::size_t r = 0; r < dense.size(); ++r) {
        const Eigen::VectorXd sums = dense[r].colwise().sum().transpose();
        const Eigen::VectorXd last = grams[r].col(dense[r].cols()).head(dense[r].cols());
        CHECK((sums - last).norm() <= 1e-12 * (1.0 + sums.norm()));
      }
    }
  }
}

TEST_CASE("Wrenches at an end effector have the columns of attached bodies") {
  RobotModel model = LoadRobot("kuka_lwr4").model;
  model.SetAttached({{"tool", 6, kTurn, Eigen::Vector3d(0.0, 0.1, 0.2)}}, {{"loaded", {0}}});
  const Dynamics dynamics(model);
  Dynamics::Scratch scratch(dynamics);
  const RowRegressor rows(dynamics, {Equation::kEndEffector}, EveryColumn(model));
  const FixedStates states = MakeFixedStates(model, 3, 94);
  const Eigen::VectorXd pi = SomePi(ParameterLayout(model).size());
  Eigen::MatrixXd predicted(3, 6), W(6, rows.column_count());
  dynamics.Predict(Equation::kEndEffector, pi, states.samples(), scratch, predicted);
  for (Eigen::Index i = 0; i < 3; ++i) {
    rows.Single(states.q.row(i).transpose(), states.qd.row(i).transpose(),
                states.qdd.row(i).transpose(), scratch, W);
    const Eigen::RowVectorXd product = (W * pi).transpose();
    // Another order of sums, and the condition of the Jacobian.
    CHECK((product - predicted.row(i)).norm() <= 1e-9 * predicted.row(i).norm());
  }
}

int BaseCount(const RobotModel& model, const std::vector<PlacedEquation>& equations,
              const std::vector<JointParameter>& friction, std::vector<int> configurations = {}) {
  return FindBaseParameters(model, equations, ConsideredParameters(model, equations, friction), {},
                            std::move(configurations))
      .size();
}

TEST_CASE("A seven-joint arm and its tool have 67 base parameters together, 57 alone") {
  // Katsumata et al. 2019, section V: 43 + 14 of friction, and all ten of the tool.
  using enum JointParameter;
  RobotModel model = LoadRobot("kuka_lwr4").model;
  const std::vector<PlacedEquation> torque = {Equation::kTorque};
  CHECK(BaseCount(model, torque, {}) == 43);
  CHECK(BaseCount(model, torque, {kViscous, kCoulomb}) == 57);
  model.SetAttached({{"tool", 6, kTurn, Eigen::Vector3d(0.0, 0.02, 0.078)}},
                    {{"bare"}, {"loaded", {0}}});
  CHECK(BaseCount(model, torque, {kViscous, kCoulomb}) == 67);
  CHECK(BaseCount(model, torque, {}) == 53);
  // With the tool on at all times it cannot be told from the hand.
  CHECK(BaseCount(model, torque, {}, {1}) == 43);
  CHECK(BaseCount(model, torque, {}, {0}) == 43);
  // What has no data for identification does not count.
  model.SetAttached(model.attached(), {{"bare"}, {"loaded", {0}, false}});
  CHECK(BaseCount(model, torque, {}) == 43);
  // A known body is not asked for.
  model.SetAttached({{.name = "weight", .link = 6, .known = true}}, {{"bare"}, {"loaded", {0}}});
  CHECK(BaseCount(model, torque, {}) == 43);
}

TEST_CASE("A link that a sensor splits has parameters on both of its sides") {
  RobotModel model = LoadRobot("kuka_lwr4").model;
  model.SetCuts({{.name = "elbow", .link = 3, .link_beyond = false}});
  model.SetAttached({{.name = "link4_beyond", .link = 3}}, {{"", {0}}});
  const PlacedEquation cut(Equation::kCut, 0);
  CHECK(BaseCount(model, {cut}, {}) == kInertialCount + 3 * 7);  // as of a sensor at a whole link
  CHECK(BaseCount(model, {Equation::kTorque, cut}, {}) == 43 + kInertialCount);
}

TEST_CASE("Names, units and whole bodies know what is attached") {
  RobotModel model = LoadRobot("planar2").model;
  model.SetAttached({{.name = "tool", .link = 1}}, {{"bare"}, {"loaded", {0}}});
  const ParameterLayout layout(model);
  CHECK(layout.size() == 48);
  CHECK(layout.Body(model.dofs()) == 30);
  CHECK(layout.Joint(0, JointParameter::kViscous) == 40);
  const std::vector<std::string> names = ParameterNames(model);
  REQUIRE(names.size() == 48);
  CHECK(names[30] == "tool.m");
  CHECK(names[33] == "tool.mcz");
  CHECK(names[40] == "joint1.fv");
  CHECK(ParameterUnits(model)[31] == "kg·m");
  CHECK(ParameterUnits(model).size() == 48);
  std::vector<int> all = EveryColumn(model);
  CHECK(WholeBodies(model, all) == std::vector<int>{-1, 0, 1, 2});
  all.erase(all.begin() + 35);
  CHECK(WholeBodies(model, all) == std::vector<int>{-1, 0, 1});
  CHECK(model.BodyName(2) == "tool");
  CHECK(model.CarrierOf(2) == 1);
  CHECK(model.CarrierOf(0) == 0);
  CHECK(model.ConfigurationIndex("loaded") == 1);
  CHECK(model.ConfigurationIndex("full") == -1);
}

TEST_CASE("What is known stands in π, and nothing moves it") {
  RobotModel model = LoadRobot("planar2").model;
  model.SetAttached({{.name = "weight", .link = 1, .known = true}}, {{"", {0}}});
  const std::vector<int> considered = ConsideredParameters(model, {Equation::kTorque}, {});
  CHECK(considered.back() == ParameterLayout(model).Body(1) + 9);
  Parametrisation parameters = StandardParametrisation(model, considered);
  const Eigen::VectorXd weight = SomePi(kInertialCount);
  const int first = ParameterLayout(model).Body(2);
  parameters.SetKnown(first, weight);
  CHECK(parameters.Pi(Eigen::VectorXd::Zero(parameters.size())).segment(first, 10) == weight);
  const Eigen::VectorXd x = SomePi(parameters.size());
  CHECK(parameters.FromPi(parameters.Pi(x)) == x);
  CHECK(parameters.UsedPi().back() == first + 9);
  CHECK_THROWS_WITH_AS(parameters.SetKnown(first - 1, weight),
                       "Parametrisation standard: what an unknown moves is not known",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(
      parameters.SetKnown(40, weight),
      "Parametrisation standard: 10 known parameters from 40 on leave π, which has 48",
      std::invalid_argument);
}

TEST_CASE("A robot refuses bodies and configurations that it cannot have") {
  RobotModel model = LoadRobot("planar2").model;
  const auto refused = [&model](AttachedBody body, const char* message) {
    CHECK_THROWS_WITH_AS(model.SetAttached({std::move(body)}, {{}}), message,
                         std::invalid_argument);
    CHECK(model.attached().empty());
  };
  refused({.name = "a", .link = 2},
          "RobotModel planar2: the attached body 'a' is on link 2, there are links 0 to 1");
  refused({.name = ""}, "RobotModel planar2: the attached body '' has no name");
  refused({.name = "link2"},
          "RobotModel planar2: the attached body 'link2' has the name of another body");
  refused({.name = "a", .R_LA = -kTurn},
          "RobotModel planar2: the attached body 'a': its axes must be a rotation");
  refused({.name = "a", .p_LA_L = Eigen::Vector3d(std::numeric_limits<double>::infinity(), 0, 0)},
          "RobotModel planar2: the attached body 'a': its place is not finite");
  const auto unconfigured = [&model](const std::vector<Configuration>& configurations,
                                     const char* message) {
    CHECK_THROWS_WITH_AS(model.SetAttached({{.name = "a"}, {.name = "b"}}, configurations), message,
                         std::invalid_argument);
  };
  unconfigured({}, "RobotModel planar2: there is no configuration");
  unconfigured({{"x"}, {"x", {0}}}, "RobotModel planar2: configuration 'x' occurs twice");
  unconfigured({{"x", {2}}},
               "RobotModel planar2: configuration 'x' attaches body 2 of 2; bodies must be there, "
               "and in increasing order");
  unconfigured({{"x", {1, 0}}},
               "RobotModel planar2: configuration 'x' attaches body 0 of 2; bodies must be there, "
               "and in increasing order");
  CHECK_THROWS_AS(Dynamics(model, {}, 1), std::out_of_range);
}

}  // namespace
}  // namespace idbench
