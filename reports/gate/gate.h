#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reports/gate/gate_options.h"
#include "reports/gate/gate_stages.h"
#include "reports/statistics/paired.h"
#include "scenarios/options/enum_names.h"

namespace idbench {

/// Verdict of a gate on one of its members, the worst first.
enum class MemberVerdict {
  kRegression,
  kInconclusive,  ///< Neither a change above the tolerance nor one below it is certain.
  kImproved,      ///< Better by more than the tolerance.
  kSame,          ///< Not worse by more than the tolerance.
  kIdentical,     ///< The same values, bit for bit.
};
template <>
inline constexpr auto kEnumNames<MemberVerdict> =
    std::to_array<EnumName<MemberVerdict>>({{MemberVerdict::kRegression, "regression"},
                                            {MemberVerdict::kInconclusive, "inconclusive"},
                                            {MemberVerdict::kImproved, "improved"},
                                            {MemberVerdict::kSame, "same"},
                                            {MemberVerdict::kIdentical, "identical"}});
inline constexpr std::size_t kMemberVerdicts = kEnumNames<MemberVerdict>.size();

/// Verdict of a whole gate.
enum class GateVerdict { kPass, kRegression, kInconclusive, kIncomparable };
template <>
inline constexpr auto kEnumNames<GateVerdict> =
    std::to_array<EnumName<GateVerdict>>({{GateVerdict::kPass, "pass"},
                                          {GateVerdict::kRegression, "regression"},
                                          {GateVerdict::kInconclusive, "inconclusive"},
                                          {GateVerdict::kIncomparable, "incomparable"}});

/// What a gate decides about.
enum class GateMemberKind {
  kAccuracy,
  kFailureRate,
  kDuration,
  kInstructionCount,
};
template <>
inline constexpr auto kEnumNames<GateMemberKind> =
    std::to_array<EnumName<GateMemberKind>>({{GateMemberKind::kAccuracy, "accuracy"},
                                             {GateMemberKind::kFailureRate, "failures"},
                                             {GateMemberKind::kDuration, "time"},
                                             {GateMemberKind::kInstructionCount, "instructions"}});

/// One decision of a gate.
struct GateMember {
  std::optional<std::size_t> cell = 0;  ///< Nothing for a workload, which has none.
  Labelled<std::string> axes;
  std::string estimator;  ///< Or the name of a workload.
  GateMemberKind kind = GateMemberKind::kAccuracy;
  std::string metric;
  MemberVerdict verdict = MemberVerdict::kIdentical;
  /// Relative change of the metric; for failures the change of their rate. Positive is worse.
  double effect = 0;
  bool absolute = false;  ///< Effects and tolerance are changes in the unit of the metric.
  double tolerance = 0;
  std::optional<ConfidenceInterval> interval;  ///< 95 %.
  /// Of the hypothesis that nothing became worse by more than the tolerance.
  std::optional<double> p;
  std::optional<double> adjusted_p;  ///< By Holm over all members, where one stage decides.
  struct Reserve {
    double effect = 0;
    double p = 1;  ///< Adjusted over the flagged members.
  };
  std::optional<Reserve> reserve;  ///< For flagged members.
  std::string sentence;            ///< Reason, for verdicts that need one.
};

/// What the trials of a gate can tell of one metric, in all cells and estimators.
struct GatePower {
  GateMetric metric;
  double finds = 0;    ///< Least relative change that four of five gates find in any member.
  double decides = 0;  ///< Least tolerance with which unchanged members are the same in 95 %.
};

struct GateReport {
  /// How many members have each verdict, by its index.
  std::array<std::size_t, kMemberVerdicts> Tally() const;

