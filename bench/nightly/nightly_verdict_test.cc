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
    CHECK(ToString(info.verdict) == name);
    CHECK(info.exit_code == ExitCodeOf(verdict));
  }
}

TEST_CASE("Every verdict has a row, in which exit code, colour and JUnit element agree") {
  for (const auto& [verdict, name] : kEnumNames<NightlyVerdict>) {
    const NightlyVerdictInfo& info = InfoOf(verdict);
    CAPTURE(name);
    CHECK(info.verdict == verdict);
    const bool fine = info.exit_code == kExitFine;
    CHECK(fine == (info.tone == "good" || info.tone.empty()));
    CHECK(fine == (info.junit == JunitElement::kNone || info.junit == JunitElement::kSkipped));
    CHECK((info.junit == JunitElement::kSkipped) == info.tone.empty());
    CHECK((info.junit == JunitElement::kFailure) == (info.exit_code == kExitRegression));
    if (info.accepted) CHECK(fine);
  }
}

TEST_CASE("A run that did not end is worse than a regression, and that than an undecided one") {
  using Verdict = NightlyVerdict;
  CHECK(IsWorse(Verdict::kCrashed, Verdict::kRefused));
  CHECK(IsWorse(Verdict::kRefused, Verdict::kRegression));
  CHECK(IsWorse(Verdict::kRegression, Verdict::kIncomparable));
  CHECK(IsWorse(Verdict::kIncomparable, Verdict::kInconclusive));
  CHECK(IsWorse(Verdict::kInconclusive, Verdict::kPass));
  CHECK_FALSE(IsWorse(Verdict::kPass, Verdict::kFirstRun));
  CHECK_FALSE(IsWorse(Verdict::kKilled, Verdict::kCrashed));
}

}  // namespace
}  // namespace idbench
