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
  CHECK(TextOf(*shared.motion) == TextOf(*Design(planar.design).motion));
  CHECK(store.designed() == 1);
  MotionDesign drawn = planar.design;
  drawn.trial = 3;
  CHECK(store.Get(drawn).motion != shared.motion);
  CHECK(store.designed() == 2);
}

TEST_CASE("How an exciting motion came about is kept with it, by its part") {
  PlanarDesign planar;
  ExcitingMotionOptions exciting;
  exciting.duration_s = 2.0;
  exciting.self_collision = false;
  exciting.optimiser = {.rounds = 1, .evaluations = 5};
  WayPointOptions rest;
  rest.points_rad = {{0.0, 0.0}};
  rest.dwell_s = 0.5;
  planar.design.options = SequenceOptions{{rest, exciting}};
  planar.design.shown.push_back(planar.design.shown[0]);
  MotionStore store;
  for (int call = 0; call < 2; ++call) {
    const DesiredMotion each = store.Get(planar.design);
    CHECK(store.designed() == 1);
    REQUIRE(each.histories.size() == 1);
    CHECK(each.histories[0].part == "/parts/1");
    CHECK(each.histories[0].history.starts.size() == 1);
    CHECK(each.histories[0].history.starts[0].evaluations > 0);
  }
  CHECK(store.Make(planar.design).histories.size() == 1);
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
