#include "reports/gate/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "reports/gate/member_change.h"
#include "reports/statistics/holm.h"

namespace idbench {
namespace {

/// "2 %", or "2" of an absolute change.
std::string AmountText(double change, bool absolute) {
  return absolute ? fmt::format("{:.3g}", change) : fmt::format("{:.3g} %", 100 * change);
}

bool SameFailures(const Pairs& a, const Pairs& b) {
  return a.a_failed == b.a_failed && a.b_failed == b.b_failed;
}

bool AnyFailed(const Pairs& pairs) {
  return std::ranges::find(pairs.a_failed, true) != pairs.a_failed.end() ||
         std::ranges::find(pairs.b_failed, true) != pairs.b_failed.end();
}

/// Whether no trial has a value on both sides though some changed: what a failure counts for is
/// then all that a change of the metric would say.
bool NothingToCompare(const Pairs& pairs) {
  if (pairs.identical || pairs.size() == 0) return false;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!pairs.a_failed[i] && !pairs.b_failed[i]) return false;
  }
  return true;
}

/// A member of a gate, and all that it is judged by.
struct Judged {
  GateMember member;
  MemberChange change;
  std::size_t subject;

  bool of_failures() const { return member.kind == GateMemberKind::kFailureRate; }
  bool open() const { return member.verdict == MemberVerdict::kInconclusive; }
  bool moved() const { return member.verdict != MemberVerdict::kIdentical; }
};

