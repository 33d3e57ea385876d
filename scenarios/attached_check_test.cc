#include "scenarios/attached_check.h"

#include <doctest/doctest.h>

#include "scenarios/loaded_test.h"

namespace idbench {
namespace {

/// SmallSimulation() with a tool in its identification.
Json WithTool() {
  Json json = SmallSimulation();
  json["attached"] = Json::parse(R"({"tool": {"link": "link2", "truth": {"mass_kg": 1}}})");
  json["configurations"] = Json::parse(R"({"loaded": {"attached": ["tool"]}})");
  json["experiments"]["identification"]["configuration"] = "loaded";
  return json;
}

TEST_CASE("A simulated tool has a truth, and an experiment names a configuration that there is") {
  CHECK(LoadMessage(WithTool()).empty());
  Json json = WithTool();
  json["attached"]["tool"].erase("truth");
  CHECK(LoadMessage(json) ==
        "test.json: /attached/tool/truth: missing\n"
        "  say the mass, the centre of mass and the inertia of the simulated body");
  json["attached"]["tool"]["known"] = true;
  json["attached"]["tool"]["prior"] = {{"mass_kg", 1}};
  CHECK(LoadMessage(json).empty());
  json["attached"]["tool"].erase("known");
  json["attached"]["tool"]["drawn"] = true;
  CHECK(LoadMessage(json).empty());
  json = WithTool();
  json["experiments"]["other"] = json["experiments"]["identification"];
  json["experiments"]["other"]["configuration"] = "loded";
  CHECK(LoadMessage(json) ==
        "test.json: /experiments/other/configuration: there is no configuration \"loded\"\n"
        "  accepted here: loaded\n  did you mean 'loaded'?");
  json = SmallSimulation();
  json["experiments"]["identification"]["configuration"] = "loaded";
  CHECK(LoadMessage(json) ==
        "test.json: /experiments/identification/configuration: there is no configuration "
        "\"loaded\"\n  declare it in /configurations");
}

TEST_CASE("Unknowns that hold no further bodies refuse unknown ones") {
  Json json = WithTool();
  json["problem"]["parametrisation"] =
      Json::parse(R"({"type": "payload", "payload": {"mass_bounds_kg": [0, 2],
                      "moment_bounds_kgm2": [0, 1]}})");
  CHECK(LoadMessage(json).find(
            "test.json: /attached/tool/known: is false, but \"payload\" takes all bodies of the "
            "robot for known\n  set it to true, with the body's inertia as its prior") !=
        std::string::npos);
  json["problem"]["parametrisation"] = {{"type", "planar_lagrangian"}};
  CHECK(LoadMessage(json).find(
            "test.json: /attached/tool: has no meaning for \"planar_lagrangian\", which says "
            "nothing of single bodies\n  remove it, or choose another /problem/parametrisation") !=
        std::string::npos);
}

TEST_CASE("A term of a configuration without data for identification is told once") {
  Json json = SmallSimulation();
  json["problem"]["parametrisation"]["friction"] = {"viscous"};
  json["configurations"] = {{"later", {{"own", {"joint1.fv"}}}}};
  json["experiments"]["later"] = {
      {"role", "validation"}, {"configuration", "later"}, {"motion", {{"type", "fourier"}}}};
  CHECK(LoadMessage(json) ==
        "test.json: /configurations/later/own/0: no experiment of role identification is in the "
        "configuration \"later\", so nothing can be learnt of its joint1.fv\n"
        "  record one in it, or remove this");
}

TEST_CASE("A sensor that nothing lies beyond cannot be an equation, unless something is attached") {
  Json json = SmallSimulation();
  json["robot"]["force_torque_sensors"] =
      Json::parse(R"({"hand": {"link": "link2", "link_side": "proximal"}})");
  json["sensors"]["wrench"] = {{"hand", Json::object()}};
  json["problem"]["equations"] =
      Json::parse(R"(["joint_torque", {"type": "wrench", "mount": "hand"}])");
  CHECK(LoadMessage(json) ==
        "test.json: /problem/equations/1/mount: nothing lies beyond hand: its link_side is "
        "proximal, link2 carries no other link, and nothing is attached to it\n"
        "  attach a body to the link (/attached), or set link_side to \"distal\"");
  const Json tool = WithTool();
  json["attached"] = tool["attached"];
  json["configurations"] = tool["configurations"];
  json["experiments"] = tool["experiments"];
  CHECK(LoadMessage(json).empty());
}

}  // namespace
}  // namespace idbench
