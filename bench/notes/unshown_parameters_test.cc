#include "bench/notes/unshown_parameters.h"

#include <doctest/doctest.h>

#include "bench/small_run_test.h"
#include "scenarios/problem/parametrisations.h"

namespace idbench {
namespace {

/// Notes on planar2 with an exciting motion, whose problem asks for friction and rotor inertias.
std::vector<std::string> NotesOn(const Json& design, const Json& criterion = "jd",
                                 const char* role = "identification") {
  Json json = Description();
  json["experiments"]["designed"] = {
      {"role", role},
      {"motion",
       {{"type", "exciting"}, {"criterion", criterion}, {"duration_s", 2}, {"design", design}}}};
  const LoadedScenario loaded = Load(json);
  const Cell& cell = loaded.cells.front();
  return UnshownParameterNotes(cell.robot, cell.scenario,
                               AskedParameters(cell.robot, cell.scenario.problem));
}

using Notes = std::vector<std::string>;

TEST_CASE("Parameters that a problem asks for and a design does not count are told with the cure") {
  CHECK(
      NotesOn(Json::object()) ==
      Notes{"the problem asks for parameters that the design of the motion in designed does not "
            "count: joint1.fv, joint1.fc, joint1.ia, joint2.fv, joint2.fc, joint2.ia; \"design\": "
            "{\"friction\": [\"viscous\", \"coulomb\"], \"rotor_inertia\": true} counts them"});
  CHECK(NotesOn({{"friction", {"coulomb"}}, {"rotor_inertia", true}}) ==
        Notes{"the problem asks for parameters that the design of the motion in designed does not "
              "count: joint1.fv, joint2.fv; \"design\": {\"friction\": [\"coulomb\", \"viscous\"], "
              "\"rotor_inertia\": true} counts them"});
}

TEST_CASE("A design that counts all, a random motion and one of held-out data are not told") {
  CHECK(NotesOn({{"friction", {"viscous", "coulomb", "offset"}}, {"rotor_inertia", true}}).empty());
  CHECK(NotesOn(Json::object(), nullptr).empty());
  CHECK(NotesOn(Json::object(), "jd", "validation").empty());
}

TEST_CASE("A run tells it among its notes") {
  Json json = Description();
  json.erase("sweep");
  json["experiments"]["identification"]["motion"] = {
      {"type", "exciting"}, {"duration_s", 2}, {"self_collision", false}};
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  const PreparedCell cell(loaded, loaded.cells.front(), rollouts);
  CHECK(std::ranges::count_if(cell.notes(), [](const std::string& note) {
          return note.starts_with("the problem asks for parameters that the design of the motion");
        }) == 1);
}

}  // namespace
}  // namespace idbench