class Gate {
 public:
  Gate(const std::vector<GateSubject>& subjects, const GateRules& rules)
      : subjects_(subjects), rules_(rules) {
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      if (subjects[i].lost) {
        AddLost(i);
        continue;
      }
      const bool failures_alone = NothingToCompare(subjects[i].pairs);
      if (!failures_alone) AddMember(i, GateMemberKind::kAccuracy);
      if (AnyFailed(subjects[i].pairs) && !ToldOfFailures(i)) {
        AddMember(i, GateMemberKind::kFailureRate);
      }
    }
  }

  GateReport DecideFixed() {
    for (Judged& judged : judged_) {
      GateMember& member = judged.member;
      if (member.effect > member.tolerance) {
        member.verdict = MemberVerdict::kRegression;
        member.sentence = fmt::format("{}, and nothing in the data is random", Statement(judged));
      } else if (judged.moved()) {
        member.verdict =
            member.effect < -member.tolerance ? MemberVerdict::kImproved : MemberVerdict::kSame;
      }
    }
    HearBeside();
    return Finish();
  }

  GateReport Decide(const GateReserve& reserve) {
    std::vector<std::size_t> flagged;
    for (std::size_t i = 0; i < judged_.size(); ++i) {
      if (!judged_[i].moved()) continue;
      if (Screen(judged_[i])) flagged.push_back(i);
    }
    if (!flagged.empty()) Confirm(flagged, reserve);
    Advise(reserve.units);
    HearBeside();
    return Finish();
  }

 private:
  void AddMember(std::size_t subject, GateMemberKind kind) {
    const bool failures = kind == GateMemberKind::kFailureRate;
    const GateSubject& from = subjects_[subject];
    const double tolerance = failures ? rules_.failure_tolerance : from.metric.tolerance;
    Judged judged{Named(from, kind), MemberChange(from.pairs, failures, tolerance), subject};
    const MemberChange& change = judged.change;
    GateMember& member = judged.member;
    member.metric = failures ? "failure rate" : from.metric.name;
    member.tolerance = tolerance;
    member.absolute = !failures && from.metric.absolute;
    member.effect = change.effect();
    if (const auto& ci95 = change.mean().ci95) {
      member.interval = {change.Relative(ci95->lower), change.Relative(ci95->upper)};
    }
    const bool identical = failures ? change.unmoved() : from.pairs.identical;
    member.verdict = identical ? MemberVerdict::kIdentical : MemberVerdict::kInconclusive;
    judged_.push_back(std::move(judged));
  }

  void AddLost(std::size_t subject) {
    GateMember member = Named(subjects_[subject], GateMemberKind::kAccuracy);
    member.metric = subjects_[subject].metric.name;
    member.verdict = MemberVerdict::kRegression;
    member.effect = std::numeric_limits<double>::quiet_NaN();
    member.tolerance = subjects_[subject].metric.tolerance;
    member.absolute = subjects_[subject].metric.absolute;
    member.sentence = fmt::format("{} gives no {} any more; in the baseline it does",
                                  NameOf(member), member.metric);
    lost_.push_back(std::move(member));
  }

  static GateMember Named(const GateSubject& subject, GateMemberKind kind) {
    GateMember member;
    member.cell = subject.cell;
    member.axes = subject.axes;
    member.estimator = subject.estimator;
    member.kind = kind;
    return member;
  }

  /// True if an earlier metric of the same estimator failed in the same trials.
  bool ToldOfFailures(std::size_t subject) const {
    return std::ranges::any_of(judged_, [&](const Judged& judged) {
      const GateSubject& earlier = subjects_[judged.subject];
      return judged.of_failures() && earlier.cell == subjects_[subject].cell &&
             earlier.estimator == subjects_[subject].estimator &&
             SameFailures(earlier.pairs, subjects_[subject].pairs);
    });
  }

  static std::string NameOf(const GateMember& member) {
    const RunCell cell{static_cast<std::int64_t>(*member.cell), member.axes};
    return fmt::format("{}, {}", cell.Label(), member.estimator);
  }

  std::string Statement(const Judged& judged) const {
    const GateMember& member = judged.member;
    const GateSubject& subject = subjects_[judged.subject];
    const Pairs& pairs = subject.pairs;
    const auto failed = std::ranges::count(pairs.b_failed, true);
    const std::string why =
        failed > 0 && !subject.why_failed.empty() ? fmt::format(" ({})", subject.why_failed) : "";
    if (!judged.of_failures()) {
      const std::string with =
          failed > 0 ? fmt::format(", failures of {} of {} trials{} counted as losses", failed,
                                   pairs.size(), why)
                     : "";
      return fmt::format("{}: {} is {} {}{}", NameOf(member), member.metric,
                         AmountText(std::abs(member.effect), member.absolute),
                         member.effect < 0 ? "better" : "worse", with);
    }
    return fmt::format("{}: {} of {} trials failed{}, {} before", NameOf(member), failed,
                       pairs.size(), why, std::ranges::count(pairs.a_failed, true));
  }

  static const char* UnitsOf(const MemberChange& change) {
    return change.shares_rollouts() ? "roll-outs" : "trials";
  }

  /// Judges by the first stage. @return true if the member is flagged.
  bool Screen(Judged& judged) const {
    const SignFlipOptions options{.level = rules_.alpha};
    const SignFlipTails tails = judged.change.AgainstTolerance(options);
    GateMember& member = judged.member;
    member.p = tails.upper;
    if (tails.upper <= rules_.alpha) return true;
    if (tails.lower <= rules_.alpha) {
      const bool gained = judged.change.OfGain(options) <= rules_.alpha;
      member.verdict = gained ? MemberVerdict::kImproved : MemberVerdict::kSame;
      return false;
    }
    member.sentence = TooFew(judged.change, options, "");
    if (!member.sentence.empty()) {
      member.sentence = fmt::format("{}: {}", NameOf(member), member.sentence);
      return false;
    }
    member.sentence = fmt::format(
        "{}, and {} {} do not tell whether it is more than the tolerance of {} (p = {:.2g}) or "
        "less (p = {:.2g})",
        Statement(judged), judged.change.mean().n, UnitsOf(judged.change),
        AmountText(member.tolerance, member.absolute), tails.upper, tails.lower);
    return false;
  }

  /// Why so many units can show no regression, "" if they can.
  static std::string TooFew(const MemberChange& change, const SignFlipOptions& options,
                            const char* which) {
    if (change.CanAlarm(options)) return "";
    return fmt::format("{} {}{} can show nothing, whatever changed", change.mean().n, which,
                       UnitsOf(change));
  }

  void Confirm(const std::vector<std::size_t>& flagged, const GateReserve& source) {
    std::vector<std::size_t> subjects;
    for (const std::size_t i : flagged) {
      if (subjects.empty() || subjects.back() != judged_[i].subject) {
        subjects.push_back(judged_[i].subject);
      }
    }
    const std::vector<Pairs> pairs = source.pairs(subjects);
    const SignFlipOptions options{.level = rules_.alpha, .family = flagged.size()};
    std::vector<MemberChange> changes;
    std::vector<double> p;
    for (const std::size_t i : flagged) {
      const auto at = std::ranges::find(subjects, judged_[i].subject) - subjects.begin();
      changes.emplace_back(pairs[static_cast<std::size_t>(at)], judged_[i].of_failures(),
                           judged_[i].member.tolerance);
      p.push_back(changes.back().AgainstTolerance(options).upper);
    }
    const std::vector<double> adjusted = HolmAdjusted(p);
    for (std::size_t k = 0; k < flagged.size(); ++k) {
      judged_[flagged[k]].member.reserve = GateMember::Reserve{changes[k].effect(), adjusted[k]};
      JudgeReserve(judged_[flagged[k]], changes[k], options);
    }
  }

  /// What the reserve does not confirm is open, however good the reserve is: with other motions it
  /// cannot acquit what these motions showed.
  void JudgeReserve(Judged& judged, const MemberChange& change,
                    const SignFlipOptions& options) const {
    GateMember& member = judged.member;
    const std::string before =
        fmt::format("{}, more than the tolerance of {} (p = {:.2g})", Statement(judged),
                    AmountText(member.tolerance, member.absolute), *member.p);
    const std::string again =
        fmt::format("on {} reserve {} {} (p = {:.2g})", change.mean().n, UnitsOf(change),
                    AmountText(member.reserve->effect, member.absolute), member.reserve->p);
    if (member.reserve->p <= rules_.alpha) {
      member.verdict = MemberVerdict::kRegression;
      member.sentence = fmt::format("{}, and {}", before, again);
    } else {
      const std::string few = TooFew(change, options, "reserve ");
      member.sentence = few.empty() ? fmt::format("{}, but {}: not confirmed", before, again)
                                    : fmt::format("{}, but {}", before, few);
    }
  }

  /// Says what the trials can tell, and how many would do.
  void Advise(std::size_t reserve_units) {
    const auto moved = static_cast<std::size_t>(std::ranges::count_if(judged_, &Judged::moved));
    for (const Judged& judged : judged_) {
      if (!judged.moved()) continue;
      const GateStages stages(rules_.alpha, moved, judged.change.mean().n, reserve_units);
      if (judged.of_failures()) {
        if (judged.open()) AddNeeds(NeedsOfFailures(judged.change, moved), judged);
        continue;
      }
      const auto spread = judged.change.spread();
      if (!spread) continue;
      AddPower(judged, stages, *spread);
      if (judged.open()) AddNeeds(NeedsOf(judged, stages, *spread), judged);
    }
  }

  void AddPower(const Judged& judged, const GateStages& stages, double spread) {
    const GateMetric& metric = subjects_[judged.subject].metric;
    const auto same = std::ranges::find(powers_, metric.name,
                                        [](const GatePower& power) { return power.metric.name; });
    GatePower& power = same == powers_.end() ? powers_.emplace_back(GatePower{metric}) : *same;
    const MemberChange& change = judged.change;
    power.finds = std::max(power.finds, change.Relative(stages.LeastFound(change.limit(), spread)));
    power.decides = std::max(power.decides, change.Relative(stages.LeastDecidable(spread)));
  }

  /// A change near the tolerance stays open with as many as a change of 0 asks for.
  GateNeeds NeedsOf(const Judged& judged, const GateStages& stages, double spread) const {
    const MemberChange& change = judged.change;
    const double must_find = change.ChangeOf(subjects_[judged.subject].metric.must_find);
    const GateNeeds needs = stages.Needs(change.limit(), must_find, spread);
    if (needs.first > stages.first() || needs.reserve > stages.reserve()) return needs;
    const double away =
        std::max(std::abs(change.mean().mean - change.limit()), change.limit() / 10);
    return stages.Needs(away, change.limit() + away, spread);
  }

  GateNeeds NeedsOfFailures(const MemberChange& change, std::size_t members) const {
    const double unsure = change.limit() - std::clamp(change.effect(), 0.0, change.limit() / 2);
    const std::size_t trials = TrialsForRate(rules_.alpha, members, unsure, change.discordant());
    return {trials, trials};
  }

  /// Withdraws what the same score at other smoothings contradicts.
  void HearBeside() {
    for (Judged& judged : judged_) {
      const bool gained = judged.member.verdict == MemberVerdict::kImproved;
      const bool lost = judged.member.verdict == MemberVerdict::kRegression;
      if (!judged.of_failures() && (gained || lost)) HearBeside(judged, gained);
    }
  }

  void HearBeside(Judged& judged, bool gained) const {
    GateMember& member = judged.member;
    const GateSubject& subject = subjects_[judged.subject];
    std::string unsure;  // a score that sees no gain
    for (const auto& [metric, pairs] : subject.beside) {
      const double effect = MemberChange(pairs, false, member.tolerance).effect();
      if (gained ? effect > member.tolerance : effect < -member.tolerance) {
        member.verdict = MemberVerdict::kInconclusive;
        member.sentence = fmt::format(
            "{}, but {} is {} {}: the same score at another smoothing decides who is better",
            Statement(judged), metric, AmountText(std::abs(effect), member.absolute),
            gained ? "worse" : "better");
        return;
      }
      if (effect >= 0 && unsure.empty()) unsure = fmt::format("{} is not", metric);
    }
    for (const std::string& metric : subject.not_beside) {
      if (unsure.empty()) unsure = fmt::format("there is no {} on both sides", metric);
    }
    if (!gained || unsure.empty()) return;
    member.verdict = MemberVerdict::kSame;
    member.sentence = fmt::format("{}, but {}: no improvement", Statement(judged), unsure);
  }

  void AddNeeds(const GateNeeds& needs, const Judged& judged) {
    if (!needed_) needed_.emplace();
    needed_->first = std::max(needed_->first, needs.first);
    needed_->reserve = std::max(needed_->reserve, needs.reserve);
    shared_ |= judged.change.shares_rollouts();
  }

  GateReport Finish() {
    GateReport report;
    report.alpha = rules_.alpha;
    report.tolerance = rules_.metrics.empty() ? 0 : rules_.metrics.front().tolerance;
    report.members = std::move(lost_);
    for (Judged& judged : judged_) report.members.push_back(std::move(judged.member));
    std::ranges::stable_sort(report.members, {}, &GateMember::verdict);
    report.verdict = VerdictOf(report.members);
    report.powers = std::move(powers_);
    report.needed = needed_;
    report.units_are_rollouts = shared_;
    return report;
  }

  const std::vector<GateSubject>& subjects_;
  const GateRules& rules_;
  std::vector<Judged> judged_;
  std::vector<GateMember> lost_;
  std::vector<GatePower> powers_;
  std::optional<GateNeeds> needed_;
  bool shared_ = false;  ///< Roll-outs are what is needed.
};

}  // namespace

