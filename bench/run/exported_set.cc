#include "bench/run/exported_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>

#include "estimators/interface/aligned_equations.h"
#include "robots/dynamics/parameters/consistent_fit.h"
#include "robots/physical_inertia.h"
#include "scenarios/problem/parametrisations.h"

namespace idbench {
namespace {

/// σ below this part of a row's signal is round-off.
constexpr double kLeastRelativeSigma = 1e-6;
/// Of a body that stays on the boundary under a greater weight there is no nearest set.
constexpr double kGreatestLambda = 1e12;
/// A margin below this part of the worst one counts as a violation.
constexpr double kViolates = 1e-2;

/// What the solver moves, from where.
struct Setting {
  ConsistentVariables variables;
  std::vector<int> bodies;          ///< Links, −1 for the base.
  std::vector<std::string> lifted;  ///< Bodies whose prior was made physical.
  std::string refusal;
};

const ParametrisationKind& KindOf(const PreparedCell& context) {
  return KindNamed(context.scenario().problem.parametrisation.type);
}

/// A link without mass in the prior has no shape to be near to.
std::string WhyNoPrior(const RobotModel& model, const Setting& setting) {
  const ParameterLayout layout(model);
  std::vector<std::string> bare;
  for (const int body : setting.bodies) {
    if (!(setting.variables.prior[layout.Body(body)] > 0.0)) bare.push_back(model.BodyName(body));
  }
  if (bare.empty()) return "";
  return fmt::format(
      "the prior has no mass for {}, so no set is nearest to it; give a prior set "
      "(/problem/prior) with a mass for every link",
      ListSome(bare));
}

/// What x moves of π, by index.
std::vector<bool> MovedByX(const Parametrisation& parameters) {
  const Linearisation at = parameters.MakeLinearisation();
  std::vector<bool> moved(static_cast<std::size_t>(parameters.pi_size()), false);
  for (Eigen::Index k = 0; k < at.J.outerSize(); ++k) {
    for (Eigen::SparseMatrix<double>::InnerIterator entry(at.J, k); entry; ++entry) {
      moved[static_cast<std::size_t>(entry.index())] = true;
    }
  }
  return moved;
}

/// Frees joint and motor parameters that x moves, and sets what π₀ has: known gains, what is
/// attached and known.
void SetFreeAndKnown(const Parametrisation& parameters, Eigen::Index inertial_size,
                     ConsistentVariables& variables) {
  const std::vector<bool> moved = MovedByX(parameters);
  const Eigen::VectorXd at_zero = parameters.Pi(Eigen::VectorXd::Zero(parameters.size()));
  for (const int k : parameters.UsedPi()) {
    if (!moved[static_cast<std::size_t>(k)]) {
      variables.prior[k] = at_zero[k];
    } else if (k >= inertial_size) {
      variables.free.push_back(k);
    }
  }
}

Setting MakeSetting(const Robot& robot, const PreparedCell& context, const TrialData& data) {
  const RobotModel& model = robot.model;
  const ParameterLayout layout(model);
  const std::vector<int>& asked = context.asked();
  const Eigen::VectorXd nominal = robot.FindSet("")->pi;
  const Eigen::VectorXd prior = data.prior_pi().size() > 0 ? data.prior_pi() : nominal;

  Setting setting;
  setting.bodies = WholeBodies(model, asked);
  setting.variables.prior = nominal;
  setting.variables.prior.tail(layout.term_count()).setZero();
  for (const int k : asked) setting.variables.prior[k] = prior[k];
  for (const int body : setting.bodies) setting.variables.bodies.push_back(layout.Body(body));
  setting.refusal = KindOf(context).not_exported;
  if (!setting.refusal.empty()) return setting;
  SetFreeAndKnown(data.problem().parameters, layout.inertial_size(), setting.variables);
  setting.refusal = WhyNoPrior(model, setting);
  PhysicalParameters physical = MakePhysical(model, setting.variables.prior);
  for (const int body : setting.bodies) {
    const auto at = layout.Body(body);
    setting.variables.prior.segment<kInertialCount>(at) = physical.pi.segment<kInertialCount>(at);
    if (std::ranges::find(physical.changed, model.BodyName(body)) != physical.changed.end()) {
      setting.lifted.push_back(model.BodyName(body));
    }
  }
  return setting;
}

/// π̂ with what the estimate says nothing of: the base as in the nominal set. That of a payload on a
/// robot that is known is complete.
Eigen::VectorXd Filled(const Setting& setting, const PreparedCell& context,
                       const Estimate& estimate) {
  if (KindOf(context).whole_pi) return estimate.pi;
  Eigen::VectorXd pi = setting.variables.prior;
  for (const int k : context.asked()) pi[k] = estimate.pi[k];
  return pi;
}

/// Sums over the identification data of one configuration, one per equation row.
struct GramSum {
  std::vector<Eigen::MatrixXd> grams;     ///< Of (W_j, y_j), see RowRegressor::Gram().
  std::vector<std::vector<int>> columns;  ///< Of W_j, indices into π: asked for or known.
};
struct GramSums {
  std::vector<GramSum> configured;
  Eigen::VectorXd declared_sigma;  ///< Per row; empty unless declared for all and positive.
  Eigen::Index samples = 0;
};

Eigen::VectorXd PositiveSigma(const std::vector<EquationRows>& equations) {
  Eigen::VectorXd sigma(0);
  for (const EquationRows& rows : equations) {
    if (rows.sigma.size() == 0 || !(rows.sigma.minCoeff() > 0.0)) return {};
    sigma.conservativeResize(sigma.size() + rows.sigma.size());
    sigma.tail(rows.sigma.size()) = rows.sigma;
  }
  return sigma;
}

/// What is asked for, and what is known: W π̂ is all that the estimate predicts.
std::vector<int> AskedOrKnown(const PreparedCell& context, const Problem& problem) {
  std::vector<int> all;
  std::ranges::set_union(context.asked(), problem.parameters.UsedPi(), std::back_inserter(all));
  return all;
}

/// @param asked    columns of W, indices into π.
/// @param samples  number of them, which those of this configuration are added to.
GramSum SumUp(int configuration, const std::vector<int>& asked, const TrialData& data,
              Eigen::Index& samples) {
  const Problem& problem = data.problem();
  const std::vector<EquationRows> equations = problem.rows_in_order();
  const Dynamics dynamics(problem.model, problem.friction, configuration);
  const RowRegressor rows(dynamics, EquationsOf(equations), asked);
  Dynamics::Scratch scratch(dynamics);
  GramSum sum;
  for (int r = 0; r < rows.row_count(); ++r) {
    std::vector<int> own;
    for (const int c : rows.ColumnsOf(r)) own.push_back(asked[static_cast<std::size_t>(c)]);
    const auto size = static_cast<Eigen::Index>(own.size()) + 1;
    sum.grams.emplace_back(Eigen::MatrixXd::Zero(size, size));
    sum.columns.push_back(std::move(own));
  }
  std::vector<Eigen::MatrixXd> grams(sum.grams.size());
  for (const Dataset& dataset : data.datasets) {
    if (dataset.role() != Role::kIdentification) continue;
    if (ConfigurationOf(problem, dataset) != configuration) continue;
    const AlignedView view = AlignEquations(problem, dataset, equations);
    const Eigen::MatrixXd inputs = InputsOf(view, equations, problem.model);
    rows.Gram({view[0], view[1], view[2], &inputs}, MeasuredSide(view, equations), scratch, grams);
    for (std::size_t r = 0; r < grams.size(); ++r) sum.grams[r] += grams[r];
    samples += view.size();
  }
  return sum;
}

GramSums SumUp(const PreparedCell& context, const TrialData& data) {
  GramSums sums;
  sums.declared_sigma = PositiveSigma(data.problem().rows_in_order());
  const std::vector<int> columns = AskedOrKnown(context, data.problem());
  for (const int configuration : data.problem().model.IdentifiedConfigurations()) {
    sums.configured.push_back(SumUp(configuration, columns, data, sums.samples));
  }
  return sums;
}

/// σ² of a row: as declared, or what its residuals at π̂ have.
double VarianceOf(const GramSums& sums, std::size_t row, const Eigen::VectorXd& target) {
  if (sums.declared_sigma.size() > 0) {
    return std::pow(sums.declared_sigma[static_cast<Eigen::Index>(row)], 2);
  }
  double squares = 0.0, signal = 0.0;
  for (const auto& [grams, columns] : sums.configured) {
    const Eigen::MatrixXd& gram = grams[row];
    Eigen::VectorXd residual(gram.cols());  // ‖W π̂ − y‖² = (π̂, −1)ᵀ·gram·(π̂, −1)
    residual << Eigen::VectorXd(target(columns[row])), -1.0;
    squares += residual.dot(gram * residual);
    signal += gram(gram.cols() - 1, gram.cols() - 1);
  }
  const double least = kLeastRelativeSigma * kLeastRelativeSigma * signal;
  return std::max(squares, least) / static_cast<double>(sums.samples);
}

/// N with ½ (π − π̂)ᵀ N (π − π̂) = ½·Σ_j ‖W_j (π − π̂)‖²/σ_j², over all of π.
Eigen::MatrixXd Information(const GramSums& sums, const Eigen::VectorXd& target) {
  Eigen::MatrixXd N = Eigen::MatrixXd::Zero(target.size(), target.size());
  for (std::size_t r = 0; r < sums.configured.front().grams.size(); ++r) {
    const double variance = VarianceOf(sums, r, target);
    if (!(variance > 0.0)) continue;  // a row that nothing moves
    for (const auto& [grams, columns] : sums.configured) {
      const Eigen::Index last = grams[r].cols() - 1;
      N(columns[r], columns[r]) += grams[r].topLeftCorner(last, last) / variance;
    }
  }
  return N;
}

std::string Violations(const RobotModel& model, const Setting& setting,
                       const Eigen::VectorXd& margin) {
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < setting.bodies.size(); ++k) {
    const double own = margin[static_cast<Eigen::Index>(k)];
    if (own > kViolates * std::min(margin.minCoeff(), 0.0)) continue;
    texts.push_back(
        fmt::format("{} by {:.2g} of its prior", model.BodyName(setting.bodies[k]), -own));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string LiftedNote(const Setting& setting) {
  if (setting.lifted.empty()) return "";
  return "; the prior was made physical for " + ListSome(setting.lifted);
}

/// Links whose inertia no body has, or only a rod, a plate or a point.
std::vector<int> NotConsistent(const RobotModel& model, const Setting& setting,
                               const Eigen::VectorXd& pi) {
  const ParameterLayout layout(model);
  std::vector<int> bodies;
  for (const int body : setting.bodies) {
    const InertialParameters parameters = pi.segment<kInertialCount>(layout.Body(body));
    if (PhysicalConsistency(parameters) != Consistency::kConsistent) bodies.push_back(body);
  }
  return bodies;
}

std::string InconsistentLinks(const RobotModel& model, const Setting& setting,
                              const Eigen::VectorXd& pi) {
  const ParameterLayout layout(model);
  std::vector<std::string> texts;
  for (const int body : NotConsistent(model, setting, pi)) {
    const auto reason = WhyUnphysical(FromStandard(pi.segment<kInertialCount>(layout.Body(body))));
    texts.push_back(
        fmt::format("{} ({})", model.BodyName(body), reason.value_or("on the boundary")));
  }
  return fmt::format("{}", fmt::join(texts, "; "));
}

/// The torque-nearest consistent set, for what has none of its own.
CompletedSet LeastResidual(const Setting& setting, const PreparedCell& context,
                           const TrialData& data, const Eigen::VectorXd& target,
                           const std::string& why) {
  const Eigen::MatrixXd N = Information(SumUp(context, data), target);
  CompletedSet result;
  try {
    const auto begin = std::chrono::steady_clock::now();
    double lambda = kNearestLambda;
    ConsistentSet fit = FitConsistent(setting.variables, N, N * target, lambda);
    // Heavy weights can push a body onto the boundary but for round-off, where Newton's method
    // ends.
    while ((!fit.converged || !NotConsistent(context.problem().model, setting, fit.pi).empty()) &&
           lambda < kGreatestLambda) {
      lambda *= 10.0;
      fit = FitConsistent(setting.variables, N, N * target, lambda);
    }
    result.milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    if (!fit.converged || lambda >= kGreatestLambda) {
      result.refusal = why + "; the search for the nearest one did not converge";
      return result;
    }
    result.pi = fit.pi;
    result.predicts_otherwise = true;
    result.note = fmt::format(
        "{}; this is the consistent set of least torque residual on the identification data (λ = "
        "{:g} on the divergence from the prior, which is {:.3g}; {} Newton steps){}",
        why, lambda, fit.divergence.sum(), fit.iterations, LiftedNote(setting));
  } catch (const std::domain_error& error) {
    result.refusal = fmt::format("{}; and no nearest one: {}", why, error.what());
  }
  return result;
}

/// Whether each unknown is an entry of π, so that other π have the same combinations of unknowns.
bool HoldsEntriesOfPi(const Parametrisation& parameters) {
  const AffineMap* const map = parameters.affine();
  return map != nullptr && (map->A.array() != 0.0).count() == map->A.cols();
}

CompletedSet CompleteBase(const Setting& setting, const PreparedCell& context,
                          const TrialData& data, const Estimate& estimate, bool nearest) {
  const Parametrisation& parameters = data.problem().parameters;
  Eigen::MatrixXd B(parameters.size(), parameters.pi_size());
  for (Eigen::Index k = 0; k < B.cols(); ++k) {
    B.col(k) = parameters.FromPi(Eigen::VectorXd::Unit(B.cols(), k));
  }
  Eigen::VectorXd beta = estimate.x;
  if (estimate.combinations) {
    B = (estimate.combinations->B * B).eval();
    beta = estimate.combinations->B * beta;
  }
  const auto begin = std::chrono::steady_clock::now();
  const NearestConsistentSet found = FindNearestConsistent(setting.variables, B, beta);
  CompletedSet result;
  result.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  const bool consistent = found.feasible && found.set.converged &&
                          NotConsistent(context.problem().model, setting, found.set.pi).empty();
  if (consistent) {
    result.pi = found.set.pi;
    result.note = fmt::format(
        "the consistent set nearest to the prior that reproduces the base parameters (divergence "
        "{:.3g}, {} Newton steps){}",
        found.set.divergence.sum(), found.set.iterations, LiftedNote(setting));
    return result;
  }
  const std::string why = fmt::format(
      "no bodies have these base parameters: pseudo-inertias fall short of being "
      "positive definite, in the least violation that there is {}",
      Violations(context.problem().model, setting, found.margin));
  if (nearest) {
    return LeastResidual(setting, context, data, Filled(setting, context, estimate), why);
  }
  result.refusal = why + "; --export-nearest writes the consistent set of least torque residual";
  return result;
}

}  // namespace

CompletedSet Complete(const Robot& robot, const PreparedCell& context, const TrialData& data,
                      const Estimate& estimate, bool nearest) {
  const Setting setting = MakeSetting(robot, context, data);
  CompletedSet result;
  if (!setting.refusal.empty()) {
    result.refusal = setting.refusal;
    return result;
  }
  const Parametrisation& parameters = context.problem().parameters;
  const bool combined = estimate.combinations && HoldsEntriesOfPi(parameters);
  if (parameters.representative || combined) {
    return CompleteBase(setting, context, data, estimate, nearest);
  }
  const Eigen::VectorXd filled = Filled(setting, context, estimate);
  const std::string inconsistent = InconsistentLinks(robot.model, setting, filled);
  if (inconsistent.empty()) {
    result.pi = filled;
    result.note = "as estimated";
    return result;
  }
  const std::string why = "no body has the estimated inertia of " + inconsistent;
  if (nearest) return LeastResidual(setting, context, data, filled, why);
  result.refusal = why + "; --export-nearest writes the consistent set of least torque residual";
  return result;
}

}  // namespace idbench
