#include "estimators/walkers/iv.h"

#include <doctest/doctest.h>

#include <cmath>

#include "estimators/interface/estimate_test.h"
#include "estimators/synthetic_walker_test.h"
#include "estimators/walkers/wls_fcd.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("Without noise low-pass and differences do not show, as they do with WLS-FCD") {
  const SyntheticWalker walker = SyntheticWalker::Biped();
  const std::vector<Dataset> datasets = {walker.Record("a", 0.0)};
  for (const char* options :
       {R"({"half_power": 0.25, "n_cd": 5})", R"({"n_cd": 3, "weighting": "identity"})"}) {
    CAPTURE(options);
    const double iv = LargestRelativeError(MustRunOn<Iv>(walker, datasets, options).x, walker.beta);
    const double wls =
        LargestRelativeError(RunOn<WlsFcd>(walker, datasets, options).x, walker.beta);
    CHECK(iv < 0.02);
    CHECK(iv < 0.1 * wls);
  }
}

TEST_CASE("Noise of the absolute angle does not bias it, as it does WLS-FCD") {
  SyntheticWalker walker = SyntheticWalker::Biped();
  walker.noise.q1_rad = 3e-4;
  constexpr int kTrials = 60;
  const char* options = R"({"n_cd": 3})";
  Eigen::MatrixXd iv(kTrials, 8), wls(kTrials, 8);
  for (int trial = 0; trial < kTrials; ++trial) {
    const std::vector<Dataset> datasets = {walker.Record("a", 1.0, trial)};
    iv.row(trial) = (MustRunOn<Iv>(walker, datasets, options).x - walker.beta).transpose();
    wls.row(trial) = (RunOn<WlsFcd>(walker, datasets, options).x - walker.beta).transpose();
  }
  // Mean over its standard deviation, of the worst unknown.
  const auto bias = [](const Eigen::MatrixXd& errors) {
    const Eigen::RowVectorXd mean = errors.colwise().mean();
    const Eigen::RowVectorXd variance =
        (errors.rowwise() - mean).colwise().squaredNorm() / (kTrials * (kTrials - 1.0));
    return (mean.array().abs() / variance.array().sqrt()).maxCoeff();
  };
  CHECK(bias(iv) < 3.9);  // 99.9 % of the largest of eight normal numbers
  CHECK(bias(wls) > 10.0);
}

TEST_CASE("It ends at the same estimate whatever it starts from") {
  SyntheticWalker walker = SyntheticWalker::Biped();
  const std::vector<Dataset> datasets = {walker.Record("a")};
  // Without a filter, noise of a second difference makes WLS-FCD's estimate one without motion.
  walker.noise.q1_rad = 3e-3;
  const Estimate from_wls = MustRunOn<Iv>(walker, datasets, R"({"half_power": 0.25, "n_cd": 5})");
  CHECK(from_wls.notes.at("start") == "wls_fcd");
  CHECK(from_wls.diagnostics.at("iterations") >= 2);
  const Estimate tight =
      MustRunOn<Iv>(walker, datasets, R"({"half_power": 0.25, "n_cd": 5, "tolerance": 1e-12})");
  CHECK(LargestRelativeError(tight.x, from_wls.x) < 1e-4);
}

TEST_CASE("Failures say what failed") {
  SyntheticWalker walker = SyntheticWalker::Biped();
  const Estimate hurried =
      RunOn<Iv>(walker, {{walker.Record("a")}}, R"({"n_cd": 3, "max_iterations": 1})");
  CHECK(hurried.outcome == Outcome::kNotConverged);
  CHECK(hurried.reason.starts_with("after 1 simulations β still moved by "));

  SyntheticWalker hanging = SyntheticWalker::Leg();
  hanging.torque = [](double) -> Eigen::VectorXd { return Eigen::VectorXd::Zero(1); };
  const Estimate still = RunOn<Iv>(hanging, {{hanging.Record("a", 0.0)}}, "{}");
  CHECK(still.outcome == Outcome::kRankDeficient);
  CHECK(still.reason.starts_with("the data determine "));

  walker.problem.parameters.prior.reset();
  walker.noise.q1_rad = 0.3;
  const Estimate lost = RunOn<Iv>(walker, {{walker.Record("a")}}, "{}");
  CHECK(lost.outcome == Outcome::kDiverged);
  CHECK(lost.reason ==
        "parameters and beginning have no motion: the angle runs away, or an inertia is not "
        "positive");
}

}  // namespace
}  // namespace idbench
