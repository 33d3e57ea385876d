#include "scenarios/problem/problem_builder.h"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "robots/dynamics/parameters/consistent_fit.h"
#include "scenarios/problem/drawn_set.h"
#include "scenarios/problem/parametrisations.h"

namespace idbench {
namespace {

ProblemOptions Options(const char* type) {
  ProblemOptions options;
  options.parametrisation.type = type;
  options.prior.emplace();
  return options;
}

TEST_CASE("A scaled set keeps centres of mass and scales mass and central inertia") {
  const Robot robot = LoadRobot("planar2");
  SetOptions options;
  options.mass_scale = 1.2;
  options.inertia_scale = 0.8;
  const Eigen::VectorXd pi = ScaledSet(robot, options);
  const ParameterLayout layout(2);
  for (const int body : {-1, 0, 1}) {
    const CentralInertia before =
        FromStandard(robot.FindSet("")->pi.segment<kInertialCount>(layout.Body(body)));
    const CentralInertia after = FromStandard(pi.segment<kInertialCount>(layout.Body(body)));
    CHECK(after.mass == doctest::Approx(1.2 * before.mass));
    CHECK((after.com - before.com).norm() < 1e-14);  // a quotient of products: rounding
    CHECK((after.I_com - 0.8 * before.I_com).norm() < 1e-14);
  }
  CHECK(pi.tail(8) == robot.FindSet("")->pi.tail(8));  // joints are not scaled
}

TEST_CASE("The problem asks for what the parametrisation names") {
  const Robot robot = LoadRobot("planar2");
  ProblemOptions options = Options("standard");
  CHECK(AskedParameters(robot, options).size() == 20);
  options.parametrisation.friction = {JointParameter::kViscous, JointParameter::kOffset};
  options.parametrisation.rotor_inertia = true;
  const std::vector<int> asked = AskedParameters(robot, options);
  REQUIRE(asked.size() == 26);
  const std::vector<std::string> names = ParameterNames(robot.model);
  CHECK(names[static_cast<std::size_t>(asked[20])] == "joint1.fv");
  CHECK(names[static_cast<std::size_t>(asked[21])] == "joint1.fo");
  CHECK(names[static_cast<std::size_t>(asked[25])] == "joint2.ia");
}

TEST_CASE("Base parameters have the σ that the prior states of the standard ones, carried over") {
  const Robot robot = LoadRobot("planar2");
  ProblemOptions options = Options("standard");
  options.parametrisation.friction = {JointParameter::kViscous, JointParameter::kCoulomb};
  options.prior->std = {{"body", 0.2}, {"fv", 1.0}, {"fc", 2.0}, {"joint2.fc", 0.5}};
  const Problem standard = BuildProblem(robot, options, "test");
  options.parametrisation.type = "base";
  const Problem base = BuildProblem(robot, options, "test");
  Eigen::MatrixXd B(base.parameters.size(), standard.parameters.size());
  for (Eigen::Index k = 0; k < B.cols(); ++k) {
    B.col(k) = base.parameters.FromPi(
        standard.parameters.Pi(Eigen::VectorXd::Unit(standard.parameters.size(), k)));
  }
  const Eigen::MatrixXd& P = *base.parameters.prior->covariance;
  const Eigen::MatrixXd expected = B * *standard.parameters.prior->covariance * B.transpose();
  CHECK((P - expected).norm() < 1e-12 * expected.norm());  // round-off
  const auto found = std::ranges::find(base.parameters.names, "joint2.fc");
  REQUIRE(found != base.parameters.names.end());
  const Eigen::Index k = found - base.parameters.names.begin();
  CHECK(P(k, k) == doctest::Approx(0.25));
  CHECK(standard.parameters.prior->body_sigma == Eigen::Vector3d::Constant(0.2));
}

TEST_CASE("A prior that says nothing of an unknown, or of nothing, is refused with what would do") {
  const Robot robot = LoadRobot("planar2");
  ProblemOptions options = Options("base");
  options.parametrisation.friction = {JointParameter::kViscous};
  options.prior->std = {{"body", 0.2}, {"fc", 2.0}};
  try {
    BuildProblem(robot, options, "test");
    FAIL("built");
  } catch (const ConfigError& error) {
    REQUIRE(error.issues().size() == 2);
    CHECK(error.issues()[0].where == "/problem/prior/std/fc");
    CHECK(error.issues()[1].what == "says nothing of joint1.fv, joint2.fv");
  }
}

TEST_CASE("A relative prior σ of a parameter that is 0 is that of the largest of its kind") {
  const Robot robot = LoadRobot("planar2");
  ProblemOptions options = Options("standard");
  options.parametrisation.friction = {JointParameter::kOffset,
                                      JointParameter::kViscous};  // fo is 0 in the set
  options.prior->relative_std = 0.5;
  const Problem problem = BuildProblem(robot, options, "test");
  REQUIRE(problem.parameters.prior);
  REQUIRE(problem.parameters.prior->covariance);
  const Eigen::VectorXd sigma = problem.parameters.prior->covariance->diagonal().cwiseSqrt();
  const Eigen::VectorXd& mean = problem.parameters.prior->mean;
  CHECK(sigma[0] == doctest::Approx(0.5 * mean[0]));
  CHECK(problem.parameters.names[20] == "joint1.fv");
  CHECK(sigma[20] == doctest::Approx(0.3));  // 0.5 · 0.6 N·m·s/rad
  CHECK(problem.parameters.names[21] == "joint1.fo");
  CHECK(sigma[21] == 0.0);  // none of its kind is known to differ from 0
}

TEST_CASE("The prior of base parameters is that of the standard ones, carried over") {
  const Robot robot = LoadRobot("planar2");
  ProblemOptions options = Options("base");
  options.prior->relative_std = 0.1;
  const Problem base = BuildProblem(robot, options, "test");
  options.parametrisation.type = "standard";
  const Problem standard = BuildProblem(robot, options, "test");
  // β = B·π of the moving links, so cov β = B cov π Bᵀ.
  Eigen::MatrixXd B(base.parameters.size(), 20);
  const ParameterLayout layout(2);
  for (int k = 0; k < 20; ++k) {
    B.col(k) = base.parameters.FromPi(Eigen::VectorXd::Unit(layout.size(), layout.Body(0) + k));
  }
  const Eigen::MatrixXd expected = B * *standard.parameters.prior->covariance * B.transpose();
  CHECK((*base.parameters.prior->covariance - expected).norm() < 1e-12 * expected.norm());
}

TEST_CASE("Bounds are factors of the prior mean, of a negative base parameter too") {
  const Robot robot = LoadRobot("planar2");
  ProblemOptions options = Options("base");
  options.parametrisation.lower_prior_factor = 0.5;
  options.parametrisation.upper_prior_factor = 2.0;
  const Parametrisation parameters = BuildProblem(robot, options, "test").parameters;
  const Eigen::VectorXd& mean = parameters.prior->mean;
  REQUIRE((mean.minCoeff() < 0.0 && mean.maxCoeff() > 0.0));
  CHECK(parameters.lower == mean.cwiseMin(4.0 * mean) * 0.5);
  CHECK(parameters.upper == mean.cwiseMax(0.25 * mean) * 2.0);
}

TEST_CASE("A bound by kind holds for base parameters of that kind, regrouped or not") {
  const Robot robot = LoadRobot("planar2");
  ProblemOptions options = Options("base");
  options.parametrisation.bounds = {{"Iyy", {-5.0, 5.0}}, {"link2.mcx", {-3.0, 3.0}}};
  const Parametrisation parameters = BuildProblem(robot, options, "test").parameters;
  for (std::size_t k = 0; k < parameters.names.size(); ++k) {
    const std::string& name = parameters.names[k];
    const double bound = name.find(".Iyy") != std::string::npos ? 5.0
                         : name == "link2.mcx"                  ? 3.0
                                               : std::numeric_limits<double>::infinity();
    CAPTURE(name);
    CHECK(parameters.upper[static_cast<Eigen::Index>(k)] == bound);
    CHECK(parameters.lower[static_cast<Eigen::Index>(k)] == -bound);
  }
  CHECK(std::ranges::find(parameters.names, "link1.Iyy_R") != parameters.names.end());
  CHECK(std::ranges::find(parameters.names, "link2.Iyy") != parameters.names.end());
}

std::string RefusalOf(const Robot& robot, const ProblemOptions& options) {
  try {
    BuildProblem(robot, options, "test.json");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("σ of the bounds is the identity behind sigmoids, and needs bounds that hold the prior") {
  const Robot robot = LoadRobot("planar2");
  ProblemOptions options = Options("masses_moments_first_moments");
  options.parametrisation.lower_prior_factor = 0.0;
  options.parametrisation.upper_prior_factor = 2.0;
  options.parametrisation.first_moment_reach_m = 1.0;
  options.prior->std_of_bounds = 0.5;
  const Parametrisation parameters = BuildProblem(robot, options, "test").parameters;
  REQUIRE(parameters.size() == 14);
  const Eigen::VectorXd& mean = parameters.prior->mean;
  const Eigen::MatrixXd& covariance = *parameters.prior->covariance;
  CHECK(covariance.isDiagonal(0.0));
  const Eigen::VectorXd sigma = covariance.diagonal().cwiseSqrt();
  CHECK(sigma[0] == doctest::Approx(0.25 * mean[0]));  // in the middle, c/4 of 2·m
  // x = l + (u − l)·s(c·ξ) has ∂x/∂ξ = c·(u − l)·s·(1 − s).
  const double range = parameters.upper[1] - parameters.lower[1];
  const double s = (mean[1] - parameters.lower[1]) / range;
  CHECK(sigma[1] == doctest::Approx(0.5 * range * s * (1.0 - s)));
  options.parametrisation.first_moment_reach_m = 0.01;
  CHECK(RefusalOf(robot, options)
            .starts_with("test.json: /problem/parametrisation: std_of_bounds: the prior of "
                         "link1.mc"));
}

TEST_CASE("A log-Cholesky prior spreads as the entropic distance does: masses relatively") {
  const Robot robot = LoadRobot("planar2");
  ProblemOptions options = Options("log_cholesky");
  options.parametrisation.friction = {JointParameter::kViscous};
  options.prior->relative_std = 0.3;
  const Parametrisation parameters = BuildProblem(robot, options, "test").parameters;
  REQUIRE(parameters.size() == 22);
  const Eigen::MatrixXd& covariance = *parameters.prior->covariance;
  const Eigen::MatrixXd J = parameters.Jacobian(parameters.prior->mean);
  const Eigen::VectorXd pi = parameters.Pi(parameters.prior->mean);
  const ParameterLayout layout(2);
  for (const int body : {0, 1}) {
    const Eigen::RowVectorXd mass = J.row(layout.Body(body)) / pi[layout.Body(body)];
    CHECK((mass * covariance).dot(mass) == doctest::Approx(0.09));
    // D(P ‖ P₀) = ½·eᵀ H e to second order, so its mean over cov = σ²·H⁻¹ is ½·10·σ².
    const Eigen::MatrixXd own = covariance.block<10, 10>(10 * body, 10 * body);
    double mean = 0.0;
    for (int k = 0; k < 10; ++k) {
      Eigen::VectorXd x = parameters.prior->mean;
      x.segment<10>(10 * body) +=
          1e-3 * Eigen::LLT<Eigen::MatrixXd>(own).matrixL().toDenseMatrix().col(k);
      mean += EntropicDivergence(parameters.Pi(x).segment<10>(layout.Body(body)),
                                 pi.segment<10>(layout.Body(body)));
    }
    CHECK(mean == doctest::Approx(5.0 * 0.09 * 1e-6).epsilon(1e-2));  // third order, 1e-3
  }
  CHECK(std::sqrt(covariance(20, 20)) == doctest::Approx(0.3 * parameters.prior->mean[20]));
}

TEST_CASE("Known centres of mass come from the prior; without a mass there is none") {
  const Robot robot = LoadRobot("puma560");
  ProblemOptions options = Options("masses_and_moments");
  options.prior->set = "armstrong1986";  // publishes no mass of link 1
  std::string message;
  try {
    BuildProblem(robot, options, "test.json");
  } catch (const ConfigError& error) {
    message = error.what();
  }
  CHECK(message.find("test.json: /problem/parametrisation: masses_and_moments: link1.m is not "
                     "positive in the known set") == 0);
}

TEST_CASE(
    "A payload's bounds are absolute, its prior a fraction of them, and its σ the sigmoid's") {
  const Robot robot = LoadRobot("barrett_wam7");
  ProblemOptions options = Options("payload");
  options.parametrisation.payload = {"", {0.0, 0.0, 0.1}, {0.0, 4.0}, {0.0, 0.2}, 0.025};
  options.prior->relative_std = 0.975;
  options.prior->mass_scale = 1.1;
  const Parametrisation p = BuildProblem(robot, options, "test").parameters;
  CHECK(p.type() == "payload");
  CHECK(p.affine()->pi0 == ScaledSet(robot, *options.prior));
  CHECK(p.affine()->A.col(0).segment<kInertialCount>(ParameterLayout(7).Body(6))[3] == 0.1);
  CHECK(p.lower == Eigen::Vector4d::Zero());
  CHECK(p.upper == Eigen::Vector4d(4.0, 0.2, 0.2, 0.2));
  REQUIRE(p.prior);
  CHECK((p.prior->mean - Eigen::Vector4d(0.1, 0.005, 0.005, 0.005)).norm() < 1e-16);
  // P₀ = 1 in the state of a sigmoid of slope 1: σ = range·s(1 − s).
  const Eigen::Vector4d sigma = 0.025 * 0.975 * p.upper;
  CHECK((p.prior->covariance->diagonal().cwiseSqrt() - sigma).norm() < 1e-15);
  options.parametrisation.payload->link = "link4";
  const Parametrisation on_link4 = BuildProblem(robot, options, "test").parameters;
  CHECK(on_link4.affine()->A(ParameterLayout(7).Body(3), 0) == 1.0);
}

TEST_CASE("A planar Lagrangian's unknowns have a rough guess for their prior: factors of the set") {
  const Robot robot = LoadRobot("planar1");
  ProblemOptions options = Options("planar_lagrangian");
  options.parametrisation.friction = {JointParameter::kCoulomb, JointParameter::kViscous};
  options.parametrisation.coulomb_width_rad_s = PerJoint{{0.05}};
  options.parametrisation.lower_prior_factor = 0.5;
  options.prior->relative_std = 0.2;
  options.prior->unknown_scale = {1.3, 0.7, 1.0, 2.0};
  const Parametrisation p = BuildProblem(robot, options, "test").parameters;
  REQUIRE(p.lagrangian() != nullptr);
  CHECK(p.names == std::vector<std::string>{"link1.J", "link1.G", "joint1.fv", "joint1.fc"});
  CHECK(p.lagrangian()->friction().coulomb_width_rad_s == 0.05);
  const Eigen::VectorXd of_set = p.FromPi(robot.FindSet("")->pi);
  CHECK(of_set[2] == 0.6);
  const Eigen::Vector4d mean = of_set.cwiseProduct(Eigen::Vector4d(1.3, 0.7, 1.0, 2.0));
  CHECK(p.prior->mean == mean);
  // 0.2 squared and back: rounding.
  CHECK((p.prior->covariance->diagonal().cwiseSqrt() - 0.2 * mean).norm() < 1e-15);
  CHECK(p.lower[0] == 0.5 * mean[0]);  // a moment of inertia
  CHECK(p.lower[1] == -std::numeric_limits<double>::infinity());

  options.prior->unknown_scale.pop_back();
  CHECK(RefusalOf(robot, options) ==
        "test.json: /problem/prior/unknown_scale: got a list of 3 for 4 unknowns\n"
        "  the unknowns are: link1.J, link1.G, joint1.fv, joint1.fc");
  CHECK(RefusalOf(LoadRobot("planar2"), Options("planar_lagrangian"))
            .starts_with("test.json: /problem/parametrisation: robot 'planar2' is no chain of "
                         "straight links in a vertical plane: "));
}

TEST_CASE("Factors of the unknowns scale the prior of base parameters, its covariance too") {
  const Robot robot = LoadRobot("planar1");
  ProblemOptions options = Options("base");
  options.prior->relative_std = 0.1;
  const Parametrisation::Prior before = *BuildProblem(robot, options, "test").parameters.prior;
  const Eigen::Vector3d scale(2.0, 1.0, 0.5);
  REQUIRE(before.mean.size() == 3);
  options.prior->unknown_scale = {2.0, 1.0, 0.5};
  const Parametrisation::Prior after = *BuildProblem(robot, options, "test").parameters.prior;
  CHECK(after.mean == scale.cwiseProduct(before.mean));
  const Eigen::Matrix3d expected = scale.asDiagonal() * *before.covariance * scale.asDiagonal();
  CHECK((*after.covariance - expected).norm() < 1e-15 * expected.norm());  // rounding of products
}

}  // namespace
}  // namespace idbench