std::array<std::size_t, kMemberVerdicts> GateReport::Tally() const {
  std::array<std::size_t, kMemberVerdicts> tally{};
  for (const GateMember& member : members) ++tally[static_cast<std::size_t>(member.verdict)];
  return tally;
}

GateVerdict VerdictOf(const std::vector<GateMember>& members) {
  const auto worst = std::ranges::min_element(members, {}, &GateMember::verdict);
  if (worst == members.end()) return GateVerdict::kPass;
  if (worst->verdict == MemberVerdict::kRegression) return GateVerdict::kRegression;
  return worst->verdict == MemberVerdict::kInconclusive ? GateVerdict::kInconclusive
                                                        : GateVerdict::kPass;
}

GateReport Incomparable(std::string why) {
  GateReport report;
  report.verdict = GateVerdict::kIncomparable;
  report.sentences = {std::move(why)};
  return report;
}

GateReport DecideGate(const std::vector<GateSubject>& subjects, const GateRules& rules,
                      const GateReserve& reserve) {
  return Gate(subjects, rules).Decide(reserve);
}

GateReport DecideFixedGate(const std::vector<GateSubject>& subjects, const GateRules& rules) {
  return Gate(subjects, rules).DecideFixed();
}

std::string WhyItCannotAlarm(double alpha, std::size_t members, std::size_t trials,
                             std::size_t reserve_trials) {
  const std::size_t first = FewestUnits(alpha);
  const std::size_t reserve = FewestUnits(alpha / static_cast<double>(members));
  if (trials >= first && reserve_trials >= reserve) return "";
  return fmt::format(
      "the gate can never alarm, whatever changes: {} trials and {} reserve trials decide nothing "
      "at alpha {:g} among {} members; at least {} and {} are needed",
      trials, reserve_trials, alpha, members, first, reserve);
}

}  // namespace idbench
