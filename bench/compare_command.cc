#include "bench/compare_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

#include "bench/choice.h"
#include "bench/run/compared_manifest.h"
#include "bench/run/exit_code.h"
#include "reports/gate/compare.h"
#include "reports/gate/gate_options.h"
#include "reports/run/run_identity.h"
#include "scenarios/options/json.h"
#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

enum class ComparisonFormat { kMarkdown, kJson };

}  // namespace

template <>
inline constexpr auto kEnumNames<ComparisonFormat> = std::to_array<EnumName<ComparisonFormat>>(
    {{ComparisonFormat::kMarkdown, "md"}, {ComparisonFormat::kJson, "json"}});

namespace {

namespace po = boost::program_options;

/// What is compared, and at which level.
struct Compared {
  GateMetric metric;
  double alpha = 0.05;
  std::vector<std::string> others = {};  ///< Metrics of the gate that are not compared.
};

/// The metric that the call names, else the first that the run is gated by.
Compared ComparedOf(const po::variables_map& values, const RunFolder& folder) {
  GateChoices choices{.tolerates = false};
  const auto& listed = folder.manifest().metrics;
  if (values.count("better")) {
    choices.better = ParseChoice<Better>("--better", values["better"].as<std::string>());
  }
  if (values.count("metric")) {
    choices.metric = values["metric"].as<std::string>();
    const auto found = std::ranges::find(listed, *choices.metric, &RunMetric::name);
    if (found == listed.end()) {
      std::vector<std::string> names;
      for (const RunMetric& metric : listed) names.push_back(metric.name);
      std::string message = fmt::format("--metric: the run has no metric \"{}\"", *choices.metric);
      for (const std::string& detail : AcceptedNames(*choices.metric, names)) {
        message += "\n  " + detail;
      }
      throw UsageError(message);
    }
    if (!found->better && !choices.better) {
      throw UsageError(fmt::format(
          "--metric: {} does not say which of its values are better\n  add --better lower or "
          "--better higher",
          *choices.metric));
    }
  }
  const std::filesystem::path manifest = folder.directory() / "manifest.json";
  const GateRules rules = GateRulesOf(folder.manifest(), manifest.string(), choices);
  Compared compared{rules.metrics.front(), rules.alpha};
  for (const GateMetric& metric : std::span(rules.metrics).subspan(1)) {
    compared.others.push_back(metric.name);
  }
  return compared;
}

/// Says which metrics of the gate the comparison leaves out.
void TellOthers(const Compared& compared, Comparison& comparison) {
  if (compared.others.empty()) return;
  comparison.notes.push_back(fmt::format("not compared, though gated too: {} (--metric)",
                                         fmt::join(compared.others, ", ")));
}

/// Labels between commas. A label of the run may hold commas itself: the longest that fits counts.
std::vector<std::string> SplitLabels(std::string_view text, const std::vector<std::string>& known) {
  std::vector<std::string> labels;
  while (!text.empty()) {
    std::size_t size = std::min(text.find(','), text.size());
    for (const std::string& label : known) {
      const bool ends =
          text.size() == label.size() || (text.size() > label.size() && text[label.size()] == ',');
      if (text.starts_with(label) && ends) size = std::max(size, label.size());
    }
    labels.emplace_back(text.substr(0, size));
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  return labels;
}

/// The metric as a run lists it.
RunMetric MetricOf(const RunFolder& folder, const std::string& name) {
  return *std::ranges::find(folder.manifest().metrics, name, &RunMetric::name);
}

bool SameBytes(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::ifstream first(a, std::ios::binary);
  std::ifstream second(b, std::ios::binary);
  using Bytes = std::istreambuf_iterator<char>;
  return std::equal(Bytes(first), Bytes(), Bytes(second), Bytes());
}

Comparison CompareFolders(const po::variables_map& values, const RunFolder& a, const RunFolder& b) {
  const Compared compared = ComparedOf(values, b);
  const std::string& metric = compared.metric.name;
  const auto& metrics = a.manifest().metrics;
  if (std::ranges::find(metrics, metric, &RunMetric::name) == metrics.end()) {
    throw UsageError(fmt::format("{} has no metric \"{}\"", a.directory().string(), metric));
  }
  const Json a_manifest = ReadManifestToCompare(a.directory());
  const Json b_manifest = ReadManifestToCompare(b.directory());
  RunMetric described = MetricOf(b, metric);
  described.framed |= MetricOf(a, metric).framed;
  Comparison comparison = Compare(MatchRuns(a, b, metric), described, compared.metric.better,
                                  compared.alpha, PairingOf(a_manifest, b_manifest));
  comparison.a = "A";
  comparison.b = "B";
  std::vector<std::string>& notes = comparison.notes;
  std::vector<std::string> first = {
      fmt::format("A: {}, B: {}", a.directory().string(), b.directory().string())};
  if (const std::string why = WhyIncomparable(a_manifest, b_manifest); !why.empty()) {
    first.insert(first.begin(), fmt::format("A and B are not runs of the same trials: {} (here: B, "
                                            "there: A)",
                                            why));
  }
  notes.insert(notes.begin(), first.begin(), first.end());
  TellOthers(compared, comparison);
  if (SameBytes(a.directory() / "records.jsonl", b.directory() / "records.jsonl")) {
    notes.emplace_back("records.jsonl is the same file, byte for byte");
  }
  for (std::string& sentence : Unmatched(a, b, {metric})) notes.push_back(std::move(sentence));
  for (std::string& sentence : ReplacedEstimators(a_manifest, "A", b_manifest, "B")) {
    notes.push_back(std::move(sentence));
  }
  for (std::string& sentence : ProgramDifferences(a_manifest, "A", b_manifest, "B")) {
    notes.push_back(std::move(sentence));
  }
  return comparison;
}

Comparison CompareEstimators(const po::variables_map& values, const RunFolder& folder) {
  const std::vector<std::string> labels =
      SplitLabels(values["estimators"].as<std::string>(), folder.manifest().estimators);
  if (labels.size() < 2) {
    throw UsageError(
        "--estimators: name two or more, between commas; the first is compared with "
        "each of the others");
  }
  for (auto label = labels.begin(); label != labels.end(); ++label) {
    if (std::find(labels.begin(), label, *label) == label) continue;
    throw UsageError(fmt::format("--estimators: {} stands there twice\n  name each once", *label));
  }
  const Compared compared = ComparedOf(values, folder);
  const Pairing pairing =
      IsRecording(*folder.manifest().scenario) ? Pairing::kRecordings : Pairing::kTrials;
  const std::string& metric = compared.metric.name;
  Comparison comparison = Compare(MatchEstimators(folder, metric, labels), MetricOf(folder, metric),
                                  compared.metric.better, compared.alpha, pairing);
  comparison.notes.insert(
      comparison.notes.begin(),
      fmt::format("A: {}, B: {}, of {}", labels.front(),
                  fmt::join(std::span(labels).subspan(1), ", "), folder.directory().string()));
  TellOthers(compared, comparison);
  return comparison;
}

int CompareRuns(const po::variables_map& values) {
  const auto format = ParseChoice<ComparisonFormat>("--format", values["format"].as<std::string>());
  if (!values.count("a")) throw UsageError("compare: which run folders?");
  const RunFolder a(values["a"].as<std::string>());
  Comparison comparison;
  if (values.count("b")) {
    if (values.count("estimators")) {
      throw UsageError("--estimators compares estimators of one run: give one folder");
    }
    comparison = CompareFolders(values, a, RunFolder(values["b"].as<std::string>()));
  } else if (values.count("estimators")) {
    comparison = CompareEstimators(values, a);
  } else {
    throw UsageError("compare: with which other run folder? Or which --estimators of this one?");
  }
  fmt::print("{}", format == ComparisonFormat::kJson ? JsonText(ToJson(comparison), 1) + '\n'
                                                     : RenderComparison(comparison));
  return kExitFine;
}

}  // namespace

Subcommand CompareCommand() {
  Subcommand compare{"compare",
                     "A [B]",
                     "compare two runs, or estimators of one",
                     po::options_description("options"),
                     {"a", "b"},
                     &CompareRuns};
  compare.options.add_options()  //
      ("estimators", po::value<std::string>()->value_name("X,Y"),
       "compare these estimators of run A, the first with each of the others")  //
      ("metric", po::value<std::string>()->value_name("NAME"),
       "compare this metric (default: the first of the scenario's gate, else the first headline "
       "metric that ranks estimators, as the torque error on held-out data, else the first)")  //
      ("better", po::value<std::string>()->value_name("WHICH"),
       "take these values as the better ones: lower or higher (default: as the gate says of its "
       "metric, else as the metric's definition says, else lower)")  //
      ("format", po::value<std::string>()->default_value("md")->value_name("FORMAT"),
       "print this format: md or json");
  return compare;
}

}  // namespace idbench
