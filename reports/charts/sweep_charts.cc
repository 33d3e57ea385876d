#include "reports/charts/sweep_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "reports/run/metric_name.h"
#include "reports/tables/table_selection.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr int kSweepHeight = 260;
constexpr std::size_t kMostTicks = 8;  ///< As many values of an axis are all printed.
constexpr const char* kTime = "recorded time [s]";

/// What is drawn at one x: a metric of a cell.
struct Point {
  const CellSummary* cell;
  std::string metric;  ///< Full name.
  Json x;
};

const SampleStatistics* StatisticsOf(const EstimatorSummary& estimator, const std::string& metric) {
  const MetricSummary* found = estimator.Find(metric);
  return found && found->overall && found->overall->mean ? &*found->overall : nullptr;
}

/// Means with their intervals, as lines over x.
class LineChart {
 public:
  /// @param x  the channel of the field x.
  LineChart(const RunManifest& manifest, Json x)
      : manifest_(manifest), estimators_(manifest.estimators), x_(std::move(x)) {}

  void AddView(std::vector<std::string> labels, const RunMetric& metric,
               const std::vector<Point>& points) {
    if (views_.size() == kMostViews) return;
    Json rows = Json::array();
    std::vector<double> drawn;
    for (const Point& point : points) AddRows(point, rows, drawn);
    if (rows.empty()) return;
    AddBound(points, rows, drawn);
    Json encoding = {{"y", QuantityChannel("y", QuantityTitle(metric), drawn)}};
    const Json colours = ColoursOf(manifest_, EstimatorsOf(rows), true);
    if (!colours.empty()) encoding["color"] = colours;
    views_.push_back({std::move(labels), {{"data", InlineData(rows)}, {"encoding", encoding}}});
  }

  /// Appends the chart with all its views; nothing without a view.
  void AppendTo(std::vector<Chart>& charts, Chart chart) && {
    if (views_.empty()) return;
    chart.notes = {
        "mean over the trials that did not fail; band: its 95 % interval, where there "
        "are enough trials"};
    if (approximate_) {
      chart.notes.push_back(fmt::format("a band of fewer than {} independent trials is approximate",
                                        kFewestForSkewed));
    }
    if (has_bound_) {
      chart.notes.emplace_back(
          "dashed: the metric's Cramér-Rao bound, as its definition says; where that is for "
          "unbiased "
          "estimators, one with a prior or with bounds may beat it");
    }
    if (views_.size() == kMostViews) {
      chart.notes.push_back(fmt::format("the first {} choices are shown", kMostViews));
    }
    chart.views = std::move(views_);
    chart.spec = {{"height", kSweepHeight},
                  {"encoding", {{"x", x_}, {"color", EstimatorColour(estimators_, true)}}},
                  {"layer", Layers()}};
    charts.push_back(std::move(chart));
  }

 private:
  void AddRows(const Point& point, Json& rows, std::vector<double>& drawn) {
    for (const EstimatorSummary& estimator : point.cell->estimators) {
      const SampleStatistics* statistics = StatisticsOf(estimator, point.metric);
      if (!statistics) continue;
      Json row = {{"e", estimator.label},
                  {"x", point.x},
                  {"y", Rounded(*statistics->mean)},
                  {"n", statistics->n},
                  {"f", statistics->failed}};
      if (const auto& interval = statistics->ci95_mean) {
        approximate_ = approximate_ || interval->approximate;
        row["l"] = Rounded(interval->lower);
        row["h"] = Rounded(interval->upper);
        drawn.insert(drawn.end(), {interval->lower, interval->upper});
      }
      drawn.push_back(*statistics->mean);
      rows.push_back(std::move(row));
    }
  }

