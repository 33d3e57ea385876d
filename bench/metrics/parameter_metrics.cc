#include "bench/metrics/parameter_metrics.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "bench/metrics/link_divergence.h"
#include "estimators/solvers/learned_directions.h"
#include "estimators/solvers/seen_directions.h"
#include "reports/statistics/normal_law.h"
#include "robots/dynamics/parameters/consistent_fit.h"
#include "robots/dynamics/parameters/pseudo_inertia.h"
#include "scenarios/drawn_as_declared.h"
#include "scenarios/problem/parameter_kind.h"

namespace idbench {
namespace {

/// States on which two parameter vectors are compared.
constexpr Eigen::Index kFixedStates = 1000;
/// Poses at which the mass matrix is looked at.
constexpr Eigen::Index kPoses = 200;
/// A prior variance below this part of the bound's leaves no doubt that data could take.
constexpr double kAnyDoubt = 1e-6;
/// Part of the greatest doubt that is round-off.
constexpr double kDoubtRoundOff = 1e-13;
/// Relative difference of predictions that is rounding.
constexpr double kModelRounding = 1e-9;

/// With the method's own reason, if it gives one.
std::string WhyNoCovariance(const Estimate& estimate) {
  std::string none = "the method states no covariance";
  const auto note = estimate.notes.find("covariance");
  if (note == estimate.notes.end()) return none;
  constexpr std::string_view kNoneStated = "none stated: ";
  std::string_view reason = note->second;
  if (reason.starts_with(kNoneStated)) reason.remove_prefix(kNoneStated.size());
  return none + ": " + std::string(reason);
}

/// Errors in σ of the posterior along the directions v with P v = λ P₀ v, λ ≤ 1/4, of those in
/// which P₀ leaves any doubt. All three are in standard deviations of a bound, so that a direction
/// of P₀ far below 1 is one that nothing but the prior tells of.
DirectionErrors BeyondPrior(const Eigen::VectorXd& error, const Eigen::MatrixXd& posterior,
                            const Eigen::MatrixXd& prior) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> doubts(prior);
  // Beside far greater ones, doubts are round-off of them.
  const double least = std::max(kAnyDoubt, kDoubtRoundOff * doubts.eigenvalues().maxCoeff());
  const Eigen::Index doubtful = (doubts.eigenvalues().array() > least).count();
  DirectionErrors errors;
  if (doubtful == 0) return errors;
  const Eigen::MatrixXd root =
      doubts.eigenvectors().rightCols(doubtful) *
      doubts.eigenvalues().tail(doubtful).cwiseSqrt().cwiseInverse().asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> left(root.transpose() * posterior * root);
  for (Eigen::Index k = 0; k < doubtful; ++k) {
    const double part = left.eigenvalues()[k];
    if (part > kLearned) continue;
    if (part < 0.0) {
      errors.failure = "the covariance is not positive definite";
      return errors;
    }
    const double along = (root * left.eigenvectors().col(k)).dot(error);
    errors.in_sigma.push_back(along == 0.0 ? 0.0 : along / std::sqrt(part));
  }
  return errors;
}

/// Nothing where one of them is infinite: along it P has no doubt, and is wrong.
std::optional<double> SumOfSquares(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  if (!std::isfinite(sum)) return std::nullopt;
  return sum;
}

/// e'P⁻¹e as the squared norm of e whitened, scaled first because unknowns have different units.
std::optional<double> SquaredMahalanobis(const Eigen::VectorXd& error,
                                         const Eigen::MatrixXd& covariance) {
  if (!(covariance.diagonal().array() > 0.0).all()) return std::nullopt;
  const Eigen::VectorXd sigma = covariance.diagonal().cwiseSqrt();
  const Eigen::MatrixXd correlation =
      sigma.cwiseInverse().asDiagonal() * covariance * sigma.cwiseInverse().asDiagonal();
  const Eigen::LLT<Eigen::MatrixXd> factor(correlation);
  if (factor.info() != Eigen::Success) return std::nullopt;
  return factor.matrixL().solve(error.cwiseQuotient(sigma)).squaredNorm();
}

}  // namespace

