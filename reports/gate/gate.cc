#include "reports/gate/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "reports/statistics/holm.h"
#include "reports/statistics/sign_flip.h"

namespace idbench {
namespace {

/// The test of one member.
struct Test {
  std::vector<double> sums;  ///< Change of each independent unit.
  MeanChange change;
  bool exact_failures = false;  ///< Changes are −1, 0, 1 of one trial each.
  double p = 1;
  double adjusted_p = 1;

  std::size_t Moved() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(sums, [](double sum) { return sum != 0; }));
  }
};

Test Prepare(const Pairs& pairs, bool failures) {
  const Units units(pairs.rollouts);
  const std::vector<double> change = failures ? pairs.FailureChange() : pairs.change;
  Test test;
  test.sums = units.Sums(change);
  test.change = DescribeChange(change, units);
  test.exact_failures = failures && units.size() == pairs.size();
  return test;
}

double LeastP(const Test& test, const SignFlipOptions& options) {
  const std::size_t moved = test.Moved();
  if (moved == 0) return 1;
  return test.exact_failures ? std::exp2(1.0 - static_cast<double>(moved))
                             : LeastSignFlipP(moved, options);
}

double PValue(const Test& test, const SignFlipOptions& options) {
  if (!test.exact_failures) return SignFlipTest(test.sums, options).p;
  return McNemarP(static_cast<std::size_t>(std::ranges::count(test.sums, -1.0)),
                  static_cast<std::size_t>(std::ranges::count(test.sums, 1.0)));
}

/// Computes p of all tests, adjusted over those that could reject. @return their number.
std::size_t RunTests(std::vector<Test>& tests, double alpha) {
  std::vector<Test*> family;
  for (Test& test : tests) {
    if (LeastP(test, {.level = alpha}) <= alpha) family.push_back(&test);
  }
  SignFlipOptions options{.level = alpha, .family = std::max<std::size_t>(1, family.size())};
  for (Test& test : tests) test.p = PValue(test, options);
  std::vector<double> p;
  for (const Test* test : family) p.push_back(test->p);
  const std::vector<double> adjusted = HolmAdjusted(p);
  for (std::size_t i = 0; i < family.size(); ++i) family[i]->adjusted_p = adjusted[i];
  return family.size();
}

std::string PercentText(double fraction) { return fmt::format("{:.3g} %", 100 * fraction); }

