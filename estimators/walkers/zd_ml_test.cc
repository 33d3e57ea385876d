#include "estimators/walkers/zd_ml.h"

#include <doctest/doctest.h>

#include <cmath>

#include "estimators/interface/estimate_test.h"
#include "estimators/synthetic_walker_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("Without noise the truth is missed by a fraction of its sigma, less at a higher rate") {
  const auto misses = [](const SyntheticWalker& walker, double sigmas) {
    const Estimate coarse = MustRunOn<ZdMl>(walker, {walker.Record("a", 0.0)});
    const Estimate fine =
        MustRunOn<ZdMl>(walker, {walker.Record("a", 0.0, 0, Role::kIdentification, 400.0)});
    CHECK(std::sqrt(SquaredError(walker, coarse)) < sigmas);
    CHECK(LargestRelativeError(fine.x, walker.beta) <
          0.1 * LargestRelativeError(coarse.x, walker.beta));
  };
  misses(SyntheticWalker::Biped(), 0.5);  // the step of integration and the spline's ends
  // Coulomb friction turns around within a sample; all nine unknowns are off by 3 σ usually.
  misses(SyntheticWalker::Leg(), 1.5);
}

TEST_CASE("Its errors are those of its covariance, the Cramér-Rao bound") {
  const SyntheticWalker walker = SyntheticWalker::Biped();
  double squares = 0.0, chi_square = 0.0;
  constexpr int kTrials = 60;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Estimate estimate = MustRunOn<ZdMl>(walker, {walker.Record("a", 1.0, trial)});
    squares += SquaredError(walker, estimate);
    chi_square += estimate.diagnostics.at("chi_square");
    CHECK(estimate.notes.at("start") == "prior");
  }
  // χ² of 480 and of 60·197 degrees of freedom: 99.9 % lie within 3.3·√(2·480) and √(2·11820).
  CHECK(std::abs(squares - 8.0 * kTrials) < 3.3 * std::sqrt(2.0 * 8.0 * kTrials));
  CHECK(std::abs(chi_square - 197.0 * kTrials) < 3.3 * std::sqrt(2.0 * 197.0 * kTrials));
}

TEST_CASE("The prior is where it starts, and nothing else") {
  SyntheticWalker walker = SyntheticWalker::Biped();
  const std::vector<Dataset> datasets = {walker.Record("a")};
  const Estimate usual = MustRunOn<ZdMl>(walker, datasets);
  walker.problem.parameters.prior->mean = 0.2 * walker.beta;
  const Estimate small = MustRunOn<ZdMl>(walker, datasets);
  CHECK(small.notes.at("start") == "prior");
  walker.problem.parameters.prior.reset();
  const Estimate without = MustRunOn<ZdMl>(walker, datasets);
  CHECK(without.notes.at("start") == "wls_fcd");
  const Eigen::VectorXd sigma = *usual.sigma();
  // The last step gained less than 1e-9 of S: within 1e-3·σ of the minimum.
  CHECK(((small.x - usual.x).array() / sigma.array()).abs().maxCoeff() < 1e-3);
  CHECK(((without.x - usual.x).array() / sigma.array()).abs().maxCoeff() < 1e-3);
}

TEST_CASE("Two recordings tell as much as twice one does") {
  const SyntheticWalker walker = SyntheticWalker::Biped();
  const Estimate one = MustRunOn<ZdMl>(walker, {walker.Record("a")});
  const Estimate two = MustRunOn<ZdMl>(walker, {walker.Record("a"), walker.Record("b")});
  CHECK(two.diagnostics.at("degrees_of_freedom") == 2 * (3 * 69 - 2) - 8);
  for (Eigen::Index k = 0; k < 8; ++k) {
    // Each at its own estimate of β, of which the information depends a little.
    CHECK(std::abs((*two.sigma())[k] / (*one.sigma())[k] - std::sqrt(0.5)) < 0.05);
  }
}

