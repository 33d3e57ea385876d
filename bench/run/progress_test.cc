#include "bench/run/progress.h"

#include <doctest/doctest.h>

#include <functional>

#include "bench/captured_output_test.h"

namespace idbench {
namespace {

/// What is printed to stderr.
std::string Printed(const std::function<void()>& call) {
  const TemporaryFolder folder;
  {
    const Redirected errors(stderr, folder.path() / "err");
    call();
  }
  return ReadText(folder.path() / "err");
}

TEST_CASE("A shard without trials is shown as complete, also on a terminal") {
  CHECK(Has(Printed([] { Progress("r", 0, 0, ProgressStyle::kBar); }),
            "r ████████████████████████ 0/0 trials\n"));
  CHECK(Printed([] { Progress("r", 0, 0, ProgressStyle::kLines); }).empty());
}

TEST_CASE("The bar fills up with the trials, and ends its line") {
  const std::string shown = Printed([] {
    Progress progress("r", 4, 1, ProgressStyle::kBar);
    progress.Advance(1, 1);
  });
  CHECK(shown.starts_with("\r\033[Kr ██████░░░░░░░░░░░░░░░░░░ 1/4 trials"));
  CHECK(Has(shown, "\r\033[Kr ████████████░░░░░░░░░░░░ 2/4 trials, "));
  CHECK(shown.ends_with(", 1 failed estimates\n"));
}

TEST_CASE("Elsewhere a line tells each tenth, and none the tenths that were complete before") {
  const std::string shown = Printed([] {
    Progress progress("r", 20, 10, ProgressStyle::kLines);
    for (int k = 0; k < 3; ++k) progress.Advance(1, 0);
  });
  CHECK(shown.starts_with("r:  60 %  12/20 trials"));
  CHECK(shown.find('\n') == shown.size() - 1);
}

TEST_CASE("Where no more trials follow, those that are done are all") {
  const auto closed = [](ProgressStyle style) {
    return Printed([style] {
      Progress progress("r", 20, 0, style);
      progress.Advance(5, 0);
      progress.Close();
    });
  };
  CHECK(Has(closed(ProgressStyle::kBar), "\r\033[Kr ████████████████████████ 5/5 trials, "));
  CHECK(Has(closed(ProgressStyle::kLines), "r: 100 %  5/5 trials, "));
  CHECK(Printed([] { Progress("r", 20, 0, ProgressStyle::kLines).Close(); }).empty());
}

TEST_CASE("In its quiet time nothing is shown") {
  for (const ProgressStyle style : {ProgressStyle::kBar, ProgressStyle::kLines}) {
    CHECK(Printed([style] {
            Progress progress("r", 4, 0, style, 1e6);
            progress.Advance(4, 0);
          }).empty());
  }
}

}  // namespace
}  // namespace idbench
