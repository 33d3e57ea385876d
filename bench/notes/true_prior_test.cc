#include "bench/notes/true_prior.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string_view>

#include "bench/metrics/planar_metrics_test.h"

namespace idbench {
namespace {

/// What is told of planar2 with a prior, in which nothing but the prior's options has errors.
std::string ToldOf(const char* prior) {
  Json patch = ParseJson(R"({
      "robot": {"truth": {"friction": {"viscous_nms_rad": 0.5, "coulomb_nm": 1}}},
      "problem": {"parametrisation": {"type": "standard", "rotor_inertia": false}}})",
                         "patch");
  patch["problem"]["prior"] = ParseJson(prior, "prior");
  const LoadedScenario loaded = PlanarScenario(patch.dump().c_str());
  RolloutStore rollouts;
  const PreparedCell cell(loaded, loaded.cells[0], rollouts);
  std::string told = TruePriorNote(cell.scenario(), cell.Run(0));
  CHECK((std::ranges::find(cell.warnings(), told) != cell.warnings().end()) == !told.empty());
  return told;
}

TEST_CASE("A prior whose mean is the truth is told, with its unknowns and what draws errors") {
  const std::string told = ToldOf(R"({"mean": {"fv": 0.5, "fc": 1}})");
  CHECK(told.starts_with(
      "the prior is the truth: of 24 of 24 unknowns its mean is the true value (link1.m"));
  CHECK(told.find("/problem/prior/mass_error=") != std::string::npos);
}

TEST_CASE("What is told to draw errors draws them when it is pasted") {
  Json json = ParseJson(R"({
    "name": "m", "robot": {"model": "planar2"}, "control": {"type": "exact_replay"},
    "experiments": {"identification": {"motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 2, "candidates": 1}}},
    "sensors": {"joint_torque": {"noise_std_nm": 0.1}}, "estimators": {"map": {}},
    "problem": {"parametrisation": {"type": "standard", "friction": []}, "prior": {"relative_std": 0.2}}})",
                        "test");
  const auto told = [&json](const std::vector<Override>& overrides) {
    const LoadedScenario loaded = LoadScenario(json, "test", overrides, AllMetrics());
    RolloutStore rollouts;
    const PreparedCell cell(loaded, loaded.cells[0], rollouts);
    return TruePriorNote(cell.scenario(), cell.Run(0));
  };
  for (const char* const type : {"standard", "base", "masses_and_moments"}) {
    CAPTURE(type);
    json["problem"]["parametrisation"]["type"] = type;
    const std::string note = told({});
    std::vector<Override> pasted;
    const std::string_view begin = "--set '";
    for (std::size_t at = note.find(begin); at != std::string::npos; at = note.find(begin, at)) {
      at += begin.size();
      const std::string set = note.substr(at, note.find('\'', at) - at);
      pasted.push_back({set.substr(0, set.find('=')), set.substr(set.find('=') + 1)});
    }
    REQUIRE(pasted.size() >= 3);
    CHECK(told(pasted) == "");
  }
}

TEST_CASE("Of a prior that states σ by kind, what is told draws the means as it states them") {
  const std::string told = ToldOf(R"({"std": {"body": 0.2, "fv": 0.5, "fc": 1}})");
  CHECK(
      told.ends_with("errors as std states them are drawn by --set '/problem/prior/draw=\"trial\"' "
                     "--set '/problem/prior/mean_error=\"declared\"'"));
  for (const char* const draw : {"trial", "cell"}) {
    const std::string prior =
        R"({"std": {"body": 0.2, "fv": 0.5, "fc": 1}, "mean_error": "declared", "draw": ")";
    CHECK(ToldOf((prior + draw + "\"}").c_str()) == "");
  }
  // A mean that is given is not drawn, nor one whose σ is relative to it.
  for (const char* const prior :
       {R"({"std": {"body": 0.2, "fv": 0.5, "fc": 1}, "mean": {"fc": 1}})",
        R"({"std": {"fv": 0.5, "fc": 1}, "relative_std": 0.2})"}) {
    CAPTURE(prior);
    CHECK(ToldOf(prior).find("mean_error=") == std::string::npos);
  }
}

TEST_CASE("Of friction alone it is told where bodies have errors") {
  // The errors are those of the line that is told.
  const std::string told = ToldOf(
      R"({"mean": {"fv": 0.5, "fc": 1}, "draw": "trial", "com_error": {"type": "gaussian", "std": 0.1},
          "mass_error": {"type": "gaussian", "std": 0.1}, "inertia_error": {"type": "gaussian", "std": 0.1}})");
  CHECK(told.find("mass_error") == std::string::npos);
  CHECK(
      told.ends_with("give joint1.fv, joint1.fc, joint2.fv, joint2.fc other means in "
                     "/problem/prior/mean"));
}

TEST_CASE("What is known by declaration is counted, with how much of it is true") {
  const LoadedScenario loaded = PlanarScenario(R"({
      "robot": {"truth": {"friction": {"viscous_nms_rad": 0.5, "coulomb_nm": 1}}},
      "problem": {"parametrisation": {"type": "standard", "rotor_inertia": false},
                  "prior": {"mean": {"fv": 0.5, "fc": 2}, "known": ["joint{1,2}.fv", "joint1.fc"]}}})");
  RolloutStore rollouts;
  const PreparedCell cell(loaded, loaded.cells[0], rollouts);
  const std::string told = KnownNote(cell.scenario(), cell.robot(), cell.Run(0));
  CHECK(told ==
        "known by declaration, so that every method holds them at the prior's mean: joint1.fv, "
        "joint1.fc, joint2.fv (3 of 24 parameters, 2 with their true value)");
  CHECK(std::ranges::count(cell.notes(), told) == 1);
  CHECK(std::ranges::count(cell.marks(), told) == 1);
  const LoadedScenario none = PlanarScenario(R"({"problem": {"prior": {}}})");
  const PreparedCell of_none(none, none.cells[0], rollouts);
  CHECK(KnownNote(of_none.scenario(), of_none.robot(), of_none.Run(0)) == "");
}

TEST_CASE("A recording, and a problem without a prior, have no such prior") {
  const LoadedScenario loaded = PlanarScenario();
  RolloutStore rollouts;
  const PreparedCell cell(loaded, loaded.cells[0], rollouts);
  CHECK(TruePriorNote(cell.scenario(), cell.Run(0)) == "");
}

}  // namespace
}  // namespace idbench
