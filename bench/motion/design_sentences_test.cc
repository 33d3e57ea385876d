#include "bench/motion/design_sentences.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace idbench {
namespace {

ExcitationHistory OneStart() {
  return {.criterion = ExcitationCriterion::kLogDet,
          .starts = {{.random = 10.0, .designed = -2.5, .kept = 1.0, .evaluations = 120}}};
}

TEST_CASE("A design of one start tells what it began with, where it ended and what it took") {
  CHECK(DesignSentences({{"", OneStart()}}) ==
        std::vector<std::string>{
            "designed by jd, the less the better: 10 at the random start, -2.5 at the end",
            "1 start led to a motion; 120 evaluations"});
  CHECK(DesignSentences({}).empty());
}

TEST_CASE("Of several starts the range is told, those that failed, and the evaluations of all") {
  ExcitationHistory history = OneStart();
  history.starts.push_back({.random = 9.0, .designed = -4.0, .kept = 0.95, .evaluations = 30});
  history.best = 1;
  CHECK(
      DesignSentences({{"", history}}) ==
      std::vector<std::string>{
          "designed by jd, the less the better: 9 at the random start, -4 at the end, of the best "
          "start",
          "2 starts led to a motion, ends between -4 and -2.5; 150 evaluations"});
  history.failed = 3;
  history.failure = "no motion about the middle pose keeps the limits";
  CHECK(DesignSentences({{"", history}})[1] ==
        "2 of 5 starts led to a motion, ends between -4 and -2.5; 150 evaluations; the first that "
        "failed: no motion about the middle pose keeps the limits");
}

TEST_CASE("What was drawn back to keep limits is told with a cure, and an end that is no better") {
  ExcitationHistory history = OneStart();
  history.starts[0].kept = 0.25;
  const std::vector<std::string> drawn = DesignSentences({{"", history}});
  REQUIRE(drawn.size() == 3);
  CHECK(drawn[2] ==
        "drawn back to keep limits: 25 % of the last way of the optimiser is kept, the rest went "
        "beyond them; try more \"rounds\" or a heavier \"penalty\" in its \"optimiser\"");
  history.starts[0].kept = 0.9;
  CHECK(DesignSentences({{"", history}}).size() == 2);
  history.starts[0].designed = history.starts[0].random;
  CHECK(DesignSentences({{"", history}})[2] ==
        "the optimiser found nothing better than the random start that keeps the limits");
}

TEST_CASE("Parts of a sequence are told apart, and random motions are called that") {
  CHECK(DesignSentences({{"/parts/0", {}}, {"/parts/2", OneStart()}}) ==
        std::vector<std::string>{
            "parts/0: random within the robot's limits: nothing was minimised",
            "parts/2: designed by jd, the less the better: 10 at the random start, -2.5 at the end",
            "parts/2: 1 start led to a motion; 120 evaluations"});
}

}  // namespace
}  // namespace idbench
