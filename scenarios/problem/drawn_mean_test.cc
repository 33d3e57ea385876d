#include "scenarios/problem/drawn_mean.h"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "scenarios/options/json.h"
#include "scenarios/problem/prior_entries.h"
#include "scenarios/problem/problem_builder.h"

namespace idbench {
namespace {

constexpr std::uint64_t kMeanSeed = 11;
constexpr int kMeanDraws = 2000;

/// Friction, a body by its σ as a whole, one of which nothing is known.
ProblemOptions ProblemOfMeans(const std::string& parametrisation, double of_body = 0.2) {
  ProblemOptions problem;
  problem.parametrisation.type = parametrisation;
  problem.parametrisation.friction = {JointParameter::kViscous, JointParameter::kCoulomb};
  problem.prior.emplace();
  problem.prior->draw = Draw::kTrial;
  problem.prior->mean_error = MeanError::kDeclared;
  problem.prior->std = {
      {"body", of_body}, {"fv", 0.5}, {"joint2.fc", 0.3}, {"joint1.fc", std::nullopt}};
  return problem;
}

/// The set as the truth; friction differs from that of the prior's set.
Eigen::VectorXd TruthOfMeans(const Robot& robot) {
  Eigen::VectorXd pi = robot.FindSet("")->pi;
  pi.tail(pi.size() - ParameterLayout(robot.model).inertial_size()).array() += 0.25;
  return pi;
}

/// (x − x̄)ᵀ·P₀⁻¹·(x − x̄) of each draw, P₀ that of the drawn prior: χ² where it is a draw from it.
Eigen::VectorXd SquaredDistances(const std::string& parametrisation, double of_body) {
  const Robot robot = LoadRobot("planar2");
  const ProblemOptions options = ProblemOfMeans(parametrisation, of_body);
  const Problem problem = BuildProblem(robot, options, "test");
  const Eigen::VectorXd truth = TruthOfMeans(robot);
  Eigen::VectorXd squares(kMeanDraws);
  for (int trial = 0; trial < kMeanDraws; ++trial) {
    const Problem drawn =
        WithPrior(problem, robot, options, DrawPriorMean(robot, options, truth, kMeanSeed, trial));
    const Parametrisation& parameters = drawn.parameters;
    const Eigen::VectorXd error = parameters.FromPi(truth) - parameters.prior->mean;
    std::vector<int> said;
    for (int k = 0; k < parameters.size(); ++k) {
      if ((*parameters.prior->covariance)(k, k) > 0.0) said.push_back(k);
    }
    CHECK(said.size() + 1 == parameters.names.size());  // joint1.fc
    const Eigen::LLT<Eigen::MatrixXd> P0((*parameters.prior->covariance)(said, said));
    REQUIRE(P0.info() == Eigen::Success);
    squares[trial] = error(said).dot(P0.solve(Eigen::VectorXd(error(said))));
  }
  return squares;
}

TEST_CASE("Means of unknowns are drawn about the truth, each by a factor of its own") {
  const Robot robot = LoadRobot("rods3");
  ProblemOptions options;
  options.parametrisation.type = "planar_lagrangian";
  options.prior.emplace();
  options.prior->draw = Draw::kTrial;
  options.prior->unknown_error = UniformError{0.05, 0.3};
  const Problem problem = BuildProblem(robot, options, "test");
  const std::vector<std::string>& names = problem.parameters.names;
  const Eigen::VectorXd truth = 2.0 * robot.FindSet("")->pi;  // not that of the prior's set
  const Eigen::VectorXd factors = DrawUnknownFactors(*options.prior, names, kMeanSeed, 4);
  const Problem drawn = WithPrior(problem, robot, options, truth, factors);
  const Eigen::VectorXd& mean = drawn.parameters.prior->mean;
  CHECK(mean.isApprox(problem.parameters.FromPi(truth).cwiseProduct(factors), 1e-14));
  CHECK(factors.minCoeff() >= 1.05);
  CHECK(factors.maxCoeff() <= 1.3);
  CHECK(factors.maxCoeff() - factors.minCoeff() > 0.05);
  CHECK(DrawUnknownFactors(*options.prior, names, kMeanSeed, 5) != factors);
  options.prior->draw = Draw::kCell;
  CHECK(DrawUnknownFactors(*options.prior, names, kMeanSeed, 4) ==
        DrawUnknownFactors(*options.prior, names, kMeanSeed, 5));
  CHECK(DescribeMeanError(*options.prior) ==
        "means of all unknowns drawn once about the truth: errors uniform in [5, 30] %");
  options.prior->unknown_error.reset();
  CHECK(DrawUnknownFactors(*options.prior, names, kMeanSeed, 4).isOnes(0.0));
}

TEST_CASE("An error of unknowns needs a truth, and no other draw of means") {
  const RobotModel model = LoadRobot("rods1").model;
  ProblemOptions options;
  options.prior.emplace();
  options.prior->unknown_error = UniformError{0.05, 0.3};
  const std::vector<Issue> recorded = CheckMeanError(options, nullptr, model);
  REQUIRE(recorded.size() == 1);
  CHECK(recorded[0].where == "/problem/prior/unknown_error");
  for (const char* also : {R"("unknown_scale": [1])", R"("mean": {"fv": 1})",
                           R"("mass_error": {"type": "uniform"})"}) {
    PriorOptions prior;
    std::vector<Issue> issues;
    ReadFields(Visit(prior),
               Json::parse(std::string(R"({"unknown_error": {"type": "uniform"}, )") + also + "}"),
               "/prior", issues);
    REQUIRE(issues.size() == 1);
    CHECK(issues[0].where == "/prior/unknown_error");
  }
  PriorOptions declared;
  std::vector<Issue> issues;
  ReadFields(Visit(declared), Json::parse(R"({"unknown_error": {"type": "declared"}})"), "/prior",
             issues);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].where == "/prior/unknown_error/type");
}

