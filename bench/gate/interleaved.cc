#include "bench/gate/interleaved.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <iterator>
#include <map>
#include <numbers>
#include <sstream>

#include "bench/gate/process.h"
#include "bench/run/exit_code.h"
#include "reports/files/atomic_file.h"
#include "reports/run/run_folder.h"
#include "reports/statistics/holm.h"
#include "reports/statistics/normal_law.h"
#include "reports/statistics/quantile.h"
#include "reports/statistics/sign_flip.h"
#include "reports/statistics/stage.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr int kFewestPairs = 6;

/// Identifies a duration of one run of a program.
struct CaseKey {
  std::size_t cell = 0;  ///< 0 of a workload.
  std::string name;
  TimedQuantity quantity;

  auto operator<=>(const CaseKey&) const = default;
};
using Durations = std::map<CaseKey, double>;

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return SortedQuantile(values, 0.5).value();
}

/// Order statistics k and n + 1 − k of the sorted values, k the greatest with 2 P(X < k) ≤ 0.05,
/// X ~ B(n, ½).
std::optional<ConfidenceInterval> MedianInterval(const std::vector<double>& sorted) {
  const boost::math::binomial_distribution<> coin(static_cast<double>(sorted.size()), 0.5);
  std::size_t k = 0;
  while (k < sorted.size() && 2 * boost::math::cdf(coin, static_cast<double>(k)) <= 0.05) ++k;
  if (k == 0) return std::nullopt;
  return ConfidenceInterval{sorted[k - 1], sorted[sorted.size() - k]};
}

/// One of the two programs.
class TimedProgram {
 public:
  TimedProgram(std::filesystem::path program, std::filesystem::path scenario,
               std::filesystem::path scratch)
      : program_(std::move(program)),
        scenario_(std::move(scenario)),
        scratch_(std::move(scratch)) {}

  bool has_workloads() const { return has_workloads_; }

  Durations Time() {
    const std::filesystem::path folder = scratch_ / "run";
    std::filesystem::remove_all(folder);
    const auto result = RunProcess(
        {program_.string(), "run", scenario_.string(), "--jobs", "1", "--out", folder.string()},
        scratch_);
    if (!result) {
      throw UsageError(
          fmt::format("{}: no such program, or none that can be run\n  name the file "
                      "of another idbench, as built",
                      program_.string()));
    }
    if (result->code != 0) {
      throw UsageError(
          fmt::format("{} does not run the scenario:\n{}", program_.string(), result->errors));
    }
    if (!std::filesystem::exists(folder / "manifest.json")) {
      throw UsageError(fmt::format("{} wrote no run folder: it is no idbench", program_.string()));
    }
    Durations durations;
    const RunFolder run(folder);
    for (const auto& [where, samples] : run.LoadTimings()) {
      const std::string& label = run.manifest().estimators[where.second];
      if (!samples.estimate_ms.empty()) {
        durations[{where.first, label, TimedQuantity::kEstimate}] = Median(samples.estimate_ms);
      }
      if (!samples.update_us.empty()) {
        durations[{where.first, label, TimedQuantity::kUpdate}] = Median(samples.update_us);
      }
    }
    AddWorkloads(durations);
    return durations;
  }

 private:
  void AddWorkloads(Durations& durations) {
    if (!has_workloads_) return;
    const auto result = RunProcess({program_.string(), "gate", "--workloads", "time"}, scratch_);
    has_workloads_ = result && result->code == 0;
    if (!has_workloads_) return;
    std::istringstream lines(result->output);
    for (std::string line; std::getline(lines, line);) {
      const Json json = Json::parse(line);
      durations[{0, json.at("case").get<std::string>(), TimedQuantity::kCall}] =
          json.at("ns").get<double>();
    }
  }

  std::filesystem::path program_;
  std::filesystem::path scenario_;
  std::filesystem::path scratch_;
  bool has_workloads_ = true;
};

/// A turn of the two programs, one of them twice: its durations are the geometric mean of both.
struct Turn {
  Durations here;
  Durations there;
  Durations first;   ///< Of the program that ran twice.
  Durations second;  ///< Likewise, after the other one.
};

Durations GeometricMean(const Durations& first, const Durations& second) {
  Durations mean;
  for (const auto& [key, duration] : first) {
    const auto other = second.find(key);
    if (other != second.end()) mean[key] = std::sqrt(duration * other->second);
  }
  return mean;
}

