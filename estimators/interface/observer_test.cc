#include "estimators/interface/observer.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <new>
#include <stdexcept>

#include "estimators/synthetic_test.h"

namespace idbench {
namespace {

/// Three instants of one signal.
Series FineStatistic() {
  return {.name = std::string(kStatistic),
          .columns = {"T2"},
          .units = {"1"},
          .time_s = Eigen::Vector3d(0.0, 0.1, 0.2),
          .values = Eigen::Vector3d(1.0, 2.0, std::nan(""))};
}

Labels Told() {
  return {.name = std::string(kDetected),
          .classes = {"free", "contact"},
          .time_s = Eigen::Vector3d(0.0, 0.1, 0.2),
          .chosen = Eigen::Vector3i(0, 1, -1)};
}

class ScriptedObserver : public Observer {
 public:
  explicit ScriptedObserver(std::function<Observation()> script) : script_(std::move(script)) {}
  FieldTable Fields() override { return {}; }
  EstimatorNeeds needs() const override { return {}; }
  std::vector<std::string_view> gives() const override { return {kStatistic}; }
  bool causal() const override { return true; }

 protected:
  Observation Watch(const Problem& /*problem*/, const Estimate& /*model*/,
                    std::span<const Dataset> /*training*/, const Dataset& /*watched*/) override {
    return script_();
  }

 private:
  std::function<Observation()> script_;
};

Observation Observed(std::function<Observation()> script) {
  static const Synthetic robot("planar1");
  return ScriptedObserver(std::move(script))
      .Observe(robot.problem, {}, {}, Dataset("contact", Role::kApplication));
}

Observation Observed(const Series& series, const Labels& labels = Told()) {
  return Observed(
      [&] { return Observation{.reason = "", .series = {series}, .labels = {labels}}; });
}

TEST_CASE("A fine observation is what the observer gives") {
  const Observation observation = Observed(FineStatistic());
  REQUIRE_MESSAGE(observation.ok(), observation.reason);
  REQUIRE(FindNamed(observation.series, kStatistic) != nullptr);
  CHECK(FindNamed(observation.series, kStatistic)->values.rows() == 3);
  CHECK(FindNamed(observation.series, kExternalForce) == nullptr);
  REQUIRE(FindNamed(observation.labels, kDetected) != nullptr);
}

TEST_CASE("What an observer throws is an outcome, but lack of memory is the machine's") {
  const auto thrown = [](std::function<Observation()> script) {
    const Observation observation = Observed(std::move(script));
    return std::string(ToString(observation.outcome)) + ": " + observation.reason;
  };
  CHECK(thrown([]() -> Observation { Refuse("no torques"); }) == "refused: no torques");
  CHECK(thrown([]() -> Observation { throw std::runtime_error("oh"); }) == "crashed: oh");
  CHECK(thrown([]() -> Observation { throw 7; }) ==
        "crashed: threw something that is not a std::exception");
  CHECK_THROWS_AS(Observed([]() -> Observation { throw std::bad_alloc(); }), std::bad_alloc);
}

TEST_CASE("A series or labels of wrong sizes are a crash that says what is wrong") {
  const auto fault = [](const std::function<void(Series&, Labels&)>& change) {
    Series series = FineStatistic();
    Labels labels = Told();
    change(series, labels);
    const Observation observation = Observed(series, labels);
    CHECK(observation.outcome == Outcome::kCrashed);
    CHECK(observation.series.empty());
    return observation.reason;
  };
  CHECK(fault([](Series& s, Labels&) { s.name = "T2"; }) == "returned no series 'statistic'");
  CHECK(fault([](Series& s, Labels&) { s.units.clear(); }) ==
        "the series 'statistic' has 1 columns, 1 names and 0 units");
  CHECK(fault([](Series& s, Labels&) { s.time_s.conservativeResize(2); }) ==
        "the series 'statistic' has 2 instants and 3 rows");
  CHECK(fault([](Series& s, Labels&) { s.time_s[2] = 0.05; }) ==
        "the series 'statistic' has the time 0.05 s behind 0.1 s");
  CHECK(fault([](Series& s, Labels&) { s.time_s[1] = std::numeric_limits<double>::infinity(); }) ==
        "the series 'statistic' has the time inf at instant 1");
  CHECK(fault([](Series&, Labels& l) { l.chosen[0] = 2; }) ==
        "the labels 'detected' has the class 2 of 2");
  CHECK(fault([](Series&, Labels& l) { l.chosen.conservativeResize(1); }) ==
        "the labels 'detected' has 3 instants and 1 labels");
}

}  // namespace
}  // namespace idbench
