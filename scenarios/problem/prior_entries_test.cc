#include "scenarios/problem/prior_entries.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "estimators/solvers/entropic_prior.h"
#include "robots/dynamics/parameters.h"
#include "robots/random/random_stream.h"
#include "robots/robot.h"
#include "scenarios/problem/problem_builder.h"

namespace idbench {
namespace {

using Sigmas = SigmaEntries;

double Said(const Sigmas& entries, const std::string& name) {
  const std::optional<double>* const entry = EntryFor(entries, name);
  return entry == nullptr ? 0.0 : entry->value_or(-1.0);
}

TEST_CASE("A parameter has the entry of its name, else of its group, its kind, the kind's group") {
  Sigmas entries = {{"offset", 1}, {"offset_fx", 2}, {"ft.offset", 3}, {"ft.offset_fx", 4}};
  for (int left = 4; left > 0; --left) {
    CHECK(Said(entries, "ft.offset_fx") == left);
    entries.pop_back();
  }
  CHECK(Said(entries, "ft.offset_fx") == 0.0);
  entries = {{"fc", 1}, {"joint3.fc", 2}, {"Ixx", 3}};
  CHECK(Said(entries, "joint3.fc") == 2);
  CHECK(Said(entries, "joint1.fc") == 1);
  CHECK(Said(entries, "joint1.fv") == 0);
  CHECK(Said(entries, "link2.Ixx_R") == 3);  // a combination that is named after it
  CHECK(Said({{"upper", 1}}, "upper_arm.m") == 0);
}

TEST_CASE("A body's σ is the relative one of its mass, in any frame and unit") {
  const RandomStream stream(1, 0, "prior_entries_test");
  Eigen::Matrix4d root = Eigen::Matrix4d::NullaryExpr([&stream](Eigen::Index i, Eigen::Index j) {
    return stream.Normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j));
  });
  const Eigen::VectorXd inertia = FromPseudoInertia(root * root.transpose());
  const Eigen::MatrixXd all = Eigen::MatrixXd::Identity(kInertialCount, kInertialCount);
  const Eigen::MatrixXd covariance = BodyCovariance(inertia, all, 0.2);
  CHECK(std::sqrt(covariance(0, 0)) == doctest::Approx(0.2 * inertia[0]));
  // In another frame P ← T P Tᵀ, which moves the ten parameters by a matrix G.
  Eigen::Matrix4d T = Eigen::Matrix4d::Identity();
  T.topLeftCorner<3, 3>() =
      Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  T.topRightCorner<3, 1>() = Eigen::Vector3d(0.3, -0.2, 0.5);
  Eigen::MatrixXd G(kInertialCount, kInertialCount);
  for (Eigen::Index k = 0; k < kInertialCount; ++k) {
    G.col(k) = FromPseudoInertia(T * PseudoInertia(all.col(k)) * T.transpose());
  }
  const Eigen::MatrixXd moved = BodyCovariance(G * inertia, all, 0.2);
  CHECK((moved - G * covariance * G.transpose()).norm() < 1e-9 * moved.norm());
  // Of fewer unknowns it is what all ten have, with the others known.
  const Eigen::MatrixXd some = BodyCovariance(inertia, all.leftCols(4), 0.2);
  const Eigen::MatrixXd precision = covariance.inverse();
  CHECK((some.inverse() - precision.topLeftCorner(4, 4)).norm() < 1e-6 * precision.norm());
}