/// Runs the one, the other, and the one again: what drifts evenly in between cancels.
Turn TakeTurn(TimedProgram& here, TimedProgram& there, bool here_twice) {
  TimedProgram& twice = here_twice ? here : there;
  TimedProgram& once = here_twice ? there : here;
  Turn turn;
  turn.first = twice.Time();
  const Durations between = once.Time();
  turn.second = twice.Time();
  const Durations mean = GeometricMean(turn.first, turn.second);
  turn.here = here_twice ? mean : between;
  turn.there = here_twice ? between : mean;
  return turn;
}

/// Appends ln(a/b) of all cases that both have.
void AddLogRatios(const Durations& a, const Durations& b,
                  std::map<CaseKey, std::vector<double>>& ratios) {
  for (const auto& [key, duration] : a) {
    const auto other = b.find(key);
    if (other == b.end() || duration <= 0 || other->second <= 0) continue;
    ratios[key].push_back(std::log(duration / other->second));
  }
}

/// The tests of one case.
struct TimeTest {
  double slower = 1;  ///< p of the hypothesis that it became slower by at most the tolerance.
  double within = 1;  ///< p of the hypothesis that it became slower by at least the tolerance.
  double faster = 1;  ///< p of the hypothesis that it became faster by at most the tolerance.
};

TimeTest TestTimes(const std::vector<double>& log_ratios, double limit,
                   const SignFlipOptions& options) {
  const auto tails = [&](double centre) {
    std::vector<double> changes = log_ratios;
    for (double& change : changes) change -= centre;
    return SignFlipTailTests(SignedRanks(changes), options);
  };
  const SignFlipTails above = tails(limit);
  return {above.upper, above.lower, tails(-limit).lower};
}

/// Standard deviation of a normal law with the same median of |r − median|.
double RobustSpread(const std::vector<double>& log_ratios) {
  const double median = Median(log_ratios);
  std::vector<double> away = log_ratios;
  for (double& value : away) value = std::abs(value - median);
  return kSigmaPerMedian * Median(away);
}

/// Pairs that tell "same" from slower by the tolerance in 95 of 100 cases, with a margin of 1.3;
/// signed ranks need π/3 times as many as Student's t where the law is normal.
std::size_t PairsNeeded(const TimedCase& timed, double limit, double alpha, std::size_t cases) {
  const double away = std::max(std::abs(Median(timed.log_ratios) - limit), limit / 4);
  const double units = static_cast<double>(
      UnitsForPower(alpha, 0.95, std::min(away, limit), RobustSpread(timed.log_ratios)));
  return std::max(static_cast<std::size_t>(std::ceil(1.3 * std::numbers::pi / 3 * units)),
                  FewestUnits(alpha / static_cast<double>(cases)));
}

/// Fewer pairs do not tell their spread within a factor of about 1.5, nor the advice within 2.
constexpr std::size_t kPairsForAdvice = 20;

/// Says how much one program differs from itself within a turn.
std::string NoiseFloor(const std::vector<TimedCase>& cases) {
  std::vector<double> sizes;
  for (const TimedCase& timed : cases) {
    for (const double ratio : timed.repeated_log_ratios) sizes.push_back(std::abs(ratio));
  }
  if (sizes.empty()) return "";
  std::ranges::sort(sizes);
  return fmt::format(
      "noise of this machine: one program against itself in the same turn differs by {:.2g} % in "
      "half of all pairs, by {:.2g} % in one of twenty",
      100 * std::expm1(SortedQuantile(sizes, 0.5).value()),
      100 * std::expm1(SortedQuantile(sizes, 0.95).value()));
}

/// The run's scenario as a file with what timing needs, and nothing that older programs lack.
std::filesystem::path WriteScenario(const std::filesystem::path& run,
                                    const std::filesystem::path& scratch) {
  Json scenario = ReadJsonFile(run / "manifest.json").at("scenario");
  for (const char* key : {"gate", "tables"}) scenario.erase(key);
  for (auto member = scenario.begin(); member != scenario.end();) {
    member = member->is_null() ? scenario.erase(member) : std::next(member);  // null: the default
  }
  if (!scenario.value("trials", Json()).is_null()) scenario["trials"] = 1;
  scenario["keep_series"] = Json::array();
  std::filesystem::path file = scratch / "scenario.json";
  WriteAtomically(file, scenario.dump());
  return file;
}

GateMember MemberOf(const TimedCase& timed) {
  std::vector<double> sorted = timed.log_ratios;
  std::ranges::sort(sorted);
  GateMember member;
  member.cell = timed.cell;
  member.axes = timed.axes;
  member.estimator = timed.name;
  member.kind = GateMemberKind::kDuration;
  member.metric = ToString(timed.quantity);
  member.effect = std::expm1(Median(sorted));
  if (const auto interval = MedianInterval(sorted)) {
    member.interval = {std::expm1(interval->lower), std::expm1(interval->upper)};
  }
  return member;
}

}  // namespace