TEST_CASE("The truth is a draw from the prior that was drawn, in the prior's own metric") {
  struct Case {
    const char* parametrisation;
    int freedom;  // two links, two fv, one fc
    double of_body;
  };
  // "base" has 6 combinations of 20, and P₀ = B·Σ·Bᵀ, which the draw that moves them moves, too: to
  // the second order in σ it is no χ² there.
  for (const auto& [parametrisation, freedom, of_body] :
       {Case{"standard", 23, 0.2}, Case{"masses_and_moments", 11, 0.2}, Case{"base", 9, 0.02}}) {
    CAPTURE(parametrisation);
    const Eigen::VectorXd squares = SquaredDistances(parametrisation, of_body);
    // χ²: mean n, variance 2n; its sample variance has the variance (8n² + 48n)/draws. Draws that
    // are made again, one in 10⁵, move neither by a hundredth of that.
    const double mean = squares.mean();
    const double variance = (squares.array() - mean).square().sum() / (kMeanDraws - 1);
    CHECK(std::abs(mean - freedom) < 4.0 * std::sqrt(2.0 * freedom / kMeanDraws));
    CHECK(std::abs(variance - 2.0 * freedom) <
          4.0 * std::sqrt((8.0 * freedom * freedom + 48.0 * freedom) / kMeanDraws));
  }
}

TEST_CASE(
    "A parameter with a σ of its own is drawn about the truth, whatever the prior's set has") {
  const Robot robot = LoadRobot("planar2");
  ProblemOptions options = ProblemOfMeans("standard");
  options.prior->std = {{"m", 0.4}, {"mcx", 0.1}, {"fv", 0.5}};
  const Eigen::VectorXd truth = TruthOfMeans(robot);
  const ParameterLayout layout(robot.model);
  const std::vector<int> entries = {layout.Body(0), layout.Body(1), layout.Body(1) + 1,
                                    layout.inertial_size()};
  const Eigen::Vector4d sigma(0.4, 0.4, 0.1, 0.5);
  Eigen::MatrixXd errors(kMeanDraws, 4);
  for (int trial = 0; trial < kMeanDraws; ++trial) {
    const Eigen::VectorXd pi = DrawPriorMean(robot, options, truth, kMeanSeed, trial);
    errors.row(trial) = (pi - truth)(entries).cwiseQuotient(sigma);
    CHECK(pi[layout.Body(1) + 2] == robot.FindSet("")->pi[layout.Body(1) + 2]);  // not spoken of
  }
  // Standard normal and independent: means within 4/√N, second moments within 4·√(2/N) of 1 on the
  // diagonal, 4/√N of 0 beside it.
  const Eigen::Matrix4d moments = errors.transpose() * errors / kMeanDraws;
  CHECK(errors.colwise().mean().cwiseAbs().maxCoeff() < 4.0 / std::sqrt(kMeanDraws));
  CHECK((moments - Eigen::Matrix4d::Identity()).cwiseAbs().maxCoeff() <
        4.0 * std::sqrt(2.0 / kMeanDraws));
}

