#include "bench/nightly/nightly_verdict.h"

#include <doctest/doctest.h>

#include "bench/gate/gate_run.h"
#include "bench/run/exit_code.h"

namespace idbench {
namespace {

TEST_CASE("A run that was gated has the gate's verdict, its name and its exit code") {
  for (const auto& [verdict, name] : kEnumNames<GateVerdict>) {
    CAPTURE(name);
    const NightlyVerdictInfo& info = InfoOf(NightlyVerdictOf(verdict));
    CHECK(info.name == name);
    CHECK(info.exit_code == ExitCodeOf(verdict));
  }
}

TEST_CASE("Every verdict has a row, in which exit code, colour and JUnit element agree") {
  for (int i = 0; i <= static_cast<int>(NightlyVerdict::kFailed); ++i) {
    const NightlyVerdictInfo& info = InfoOf(static_cast<NightlyVerdict>(i));
    CAPTURE(info.name);
    CHECK(info.verdict == static_cast<NightlyVerdict>(i));
    CHECK_FALSE(info.name.empty());
    const bool fine = info.exit_code == kExitFine;
    CHECK(fine == (info.tone == "good" || info.tone.empty()));
    CHECK(fine == (info.junit == JunitElement::kNone || info.junit == JunitElement::kSkipped));
    CHECK((info.junit == JunitElement::kSkipped) == info.tone.empty());
    CHECK((info.junit == JunitElement::kFailure) == (info.exit_code == kExitRegression));
  }
}

}  // namespace
}  // namespace idbench