ParameterMetrics::ParameterMetrics(const Scenario& scenario, const Problem& problem,
                                   const std::vector<int>& asked, const SensorOptions* sensors,
                                   const std::function<ChannelNoise(std::string_view)>& noise)
    : scenario_(scenario),
      problem_(problem),
      asked_(asked),
      layout_(problem.model),
      bodies_(WholeBodies(problem.model, asked)),
      model_(problem),
      bound_(problem, sensors, noise),
      unknowns_(scenario, problem),
      states_(MakeFixedStates(problem.model, kFixedStates, StateSet::kTorqueError)) {}

void ParameterMetrics::SetTrial(const TrialData& data) {
  data_ = &data;
  model_.SetProblem(data.problem());
  bound_.SetTrial(data);
  if (data.truth != nullptr) unknowns_.SetTrial(data);
  // A drawn truth may lie where that of another trial lay.
  if (data.truth == nullptr || (data.truth == truth_of_ && !data.drawn_truth)) return;
  truth_of_ = data.truth;
  true_asked_ = Asked(model_.OfRobot(*data.true_pi()));
  truth_ = Predict(true_asked_);
  // A row that nothing moves, such as a planar robot's wrench out of its plane, weighs nothing.
  inverse_scale_ = truth_.colwise().norm() / std::sqrt(double{kFixedStates});
  inverse_scale_ = (inverse_scale_.array() > 0.0).select(inverse_scale_.cwiseInverse(), 0.0);
}

Eigen::VectorXd ParameterMetrics::Asked(const Eigen::VectorXd& p) const {
  if (problem_.parameters.lagrangian() != nullptr) return p;
  Eigen::VectorXd asked = Eigen::VectorXd::Zero(p.size());
  asked(asked_) = p(asked_);
  return asked;
}

Eigen::MatrixXd ParameterMetrics::Predict(const Eigen::VectorXd& p) {
  const std::vector<PlacedEquation> equations = EverywhereDefined(problem_.equations());
  Eigen::MatrixXd rows(kFixedStates, 0);
  for (const int configuration : problem_.model.IdentifiedConfigurations()) {
    model_.SetConfiguration(configuration);
    for (const PlacedEquation& equation : equations) {
      const Eigen::Index first = rows.cols();
      rows.conservativeResize(Eigen::NoChange, first + RowsOf(equation, model_.dofs()));
      model_.Predict(equation, p, states_.samples(), rows.rightCols(rows.cols() - first));
    }
  }
  return rows;
}

bool ParameterMetrics::ModelHoldsTruth() {
  const Parametrisation& parameters = data_->problem().parameters;
  const Eigen::MatrixXd truth = Predict(*data_->true_pi());
  const Eigen::MatrixXd model = Predict(parameters.Pi(parameters.FromPi(*data_->true_pi())));
  return (model - truth).norm() <= kModelRounding * truth.norm();
}

MetricValue ParameterMetrics::BaseParameterError(const Estimate& estimate) {
  // Φ(β̂ − β): base parameters predict like the π that they stand for.
  const Eigen::MatrixXd difference = Predict(Asked(model_.Of(estimate)) - true_asked_);
  return MetricOf((difference.array().rowwise() * inverse_scale_.array()).matrix().norm() /
                  TruthNorm());
}

MetricValue ParameterMetrics::BaseParameterBound(double checkpoint_s) {
  return bound_.ErrorBound(states_, inverse_scale_, TruthNorm(), checkpoint_s);
}

MetricValue ParameterMetrics::PredictionBound(const std::string& experiment, double checkpoint_s) {
  const auto [states, configuration] = CleanStates(experiment);
  return bound_.PredictionBound(states, configuration, checkpoint_s);
}

MetricValue ParameterMetrics::LeastPredictionBound(const std::string& experiment,
                                                   double checkpoint_s) {
  const auto [states, configuration] = CleanStates(experiment);
  return bound_.LeastPredictionBound(states, configuration, checkpoint_s);
}