  /// Rows with the key k: the bound, the same for all estimators; the first one carries its name.
  void AddBound(const std::vector<Point>& points, Json& rows, std::vector<double>& drawn) {
    Json bound = Json::array();
    for (const Point& point : points) {
      const auto of_point = std::ranges::find(manifest_.metrics, point.metric, &RunMetric::bounds);
      if (of_point == manifest_.metrics.end()) continue;
      for (const EstimatorSummary& estimator : point.cell->estimators) {
        const SampleStatistics* statistics = StatisticsOf(estimator, of_point->name);
        if (!statistics) continue;
        bound.push_back({{"k", ""}, {"x", point.x}, {"y", Rounded(*statistics->mean)}});
        drawn.push_back(*statistics->mean);
        break;
      }
    }
    if (bound.empty()) return;
    bound.front()["k"] = "Cramér-Rao bound";
    rows.insert(rows.end(), bound.begin(), bound.end());
    has_bound_ = true;
  }

  Json Layers() const {
    Json layers = EstimatorLayers();
    if (!has_bound_) return layers;
    const Json bounds = Json::array({{{"filter", "isValid(datum.k)"}}});
    const Json tooltip = {TooltipNumber("x", x_["title"].get<std::string>()),
                          TooltipNumber("y", "Cramér-Rao bound")};
    layers.push_back({{"transform", bounds},
                      {"mark",
                       {{"type", "line"},
                        {"style", "reference"},
                        {"strokeDash", {6, 4}},
                        {"point", {{"style", "reference"}, {"size", 20}}}}},
                      {"encoding", {{"color", nullptr}, {"tooltip", tooltip}}}});
    layers.push_back({{"transform", bounds},
                      {"mark",
                       {{"type", "text"},
                        {"style", "reference"},
                        {"align", "left"},
                        {"baseline", "bottom"},
                        {"dx", 4},
                        {"dy", -6}}},
                      {"encoding", {{"color", nullptr}, {"text", {{"field", "k"}}}}}});
    return layers;
  }

  Json EstimatorLayers() const {
    const Json means = Json::array({{{"filter", "!isValid(datum.k)"}}});
    const Json bands = Json::array({{{"filter", "!isValid(datum.k) && isValid(datum.l)"}}});
    const std::string x_title = x_["title"];
    const Json tooltip = {TooltipText("e", "estimator"), TooltipText("x", x_title),
                          TooltipNumber("y", "mean"),    TooltipNumber("l", "95 % from"),
                          TooltipNumber("h", "to"),      TooltipNumber("n", "trials"),
                          TooltipNumber("f", "failed")};
    return Json::array({{{"params", LegendSelection()},
                         {"transform", bands},
                         {"mark", {{"type", "area"}}},
                         {"encoding",
                          {{"y", {{"field", "l"}, {"type", "quantitative"}}},
                           {"y2", {{"field", "h"}}},
                           {"opacity", Fading(0.18)}}}},
                        {{"transform", means},
                         {"mark", {{"type", "line"}, {"strokeWidth", 1.8}}},
                         {"encoding", {{"opacity", Fading(1)}}}},
                        {{"transform", means},
                         {"mark", {{"type", "point"}, {"filled", true}, {"size", 55}}},
                         {"encoding",
                          {{"opacity", Fading(1)},
                           {"shape", EstimatorColour(estimators_, !manifest_.HasOthers())},
                           {"tooltip", tooltip}}}}});
  }

  const RunManifest& manifest_;
  const std::vector<std::string>& estimators_;
  const Json x_;
  std::vector<ChartView> views_;
  bool has_bound_ = false;
  bool approximate_ = false;  ///< Some band is.
};

/// "duration 5, gear 2": the axes of a cell but one.
std::string OtherAxes(const RunCell& cell, const std::string& axis) {
  std::string text;
  for (const auto& [name, value] : cell.axes) {
    if (name != axis) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
  }
  return text;
}

Json NumericAxis(const std::string& title, const std::vector<double>& values) {
  Json x = QuantityChannel("x", title, values);
  x["scale"]["nice"] = false;
  x["scale"]["padding"] = 12;
  if (values.size() <= kMostTicks) x["axis"]["values"] = values;
  return x;
}

Json AxisChannel(const RunAxis& axis) {
  std::vector<double> numbers;
  for (const std::string& value : axis.values) {
    if (const auto number = NumberOf(value)) numbers.push_back(*number);
  }
  if (numbers.size() == axis.values.size()) return NumericAxis(axis.name, numbers);
  return {{"field", "x"},
          {"type", "ordinal"},
          {"title", axis.name},
          {"sort", nullptr},
          {"axis", {{"labelAngle", 0}}}};
}

