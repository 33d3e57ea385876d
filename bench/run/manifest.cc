#include "bench/run/manifest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "bench/run/provenance.h"
#include "bench/trial/labelled_estimators.h"
#include "reports/files/utc_time.h"
#include "scenarios/observers.h"
#include "scenarios/options/config_error.h"
#include "scenarios/options/json.h"
#include "scenarios/problem/parametrisations.h"
#include "scenarios/problem/prior_entries.h"

namespace idbench {
namespace {

Json CellToJson(const Cell& cell, const PreparedCell* context) {
  Json json = {{"index", cell.coordinates.index}, {"axes", WriteValue(cell.coordinates.axes)}};
  if (context == nullptr) return json;
  const Parametrisation& parameters = context->problem().parameters;
  json["parameters"] = parameters.names;
  json["units"] = parameters.units;
  if (!parameters.expressions.empty()) json["expressions"] = parameters.expressions;
  if (context->sensors()) json["sensors"] = WriteValue(*context->sensors());
  return json;
}

/// Marks that hold in every cell that was prepared.
std::vector<std::string> CommonMarks(const PreparedCells& contexts) {
  const auto first = std::ranges::find_if(contexts, [](const auto& context) { return !!context; });
  if (first == contexts.end()) return {};
  std::vector<std::string> marks = (*first)->marks();
  for (const auto& context : contexts) {
    if (!context) continue;
    std::erase_if(marks, [&context](const std::string& mark) {
      return std::ranges::find(context->marks(), mark) == context->marks().end();
    });
  }
  return marks;
}

/// A mark that holds in some cells alone.
struct PartialMark {
  std::string text;
  std::vector<std::string> cells;
};

/// Marks that differ in their numbers alone say the same of different cells: of each such kind no
/// more than this are told.
constexpr std::size_t kMostAlike = 3;

std::string WithoutNumbers(std::string mark) {
  std::erase_if(mark, [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-'; });
  return mark;
}

/// Marks that hold in some cells alone, each with these.
std::vector<std::string> MarksOfSomeCells(const std::vector<Cell>& cells,
                                          const PreparedCells& contexts,
                                          const std::vector<std::string>& common) {
  std::vector<PartialMark> partial;
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    if (!contexts[i]) continue;
    for (const std::string& mark : contexts[i]->marks()) {
      if (std::ranges::find(common, mark) != common.end()) continue;
      auto known = std::ranges::find(partial, mark, &PartialMark::text);
      if (known == partial.end()) known = partial.insert(known, {mark, {}});
      known->cells.push_back(cells[i].coordinates.Label());
    }
  }
  std::vector<std::string> told;
  std::map<std::string, std::size_t> alike;
  for (const auto& [text, labels] : partial) {
    if (++alike[WithoutNumbers(text)] > kMostAlike) continue;
    told.push_back(fmt::format("in {}: {}", ListSome(labels), text));
  }
  std::size_t more = 0;
  for (const auto& [kind, count] : alike) more += count - std::min(count, kMostAlike);
  if (more > 0) {
    told.push_back(fmt::format("{} more of these, with other numbers, hold in other cells", more));
  }
  return told;
}

/// What a reader must know of the data of all cells, and of some.
std::vector<std::string> MarksOfRun(const std::vector<Cell>& cells, const PreparedCells& contexts) {
  std::vector<std::string> marks = CommonMarks(contexts);
  std::ranges::move(MarksOfSomeCells(cells, contexts, marks), std::back_inserter(marks));
  return marks;
}

/// What makes an estimator depend on the choice of body frames; "": nothing does. What takes no
/// data states the problem's own σ, and predicts the same in all frames.
std::string FramedBy(const Scenario& scenario, const Estimator& estimator) {
  const auto& problem = scenario.problem;
  if (!KindNamed(problem.parametrisation.type).framed || IsUntaught(estimator)) return "";
  const FrameDependence depends = estimator.frame_dependence();
  std::vector<std::string_view> by;
  if (!depends.by.empty()) by.push_back(depends.by);
  if (depends.by_prior_sigma && problem.prior && IsFramed(*problem.prior)) {
    by.emplace_back("the prior's σ");
  }
  return fmt::format("{}", fmt::join(by, ", "));
}

}  // namespace

Json MakeManifest(const LoadedScenario& loaded, const PreparedCells& contexts,
                  const std::optional<Shard>& shard) {
  Json cells = Json::array();
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    cells.push_back(CellToJson(loaded.cells[i], contexts[i].get()));
  }
  Json metrics = Json::object();
  for (const RunMetric& metric : loaded.metrics) metrics[metric.name] = WriteValue(metric);
  Json estimators = Json::array();
  Json unbiased = Json::array();
  Json untaught = Json::array();
  Json framed = Json::object();
  for (const auto& [label, estimator] : MakeEstimators(loaded.scenario)) {
    estimators.push_back(label);
    if (estimator->unbiased()) unbiased.push_back(label);
    if (IsUntaught(*estimator)) untaught.push_back(label);
    if (std::string by = FramedBy(loaded.scenario, *estimator); !by.empty()) {
      framed[label] = std::move(by);
    }
  }
  Json observers = Json::array();
  for (const auto& [label, options] : loaded.scenario.observers) {
    observers.push_back({{"label", label}, {"models", ModelsOf(loaded.scenario, options)}});
  }
  Json manifest = {{"format", 1},
                   {"scenario", *loaded.expanded},
                   {"seed", loaded.scenario.seed},
                   {"trials", loaded.scenario.trial_count()},
                   {"cells", std::move(cells)},
                   {"estimators", std::move(estimators)},
                   {"observers", std::move(observers)},
                   {"unbiased", std::move(unbiased)},
                   {"untaught", std::move(untaught)},
                   {"framed", std::move(framed)},
                   {"metrics", std::move(metrics)},
                   {"absent_metrics", WriteValue(loaded.absent_metrics)},
                   {"marks", MarksOfRun(loaded.cells, contexts)},
                   {"inputs", InputHashes(loaded)},
                   {"machine", Machine()},
                   {"fingerprint", FloatingPointFingerprint()},
                   {"started", UtcText(std::time(nullptr))}};
  manifest.update(ProgramIdentity());
  if (shard) manifest["shard"] = WriteValue(*shard);
  return manifest;
}

}  // namespace idbench