std::pair<StateSamples, int> ParameterMetrics::CleanStates(const std::string& experiment) const {
  const auto dataset = std::ranges::find(data_->datasets, experiment, &Dataset::label);
  const Signals& clean = *data_->clean[static_cast<std::size_t>(dataset - data_->datasets.begin())];
  return {{clean[kJointPosition], clean[kJointVelocity], clean[kJointAcceleration]},
          problem_.model.ConfigurationIndex(dataset->configuration())};
}

MetricValue ParameterMetrics::CrlbRatio(const Estimate& estimate, double checkpoint_s) {
  return bound_.Ratio(estimate, checkpoint_s);
}

MetricValue ParameterMetrics::VanTreesRatio(const Estimate& estimate, double checkpoint_s) {
  if (!DrawnAsDeclared(scenario_)) return AbsentMetric(kNotDrawnAsDeclared);
  if (!data_->truth->made_physical.empty()) return FailedMetric("the truth was made physical");
  if (!ModelHoldsTruth()) return FailedMetric("no unknowns predict as the truth does");
  return bound_.BayesianRatio(estimate, checkpoint_s);
}

std::optional<MetricValue> ParameterMetrics::WithoutSingleLinks(const Estimate* estimate) const {
  if (problem_.parameters.representative) {
    return AbsentMetric("base parameters say nothing of single links");
  }
  if (estimate == nullptr || estimate->knows_hidden) return std::nullopt;
  if (!hides_bodies_) hides_bodies_ = HidesBodies(problem_);
  if (*hides_bodies_) {
    return AbsentMetric(
        "the equations show bodies in combinations alone, and the method knows nothing of single "
        "links");
  }
  return std::nullopt;
}

double ParameterMetrics::TruthNorm() const {
  return (truth_.array().rowwise() * inverse_scale_.array()).matrix().norm();
}

ParameterMetrics::Learned ParameterMetrics::LearnedErrors(const Estimate& estimate,
                                                          double checkpoint_s) {
  if (!estimate.sigma()) return {.failure = WhyNoCovariance(estimate)};
  const CramerRao::Taught taught =
      bound_.TaughtBy(states_, inverse_scale_, TruthNorm(), checkpoint_s);
  return taught.refusal.empty() ? TaughtErrors(estimate, taught, checkpoint_s)
                                : LearnedByItself(estimate, checkpoint_s);
}

ParameterMetrics::Learned ParameterMetrics::TaughtErrors(const Estimate& estimate,
                                                         const CramerRao::Taught& taught,
                                                         double checkpoint_s) const {
  if (taught.L.rows() == 0) return {.failure = "the data taught no direction"};
  const Parametrisation& parameters = data_->problem().parameters;
  const Eigen::VectorXd truth = parameters.Pi(unknowns_.AtLastSampleBy(checkpoint_s));
  const Eigen::VectorXd error = taught.L * (parameters.Pi(estimate.x) - truth)(taught.used);
  const Eigen::MatrixXd along = taught.L * parameters.Jacobian(estimate.x)(taught.used, Eigen::all);
  const Eigen::MatrixXd posterior = *estimate.CovarianceOf(along);
  const std::optional<PriorSpread> prior = SpreadBefore(parameters, estimate);
  Learned learned;
  if (!prior) {
    for (Eigen::Index k = 0; k < error.size(); ++k) {
      learned.in_sigma.push_back(error[k] == 0.0 ? 0.0 : error[k] / std::sqrt(posterior(k, k)));
    }
    learned.squared = SquaredMahalanobis(error, posterior);
    return learned;
  }
  // What a method's own prior tells alone, it was not taught.
  DirectionErrors errors = BeyondPrior(error, posterior, WithUnknown(prior->Of(along), posterior));
  if (!errors.failure.empty()) return {.failure = std::move(errors.failure), .fails = true};
  learned.in_sigma = std::move(errors.in_sigma);
  if (learned.in_sigma.empty()) {
    return {.failure = "by prior alone: nowhere is the method's σ below half that of its prior"};
  }
  learned.squared = SumOfSquares(learned.in_sigma);
  return learned;
}

