#include "bench/gate/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>

#include "bench/gate/baseline.h"
#include "bench/gate/gate_run.h"
#include "bench/gate/trials_anew.h"
#include "bench/run/compared_manifest.h"
#include "bench/run/exit_code.h"
#include "reports/gate/matched_runs.h"
#include "reports/statistics/interval.h"
#include "robots/random/random_stream.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// A seed of noise that no run of the scenario has, of 48 bits as JSON readers represent exactly.
Override FreshNoise(std::uint64_t seed, std::size_t gate, const char* stage) {
  const std::uint64_t fresh = Hash64(fmt::format("calibration {} {} {}", seed, gate, stage)) >> 16;
  return {"/noise_seed", std::to_string(fresh)};
}

/// The verdict of one gate.
GateVerdict GateWithFreshNoise(std::vector<GateSubject> subjects, const std::filesystem::path& run,
                               const std::filesystem::path& baseline, const GateRules& rules,
                               std::size_t gate, const RecordSource& records) {
  const RunManifest manifest = ReadManifest(baseline / "manifest.json");
  const TrialsAnew first(run,
                         {{"/trials", std::to_string(manifest.trials)},
                          {"/timing_trials", "0"},
                          {"/keep_series", "[]"},
                          FreshNoise(manifest.seed, gate, "first")},
                         baseline, records);
  const std::vector<Pairs> pairs = first.PairsOf(subjects);
  for (std::size_t i = 0; i < subjects.size(); ++i) subjects[i].pairs = pairs[i];
  if (!HasReserve(baseline)) {
    const GateReserve halved = HalvedReserve(subjects);
    return DecideGate(subjects, rules, halved).verdict;
  }
  const std::filesystem::path kept = baseline / kReserveFolder;
  const RunManifest reserve = ReadManifest(kept / "manifest.json");
  std::vector<Override> overrides = TrialsOfReserve(reserve);
  overrides.push_back(FreshNoise(reserve.seed, gate, "reserve"));
  const GateReserve source{.pairs =
                               [&](const std::vector<std::size_t>& wanted) {
                                 std::vector<GateSubject> asked;
                                 for (const std::size_t i : wanted) asked.push_back(subjects[i]);
                                 return TrialsAnew(run, overrides, kept, records).PairsOf(asked);
                               },
                           .units = static_cast<std::size_t>(reserve.trials)};
  return DecideGate(subjects, rules, source).verdict;
}

}  // namespace

double Calibration::p() const {
  if (alarms == 0) return 1;
  const boost::math::binomial_distribution<> law(static_cast<double>(gates), alpha);
  return boost::math::cdf(boost::math::complement(law, static_cast<double>(alarms) - 1));
}

Calibration CalibrateGate(const std::filesystem::path& run_path,
                          const std::filesystem::path& baseline, std::size_t gates,
                          const RecordSource& records, const GateChoices& choices) {
  const RunFolder run(run_path);
  const RunFolder before(baseline);
  if (run.manifest().scenario->value("recording", Json()).is_object()) {
    throw UsageError("--aa draws fresh noise: a recording has none");
  }
  const std::string source = (run_path / "manifest.json").string();
  const GateRules rules = GateRulesOf(run.manifest(), source, choices);
  if (const std::string why =
          WhyIncomparable(ReadManifestToCompare(baseline), ReadManifestToCompare(run_path));
      !why.empty()) {
    throw ConfigError(source, "", "the run is not of the baseline's scenario: " + why, {});
  }
  if (const auto replaced = ReplacedEstimators(ReadManifestToCompare(baseline), "the baseline",
                                               ReadManifestToCompare(run_path), "the run");
      !replaced.empty()) {
    throw ConfigError(source, "", replaced.front(),
                      {"--aa is for runs in which nothing changed but the noise"});
  }
  for (const GateMetric& metric : rules.metrics) {
    const auto& listed = before.manifest().metrics;
    if (std::ranges::find(listed, metric.name, &RunMetric::name) != listed.end()) continue;
    throw ConfigError((baseline / "manifest.json").string(), "",
                      fmt::format("the baseline has no {}", metric.name),
                      {"make it anew with --write-baseline"});
  }
  const std::vector<GateSubject> subjects = SubjectsOf(before, run, rules);
  Calibration calibration{.subjects = subjects.size(), .gates = gates, .alpha = rules.alpha};
  for (std::size_t gate = 0; gate < gates; ++gate) {
    const GateVerdict verdict =
        GateWithFreshNoise(subjects, run_path, baseline, rules, gate, records);
    calibration.alarms += verdict == GateVerdict::kRegression;
    calibration.inconclusive += verdict == GateVerdict::kInconclusive;
  }
  return calibration;
}

std::string RenderCalibration(const Calibration& calibration) {
  const auto rate = [gates = calibration.gates](std::size_t count) {
    const ConfidenceInterval interval =
        WilsonInterval(static_cast<double>(count), static_cast<double>(gates), 0.95);
    return fmt::format("{} of {} = {:.1f} % [{:.1f}, {:.1f}]", count, gates,
                       100.0 * static_cast<double>(count) / static_cast<double>(gates),
                       100 * interval.lower, 100 * interval.upper);
  };
  return fmt::format(
      "A/A: {} subjects, {} runs with fresh noise and nothing else changed\n"
      "  false alarms: {}\n"
      "  inconclusive: {}\n"
      "  95 % Wilson intervals; alarms are to be at most α = {:.2g} %: {} (p = {:.2g})\n"
      "  all share the noise of the baseline: alarms come in company, which intervals and p do "
      "not know\n{}",
      calibration.subjects, calibration.gates, rate(calibration.alarms),
      rate(calibration.inconclusive), 100 * calibration.alpha,
      calibration.failed() ? "FAILED" : "no contradiction", calibration.p(),
      !calibration.decided_nothing()
          ? ""
          : "  no gate decided: this tells nothing of false alarms; `idbench gate` says which "
            "tolerance these trials decide\n");
}

}  // namespace idbench