TEST_CASE("λ = 1/σ² of an entropic prior is, to second order, what a body's σ states") {
  Robot robot = LoadRobot("planar2");
  Eigen::VectorXd& pi = robot.sets.front().pi;
  ProblemOptions options;
  options.parametrisation.type = "standard";
  options.prior.emplace().set = robot.sets.front().name;
  for (std::int64_t trial = 0; trial < 5; ++trial) {
    const RandomStream stream(2, trial, "prior_entries_test");
    for (int body = 0; body < 3; ++body) {
      Eigen::Matrix4d root = Eigen::Matrix4d::Identity();  // well-conditioned P = root·rootᵀ
      for (int i = 0; i < 16; ++i) {
        root(i / 4, i % 4) +=
            0.25 * stream.Normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(body));
      }
      const InertialParameters drawn = FromPseudoInertia(root * root.transpose());
      REQUIRE(PhysicalConsistency(drawn) == Consistency::kConsistent);
      pi.segment<kInertialCount>(kInertialCount * body) = drawn;
    }
    options.prior->std = {{"body", 0.1 * static_cast<double>(trial + 1)}};
    const Problem problem = BuildProblem(robot, options, "test");
    const EntropicPrior entropic(problem);
    const std::optional<PriorSpread> spread = entropic.Spread(entropic.Weight({}));
    REQUIRE(spread);
    const Eigen::MatrixXd& stated = *problem.parameters.prior->covariance;
    REQUIRE(stated.rows() == 2 * kInertialCount);
    // Round-off times the bodies' condition, squared.
    CHECK((spread->covariance - stated).norm() < 1e-12 * stated.norm());
  }
}

/// The parameters of planar2 themselves.
struct Planar2 {
  Robot robot = LoadRobot("planar2");
  std::vector<std::string> names = ParameterNames(robot.model);
  Eigen::VectorXd pi = robot.FindSet("")->pi;
  Eigen::MatrixXd J = Eigen::MatrixXd::Identity(pi.size(), pi.size());
  std::vector<bool> counts;

  Planar2() {
    for (const std::string& name : names) {
      counts.push_back(name.starts_with("link") || name == "joint1.fc");
    }
  }
  PriorParameters Of() const { return {robot.model, names, pi, pi, J, counts}; }
  Eigen::Index Index(const std::string& name) const {
    return std::ranges::find(names, name) - names.begin();
  }
  std::vector<std::string> Wrong(const Sigmas& std, std::optional<double> rest = {}) const {
    PriorOptions options;
    options.std = std;
    options.relative_std = rest;
    std::vector<std::string> wrong;
    for (const Issue& issue : CheckStd(options, Of())) {
      wrong.push_back(issue.where + ": " + issue.what);
      for (const std::string& detail : issue.details) wrong.back() += "; " + detail;
    }
    return wrong;
  }
};

TEST_CASE("Friction has absolute σ by kind or name, bodies relative ones, the rest relative_std") {
  const Planar2 planar;
  PriorOptions options;
  options.std = {{"fc", 2.0}, {"joint2.fc", 0.5}, {"link2", 0.1}};
  options.relative_std = 0.3;
  const Eigen::MatrixXd covariance = CovarianceByEntries(options, planar.Of());
  const auto sigma = [&](const char* name) {
    const Eigen::Index k = planar.Index(name);
    return std::sqrt(covariance(k, k));
  };
  CHECK(sigma("joint1.fc") == 2.0);
  CHECK(sigma("joint2.fc") == 0.5);
  CHECK(sigma("link2.m") == doctest::Approx(0.1 * planar.pi[planar.Index("link2.m")]));
  CHECK(sigma("link1.m") == doctest::Approx(0.3 * planar.pi[planar.Index("link1.m")]));
  CHECK(covariance(planar.Index("link2.m"), planar.Index("link2.mcx")) != 0.0);
  CHECK(covariance(planar.Index("link1.m"), planar.Index("link1.mcx")) == 0.0);
}

TEST_CASE("What std says of nothing, twice, or not at all is told with what would do") {
  const Planar2 planar;
  using Lines = std::vector<std::string>;
  CHECK(planar.Wrong({{"body", 0.2}, {"fc", 1}}).empty());
  CHECK(planar.Wrong({{"fc", 1}}, 0.2).empty());
  CHECK(
      planar.Wrong({{"body", 0.2}}) ==
      Lines{"/problem/prior/std: says nothing of joint1.fc; give σ of fc, each in its own unit, or "
            "/problem/prior/relative_std for the rest"});
  const Lines misspelt = planar.Wrong({{"body", 0.2}, {"fc", 1}, {"fs", 1}});
  REQUIRE(misspelt.size() == 1);
  CHECK(misspelt[0].starts_with("/problem/prior/std/fs: no unknown has this kind or name; "));
  CHECK(misspelt[0].find("body") != std::string::npos);
  CHECK(misspelt[0].find("fc") != std::string::npos);
  CHECK(planar.Wrong({{"body", 0.2}, {"fc", 1}, {"link1.m", 1}}) ==
        Lines{"/problem/prior/std/body: is σ of all that link1 is, and link1.m has one of its own; "
              "give one of the two"});
}

