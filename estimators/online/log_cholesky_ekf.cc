#include "estimators/online/log_cholesky_ekf.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <iterator>

namespace idbench {
namespace {

constexpr LogCholeskyMap kMap;

}  // namespace

FieldTable Visit(LogCholeskyEkfOptions& o) {
  FieldTable table;
  table.Add("p0", o.p0,
            {.doc = "Initial covariance: that of the bodies' entropic divergence over lambda "
                    "(bodies), or that of the prior (prior)",
             .choices = {"bodies", "prior"}});
  AddBodyWeight(o.lambda, table);
  AddFields(o.process_noise, table);
  return table;
}

EstimatorNeeds LogCholeskyEkf::needs() const {
  using enum Capability;
  return ArmNeeds(Capabilities{kAffine, kPrior, kSigmaOfAll, kRowSigma} |
                  Capabilities::If(options_.p0 == InitialCovariance::kPrior, kPriorCovariance));
}

void LogCholeskyEkf::FindBodies(const Problem& problem) {
  const AffineMap& map = *problem.parameters.affine();
  pi0_ = map.pi0;
  bodies_.clear();
  std::vector<int> inertial;
  for (const int first : body_indices_) {
    const Eigen::MatrixXd A = map.A.middleRows(first, kInertialCount);
    Body body{first, {}, {}};
    for (int k = 0; k < A.cols(); ++k) {
      if (!A.col(k).isZero(0.0)) body.unknowns.push_back(k);
    }
    std::ranges::copy(body.unknowns, std::back_inserter(inertial));
    if (body.unknowns.size() != kInertialCount) {
      Refuse(
          fmt::format("needs all ten parameters of a body as unknowns; {} and others of its body "
                      "are {}; use the parametrisation 'standard'",
                      problem.parameters.names[static_cast<std::size_t>(body.unknowns.front())],
                      body.unknowns.size()));
    }
    // EntropicPrior has refused columns that depend on each other.
    body.inverse = A(Eigen::all, body.unknowns)
                       .fullPivLu()
                       .solve(Eigen::MatrixXd::Identity(kInertialCount, kInertialCount));
    bodies_.push_back(std::move(body));
  }
  others_.clear();
  for (int k = 0; k < problem.parameters.size(); ++k) {
    if (std::ranges::find(inertial, k) == inertial.end()) others_.push_back(k);
  }
}

Problem LogCholeskyEkf::InState(const Problem& problem) const {
  const AffineMap& map = *problem.parameters.affine();
  const Eigen::Index size = problem.parameters.size();
  AffineMap of_state{map.pi0, Eigen::MatrixXd::Zero(map.pi0.size(), size)};
  std::vector<MappedBody> mapped;
  int first_x = 0;
  for (const Body& body : bodies_) {
    of_state.pi0.segment<kInertialCount>(body.first_pi).setZero();
    mapped.push_back({body.first_pi, first_x, kMap});
    first_x += kInertialCount;
  }
  for (const int k : others_) of_state.A.col(first_x++) = map.A.col(k);
  Problem in_state = problem;
  in_state.parameters = Parametrisation(
      "log_cholesky", std::move(of_state), Eigen::MatrixXd::Zero(size, map.pi0.size()),
      problem.parameters.names, problem.parameters.units, std::move(mapped));
  return in_state;
}

Eigen::MatrixXd LogCholeskyEkf::Jacobian(const Eigen::VectorXd& state) const {
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(state.size(), state.size());
  Eigen::Index first = 0;
  for (const Body& body : bodies_) {
    const Eigen::MatrixXd own = body.inverse * kMap.Jacobian(state.segment<kInertialCount>(first));
    for (int k = 0; k < kInertialCount; ++k) {
      J.row(body.unknowns[static_cast<std::size_t>(k)]).segment<kInertialCount>(first) = own.row(k);
    }
    first += kInertialCount;
  }
  for (const int k : others_) J(k, first++) = 1.0;
  return J;
}

FrameDependence LogCholeskyEkf::frame_dependence() const {
  return {.by = "its state", .by_prior_sigma = options_.p0 == InitialCovariance::kPrior};
}

void LogCholeskyEkf::Start(const Problem& problem) {
  const EntropicPrior prior(problem);
  Eigen::MatrixXd covariance;
  if (options_.p0 == InitialCovariance::kPrior) {
    covariance = *problem.parameters.prior->covariance;
  } else {
    prior.RequireAllSaid();
    covariance = prior.Spread(prior.Weight(options_.lambda))->covariance;
  }
  own_prior_ = covariance;
  body_indices_ = prior.bodies();
  FindBodies(problem);
  const Eigen::VectorXd pi = problem.parameters.Pi(prior.x0());
  Eigen::VectorXd state(prior.x0().size());
  Eigen::Index first = 0;
  for (const Body& body : bodies_) {
    state.segment<kInertialCount>(first) = kMap.FromPi(pi.segment<kInertialCount>(body.first_pi));
    first += kInertialCount;
  }
  for (const int k : others_) state[first++] = prior.x0()[k];
  const Eigen::PartialPivLU<Eigen::MatrixXd> J(Jacobian(state));
  const Eigen::MatrixXd half = J.solve(covariance);
  const Eigen::MatrixXd of_state = J.solve(half.transpose());
  StartFilter(InState(problem), state, 0.5 * (of_state + of_state.transpose()));
}

Estimate LogCholeskyEkf::Snapshot() const {
  const Eigen::VectorXd& state = filter_->state();
  Estimate estimate;
  estimate.x.resize(state.size());
  Eigen::VectorXd pi = pi0_;
  Eigen::Index first = 0;
  for (const Body& body : bodies_) {
    auto own = pi.segment<kInertialCount>(body.first_pi);
    own = kMap.Pi(state.segment<kInertialCount>(first));
    estimate.x(body.unknowns) = body.inverse * (own - pi0_.segment<kInertialCount>(body.first_pi));
    first += kInertialCount;
  }
  for (const int k : others_) estimate.x[k] = state[first++];
  const Eigen::MatrixXd J = Jacobian(state);
  const Eigen::MatrixXd covariance = J * filter_->covariance() * J.transpose();
  estimate.covariance = 0.5 * (covariance + covariance.transpose());
  estimate.own_prior = {own_prior_};
  StateDiagnostics(*filter_, estimate);
  if (!bodies_.empty()) {
    estimate.diagnostics["least_pseudo_inertia_margin"] =
        LeastPseudoInertiaMargin(pi, body_indices_);
  }
  return estimate;
}

}  // namespace idbench
