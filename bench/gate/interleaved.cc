#include "bench/gate/interleaved.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <map>
#include <sstream>

#include "bench/gate/process.h"
#include "bench/run/exit_code.h"
#include "reports/files/atomic_file.h"
#include "reports/run/run_folder.h"
#include "reports/statistics/holm.h"
#include "reports/statistics/quantile.h"
#include "reports/statistics/sign_flip.h"
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
    if (!result) throw UsageError(fmt::format("no such program: {}", program_.string()));
    if (result->code != 0) {
      throw UsageError(
          fmt::format("{} does not run the scenario:\n{}", program_.string(), result->errors));
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

/// The run's scenario as a file with what timing needs, and nothing that older programs lack.
std::filesystem::path WriteScenario(const std::filesystem::path& run,
                                    const std::filesystem::path& scratch) {
  Json scenario = ReadJsonFile(run / "manifest.json").at("scenario");
  for (const char* key : {"gate", "tables"}) scenario.erase(key);
  if (!scenario.value("trials", Json()).is_null()) scenario["trials"] = 1;
  scenario["keep_series"] = Json::array();
  std::filesystem::path file = scratch / "scenario.json";
  WriteAtomically(file, scenario.dump());
  return file;
}

}  // namespace

GateReport JudgeTimes(const std::vector<TimedCase>& cases, const GateRules& rules) {
  GateReport report;
  report.alpha = rules.alpha;
  report.tolerance = rules.time_tolerance;
  std::vector<double> p;
  for (const TimedCase& timed : cases) {
    const auto slower = std::ranges::count_if(timed.log_ratios, [](double r) { return r > 0; });
    const auto faster = std::ranges::count_if(timed.log_ratios, [](double r) { return r < 0; });
    p.push_back(McNemarP(static_cast<std::size_t>(faster), static_cast<std::size_t>(slower)));
  }
  const std::vector<double> adjusted = HolmAdjusted(p);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::vector<double> sorted = cases[i].log_ratios;
    std::ranges::sort(sorted);
    GateMember member;
    member.cell = cases[i].cell;
    member.axes = cases[i].axes;
    member.estimator = cases[i].name;
    member.kind = GateMemberKind::kDuration;
    member.metric = ToString(cases[i].quantity);
    member.effect = std::expm1(Median(sorted));
    if (const auto interval = MedianInterval(sorted)) {
      member.interval = {std::expm1(interval->lower), std::expm1(interval->upper)};
    }
    member.p = p[i];
    member.adjusted_p = adjusted[i];
    const bool certain = adjusted[i] <= rules.alpha;
    const double tolerance = rules.time_tolerance;
    if (certain && member.effect > tolerance) {
      member.verdict = MemberVerdict::kRegression;
      report.verdict = GateVerdict::kRegression;
    } else if (certain && member.effect < -tolerance) {
      member.verdict = MemberVerdict::kImproved;
    } else if (!member.interval || member.interval->upper > tolerance) {
      member.verdict = MemberVerdict::kInconclusive;
      if (report.verdict == GateVerdict::kPass) report.verdict = GateVerdict::kInconclusive;
    } else {
      member.verdict = MemberVerdict::kSame;
    }
    report.members.push_back(std::move(member));
  }
  std::ranges::stable_sort(report.members, {}, &GateMember::verdict);
  return report;
}

GateReport GateTimes(const std::filesystem::path& run, const std::filesystem::path& program,
                     int pairs, const GateChoices& choices) {
  if (pairs < kFewestPairs) {
    throw UsageError(fmt::format("--pairs: at least {}: fewer cannot show anything", kFewestPairs));
  }
  const RunFolder folder(run);
  const GateRules rules = GateRulesOf(folder.manifest(), (run / "manifest.json").string(), choices);
  const ScratchDirectory scratch;
  const std::filesystem::path scenario = WriteScenario(run, scratch.path());
  TimedProgram here(ThisProgram(), scenario, scratch.path());
  TimedProgram there(program, scenario, scratch.path());
  std::map<CaseKey, std::vector<double>> ratios;
  for (int k = 0; k < pairs; ++k) {
    const bool here_first = k % 2 == 0;
    Durations first = (here_first ? here : there).Time();
    Durations second = (here_first ? there : here).Time();
    const Durations& ours = here_first ? first : second;
    const Durations& theirs = here_first ? second : first;
    for (const auto& [key, duration] : ours) {
      const auto other = theirs.find(key);
      if (other == theirs.end() || duration <= 0 || other->second <= 0) continue;
      ratios[key].push_back(std::log(duration / other->second));
    }
  }
  std::vector<TimedCase> cases;
  for (auto& [key, log_ratios] : ratios) {
    TimedCase timed{
        .name = key.name, .quantity = key.quantity, .log_ratios = std::move(log_ratios)};
    if (key.quantity != TimedQuantity::kCall) {
      timed.cell = key.cell;
      timed.axes = folder.manifest().cells[key.cell].axes;
    }
    cases.push_back(std::move(timed));
  }
  GateReport report = JudgeTimes(cases, rules);
  report.baseline = program.string();
  report.sentences.push_back(fmt::format(
      "{} pairs in turns; positive: this program is slower than {}", pairs, program.string()));
  if (!there.has_workloads()) {
    report.sentences.emplace_back("the other program has no workloads: kernels were not compared");
  }
  return report;
}

}  // namespace idbench
