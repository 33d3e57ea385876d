#include "bench/metrics/simulation_bound.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "bench/biped_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr const char* kAngles = "simulation_sse_angles_bound@identification";

MetricValue BoundOf(OneCell& biped, const std::string& name = kAngles) {
  return biped.Metric(biped.EstimateOf(biped.true_unknowns()), name);
}

TEST_CASE("The bound is that of the study's prototype in its four cases") {
  // An independent computation in numpy, with derivatives by differences; printed to two or three
  // digits, the last case of rates and the validation motion by our own of the same kind.
  struct Case {
    double sigma, angles, states, validation;
  };
  for (const Case& c :
       {Case{1e-5, 0.006428, 0.19973, 0.013535}, Case{1e-4, 0.008386, 0.25814, 0.019475},
        Case{1e-3, 0.015574, 0.51779, 0.048171}, Case{1e-2, 0.083872, 3.00222, 0.172667}}) {
    CAPTURE(c.sigma);
    OneCell biped(BipedScenario(
        fmt::format(
            R"({{"sensors": {{"joint_position": {{"joints": {{"q1": {{"noise_std_rad": {}}}}}}}}}}})",
            c.sigma)
            .c_str()));
    CHECK(*BoundOf(biped).value == doctest::Approx(c.angles).epsilon(2e-4));
    CHECK(*BoundOf(biped, "simulation_sse_states_bound@identification").value ==
          doctest::Approx(c.states).epsilon(2e-4));
    CHECK(*BoundOf(biped, "simulation_sse_angles_bound@validation").value ==
          doctest::Approx(c.validation).epsilon(2e-4));
  }
}

TEST_CASE("Half the noise, or four times the data, is a quarter of the bound") {
  OneCell biped(BipedScenario());
  OneCell quiet(
      BipedScenario(R"({"sensors": {"joint_position": {"joints": {"q1": {"noise_std_rad": 5e-5}}},
                                             "actuator_torque": {"noise_std_nm": 0.15811388300841897}}})"));
  const double bound = *BoundOf(biped).value;
  CHECK(*BoundOf(quiet).value == doctest::Approx(0.25 * bound).epsilon(1e-6));
  LoadedScenario scenario = BipedScenario();
  Json more = {{"experiments", Json::object()}};
  for (const char* name : {"second", "third", "fourth"}) {
    more["experiments"][name] = (*scenario.expanded)["experiments"]["identification"];
  }
  OneCell four(BipedScenario(more.dump().c_str()));
  CHECK(*BoundOf(four).value == doctest::Approx(0.25 * bound).epsilon(1e-6));
}

TEST_CASE("There is no bound where the data would be exact, or what it takes for exact is not") {
  OneCell exact(BipedScenario(R"({"sensors": {"actuator_torque": {"noise_std_nm": 0}}})"));
  CHECK(BoundOf(exact).failure ==
        "no bound: it takes noise of the other joints' positions and of the motors' torques");
  OneCell noisy(BipedScenario(R"({"sensors": {"joint_position": {"noise_std_rad": 1e-4}}})"));
  CHECK(BoundOf(noisy).failure ==
        "no bound: it takes exact positions of the joints that motors drive");
  OneCell rounded(BipedScenario(R"({"sensors": {"joint_position": {"quantisation_rad": 1e-4}}})"));
  CHECK(BoundOf(rounded).failure == BoundOf(noisy).failure);
}

TEST_CASE("A rounded absolute angle has the bound of white noise of step²/12") {
  const auto bound_with = [](const char* q1) {
    Json sensors;
    sensors["sensors"]["joint_position"]["joints"]["q1"] = ParseJson(q1, "q1");
    OneCell cell(BipedScenario(sensors.dump().c_str()));
    return *BoundOf(cell).value;
  };
  CHECK(bound_with(R"({"noise_std_rad": 3e-4, "quantisation_rad": 0.0013856406460551018})") ==
        doctest::Approx(bound_with(R"({"noise_std_rad": 5e-4})")).epsilon(1e-9));  // 4e-4·√12
}

TEST_CASE("Samples that estimators do not get are not in the bound") {
  OneCell whole(BipedScenario());
  OneCell skipped(BipedScenario(R"({"processing": {"skip_samples": 7}})"));
  OneCell late(BipedScenario(R"({"sensors": {"joint_position": {"delay_s": 0.07}}})"));
  CHECK(*BoundOf(skipped).value > 1.01 * *BoundOf(whole).value);
  CHECK(*BoundOf(late).value == *BoundOf(skipped).value);
}

}  // namespace
}  // namespace idbench
