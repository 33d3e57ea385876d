#include "scenarios/problem/parameter_kind.h"

#include <doctest/doctest.h>

namespace idbench {
namespace {

TEST_CASE("The kind of a parameter is the last part of its name, regrouped or not") {
  CHECK(ParameterKind("link3.mcx") == "mcx");
  CHECK(ParameterKind("link3.mcx_R") == "mcx");
  CHECK(ParameterKind("joint1.fv") == "fv");
  CHECK(ParameterKind("link1.alpha") == "alpha");
  CHECK(ParameterKind("arm_R.shoulder_R.Izz") == "Izz");
  CHECK(ParameterKind("arm_R.Izz_R") == "Izz");
  CHECK(ParameterKind("q1") == "q1");
}

}  // namespace
}  // namespace idbench