TEST_CASE("Means of combined parameters are those of what they combine") {
  const Robot robot = LoadRobot("planar2");
  const Eigen::VectorXd truth = TruthOfMeans(robot);
  CHECK(DrawPriorMean(robot, ProblemOfMeans("base"), truth, kMeanSeed, 5) ==
        DrawPriorMean(robot, ProblemOfMeans("standard"), truth, kMeanSeed, 5));
}

TEST_CASE("Means are drawn by name: the same for each cell, others in each trial") {
  const Robot robot = LoadRobot("planar2");
  const ProblemOptions options = ProblemOfMeans("standard");
  const Eigen::VectorXd truth = TruthOfMeans(robot);
  const Eigen::VectorXd pi = DrawPriorMean(robot, options, truth, kMeanSeed, 3);
  CHECK(DrawPriorMean(robot, options, truth, kMeanSeed, 3) == pi);
  CHECK(DrawPriorMean(robot, options, truth, kMeanSeed, 4) != pi);
  CHECK(DrawPriorMean(robot, options, truth, kMeanSeed + 1, 3) != pi);
  // σ of one scales its draw and leaves the others; a true value moves its own.
  ProblemOptions wider = options;
  wider.prior->std[1].second = 1.0;
  const int fv = ParameterLayout(robot.model).inertial_size();
  const Eigen::VectorXd wide = DrawPriorMean(robot, wider, truth, kMeanSeed, 3);
  CHECK(wide[fv] - truth[fv] == doctest::Approx(2.0 * (pi[fv] - truth[fv])));
  CHECK(wide.head(fv) == pi.head(fv));
  // Of which nothing is known, the set's.
  CHECK(pi[fv + 1] == robot.FindSet("")->pi[fv + 1]);
  ProblemOptions once = options;
  once.prior->draw = Draw::kCell;
  CHECK(DrawPriorMean(robot, once, truth, kMeanSeed, 3) ==
        DrawPriorMean(robot, once, truth, kMeanSeed, 4));
}

TEST_CASE("All bodies that are drawn can exist") {
  const Robot robot = LoadRobot("planar2");
  for (const char* const parametrisation : {"standard", "masses_and_moments"}) {
    ProblemOptions options = ProblemOfMeans(parametrisation);
    options.prior->std[0].second = kGreatestDeclared;
    for (int trial = 0; trial < kMeanDraws; ++trial) {
      const Eigen::VectorXd pi =
          DrawPriorMean(robot, options, robot.FindSet("")->pi, kMeanSeed, trial);
      for (int body = 0; body < 2; ++body) {
        CHECK(PhysicalConsistency(pi.segment<kInertialCount>(
                  ParameterLayout(robot.model).Body(body))) == Consistency::kConsistent);
      }
    }
  }
}

TEST_CASE("The caption says that means are drawn, and about what") {
  PriorOptions prior;
  CHECK(DescribeMeanError(prior) == "");
  prior.mean_error = MeanError::kDeclared;
  prior.std = {{"fv", std::nullopt}};
  CHECK(DescribeMeanError(prior) == "");
  prior.std = {{"fv", 0.5}};
  CHECK(DescribeMeanError(prior) ==
        "means of the prior drawn once about the truth, as its std declares");
  prior.draw = Draw::kTrial;
  CHECK(DescribeMeanError(prior) ==
        "means of the prior drawn per trial about the truth, as its std declares");
}

/// What is refused of a prior, one issue a line: its place and what is wrong.
std::string RefusedMean(const char* prior, const char* parametrisation = "standard",
                        bool recording = false) {
  ProblemOptions problem = ProblemOfMeans(parametrisation);
  std::vector<Issue> issues;
  problem.prior.reset();
  ReadFields(Visit(problem.prior.emplace()), ParseJson(prior, "test"), "/problem/prior", issues);
  const TruthOptions truth;
  const Robot robot = LoadRobot("planar2");
  if (issues.empty()) issues = CheckMeanError(problem, recording ? nullptr : &truth, robot.model);
  std::string text;
  for (const Issue& issue : issues) text += issue.where + ": " + issue.what + "\n";
  return text;
}

