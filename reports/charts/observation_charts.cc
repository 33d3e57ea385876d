#include "reports/charts/observation_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "reports/run/metric_name.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr int kRocHeight = 320;
constexpr int kChancePoints = 20;  ///< On the diagonal, which the scale bends.
constexpr const char* kRoc = "detection_roc";

/// What is known of the bands of a chart.
struct Bands {
  bool any = false;
  bool approximate = false;  ///< Some of them.
};

/// The points of a model's characteristic at which some trial has a value; an end without `n` on
/// either side.
Json RocRows(const EstimatorSummary& found, const MetricSummary& metric, Bands& bands) {
  Json rows = Json::array();
  const auto end = [&](int x) { return Json{{"e", found.label}, {"x", x}, {"y", x}}; };
  for (const auto& [label, statistics] : metric.components) {
    const std::optional<double> rate = NumberOf(label);
    if (!rate || !statistics.mean) continue;
    if (rows.empty()) rows.push_back(end(0));
    Json row = {{"e", found.label},
                {"x", *rate},
                {"y", Rounded(*statistics.mean)},
                {"n", statistics.n},
                {"f", statistics.failed}};
    if (statistics.ci95_mean) {
      row["l"] = Rounded(statistics.ci95_mean->lower);
      row["h"] = Rounded(statistics.ci95_mean->upper);
      bands.any = true;
      bands.approximate = bands.approximate || statistics.ci95_mean->approximate;
    }
    rows.push_back(std::move(row));
  }
  if (!rows.empty()) rows.push_back(end(1));
  return rows;
}

Json RateChannel(const char* field, const char* title) {
  return {{"field", field},
          {"type", "quantitative"},
          {"title", title},
          {"scale", {{"domain", {0, 1}}, {"nice", false}}}};
}

/// What a detector has that guesses: as many true positives as false ones.
Json ChanceLayer() {
  Json rows = Json::array();
  for (int k = 0; k <= kChancePoints; ++k) {
    const double root = static_cast<double>(k) / kChancePoints;
    rows.push_back({{"x", Rounded(root * root)}, {"y", Rounded(root * root)}});
  }
  return {{"data", InlineData(std::move(rows))},
          {"mark",
           {{"type", "line"},
            {"style", "reference"},
            {"strokeWidth", 1},
            {"strokeDash", {4, 4}},
            {"opacity", 0.6}}},
          {"encoding", {{"color", nullptr}}}};
}

Json RocSpec(const RunManifest& manifest, bool bands) {
  Json x = RateChannel("x", "false positive rate (square-root scale)");
  x["scale"]["type"] = "sqrt";
  x["axis"] = {{"values", {0, 0.01, 0.04, 0.1, 0.2, 0.4, 0.6, 0.8, 1}}, {"format", "~g"}};
  Json layers = Json::array({ChanceLayer()});
  if (bands) {
    layers.push_back({{"transform", Json::array({{{"filter", "isValid(datum.l)"}}})},
                      {"mark", "area"},
                      {"encoding",
                       {{"y", {{"field", "l"}, {"type", "quantitative"}}},
                        {"y2", {{"field", "h"}}},
                        {"opacity", Fading(0.12)}}}});
  }
  layers.push_back({{"params", LegendSelection()},
                    {"mark", {{"type", "line"}, {"strokeWidth", 1.8}}},
                    {"encoding", {{"opacity", Fading(1)}}}});
  Json tooltip = {TooltipText("e", "observer"), TooltipNumber("x", "false positive rate"),
                  TooltipNumber("y", "true positive rate"), TooltipNumber("n", "trials"),
                  TooltipNumber("f", "failed")};
  if (bands) {
    tooltip.insert(tooltip.begin() + 3, TooltipNumber("h", "to"));
    tooltip.insert(tooltip.begin() + 3, TooltipNumber("l", "95 % from"));
  }
  layers.push_back({{"transform", Json::array({{{"filter", "isValid(datum.n)"}}})},
                    {"mark", {{"type", "point"}, {"filled", true}, {"size", 36}}},
                    {"encoding", {{"opacity", Fading(1)}, {"tooltip", std::move(tooltip)}}}});
  return {{"height", kRocHeight},
          {"encoding",
           {{"x", std::move(x)},
            {"y", RateChannel("y", "true positive rate")},
            {"color", EstimatorColour(manifest.estimators, true)}}},
          {"layer", std::move(layers)}};
}

/// The characteristics of one observer in one cell; none if no model has one.
void AddRocView(const RunMetric& metric, const CellSummary& cell, const RunObserver& observer,
                const RunManifest& manifest, Chart& chart, Bands& bands) {
  if (chart.views.size() == kMostViews) return;
  Json rows = Json::array();
  for (const EstimatorSummary& found : cell.estimators) {
    if (found.observer != observer.label) continue;
    const MetricSummary* const summary = found.Find(metric.name);
    if (summary == nullptr) continue;
    for (Json& row : RocRows(found, *summary, bands)) rows.push_back(std::move(row));
  }
  if (rows.empty()) return;
  const Json colours = ColoursOf(manifest, EstimatorsOf(rows), true);
  chart.views.push_back(
      {{observer.label, MetricName(metric.name).experiment, cell.cell.Label()},
       {{"data", InlineData(std::move(rows))}, {"encoding", {{"color", colours}}}}});
}

void AddRoc(const Summary& summary, const RunManifest& manifest, std::vector<Chart>& charts) {
  Chart chart;
  chart.name = "roc";
  chart.title = "Detection: true over false positives";
  chart.choices = {"observer", "experiment", "cell"};
  Bands bands;
  for (const RunObserver& observer : manifest.observers) {
    for (const RunMetric& metric : manifest.metrics) {
      if (MetricName(metric.name).base() != kRoc) continue;
      for (const CellSummary& cell : summary.cells) {
        AddRocView(metric, cell, observer, manifest, chart, bands);
      }
    }
  }
  if (chart.views.empty()) return;
  chart.notes = {
      "part of the samples with contact, or with the changed load, that are detected, over the "
      "part of those without that are taken for it, mean over the trials: further up and left is "
      "better; dashed: by chance"};
  if (bands.any) chart.notes.emplace_back("band: 95 % interval of the mean");
  if (bands.approximate) {
    chart.notes.push_back(
        fmt::format("a band of fewer than {} independent trials is approximate", kFewestForSkewed));
  }
  if (chart.views.size() == kMostViews) {
    chart.notes.push_back(fmt::format("the first {} choices are shown", kMostViews));
  }
  chart.spec = RocSpec(manifest, bands.any);
  charts.push_back(std::move(chart));
}

}  // namespace

std::vector<Chart> MakeObservationCharts(const Summary& summary, const RunFolder& folder) {
  std::vector<Chart> charts;
  AddRoc(summary, folder.manifest(), charts);
  return charts;
}

}  // namespace idbench
