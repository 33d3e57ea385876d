#include "bench/metrics/fit_metrics.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

#include "bench/biped_test.h"
#include "bench/metrics/planar_metrics_test.h"
#include "estimators/registry.h"

namespace idbench {
namespace {

/// Σ N (e_j/σ_j)² by the torque metrics of an experiment with N samples.
double SquaresOf(OneCell& cell, const Estimate& estimate, Eigen::Index samples) {
  double sum = 0.0;
  for (const double rmse :
       cell.Metric(estimate, "joint_torque_rmse_over_sigma@identification").components) {
    sum += static_cast<double>(samples) * rmse * rmse;
  }
  return sum;
}

TEST_CASE("χ² is the sum over the rows for identification, whichever method the estimate is of") {
  OneCell cell(PlanarScenario());
  const Estimate truth = TrueEstimate(cell.context);
  const Eigen::Index samples = cell.data.datasets[0].Get(kJointTorque).samples.rows();
  const MetricValue metric = cell.Metric(truth, "chi_square");
  CHECK(metric.failure == "");
  CHECK(*metric.value == doctest::Approx(SquaresOf(cell, truth, samples)).epsilon(1e-9));
  // All unknowns are base parameters.
  CHECK(*metric.count ==
        static_cast<std::size_t>(2 * samples - cell.context.problem().parameters.size()));
  // 400 squares of unit normal numbers: 5 standard deviations.
  CHECK(std::abs(*metric.value / (2.0 * static_cast<double>(samples)) - 1.0) <
        5.0 * std::sqrt(1.0 / static_cast<double>(samples)));
}

TEST_CASE("Unknowns that the equations cannot tell apart take no degree of freedom of their own") {
  OneCell base(PlanarScenario());
  OneCell standard(PlanarScenario(R"({"problem": {"parametrisation": {"type": "standard"},
      "prior": {"relative_std": 0.5}}})"));
  REQUIRE(standard.context.problem().parameters.size() > base.context.problem().parameters.size());
  CHECK(standard.Metric(TrueEstimate(standard.context), "chi_square").count ==
        base.Metric(TrueEstimate(base.context), "chi_square").count);
}

TEST_CASE("χ² of a fit that lacks friction tells it: far from its degrees of freedom") {
  OneCell cell(PlanarScenario(R"({"problem": {"parametrisation": {"friction": []}},
      "robot": {"truth": {"friction": {"viscous_nms_rad": 2, "coulomb_nm": 2}}}})"));
  const auto ols = FindEstimator("ols")->make();
  const MetricValue metric =
      cell.Metric(ols->Run(cell.data.problem(), cell.data.datasets), "chi_square");
  REQUIRE(metric.value);
  CHECK(*metric.value / static_cast<double>(*metric.count) > 50.0);
}

TEST_CASE("Behind an up-sampling χ² is over the variance of a sample") {
  // Without Coulomb friction, whose steps no interpolation follows.
  OneCell cell(PlanarScenario(
      R"({"robot": {"truth": {"friction": {"viscous_nms_rad": 0.5, "coulomb_nm": 0, "offset_nm": 0}}},
          "processing": {"resample_rate_hz": 1000}})"));
  const MetricValue metric = cell.Metric(TrueEstimate(cell.context), "chi_square");
  REQUIRE(metric.value);
  const double ratio = *metric.value / static_cast<double>(*metric.count);
  CHECK(ratio > 0.85);  // it would be 0.08 over the variance of white noise of the same density
  CHECK(ratio < 1.15);
}

TEST_CASE("At a checkpoint χ² is of what was recorded up to it") {
  OneCell cell(PlanarScenario(R"({"evaluate_at_s": [0.5]})"));
  const Estimate truth = TrueEstimate(cell.context);
  const auto values = cell.evaluator.Evaluate({{truth, truth}}, cell.data);
  const auto& time = cell.data.datasets[0].Get(kJointTorque).time_s;
  const auto recorded = ((time.array() - time[0]) <= 0.5 + 1e-6).count();
  CHECK(*Find(values, "chi_square@t=0.5").count ==
        static_cast<std::size_t>(2 * recorded - cell.context.problem().parameters.size()));
  CHECK(*Find(values, "chi_square@t=0.5").value < *Find(values, "chi_square").value);
}

TEST_CASE("χ² is absent without a declared σ, and of a walker whose method states none") {
  OneCell none(PlanarScenario(R"({"sensors": {"joint_torque": {"noise_std_nm": 0}}})"));
  const MetricValue without = none.Metric(TrueEstimate(none.context), "chi_square");
  CHECK(without.absent);
  CHECK(without.failure == "no σ is declared for the rows of joint_torque");
  OneCell zero(PlanarScenario(
      R"({"sensors": {"joint_torque": {"noise_std_nm": 0.1, "declared_sigma_nm": [0.1, 0]}}})"));
  CHECK(zero.Metric(TrueEstimate(zero.context), "chi_square").failure ==
        "a declared σ of the rows of joint_torque is 0");
  OneCell walker(BipedScenario());
  Estimate estimate = walker.EstimateOf(walker.true_unknowns());
  CHECK(walker.Metric(estimate, "chi_square").failure == "the method states no sum of squares");
  estimate.diagnostics = {{"chi_square", 170.5}, {"degrees_of_freedom", 187.0}};
  CHECK(*walker.Metric(estimate, "chi_square").value == 170.5);
  CHECK(*walker.Metric(estimate, "chi_square").count == 187);
}

TEST_CASE("χ² fails with the reason where data do not align, or are too few") {
  OneCell cell(PlanarScenario());
  TrialData data = cell.context.Run(0);
  data.datasets[0] = Dataset("identification", Role::kIdentification);
  const auto values = cell.evaluator.Evaluate({{TrueEstimate(cell.context)}}, data);
  const MetricValue& metric = Find(values, "chi_square");
  CHECK_FALSE(metric.absent);
  CHECK(metric.failure.find("joint_position") != std::string::npos);
}

/// What a cell says of an estimate and the training data.
std::string WorseThanPrior(OneCell& cell, const Estimate& estimate) {
  FitMetrics::PriorFit prior_fit;
  return cell.evaluator.WorseThanPrior(estimate, cell.data, prior_fit);
}

TEST_CASE("An estimate that the data speak against more than against the prior is told") {
  OneCell cell(BoundedScenario());
  const Problem& problem = cell.data.problem();
  Estimate far = TrueEstimate(cell.context);
  CHECK(WorseThanPrior(cell, far) == "");
  const auto of = [&](const Eigen::VectorXd& x) {
    Estimate estimate;
    estimate.x = x;
    estimate.pi = problem.parameters.Pi(x);
    return estimate;
  };
  const Eigen::VectorXd& mean = problem.parameters.prior->mean;
  CHECK(WorseThanPrior(cell, of(mean)) == "");
  const std::string told = WorseThanPrior(cell, of(1000.0 * mean));
  CHECK(
      told.starts_with("predicts the training data worse than the prior; its error over the "
                       "prior's: "));
  // Of σ at all rows the ratio is that of the roots of χ².
  const double ratio = std::sqrt(*cell.Metric(of(1000.0 * mean), "chi_square").value /
                                 *cell.Metric(of(mean), "chi_square").value);
  CHECK(told.ends_with(fmt::format(": {:.3g}", ratio)));
}

TEST_CASE("Estimates of a trial are compared with what the prior leaves of that trial's data") {
  OneCell cell(BoundedScenario());
  Estimate far = TrueEstimate(cell.context);
  far.x *= 1000.0;
  far.pi = cell.data.problem().parameters.Pi(far.x);
  const TrialData another = cell.context.Run(1);
  FitMetrics::PriorFit of_one, of_another;
  cell.evaluator.WorseThanPrior(far, cell.data, of_one);
  cell.evaluator.WorseThanPrior(far, another, of_another);
  REQUIRE(of_one);
  REQUIRE(of_another);
  CHECK(of_one->left != of_another->left);  // another noise
  // What is computed once serves the estimates that follow.
  const FitMetrics::RowSums once = *of_one;
  cell.evaluator.WorseThanPrior(TrueEstimate(cell.context), cell.data, of_one);
  CHECK(of_one->left == once.left);
}

TEST_CASE("Estimates are compared with the prior without a σ too, and not without a prior") {
  OneCell cell(BoundedScenario(R"({"sensors": {"joint_torque": {"noise_std_nm": 0}}})"));
  Estimate far = TrueEstimate(cell.context);
  CHECK(WorseThanPrior(cell, far) == "");
  far.x *= 1000.0;
  far.pi = cell.data.problem().parameters.Pi(far.x);
  CHECK(WorseThanPrior(cell, far) != "");

  OneCell none(PlanarScenario());
  far = TrueEstimate(none.context);
  far.x *= 1000.0;
  far.pi = none.data.problem().parameters.Pi(far.x);
  CHECK(WorseThanPrior(none, far) == "");
}

}  // namespace
}  // namespace idbench