class Gate {
 public:
  Gate(const std::vector<GateSubject>& subjects, const GateOptions& options)
      : subjects_(subjects), options_(options) {
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      AddMember(i, GateMemberKind::kAccuracy);
      const std::vector<double> failures = subjects[i].pairs.FailureChange();
      const Pairs& pairs = subjects[i].pairs;
      if (std::ranges::find(pairs.a_failed, true) != pairs.a_failed.end() ||
          std::ranges::find(pairs.b_failed, true) != pairs.b_failed.end()) {
        AddMember(i, GateMemberKind::kFailureRate);
      }
    }
  }

  GateReport DecideFixed() {
    for (std::size_t i = 0; i < members_.size(); ++i) {
      GateMember& member = members_[i];
      if (Worse(i)) {
        member.verdict = MemberVerdict::kRegression;
        member.sentence = fmt::format("{}, and nothing in the data is random", Statement(i));
      } else if (member.verdict != MemberVerdict::kIdentical) {
        member.verdict =
            member.effect < -Tolerance(i) ? MemberVerdict::kImproved : MemberVerdict::kSame;
      }
    }
    return Finish();
  }

  GateReport Decide(const ReserveSource& reserve) {
    family_ = std::max<std::size_t>(1, RunTests(tests_, options_.alpha));
    std::vector<std::size_t> flagged;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      GateMember& member = members_[i];
      member.p = tests_[i].p;
      member.adjusted_p = tests_[i].adjusted_p;
      if (member.verdict == MemberVerdict::kIdentical) continue;
      const bool certain = tests_[i].adjusted_p <= options_.alpha;
      if (Worse(i) && certain) {
        flagged.push_back(i);
      } else if (certain && member.effect < -Tolerance(i)) {
        member.verdict = MemberVerdict::kImproved;
      } else {
        member.verdict = MemberVerdict::kSame;
        JudgePower(i, tests_[i], family_, "");
      }
    }
    if (!flagged.empty()) Confirm(flagged, reserve);
    return Finish();
  }

 private:
  void AddMember(std::size_t subject, GateMemberKind kind) {
    const bool failures = kind == GateMemberKind::kFailureRate;
    const GateSubject& from = subjects_[subject];
    Test test = Prepare(from.pairs, failures);
    GateMember member;
    member.cell = from.cell;
    member.axes = from.axes;
    member.estimator = from.estimator;
    member.kind = kind;
    member.metric = failures ? "failure rate" : options_.metric;
    const bool ratios = !failures && from.pairs.ratios;
    member.effect = RelativeChange(test.change.mean, ratios);
    if (test.change.ci95) {
      member.interval = {RelativeChange(test.change.ci95->lower, ratios),
                         RelativeChange(test.change.ci95->upper, ratios)};
    }
    if (!(failures ? test.Moved() == 0 : from.pairs.identical)) {
      member.verdict = MemberVerdict::kSame;
    }
    members_.push_back(std::move(member));
    tests_.push_back(std::move(test));
    subject_of_.push_back(subject);
  }

  bool OfFailures(std::size_t i) const { return members_[i].kind == GateMemberKind::kFailureRate; }
  double Tolerance(std::size_t i) const {
    return OfFailures(i) ? options_.failure_tolerance : options_.tolerance;
  }
  bool Worse(std::size_t i) const { return members_[i].effect > Tolerance(i); }

  std::string Name(std::size_t i) const {
    const RunCell cell{static_cast<std::int64_t>(*members_[i].cell), members_[i].axes};
    return fmt::format("{}, {}", cell.Label(), members_[i].estimator);
  }

  std::string Statement(std::size_t i) const {
    const GateMember& member = members_[i];
    if (!OfFailures(i)) {
      return fmt::format("{}: {} is {} worse", Name(i), member.metric, PercentText(member.effect));
    }
    const Pairs& pairs = subjects_[subject_of_[i]].pairs;
    return fmt::format("{}: {} of {} trials failed, {} before", Name(i),
                       std::ranges::count(pairs.b_failed, true), pairs.size(),
                       std::ranges::count(pairs.a_failed, true));
  }

  /// Says inconclusive where the units of `test` could not show a change of the tolerance.
  void JudgePower(std::size_t i, const Test& test, std::size_t family, const char* which) {
    if (OfFailures(i) && !Worse(i)) return;
    const double level = options_.alpha / static_cast<double>(family);
    const bool ratios = !OfFailures(i) && subjects_[subject_of_[i]].pairs.ratios;
    const double change = ratios ? std::log1p(Tolerance(i)) : Tolerance(i);
    const std::size_t n = test.change.n;
    GateMember& member = members_[i];
    const bool shared = Units(subjects_[subject_of_[i]].pairs.rollouts).shared();
    const char* const units = shared ? "roll-outs" : "trials";
    if (!test.change.standard_error) {
      member.verdict = MemberVerdict::kInconclusive;
      member.sentence =
          fmt::format("{}: {} {}{} tell nothing of the spread", Name(i), n, which, units);
      return;
    }
    const double error = *test.change.standard_error;
    const std::size_t needed = UnitsNeeded(error, n, level, change);
    if (needed <= n) return;
    member.verdict = MemberVerdict::kInconclusive;
    member.sentence = fmt::format(
        "{}: {} {}{} would find a change of {} in four of five cases, not one of {}; {} would do",
        Name(i), n, which, units,
        PercentText(RelativeChange(DetectableChange(error, level), ratios)),
        PercentText(Tolerance(i)), needed);
    needed_ = std::max(needed_, needed);
    rollouts_needed_ = shared;
  }

  void Confirm(const std::vector<std::size_t>& flagged, const ReserveSource& source) {
    std::vector<std::size_t> subjects;
    for (const std::size_t i : flagged) {
      if (subjects.empty() || subjects.back() != subject_of_[i]) subjects.push_back(subject_of_[i]);
    }
    const std::vector<Pairs> pairs = source(subjects);
    std::vector<Test> tests;
    for (const std::size_t i : flagged) {
      const auto at = std::ranges::find(subjects, subject_of_[i]) - subjects.begin();
      tests.push_back(Prepare(pairs[static_cast<std::size_t>(at)], OfFailures(i)));
      const bool ratios = !OfFailures(i) && pairs[static_cast<std::size_t>(at)].ratios;
      members_[i].reserve =
          GateMember::Reserve{RelativeChange(tests.back().change.mean, ratios), 1.0};
    }
    RunTests(tests, options_.alpha);
    for (std::size_t k = 0; k < flagged.size(); ++k) {
      Judge(flagged[k], tests[k], flagged.size());
    }
  }

  void Judge(std::size_t i, const Test& test, std::size_t flagged) {
    GateMember& member = members_[i];
    member.reserve->p = test.adjusted_p;
    const std::string before =
        fmt::format("{} (p = {:.2g} after Holm)", Statement(i), *member.adjusted_p);
    if (member.reserve->effect > Tolerance(i) && test.adjusted_p <= options_.alpha) {
      member.verdict = MemberVerdict::kRegression;
      member.sentence =
          fmt::format("{}, and on {} reserve trials {} (p = {:.2g})", before, test.change.n,
                      PercentText(member.reserve->effect), test.adjusted_p);
      return;
    }
    member.verdict = MemberVerdict::kSame;
    JudgePower(i, test, flagged, "reserve ");
    if (member.verdict == MemberVerdict::kInconclusive) return;
    member.sentence =
        fmt::format("{}, but on {} reserve trials {} (p = {:.2g}): chance", before, test.change.n,
                    PercentText(member.reserve->effect), test.adjusted_p);
  }

  GateReport Finish() {
    GateReport report;
    report.alpha = options_.alpha;
    report.tolerance = options_.tolerance;
    for (const GateMember& member : members_) {
      if (member.verdict == MemberVerdict::kRegression) {
        report.verdict = GateVerdict::kRegression;
      } else if (member.verdict == MemberVerdict::kInconclusive &&
                 report.verdict == GateVerdict::kPass) {
        report.verdict = GateVerdict::kInconclusive;
      }
    }
    report.units_needed = needed_;
    report.units_are_rollouts = rollouts_needed_;
    report.members = std::move(members_);
    std::ranges::stable_sort(report.members, {}, &GateMember::verdict);
    return report;
  }

  const std::vector<GateSubject>& subjects_;
  const GateOptions& options_;
  std::vector<GateMember> members_;
  std::vector<Test> tests_;              ///< Of each member.
  std::vector<std::size_t> subject_of_;  ///< Likewise.
  std::size_t family_ = 1;
  std::size_t needed_ = 0;  ///< Units that would do.
  bool rollouts_needed_ = false;
};

