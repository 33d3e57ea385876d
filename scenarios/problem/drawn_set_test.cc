#include "scenarios/problem/drawn_set.h"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "robots/attached_options.h"
#include "scenarios/options/json.h"
#include "scenarios/problem/problem_builder.h"

namespace idbench {
namespace {

constexpr std::uint64_t kSeed = 7;

PriorOptions PerTrial() {
  PriorOptions options;
  options.draw = Draw::kTrial;
  return options;
}

CentralInertia BodyOf(const Eigen::VectorXd& pi, int body) {
  return FromStandard(pi.segment<kInertialCount>(ParameterLayout(7).Body(body)));
}

Eigen::Vector3d Moments(const CentralInertia& body) {
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(body.I_com, Eigen::EigenvaluesOnly)
      .eigenvalues();
}

double Gyration(const CentralInertia& body) {
  return std::sqrt(body.I_com.trace() / (2.0 * body.mass));
}

TEST_CASE("Without errors a draw is the scaled set, bit for bit") {
  const Robot robot = LoadRobot("barrett_wam7");
  PriorOptions options;
  options.mass_scale = 1.2;
  CHECK(DrawPriorSet(robot, options, kSeed, 3) == ScaledSet(robot, options));
}

TEST_CASE("A random sign moves every mass by its size, up and down") {
  const Robot robot = LoadRobot("barrett_wam7");
  PriorOptions options = PerTrial();
  options.mass_error = RandomSignError{0.2};
  const Eigen::VectorXd before = ScaledSet(robot, options);
  int up = 0, all = 0;
  for (int trial = 0; trial < 30; ++trial) {
    const Eigen::VectorXd after = DrawPriorSet(robot, options, kSeed, trial);
    for (int body = 0; body < 7; ++body) {
      const CentralInertia old_body = BodyOf(before, body), new_body = BodyOf(after, body);
      const double ratio = new_body.mass / old_body.mass;
      CHECK(std::abs(std::abs(ratio - 1.0) - 0.2) < 1e-14);
      CHECK((new_body.com - old_body.com).norm() < 1e-14);  // a quotient of products: rounding
      CHECK((new_body.I_com - old_body.I_com).norm() < 1e-12 * old_body.I_com.norm() + 1e-15);
      up += ratio > 1.0;
      ++all;
    }
  }
  // Binomial(210, 1/2): 5 standard deviations are 36.
  CHECK(std::abs(up - all / 2) < 36);
}

TEST_CASE("A density moves mass and inertia of a body by one factor, its shape not") {
  const Robot robot = LoadRobot("barrett_wam7");
  PriorOptions options = PerTrial();
  options.density_error = UniformError{-0.5, 0.5};
  const Eigen::VectorXd before = ScaledSet(robot, options);
  const Eigen::VectorXd after = DrawPriorSet(robot, options, kSeed, 1);
  double last = 0.0;
  for (int body = 0; body < 7; ++body) {
    const double factor = BodyOf(after, body).mass / BodyOf(before, body).mass;
    CHECK(std::abs(factor - 1.0) < 0.5);
    CHECK(factor != last);
    const Eigen::VectorXd of = before.segment<kInertialCount>(ParameterLayout(7).Body(body));
    CHECK(after.segment<kInertialCount>(ParameterLayout(7).Body(body))
              .isApprox(factor * of, 1e-12));  // all ten, as mass is linear in density
    last = factor;
  }
  CHECK(DescribeDraw("prior", options) ==
        "errors of the prior drawn per trial: densities uniform in [-50, 50] %");
}

TEST_CASE("Principal moments are drawn one by one, about axes that stay") {
  const Robot robot = LoadRobot("barrett_wam7");
  PriorOptions options = PerTrial();
  options.inertia_error = UniformError{0.1, 0.5};
  const CentralInertia before = BodyOf(ScaledSet(robot, options), 2);
  const CentralInertia after = BodyOf(DrawPriorSet(robot, options, kSeed, 0), 2);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(before.I_com);
  const Eigen::Matrix3d turned =
      axes.eigenvectors().transpose() * after.I_com * axes.eigenvectors();
  const Eigen::Vector3d ratio = turned.diagonal().cwiseQuotient(axes.eigenvalues());
  CHECK((turned - Eigen::Matrix3d(turned.diagonal().asDiagonal())).norm() < 1e-12 * turned.norm());
  CHECK(ratio.minCoeff() > 1.1);
  CHECK(ratio.maxCoeff() < 1.5);
  CHECK(std::abs(ratio[0] - ratio[1]) > 1e-6);
  CHECK(std::abs(ratio[1] - ratio[2]) > 1e-6);
  CHECK(after.mass == doctest::Approx(before.mass).epsilon(1e-14));
}

TEST_CASE("Centres of mass move by radii of gyration, also along a coordinate that is 0") {
  const Robot robot = LoadRobot("barrett_wam7");
  PriorOptions options = PerTrial();
  options.com_error = RandomSignError{0.2};
  const Eigen::VectorXd before = ScaledSet(robot, options);
  const Eigen::VectorXd after = DrawPriorSet(robot, options, kSeed, 0);
  for (int body = 0; body < 7; ++body) {
    const CentralInertia old_body = BodyOf(before, body), new_body = BodyOf(after, body);
    const Eigen::Vector3d step = (new_body.com - old_body.com) / Gyration(old_body);
    CHECK((step.cwiseAbs() - Eigen::Vector3d::Constant(0.2)).norm() < 1e-12);
    CHECK((Moments(new_body) - Moments(old_body)).norm() < 1e-12);
  }
}

TEST_CASE("Centres of mass move by metres beside radii of gyration, each by a draw of its own") {
  const Robot robot = LoadRobot("barrett_wam7");
  TruthOptions options;
  options.draw = Draw::kTrial;
  options.com_error_std_m = 0.005;
  const Eigen::VectorXd before = ScaledSet(robot, options);
  double squares = 0.0;
  constexpr int kTrials = 40, kLinks = 7;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Eigen::VectorXd after = DrawTrueSet(robot, options, kSeed, trial);
    for (int body = 0; body < kLinks; ++body) {
      const CentralInertia old_body = BodyOf(before, body), new_body = BodyOf(after, body);
      squares += (new_body.com - old_body.com).squaredNorm() / (3.0 * kLinks * kTrials);
      CHECK((Moments(new_body) - Moments(old_body)).norm() < 1e-12);
    }
  }
  // 840 squares: χ² within four of its standard deviations.
  CHECK(std::abs(squares / (0.005 * 0.005) - 1.0) < 0.2);
  CHECK(DescribeDraw("truth", options) ==
        "errors of the truth drawn per trial: centres of mass normal with σ = 0.005 m");
  options.com_error = UniformError{-0.1, 0.1};
  const Eigen::VectorXd both = DrawTrueSet(robot, options, kSeed, 3);
  options.com_error_std_m.reset();
  const Eigen::VectorXd one = DrawTrueSet(robot, options, kSeed, 3);
  CHECK(BodyOf(both, 2).com != BodyOf(one, 2).com);
  CHECK((BodyOf(both, 2).com - BodyOf(one, 2).com).norm() < 0.03);
}

TEST_CASE("A part of the robot that is attached is drawn as its own bodies are") {
  Robot robot = LoadRobot("barrett_wam7");
  const std::string& hand = robot.model.link(6).name;
  std::vector<Issue> issues;
  AddAttached({{"part", {.link = hand, .prior = {{0.5}}, .drawn = true}},
               {"tool", {.link = hand, .prior = {{0.5}}, .truth = {{0.8}}}}},
              {{"loaded", {{"part", "tool"}}}}, {{"loaded", true}}, robot, issues);
  REQUIRE(issues.empty());
  TruthOptions options;
  options.draw = Draw::kTrial;
  options.mass_error = RandomSignError{0.2};
  const int first = ParameterLayout(robot.model).links_size();
  for (int trial = 0; trial < 4; ++trial) {
    const Eigen::VectorXd drawn = DrawTrueSet(robot, options, kSeed, trial);
    CHECK(std::abs(drawn[first] - 0.5) == doctest::Approx(0.1).epsilon(1e-12));
    CHECK(drawn[first + 10] == 0.8);
  }
}

TEST_CASE("What is attached keeps the truth that is written of it, whatever is drawn or scaled") {
  Robot robot = LoadRobot("barrett_wam7");
  const std::string& hand = robot.model.link(6).name;
  std::vector<Issue> issues;
  AddAttached({{"tool", {.link = hand, .prior = {{0.5}}, .truth = {{0.8}}}},
               {"weight", {.link = hand, .known = true, .prior = {{2.0}}}}},
              {{"loaded", {{"tool", "weight"}}}}, {{"loaded", true}}, robot, issues);
  REQUIRE(issues.empty());
  TruthOptions options;
  options.mass_scale = 1.1;
  options.mass_error = RandomSignError{0.2};
  options.com_error = UniformError{-0.1, 0.1};
  const Eigen::VectorXd drawn = DrawTrueSet(robot, options, kSeed, 3);
  const int first = ParameterLayout(robot.model).links_size();
  CHECK(drawn.segment(first, 20) == robot.attached_truth);
  CHECK(drawn[first] == 0.8);
  CHECK(drawn[first - 10] != ScaledSet(robot, options)[first - 10]);  // the last link's mass
}

TEST_CASE("Draws hang on seed, trial and kind of set alone, and amplitudes scale them") {
  const Robot robot = LoadRobot("barrett_wam7");
  PriorOptions options = PerTrial();
  options.mass_error = GaussianError{0.1};
  const auto error = [&](std::uint64_t seed, std::int64_t trial) {
    return BodyOf(DrawPriorSet(robot, options, seed, trial), 3).mass /
               BodyOf(ScaledSet(robot, options), 3).mass -
           1.0;
  };
  const double one = error(kSeed, 0);
  CHECK(error(kSeed, 0) == one);
  CHECK(error(kSeed, 1) != one);
  CHECK(error(kSeed + 1, 0) != one);
  CHECK(DrawTrueSet(robot, options, kSeed, 0) != DrawPriorSet(robot, options, kSeed, 0));
  options.mass_error = GaussianError{0.2};
  CHECK(error(kSeed, 0) == doctest::Approx(2.0 * one).epsilon(1e-12));
  options.com_error = GaussianError{0.2};  // another stream
  CHECK(error(kSeed, 0) == doctest::Approx(2.0 * one).epsilon(1e-12));
  options.draw = Draw::kCell;
  CHECK(error(kSeed, 0) == error(kSeed, 1));
  CHECK(error(kSeed, 0) == error(kSeed, -1));
}

TEST_CASE("About a prior drawn as it declares, the truth lies in units of its σ as N(0, 1)") {
  const Robot robot = LoadRobot("barrett_wam7");
  PriorOptions options = PerTrial();
  options.relative_std = 0.2;
  options.mass_error = options.inertia_error = DeclaredError{};
  double sum = 0.0, squares = 0.0;
  int count = 0;
  const Eigen::VectorXd truth = ScaledSet(robot, options);
  for (int trial = 0; trial < 100; ++trial) {
    const Eigen::VectorXd prior = DrawPriorSet(robot, options, kSeed, trial);
    for (int body = 0; body < 7; ++body) {
      const double mean = BodyOf(prior, body).mass;
      const double z = (BodyOf(truth, body).mass - mean) / (0.2 * mean);
      sum += z;
      squares += z * z;
      ++count;
    }
  }
  // 700 draws: 4 standard deviations of the mean, 4/√700, and of the mean square, 4·√(2/700).
  CHECK(std::abs(sum / count) < 0.16);
  CHECK(std::abs(squares / count - 1.0) < 0.22);
}

TEST_CASE("A factor that would end a body is drawn again") {
  const Robot robot = LoadRobot("barrett_wam7");
  PriorOptions options = PerTrial();
  options.mass_error = GaussianError{3.0};  // far beyond what a scenario may have
  for (int trial = 0; trial < 20; ++trial) {
    const Eigen::VectorXd pi = DrawPriorSet(robot, options, kSeed, trial);
    for (int body = 0; body < 7; ++body) {
      CHECK(BodyOf(pi, body).mass >= 0.05 * BodyOf(ScaledSet(robot, options), body).mass);
    }
  }
}

TEST_CASE("The problem of a trial has its prior, bounds and centres, and the same unknowns") {
  const Robot robot = LoadRobot("barrett_wam7");
  ProblemOptions options;
  options.parametrisation.type = "masses_and_moments";
  options.parametrisation.upper_prior_factor = 2.0;
  options.prior = PerTrial();
  options.prior->relative_std = 0.5;
  options.prior->mass_error = options.prior->com_error = options.prior->inertia_error =
      RandomSignError{0.2};
  const Problem cell = BuildProblem(robot, options, "test");
  const Eigen::VectorXd prior = DrawPriorSet(robot, *options.prior, kSeed, 0);
  const Parametrisation drawn = WithPrior(cell, robot, options, prior).parameters;
  CHECK(drawn.names == cell.parameters.names);
  // The prior's own centres and axes are known, so its x stands for it exactly.
  const auto links = Eigen::seqN(kInertialCount, 7 * kInertialCount);
  CHECK((drawn.Pi(drawn.prior->mean) - prior)(links).norm() < 1e-12 * prior.norm());
  CHECK(drawn.upper == 2.0 * drawn.prior->mean);
  CHECK(drawn.prior->covariance->diagonal() == (0.5 * drawn.prior->mean).array().square().matrix());
  // Each moment went up or down about its own axis: sorting would mix them.
  const Eigen::ArrayXd ratio =
      drawn.prior->mean.array() / cell.parameters.prior->mean.array() - 1.0;
  CHECK((ratio.abs() - 0.2).abs().maxCoeff() < 1e-9);
}

TEST_CASE("Captions say what is drawn, how and how often") {
  PriorOptions options;
  CHECK(DescribeDraw("prior", options).empty());
  options.mass_error = RandomSignError{0.2};
  options.com_error = UniformError{0.1, 0.5};
  options.inertia_error = GaussianError{0.05};
  CHECK(DescribeDraw("prior", options) ==
        "errors of the prior drawn once: masses ±20 %, signs drawn; centres of mass, in radii of "
        "gyration, uniform in [10, 50] %; principal moments Gaussian with σ = 5 %");
  options = PerTrial();
  options.mass_error = DeclaredError{};
  CHECK(DescribeDraw("prior", options) ==
        "errors of the prior drawn per trial: masses Gaussian with the σ that it declares");
}

/// The issues of a prior, one line each.
std::string IssuesOf(const char* prior) {
  PriorOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), ParseJson(prior, "test"), "", issues);
  std::string text;
  for (const Issue& issue : issues) text += issue.where + ": " + issue.what + "\n";
  return text;
}