TEST_CASE("A mean that cannot be drawn is refused") {
  CHECK(RefusedMean(R"({"mean_error": "declared", "std": {"body": 0.2, "fv": 1}})") == "");
  CHECK(RefusedMean(R"({"mean_error": "declared", "std": {"body": 0.2}})", "standard", true) ==
        "/problem/prior/mean_error: has no meaning for a recording: the mean is drawn about the "
        "truth\n");
  CHECK(RefusedMean(R"({"mean_error": "declared", "relative_std": 0.2})") ==
        "/problem/prior/mean_error: is given together with relative_std, which is no σ that a mean "
        "can be drawn with\n");
  CHECK(RefusedMean(R"({"mean_error": "declared"})") ==
        "/problem/prior/mean_error: is given without std, with which it draws\n");
  CHECK(RefusedMean(
            R"({"mean_error": "declared", "std": {"body": 0.2, "fv": 1}, "mean": {"fv": 1}})") ==
        "/problem/prior/mean: gives joint1.fv, whose mean mean_error draws about the truth\n");
  CHECK(RefusedMean(R"({"mean_error": "declared", "std": {"fv": null}, "mean": {"fv": 1}})") == "");
  CHECK(
      RefusedMean(
          R"({"mean_error": "declared", "std": {"body": 0.2}, "mass_error": {"type": "gaussian"}})") ==
      "/problem/prior/mass_error: is given together with mean_error, which draws base, link1, "
      "link2 about the truth\n");
  CHECK(RefusedMean(
            R"({"mean_error": "declared", "std": {"body": null, "fv": 1}, "mass_scale": 1.2})") ==
        "");
  CHECK(RefusedMean(R"({"mean_error": "declared", "std": {"body": 0.3}})") ==
        "/problem/prior/std/body: got 0.3, above 0.25\n");
  CHECK(RefusedMean(R"({"mean_error": "declared", "std": {"m": 0.3}})", "masses_and_moments") ==
        "/problem/prior/std/m: is of a part of a body, and mean_error draws bodies of "
        "\"masses_and_moments\" as a whole\n");
  CHECK(RefusedMean(R"({"mean_error": "declared", "std": {"body": 0.2}})", "planar_lagrangian") ==
        "/problem/prior/mean_error: has no meaning for \"planar_lagrangian\"\n");
  CHECK(RefusedMean(R"({"mean_error": "declared", "std": {"fv": 1}, "unknown_scale": [2]})") ==
        "/problem/prior/unknown_scale: is given together with mean_error, whose draws it would "
        "spoil\n");
}

TEST_CASE("What is known is not drawn, and of a body all or nothing is") {
  CHECK(RefusedMean(R"({"mean_error": "declared", "std": {"body": 0.2}, "known": ["link1.m"]})") ==
        "/problem/prior/known: holds a part of link1, which mean_error draws as a whole\n");
  CHECK(RefusedMean(R"({"mean_error": "declared", "std": {"body": 0.2}, "known": ["link1"]})") ==
        "");
  const Robot robot = LoadRobot("planar2");
  ProblemOptions options = ProblemOfMeans("standard");
  options.prior->known.patterns = {"link1", "joint1.fv"};
  const Eigen::VectorXd truth = TruthOfMeans(robot);
  const Eigen::VectorXd pi = DrawPriorMean(robot, options, truth, kMeanSeed, 0);
  const Eigen::VectorXd& set = robot.FindSet("")->pi;
  const ParameterLayout layout(robot.model);
  CHECK(pi.segment<kInertialCount>(layout.Body(0)) == set.segment<kInertialCount>(layout.Body(0)));
  CHECK(pi[layout.inertial_size()] == set[layout.inertial_size()]);
  CHECK(pi.segment<kInertialCount>(layout.Body(1)) != set.segment<kInertialCount>(layout.Body(1)));
}

/// Of the first issue, what stands between its first { or " and the end of its first cure.
std::string CureOf(const char* prior) {
  PriorOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), ParseJson(prior, "test"), "", issues);
  const std::string cure = issues.at(0).details.at(0);
  return cure.substr(cure.find('"'));
}

TEST_CASE("What is told in place of a mean that cannot be drawn draws when it is pasted") {
  const std::string declared = CureOf(R"({"mean_error": "declared", "relative_std": 0.2})");
  CHECK(RefusedMean(("{" + declared + R"(, "relative_std": 0.2})").c_str()) == "");
  const std::string std = CureOf(R"({"mean_error": "declared"})");
  CHECK(RefusedMean(("{" + std + R"(, "mean_error": "declared"})").c_str()) == "");
}

TEST_CASE("A truth that each trial draws takes a prior that each trial draws") {
  ProblemOptions problem = ProblemOfMeans("standard");
  TruthOptions truth;
  truth.draw = Draw::kTrial;
  const Robot robot = LoadRobot("planar2");
  CHECK(CheckMeanError(problem, &truth, robot.model).empty());
  problem.prior->draw = Draw::kCell;
  const std::vector<Issue> issues = CheckMeanError(problem, &truth, robot.model);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].where == "/problem/prior/draw");
  CHECK(issues[0].details == std::vector<std::string>{"set it to \"trial\""});
}

}  // namespace
}  // namespace idbench
