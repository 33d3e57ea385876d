#include "scenarios/options/text_form_test.h"

#include <doctest/doctest.h>

namespace idbench {
namespace {

TEST_CASE("A description in form has no fault, whether it begins with a word, number or symbol") {
  for (const char* text : {"Length of the motion", "Clip torques at the limits", "q̈ as measured",
                           "σ of the noise", "1 if all hold", "‖τ − τ̂‖ / ‖τ‖", "x̂ − x", "π"}) {
    CAPTURE(text);
    CHECK(FormFault(text, "duration_s").empty());
  }
}

TEST_CASE("A description out of form is told what is wrong with it") {
  CHECK(FormFault("", "trials") == "is empty");
  CHECK(FormFault("number of trials", "trials") == "begins with a lower-case letter");
  CHECK(FormFault("a number", "trials") == "begins with a lower-case letter");
  CHECK(FormFault("Number of trials ", "trials") == "begins or ends with a blank");
  CHECK(FormFault("Number of trials.", "trials") == "ends with punctuation");
  CHECK(FormFault("Number  of trials", "trials") == "has two blanks side by side");
  CHECK(FormFault("Number of trials. Default: 1", "trials") == "has more than one sentence");
  CHECK(FormFault("Length [s] of it", "duration_s") == "has a unit, which the unit field is for");
  CHECK(FormFault("How often it is tried", "trials") == "begins like a subordinate clause");
  CHECK(FormFault("Trials", "trials") == "repeats its key");
  CHECK(FormFault("The rotor inertia", "rotor_inertia_kgm2") == "repeats its key");
}

TEST_CASE("Descriptions are found at any depth of a schema, beside keys that are called so") {
  const Json schema = ParseJson(R"({"type": "object", "description": "Outer part", "properties": {
      "description": {"type": "string", "description": "Text about it"},
      "rate_hz": {"type": "number", "description": "Rate [Hz]"},
      "motion": {"oneOf": [{"properties": {
        "file": {"description": "a file", "default": {"a": "no text"}},
        "sines": {"items": {"properties": {"phase_rad": {"description": "Of each."}}}}}}]}}})",
                                "schema");
  CHECK(
      FormFaults(schema) ==
      std::vector<std::string>{
          "/properties/rate_hz: \"Rate\" repeats its key",
          "/properties/motion/oneOf/0/properties/file: \"a file\" begins with a lower-case letter",
          "/properties/motion/oneOf/0/properties/sines/items/properties/phase_rad: \"Of each.\" "
          "ends with punctuation"});
}

}  // namespace
}  // namespace idbench
