#include "bench/run/timing.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "bench/small_run_test.h"
#include "estimators/interface/online_estimator.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// An estimator that does what the test says.
class Watched : public Estimator {
 public:
  explicit Watched(std::function<Estimate(const Problem&, std::span<const Dataset>)> script)
      : script_(std::move(script)) {}
  FieldTable Fields() override { return {}; }
  EstimatorNeeds needs() const override { return {}; }

 protected:
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) override {
    return script_(problem, datasets);
  }

 private:
  std::function<Estimate(const Problem&, std::span<const Dataset>)> script_;
};

Estimate Zeros(const Problem& problem) {
  Estimate estimate;
  estimate.x = Eigen::VectorXd::Zero(problem.parameters.size());
  return estimate;
}

/// What TimeCell() writes of a scenario's first cell, with the estimators that `make` makes.
std::vector<Json> Timings(const Json& json, const EstimatorSource& make) {
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  std::istringstream stream(TimeCell(context, 7, make, {json["timing_trials"]}));
  std::vector<Json> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(Json::parse(line));
  return lines;
}

TEST_CASE("When the time is up no further trial is timed, and one always is") {
  const LoadedScenario loaded = Load(Description());
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  int rounds = 0;
  const auto count = [&rounds] { ++rounds; };
  TimeCell(context, 0, &MakeEstimators, {.trials = 5, .most_s = -1.0}, count);
  CHECK(rounds == 1);
  TimeCell(context, 0, &MakeEstimators, {.trials = 5}, count);
  CHECK(rounds == 6);
}

TEST_CASE("A run times as many as the scenario asks for, and else no longer than accuracy took") {
  Json json = Description();
  json.erase("sweep");
  json["estimators"] = {{"ols", Json::object()}};
  json["trials"] = 1;
  const auto slow = [](const Scenario&) {
    LabelledEstimators estimators;
    estimators.emplace_back(
        "ols", std::make_unique<Watched>([](const Problem& problem, std::span<const Dataset>) {
          std::this_thread::sleep_for(std::chrono::milliseconds(100));
          return Zeros(problem);
        }));
    return estimators;
  };
  const auto timed = [&](const Json& trials) {
    json["timing_trials"] = trials;
    const TemporaryFolder folder;
    const std::filesystem::path run = folder.path() / "run";
    RunScenario(Load(json), {.folder = run, .jobs = 1, .estimators = slow});
    return std::ranges::count(ReadText(run / "timings.jsonl"), '\n');
  };
  // Accuracy takes about 0.1 s, timing may take 1 s: 20 estimates would take 2 s.
  const auto unasked = timed(nullptr);
  CHECK(unasked >= 1);
  CHECK(unasked < 15);
  CHECK(timed(14) == 14);
}

TEST_CASE("Estimators take turns to be first, on trials spread over those that there are") {
  Json json = Description();
  json["trials"] = 2;
  json["timing_trials"] = 4;
  std::string order;
  std::vector<std::string> torques;
  const auto make = [&](const auto& /*scenario*/) {
    LabelledEstimators estimators;
    for (const std::string label : {"a", "b", "c"}) {
      estimators.emplace_back(
          label, std::make_unique<Watched>([&, label](const Problem& problem,
                                                      std::span<const Dataset> datasets) {
            order += label;
            torques.push_back(std::to_string(datasets[0].Get(kJointTorque).samples(0, 0)));
            return Zeros(problem);
          }));
    }
    return estimators;
  };
  const std::vector<Json> lines = Timings(json, make);
  CHECK(order == "abcbcacababc");
  REQUIRE(lines.size() == 12);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    CAPTURE(k);
    CHECK(lines[k]["cell"] == 7);
    CHECK(lines[k]["estimator"] == std::string(1, order[k]));
    CHECK(lines[k]["trial"] == (k < 6 ? 0 : 1));
    CHECK((torques[k] == torques[0]) == (k < 6));  // the data are those of the trial
    CHECK_FALSE(lines[k].contains("updates"));
  }
}

TEST_CASE("An estimate that fails is timed, but not listed") {
  Json json = Description();
  json["timing_trials"] = 3;
  int calls = 0;
  const auto make = [&](const auto& /*scenario*/) {
    LabelledEstimators estimators;
    estimators.emplace_back(
        "fails", std::make_unique<Watched>([&](const Problem&, std::span<const Dataset>) {
          ++calls;
          return Estimate();  // without its numbers
        }));
    estimators.emplace_back(
        "works", std::make_unique<Watched>([](const Problem& problem, std::span<const Dataset>) {
          return Zeros(problem);
        }));
    return estimators;
  };
  const std::vector<Json> lines = Timings(json, make);
  CHECK(calls == 3);
  REQUIRE(lines.size() == 3);
  for (const Json& line : lines) CHECK(line["estimator"] == "works");
}

TEST_CASE("Allocations of an estimate are those that it makes itself") {
  Json json = Description();
  json["timing_trials"] = 1;
  const auto allocations = [&](int more) {
    const auto make = [more](const auto& /*scenario*/) {
      LabelledEstimators estimators;
      estimators.emplace_back(
          "a", std::make_unique<Watched>([more](const Problem& problem, std::span<const Dataset>) {
            Estimate estimate = Zeros(problem);
            for (int k = 0; k < more; ++k) {
              estimate.x[0] += Eigen::VectorXd::Ones(1000 + k).eval().sum();
            }
            return estimate;
          }));
      return estimators;
    };
    return Timings(json, make).front()["estimate_allocations"].get<int>();
  };
  const int none = allocations(0);
  CHECK(allocations(5) == none + 5);
  CHECK(allocations(50) == none + 50);
}

/// A filter that counts its samples.
class CountingFilter : public OnlineEstimator {
 public:
  explicit CountingFilter(int& updates) : updates_(updates) {}
  FieldTable Fields() override { return {}; }
  EstimatorNeeds needs() const override { return {}; }

 protected:
  void Start(const Problem& problem) override { size_ = problem.parameters.size(); }
  void Absorb(const Sample&) override { ++updates_; }
  Estimate Snapshot() const override {
    Estimate estimate;
    estimate.x = Eigen::VectorXd::Zero(size_);
    return estimate;
  }

 private:
  int& updates_;
  Eigen::Index size_ = 0;
};

TEST_CASE("Updates are counted all, and at most 500 of them are written down, evenly spread") {
  Json json = Description();
  json["timing_trials"] = 1;
  json["sensors"]["rate_hz"] = 400;  // 800 samples: every second one is kept
  int updates = 0;
  const auto make = [&](const auto& /*scenario*/) {
    LabelledEstimators estimators;
    estimators.emplace_back("filter", std::make_unique<CountingFilter>(updates));
    return estimators;
  };
  Json line = Timings(json, make).front();
  CHECK(line["updates"] == 800);
  CHECK(updates == 1600);  // once for the whole estimate, once for the updates
  CHECK(line["update_us"].size() == 400);
  CHECK(line["update_allocations"] == 0);
  CHECK(line["deadline_rate_hz"] == 400.0);
  json["deadline_rate_hz"] = 1e-3;  // a quarter of an hour each
  json["sensors"]["rate_hz"] = 100;
  line = Timings(json, make).front();
  CHECK(line["update_us"].size() == 200);
  CHECK(line["deadline_rate_hz"] == 1e-3);
  CHECK(line["deadline_misses"] == 0);
}

TEST_CASE("Without timing trials nothing is timed") {
  Json json = Description();
  json["timing_trials"] = 0;
  CHECK(Timings(json, MakeEstimators).empty());
}

}  // namespace
}  // namespace idbench