TEST_CASE("Whatever tells the absolute angle, errors are within their covariance") {
  for (const char* sensor : {"hall_position", "distance", "imu"}) {
    CAPTURE(sensor);
    const bool imu = std::string_view(sensor) == "imu";
    const SyntheticWalker walker = imu ? SyntheticWalker::Leg() : SyntheticWalker::Biped();
    const std::string options =
        std::string(R"({"half_power": 0.12, "absolute_angle": ")") + sensor + "\"}";
    const Estimate estimate = MustRunOn<ZdMl>(walker, {walker.Record("a")}, options.c_str());
    CHECK(SquaredError(walker, estimate) < 34.0);  // 99.99 % of χ² with nine degrees of freedom
  }
}

TEST_CASE("Against a coarse encoder a spline with fewer knots helps") {
  const SyntheticWalker walker = SyntheticWalker::Leg();
  const Dataset exact = walker.Record("a");
  Dataset coarse("a", Role::kIdentification);
  for (Channel channel : exact.channels()) {
    if (channel.name == kJointPosition) {
      const double count = 2.0 * 3.14159265358979 / 20000.0;
      channel.samples.col(1) = count * (channel.samples.col(1) / count).array().round().matrix();
    }
    coarse.Add(std::move(channel));
  }
  const Estimate fine = MustRunOn<ZdMl>(walker, {exact});
  const Estimate through = MustRunOn<ZdMl>(walker, {coarse});
  const Estimate along = MustRunOn<ZdMl>(walker, {coarse}, R"({"knot_samples": 6})");
  CHECK(along.diagnostics.at("chi_square") < 0.5 * through.diagnostics.at("chi_square"));
  // Of the unknowns, what the encoder's steps change over what noise does.
  const auto changed = [&](const Estimate& estimate) {
    return ((estimate.x - fine.x).array() / fine.sigma()->array()).matrix().norm();
  };
  CHECK(changed(along) < 0.5 * changed(through));
}

TEST_CASE("A sum of squares that is too large is noted, or refused") {
  const SyntheticWalker walker = SyntheticWalker::Biped();
  const std::vector<Dataset> datasets = {walker.Record("a", 2.0)};
  const Estimate noted = MustRunOn<ZdMl>(walker, datasets);
  const std::string reason = noted.notes.at("health");
  CHECK(reason.starts_with("the sum of squares is too large: "));
  CHECK(reason.ends_with(", the 97.5 % quantile of its 197 degrees of freedom"));
  const Estimate refused = RunOn<ZdMl>(walker, datasets, R"({"reject_unhealthy": true})");
  CHECK(refused.outcome == Outcome::kNotConverged);
  CHECK(refused.reason == reason);
}

TEST_CASE("Failures say what failed") {
  SyntheticWalker walker = SyntheticWalker::Biped();
  const std::vector<Dataset> datasets = {walker.Record("a")};
  const Estimate hurried = RunOn<ZdMl>(walker, datasets, R"({"max_iterations": 1})");
  CHECK(hurried.outcome == Outcome::kNotConverged);
  CHECK(hurried.reason.starts_with(
      "the sum of squares was still falling after 1 iterations from the start '"));

  walker.problem.parameters.prior.reset();
  walker.noise.q1_rad = 0.3;
  const Estimate lost = RunOn<ZdMl>(walker, {{walker.Record("a")}});
  CHECK(lost.outcome == Outcome::kDiverged);
  CHECK(
      lost.reason ==
      "from the start 'wls_fcd': parameters and beginning have no motion: the angle runs away, or "
      "an inertia is not positive");

  SyntheticWalker hanging = SyntheticWalker::Leg();
  hanging.torque = [](double) -> Eigen::VectorXd { return Eigen::VectorXd::Zero(1); };
  const Estimate still = RunOn<ZdMl>(hanging, {{hanging.Record("a", 0.0)}});
  CHECK(still.outcome == Outcome::kRankDeficient);
  CHECK(still.reason.starts_with("the data determine 0 of 9 directions; not determined"));
  CHECK(still.reason.ends_with(
      "; use a richer motion, or fewer unknowns (/problem/parametrisation/friction)"));
}

}  // namespace
}  // namespace idbench
