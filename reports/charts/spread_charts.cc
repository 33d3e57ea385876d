#include "reports/charts/spread_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "reports/charts/performance_profile.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr int kSpreadHeight = 260;
constexpr int kEstimatorHeight = 34;  ///< Of one estimator in a horizontal chart [px].
constexpr std::size_t kFewestCells = 3;

Json Quantity(const char* field) { return {{"field", field}, {"type", "quantitative"}}; }

/// A chart with a line for each estimator and the values along it.
Json Horizontal(const std::vector<std::string>& estimators, const Json& tooltip) {
  return {{"height", kEstimatorHeight * estimators.size()},
          {"encoding",
           {{"y",
             {{"field", "e"},
              {"type", "nominal"},
              {"title", nullptr},
              {"sort", nullptr},
              {"scale", {{"domain", estimators}}},
              {"axis", {{"domain", false}, {"ticks", false}, {"labelPadding", 8}}}}},
            {"color", EstimatorColour(estimators, false)},
            {"tooltip", tooltip}}}};
}

/// Leaves the lines of these labels in a view of Horizontal(), if the run has others too: a metric
/// is of estimators, of some observers or of motions.
void KeepLines(const std::vector<std::string>& labels, const RunManifest& manifest, Json& view) {
  if (!manifest.HasOthers()) return;
  view["height"] = kEstimatorHeight * labels.size();
  view["encoding"]["y"]["scale"]["domain"] = labels;
  view["encoding"]["color"] = ColoursOf(manifest, labels, false);
}

void NoteLimit(Chart& chart) {
  if (chart.views.size() < kMostViews) return;
  chart.notes.push_back(fmt::format("the first {} choices are shown", kMostViews));
}

/// @param outline  the colour of a box's outline.
Json BoxLayers(const Json& outline) {
  return Json::array(
      {{{"mark", {{"type", "rule"}, {"strokeWidth", 1.5}}},
        {"encoding", {{"x", Quantity("l")}, {"x2", {{"field", "h"}}}}}},
       {{"mark", {{"type", "bar"}, {"height", 14}, {"fillOpacity", 0.3}, {"strokeWidth", 1.3}}},
        {"encoding", {{"x", Quantity("a")}, {"x2", {{"field", "b"}}}, {"stroke", outline}}}},
       {{"mark", {{"type", "tick"}, {"thickness", 3}, {"size", 20}}}}});
}

/// The boxes of all estimators of a cell; none if no metric has a median there.
void AddBoxes(const RunMetric& metric, const CellSummary& cell, const RunManifest& manifest,
              Chart& chart) {
  if (chart.views.size() == kMostViews) return;
  Json rows = Json::array();
  std::vector<double> drawn;
  std::vector<std::string> labels;  // of those that can have the metric
  for (const EstimatorSummary& estimator : cell.estimators) {
    const MetricSummary* found = estimator.Find(metric.name);
    if (found) labels.push_back(estimator.label);
    if (!found || !found->overall || !found->overall->median) continue;
    const SampleStatistics& statistics = *found->overall;
    Json row = {{"e", estimator.label}, {"n", statistics.n}, {"f", statistics.failed}};
    const auto put = [&](const char* key, const std::optional<double>& value) {
      if (!value) return;
      row[key] = Rounded(*value);
      drawn.push_back(*value);
    };
    put("m", statistics.median);
    put("a", statistics.q25);
    put("b", statistics.q75);
    const bool tails = statistics.n + statistics.failed >= kFewestForTails;
    put("l", tails ? statistics.q05 : statistics.min);
    if (tails) {
      put("h", statistics.q95);
    } else if (statistics.failed == 0) {
      put("h", statistics.max);
    }
    rows.push_back(std::move(row));
  }
  if (rows.empty()) return;
  chart.views.push_back(
      {{metric.name, cell.cell.Label()},
       {{"data", InlineData(rows)},
        {"encoding", {{"x", QuantityChannel("m", QuantityTitle(metric), drawn)}}}}});
  Json& patch = chart.views.back().patch;
  KeepLines(labels, manifest, patch);
  if (!manifest.HasOthers()) return;
  patch["layer"] = BoxLayers(EstimatorColour(LabelsBeside(manifest, labels), false));
}

