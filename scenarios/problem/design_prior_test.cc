#include "scenarios/problem/design_prior.h"

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <string>
#include <vector>

#include "robots/dynamics/parameters.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/robot.h"

namespace idbench {
namespace {

struct Planar {
  Robot robot = LoadRobot("planar2");
  std::vector<PlacedEquation> equations = {Equation::kTorque};
  FrictionShape friction = {};
  std::vector<int> considered = ConsideredParameters(
      robot.model, equations, {JointParameter::kViscous, JointParameter::kCoulomb});
  BaseParameters base = FindBaseParameters(robot.model, equations, considered, friction, {0});

  DesignPrior Make(const SigmaEntries& std) const {
    return MakeDesignPrior(robot, std, {equations, considered, friction, 0});
  }
  std::vector<std::string> IssuesOf(const SigmaEntries& std) const {
    std::vector<std::string> texts;
    for (const Issue& issue : CheckDesignPrior(robot, std, considered, "/x/prior_std")) {
      texts.push_back(issue.where + ": " + issue.what);
    }
    return texts;
  }
};

TEST_CASE("What a prior knows of base parameters is the inverse of their covariance") {
  const Planar planar;
  const DesignPrior prior = planar.Make({{"body", 0.1}, {"fv", 0.2}, {"fc", 0.3}});
  const Eigen::MatrixXd covariance =
      planar.base.B * prior.pi_covariance * planar.base.B.transpose();
  const auto p = static_cast<Eigen::Index>(planar.base.independent.size());
  REQUIRE(prior.known.rows() == p);
  CHECK((prior.known * covariance - Eigen::MatrixXd::Identity(p, p)).norm() < 1e-8);
  const ParameterLayout layout(planar.robot.model);
  const int mass = layout.Body(1), fc = layout.Joint(0, JointParameter::kCoulomb);
  const Eigen::VectorXd pi = planar.robot.FindSet("")->pi;
  CHECK(std::sqrt(prior.pi_covariance(mass, mass)) == doctest::Approx(0.1 * pi[mass]));
  CHECK(prior.pi_covariance(fc, fc) == doctest::Approx(0.09));
  const int rotor = layout.Joint(0, JointParameter::kRotorInertia);
  CHECK(prior.pi_covariance(rotor, rotor) == 0.0);
}

TEST_CASE("Of what is left out, or null, nothing is known") {
  const Planar planar;
  const DesignPrior all = planar.Make({{"body", 0.1}, {"fv", 0.2}, {"fc", 1e6}});
  for (const SigmaEntries& std : {SigmaEntries{{"body", 0.1}, {"fv", 0.2}},
                                  SigmaEntries{{"body", 0.1}, {"fv", 0.2}, {"fc", std::nullopt}}}) {
    const DesignPrior prior = planar.Make(std);
    CHECK((prior.known - all.known).norm() < 1e-9 * all.known.norm());
    for (std::size_t k = 0; k < planar.base.names.size(); ++k) {
      if (!planar.base.names[k].ends_with(".fc")) continue;
      const auto at = static_cast<Eigen::Index>(k);
      CHECK(prior.known.row(at).norm() < 1e-9);
    }
  }
  // Of one body alone: no direction that the other one moves.
  const DesignPrior one = planar.Make({{planar.robot.model.BodyName(1), 0.1}});
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(one.known / one.known.norm());
  CHECK(lu.rank() > 0);
  CHECK(lu.rank() < all.known.rows() - 3);
}

TEST_CASE("σ of nothing, and two of one parameter, are refused where they stand") {
  const Planar planar;
  CHECK(planar.IssuesOf({{"body", 0.1}, {"fv", 0.2}}).empty());
  CHECK(planar.IssuesOf({{"fd", 0.1}}) ==
        std::vector<std::string>{"/x/prior_std/fd: no unknown has this kind or name"});
  CHECK(planar.IssuesOf({{"ia", 0.1}}).size() == 1);  // not considered
  CHECK(planar.IssuesOf({{"body", 0.1}, {"m", 0.1}}).size() == 2);
}

}  // namespace
}  // namespace idbench
