#include "robots/dynamics/equations.h"

#include <doctest/doctest.h>

#include <vector>

namespace idbench {
namespace {

TEST_CASE("A wrench has six rows, all else one for each joint") {
  for (const EquationInfo& info : kEquationKinds) {
    CAPTURE(ToString(info.equation));
    const bool wrench = info.equation == Equation::kWrench || info.equation == Equation::kCut ||
                        info.equation == Equation::kEndEffector;
    CHECK(RowsOf(info.equation, 3) == (wrench ? 6 : 3));
    CHECK(&InfoOf(info.equation) == &info);
  }
}

TEST_CASE("What is mapped from torques is replaced by them, what reads the state is left out") {
  using enum Equation;
  using Equations = std::vector<PlacedEquation>;
  CHECK(EverywhereDefined({kWrench, kTorque, kWrench}) == Equations{kTorque, kWrench});
  CHECK(EverywhereDefined({kEndEffector, kTorque}) == Equations{kTorque});
  CHECK(EverywhereDefined({kEndEffector, kWrench}) == Equations{kTorque, kWrench});
  CHECK(EverywhereDefined({kVelocity, kWrench}) == Equations{kWrench});
  CHECK(EverywhereDefined({kPosition, kVelocity}) == Equations{kTorque});
  CHECK(EverywhereDefined({}) == Equations{kTorque});
  const PlacedEquation first(kCut, 0), second(kCut, 1);
  CHECK(EverywhereDefined({second, kEndEffector, first, second, kWrench}) ==
        Equations{kTorque, kWrench, first, second});
}

TEST_CASE("Equations tell where their rows come from") {
  using enum Equation;
  CHECK(HaveRowsFrom({kTorque, kWrench}, RowsFrom::kWrenchRows));
  CHECK(!HaveRowsFrom({kTorque, kEndEffector}, RowsFrom::kWrenchRows));
  CHECK(HaveRowsFrom({kTorque, kEndEffector}, RowsFrom::kMappedRows));
  CHECK(HaveRowsFrom({PlacedEquation(kCut, 0)}, RowsFrom::kCutRows));
  CHECK(!HaveRowsFrom({PlacedEquation(kCut, 0)}, RowsFrom::kWrenchRows));
  CHECK(HaveRowsFrom({kVelocity}, RowsFrom::kStateRows));
  CHECK(!HaveRowsFrom({}, RowsFrom::kTorqueRows));
}

}  // namespace
}  // namespace idbench
