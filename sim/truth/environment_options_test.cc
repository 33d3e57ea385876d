#include "sim/truth/environment_options.h"

#include <doctest/doctest.h>

#include <string>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

const Robot& Touchable() {
  static const Robot robot = [] {
    Robot loaded = LoadRobot("planar3");
    loaded.model.SetAttached({{"tool", 2, Eigen::Matrix3d::Identity(), {0.0, 0.0, 0.1}, true}},
                             {{"bare", {}, true}, {"loaded", {0}, true}});
    return loaded;
  }();
  return robot;
}

EnvironmentOptions ReadEnvironment(const std::string& touches, std::vector<Issue>& issues) {
  EnvironmentOptions options;
  Binding<EnvironmentOptions>::Read(ParseJson(R"({"touches": [)" + touches + "]}", "test"),
                                    "/environment", {}, options, issues);
  return options;
}

/// All messages about one entry, from reading and from CheckEnvironment().
std::string TouchMessages(const std::string& entry, int configuration = 0,
                          std::optional<double> step_s = 0.00025) {
  std::vector<Issue> issues;
  const EnvironmentOptions options = ReadEnvironment(entry, issues);
  if (issues.empty()) {
    issues = CheckEnvironment(options, "/environment", Touchable(), configuration, step_s);
  }
  return issues.empty() ? "" : ConfigError("s.json", issues).what();
}

/// An entry that draws, changed.
std::string DrawnEntry(const std::string& change) {
  Json json = ParseJson(R"({"type": "drawn_touches", "link": "link2", "axis_from_m": [0, 0, 0],
      "axis_to_m": [0, 0, 0.1], "radius_m": 0.035, "tangential_fraction": 0.2,
      "force_n": [0.5, 10], "ramp_s": [0.1, 0.3], "hold_s": [0.3, 2], "gap_s": [2, 6]})",
                        "test");
  json.merge_patch(ParseJson(change, "change"));
  return json.dump();
}

const std::string kTouch =
    R"({"link": "link2", "force_n": [0, 0, -10], "from_s": 2, "ramp_s": 0.2, "hold_s": 1})";
const std::string kPush =
    R"({"type": "push", "link": "link3", "impulse_ns": [1, 0, 0], "axes": "base", "at_s": 5,
        "duration_s": 0.1})";

TEST_CASE("Touches, pushes and touches that are drawn are read and written") {
  std::vector<Issue> issues;
  const EnvironmentOptions options =
      ReadEnvironment(kTouch + "," + kPush + "," + DrawnEntry(R"({"draw": "trial"})"), issues);
  REQUIRE(issues.empty());
  CHECK(CheckEnvironment(options, "", Touchable(), 0, 0.00025).empty());
  const auto& touch = std::get<TouchOptions>(options.touches[0]);
  CHECK(touch.axes == ForceAxes::kLink);
  CHECK(touch.point_m == std::vector<double>(3, 0.0));
  CHECK(std::get<PushOptions>(options.touches[1]).axes == ForceAxes::kBase);
  CHECK(std::get<DrawnTouchesOptions>(options.touches[2]).draw == Draw::kTrial);
  EnvironmentOptions again;
  Binding<EnvironmentOptions>::Read(WriteValue(options), "", {}, again, issues);
  CHECK(issues.empty());
  CHECK(again == options);
  CHECK(DrawnPerTrial(options));
  CHECK(Describe(options) ==
        std::vector<std::string>{"10 N on link2 from 2 s to 3.4 s", "1 N·s on link3 at 5 s",
                                 "touches of link2 with 0.5 to 10 N, drawn per trial"});
  again.touches.pop_back();
  CHECK_FALSE(DrawnPerTrial(again));
}

TEST_CASE("What cannot be touched is refused with what can") {
  CHECK(TouchMessages(R"({"link": "link4", "force_n": [1, 0, 0], "from_s": 0, "hold_s": 1})") ==
        "s.json: /environment/touches/0/link: unknown link \"link4\"\n"
        "  accepted here: link1, link2, link3\n  did you mean 'link1'?");
  CHECK(TouchMessages(R"({"link": "base", "force_n": [1, 0, 0], "from_s": 0, "hold_s": 1})")
            .starts_with("s.json: /environment/touches/0/link: \"base\" does not move: it is fixed "
                         "to the base"));
  const std::string tool = R"({"link": "tool", "force_n": [1, 0, 0], "from_s": 0, "hold_s": 1})";
  CHECK(TouchMessages(tool, 0) ==
        "s.json: /environment/touches/0/link: \"tool\" is not attached in this experiment\n"
        "  name a configuration that has it, or touch a body of the robot");
  CHECK(TouchMessages(tool, 1).empty());
}