  std::string baseline;
  GateVerdict verdict = GateVerdict::kPass;
  double alpha = 0.05;
  double tolerance = 0.02;  ///< Of the first metric.
  std::vector<GateMember> members;
  std::vector<GatePower> powers;  ///< Of each metric with a member that is not identical.
  /// Independent units that suffice for every inconclusive member; nothing if there is none, or if
  /// no number is known.
  std::optional<GateNeeds> needed;
  bool units_are_rollouts = false;     ///< Trials share them; else the units are trials.
  std::vector<std::string> sentences;  ///< About the gate as a whole, beside what is above.
};

/// Returns the verdict of a gate with these members: the worst of them counts.
GateVerdict VerdictOf(const std::vector<GateMember>& members);

/// Returns the report of two sides that cannot be compared.
/// @param why  a sentence.
GateReport Incomparable(std::string why);

/// What another metric of a subject says.
struct PairsBeside {
  std::string metric;
  Pairs pairs;
};

/// One estimator in one cell, run (b) against baseline (a).
struct GateSubject {
  std::size_t cell = 0;
  Labelled<std::string> axes;
  std::string estimator;
  GateMetric metric;
  Pairs pairs;        ///< Empty if the metric is lost.
  bool lost = false;  ///< The baseline has the metric of this estimator, and the run does not.
  /// Of the metrics that must agree on what is better, see RunMetric::ranks_with.
  std::vector<PairsBeside> beside = {};
  /// Those of them of which a side has no value.
  std::vector<std::string> not_beside = {};
  std::string why_failed = {};  ///< Outcome and reason of most of the run's failures: "refused: …".
};

/// Trials that no change was judged by, to confirm what is flagged.
struct GateReserve {
  /// Returns the reserve trials of the subjects with these indices, in their order.
  std::function<std::vector<Pairs>(const std::vector<std::size_t>& subjects)> pairs;
  std::size_t units = 0;  ///< How many independent ones there are.
};

/// Judges accuracy and failures of all subjects as one family, in two stages.
///
/// Accuracy is the mean change d of the pairs (reports/statistics/paired.h), with δ = ln(1 +
/// tolerance); failures are the change of their rate (reports/gate/member_change.h). A subject
/// without any failure has no such member, nor has another metric of the same failures. A subject
/// of which no pair has two values has no accuracy: it is judged by its failures alone.
///
/// The first stage flags a member if H0: d ≤ δ is rejected at α; it adjusts nothing, being a screen
/// alone. A flagged member is a regression if the same hypothesis is rejected on reserve trials at
/// α, adjusted by Holm over the flagged ones. The reserve knows nothing of the first stage: so the
/// probability of any false alarm, with changes of up to the tolerance, is at most α.
///
/// A member that is not flagged is the same if H0: d ≥ δ is rejected at α, an equivalence statement
/// (one of Schuirmann's two one-sided tests, J. Pharmacokinet. Biopharm. 15(6), 1987), improved if
/// moreover H0: d ≥ −δ is; else it is inconclusive, as is a flagged member that the reserve does
/// not confirm. So a gate passes with a change of the tolerance or more in a member with a
/// probability of at most α.
///
/// Last, the same score at other smoothings is heard (GateSubject::beside). A member improved only
/// if each of them has a mean change for the better; else it is the same. A regression by one score
/// and an improvement by another, each by more than the tolerance, are neither: the member is
/// inconclusive, and its sentence tells both.
GateReport DecideGate(const std::vector<GateSubject>& subjects, const GateRules& rules,
                      const GateReserve& reserve);

/// Judges subjects of data without randomness, i.e. recordings: a change above the tolerance is a
/// regression without any test.
GateReport DecideFixedGate(const std::vector<GateSubject>& subjects, const GateRules& rules);

/// Returns why a gate of so many trials can never alarm, whatever changed; "" if it can. In the
/// first stage a sign-flip test of n units has p ≥ 2^−n, in the reserve it has to be below α/m.
/// @param members   m: cells × estimators × metrics.
std::string WhyItCannotAlarm(double alpha, std::size_t members, std::size_t trials,
                             std::size_t reserve_trials);

}  // namespace idbench
