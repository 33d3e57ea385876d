#include "sim/truth/payload.h"

#include <doctest/doctest.h>

#include <limits>
#include <numbers>
#include <string>

#include "robots/robot.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

using Events = std::vector<PayloadEventOptions>;

const Robot& Planar3() {
  static const Robot robot = LoadRobot("planar3");
  return robot;
}

Events ReadEvents(const char* text, std::vector<Issue>& issues) {
  Events events;
  Binding<Events>::Read(ParseJson(text, "test"), "/events", {}, events, issues);
  return events;
}

std::vector<Payload> PayloadsOf(const char* text) {
  std::vector<Issue> issues;
  const Events events = ReadEvents(text, issues);
  CHECK(issues.empty());
  CHECK(CheckPayloadEvents(events, "/events", Planar3()).empty());
  return MakePayloads(events, Planar3());
}

/// All messages about events, from reading and from CheckPayloadEvents().
std::string PayloadMessages(const char* text) {
  std::vector<Issue> issues;
  const Events events = ReadEvents(text, issues);
  if (issues.empty()) issues = CheckPayloadEvents(events, "/events", Planar3());
  return ConfigError("s.json", issues).what();
}

TEST_CASE("A payload is there from its attachment to its detachment, at the very times") {
  const auto payloads = PayloadsOf(R"([{"type": "attach", "at_s": 0.3, "mass_kg": 2},
                                 {"type": "detach", "at_s": 0.7}])");
  REQUIRE(payloads.size() == 1);
  CHECK(payloads[0].link == 2);
  CHECK(payloads[0].inertia.I_com.isZero(0.0));
  CHECK(payloads[0].PartAt(-std::numeric_limits<double>::infinity()) == 0.0);
  CHECK(payloads[0].PartAt(0.3 - 1e-6) == 0.0);
  CHECK(payloads[0].PartAt(1200 * 0.00025) == 1.0);
  CHECK(payloads[0].PartAt(std::nextafter(0.3, 0.0)) == 1.0);
  CHECK(payloads[0].PartAt(0.7 - 1e-6) == 1.0);
  CHECK(payloads[0].PartAt(0.7) == 0.0);
  CHECK(payloads[0].PartAt(1e9) == 0.0);
}

TEST_CASE("A ramp is linear in time, and what follows it begins where it ended") {
  const auto payloads = PayloadsOf(R"([{"at_s": 0, "mass_kg": 2, "link": "link2"},
      {"type": "ramp", "from_s": 1, "to_s": 3, "mass_kg": 0.5},
      {"type": "ramp", "from_s": 3, "to_s": 4, "mass_kg": 1.5}, {"type": "detach", "at_s": 5}])");
  REQUIRE(payloads.size() == 1);
  CHECK(payloads[0].link == 1);
  for (const auto& [t, mass] : {std::pair{0.5, 2.0},
                                {1.0, 2.0},
                                {2.0, 1.25},
                                {2.5, 0.875},
                                {3.0, 0.5},
                                {3.5, 1.0},
                                {4.5, 1.5},
                                {5.0, 0.0}}) {
    CAPTURE(t);
    CHECK(2.0 * payloads[0].PartAt(t) == doctest::Approx(mass).epsilon(1e-14));
  }
}

TEST_CASE("Payloads of two names come and go on their own, and one can come again") {
  const auto payloads =
      PayloadsOf(R"([{"at_s": 0, "mass_kg": 2}, {"at_s": 1, "mass_kg": 1, "payload": "b"},
      {"type": "detach", "at_s": 2}, {"at_s": 3, "mass_kg": 4}])");
  REQUIRE(payloads.size() == 3);
  CHECK(payloads[0].PartAt(2.5) == 0.0);
  CHECK(payloads[1].PartAt(2.5) == 1.0);
  CHECK(payloads[2].PartAt(2.5) == 0.0);
  CHECK(payloads[2].PartAt(3.0) == 1.0);
  CHECK(payloads[2].inertia.mass == 4.0);
}

TEST_CASE("A box has the inertia of its closed form, and six numbers are a full inertia") {
  const auto payloads = PayloadsOf(R"([
      {"at_s": 0, "mass_kg": 12, "size_m": [1, 2, 3], "com_m": [0.1, 0.2, 0.3]},
      {"at_s": 0, "mass_kg": 1, "payload": "b", "inertia_kgm2": [0.1, 0.2, 0.25, 0.01, 0.02, 0.03]}])");
  CHECK(payloads[0].inertia.com == Eigen::Vector3d(0.1, 0.2, 0.3));
  CHECK(payloads[0].inertia.I_com == Eigen::Matrix3d(Eigen::Vector3d(13, 10, 5).asDiagonal()));
  CHECK(payloads[1].inertia.I_com ==
        Eigen::Matrix3d{{0.1, 0.01, 0.02}, {0.01, 0.2, 0.03}, {0.02, 0.03, 0.25}});
}

