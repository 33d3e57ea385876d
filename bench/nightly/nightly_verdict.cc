#include "bench/nightly/nightly_verdict.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>

#include "bench/run/exit_code.h"

namespace idbench {
namespace {

using Verdict = NightlyVerdict;

constexpr auto kVerdicts = std::to_array<NightlyVerdictInfo>(
    {{Verdict::kPass, kExitFine, "good", JunitElement::kNone, true},
     {Verdict::kFirstRun, kExitFine, "good", JunitElement::kNone, true},
     {Verdict::kNotGated, kExitFine, "good", JunitElement::kNone},
     {Verdict::kSkipped, kExitFine, "", JunitElement::kSkipped},
     {Verdict::kRegression, kExitRegression, "bad", JunitElement::kFailure},
     {Verdict::kInconclusive, kExitInconclusive, "warn", JunitElement::kError},
     {Verdict::kIncomparable, kExitIncomparable, "warn", JunitElement::kError},
     {Verdict::kOverBudget, kExitExecution, "bad", JunitElement::kError},
     {Verdict::kKilled, kExitExecution, "bad", JunitElement::kError},
     {Verdict::kCrashed, kExitExecution, "bad", JunitElement::kError},
     {Verdict::kInterrupted, kExitExecution, "bad", JunitElement::kError},
     {Verdict::kNotRun, kExitExecution, "bad", JunitElement::kError},
     {Verdict::kRefused, kExitUsage, "bad", JunitElement::kError},
     {Verdict::kFailed, kExitExecution, "bad", JunitElement::kError}});

/// The place of a verdict's exit code in the order from bad to good.
std::ptrdiff_t RankOf(Verdict verdict) {
  static constexpr auto kFromBad =
      std::to_array<int>({kExitExecution, kExitUsage, kExitRegression, kExitIncomparable,
                          kExitInconclusive, kExitFine});
  return std::ranges::find(kFromBad, InfoOf(verdict).exit_code) - kFromBad.begin();
}

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

bool IsWorse(NightlyVerdict verdict, NightlyVerdict other) {
  return RankOf(verdict) < RankOf(other);
}

}  // namespace idbench
