#include "bench/notes/filter_bias.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "estimators/solvers/linear_regression.h"
#include "robots/recording/processing.h"
#include "sim/sensors/measure.h"

namespace idbench {
namespace {

/// Standard deviation that each unknown may move by, over the σ that its own column alone would
/// leave: what data show is moved freely, and the rest stays.
constexpr double kFree = 1e3;

/// What a fit finds, and what it knows of it.
struct Fit {
  Eigen::VectorXd x;
  Eigen::MatrixXd information;
  Eigen::VectorXd sigma;
};

Fit FitTo(const Problem& problem, const std::vector<Dataset>& datasets,
          const Eigen::VectorXd& about) {
  const LinearRegression regression(problem, datasets);
  const Eigen::VectorXd weights = regression.declared_sigma().array().square().inverse();
  Fit fit;
  fit.information = regression.WeightedSums(weights).AtA;
  const Eigen::VectorXd root = fit.information.diagonal().unaryExpr(
      [](double shown) { return shown > 0.0 ? kFree / std::sqrt(shown) : 0.0; });
  const LeastSquaresSolution solution =
      regression.SolveWithPrior(weights, {about, root.asDiagonal()});
  fit.x = solution.x;
  fit.sigma = solution.inverse.diagonal().cwiseMax(0.0).cwiseSqrt();
  return fit;
}

/// The same sensors without any effect.
SensorOptions WithoutEffects(SensorOptions sensors) {
  for (ChannelSensorOptions* channel : sensors.channels()) {
    for (PerJoint* numbers :
         {&channel->sine_error, &channel->noise_std, &channel->bias, &channel->bias_shift_std,
          &channel->drift_std, &channel->quantisation}) {
      for (double& value : numbers->values) value = 0.0;
    }
    channel->calibration_error.reset();
    channel->declared_sigma.reset();
    channel->delay_s = 0.0;
    channel->dropout_fraction = 0.0;
  }
  return sensors;
}

bool DeclaresAll(const Problem& problem) {
  return std::ranges::all_of(problem.rows, [](const EquationRows& rows) {
    return rows.sigma.size() > 0 && (rows.sigma.array() > 0.0).all();
  });
}

}  // namespace

FilterBias BiasOfProcessing(const Problem& problem, const std::vector<Dataset>& datasets,
                            const std::vector<Dataset>& recorded, const Eigen::VectorXd& about) {
  const Fit processed = FitTo(problem, datasets, about);
  const Eigen::VectorXd b = processed.x - FitTo(problem, recorded, about).x;
  FilterBias bias;
  bias.squared = b.dot(processed.information * b) / static_cast<double>(b.size());
  for (Eigen::Index k = 0; k < b.size(); ++k) {
    if (!(std::abs(b[k]) > bias.in_sigma * processed.sigma[k])) continue;
    bias.worst = problem.parameters.names[static_cast<std::size_t>(k)];
    bias.in_sigma = std::abs(b[k]) / processed.sigma[k];
  }
  return bias;
}

std::string FilterBiasMark(const Scenario& scenario, const DataSource& source,
                           const TrialData& first) {
  const ProcessingOptions& processing = scenario.processing;
  const bool changes =
      processing.lowpass || processing.resample_rate_hz || !processing.differentiate.empty();
  const Problem& problem = first.problem();
  if (!changes || problem.parameters.affine() == nullptr || !DeclaresAll(problem)) return "";
  const SensorOptions sensors = WithoutEffects(*source.sensors());
  std::vector<Dataset> processed, recorded;
  for (std::size_t i = 0; i < first.datasets.size(); ++i) {
    const Dataset& measured = first.datasets[i];
    if (measured.role() != Role::kIdentification) continue;
    recorded.push_back(Measure(*first.clean[i], sensors, 0, 0, measured.label(), measured.role()));
    recorded.back().set_configuration(measured.configuration());
    processed.push_back(Process(recorded.back(), processing));
  }
  try {
    const FilterBias bias =
        BiasOfProcessing(problem, processed, recorded, problem.parameters.FromPi(*first.true_pi()));
    if (bias.squared <= kCoveredFilterBias) return "";
    return fmt::format(
        "σ does not cover the bias b of the processing, which does not commute with the equations "
        "or changes one side of them alone: bᵀP⁻¹b/n is {:.2g}, above {:g}; the most is that of "
        "{}, {:.2g} σ",
        bias.squared, kCoveredFilterBias, bias.worst, bias.in_sigma);
  } catch (const EstimationFailure&) {
    return "";  // the methods say it
  }
}

}  // namespace idbench
