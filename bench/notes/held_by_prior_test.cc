#include "bench/notes/held_by_prior.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "bench/metrics/planar_metrics_test.h"

namespace idbench {
namespace {

/// What is told of planar2 with this σ of the Coulomb friction of joint 2.
std::string HeldWith(const char* sigma) {
  Json patch = ParseJson(
      R"({"problem": {"parametrisation": {"type": "standard"},
          "prior": {"std": {"body": 0.2, "fv": 0.1, "fc": 0.2, "ia": 0.1}}}})",
      "patch");
  patch["problem"]["prior"]["std"]["joint2.fc"] = ParseJson(sigma, "sigma");
  const LoadedScenario loaded = PlanarScenario(patch.dump().c_str());
  RolloutStore rollouts;
  const PreparedCell cell(loaded, loaded.cells[0], rollouts);
  std::string of_friction;
  for (const std::string& told : HeldByPriorNotes(cell.Run(0))) {
    CHECK(std::ranges::count(cell.warnings(), told) == 1);
    if (told.find("of bodies") == std::string::npos) of_friction = told;
  }
  return of_friction;
}

TEST_CASE("An unknown whose σ is below what the data tell is named, and no other") {
  CHECK(HeldWith("1e-6").starts_with(
      "the σ of the prior is below what the data tell of joint2.fc: methods"));
  CHECK(HeldWith("0.2") == "");
}

TEST_CASE("The limit is σ of the rows over the root of their number and the rms of the column") {
  // sign(q̇) of joint 2 alone has rms 1, nearly, of about 400 samples: 0.1 N·m/√400 = 0.005 N·m.
  CHECK(HeldWith("0.002") != "");
  CHECK(HeldWith("0.015") == "");
}

TEST_CASE("Parameters of bodies are told in a line of their own, principal moments too") {
  for (const char* const type : {"standard", "masses_and_moments"}) {
    CAPTURE(type);
    const auto told = [type](const char* body) {
      Json patch = ParseJson(
          R"({"problem": {"prior": {"std": {"fv": 0.1, "fc": 0.2, "ia": 0.1}}}})", "patch");
      patch["problem"]["parametrisation"]["type"] = type;
      patch["problem"]["prior"]["std"]["body"] = ParseJson(body, "sigma");
      const LoadedScenario loaded = PlanarScenario(patch.dump().c_str());
      RolloutStore rollouts;
      return HeldByPriorNotes(PreparedCell(loaded, loaded.cells[0], rollouts).Run(0));
    };
    const std::vector<std::string> held = told("1e-7");
    REQUIRE(held.size() == 1);
    CHECK(held[0].find(" parameters of bodies: ") != std::string::npos);
    CHECK(held[0].find("link2.m") != std::string::npos);
    CHECK(told("1e4").empty());
  }
}

}  // namespace
}  // namespace idbench