TEST_CASE("Forces that do nothing, lists of another length and negative times are refused") {
  CHECK(TouchMessages(R"({"link": "link2", "force_n": [0, 0, 0], "from_s": 0, "hold_s": 0})") ==
        "s.json: /environment/touches/0/force_n: a force of zero does nothing\n  remove it\n"
        "s.json: /environment/touches/0/hold_s: the touch lasts 0 s\n"
        "  give it a hold_s or a ramp_s");
  CHECK(TouchMessages(R"({"link": "link2", "point_m": [0, 1], "force_n": [1], "from_s": 0,
                          "hold_s": 1})") ==
        "s.json: /environment/touches/0/point_m: got a list of 2\n"
        "  accepted here: three numbers\n"
        "s.json: /environment/touches/0/force_n: got a list of 1\n"
        "  accepted here: three numbers");
  const std::string negative =
      TouchMessages(R"({"link": "link2", "force_n": [1, 0, 0], "from_s": -1, "hold_s": 1})");
  CHECK(negative.starts_with("s.json: /environment/touches/0/from_s: "));
  CHECK(negative.find("-1") != std::string::npos);
  CHECK(TouchMessages(R"({"type": "push", "link": "link2", "impulse_ns": [0, 0, 0], "at_s": 1,
                          "duration_s": 0.1})") ==
        "s.json: /environment/touches/0/impulse_ns: an impulse of zero does nothing\n  remove it");
  CHECK(TouchMessages(R"({"type": "pull", "link": "link2"})")
            .starts_with("s.json: /environment/touches/0/type: "));
}

TEST_CASE("Ranges in the wrong order, an axis without length and momentary touches are refused") {
  CHECK(TouchMessages(DrawnEntry("{}")).empty());
  CHECK(TouchMessages(DrawnEntry(R"({"gap_s": [6, 2], "ramp_s": [0.1]})")) ==
        "s.json: /environment/touches/0/ramp_s: got a list of 1\n"
        "  accepted here: the least and the greatest value\n"
        "s.json: /environment/touches/0/gap_s: the least value 6 is above the greatest 2\n"
        "  accepted here: the least value first");
  CHECK(TouchMessages(DrawnEntry(R"({"axis_to_m": [0, 0, 0]})")) ==
        "s.json: /environment/touches/0/axis_to_m: is axis_from_m: an axis without length has no "
        "direction\n  give the other end of the cylinder's axis");
  CHECK(TouchMessages(DrawnEntry(R"({"ramp_s": [0, 0.3], "hold_s": [0, 2]})")) ==
        "s.json: /environment/touches/0/hold_s: a touch may last 0 s in all\n"
        "  accepted here: two ramps and a hold of at least 0.001 s");
  CHECK(TouchMessages(DrawnEntry(R"({"force_n": [0, 10]})"))
            .starts_with("s.json: /environment/touches/0/force_n"));
  CHECK(TouchMessages(DrawnEntry(R"({"radius_m": 35})"))
            .starts_with("s.json: /environment/touches/0/radius_m"));  // of mm
  CHECK(TouchMessages(DrawnEntry(R"({"radius_m": -0.1})"))
            .starts_with("s.json: /environment/touches/0/radius_m"));
}

TEST_CASE("A push that steps of the plant cannot follow is refused, an exact replay has no steps") {
  const std::string brief = R"({"type": "push", "link": "link3", "impulse_ns": [1, 0, 0],
                                "at_s": 5, "duration_s": 0.001})";
  CHECK(TouchMessages(brief) ==
        "s.json: /environment/touches/0/duration_s: 0.001 s are 4 steps of the plant, too few to "
        "follow half a sine\n  accepted here: at least 0.0025 s\n"
        "  or make /plant/timestep_s smaller");
  CHECK(TouchMessages(brief, 0, 0.0001).empty());
  CHECK(TouchMessages(brief, 0, std::nullopt).empty());
}

}  // namespace
}  // namespace idbench
