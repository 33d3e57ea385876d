#include "scenarios/drawn_as_declared.h"

#include <doctest/doctest.h>

#include "scenarios/loaded_test.h"

namespace idbench {
namespace {

bool DrawnAsDeclaredWith(const char* change) {
  Json json = SmallSimulation();
  json["problem"] = Json::parse(R"({
    "parametrisation": {"type": "masses_and_moments"},
    "prior": {"relative_std": 0.1, "draw": "trial", "mass_error": {"type": "declared"},
              "inertia_error": {"type": "declared"}}})");
  json.merge_patch(Json::parse(change));
  return DrawnAsDeclared(LoadSmall(json).scenario);
}

TEST_CASE("Truth and prior are drawn from each other if nothing else tells them apart") {
  CHECK(DrawnAsDeclaredWith("{}"));
  CHECK(DrawnAsDeclaredWith(R"({"experiments": {"identification": {"environment": {}}}})"));
  // The same set on both sides, whatever it is scaled by.
  CHECK(DrawnAsDeclaredWith(
      R"({"problem": {"prior": {"mass_scale": 1.1}}, "robot": {"truth": {"mass_scale": 1.1}}})"));
  for (const char* change :
       {R"({"problem": {"prior": {"draw": "cell"}}})",
        R"({"problem": {"prior": {"mass_error": null}}})",
        R"({"problem": {"prior": {"mass_error": {"type": "gaussian", "std": 0.1}}}})",
        R"({"problem": {"prior": {"inertia_error": null}}})",
        R"({"problem": {"prior": {"com_error": {"type": "gaussian"}}}})",
        R"({"problem": {"prior": {"unknown_scale": [1, 1, 1, 1, 1, 1, 1, 1]}}})",
        R"({"problem": {"prior": {"mass_scale": 1.1}}})",
        R"({"problem": {"prior": {"inertia_scale": 1.1}}})",
        R"({"robot": {"truth": {"mass_error": {"type": "gaussian"}}}})",
        R"({"robot": {"truth": {"com_error": {"type": "gaussian"}}}})",
        R"({"robot": {"truth": {"inertia_error": {"type": "gaussian"}}}})",
        R"({"robot": {"truth": {"friction": {"stribeck_excess_nm": 1}}}})",
        R"({"problem": {"parametrisation": {"type": "standard"}}})",
        R"({"problem": {"parametrisation": {"friction": ["viscous"]}}})",
        R"({"problem": {"parametrisation": {"rotor_inertia": true}}})",
        R"({"experiments": {"identification": {"environment": {"touches": [
              {"link": "link1", "force_n": [1, 0, 0], "from_s": 1, "hold_s": 1}]}}}})",
        R"({"experiments": {"identification": {"events": [{"at_s": 1, "mass_kg": 2}]}}})"}) {
    CAPTURE(change);
    CHECK(!DrawnAsDeclaredWith(change));
  }
}

TEST_CASE("A mean that is drawn about the truth tells nothing else apart, whatever the truth is") {
  const std::string mean_error =
      R"({"problem": {"parametrisation": {"type": "standard", "friction": ["viscous"]},
                      "prior": {"relative_std": null, "std": {"body": 0.1, "fv": 1},
                                "mass_error": null, "inertia_error": null,
                                "mean_error": "declared"}}})";
  const auto with = [&mean_error](const char* change) {
    Json json = Json::parse(mean_error);
    json.merge_patch(Json::parse(change));
    return DrawnAsDeclaredWith(json.dump().c_str());
  };
  CHECK(with("{}"));
  CHECK(with(R"({"robot": {"truth": {"mass_scale": 1.2}}})"));
  CHECK(with(R"({"robot": {"truth": {"friction": {"viscous_nms_rad": 1}}}})"));
  CHECK(!with(R"({"problem": {"prior": {"draw": "cell"}}})"));
  CHECK(!with(R"({"robot": {"truth": {"friction": {"stribeck_excess_nm": 1}}}})"));
  CHECK(!with(R"({"experiments": {"identification": {"events": [{"at_s": 1, "mass_kg": 2}]}}})"));
}

TEST_CASE("Without a prior nothing is drawn from it") {
  CHECK(!DrawnAsDeclaredWith(R"({"problem": {"prior": null, "parametrisation": {"type": "base"}},
                                 "control": {"type": "exact_replay"}})"));
}

}  // namespace
}  // namespace idbench
