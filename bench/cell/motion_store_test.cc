#include "bench/cell/motion_store.h"

#include <doctest/doctest.h>

#include "bench/cell/planar_design_test.h"

namespace idbench {
namespace {

TEST_CASE("A motion that trials share is designed once, and so is that of each early trial") {
  const PlanarDesign planar;
  MotionStore store;
  const DesiredMotion shared = store.Get(planar.design);
  CHECK(shared.own == nullptr);
  CHECK(store.Get(planar.design).motion == shared.motion);
  CHECK(TextOf(*shared.motion) == TextOf(*Design(planar.design)));
  CHECK(store.designed() == 1);
  MotionDesign drawn = planar.design;
  for (drawn.trial = 0; drawn.trial < MotionStore::kTrialsKept; ++drawn.trial) {
    const DesiredMotion motion = store.Get(drawn);
    CHECK(motion.own == nullptr);
    CHECK(store.Get(drawn).motion == motion.motion);
  }
  CHECK(store.designed() == 1 + MotionStore::kTrialsKept);
}

TEST_CASE("The store does not grow with later trials: their motions belong to who asked") {
  const PlanarDesign planar;
  MotionStore store;
  MotionDesign drawn = planar.design;
  drawn.trial = MotionStore::kTrialsKept;
  const DesiredMotion one = store.Get(drawn), two = store.Get(drawn);
  CHECK(one.own.get() == one.motion);
  CHECK(one.motion != two.motion);
  CHECK(TextOf(*one.motion) == TextOf(*two.motion));
  CHECK(store.designed() == 2);
}

}  // namespace
}  // namespace idbench