void AddDistribution(const Summary& summary, const RunManifest& manifest,
                     std::vector<Chart>& charts) {
  if (manifest.trials < static_cast<std::int64_t>(kFewestForQuartiles)) return;
  Chart chart;
  chart.name = "distribution";
  chart.title = "Distribution over the trials";
  chart.choices = {"metric", "cell"};
  for (const RunMetric& metric : MetricsToChoose(manifest)) {
    for (const CellSummary& cell : summary.cells) AddBoxes(metric, cell, manifest, chart);
  }
  if (chart.views.empty()) return;
  chart.notes = {fmt::format(
      "line: median; box: middle half of the trials; whiskers: 5 % and 95 % quantile, below {} "
      "trials the least and the largest value; a failure counts as +∞",
      kFewestForTails)};
  NoteLimit(chart);
  chart.spec = Horizontal(
      manifest.estimators,
      {TooltipText("e", "estimator"), TooltipNumber("m", "median"), TooltipNumber("a", "25 %"),
       TooltipNumber("b", "75 %"), TooltipNumber("l", "whiskers from"), TooltipNumber("h", "to"),
       TooltipNumber("n", "trials"), TooltipNumber("f", "failed")});
  chart.spec["layer"] = BoxLayers(EstimatorColour(manifest.estimators, false));
  charts.push_back(std::move(chart));
}

/// The steps of all curves, each drawn on to the largest ratio of any; nothing if there is none.
std::optional<Json> ProfileRows(const std::vector<ProfileCurve>& curves,
                                std::vector<double>& ratios) {
  for (const ProfileCurve& curve : curves) {
    ratios.insert(ratios.end(), curve.ratio.begin(), curve.ratio.end());
  }
  std::erase_if(ratios, [](double ratio) { return ratio <= 0; });
  if (ratios.empty()) return std::nullopt;
  const auto [least, largest] = std::ranges::minmax(ratios);
  Json rows = Json::array();
  for (const ProfileCurve& curve : curves) {
    double fraction = 0;
    double drawn_to = 0;
    const auto add = [&](double ratio) {
      rows.push_back({{"e", curve.label}, {"x", Rounded(ratio)}, {"y", Rounded(fraction)}});
      drawn_to = ratio;
    };
    for (std::size_t k = 0; k < curve.ratio.size(); ++k) {
      if (drawn_to == 0 && curve.ratio[k] > least) add(least);
      fraction = curve.fraction[k];
      add(std::max(curve.ratio[k], least));
    }
    if (drawn_to < largest) add(largest);
  }
  return rows;
}

void AddProfile(const Summary& summary, const RunManifest& manifest, std::vector<Chart>& charts) {
  if (summary.cells.size() < kFewestCells || manifest.estimators.size() < 2) return;
  const std::string& reference = manifest.estimators.front();
  Chart chart;
  chart.name = "profile";
  chart.title = "Performance profile over the cells";
  chart.choices = {"metric"};
  for (const RunMetric& metric : MetricsToChoose(manifest)) {
    if (metric.RanksBy() != Better::kLower || chart.views.size() == kMostViews) continue;
    std::vector<double> ratios;
    const auto rows = ProfileRows(PerformanceProfiles(summary, metric.name, reference), ratios);
    if (!rows) continue;
    Json x = QuantityChannel("x", fmt::format("median over that of {}", reference), ratios);
    x["scale"]["nice"] = false;
    Json encoding = {{"x", x}};
    const Json colours = ColoursOf(manifest, EstimatorsOf(*rows), true);
    if (!colours.empty()) encoding["color"] = colours;
    chart.views.push_back({{metric.name}, {{"data", InlineData(*rows)}, {"encoding", encoding}}});
  }
  if (chart.views.empty()) return;
  chart.notes = {fmt::format(
      "part of the {} cells in which the median of an estimator is at most so many times that of "
      "{}: further up and left is better; a curve that ends below 1 failed in the other cells",
      summary.cells.size(), reference)};
  chart.spec = {
      {"height", kSpreadHeight},
      {"encoding",
       {{"y",
         {{"field", "y"},
          {"type", "quantitative"},
          {"title", "part of the cells"},
          {"scale", {{"domain", {0, 1}}}}}},
        {"color", EstimatorColour(manifest.estimators, true)}}},
      {"layer",
       Json::array({{{"params", LegendSelection()},
                     {"mark", {{"type", "line"}, {"interpolate", "step-after"}}},
                     {"encoding", {{"opacity", Fading(1)}}}},
                    {{"mark", {{"type", "point"}, {"filled", true}, {"size", 40}}},
                     {"encoding",
                      {{"opacity", Fading(1)},
                       {"shape", EstimatorColour(manifest.estimators, !manifest.HasOthers())},
                       {"tooltip",
                        {TooltipText("e", "estimator"), TooltipNumber("x", "ratio"),
                         TooltipNumber("y", "part of the cells")}}}}}})}};
  charts.push_back(std::move(chart));
}