GateReport JudgeTimes(const std::vector<TimedCase>& cases, const GateRules& rules) {
  GateReport report;
  report.alpha = rules.alpha;
  report.tolerance = rules.time_tolerance;
  const double limit = std::log1p(rules.time_tolerance);
  const SignFlipOptions options{.level = rules.alpha,
                                .family = std::max<std::size_t>(1, cases.size())};
  std::vector<TimeTest> tests;
  std::vector<double> p;
  for (const TimedCase& timed : cases) {
    tests.push_back(TestTimes(timed.log_ratios, limit, options));
    p.push_back(tests.back().slower);
  }
  const std::vector<double> adjusted = HolmAdjusted(p);
  std::size_t needed = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    GateMember member = MemberOf(cases[i]);
    member.tolerance = rules.time_tolerance;
    member.p = p[i];
    member.adjusted_p = adjusted[i];
    if (adjusted[i] <= rules.alpha) {
      member.verdict = MemberVerdict::kRegression;
    } else if (tests[i].faster <= rules.alpha) {
      member.verdict = MemberVerdict::kImproved;
    } else if (tests[i].within <= rules.alpha) {
      member.verdict = MemberVerdict::kSame;
    } else {
      member.verdict = MemberVerdict::kInconclusive;
      needed = std::max(needed, PairsNeeded(cases[i], limit, rules.alpha, cases.size()));
    }
    report.members.push_back(std::move(member));
  }
  std::ranges::stable_sort(report.members, {}, &GateMember::verdict);
  report.verdict = VerdictOf(report.members);
  if (needed > 0) {
    const std::size_t pairs = cases.front().log_ratios.size();
    report.sentences.push_back(
        fmt::format("{} pairs would do for all that is inconclusive (--pairs){}", needed,
                    pairs < kPairsForAdvice
                        ? fmt::format("; a rough number: it rests on the spread of {} pairs", pairs)
                        : ""));
  }
  if (std::string floor = NoiseFloor(cases); !floor.empty()) {
    report.sentences.push_back(std::move(floor));
  }
  return report;
}

GateReport GateTimes(const std::filesystem::path& run, const ComparedPrograms& programs, int pairs,
                     const GateChoices& choices) {
  if (pairs < kFewestPairs) {
    throw UsageError(fmt::format("--pairs: at least {}: fewer cannot show anything", kFewestPairs));
  }
  const RunFolder folder(run);
  const GateRules rules = GateRulesOf(folder.manifest(), (run / "manifest.json").string(), choices);
  const ScratchDirectory scratch;
  const std::filesystem::path scenario = WriteScenario(run, scratch.path());
  TimedProgram here(programs.here, scenario, scratch.path());
  TimedProgram there(programs.there, scenario, scratch.path());
  std::map<CaseKey, std::vector<double>> ratios;
  std::map<CaseKey, std::vector<double>> repeated;
  for (int k = 0; k < pairs; ++k) {
    const Turn turn = TakeTurn(here, there, k % 2 == 0);
    AddLogRatios(turn.here, turn.there, ratios);
    AddLogRatios(turn.second, turn.first, repeated);
  }
  std::vector<TimedCase> cases;
  for (auto& [key, log_ratios] : ratios) {
    TimedCase timed{.name = key.name,
                    .quantity = key.quantity,
                    .log_ratios = std::move(log_ratios),
                    .repeated_log_ratios = repeated[key]};
    if (key.quantity != TimedQuantity::kCall) {
      timed.cell = key.cell;
      timed.axes = folder.manifest().cells[key.cell].axes;
    }
    cases.push_back(std::move(timed));
  }
  GateReport report = JudgeTimes(cases, rules);
  report.baseline = programs.there.string();
  report.sentences.push_back(
      fmt::format("{} pairs in turns, one program twice in each; positive: this program is slower "
                  "than {}",
                  pairs, programs.there.string()));
  if (FewestUnits(rules.alpha / static_cast<double>(std::max<std::size_t>(1, cases.size()))) >
      static_cast<std::size_t>(pairs)) {
    report.sentences.push_back(fmt::format(
        "among {} cases {} pairs cannot show a slow-down of any size", cases.size(), pairs));
  }
  if (!there.has_workloads()) {
    report.sentences.emplace_back("the other program has no workloads: kernels were not compared");
  }
  return report;
}

}  // namespace idbench
