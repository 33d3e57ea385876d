#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "estimators/batch/consistent_wls.h"
#include "estimators/batch/map.h"
#include "estimators/online/ekf.h"
#include "estimators/online/entropic_filter.h"
#include "estimators/online/log_cholesky_ekf.h"
#include "estimators/online/rls.h"
#include "estimators/online/scaled_kf.h"
#include "estimators/online/sigmoid_ekf.h"
#include "estimators/synthetic_test.h"
#include "scenarios/options/json.h"

/// What a prior knows nothing of (`null` in a scenario) is told by the data alone.
namespace idbench {
namespace {

using Methods = std::map<std::string, std::shared_ptr<Estimator>>;

Methods Bayesian() {
  return {{"map", std::make_shared<Map>()},
          {"rls", std::make_shared<Rls>()},
          {"ekf", std::make_shared<Ekf>()}};
}

/// Indices of the unknowns whose names hold one of `parts`.
std::vector<int> Named(const Problem& problem, const std::vector<std::string>& parts) {
  std::vector<int> found;
  for (int k = 0; k < problem.parameters.size(); ++k) {
    const std::string& name = problem.parameters.names[static_cast<std::size_t>(k)];
    for (const std::string& part : parts) {
      if (name.find(part) != std::string::npos) {
        found.push_back(k);
        break;
      }
    }
  }
  return found;
}

/// Lets the prior know nothing of some unknowns, whose mean is then far off.
void Forget(Problem& problem, const std::vector<int>& unknowns) {
  auto& prior = *problem.parameters.prior;
  const Eigen::Index size = problem.parameters.size();
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(size, size);
  prior.unknown = one(Eigen::all, unknowns);
  for (const int k : unknowns) {
    prior.covariance->row(k).setZero();
    prior.covariance->col(k).setZero();
    prior.mean[k] = 100.0;
  }
}

const std::vector<std::string> kFriction = {".fv", ".fc"};

/// ‖a − b‖/‖b‖ in the units of a covariance.
double Apart(const Estimate& a, const Estimate& b) {
  const Eigen::LLT<Eigen::MatrixXd> root(*b.covariance);
  return root.matrixL().solve(a.x - b.x).norm();
}

TEST_CASE("It is the limit of a prior of ever greater σ, and the same for all Bayesian methods") {
  for (const char* type : {"base", "standard"}) {
    CAPTURE(type);
    Synthetic robot = Declared("planar2", type);
    const std::vector<int> friction = Named(robot.problem, kFriction);
    REQUIRE(friction.size() == 4);
    const std::vector<Dataset> datasets = {robot.Record("a", 300, kSigma)};
    Problem wide = robot.problem;
    for (const int k : friction) {
      (*wide.parameters.prior->covariance)(k, k) = 1e8;
      wide.parameters.prior->mean[k] = 100.0;
    }
    const Estimate limit = Map().Run(wide, datasets);
    REQUIRE_MESSAGE(limit.ok(), limit.reason);
    Forget(robot.problem, friction);
    const Estimate map = Map().Run(robot.problem, datasets);
    for (const auto& [name, method] : Bayesian()) {
      CAPTURE(name);
      const Estimate estimate = method->Run(robot.problem, datasets);
      REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
      REQUIRE(estimate.covariance);
      CHECK(Apart(estimate, limit) < 1e-3);
      CHECK((*estimate.covariance - *limit.covariance).norm() < 1e-6 * limit.covariance->norm());
      CHECK((estimate.x - map.x).norm() < 1e-9 * map.x.norm());
      CHECK((*estimate.covariance - *map.covariance).norm() < 1e-9 * map.covariance->norm());
    }
  }
}

TEST_CASE("What the prior said of friction does not matter where it knows nothing of it") {
  Synthetic robot = Declared("planar2", "standard");
  const std::vector<Dataset> datasets = {robot.Record("a", 300, kSigma)};
  Forget(robot.problem, Named(robot.problem, kFriction));
  Problem other = robot.problem;
  for (const int k : Named(robot.problem, kFriction)) other.parameters.prior->mean[k] = -3.0;
  Methods methods = Bayesian();
  methods["scaled_kf"] = std::make_shared<ScaledKf>();
  methods["entropic_filter"] = std::make_shared<EntropicFilter>();
  methods["consistent_wls"] = std::make_shared<ConsistentWls>();
  for (const auto& [name, method] : methods) {
    CAPTURE(name);
    const Estimate one = method->Run(robot.problem, datasets);
    const Estimate two = method->Run(other, datasets);
    REQUIRE_MESSAGE(one.ok(), one.reason);
    REQUIRE_MESSAGE(two.ok(), two.reason);
    CHECK(Apart(one, two) < 1e-6);
  }
}

TEST_CASE("There is no estimate before the data determine it, and the failure names what is open") {
  Synthetic robot = Declared("planar2", "standard");
  Forget(robot.problem, Named(robot.problem, kFriction));
  const Dataset still = WithChannel(robot.Record("a", 100, kSigma), kJointVelocity,
                                    [](Eigen::MatrixXd& samples) { samples.col(1).setZero(); });
  Methods methods = Bayesian();
  methods["scaled_kf"] = std::make_shared<ScaledKf>();
  for (const auto& [name, method] : methods) {
    CAPTURE(name);
    const Estimate estimate = method->Run(robot.problem, std::vector{still});
    CHECK(estimate.outcome == Outcome::kRankDeficient);
    CHECK(estimate.reason ==
          "the data do not determine joint2.fv, joint2.fc, of which the prior knows nothing "
          "(null); record more, or state a σ in /problem/prior/std");
    CHECK(method->Run(robot.problem, std::vector{robot.Record("a", 100, kSigma)}).ok());
  }
  for (const std::shared_ptr<Estimator>& method :
       {std::shared_ptr<Estimator>(std::make_shared<EntropicFilter>()),
        std::shared_ptr<Estimator>(std::make_shared<ConsistentWls>())}) {
    const Estimate estimate = method->Run(robot.problem, std::vector{still});
    CHECK(estimate.outcome == Outcome::kRankDeficient);
    CHECK(estimate.reason.starts_with("the data do not determine joint2.f"));
  }
}

TEST_CASE("An online method has an estimate as soon as the samples tell it") {
  Synthetic robot = Declared("planar2", "base");
  Forget(robot.problem, Named(robot.problem, kFriction));
  const std::vector<Dataset> datasets = {robot.Record("a", 200, kSigma)};
  for (const auto& [name, method] : Bayesian()) {
    CAPTURE(name);
    auto* online = dynamic_cast<OnlineEstimator*>(method.get());
    if (online == nullptr) continue;
    const std::vector<Estimate> estimates = online->Track(robot.problem, datasets);
    const Eigen::MatrixXd& x = FindNamed(estimates.back().series, kParameters)->values;
    const Eigen::MatrixXd& sigma = FindNamed(estimates.back().series, kParameterSigma)->values;
    REQUIRE(x.rows() == 200);
    CHECK(x.row(0).hasNaN());  // two rows, four unknowns of which nothing is known
    CHECK(!x.bottomRows(191).hasNaN());
    for (Eigen::Index k = 10; k < 200; ++k)
      CHECK((sigma.row(k) - sigma.row(k - 1)).maxCoeff() < 1e-9);
    const Estimate first = method->Run(robot.problem, std::vector{robot.Record("a", 10, kSigma)});
    REQUIRE(first.ok());
    const double nis =
        method->Run(robot.problem, datasets).diagnostics.at("normalised_innovation_squared");
    CHECK(nis > 0.7);
    CHECK(nis < 1.3);
  }
}

TEST_CASE(
    "Of bodies of which nothing is known combinations are stated, as least squares has them") {
  Synthetic robot = Declared("planar2", "standard");
  std::vector<int> all(static_cast<std::size_t>(robot.problem.parameters.size()));
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<int>(k);
  const std::vector<Dataset> datasets = {robot.Record("a", 300, kSigma)};
  Problem nothing = robot.problem;
  Forget(nothing, all);
  nothing.parameters.prior->mean = robot.problem.parameters.prior->mean;
  Problem without = nothing;
  without.parameters.prior->covariance.reset();
  without.parameters.prior->unknown.resize(0, 0);
  const Estimate fitted = Rls().Run(without, datasets);  // with the declared weights
  REQUIRE_MESSAGE(fitted.ok(), fitted.reason);
  REQUIRE(fitted.combinations);
  for (const auto& [name, method] : Bayesian()) {
    CAPTURE(name);
    const Estimate estimate = method->Run(nothing, datasets);
    REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
    CHECK_FALSE(estimate.knows_hidden);
    CHECK_FALSE(estimate.covariance);
    REQUIRE(estimate.combinations);
    CHECK(estimate.combinations->names == fitted.combinations->names);
    CHECK((estimate.x - fitted.x).norm() < 1e-9 * fitted.x.norm());
    CHECK((*estimate.combinations->covariance - *fitted.combinations->covariance).norm() <
          1e-6 * fitted.combinations->covariance->norm());
  }
}

TEST_CASE("Bodies and friction of which nothing is known go beside a body that is known") {
  Synthetic robot = Declared("planar2", "standard");
  std::vector<std::string> unknown = kFriction;
  unknown.emplace_back("link1.");
  Problem problem = robot.problem;
  Forget(problem, Named(problem, unknown));
  problem.parameters.prior->mean = robot.problem.parameters.prior->mean;
  const std::vector<Dataset> datasets = {robot.Record("a", 300, kSigma)};
  const Estimate map = Map().Run(problem, datasets);
  REQUIRE_MESSAGE(map.ok(), map.reason);
  REQUIRE(map.combinations);
  const Eigen::VectorXd torque = map.combinations->B * map.x;
  for (const auto& [name, method] : Bayesian()) {
    CAPTURE(name);
    const Estimate estimate = method->Run(problem, datasets);
    REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
    CHECK((estimate.x - map.x).norm() < 1e-9 * map.x.norm());
    CHECK((*estimate.combinations->covariance - *map.combinations->covariance).norm() <
          1e-8 * map.combinations->covariance->norm());
  }
  // The body that is known weighs: the estimate is not that of least squares alone.
  Problem without = problem;
  without.parameters.prior->covariance.reset();
  CHECK((map.x - Rls().Run(without, datasets).x).norm() > 1e-6 * map.x.norm());
}

TEST_CASE("Under coloured noise the filters state what the batch method does") {
  Synthetic robot = Declared("planar2", "base");
  Forget(robot.problem, Named(robot.problem, kFriction));
  EquationRows& rows = robot.problem.rows.front();
  rows.sample_sigma = 0.5 * kSigma;
  rows.autocorrelation = Eigen::Vector4d(1.0, 0.75, 0.5, 0.25);
  const std::vector<Dataset> datasets = {robot.Record("a", 120, kSigma)};
  const Estimate map = Map().Run(robot.problem, datasets);
  REQUIRE_MESSAGE(map.ok(), map.reason);
  for (const auto& [name, method] : Bayesian()) {
    CAPTURE(name);
    const Estimate estimate = method->Run(robot.problem, datasets);
    REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
    CHECK((*estimate.covariance - *map.covariance).norm() < 1e-6 * map.covariance->norm());
  }
}

TEST_CASE("Rows that do not count are left out, and the others tell as much") {
  Synthetic robot = Declared("planar2", "base");
  Forget(robot.problem, Named(robot.problem, kFriction));
  robot.problem.rows.front().dead_zone = Eigen::Vector2d(0.5, 0.5);
  const std::vector<Dataset> datasets = {robot.Record("a", 300, kSigma)};
  const Estimate map = Map().Run(robot.problem, datasets);
  REQUIRE_MESSAGE(map.ok(), map.reason);
  for (const auto& [name, method] : Bayesian()) {
    CAPTURE(name);
    const Estimate estimate = method->Run(robot.problem, datasets);
    REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
    CHECK((estimate.x - map.x).norm() < 1e-9 * map.x.norm());
    CHECK((*estimate.covariance - *map.covariance).norm() < 1e-9 * map.covariance->norm());
    if (name != "map") CHECK(estimate.diagnostics.at("rows_left_out") > 10);
  }
}

TEST_CASE("What cannot start without a prior refuses it, with what to do") {
  Synthetic robot = Declared("planar2", "standard");
  Problem friction = robot.problem;
  Forget(friction, Named(friction, kFriction));
  const std::string all =
      "needs to know how far the prior of every unknown may be off: give a σ in place of each null "
      "in /problem/prior/std";
  CHECK(SigmoidEkf().WhyRefused(friction) == all);
  CHECK(LogCholeskyEkf().WhyRefused(friction) == all);
  Problem bodies = robot.problem;
  Forget(bodies, Named(bodies, {"link2."}));
  const std::string of_bodies =
      "needs a prior of every body to be near to: give a σ in place of each null of bodies in "
      "/problem/prior/std";
  CHECK(ConsistentWls().WhyRefused(bodies) == of_bodies);
  CHECK(ScaledKf().WhyRefused(bodies) == of_bodies);
  CHECK(EntropicFilter().WhyRefused(bodies) == of_bodies);
  for (const auto& [name, method] : Bayesian()) CHECK(method->WhyRefused(bodies).empty());
  const Synthetic curved = Declared("planar2", "masses_moments_first_moments");
  Problem nonlinear = curved.problem;
  Forget(nonlinear, Named(nonlinear, kFriction));
  CHECK(Ekf().WhyRefused(nonlinear).starts_with("linearises about what it knows, and "));
  Ekf wandering;
  std::vector<Issue> issues;
  ReadFields(wandering.Fields(), {{"process_noise_per_s", 0.1}}, "", issues);
  CHECK(wandering.WhyRefused(friction).starts_with("process noise is a part of the prior's"));
}

}  // namespace
}  // namespace idbench
