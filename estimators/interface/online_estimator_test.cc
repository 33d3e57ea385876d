#include "estimators/interface/online_estimator.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "estimators/observers/observer_registry.h"
#include "estimators/online/ekf.h"
#include "estimators/registry.h"
#include "estimators/solvers/entropic_prior.h"
#include "estimators/synthetic_test.h"
#include "robots/dynamics/allocation_count_test.h"

namespace idbench {
namespace {

/// A problem that every online method takes.
Synthetic OnlineRobot(const char* name = "planar2",
                      const std::vector<PlacedEquation>& equations = {Equation::kTorque},
                      const char* parametrisation = "standard") {
  Synthetic robot(name, parametrisation, equations);
  robot.Declare(Eigen::VectorXd::LinSpaced(robot.problem.row_count(), 0.5, 0.05), 0.2);
  return robot;
}

/// Calls `check` with a new object of each online method.
void ForEveryOnlineMethod(const std::function<void(OnlineEstimator&)>& check) {
  int count = 0;
  for (const EstimatorEntry& entry : EstimatorRegistry()) {
    const std::unique_ptr<Estimator> estimator = entry.make();
    auto* online = dynamic_cast<OnlineEstimator*>(estimator.get());
    if (online == nullptr) continue;
    ++count;
    CAPTURE(entry.type);
    check(*online);
  }
  CHECK(count > 0);
}

void CheckSameBits(const Estimate& a, const Estimate& b) {
  CHECK(a.outcome == b.outcome);
  CHECK(a.reason == b.reason);
  CHECK(a.x == b.x);
  CHECK(a.pi == b.pi);
  CHECK(a.covariance == b.covariance);
  CHECK(a.diagnostics == b.diagnostics);
  CHECK(a.notes == b.notes);
}

TEST_CASE("Fed sample by sample, a method returns the bits of its run over the recording") {
  const Synthetic robot = OnlineRobot("planar2", {Equation::kWrench, Equation::kTorque});
  const std::vector<Dataset> datasets = {robot.Record("a", 60), robot.Record("b", 40)};
  ForEveryOnlineMethod([&](OnlineEstimator& method) {
    Estimate batch = method.Run(robot.problem, datasets);
    REQUIRE_MESSAGE(batch.ok(), batch.reason);
    method.Begin(robot.problem);
    SampleReader reader(robot.problem, datasets);
    Sample sample(robot.problem);
    while (reader.Next(std::numeric_limits<double>::infinity(), sample)) {
      method.Update(sample);
      if (reader.count() % 7 == 0) method.Current();  // looking changes nothing
    }
    Estimate current = method.Current();
    if (batch.diagnostics.contains("linearisation_error_sigma")) {
      // All data tell what linearisations missed, and what that leaves of σ.
      for (Estimate* estimate : {&current, &batch}) {
        estimate->covariance.reset();
        estimate->diagnostics.erase("linearisation_error_sigma");
        estimate->notes.clear();
      }
    }
    CheckSameBits(current, batch);
  });
}

TEST_CASE("Before the first sample an online method returns the prior") {
  const Synthetic robot = OnlineRobot();
  ForEveryOnlineMethod([&](OnlineEstimator& method) {
    method.Begin(robot.problem);
    const Estimate estimate = method.Current();
    REQUIRE(estimate.ok());
    const Parametrisation::Prior& prior = *robot.problem.parameters.prior;
    CHECK((estimate.x - prior.mean).norm() < 1e-14 * prior.mean.norm());
    // What the problem says of it, or what the bodies do.
    const EntropicPrior bodies(robot.problem);
    const Eigen::MatrixXd of_bodies =
        bodies.CovarianceOfX(bodies.Precision(1.0).cwiseInverse().asDiagonal());
    const auto is = [&](const Eigen::MatrixXd& covariance) {
      return (*estimate.covariance - covariance).norm() < 1e-14 * covariance.norm();
    };
    CHECK(is(*prior.covariance) != is(of_bodies));
    CHECK(estimate.pi == robot.problem.parameters.Pi(estimate.x));
  });
}

TEST_CASE("Updates allocate nothing") {
  const std::vector<PlacedEquation> equations = {Equation::kTorque, Equation::kWrench};
  for (const char* type : {"standard", "masses_moments_first_moments", "log_cholesky"}) {
    CAPTURE(type);
    const Synthetic robot = OnlineRobot("barrett_wam7", equations, type);
    const std::vector<Dataset> datasets = {robot.Record("a", 20)};
    ForEveryOnlineMethod([&](OnlineEstimator& method) {
      if (method.needs().problem.Has(Capability::kAffine) &&
          robot.problem.parameters.affine() == nullptr)
        return;
      SampleReader reader(robot.problem, datasets);
      Sample sample(robot.problem);
      method.Begin(robot.problem);
      while (reader.Next(std::numeric_limits<double>::infinity(), sample)) {
        const long before = allocation_count;
        method.Update(sample);
        CHECK(allocation_count == before);
      }
    });
  }
  const Synthetic robot = OnlineRobot();
  const long before = allocation_count;
  CHECK(robot.problem.parameters.Pi(robot.x()).size() > 0);
  CHECK(allocation_count > before);  // the counter counts
}

TEST_CASE("Observers allocate no more for more samples") {
  const Eigen::VectorXd sigma = Eigen::VectorXd::LinSpaced(7, 0.5, 0.05);
  for (const ObserverEntry& entry : ObserverRegistry()) {
    CAPTURE(entry.type);
    const std::unique_ptr<Observer> observer = entry.make();
    const bool of_wrench = TouchEverywhere(*observer, OnlineRobot("barrett_wam7").model);
    const Synthetic robot =
        OnlineRobot("barrett_wam7", {of_wrench ? Equation::kWrench : Equation::kTorque});
    const std::vector<Dataset> training = {robot.Record("a", 500, sigma)};
    const Dataset shorter = robot.Record("w", 1000, sigma, 1, Role::kApplication);
    const Dataset longer = robot.Record("w", 3000, sigma, 1, Role::kApplication);
    Estimate model;
    model.pi = robot.pi;
    const auto allocations = [&](const Dataset& watched) {
      const long before = allocation_count;
      const Observation observation = observer->Observe(robot.problem, model, training, watched);
      CHECK_MESSAGE(observation.ok(), observation.reason);
      return allocation_count - before;
    };
    allocations(shorter);  // whatever is made once
    CHECK(allocations(longer) == allocations(shorter));
  }
}

TEST_CASE("Filters find a payload of a robot that is known, and their updates allocate nothing") {
  Synthetic robot("barrett_wam7", "payload", {Equation::kTorque}, {}, {});
  robot.Declare(Eigen::VectorXd::LinSpaced(7, 0.5, 0.05));
  const std::vector<Dataset> datasets = {robot.Record("a", 400)};
  const Eigen::Vector4d truth(1.5, 0.01, 0.02, 0.025);
  CHECK((robot.x() - truth).norm() < 1e-14);  // round-off
  for (const char* type : {"ekf", "sigmoid_ekf"}) {
    CAPTURE(type);
    const std::unique_ptr<Estimator> made = FindEstimator(type)->make();
    auto& method = dynamic_cast<OnlineEstimator&>(*made);
    SampleReader reader(robot.problem, datasets);
    Sample sample(robot.problem);
    method.Begin(robot.problem);
    long allocations = 0;
    while (reader.Next(std::numeric_limits<double>::infinity(), sample)) {
      const long before = allocation_count;
      method.Update(sample);
      allocations += allocation_count - before;
    }
    CHECK(allocations == 0);
    const Estimate estimate = method.Current();
    REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
    // Without noise what is left is the prior's part: σ of 0.5 N·m on 400 samples beside 50 % of x.
    CHECK((estimate.x - truth).cwiseQuotient(truth).cwiseAbs().maxCoeff() < 0.02);
  }
}

TEST_CASE("An update leaves out the rows that a missing number spoils, and Current() counts them") {
  const Synthetic robot = OnlineRobot();
  const std::vector<Dataset> datasets = {robot.Record("a", 30)};
  ForEveryOnlineMethod([&](OnlineEstimator& method) {
    method.Begin(robot.problem);
    SampleReader reader(robot.problem, datasets);
    Sample sample(robot.problem);
    while (reader.Next(std::numeric_limits<double>::infinity(), sample)) {
      if (reader.count() == 11) sample.y[0] = std::nan("");
      // An arm's first joint carries the second, whose rows its motion enters too.
      if (reader.count() == 12) sample.q[1] = std::nan("");
      if (reader.count() == 13) sample.qdd[0] = std::numeric_limits<double>::infinity();
      method.Update(sample);
    }
    const Estimate estimate = method.Current();
    REQUIRE_MESSAGE(estimate.ok(), estimate.reason);
    CHECK(estimate.diagnostics.at("rows_left_out") == 1 + 2 + 2);
  });
}

TEST_CASE("What is out of order or of a wrong size is the caller's mistake") {
  const Synthetic robot = OnlineRobot();
  ForEveryOnlineMethod([&](OnlineEstimator& method) {
    Sample sample(robot.problem);
    CHECK_THROWS_WITH_AS(method.Update(sample), "Update: Begin() has to come first",
                         std::invalid_argument);
    CHECK_THROWS_WITH_AS(method.Current(), "Current: Begin() has to come first",
                         std::invalid_argument);
    method.Begin(robot.problem);
    sample.y.resize(3);
    CHECK_THROWS_WITH_AS(method.Update(sample), "Update: y has 3 numbers, expected 2",
                         std::invalid_argument);
    sample.qdd.resize(1);
    CHECK_THROWS_WITH_AS(method.Update(sample), "Update: qdd has 1 numbers, expected 2",
                         std::invalid_argument);
    if (!method.needs().problem.Has(Capability::kPrior)) return;
    Problem other = robot.problem;
    other.parameters.prior.reset();
    CHECK_THROWS_WITH_AS(method.Begin(other), "needs a prior: declare /problem/prior",
                         EstimationFailure);
    CHECK_THROWS_AS(method.Current(), std::invalid_argument);  // it did not begin
  });
}

TEST_CASE("One pass with snapshots has the bits of a run for each checkpoint, failures included") {
  const Synthetic robot = OnlineRobot();
  const std::vector<double> checkpoints_s = {0.1, 0.25, 0.4, 0.9};
  const std::vector<Dataset> good = {robot.Record("a", 31), robot.Record("b", 31)};
  const std::vector<Dataset> spoilt = {
      good[0], WithChannel(good[1], kJointVelocity,
                           [](Eigen::MatrixXd& samples) { samples(5, 0) = std::nan(""); })};
  const std::vector<Dataset> incomplete = {good[0], WithoutChannel(good[1], kJointTorque)};
  ForEveryOnlineMethod([&](OnlineEstimator& method) {
    for (const std::vector<Dataset>& datasets : {good, spoilt, incomplete}) {
      const std::vector<Estimate> estimates = method.RunAt(robot.problem, datasets, checkpoints_s);
      REQUIRE(estimates.size() == 5);
      for (std::size_t k = 0; k < 4; ++k) {
        CAPTURE(checkpoints_s[k]);
        CheckSameBits(estimates[k],
                      method.Run(robot.problem, RecordedUpTo(datasets, checkpoints_s[k])));
      }
      CheckSameBits(estimates[4], method.Run(robot.problem, datasets));
      CHECK(estimates[1].ok());
    }
  });
}

TEST_CASE("Where channels are to be resampled, each checkpoint is a run of its own") {
  Synthetic robot = OnlineRobot();
  robot.problem.alignment.policy = AlignmentPolicy::kResample;
  robot.problem.alignment.rate_hz = 130.0;
  const std::vector<Dataset> datasets = {robot.Record("a", 50)};
  ForEveryOnlineMethod([&](OnlineEstimator& method) {
    const std::vector<Estimate> estimates = method.RunAt(robot.problem, datasets, std::vector{0.2});
    REQUIRE(estimates.size() == 2);
    REQUIRE_MESSAGE(estimates[0].ok(), estimates[0].reason);
    CheckSameBits(estimates[0], method.Run(robot.problem, RecordedUpTo(datasets, 0.2)));
    CheckSameBits(estimates[1], method.Run(robot.problem, datasets));
  });
}

TEST_CASE("A track holds what is known after each sample, with the bits of a run until then") {
  const Synthetic robot = OnlineRobot();
  const std::vector<Dataset> datasets = {robot.Record("a", 31), robot.Record("b", 31)};
  const std::vector<double> checkpoints_s = {0.1, 0.45};
  ForEveryOnlineMethod([&](OnlineEstimator& method) {
    const std::vector<Estimate> tracked = method.Track(robot.problem, datasets, checkpoints_s);
    REQUIRE(tracked.size() == 3);
    CHECK(tracked[0].series.empty());
    const Series* const track = FindNamed(tracked.back().series, kParameters);
    const Series* const sigma = FindNamed(tracked.back().series, kParameterSigma);
    REQUIRE(track != nullptr);
    CHECK(FaultOf(*track) == "");
    CHECK(track->columns == robot.problem.parameters.names);
    REQUIRE(track->time_s.size() == 62);
    CHECK(track->time_s[10] == doctest::Approx(0.1));
    CHECK(track->time_s[31] == doctest::Approx(0.3));  // the second goes on where one ended
    const std::vector<Estimate> estimates = method.RunAt(robot.problem, datasets, checkpoints_s);
    for (std::size_t k = 0; k < 3; ++k) CheckSameBits(tracked[k], estimates[k]);
    for (const auto& [sample, estimate] :
         {std::pair{10, estimates[0]}, {46, estimates[1]}, {61, estimates[2]}}) {
      CHECK(track->values.row(sample).transpose() == estimate.x);
      // A run may review what the method states on the way, and then says so.
      if (estimate.notes.contains("sigma")) continue;
      CHECK((sigma != nullptr) == estimate.sigma().has_value());
      if (sigma != nullptr) CHECK(sigma->values.row(sample).transpose() == *estimate.sigma());
    }
    const std::vector<Dataset> incomplete = {WithoutChannel(datasets[0], kJointTorque)};
    const std::vector<Estimate> refused = method.Track(robot.problem, incomplete);
    REQUIRE(refused.size() == 1);
    CheckSameBits(refused[0], method.Run(robot.problem, incomplete));
    REQUIRE(refused[0].series.size() == 1);
    CHECK(refused[0].series[0].time_s.size() == 0);
  });
  CHECK_THROWS_AS(Ekf().Track(robot.problem, datasets, std::vector{0.2, 0.1}),
                  std::invalid_argument);
}

/// Counts samples, and cannot take in one of them.
class Brittle : public OnlineEstimator {
 public:
  explicit Brittle(int last) : last_(last) {}
  FieldTable Fields() override { return {}; }
  EstimatorNeeds needs() const override { return {}; }

