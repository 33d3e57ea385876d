#include "scenarios/problem/parameter_bounds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "robots/dynamics/parameters/pseudo_inertia.h"
#include "robots/robot.h"

namespace idbench {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

struct Bounds {
  double lower, upper;
  bool operator==(const Bounds&) const = default;
};

/// All ten parameters of each link of the WAM, friction and offset.
struct Wam {
  Wam() : robot(LoadRobot("barrett_wam7")), pi(robot.FindSet("ac02_friction_sousa2014")->pi) {}

  Parametrisation Make(const ParametrisationOptions& options) const {
    Parametrisation parameters = StandardParametrisation(
        robot.model, ConsideredParameters(robot.model, {Equation::kTorque},
                                          {JointParameter::kViscous, JointParameter::kOffset}));
    SetBounds(robot.model, options, pi, parameters.FromPi(pi), parameters);
    return parameters;
  }

  Bounds Of(const Parametrisation& parameters, const std::string& name) const {
    const auto at = std::ranges::find(parameters.names, name) - parameters.names.begin();
    return {parameters.lower[at], parameters.upper[at]};
  }

  Robot robot;
  Eigen::VectorXd pi;
  ParameterLayout layout{7};
};

/// Bounds 0 and twice the prior.
ParametrisationOptions Twice() {
  ParametrisationOptions options;
  options.type = "standard";
  options.lower_prior_factor = 0.0;
  options.upper_prior_factor = 2.0;
  return options;
}

TEST_CASE("Factors bound what cannot be negative, products follow from the moments") {
  const Wam wam;
  const Parametrisation p = wam.Make(Twice());
  CHECK(wam.Of(p, "link3.m") == Bounds{0.0, 2.0 * wam.pi[wam.layout.Body(2)]});
  CHECK(wam.Of(p, "link3.Izz") == Bounds{0.0, 2.0 * wam.pi[wam.layout.Body(2) + 9]});
  const double Izz = wam.pi[wam.layout.Body(2) + 9], Iyy = wam.pi[wam.layout.Body(2) + 6];
  CHECK(wam.Of(p, "link3.Ixy") == Bounds{-Izz, Izz});
  CHECK(wam.Of(p, "link3.Ixz") == Bounds{-Iyy, Iyy});
  CHECK(wam.Of(p, "joint2.fv") == Bounds{0.0, 2.0 * 2.364});
  CHECK(wam.Of(p, "link3.mcx") == Bounds{-kInf, kInf});
  CHECK(wam.Of(p, "joint1.fo") == Bounds{-kInf, kInf});
}

TEST_CASE("With a reach and stated bounds all unknowns of the WAM are bounded, its set inside") {
  const Wam wam;
  ParametrisationOptions options = Twice();
  options.first_moment_reach_m = 0.4;
  options.bounds = {{"joint1.fo", {-0.5, 0.5}}, {"fo", {-2.0, 2.0}}, {"link7.m", {0.01, 1.0}}};
  const Parametrisation p = wam.Make(options);
  const double reach = 0.4 * wam.pi[wam.layout.Body(2)];
  CHECK(wam.Of(p, "link3.mcz") == Bounds{-reach, reach});
  CHECK(wam.Of(p, "joint1.fo") == Bounds{-0.5, 0.5});  // a name before its kind
  CHECK(wam.Of(p, "joint2.fo") == Bounds{-2.0, 2.0});
  CHECK(wam.Of(p, "link7.m") == Bounds{0.01, 1.0});
  const Eigen::VectorXd x = p.FromPi(wam.pi);
  CHECK((p.lower.array() < x.array()).all());
  CHECK((x.array() < p.upper.array()).all());
}

TEST_CASE("No body has products beyond half of its moment about the third axis") {
  // What BoundProducts() takes for granted, on thin plates that come near to it.
  for (int k = 0; k < 50; ++k) {
    const double angle = 0.13 * k;
    const Eigen::Vector3d along(std::cos(angle), std::sin(angle), 1e-3 * k);
    Eigen::Matrix4d rod = 1e-6 * Eigen::Matrix4d::Identity();
    rod.topLeftCorner<3, 3>() += along * along.transpose();
    const InertialParameters pi = FromPseudoInertia(rod);
    CHECK(std::abs(pi[5]) <= 0.5 * pi[9]);
    CHECK(std::abs(pi[7]) <= 0.5 * pi[6]);
    CHECK(std::abs(pi[8]) <= 0.5 * pi[4]);
  }
}

TEST_CASE("A bound for what no unknown is called is refused") {
  const Wam wam;
  ParametrisationOptions options;
  options.bounds = {{"fc", {0.0, 1.0}}};
  CHECK_THROWS_WITH_AS(static_cast<void>(wam.Make(options)),
                       "\"bounds\" names 'fc', but no unknown has this name; unknowns are called "
                       "link1.m …, and kinds of them m …",
                       std::invalid_argument);
}

}  // namespace
}  // namespace idbench
