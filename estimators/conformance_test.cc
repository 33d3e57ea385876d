#include "estimators/conformance_test.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "estimators/interface/estimate_test.h"
#include "estimators/interface/recorded_time.h"
#include "estimators/solvers/entropic_prior.h"

/// Laws about what methods return.
namespace idbench {

void ForEveryMethod(const std::function<void(const Claims&, const EstimatorEntry&)>& law,
                    bool (*applies)(const Claims&)) {
  for (const Claims& claims : kClaims) {
    if (!applies(claims)) continue;
    CAPTURE(claims.type);
    law(claims, *FindEstimator(claims.type));
  }
}

Estimate RunFresh(const EstimatorEntry& entry, const Problem& problem,
                  const std::vector<Dataset>& datasets) {
  return entry.make()->Run(problem, datasets);
}

Eigen::VectorXd Solve(const EstimatorEntry& entry, const Problem& problem,
                      const std::vector<Dataset>& datasets) {
  const Estimate estimate = RunFresh(entry, problem, datasets);
  REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
  return estimate.x;
}

const Synthetic& Planar2(const Claims& claims) {
  static const Synthetic base = Declared("planar2");
  static const Synthetic standard = Declared("planar2", "standard");
  return std::string_view(claims.parametrisation) == "standard" ? standard : base;
}

std::vector<Dataset> NoisyPair(const Synthetic& robot) {
  return {robot.Record("a", 150, kSigma), robot.Record("b", 100, kSigma)};
}

bool ReadsData(const Claims& claims) { return claims.reads_data; }

namespace {

bool IsBatch(const Claims& claims) { return claims.batch; }

/// RMS of the torques of x less the true ones, on states that no recording has.
double TorqueError(const Synthetic& robot, const Eigen::VectorXd& x) {
  const Dynamics dynamics(robot.model, robot.problem.friction);
  Dynamics::Scratch scratch(dynamics);
  const FixedStates states = MakeFixedStates(robot.model, 100, 7);
  Eigen::MatrixXd tau(100, robot.model.dofs());
  dynamics.InverseDynamics(robot.problem.parameters.Pi(x) - robot.pi, states.samples(), scratch,
                           tau);
  return tau.norm() / 10.0;
}

/// The problem of a robot so much heavier.
Synthetic Larger(Synthetic robot, double factor) {
  for (EquationRows& rows : robot.problem.rows) rows.sigma *= factor;
  Parametrisation& parameters = robot.problem.parameters;
  parameters.lower *= factor;
  parameters.upper *= factor;
  parameters.prior->mean *= factor;
  *parameters.prior->covariance *= factor * factor;
  return robot;
}

/// Its torques.
Dataset Scaled(const Dataset& dataset, double factor) {
  return WithChannel(dataset, kJointTorque,
                     [factor](Eigen::MatrixXd& samples) { samples *= factor; });
}

TEST_CASE("Every method of the registry has stated its claims") {
  // Those that estimate walkers have theirs in walker_conformance_test.cc, those for gains and
  // offsets in estimators/motors.
  const auto count = std::ranges::count_if(EstimatorRegistry(), [](const EstimatorEntry& entry) {
    const Capabilities needs = entry.make()->needs().problem;
    using enum Capability;
    return !needs.Has(kLagrangian) && !needs.Has(kMeasuredColumns) && !needs.Has(kDriveRows) &&
           !needs.Has(kUnknownOffsets);
  });
  REQUIRE(count == std::ssize(kClaims));
  for (const Claims& claims : kClaims) CHECK(FindEstimator(claims.type) != nullptr);
}

/// ‖y(x) − y‖ over the equations on fixed states.
double PredictionError(const Synthetic& robot, const Eigen::VectorXd& x) {
  const FixedStates states = MakeFixedStates(robot.model, 100, 1);
  const Dynamics dynamics(robot.model, robot.problem.friction);
  Dynamics::Scratch scratch(dynamics);
  Eigen::MatrixXd tau(states.q.rows(), dynamics.dofs());
  dynamics.InverseDynamics(robot.problem.parameters.Pi(x) - robot.problem.parameters.Pi(robot.x()),
                           states.samples(), scratch, tau);
  return tau.norm();
}

TEST_CASE(
    "Without noise the truth is recovered, by a ridge up to its bias, by a prior not at all") {
  for (const char* name : {"planar1", "planar2", "planar3"}) {
    CAPTURE(name);
    ForEveryMethod([&](const Claims& claims, const EstimatorEntry& entry) {
      const Synthetic robot = Declared(name, claims.parametrisation);
      const Eigen::VectorXd prior = robot.problem.parameters.prior->mean;
      const Eigen::VectorXd x = Solve(entry, robot.problem, {robot.Record("a", 400)});
      if (!claims.reads_data) {
        CHECK(x == prior);
      } else if (!claims.uses_prior) {
        CHECK(RelativeError(x, robot.x()) < 1e-9);  // 1e-16·condition², condition below 1000
      } else {
        // Of standard parameters the truth shows in what it predicts.
        CHECK(PredictionError(robot, x) < 0.2 * PredictionError(robot, prior));
        if (!robot.problem.parameters.representative) return;
        CHECK(RelativeError(x, robot.x()) < 0.2 * RelativeError(prior, robot.x()));
      }
    });
  }
}

TEST_CASE("Rows that count suffice, whatever was read of the others") {
  ForEveryMethod([&](const Claims& claims, const EstimatorEntry& entry) {
    Synthetic robot("planar3", claims.parametrisation,
                    {PlacedEquation(Equation::kTorque, -1, {0, 1})});
    robot.Declare(kSigma, 0.2);
    const Dataset recorded = robot.Record("a", 400, kSigma);
    const Dataset lossy = WithChannel(recorded, kJointTorque, [](Eigen::MatrixXd& samples) {
      samples.col(2).setConstant(std::numeric_limits<double>::quiet_NaN());
    });
    const Eigen::VectorXd x = Solve(entry, robot.problem, {lossy});
    CHECK(x == Solve(entry, robot.problem, {recorded}));
    if (!claims.reads_data) return;
    CHECK(PredictionError(robot, x) <
          0.2 * PredictionError(robot, robot.problem.parameters.prior->mean));
  });
}

TEST_CASE("A ridge misses noise-free torques by no more than its pull on the truth") {
  // x̂ costs at most what the truth costs: ‖y − Wx̂‖² ≤ λ·Σ_k ‖W e_k‖²·(x_k − x0_k)².
  const Synthetic robot = Declared("planar2");
  const Dataset dataset = robot.Record("a", 400);
  const Eigen::VectorXd x = Solve(*FindEstimator("ridge"), robot.problem, {dataset});
  const Dynamics dynamics(robot.model, robot.problem.friction);
  Dynamics::Scratch scratch(dynamics);
  const auto squared_torque = [&](const Eigen::VectorXd& unknowns) {
    Eigen::MatrixXd tau(400, 2);
    dynamics.InverseDynamics(
        robot.problem.parameters.Pi(unknowns),
        {dataset.Get(kJointPosition).samples, dataset.Get(kJointVelocity).samples,
         dataset.Get(kJointAcceleration).samples},
        scratch, tau);
    return tau.squaredNorm();
  };
  const Eigen::VectorXd from_prior = robot.x() - robot.problem.parameters.prior->mean;
  double bound = 0.0;
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    bound +=
        1e-4 * squared_torque(Eigen::VectorXd::Unit(x.size(), k)) * from_prior[k] * from_prior[k];
  }
  const double missed = squared_torque(x - robot.x());
  CHECK(missed <= bound);
  CHECK(missed > 0.0);
}

TEST_CASE("The same input gives the same bits: again, by another object, and after other work") {
  ForEveryMethod([&](const Claims& claims, const EstimatorEntry& entry) {
    const Synthetic& robot = Planar2(claims);
    const std::vector<Dataset> datasets = NoisyPair(robot);
    const Synthetic other = Declared("planar3", claims.parametrisation);
    const std::vector<Dataset> other_datasets = {other.Record("c", 90)};
    const std::unique_ptr<Estimator> estimator = entry.make();
    const Estimate first = estimator->Run(robot.problem, datasets);
    REQUIRE_MESSAGE(first.ok(), first.reason);
    estimator->Run(other.problem, other_datasets);
    for (const Estimate& again :
         {estimator->Run(robot.problem, datasets), RunFresh(entry, robot.problem, datasets)}) {
      CHECK(again.x == first.x);
      CHECK(again.pi == first.pi);
      CHECK(again.covariance == first.covariance);
      CHECK(again.diagnostics == first.diagnostics);
      CHECK(again.notes == first.notes);
    }
  });
}

TEST_CASE("Problem and data stay as they are") {
  ForEveryMethod([&](const Claims& claims, const EstimatorEntry& entry) {
    const Synthetic robot = Declared("planar2", claims.parametrisation);
    const std::vector<Dataset> datasets = NoisyPair(robot);
    const std::vector<Dataset> before = NoisyPair(robot);
    const Synthetic same = Planar2(claims);
    Solve(entry, robot.problem, datasets);
    for (std::size_t k = 0; k < datasets.size(); ++k) {
      for (const Channel& channel : before[k].channels()) {
        CHECK(datasets[k].Get(channel.name).samples == channel.samples);
        CHECK(datasets[k].Get(channel.name).time_s == channel.time_s);
      }
    }
    CHECK(robot.problem.parameters.prior->mean == same.problem.parameters.prior->mean);
    CHECK(robot.problem.parameters.affine()->A == same.problem.parameters.affine()->A);
  });
}

TEST_CASE("Torques and prior that are larger by a factor give unknowns and sigmas larger by it") {
  for (const double factor : {1e-3, 40.0}) {
    CAPTURE(factor);
    ForEveryMethod([&](const Claims& claims, const EstimatorEntry& entry) {
      const Synthetic& robot = Planar2(claims);
      const std::vector<Dataset> datasets = NoisyPair(robot);
      const Synthetic larger = Larger(robot, factor);
      const std::vector<Dataset> scaled = {Scaled(datasets[0], factor),
                                           Scaled(datasets[1], factor)};
      const Estimate plain = RunFresh(entry, robot.problem, datasets);
      const Estimate heavy = RunFresh(entry, larger.problem, scaled);
      REQUIRE((plain.ok() && heavy.ok()));
      CHECK(RelativeError(heavy.x, factor * plain.x) < 1e-11);
      REQUIRE(heavy.covariance.has_value() == plain.covariance.has_value());
      if (plain.sigma()) CHECK(RelativeError(*heavy.sigma(), factor * *plain.sigma()) < 1e-9);
    });
  }
}

/// The same problem with unknown k in units that are 10^−(k % 4) as large.
struct OtherUnits {
  Eigen::VectorXd units;
  Problem problem;

