#include "robots/dynamics/friction_shape.h"

#include <doctest/doctest.h>

#include <cmath>

namespace idbench {
namespace {

TEST_CASE("Coulomb friction is sign(q̇), 0 at rest, or tanh(q̇ / width)") {
  CHECK(FrictionShape{}.Coulomb(1e-300) == 1.0);
  CHECK(FrictionShape{}.Coulomb(-1e-300) == -1.0);
  CHECK(FrictionShape{}.Coulomb(0.0) == 0.0);
  CHECK(FrictionShape{}.Coulomb(-0.0) == 0.0);
  CHECK(FrictionShape{0.2}.Coulomb(0.1) == std::tanh(0.5));
  CHECK(FrictionShape{0.2}.Coulomb(0.0) == 0.0);
}

TEST_CASE("Joints have the common width, or their own") {
  CHECK(FrictionShape{0.2}.WidthOf(1) == 0.2);
  const FrictionShape own{.own_widths_rad_s = {0.1, 0.0}};
  CHECK(own.WidthOf(0) == 0.1);
  CHECK(own.WidthOf(1) == 0.0);
  CHECK(own != FrictionShape{});
}

}  // namespace
}  // namespace idbench
