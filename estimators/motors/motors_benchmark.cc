#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "estimators/motors/drive_nls.h"
#include "estimators/motors/driven_arm_test.h"
#include "estimators/motors/partial_least_squares.h"
#include "estimators/motors/pls.h"
#include "estimators/motors/row_triangles.h"
#include "estimators/motors/two_stage.h"

namespace idbench {
namespace {

/// 300 s at 10 Hz, as many samples as a low-pass at 4 Hz leaves.
std::vector<Dataset> DrivenRecording(const DrivenArm& arm) {
  return {
      arm.Record("identification", 30.0, {.pwm_pct = 0.05, .force_n = 0.15, .moment_nm = 0.005})};
}

/// The one pass over the rows, before any fit.
void ReduceRows(benchmark::State& state) {
  const DrivenArm arm;
  const std::vector<Dataset> datasets = DrivenRecording(arm);
  const RegressionRows rows(arm.problem, datasets);
  for ([[maybe_unused]] auto _ : state) {
    const RowTriangles triangles(rows, 1);
    benchmark::DoNotOptimize(triangles.unknowns());
  }
  state.SetItemsProcessed(state.iterations() * rows.samples());
}
BENCHMARK(ReduceRows)->Name("RowTriangles/icub/3000")->Unit(benchmark::kMillisecond);

/// A fit after that pass: weights, triangle, scales, path.
void FitOnce(benchmark::State& state) {
  const DrivenArm arm;
  const std::vector<Dataset> datasets = DrivenRecording(arm);
  const RegressionRows rows(arm.problem, datasets);
  const RowTriangles triangles(rows, 1);
  const Eigen::VectorXd weights = WeightsOfRows(arm.problem, {.joints = 0.1, .moments = 10.0});
  const Eigen::Index p = rows.unknowns();
  for ([[maybe_unused]] auto _ : state) {
    Eigen::MatrixXd X = triangles.Triangle(weights);
    const Eigen::VectorXd y = X.col(p);
    X = X.leftCols(p).eval();
    for (Eigen::Index k = 0; k < p; ++k) {
      if (X.col(k).squaredNorm() > 0.0) X.col(k).normalize();
    }
    const LatentPath path = PartialLeastSquares(std::move(X), y, state.range(0));
    benchmark::DoNotOptimize(path.b.data());
  }
}
BENCHMARK(FitOnce)
    ->Name("PartialLeastSquares/icub")
    ->Arg(48)
    ->Arg(80)
    ->Unit(benchmark::kMillisecond);

/// Whole estimates, regressors included.
template <class Method>
void EstimateDriven(benchmark::State& state) {
  const DrivenArm arm;
  const std::vector<Dataset> datasets = DrivenRecording(arm);
  Method method;
  for ([[maybe_unused]] auto _ : state) {
    const Estimate estimate = method.Run(arm.problem, datasets);
    if (!estimate.ok()) state.SkipWithError(estimate.reason.c_str());
    benchmark::DoNotOptimize(estimate.x.data());
  }
}
BENCHMARK(EstimateDriven<TwoStage>)->Name("Estimate/two_stage/icub")->Unit(benchmark::kMillisecond);
BENCHMARK(EstimateDriven<DriveNls>)->Name("Estimate/drive_nls/icub")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace idbench