ParameterMetrics::Learned ParameterMetrics::LearnedByItself(const Estimate& estimate,
                                                            double checkpoint_s) const {
  Learned learned;
  const Parametrisation& parameters = data_->problem().parameters;
  Eigen::VectorXd error = estimate.x - unknowns_.AtLastSampleBy(checkpoint_s);
  std::optional<PriorSpread> prior = SpreadBefore(parameters, estimate);
  if (estimate.combinations) {
    const Eigen::MatrixXd& B = estimate.combinations->B;
    error = (B * error).eval();
    if (prior) prior = prior->Of(B);
  }
  const Eigen::MatrixXd& posterior =
      estimate.combinations ? *estimate.combinations->covariance : *estimate.covariance;
  if (prior) {
    DirectionErrors errors = ErrorsAlongLearned(error, posterior, WithUnknown(*prior, posterior));
    learned.failure = std::move(errors.failure);
    learned.in_sigma = std::move(errors.in_sigma);
    if (!learned.failure.empty()) return learned;
    if (learned.in_sigma.empty()) learned.failure = "the data taught no direction";
    learned.squared = SumOfSquares(learned.in_sigma);
  } else {
    // Coverage is that of the stated intervals, unknown by unknown.
    for (Eigen::Index k = 0; k < error.size(); ++k) {
      learned.in_sigma.push_back(error[k] == 0.0 ? 0.0 : error[k] / std::sqrt(posterior(k, k)));
    }
    learned.squared = SquaredMahalanobis(error, posterior);
  }
  return learned;
}

MetricValue ParameterMetrics::Coverage(const Estimate& estimate, double checkpoint_s) {
  const Learned learned = LearnedErrors(estimate, checkpoint_s);
  if (learned.fails) return FailedMetric(learned.failure);
  if (!learned.failure.empty()) return AbsentMetric(learned.failure);
  const auto covered =
      std::ranges::count_if(learned.in_sigma, [](double e) { return std::abs(e) <= kNormal95; });
  MetricValue metric =
      MetricOf(static_cast<double>(covered) / static_cast<double>(learned.in_sigma.size()));
  metric.count = learned.in_sigma.size();
  return metric;
}

MetricValue ParameterMetrics::Nees(const Estimate& estimate, double checkpoint_s) {
  const Learned learned = LearnedErrors(estimate, checkpoint_s);
  if (learned.fails) return FailedMetric(learned.failure);
  if (!learned.failure.empty()) return AbsentMetric(learned.failure);
  if (!learned.squared) return FailedMetric("the covariance is not positive definite");
  MetricValue metric = MetricOf(*learned.squared / static_cast<double>(learned.in_sigma.size()));
  metric.count = learned.in_sigma.size();
  return metric;
}

MetricValue ParameterMetrics::LinkMassError(const Estimate& estimate) const {
  if (const auto none = WithoutSingleLinks(&estimate)) return *none;
  Eigen::VectorXd errors(static_cast<Eigen::Index>(bodies_.size()));
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const int index = layout_.Body(bodies_[k]);
    const double truth = (*data_->true_pi())[index];
    errors[static_cast<Eigen::Index>(k)] = std::abs(estimate.pi[index] - truth) / truth;
  }
  if (!errors.allFinite()) return FailedMetric("not finite: a link's true mass is 0");
  return MetricOf(errors.mean(), errors);
}

MetricValue ParameterMetrics::LinkMasses(const Estimate& estimate) const {
  if (const auto none = WithoutSingleLinks(&estimate)) return *none;
  Eigen::VectorXd masses(static_cast<Eigen::Index>(bodies_.size()));
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    masses[static_cast<Eigen::Index>(k)] = estimate.pi[layout_.Body(bodies_[k])];
  }
  return MetricOf(masses.sum(), masses);
}

MetricValue ParameterMetrics::LinkDivergence(const Estimate& estimate) const {
  if (const auto none = WithoutSingleLinks(&estimate)) return *none;
  return idbench::LinkDivergence(problem_.model, bodies_, estimate.pi, *data_->true_pi());
}

