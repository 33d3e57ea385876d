#include "bench/metrics/fit_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "estimators/interface/aligned_equations.h"
#include "estimators/interface/recorded_time.h"
#include "estimators/solvers/residual_freedom.h"
#include "reports/tables/held_out.h"
#include "robots/dynamics/parameters/base_parameters.h"

namespace idbench {
namespace {

/// Why the rows are no function of π and samples; "" if they are.
std::string WhyNoRows(const Problem& problem) {
  return problem.parameters.lagrangian() != nullptr ||
                 HaveRowsFrom(problem.equations(), RowsFrom::kStateRows)
             ? "the method states no sum of squares"
             : "";
}

/// Why there is no noise to compare with; "" if there is.
std::string WhyNoSigma(const Problem& problem, const std::vector<EquationRows>& equations) {
  for (const EquationRows& rows : equations) {
    if (rows.sigma.size() != rows.count(problem.model)) {
      return fmt::format("no σ is declared for the rows of {}", ToString(rows.equation));
    }
    if (!(rows.sigma.minCoeff() > 0.0)) {
      return fmt::format("a declared σ of the rows of {} is 0", ToString(rows.equation));
    }
  }
  return "";
}

}  // namespace

FitMetrics::FitMetrics(const Problem& problem, const std::vector<int>& asked, std::string absent)
    : problem_(problem),
      asked_(asked),
      equations_(problem.rows_in_order()),
      no_fit_(absent.empty() ? WhyNoRows(problem) : std::move(absent)),
      absent_(no_fit_.empty() ? WhyNoSigma(problem, equations_) : no_fit_),
      mask_(problem.model, equations_),
      model_(problem) {
  if (!absent_.empty()) return;
  for (const EquationRows& rows : equations_) {
    inverse_sigma_.conservativeResize(inverse_sigma_.size() + rows.sigma.size());
    inverse_sigma_.tail(rows.sigma.size()) = rows.of_sample().cwiseInverse().transpose();
  }
}

void FitMetrics::SetTrial(const TrialData& data) {
  data_ = &data;
  model_.SetProblem(data.problem());
}

int FitMetrics::Directions() {
  if (directions_) return *directions_;
  directions_ = problem_.parameters.size();
  try {
    const BaseParameters base =
        FindBaseParameters(problem_.model, problem_.equations(), asked_, problem_.friction);
    directions_ = std::min(*directions_, base.size());
  } catch (const std::domain_error&) {
    // The rank is not certain: at most all unknowns are told apart.
  }
  return *directions_;
}

FitMetrics::Rows FitMetrics::RowsOf(const Dataset& dataset, const Eigen::VectorXd& p) {
  const AlignedView view = AlignEquations(problem_, dataset, equations_);
  const Eigen::MatrixXd inputs = InputsOf(view, equations_, problem_.model);
  const StateSamples samples{view[0], view[1], view[2], &inputs};
  model_.SetConfiguration(ConfigurationOf(problem_, dataset));
  Rows of{MeasuredSide(view, equations_), {}};
  mask_.ApplyToSamples(samples.qd, of.measured);
  of.left = of.measured;
  Eigen::Index first = 0;
  Eigen::MatrixXd predicted;
  for (const EquationRows& rows : equations_) {
    const Eigen::Index count = rows.count(problem_.model);
    predicted.resize(view.size(), count);
    model_.Predict(rows.placed(), p, samples, predicted);
    of.left.middleCols(first, count) -= predicted;
    first += count;
  }
  return of;
}

void FitMetrics::Add(const Dataset& dataset, const Eigen::VectorXd& p, Sum& sum) {
  Eigen::MatrixXd left = RowsOf(dataset, p).left;
  left.array().rowwise() *= inverse_sigma_.array();
  const auto counts = !left.array().isNaN();
  sum.squares += counts.select(left.array(), 0.0).square().sum();
  sum.counts += counts.cast<double>().colwise().sum().matrix().transpose();
}

double FitMetrics::Misfit(const Estimate& estimate) {
  const MetricValue S = ChiSquare(estimate, std::numeric_limits<double>::infinity());
  return S.value ? std::max(1.0, *S.value / static_cast<double>(*S.count)) : 1.0;
}

FitMetrics::RowSums FitMetrics::SumsOf(const Eigen::VectorXd& p) {
  RowSums sums;
  for (const Dataset& dataset : data_->datasets) {
    if (dataset.role() != Role::kIdentification) continue;
    const Rows rows = RowsOf(dataset, p);
    if (sums.left.size() == 0) {
      sums.left = sums.signal = Eigen::VectorXd::Zero(rows.left.cols());
    }
    const auto counts = !rows.left.array().isNaN();
    const auto squares = [&counts](const Eigen::MatrixXd& values) {
      return counts.select(values.array(), 0.0).square().colwise().sum().matrix().transpose();
    };
    sums.left += squares(rows.left);
    sums.signal += squares(rows.measured);
  }
  return sums;
}

std::string FitMetrics::WorseThanPrior(const Estimate& estimate, PriorFit& of_trial) {
  const auto& prior = data_->problem().parameters.prior;
  if (!no_fit_.empty() || !prior) return "";
  try {
    if (!of_trial) of_trial = SumsOf(model_.OfUnknowns(prior->mean));
    const RowSums ours = SumsOf(model_.Of(estimate));
    Eigen::VectorXd weights = inverse_sigma_.cwiseAbs2().transpose();
    if (weights.size() == 0) {  // a row without any signal tells nothing
      weights = (ours.signal.array() > 0.0).select(ours.signal.cwiseInverse(), 0.0);
    }
    const double ratio = std::sqrt(ours.left.dot(weights) / of_trial->left.dot(weights));
    if (!(ratio > kWorseThanPrior)) return "";
    return fmt::format(
        "predicts the training data worse than the prior; its error over the "
        "prior's: {:.3g}",
        ratio);
  } catch (const EstimationFailure&) {
    return "";  // the channels do not align
  }
}

MetricValue FitMetrics::ChiSquare(const Estimate& estimate, double checkpoint_s) {
  if (!absent_.empty()) return AbsentMetric(absent_);
  Sum sum{0.0, Eigen::VectorXd::Zero(inverse_sigma_.size())};
  try {
    const Eigen::VectorXd& p = model_.Of(estimate);
    if (std::isfinite(checkpoint_s)) {
      for (const Dataset& part : RecordedUpTo(data_->datasets, checkpoint_s)) Add(part, p, sum);
    } else {
      for (const Dataset& dataset : data_->datasets) {
        if (dataset.role() == Role::kIdentification) Add(dataset, p, sum);
      }
    }
  } catch (const EstimationFailure& failure) {
    return FailedMetric(failure.what());
  }
  const double rows = sum.counts.sum();
  const auto freedom =
      rows > 0.0 ? std::lround(FreedomOfResiduals(equations_, sum.counts, Directions()).mean) : 0;
  if (freedom <= 0) {
    return FailedMetric(
        fmt::format("{} rows leave no degree of freedom beside {} unknowns", rows, Directions()));
  }
  MetricValue metric = MetricOf(sum.squares);
  metric.count = static_cast<std::size_t>(freedom);
  return metric;
}

}  // namespace idbench
