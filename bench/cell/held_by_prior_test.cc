#include "bench/cell/held_by_prior.h"

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
  std::string told = HeldByPriorNote(cell.Run(0));
  CHECK((std::ranges::find(cell.notes(), told) != cell.notes().end()) == !told.empty());
  return told;
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

}  // namespace
}  // namespace idbench
