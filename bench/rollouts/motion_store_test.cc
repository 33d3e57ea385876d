#include "bench/rollouts/motion_store.h"

#include <doctest/doctest.h>

#include "bench/rollouts/planar_design_test.h"

namespace idbench {
namespace {

TEST_CASE("A motion that is kept is designed once") {
  const PlanarDesign planar;
  MotionStore store;
  const DesiredMotion shared = store.Get(planar.design);
  CHECK(shared.own == nullptr);
  CHECK(store.Get(planar.design).motion == shared.motion);
  CHECK(TextOf(*shared.motion) == TextOf(*Design(planar.design)));
  CHECK(store.designed() == 1);
  MotionDesign drawn = planar.design;
  drawn.trial = 3;
  CHECK(store.Get(drawn).motion != shared.motion);
  CHECK(store.designed() == 2);
}

TEST_CASE("A motion that is not kept belongs to who asked") {
  const PlanarDesign planar;
  MotionStore store;
  MotionDesign drawn = planar.design;
  drawn.trial = MotionStore::kTrialsKept;
  const DesiredMotion one = store.Make(drawn), two = store.Make(drawn);
  CHECK(one.own.get() == one.motion);
  CHECK(one.motion != two.motion);
  CHECK(TextOf(*one.motion) == TextOf(*two.motion));
  CHECK(store.designed() == 2);
  CHECK(store.Get(drawn).own == nullptr);
  CHECK(store.designed() == 3);
}

}  // namespace
}  // namespace idbench
