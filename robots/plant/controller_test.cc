#include "robots/plant/controller.h"

#include <doctest/doctest.h>

#include "robots/plant/rail_test.h"

namespace idbench {
namespace {

/// q = t, and commands the position that it is to be at.
class Ramp : public Motion {
 public:
  double duration_s() const override { return 1.0; }
  void Evaluate(double t, JointState& desired) const override {
    desired.q(0) = t;
    desired.qd(0) = 1.0;
    desired.qdd(0) = 0.0;
  }
  void Describe(CanonicalText& text) const override { text.Add("kind", "ramp"); }
};

class WantedPosition : public Controller {
 public:
  explicit WantedPosition(double hold_s) : hold_s_(hold_s) {}
  double hold_s() const override { return hold_s_; }
  void Act(const JointState& desired, const Reading&, Command& command) override {
    command.value = desired.q;
  }

 private:
  double hold_s_;
};

TEST_CASE("A command is held for whole steps, rounded, and at least one") {
  const Ramp ramp;
  for (const auto& [hold_s, steps] : {std::pair(0.0, 1), {0.04, 1}, {0.1, 1}, {0.3, 3}}) {
    WantedPosition controller(hold_s);
    CHECK(HeldControl(controller, ramp, 1, 0.1).steps_per_hold() == steps);
  }
  WantedPosition controller(0.3);
  HeldControl control(controller, ramp, 1, 0.1);
  CHECK(control.steps() == 10);
  CHECK(control.IsAsked(3));
  CHECK_FALSE(control.IsAsked(4));
  CHECK(control.Initial().q(0) == 0.0);
  control.Ask(3, {});
  CHECK(control.command().value(0) == 3 * 0.1);
}

/// Lets go for 0.5 s.
class WantedThenNothing : public WantedPosition {
 public:
  using WantedPosition::WantedPosition;
  double released_s() const override { return 0.5; }
};

TEST_CASE("After the motion a controller is asked to let go, at the instants of its own clock") {
  const Ramp ramp;
  WantedThenNothing controller(0.3);
  HeldControl control(controller, ramp, 1, 0.1);
  CHECK(control.steps() == 15);
  CHECK_FALSE(control.IsReleased(9));
  CHECK(control.IsReleased(10));
  control.Ask(9, {});
  CHECK(control.command().value(0) == 9 * 0.1);  // held in steps 10 and 11 too
  CHECK_FALSE(control.IsAsked(10));
  CHECK(control.IsAsked(12));
  control.Ask(12, {});
  CHECK(control.command().value(0) == 0.0);
}

}  // namespace
}  // namespace idbench
