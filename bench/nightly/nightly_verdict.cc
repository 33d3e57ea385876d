#include "bench/nightly/nightly_verdict.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "bench/run/exit_code.h"

namespace idbench {
namespace {

using Verdict = NightlyVerdict;

constexpr auto kVerdicts = std::to_array<NightlyVerdictInfo>(
    {{Verdict::kPass, "pass", kExitFine, "good", JunitElement::kNone},
     {Verdict::kFirstRun, "first run", kExitFine, "good", JunitElement::kNone},
     {Verdict::kNotGated, "not gated", kExitFine, "good", JunitElement::kNone},
     {Verdict::kSkipped, "skipped", kExitFine, "", JunitElement::kSkipped},
     {Verdict::kRegression, "regression", kExitRegression, "bad", JunitElement::kFailure},
     {Verdict::kInconclusive, "inconclusive", kExitInconclusive, "warn", JunitElement::kError},
     {Verdict::kIncomparable, "incomparable", kExitIncomparable, "warn", JunitElement::kError},
     {Verdict::kOverBudget, "over budget", kExitExecution, "bad", JunitElement::kError},
     {Verdict::kInterrupted, "interrupted", kExitExecution, "bad", JunitElement::kError},
     {Verdict::kNotRun, "not run", kExitExecution, "bad", JunitElement::kError},
     {Verdict::kRefused, "refused", kExitUsage, "bad", JunitElement::kError},
     {Verdict::kFailed, "failed", kExitExecution, "bad", JunitElement::kError}});

}  // namespace

const NightlyVerdictInfo& InfoOf(NightlyVerdict verdict) {
  const auto* const info = std::ranges::find(kVerdicts, verdict, &NightlyVerdictInfo::verdict);
  assert(info != kVerdicts.end());
  return *info;
}

NightlyVerdict NightlyVerdictOf(GateVerdict verdict) {
  switch (verdict) {
    case GateVerdict::kPass:
      return Verdict::kPass;
    case GateVerdict::kRegression:
      return Verdict::kRegression;
    case GateVerdict::kInconclusive:
      return Verdict::kInconclusive;
    case GateVerdict::kIncomparable:
      break;
  }
  return Verdict::kIncomparable;
}

}  // namespace idbench
