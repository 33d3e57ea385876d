#include "reports/statistics/holm.h"

#include <doctest/doctest.h>

namespace idbench {
namespace {

TEST_CASE("Holm's adjustment gives the worked example of R's p.adjust") {
  // p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") is 0.03 0.06 0.06 0.02.
  const std::vector<double> adjusted = HolmAdjusted(std::vector<double>{0.01, 0.04, 0.03, 0.005});
  CHECK(adjusted[0] == doctest::Approx(0.03));
  CHECK(adjusted[1] == doctest::Approx(0.06));  // not 0.04: never below a smaller p's
  CHECK(adjusted[2] == doctest::Approx(0.06));
  CHECK(adjusted[3] == doctest::Approx(0.02));
}

TEST_CASE("Adjusted p-values end at 1, and none gives none") {
  CHECK(HolmAdjusted(std::vector<double>{0.6, 0.7}) == std::vector<double>{1.0, 1.0});
  CHECK(HolmAdjusted(std::vector<double>{0.3}) == std::vector<double>{0.3});
  CHECK(HolmAdjusted(std::vector<double>{}).empty());
}

}  // namespace
}  // namespace idbench