/// Exchanges the two sides of a trial.
void Exchange(Pairs& pairs, std::size_t trial) {
  pairs.change[trial] = -pairs.change[trial];
  const bool failed = pairs.a_failed[trial];
  pairs.a_failed[trial] = pairs.b_failed[trial];
  pairs.b_failed[trial] = failed;
}

}  // namespace

std::array<std::size_t, kMemberVerdicts> GateReport::Tally() const {
  std::array<std::size_t, kMemberVerdicts> tally{};
  for (const GateMember& member : members) ++tally[static_cast<std::size_t>(member.verdict)];
  return tally;
}

GateReport Incomparable(std::string why) {
  GateReport report;
  report.verdict = GateVerdict::kIncomparable;
  report.sentences = {std::move(why)};
  return report;
}

GateReport DecideGate(const std::vector<GateSubject>& subjects, const GateOptions& options,
                      const ReserveSource& reserve) {
  return Gate(subjects, options).Decide(reserve);
}

GateReport DecideFixedGate(const std::vector<GateSubject>& subjects, const GateOptions& options) {
  return Gate(subjects, options).DecideFixed();
}

PseudoGates RunPseudoGates(const std::vector<GateSubject>& subjects, const GateOptions& options,
                           std::size_t gates) {
  std::mt19937_64 engine(1);
  std::size_t most_units = 0;
  for (const GateSubject& subject : subjects) {
    most_units = std::max(most_units, Units(subject.pairs.rollouts).size());
  }
  PseudoGates result;
  result.gates = gates;
  std::vector<bool> exchange(most_units);
  for (std::size_t k = 0; k < gates; ++k) {
    for (std::size_t u = 0; u < most_units; ++u) exchange[u] = (engine() >> 63) != 0;
    std::vector<GateSubject> first = subjects;
    for (GateSubject& subject : first) {
      const Units units(subject.pairs.rollouts);
      for (std::size_t i = 0; i < subject.pairs.size(); ++i) {
        if (exchange[units.of(i)]) Exchange(subject.pairs, i);
      }
    }
    std::vector<GateSubject> reserve = first;
    for (GateSubject& subject : first) subject.pairs = EverySecond(subject.pairs, 0);
    bool flagged = false;
    const GateReport report =
        DecideGate(first, options, [&](const std::vector<std::size_t>& wanted) {
          flagged = true;
          std::vector<Pairs> pairs;
          for (const std::size_t i : wanted) pairs.push_back(EverySecond(reserve[i].pairs, 1));
          return pairs;
        });
    result.flagged += flagged;
    result.alarms += report.verdict == GateVerdict::kRegression;
  }
  return result;
}

}  // namespace idbench
