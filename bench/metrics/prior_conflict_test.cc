#include "bench/metrics/prior_conflict.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/biped_test.h"
#include "bench/metrics/planar_metrics_test.h"
#include "estimators/registry.h"

namespace idbench {
namespace {

/// planar2 with standard parameters, friction, and a prior whose σ all unknowns have in their unit.
LoadedScenario PlanarWithPrior(const char* more = "{}") {
  Json patch = ParseJson(R"({
      "robot": {"truth": {"friction": {"viscous_nms_rad": 0.5, "coulomb_nm": 1}}},
      "problem": {"parametrisation": {"type": "standard"},
      "prior": {"mean": {"fv": 0.5, "fc": 1, "ia": 0}, "std": {"body": 0.2, "fv": 0.1, "fc": 0.2, "ia": 0.1}}}})",
                         "patch");
  patch.merge_patch(ParseJson(more, "more"));
  return PlanarScenario(patch.dump().c_str());
}

int IndexOf(const Problem& problem, const std::string& name) {
  return static_cast<int>(std::ranges::find(problem.parameters.names, name) -
                          problem.parameters.names.begin());
}

constexpr const char* kContradicted =
    "contradicted by the data (by chance in about 1 % of estimates); ";
constexpr const char* kDoubtful =
    "contradicted by the data, unless the model is wrong: residuals are not the declared noise, "
    "and what the model lacks moves estimates too (by chance in about 1 % of estimates); ";

/// An estimate whose P is half of P₀, one unknown of which has moved by z·√(P₀ − P).
class MovedEstimate {
 public:
  MovedEstimate() : cell_(PlanarWithPrior()), problem_(cell_.data.problem()) {
    estimate.x = problem_.parameters.prior->mean;
    estimate.covariance = 0.5 * *problem_.parameters.prior->covariance;
  }

  void Move(const std::string& name, double z) {
    const int k = IndexOf(problem_, name);
    const Eigen::MatrixXd& P0 = *problem_.parameters.prior->covariance;
    estimate.x[k] += z * std::sqrt(P0(k, k) - (*estimate.covariance)(k, k));
  }
  std::string Told(PriorUse use = PriorUse::kBayes, double misfit = 1.0) const {
    return PriorConflict(problem_, use, estimate, [misfit] { return misfit; });
  }
  Problem& problem() { return problem_; }

  Estimate estimate;

 private:
  OneCell cell_;
  Problem problem_;
};

TEST_CASE("An unknown that moved too far for its prior is named with its z") {
  MovedEstimate moved;
  CHECK(moved.Told() == "");
  moved.Move("joint1.fc", 10.0);
  moved.Move("joint2.fv", -20.0);
  CHECK(moved.Told() == std::string(kContradicted) + "joint2.fv (z = -20), joint1.fc (z = 10)");
}

TEST_CASE("The limit is that of Holm over all unknowns that are looked at") {
  // 2·(1 − Φ(z))·26 = 0.01 at z = 3.55: 20 unknowns of bodies and 6 of joints.
  const auto told = [](double z) {
    MovedEstimate moved;
    moved.Move("joint1.fc", z);
    return moved.Told();
  };
  REQUIRE(MovedEstimate().estimate.x.size() == 26);
  CHECK(told(3.50) == "");
  CHECK(told(3.60) != "");
}

TEST_CASE("An unknown of which data taught nothing, or the prior everything, is not looked at") {
  MovedEstimate moved;
  const int k = IndexOf(moved.problem(), "joint1.fc");
  double& P0 = (*moved.problem().parameters.prior->covariance)(k, k);
  double& P = (*moved.estimate.covariance)(k, k);
  moved.estimate.x[k] += 100.0;
  REQUIRE(moved.Told() != "");
  SUBCASE("P ≈ P₀") { P = P0 * (1.0 - 1e-10); }
  SUBCASE("σ₀ = 0") { P0 = P = 0.0; }
  SUBCASE("no information") { P0 = std::numeric_limits<double>::infinity(); }
  CHECK(moved.Told() == "");
}

TEST_CASE("Where P is no posterior of constant unknowns, v is P₀ + P") {
  MovedEstimate moved;
  moved.Move("joint1.fc", 6.0);
  CHECK(moved.Told() == std::string(kContradicted) + "joint1.fc (z = 6)");
  // √((P₀ − P)/(P₀ + P)) = 1/√3 for P = P₀/2.
  CHECK(moved.Told(PriorUse::kRoughly) == "");
  moved.Move("joint1.fc", 6.0);
  CHECK(moved.Told(PriorUse::kRoughly) == std::string(kContradicted) + "joint1.fc (z = 6.93)");
  moved.problem().rows.front().autocorrelation = Eigen::Vector2d(1.0, 0.5);
  CHECK(moved.Told() == std::string(kContradicted) + "joint1.fc (z = 6.93)");
}