void AddErrorAgainst(const RunAxis& axis, const Summary& summary, const RunManifest& manifest,
                     std::vector<Chart>& charts) {
  if (axis.values.size() < 2) return;
  std::vector<std::string> others;
  for (const CellSummary& cell : summary.cells) {
    const std::string other = OtherAxes(cell.cell, axis.name);
    if (std::ranges::find(others, other) == others.end()) others.push_back(other);
  }
  const Json x = AxisChannel(axis);
  const bool numeric = x["type"] == "quantitative";
  LineChart lines(manifest, x);
  for (const RunMetric& metric : MetricsToChoose(manifest)) {
    for (const std::string& other : others) {
      std::vector<Point> points;
      for (const CellSummary& cell : summary.cells) {
        if (OtherAxes(cell.cell, axis.name) != other) continue;
        const std::string& value = *cell.cell.Find(axis.name);
        points.push_back({&cell, metric.name, numeric ? Json(*NumberOf(value)) : Json(value)});
      }
      lines.AddView({metric.name, other}, metric, points);
    }
  }
  Chart chart;
  chart.name = "error_against_" + FileStem(axis.name, "axis");
  chart.title = "Against " + axis.name;
  chart.choices = {"metric", "at"};
  std::move(lines).AppendTo(charts, std::move(chart));
}

/// Metrics at checkpoints, each once and without its checkpoint; and the times of these.
struct Checkpoints {
  std::vector<RunMetric> metrics;
  std::vector<std::string> labels;  ///< "t=5"
  std::vector<double> times_s;
};

Checkpoints FindCheckpoints(const RunManifest& manifest) {
  Checkpoints found;
  for (const RunMetric& metric : manifest.metrics) {
    const MetricName name(metric.name);
    const auto time = NumberOf(name.checkpoint.substr(name.checkpoint.find('=') + 1));
    if (!time || !metric.bounds.empty()) continue;
    const RunMetric timeless{name.Without({.checkpoint = true}), metric.unit, {}, metric.better};
    if (std::ranges::find(found.metrics, timeless.name, &RunMetric::name) == found.metrics.end()) {
      found.metrics.push_back(timeless);
    }
    if (std::ranges::find(found.labels, name.checkpoint) == found.labels.end()) {
      found.labels.push_back(name.checkpoint);
      found.times_s.push_back(*time);
    }
  }
  std::ranges::stable_partition(
      found.metrics, [](const RunMetric& metric) { return metric.better == Better::kLower; });
  return found;
}

void AddOverTime(const Summary& summary, const RunManifest& manifest, std::vector<Chart>& charts) {
  const Checkpoints checkpoints = FindCheckpoints(manifest);
  if (checkpoints.labels.size() < 2) return;
  LineChart lines(manifest, NumericAxis(kTime, checkpoints.times_s));
  for (const RunMetric& metric : checkpoints.metrics) {
    for (const CellSummary& cell : summary.cells) {
      std::vector<Point> points;
      for (std::size_t i = 0; i < checkpoints.labels.size(); ++i) {
        points.push_back(
            {&cell, metric.name + "@" + checkpoints.labels[i], Json(checkpoints.times_s[i])});
      }
      lines.AddView({metric.name, cell.cell.Label()}, metric, points);
    }
  }
  Chart chart;
  chart.name = "over_time";
  chart.title = "As data come in";
  chart.choices = {"metric", "cell"};
  std::move(lines).AppendTo(charts, std::move(chart));
}

}  // namespace

std::vector<Chart> MakeSweepCharts(const Summary& summary, const RunManifest& manifest) {
  std::vector<Chart> charts;
  for (const RunAxis& axis : VocabularyOf(manifest).axes) {
    AddErrorAgainst(axis, summary, manifest, charts);
  }
  AddOverTime(summary, manifest, charts);
  return charts;
}

}  // namespace idbench
