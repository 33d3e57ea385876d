#include "robots/control/computed_torque.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "robots/plant/rail_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

std::vector<Reading> Run(const ComputedTorqueOptions& options, double step_s, double duration_s,
                         double q_start) {
  ComputedTorque controller(options, RailModel);
  return FollowRest(controller, step_s, duration_s, q_start);
}

double PositionIn(const Reading& reading) { return reading[kJointPosition](0); }
double TorqueIn(const Reading& reading) { return reading[kJointTorque](0); }

TEST_CASE("With a perfect model the error obeys the stated second-order equation") {
  const ComputedTorqueOptions options{.natural_frequency_hz = 2.0, .loop = {.rate_hz = 1e5}};
  const double w = 2.0 * std::numbers::pi * 2.0;
  for (const Reading& read : Run(options, 1e-5, 0.3, 1.0)) {
    // Critically damped from e(0) = 1, ė(0) = 0. Holding delays the law by T/2 = 5e-6 s: the error
    // is of the order of ω·T = 1.3e-4 of the signal, which is 1.
    CHECK(std::abs(PositionIn(read) - (1.0 + w * read.t) * std::exp(-w * read.t)) < 2e-4);
  }
}

TEST_CASE("A perfect model on the motion needs no feedback") {
  const std::vector<Reading> readings = Run({}, 1e-3, 0.1, 0.0);
  REQUIRE(readings.size() == 101);
  for (std::size_t i = 1; i < readings.size(); ++i) {
    CHECK(PositionIn(readings[i]) == 0.0);
    CHECK(TorqueIn(readings[i]) == 3.0);
  }
}

TEST_CASE("A torque is held until the controller's next instant") {
  const std::vector<Reading> readings = Run({.loop = {.rate_hz = 1000.0}}, 0.00025, 0.4, 0.1);
  REQUIRE(readings.size() == 1601);
  // Each reads the torque of the step before it.
  for (std::size_t i = 2; i < readings.size(); ++i) {
    const bool changed = TorqueIn(readings[i]) != TorqueIn(readings[i - 1]);
    CHECK(changed == ((i - 1) % 4 == 0));
  }
}

TEST_CASE("The stability bound is where the held loop begins to diverge") {
  for (const double damping_ratio : {0.2, 1.0}) {
    // ωT < min(4ζ, 1/ζ) with T = 0.01 s.
    const double bound =
        100.0 / (2.0 * std::numbers::pi) * std::min(4.0 * damping_ratio, 1.0 / damping_ratio);
    const auto last_error = [&](double fraction) {
      const ComputedTorqueOptions options{.natural_frequency_hz = fraction * bound,
                                          .damping_ratio = damping_ratio,
                                          .loop = {.rate_hz = 100.0}};
      return std::abs(PositionIn(Run(options, 0.01, 10.0, 1.0).back()));
    };
    // 1000 periods: a pole 5 % inside the bound has decayed by far, one outside has grown by far.
    CHECK(last_error(0.95) < 1e-3);
    CHECK(last_error(1.05) > 1e2);

    ComputedTorqueOptions options{.damping_ratio = damping_ratio, .loop = {.rate_hz = 100.0}};
    for (const bool stable : {true, false}) {
      options.natural_frequency_hz = bound * (stable ? 0.999 : 1.001);
      ComputedTorqueOptions read;
      std::vector<Issue> issues;
      ReadFields(Visit(read), WriteFields(Visit(options)), "", issues);
      CHECK(issues.empty() == stable);
    }
  }
}

TEST_CASE("Unstable gains are refused with the bound") {
  ComputedTorqueOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), Json::parse(R"({"natural_frequency_hz": 200})"), "/control", issues);
  CHECK(
      ConfigError("s.json", issues).what() ==
      std::string("s.json: /control/natural_frequency_hz: 200 Hz is unstable at a rate of 1000 Hz "
                  "and a damping ratio of 1, even with a perfect model\n"
                  "  accepted here: less than 159.155 Hz, better a tenth of it"));
}

}  // namespace
}  // namespace idbench