MetricValue ParameterMetrics::LinkMassBound(double checkpoint_s) {
  if (const auto none = WithoutSingleLinks()) return *none;
  const CramerRao::Posterior posterior = bound_.BayesianBound(checkpoint_s);
  if (!posterior.refusal.empty()) return AbsentMetric(posterior.refusal);
  const Eigen::MatrixXd P = posterior.Covariance();
  const Parametrisation& parameters = data_->problem().parameters;
  const Eigen::MatrixXd jacobian = parameters.Jacobian(parameters.FromPi(*data_->true_pi()));
  Eigen::VectorXd bounds(static_cast<Eigen::Index>(bodies_.size()));
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const int index = layout_.Body(bodies_[k]);
    const Eigen::RowVectorXd of_mass = jacobian.row(index);
    bounds[static_cast<Eigen::Index>(k)] =
        std::sqrt(of_mass.dot(of_mass * P)) / (*data_->true_pi())[index];
  }
  if (!bounds.allFinite()) return FailedMetric("not finite: a link's true mass is 0");
  return MetricOf(bounds.mean(), bounds);
}

Eigen::VectorXd ParameterMetrics::TrueMagnitudes() const {
  const Parametrisation& parameters = data_->problem().parameters;
  return Magnitudes(parameters.FromPi(*data_->true_pi()), parameters.names);
}

MetricValue ParameterMetrics::UnknownsError(const Estimate& estimate) const {
  // Base parameters can be compared one by one, what is hidden of others cannot.
  if (!problem_.parameters.representative) {
    if (const auto none = WithoutSingleLinks(&estimate)) return *none;
  }
  const Eigen::VectorXd truth = data_->problem().parameters.FromPi(*data_->true_pi());
  const Eigen::VectorXd errors = (estimate.x - truth).cwiseAbs().cwiseQuotient(TrueMagnitudes());
  if (!errors.allFinite()) return FailedMetric("not finite: all unknowns of a kind are 0");
  return MetricOf(errors.mean(), errors);
}

MetricValue ParameterMetrics::UnknownsSigma(const Estimate& estimate) const {
  if (!problem_.parameters.representative) {
    if (const auto none = WithoutSingleLinks(&estimate)) return *none;
  }
  const std::optional<Eigen::VectorXd> sigma = estimate.sigma();
  if (!sigma) {
    const auto note = estimate.notes.find("sigma");
    if (note != estimate.notes.end()) return FailedMetric("σ is " + note->second);
    return AbsentMetric("the method states no σ");
  }
  // Of an estimate of 0 it is infinite, and so in the upper half of them; of one that is known, 0.
  Eigen::VectorXd fractions =
      (sigma->array() == 0.0).select(0.0, sigma->cwiseQuotient(estimate.x.cwiseAbs()));
  std::vector<double> sorted(fractions.begin(), fractions.end());
  const auto middle = sorted.begin() + std::ssize(sorted) / 2;
  std::ranges::nth_element(sorted, middle);
  const double median = *middle;
  fractions =
      fractions.array().isFinite().select(fractions, std::numeric_limits<double>::quiet_NaN());
  return MetricOf(median, fractions);
}

MetricValue ParameterMetrics::LargestGravityError(const Estimate& estimate) const {
  const PlanarLagrangian& lagrangian = *problem_.parameters.lagrangian();
  const Eigen::VectorXd truth = data_->problem()
                                    .parameters.FromPi(*data_->true_pi())
                                    .segment(lagrangian.FirstGravity(), lagrangian.dofs());
  const Eigen::VectorXd estimated = estimate.x.segment(lagrangian.FirstGravity(), truth.size());
  const Eigen::VectorXd errors = (estimated - truth).cwiseQuotient(truth).cwiseAbs();
  if (!errors.allFinite()) return FailedMetric("not finite: gravity does not act on some link");
  return MetricOf(errors.maxCoeff());
}

MetricValue ParameterMetrics::UnknownsBound(double checkpoint_s) {
  const CramerRao::Posterior posterior = bound_.BayesianBound(checkpoint_s);
  if (!posterior.refusal.empty()) return AbsentMetric(posterior.refusal);
  const Eigen::VectorXd bounds =
      posterior.Covariance().diagonal().cwiseSqrt().cwiseQuotient(TrueMagnitudes());
  if (!bounds.allFinite()) return FailedMetric("not finite: all unknowns of a kind are 0");
  return MetricOf(bounds.mean(), bounds);
}

