#include "estimators/online/rls.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <cmath>
#include <utility>

#include "estimators/solvers/in_coordinates.h"
#include "estimators/solvers/seen_directions.h"
#include "estimators/solvers/stated_covariance.h"

namespace idbench {

FieldTable Visit(RlsOptions& o) {
  FieldTable table;
  table.Add("forgetting_time_s", o.forgetting_time_s,
            {.doc = "Time after which the weight of a sample has fallen to 1/e; null: "
                    "all samples weigh the same",
             .unit = "s",
             .lower = 0.0,
             .lower_open = true});
  return table;
}

EstimatorNeeds Rls::needs() const { return ArmNeeds({Capability::kAffine}); }

void Rls::SetCoordinates(const Parametrisation& parameters, const Eigen::MatrixXd& columns) {
  const auto& prior = parameters.prior;
  const Eigen::Index size = parameters.size();
  has_prior_ = prior && prior->covariance;
  if (!has_prior_) {
    coordinates_.mean = prior ? prior->mean : Eigen::VectorXd(Eigen::VectorXd::Zero(size));
    coordinates_.root = InverseColumnNorms(columns).asDiagonal();
    W_ = SeenDirections(columns * coordinates_.root, parameters.representative);
    coordinates_.free = size;
    hidden_ = Eigen::MatrixXd::Zero(size, 0);
    return;
  }
  coordinates_ = CoordinatesOf(*prior);
  const Eigen::Index free = coordinates_.free;
  const Eigen::MatrixXd S = coordinates_.root.leftCols(size);
  Eigen::MatrixXd V1(size, 0);  // where nothing is known of all that shows
  if (free == 0 || !S.isZero(0.0)) V1 = SeenDirections(columns * S, parameters.representative);
  // To the last digit beside V₁: a wide prior must not add to what the data tell.
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(V1);
  const Eigen::MatrixXd all = qr.householderQ() * Eigen::MatrixXd::Identity(size, size);
  hidden_ = S * all.rightCols(size - V1.cols());
  W_ = Eigen::MatrixXd::Zero(size + free, V1.cols() + free);
  W_.topLeftCorner(size, V1.cols()) = V1;
  W_.bottomRightCorner(free, free).setIdentity();
}

void Rls::Start(const Problem& problem) {
  declared_ = DeclaresAllSigma(problem);
  seen_ = SeenBesidePrior(problem);
  const Problem weighted = WithSigmaOrOne(seen_ ? seen_->problem : problem);
  names_ = weighted.parameters.names;
  SetCoordinates(weighted.parameters, ColumnsOnFixedStates(weighted));
  const Eigen::MatrixXd T = coordinates_.root * W_;
  regression_.emplace(InCoordinates(weighted, coordinates_.mean, T));
  Eigen::VectorXd precision = Eigen::VectorXd::Zero(T.cols());
  if (has_prior_) precision.head(T.cols() - coordinates_.free).setOnes();
  filter_.emplace(RowNoise(weighted, T.cols()), precision);
  origin_ = Eigen::VectorXd::Zero(T.cols());
  residual_.resize(problem.row_count());
  last_t_s_.reset();
}

void Rls::Absorb(const Sample& sample) {
  Forget(sample.t_s);
  regression_->Evaluate(sample);
  regression_->Residual(sample, origin_, residual_);
  filter_->Correct(regression_->H(), residual_);
}

void Rls::Forget(double t_s) {
  if (!options_.forgetting_time_s) return;
  if (last_t_s_) filter_->Forget(std::exp(-0.5 * (t_s - *last_t_s_) / *options_.forgetting_time_s));
  last_t_s_ = t_s;
}

Estimate Rls::Snapshot() const {
  Estimate estimate = StateSolution();
  return seen_ ? CarriedOver(*seen_, std::move(estimate)) : estimate;
}

Estimate Rls::StateSolution() const {
  const Eigen::Index size = filter_->size();
  const auto undetermined = [&](Eigen::Index rank, const Eigen::VectorXd& part) {
    if (has_prior_) {
      Eigen::VectorXd of_all = Eigen::VectorXd::Zero(coordinates_.root.cols());
      of_all.tail(coordinates_.free) = part.tail(coordinates_.free);
      return DescribeUndetermined(coordinates_, names_, of_all);
    }
    return fmt::format(
        "the data determine {} of {} base parameters by now; record more, or state how far the "
        "prior may be off (/problem/prior/std)",
        rank, size);
  };
  const InformationFilter::Solution solution = filter_->Solve(undetermined);
  Estimate estimate;
  estimate.x = coordinates_.mean + coordinates_.root * (W_ * solution.c);
  estimate.knows_hidden = has_prior_;
  if (coordinates_.free == 0 || !has_prior_) {
    estimate.diagnostics["base_parameters"] = static_cast<double>(size);
  }
  estimate.diagnostics["condition"] = solution.condition;
  StateDiagnostics(*filter_, estimate);
  if (!declared_) estimate.diagnostics.erase("normalised_innovation_squared");
  if (!declared_ && has_prior_) {
    estimate.notes["weights"] =
        "the prior's σ beside rows whose σ is not declared: they weigh as if it were 1";
  }
  StateCovariance(solution.covariance, estimate);
  return estimate;
}

void Rls::StateCovariance(const Eigen::MatrixXd& covariance, Estimate& estimate) const {
  const bool hides = !has_prior_ && filter_->size() < coordinates_.root.cols();
  if (options_.forgetting_time_s) {
    estimate.notes["covariance"] = "none stated: what is forgotten is not what is uncertain";
  } else if (!declared_) {
    estimate.notes["covariance"] = "none stated: no σ is declared for all equation rows";
  } else if (hides) {
    estimate.notes["covariance"] = "none stated: the equations do not tell all unknowns apart";
  } else {
    // What the equations do not see keeps the covariance of the prior.
    const Eigen::MatrixXd shown = coordinates_.root * W_;
    const Eigen::MatrixXd of_x =
        shown * covariance * shown.transpose() + hidden_ * hidden_.transpose();
    estimate.covariance = 0.5 * (of_x + of_x.transpose());
  }
}

void Rls::Review(const Problem& problem, std::span<const Dataset> datasets,
                 Estimate& estimate) const {
  ReviewStated(seen_, problem, datasets, StatedFor::kDeclaredNoise, estimate);
}

}  // namespace idbench