  explicit OtherUnits(const Problem& original) : problem(original) {
    const Parametrisation& parameters = original.parameters;
    units = Eigen::VectorXd::NullaryExpr(parameters.size(), [](Eigen::Index k) {
      return std::pow(10.0, static_cast<double>(k % 4));
    });
    const AffineMap& map = *parameters.affine();
    problem.parameters =
        Parametrisation("grams", {map.pi0, map.A * units.cwiseInverse().asDiagonal()},
                        Eigen::MatrixXd::Zero(parameters.size(), parameters.pi_size()),
                        parameters.names, parameters.units);
    problem.parameters.lower = units.cwiseProduct(parameters.lower);
    problem.parameters.upper = units.cwiseProduct(parameters.upper);
    problem.parameters.prior = Parametrisation::Prior{
        units.cwiseProduct(parameters.prior->mean),
        units.asDiagonal() * *parameters.prior->covariance * units.asDiagonal()};
  }
};

TEST_CASE("Other units of the unknowns change nothing else") {
  ForEveryMethod([&](const Claims& claims, const EstimatorEntry& entry) {
    const Synthetic& robot = Planar2(claims);
    const std::vector<Dataset> datasets = NoisyPair(robot);
    const OtherUnits grams(robot.problem);
    const Eigen::VectorXd x = Solve(entry, grams.problem, datasets).cwiseQuotient(grams.units);
    CHECK(RelativeError(x, Solve(entry, robot.problem, datasets)) < 1e-10);
  });
}

TEST_CASE("The order of the recordings does not matter to a batch method") {
  ForEveryMethod(
      [&](const Claims& claims, const EstimatorEntry& entry) {
        const Synthetic& robot = Planar2(claims);
        const std::vector<Dataset> datasets = NoisyPair(robot);
        const std::vector<Dataset> swapped = {datasets[1], datasets[0]};
        const Estimate estimate = RunFresh(entry, robot.problem, datasets);
        const Estimate other = RunFresh(entry, robot.problem, swapped);
        REQUIRE((estimate.ok() && other.ok()));
        CHECK(RelativeError(other.x, estimate.x) < 1e-11);  // sums in another order
        REQUIRE(other.covariance.has_value() == estimate.covariance.has_value());
        if (estimate.sigma()) CHECK(RelativeError(*other.sigma(), *estimate.sigma()) < 1e-9);
      },
      &IsBatch);
}

TEST_CASE("At a checkpoint an estimate has the bits of one from what was recorded by then") {
  const std::vector<double> checkpoints_s = {0.02, 0.5, 1.49, 2.0};
  ForEveryMethod([&](const Claims& claims, const EstimatorEntry& entry) {
    const Synthetic& robot = Planar2(claims);
    const std::vector<Dataset> datasets = NoisyPair(robot);
    const std::vector<Estimate> estimates =
        entry.make()->RunAt(robot.problem, datasets, checkpoints_s);
    REQUIRE(estimates.size() == 5);
    for (std::size_t k = 0; k < 5; ++k) {
      const Estimate expected = RunFresh(
          entry, robot.problem, k < 4 ? RecordedUpTo(datasets, checkpoints_s[k]) : datasets);
      CHECK(estimates[k].outcome == expected.outcome);
      CHECK(estimates[k].reason == expected.reason);
      CHECK(estimates[k].x == expected.x);
      CHECK(estimates[k].covariance == expected.covariance);
    }
  });
}

TEST_CASE("Unknowns that π is not affine in are taken, or refused by name before a run") {
  for (const char* type : {"masses_moments_first_moments", "log_cholesky"}) {
    CAPTURE(type);
    const Synthetic robot = Declared("planar2", type);
    const std::vector<Dataset> datasets = NoisyPair(robot);
    const double of_prior = TorqueError(robot, robot.problem.parameters.prior->mean);
    ForEveryMethod([&](const Claims& claims, const EstimatorEntry& entry) {
      const Estimate estimate = RunFresh(entry, robot.problem, datasets);
      if (entry.make()->needs().problem.Has(Capability::kAffine)) {
        const std::string need =
            "needs a parametrisation that is affine in x; '" + std::string(type) + "' is not";
        CHECK(UnmetNeeds(entry.make()->needs(), robot.problem) == std::vector{need});
        CHECK(estimate.outcome == Outcome::kRefused);
        return;
      }
      REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
      CHECK(estimate.pi == robot.problem.parameters.Pi(estimate.x));
      if (claims.reads_data) CHECK(TorqueError(robot, estimate.x) < 0.2 * of_prior);
    });
  }
}

TEST_CASE("Data for validation and tuning are not looked at") {
  const Synthetic robot = Declared("planar2");
  const std::vector<Dataset> datasets = NoisyPair(robot);
  std::vector<Dataset> poisoned = datasets;
  for (const Role role : {Role::kValidation, Role::kTuning}) {
    Dataset poison = robot.Record("poison", 100, {}, 0, role);
    for (const std::string_view channel :
         {kJointPosition, kJointVelocity, kJointAcceleration, kJointTorque}) {
      poison = WithChannel(poison, channel,
                           [](Eigen::MatrixXd& samples) { samples.setConstant(std::nan("")); });
    }
    poisoned.insert(poisoned.begin(), poison);
  }
  ForEveryMethod([&](const Claims& claims, const EstimatorEntry& entry) {
    const Problem& problem = Planar2(claims).problem;
    CHECK(Solve(entry, problem, poisoned) == Solve(entry, problem, datasets));
  });
}

TEST_CASE("Who claims to keep bodies physical does, also where the data ask for what none has") {
  Synthetic robot = Declared("planar2", "standard");
  const ParameterLayout layout(2);
  // The last link's moment about its joint shows in the torques.
  robot.pi[layout.Body(1) + 6] *= -2.0;
  const std::vector<Dataset> datasets = NoisyPair(robot);
  const auto least_margin = [&](const EstimatorEntry& entry) {
    const Estimate estimate = RunFresh(entry, robot.problem, datasets);
    REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
    return LeastPseudoInertiaMargin(estimate.pi, {layout.Body(0), layout.Body(1)});
  };
  ForEveryMethod(
      [&](const Claims&, const EstimatorEntry& entry) { CHECK(least_margin(entry) > 0.0); },
      [](const Claims& claims) { return claims.keeps_bodies; });
  CHECK(least_margin(*FindEstimator("map")) < 0.0);  // the data do ask for it
}

}  // namespace
}  // namespace idbench
