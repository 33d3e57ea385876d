#include "scenarios/scoring.h"

#include <doctest/doctest.h>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("A scoring without keys is a low-pass by the rule, against torque as measured") {
  ScoringOptions scoring;
  std::vector<Issue> issues;
  ReadFields(Visit(scoring), Json::object(), "", issues);
  CHECK(issues.empty());
  CHECK(WriteFields(Visit(scoring)) == Json({{"smoothing", "lowpass"},
                                             {"cutoff_hz", nullptr},
                                             {"order", 5},
                                             {"torque", "measured"}}));
  CHECK(CheckScoring(scoring, false).empty());
}

TEST_CASE("A simulation states its cut-off, and no smoothing has none") {
  ScoringOptions scoring;
  REQUIRE(CheckScoring(scoring, true).size() == 1);
  CHECK(CheckScoring(scoring, true)[0].where == "/scoring/cutoff_hz");
  CHECK(CheckScoring(scoring, true)[0].what == "missing");
  scoring.cutoff_hz = 5.0;
  CHECK(CheckScoring(scoring, true).empty());
  scoring.smoothing = ScoreSmoothing::kNone;
  REQUIRE(CheckScoring(scoring, false).size() == 1);
  CHECK(CheckScoring(scoring, false)[0].what == "has no meaning with the smoothing \"none\"");
}

}  // namespace
}  // namespace idbench
