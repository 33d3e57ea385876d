#include "bench/gate/gate_check.h"

#include <doctest/doctest.h>

#include "bench/small_run_test.h"
#include "robots/temporary_folder_test.h"

namespace idbench {
namespace {

std::string RefusalOf(const Json& gate, int trials) {
  Json json = Description();
  json["trials"] = trials;
  json["metrics"] = {"base_parameter_relative_error", "nees"};
  json["gate"] = gate;
  try {
    CheckGate(Load(json));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("A declared gate that can never alarm is refused, one that declares nothing is not") {
  // Two cells and two estimators: 2⁻ⁿ ≤ 0.05/4 from n = 7 on.
  CHECK(RefusalOf({{"tolerance", 0.1}}, 7) == "");
  CHECK(RefusalOf({{"tolerance", 0.1}}, 6) ==
        "test: /gate: the gate can never alarm, whatever changes: 6 trials and 6 reserve trials "
        "decide nothing at alpha 0.05 among 4 members; at least 5 and 7 are needed\n"
        "  raise /trials, or /gate/reserve_trials");
  CHECK(RefusalOf({{"reserve_trials", 7}}, 6) == "");
  CHECK(RefusalOf(Json::object(), 1) == "");
}

TEST_CASE("Without reserve trials half of them confirm, of a gate that declares nothing too") {
  Json json = Description();
  json["metrics"] = {"base_parameter_relative_error"};
  json["trials"] = 14;
  CHECK(WhyHalvedGateCannotAlarm(Load(json), {}) == "");
  json["trials"] = 13;
  CHECK(WhyHalvedGateCannotAlarm(Load(json), {}) ==
        "the gate can never alarm, whatever changes: 7 trials and 6 reserve trials decide nothing "
        "at alpha 0.05 among 4 members; at least 5 and 7 are needed");
  CHECK(WhyHalvedGateCannotAlarm(Load(json), {.alpha = 0.5}) == "");
}

TEST_CASE("A declared gate needs a metric of the run that says which values are better") {
  CHECK(RefusalOf({{"metric", "nees"}}, 9) ==
        "test: /gate/better: nees does not say which of its values are better\n"
        "  say \"lower\" or \"higher\", or gate another metric");
  CHECK(RefusalOf({{"metric", "nes"}}, 9)
            .starts_with("test: /gate/metric: the scenario has no metric \"nes\"\n"));
}

TEST_CASE("A run needs a gate whose metric can be judged, with any number of trials") {
  Json json = Description();
  json["trials"] = 1;
  json["metrics"] = {"base_parameter_relative_error", "nees"};
  json["gate"] = {{"tolerance", 0.1}};
  CHECK_NOTHROW(CheckGateRules(Load(json)));
  CHECK_THROWS_AS(CheckGate(Load(json)), ConfigError);
  json["gate"] = {{"metric", "nees"}};
  CHECK_THROWS_WITH_AS(CheckGateRules(Load(json)),
                       doctest::Contains("/gate/better: nees does not say"), ConfigError);
}

TEST_CASE("A window of unknowns with several units has no value to gate") {
  Json json = Description();
  json.erase("sweep");
  json["problem"] = {{"parametrisation", {{"type", "joint_state"}}},
                     {"prior", {{"std_of_bounds", 1}}},
                     {"equations", {"joint_position"}}};
  json["problem"]["parametrisation"]["bounds"] = {{"q", {-2, 2}}, {"qd", {-9, 9}}};
  json["estimators"] = {{"ekf", Json::object()}};
  json["windows"]["both"] = {
      {"from_s", 0.5}, {"until_s", 1.5}, {"unknowns", {"joint1.q", "joint1.qd"}}};
  json["windows"]["q"] = {
      {"from_s", 0.5}, {"until_s", 1.5}, {"unknowns", {"joint1.q", "joint2.q"}}};
  json["gate"] = {{"metric", "tracking_rmse@q"}};
  CHECK_NOTHROW(CheckGate(Load(json)));
  json["gate"]["metric"] = "tracking_rmse@both";
  CHECK_THROWS_WITH_AS(CheckGate(Load(json)),
                       doctest::Contains("test: /gate: tracking_rmse@both has no value that could "
                                         "be judged: the unknowns of its window have several"),
                       ConfigError);
  json["gate"]["metric"] = "tracking_coverage95@both";
  json["gate"]["better"] = "higher";
  CHECK_NOTHROW(CheckGate(Load(json)));
}

}  // namespace
}  // namespace idbench