 private:
  void Start(const Problem& problem) override {
    count_ = 0;
    size_ = problem.parameters.size();
  }
  void Absorb(const Sample&) override {
    if (++count_ == last_ + 1) throw EstimationFailure(Outcome::kDiverged, "one too many");
  }
  Estimate Snapshot() const override {
    Estimate estimate;
    estimate.x = Eigen::VectorXd::Constant(size_, count_);
    return estimate;
  }

  int last_, count_ = 0;
  Eigen::Index size_ = 0;
};

TEST_CASE("After an update that failed all later estimates fail, as a run until then does") {
  const Synthetic robot = Declared("planar2");
  const std::vector<Dataset> datasets = {robot.Record("a", 31)};
  const std::vector<double> checkpoints_s = {0.05, 0.15, 0.2};
  Brittle method(10);
  const std::vector<Estimate> tracked = method.Track(robot.problem, datasets, checkpoints_s);
  REQUIRE(tracked.size() == 4);
  CHECK(tracked[0].ok());
  REQUIRE(tracked[3].series.size() == 1);
  CHECK(tracked[3].series[0].time_s.size() == 10);
  for (std::size_t k = 0; k < 3; ++k) {
    CheckSameBits(tracked[k], method.Run(robot.problem, RecordedUpTo(datasets, checkpoints_s[k])));
  }
  CheckSameBits(tracked[3], method.Run(robot.problem, datasets));
  CHECK(tracked[3].reason == "one too many");
}

TEST_CASE("Without any sample an online run is refused") {
  const Synthetic robot = OnlineRobot();
  ForEveryOnlineMethod([&](OnlineEstimator& method) {
    const Estimate estimate = method.Run(robot.problem, std::vector{robot.Record("a", 0)});
    CHECK(estimate.outcome == Outcome::kRefused);
    CHECK(estimate.reason == "there are no samples");
  });
}

}  // namespace
}  // namespace idbench