TEST_CASE("A payload on a body that is fused into a link has its place in that link") {
  const TemporaryFolder folder;
  const std::string inertia = "<inertial pos=\"0 0 0.1\" mass=\"1\" diaginertia=\"0.1 0.1 0.1\"/>";
  const std::string file = folder.Write(
      "arm.xml", "<mujoco><worldbody><body name=\"arm\"><joint name=\"j1\" axis=\"0 1 0\"/>" +
                     inertia +
                     "<body name=\"wrist\" pos=\"0 0 0.3\"><joint name=\"j2\" axis=\"0 1 0\"/>" +
                     inertia + "</body></body></worldbody></mujoco>");
  constexpr double kQuarter = std::numbers::pi / 2;
  const Robot robot = LoadRobot(file, {"", {{"j1"}}, {{"j2", kQuarter}}});
  std::vector<Issue> issues;
  const Events events = ReadEvents(R"([{"at_s": 0, "mass_kg": 2, "link": "wrist",
      "com_m": [0.01, 0.02, 0.03], "inertia_kgm2": [0.1, 0.2, 0.25, 0.01, 0.02, 0.03]}])",
                                   issues);
  REQUIRE(issues.empty());
  CHECK(CheckPayloadEvents(events, "/events", robot).empty());
  const Payload payload = MakePayloads(events, robot)[0];
  CHECK(payload.link == 0);
  // Held a quarter turn about y, the wrist's z is the link's x, and its x the link's −z.
  CHECK((payload.inertia.com - Eigen::Vector3d(0.03, 0.02, 0.29)).norm() < 1e-15);
  const Eigen::Matrix3d turned{{0.25, 0.03, -0.02}, {0.03, 0.2, -0.01}, {-0.02, -0.01, 0.1}};
  CHECK((payload.inertia.I_com - turned).norm() < 1e-15);
}

TEST_CASE("What is not a payload's inertia is refused") {
  CHECK(PayloadMessages(R"([{"at_s": 0, "mass_kg": 1, "com_m": [1], "size_m": [1, 2],
                      "inertia_kgm2": [1, 2]}])") ==
        "s.json: /events/0/com_m: got a list of 1\n"
        "  accepted here: x, y, z\n"
        "s.json: /events/0/size_m: got a list of 2\n"
        "  accepted here: the edges along x, y, z\n"
        "s.json: /events/0/inertia_kgm2: got a list of 2\n"
        "  accepted here: Ixx, Iyy, Izz, or these and Ixy, Ixz, Iyz, about the centre of mass\n"
        "s.json: /events/0/inertia_kgm2: is given together with size_m\n"
        "  give only one of them");
  CHECK(PayloadMessages(R"([{"at_s": 0, "mass_kg": 1, "inertia_kgm2": [1, 2, 3.1]}])") ==
        "s.json: /events/0/inertia_kgm2: no body has the principal moments 1, 2, 3.1\n"
        "  accepted here: none is negative, none is more than the sum of the others");
  CHECK(PayloadMessages(R"([{"at_s": 0, "mass_kg": 0}])") ==
        "s.json: /events/0/mass_kg: got 0\n  accepted here: a number, greater than 0 [kg]");
}

TEST_CASE("Events that contradict each other or the robot are refused") {
  CHECK(PayloadMessages(R"([{"type": "ramp", "from_s": 2, "to_s": 2, "mass_kg": 1}])") ==
        "s.json: /events/0/to_s: is 2 s, not after from_s");
  CHECK(PayloadMessages(R"([{"at_s": 0, "mass_kg": 1, "link": "link4"}])") ==
        "s.json: /events/0/link: unknown link \"link4\"\n"
        "  accepted here: link1, link2, link3\n"
        "  did you mean 'link1'?");
  CHECK(PayloadMessages(R"([{"at_s": 2, "mass_kg": 1}, {"at_s": 3, "mass_kg": 1}])") ==
        "s.json: /events/1/payload: 'payload' is already attached at that time\n"
        "  detach it first, or give this one another name");
  CHECK(PayloadMessages(R"([{"type": "detach", "at_s": 3, "payload": "b"}])") ==
        "s.json: /events/0/payload: 'b' is not attached at that time\n  attach it first");
  CHECK(PayloadMessages(R"([{"at_s": 2, "mass_kg": 1},
                     {"type": "ramp", "from_s": 2, "to_s": 5, "mass_kg": 2},
                     {"type": "detach", "at_s": 4}])") ==
        "s.json: /events/2/at_s: 4 s is before the last event of 'payload' has ended, at 5 s\n"
        "  list the events of a payload in the order of their times");
}

}  // namespace
}  // namespace idbench
