#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reports/gate/gate_options.h"
#include "reports/statistics/paired.h"
#include "scenarios/options/enum_names.h"

namespace idbench {

/// Verdict of a gate on one of its members, the worst first.
enum class MemberVerdict {
  kRegression,
  kInconclusive,  ///< There are too few trials to decide.
  kImproved,
  kSame,       ///< No change above the tolerance.
  kIdentical,  ///< The same values, bit for bit.
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
  std::optional<ConfidenceInterval> interval;  ///< 95 %.
  std::optional<double> p;
  std::optional<double> adjusted_p;
  struct Reserve {
    double effect = 0;
    double p = 1;  ///< Adjusted over the flagged members.
  };
  std::optional<Reserve> reserve;  ///< For flagged members.
  std::string sentence;            ///< Reason, for verdicts that need one.
};

struct GateReport {
  /// How many members have each verdict, by its index.
  std::array<std::size_t, kMemberVerdicts> Tally() const;

  std::string baseline;
  GateVerdict verdict = GateVerdict::kPass;
  double alpha = 0.05;
  double tolerance = 0.02;
  std::vector<GateMember> members;
  /// Number of independent units that suffices for every inconclusive member; 0 if there is none,
  /// or if no number is known.
  std::size_t units_needed = 0;
  bool units_are_rollouts = false;     ///< Trials share them; else the units are trials.
  std::vector<std::string> sentences;  ///< About the gate as a whole, beside units_needed.
};

/// Returns the report of two sides that cannot be compared.
/// @param why  a sentence.
GateReport Incomparable(std::string why);

/// One estimator in one cell, run (b) against baseline (a).
struct GateSubject {
  std::size_t cell = 0;
  Labelled<std::string> axes;
  std::string estimator;
  Pairs pairs;
};

/// Returns the reserve trials of the subjects with these indices, in their order.
using ReserveSource = std::function<std::vector<Pairs>(const std::vector<std::size_t>& subjects)>;

/// Judges accuracy and failures of all subjects as one family.
///
/// Accuracy is the mean change of the pairs (reports/statistics/paired.h); its p is that of a
/// sign-flip test over independent units. Failures are the change of their rate; their p is exact
/// McNemar (over roll-outs that trials share, the sign-flip test of the same changes). A subject
/// without any failure has no such member. p-values are adjusted by Holm over all members that can
/// reject at all: a member whose least attainable p, given the sizes of its changes, exceeds α (an
/// identical one, failures of too few pairs) can never alarm and costs the others nothing (Tarone,
/// Biometrics 46, 1990).
///
/// A member is flagged if its effect exceeds the tolerance and its adjusted p is at most α. A
/// flagged member is a regression if, on reserve trials, its effect exceeds the tolerance again and
/// p, adjusted by Holm over the flagged ones, is at most α: so the probability of any false alarm
/// stays below α whatever the first stage does. A member is inconclusive if it is no regression and
/// its units either cannot reach an adjusted p of α, or would detect a change of the tolerance in
/// less than four of five cases (failures: only if their rate did rise above the tolerance). A
/// flagged member that the reserve trials are too few to confirm is inconclusive too.
GateReport DecideGate(const std::vector<GateSubject>& subjects, const GateOptions& options,
                      const ReserveSource& reserve);

/// Judges subjects of data without randomness, i.e. recordings: a change above the tolerance is a
/// regression without any test.
GateReport DecideFixedGate(const std::vector<GateSubject>& subjects, const GateOptions& options);

/// Alarms of pseudo-gates in which nothing changed.
struct PseudoGates {
  std::size_t gates = 0;
  std::size_t flagged = 0;  ///< Gates with a flagged member.
  std::size_t alarms = 0;   ///< Gates with the verdict regression.
};

/// Runs the whole decision `gates` times on subjects whose two sides were exchanged at random, unit
/// by unit and equally in all cells and estimators. Even trials make the first stage, odd ones the
/// reserve. The sides should come from different seeds: then only the labels are exchanged.
PseudoGates RunPseudoGates(const std::vector<GateSubject>& subjects, const GateOptions& options,
                           std::size_t gates);

}  // namespace idbench