using Duration = std::optional<DurationStatistics> EstimatorSummary::*;

void AddDurations(const char* label, const char* title, Duration duration, const CellSummary& cell,
                  const RunManifest& manifest, Chart& chart) {
  if (chart.views.size() == kMostViews) return;
  Json rows = Json::array();
  std::vector<double> drawn;
  for (const EstimatorSummary& estimator : cell.estimators) {
    const auto& statistics = estimator.*duration;
    if (!statistics || statistics->median <= 0) continue;
    Json row = {{"e", estimator.label}, {"m", Rounded(statistics->median)}};
    drawn.push_back(statistics->median);
    if (statistics->p99) {
      row["h"] = Rounded(*statistics->p99);
      drawn.push_back(*statistics->p99);
    }
    rows.push_back(std::move(row));
  }
  if (rows.empty()) return;
  chart.views.push_back(
      {{label, cell.cell.Label()},
       {{"data", InlineData(rows)}, {"encoding", {{"x", QuantityChannel("m", title, drawn)}}}}});
  KeepLines(EstimatorsOf(rows), manifest, chart.views.back().patch);
}

void AddTiming(const Summary& summary, const RunManifest& manifest, std::vector<Chart>& charts) {
  Chart chart;
  chart.name = "timing";
  chart.title = "Time";
  chart.choices = {"of", "cell"};
  for (const CellSummary& cell : summary.cells) {
    AddDurations("whole estimates", "time of an estimate [ms]", &EstimatorSummary::estimate_ms,
                 cell, manifest, chart);
  }
  for (const CellSummary& cell : summary.cells) {
    AddDurations("single updates", "time of an update [µs]", &EstimatorSummary::update_us, cell,
                 manifest, chart);
  }
  if (chart.views.empty()) return;
  chart.notes = {
      fmt::format("point: median; bar to the 99 % quantile, from {} durations on", kFewestForP99)};
  NoteLimit(chart);
  chart.spec =
      Horizontal(manifest.estimators, {TooltipText("e", "estimator"), TooltipNumber("m", "median"),
                                       TooltipNumber("h", "99 % quantile")});
  chart.spec["layer"] = Json::array(
      {{{"transform", Json::array({{{"filter", "isValid(datum.h)"}}})},
        {"mark", {{"type", "rule"}, {"strokeWidth", 2}}},
        {"encoding", {{"x2", {{"field", "h"}}}}}},
       {{"mark", {{"type", "tick"}, {"thickness", 2}, {"size", 12}}},
        {"encoding", {{"x", Quantity("h")}}}},
       {{"mark", {{"type", "point"}, {"filled", true}, {"size", 80}, {"opacity", 1}}}}});
  charts.push_back(std::move(chart));
}

}  // namespace

std::vector<Chart> MakeSpreadCharts(const Summary& summary, const RunManifest& manifest) {
  std::vector<Chart> charts;
  AddDistribution(summary, manifest, charts);
  AddProfile(summary, manifest, charts);
  AddTiming(summary, manifest, charts);
  return charts;
}

}  // namespace idbench