MetricValue ParameterMetrics::ConsistentLinks(const Estimate& estimate) const {
  if (const auto none = WithoutSingleLinks(&estimate)) return *none;
  Eigen::VectorXd consistent(static_cast<Eigen::Index>(bodies_.size()));
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const InertialParameters body = estimate.pi.segment<kInertialCount>(layout_.Body(bodies_[k]));
    consistent[static_cast<Eigen::Index>(k)] =
        PhysicalConsistency(body) == Consistency::kConsistent ? 1.0 : 0.0;
  }
  return MetricOf(consistent.mean(), consistent);
}

MetricValue ParameterMetrics::PositiveMassMatrices(const Estimate& estimate) {
  const int n = model_.dofs();
  Eigen::MatrixXd M(n, n);
  Eigen::Index positive = 0, count = 0;
  for (const int configuration : problem_.model.IdentifiedConfigurations()) {
    model_.SetConfiguration(configuration);
    for (Eigen::Index k = 0; k < kPoses; ++k, ++count) {
      model_.MassMatrix(model_.Of(estimate), states_.q.row(k).transpose(), M);
      if (Eigen::LLT<Eigen::MatrixXd>(M).info() == Eigen::Success) ++positive;
    }
  }
  return MetricOf(static_cast<double>(positive) / static_cast<double>(count));
}

MetricValue ParameterMetrics::NegativeMoments(const Estimate& estimate) const {
  if (const auto none = WithoutSingleLinks(&estimate)) return *none;
  Eigen::Index negative = 0;
  for (const int body : bodies_) {
    const InertialParameters parameters = estimate.pi.segment<kInertialCount>(layout_.Body(body));
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(FromStandard(parameters).I_com,
                                                                   Eigen::EigenvaluesOnly);
    negative += (principal.eigenvalues().array() <= 0.0).count();
  }
  return MetricOf(static_cast<double>(negative));
}

MetricValue ParameterMetrics::PseudoInertiaMargins(const Estimate& estimate) const {
  if (const auto none = WithoutSingleLinks(&estimate)) return *none;
  Eigen::VectorXd margins(static_cast<Eigen::Index>(bodies_.size()));
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    margins[static_cast<Eigen::Index>(k)] =
        PseudoInertiaMargin(estimate.pi.segment<kInertialCount>(layout_.Body(bodies_[k])));
  }
  if (!margins.allFinite()) return FailedMetric("not finite: a link has no mass and no extent");
  return MetricOf(margins.minCoeff(), margins);
}

int ParameterMetrics::CountOutOfBounds(const Estimate& estimate, const std::string& kind) const {
  const Parametrisation& parameters = data_->problem().parameters;
  int beyond = 0;
  for (Eigen::Index k = 0; k < estimate.x.size(); ++k) {
    if (!kind.empty() && ParameterKind(parameters.names[static_cast<std::size_t>(k)]) != kind) {
      continue;
    }
    if (estimate.x[k] < parameters.lower[k] || estimate.x[k] > parameters.upper[k]) ++beyond;
  }
  return beyond;
}

MetricValue ParameterMetrics::OutOfBounds(const Estimate& estimate) const {
  return MetricOf(CountOutOfBounds(estimate, ""));
}

MetricValue ParameterMetrics::MassesOutOfBounds(const Estimate& estimate) const {
  if (const auto none = WithoutSingleLinks(&estimate)) return *none;
  return MetricOf(CountOutOfBounds(estimate, "m"));
}

MetricValue ParameterMetrics::Saturated(const Estimate& estimate) const {
  const Parametrisation& parameters = data_->problem().parameters;
  Eigen::Index saturated = 0;
  for (Eigen::Index k = 0; k < estimate.x.size(); ++k) {
    if (IsSaturated(estimate.x[k], parameters.lower[k], parameters.upper[k])) ++saturated;
  }
  return MetricOf(static_cast<double>(saturated));
}

}  // namespace idbench