TEST_CASE("Without σ of the rows, or of a method that forgets, nothing is judged") {
  MovedEstimate moved;
  moved.Move("joint1.fc", 40.0);
  REQUIRE(moved.Told(PriorUse::kRoughly) != "");
  moved.estimate.covariance.reset();
  CHECK(moved.Told(PriorUse::kRoughly) == "");
  CHECK(moved.Told(PriorUse::kBayes) != "");
  moved.problem().rows.front().sigma.resize(0);
  CHECK(moved.Told(PriorUse::kBayes) == "");
}

TEST_CASE("A prior of the method's own is that which is compared") {
  MovedEstimate moved;
  moved.Move("joint1.fc", 12.0);
  moved.estimate.own_prior = {*moved.problem().parameters.prior->covariance};
  CHECK(moved.Told(PriorUse::kNone) == std::string(kContradicted) + "joint1.fc (z = 6.93)");
  moved.estimate.own_prior.reset();
  CHECK(moved.Told(PriorUse::kNone) == "");
}

TEST_CASE("Noise that is larger than declared does not count against the prior") {
  MovedEstimate moved;
  moved.Move("joint1.fc", 6.0);
  // P = P₀ − P: noise of 9 times the variance makes v 9 times as large.
  CHECK(moved.Told(PriorUse::kBayes, 9.0) == "");
  moved.Move("joint1.fc", 12.0);
  CHECK(moved.Told(PriorUse::kBayes, 9.0) == std::string(kDoubtful) + "joint1.fc (z = 6)");
}

TEST_CASE("Residuals that were reviewed leave the model in doubt, with a covariance or without") {
  MovedEstimate moved;
  moved.Move("joint1.fc", 12.0);
  moved.estimate.notes["sigma"] = "that of residuals correlated in time";
  CHECK(moved.Told() == std::string(kDoubtful) + "joint1.fc (z = 6.93)");
  moved.estimate.covariance.reset();  // v = P₀
  CHECK(moved.Told() == std::string(kDoubtful) + "joint1.fc (z = 8.49)");
}

TEST_CASE("What a method makes of the prior's covariance is told by its kind and options") {
  const auto use = [](const char* type, const char* options = "{}") {
    const auto estimator = FindEstimator(type)->make();
    std::vector<Issue> issues;
    ReadFields(estimator->Fields(), ParseJson(options, "options"), "", issues);
    REQUIRE(issues.empty());
    return UseOfPrior(*estimator);
  };
  CHECK(use("map") == PriorUse::kBayes);
  CHECK(use("rls") == PriorUse::kBayes);
  CHECK(use("ekf", R"({"process_noise": 0})") == PriorUse::kBayes);
  CHECK(use("ekf", R"({"process_noise": 1e-4})") == PriorUse::kRoughly);
  CHECK(use("sigmoid_ekf") == PriorUse::kRoughly);
  CHECK(use("ekf", R"({"p0": "identity"})") == PriorUse::kNone);
  CHECK(use("ols") == PriorUse::kNone);
}

/// What a method's estimate of the cell's data says of the prior.
std::string Conflict(OneCell& cell, const char* type) {
  const auto estimator = FindEstimator(type)->make();
  const Estimate estimate = estimator->Run(cell.data.problem(), cell.data.datasets);
  REQUIRE(estimate.ok());
  return cell.evaluator.ConflictWithPrior(estimate, UseOfPrior(*estimator), cell.data);
}

TEST_CASE("Friction that the prior's σ excludes is named, by filters and fits alike") {
  // Coulomb friction is 5 σ off; the rest is the truth.
  OneCell wrong(PlanarWithPrior(R"({"problem": {"prior": {"mean": {"joint2.fc": 2}}}})"));
  OneCell right(PlanarWithPrior());
  for (const char* const type :
       {"map", "rls", "ekf", "scaled_kf", "consistent_wls", "entropic_filter"}) {
    CAPTURE(type);
    CHECK(Conflict(wrong, type).find("; joint2.fc (z = -") != std::string::npos);
    CHECK(Conflict(right, type) == "");
  }
}

TEST_CASE("Where σ of the noise is declared too small, unknowns that follow it are not named") {
  OneCell noisy(PlanarWithPrior(
      R"({"sensors": {"joint_torque": {"noise_std_nm": 1, "declared_sigma_nm": 0.1}}})"));
  CHECK(Conflict(noisy, "map") == "");
}

}  // namespace
}  // namespace idbench
