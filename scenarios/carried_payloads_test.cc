#include "scenarios/carried_payloads.h"

#include <doctest/doctest.h>

#include "scenarios/loaded_test.h"

namespace idbench {
namespace {

/// @param first, second  events of two experiments.
CarriedPayloads Carried(const char* first, const char* second) {
  Json json = SmallSimulation();
  json["experiments"]["validation"] = json["experiments"]["identification"];
  json["experiments"]["validation"]["role"] = "validation";
  json["experiments"]["identification"]["events"] = ParseJson(first, "first");
  json["experiments"]["validation"]["events"] = ParseJson(second, "second");
  const LoadedScenario loaded = LoadSmall(json);
  return CarriedBy(loaded.cells[0].scenario, loaded.cells[0].robot);
}

constexpr const char* kStays = R"([{"type": "attach", "at_s": 0, "mass_kg": 0.5}])";

TEST_CASE("What is there from the beginning to the end of all experiments is carried throughout") {
  const CarriedPayloads carried = Carried(kStays, kStays);
  REQUIRE(carried.throughout.size() == 1);
  CHECK(carried.throughout[0].inertia.mass == 0.5);
  CHECK(carried.passing.empty());
  CHECK(Carried("[]", "[]").throughout.empty());
  CHECK(Carried("[]", "[]").passing.empty());
}

TEST_CASE("What comes, goes, changes or differs between experiments passes, and is told") {
  CHECK(Carried(kStays, "[]").passing ==
        std::vector<std::string>{"0.5 kg at link2 in identification throughout"});
  CHECK(Carried(kStays, R"([{"type": "attach", "at_s": 0, "mass_kg": 0.6}])").throughout.empty());
  const char* late = R"([{"type": "attach", "at_s": 2.5, "mass_kg": 2, "link": "link1"},
                         {"type": "ramp", "from_s": 3, "to_s": 4, "mass_kg": 1},
                         {"type": "detach", "at_s": 5}])";
  CHECK(Carried(late, "[]").passing ==
        std::vector<std::string>{
            "2 kg at link1 in identification from 2.5 s on, 1 kg at 4 s, off at 5 s"});
}

TEST_CASE("What applications carry is no part of the robot, and is told where it differs") {
  const auto carried = [](const char* identified, const char* applied) {
    Json json = SmallSimulation();
    json["experiments"]["identification"]["events"] = ParseJson(identified, "identified");
    json["experiments"]["contact"] = json["experiments"]["identification"];
    json["experiments"]["contact"]["role"] = "application";
    json["experiments"]["contact"]["events"] = ParseJson(applied, "applied");
    json["observers"] = {{"load", {{"type", "payload_change"}}}};
    const LoadedScenario loaded = LoadSmall(json);
    return CarriedBy(loaded.cells[0].scenario, loaded.cells[0].robot);
  };
  CHECK(carried(kStays, kStays).applied.empty());
  CHECK(carried("[]", "[]").applied.empty());
  const CarriedPayloads dropped = carried(kStays, "[]");
  CHECK(dropped.throughout.size() == 1);
  CHECK(dropped.passing.empty());
  CHECK(dropped.applied == Labelled<std::string>{{"contact", "nothing in contact"}});
  const CarriedPayloads taken = carried("[]", R"([{"type": "attach", "at_s": 1, "mass_kg": 2}])");
  CHECK(taken.throughout.empty());
  CHECK(taken.passing.empty());
  CHECK(taken.applied ==
        Labelled<std::string>{{"contact", "2 kg at link2 in contact from 1 s on"}});
}

TEST_CASE(
    "A change of what is carried is told of the experiment that has it, by its first instant") {
  const auto changes = [](const char* events) {
    Json json = SmallSimulation();
    json["experiments"]["validation"] = json["experiments"]["identification"];
    json["experiments"]["validation"]["role"] = "validation";
    json["experiments"]["validation"]["events"] = ParseJson(events, "events");
    const LoadedScenario loaded = LoadSmall(json);
    return ChangesOfPayloads(loaded.cells[0].scenario, loaded.cells[0].robot);
  };
  CHECK(changes(kStays).empty());
  CHECK(changes("[]").empty());
  const PayloadChanges late = changes(R"([{"type": "attach", "at_s": 2.5, "mass_kg": 2}])");
  REQUIRE(late.size() == 1);
  CHECK(late[0].first == "validation");
  CHECK(late[0].second.role == Role::kValidation);
  CHECK(late[0].second.Describe("validation") ==
        "what the robot carries in validation changes at 2.5 s");
  const char* ramp = R"([{"type": "attach", "at_s": 0, "mass_kg": 2},
                         {"type": "ramp", "from_s": 3, "to_s": 4, "mass_kg": 1}])";
  CHECK(changes(ramp)[0].second.at_s == 3.0);
  const char* off =
      R"([{"type": "attach", "at_s": 0, "mass_kg": 2}, {"type": "detach", "at_s": 5}])";
  CHECK(changes(off)[0].second.at_s == 5.0);
}

}  // namespace
}  // namespace idbench