TEST_CASE("Errors that would end a body, draw nothing or declare nothing are refused") {
  CHECK(IssuesOf(R"({"mass_error": {"type": "random_sign", "size": 1}})") ==
        "/mass_error/size: got 1, not below 1\n");
  CHECK(IssuesOf(R"({"inertia_error": {"type": "uniform", "lower": -1, "upper": 0}})") ==
        "/inertia_error/lower: got -1, not above -1\n");
  CHECK(IssuesOf(R"({"mass_error": {"type": "gaussian", "std": 0.5}})") ==
        "/mass_error/std: got 0.5, above 0.3\n");
  CHECK(IssuesOf(R"({"com_error": {"type": "uniform", "lower": 0.5, "upper": 0.1}})") ==
        "/com_error/lower: got 0.5, not below upper, 0.1\n");
  CHECK(IssuesOf(R"({"com_error": {"type": "declared"}})") ==
        "/com_error/type: got \"declared\", but relative_std declares "
        "nothing about centres of mass\n");
  CHECK(IssuesOf(R"({"draw": "trial"})") == "/draw: is \"trial\", but there is nothing to draw\n");
  CHECK(IssuesOf(R"({"mass_error": {"type": "declared"}})") ==
        "/relative_std: missing, but an error of the type \"declared\" is given\n");
  CHECK(IssuesOf(R"({"mass_error": {"type": "declared"}, "relative_std": 0.5})") ==
        "/relative_std: got 0.5, above 0.25\n");
  CHECK(IssuesOf(R"({"mass_error": {"type": "random_sign", "size": 0.2}, "draw": "trial"})") == "");
  TruthOptions truth;
  std::vector<Issue> issues;
  ReadFields(Visit(truth), ParseJson(R"({"mass_error": {"type": "declared"}})", "test"), "",
             issues);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].what == "an error of the type \"declared\" is for priors only");
}

}  // namespace
}  // namespace idbench