TEST_CASE("null says that nothing is known, of one, of a kind, of a body") {
  const Planar2 planar;
  PriorOptions options;
  options.std = {{"fc", std::nullopt}, {"link2", std::nullopt}};
  options.relative_std = 0.3;
  std::vector<std::string> unknown;
  for (const int k : UnknownByEntries(options, planar.Of())) {
    unknown.push_back(planar.names[static_cast<std::size_t>(k)]);
  }
  REQUIRE(unknown.size() == 11);
  CHECK(std::ranges::all_of(unknown.begin(), unknown.end() - 1,
                            [](const std::string& name) { return name.starts_with("link2."); }));
  CHECK(unknown.back() == "joint1.fc");
  const Eigen::MatrixXd covariance = CovarianceByEntries(options, planar.Of());
  for (const int k : UnknownByEntries(options, planar.Of())) CHECK(covariance.row(k).isZero(0.0));
  CHECK(covariance(planar.Index("link1.m"), planar.Index("link1.m")) > 0.0);
  CHECK(planar.Wrong(options.std, 0.3).empty());
  CHECK(planar.Wrong({{"body", std::nullopt}, {"fc", std::nullopt}}).empty());
  CHECK(planar.Wrong({{"body", std::nullopt}}).size() == 1);  // of fc nothing is said
}

TEST_CASE("A body that cannot exist, as a base link without mass, is no matter if nothing counts") {
  Planar2 planar;
  planar.pi.head(kInertialCount).setZero();
  REQUIRE(planar.names[0].starts_with("base"));
  PriorOptions options;
  options.std = {{"body", 0.2}, {"fc", 1.0}};
  CHECK(planar.Wrong(options.std).empty());
  CHECK(CovarianceByEntries(options, planar.Of()).allFinite());
}

TEST_CASE("σ of moments depends on frames, that of masses, bodies and friction does not") {
  PriorOptions options;
  options.std = {{"m", 1.0}, {"body", 0.2}, {"link2", 0.1}, {"fc", 1.0}};
  options.relative_std = 0.2;  // of what is not named
  CHECK(!IsFramed(options));
  options.std.emplace_back("link2.Ixx", 0.1);
  CHECK(IsFramed(options));
  options.std = {{"fc", 1.0}};
  CHECK(IsFramed(options));
}

TEST_CASE("A σ of a body that cannot exist is refused") {
  Planar2 planar;
  planar.pi.segment<3>(planar.Index("link2.mcx")).setConstant(10.0);
  const std::vector<std::string> wrong = planar.Wrong({{"body", 0.2}, {"fc", 1}});
  REQUIRE(wrong.size() == 1);
  CHECK(wrong[0].starts_with(
      "/problem/prior/std/body: the prior of link2 is not physically consistent"));
}

TEST_CASE("Means of friction, by kind or name, stand in place of those of the set") {
  const Planar2 planar;
  Eigen::VectorXd pi = planar.pi;
  SetMeans(planar.robot.model, {{"fv", 1.5}, {"joint2.fv", 0.5}}, pi);
  CHECK(pi[planar.Index("joint1.fv")] == 1.5);
  CHECK(pi[planar.Index("joint2.fv")] == 0.5);
  CHECK(pi.head(30) == planar.pi.head(30));
  CHECK(CheckMean(planar.robot.model, {{"fv", 1.5}, {"joint2.fv", 0.5}}).empty());
  const std::vector<Issue> issues = CheckMean(planar.robot.model, {{"link1.m", 2}});
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].where == "/problem/prior/mean/link1.m");
  CHECK(issues[0].what == "no friction, rotor inertia, offset or gain has this kind or name");
}

}  // namespace
}  // namespace idbench
