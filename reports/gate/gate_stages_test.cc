#include "reports/gate/gate_stages.h"

#include <doctest/doctest.h>

#include <cmath>

namespace idbench {
namespace {

TEST_CASE("Both stages have to find a change, the reserve at the level that Holm asks of one") {
  const GateStages stages(0.05, 10, 100, 60);
  CHECK(stages.Power(0.5, 1) ==
        doctest::Approx(Stage{100, 0.05}.Power(0.5, 1) * Stage{60, 0.005}.Power(0.5, 1)));
  CHECK(GateStages(0.05, 10, 4, 60).Power(9, 1) == 0);   // 2⁻⁴ > 0.05
  CHECK(GateStages(0.05, 10, 100, 7).Power(9, 1) == 0);  // 2⁻⁷ > 0.005
}

TEST_CASE("The least change that is found is found in four of five gates") {
  const GateStages stages(0.05, 3, 80, 50);
  const double found = stages.LeastFound(0.02, 0.1);
  CHECK(stages.Power(found - 0.02, 0.1) == doctest::Approx(0.8).epsilon(1e-4));
  CHECK(stages.LeastFound(0.02, 0) == 0.02);
  CHECK(std::isinf(GateStages(0.05, 10, 100, 7).LeastFound(0.02, 0.1)));
  // Unchanged members are the same where their distance from the tolerance has such a power.
  const double decided = stages.LeastDecidable(0.1);
  CHECK(Stage{80, 0.05}.Power(decided, 0.1) == doctest::Approx(1 - 0.05 / 3).epsilon(1e-4));
}

TEST_CASE("What is needed follows from the normal law: 1.3 (z + z)² (spread/margin)²") {
  const double limit = std::log(1.02);
  const double margin = std::log(1.04) - limit;
  const GateNeeds one = GateStages(0.05, 1, 10, 10).Needs(limit, std::log(1.04), 0.1);
  // "Same" in 95 %: (1.644854 + 1.644854)² · (0.1/0.0198)² = 276; confirmed in 90 % at α.
  const double confirmed = std::pow((1.644854 + 1.281552) * 0.1 / margin, 2);
  CHECK(static_cast<double>(one.first) == doctest::Approx(1.3 * 275.97).epsilon(0.01));
  CHECK(static_cast<double>(one.reserve) == doctest::Approx(1.3 * confirmed).epsilon(0.01));
  // Twenty: each the same in 99.75 %, confirmed at α/20.
  const GateNeeds many = GateStages(0.05, 20, 10, 10).Needs(limit, std::log(1.04), 0.1);
  const double same = std::pow((1.644854 + 2.807034) * 0.1 / limit, 2);
  CHECK(static_cast<double>(many.first) == doctest::Approx(1.3 * same).epsilon(0.01));
  CHECK(many.reserve > one.reserve);
  // What is needed does: no smaller number is asked for than finds it.
  const GateStages enough(0.05, 20, many.first, many.reserve);
  CHECK(enough.Power(margin, 0.1) >= 0.8);
  CHECK(enough.LeastDecidable(0.1) <= limit);
}

TEST_CASE("Trials for a failure rate: none fails, or some on either side") {
  // Without discordant pairs z² (1 − δ)/δ = 2.7055 · 0.98/0.02 = 132.6.
  CHECK(TrialsForRate(0.05, 1, 0.02, 0) == static_cast<std::size_t>(std::ceil(1.3 * 132.57)));
  CHECK(TrialsForRate(0.05, 1, 0.02, 0.1) > TrialsForRate(0.05, 1, 0.02, 0.01));
  CHECK(TrialsForRate(0.05, 20, 0.02, 0.1) > TrialsForRate(0.05, 1, 0.02, 0.1));
}

}  // namespace
}  // namespace idbench
