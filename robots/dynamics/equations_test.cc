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

TEST_CASE("Rows that are chosen count, and each once where several equations have some") {
  using enum Equation;
  using Equations = std::vector<PlacedEquation>;
  const PlacedEquation two(kTorque, -1, {0, 2}), others(kTorque, -1, {1, 2}), all(kTorque);
  const PlacedEquation forces(kCut, 1, {0, 1, 2}), moment(kCut, 1, {5}), elsewhere(kCut, 0, {5});
  CHECK(RowsOf(two, 7) == 2);
  CHECK(RowsOf(all, 7) == 7);
  CHECK(RowsOf(PlacedEquation(kCut, 1), 7) == 6);
  CHECK(ChosenRows(two, 7) == std::vector<int>{0, 2});
  CHECK(ChosenRows(all, 3) == std::vector<int>{0, 1, 2});
  CHECK(EachRowOnce({others, forces, two, elsewhere, moment}) ==
        Equations{PlacedEquation(kTorque, -1, {0, 1, 2}), elsewhere,
                  PlacedEquation(kCut, 1, {0, 1, 2, 5})});
  CHECK(EachRowOnce({two, all, others}) == Equations{all});
  // Drives have rows of the same joints; what is mapped needs the torques of all.
  const PlacedEquation drives(kCurrentDrive, -1, {1}), force(kEndEffector, -1, {2});
  CHECK(EverywhereDefined({drives, two, moment}) ==
        Equations{PlacedEquation(kTorque, -1, {0, 1, 2}), moment});
  CHECK(EverywhereDefined({force, two}) == Equations{all});
  CHECK(WithoutDrives({drives, force}) == Equations{PlacedEquation(kTorque, -1, {1}), force});
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
