#include "reports/charts/observation_charts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "reports/charts/series_views.h"
#include "reports/run/metric_name.h"
#include "reports/run/published_rates.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr int kRocHeight = 320;
constexpr int kChancePoints = 20;  ///< On the diagonal, which the scale bends.
constexpr int kRangesAround = 3;   ///< Of the true force, that are shown on either side of it.
constexpr const char* kRoc = "detection_roc";
constexpr const char* kTruePositives = "label_true_positive_rate";
constexpr const char* kFalsePositives = "label_false_positive_rate";
constexpr const char* kStatisticSeries = "statistic";  ///< What grows with the evidence.

/// What is known of the bands of a chart, and of its crosses.
struct RocMarks {
  bool bands = false;
  bool approximate = false;  ///< Some of the bands.
  bool own_thresholds = false;
  std::vector<std::string> sources;  ///< Of published rates.
};

/// The points of a model's characteristic at which some trial has a value; an end without `n` on
/// either side.
Json RocRows(const EstimatorSummary& found, const MetricSummary& metric, RocMarks& marks) {
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
      marks.bands = true;
      marks.approximate = marks.approximate || statistics.ci95_mean->approximate;
    }
    rows.push_back(std::move(row));
  }
  if (!rows.empty()) rows.push_back(end(1));
  return rows;
}

/// The mean of a metric of the same experiment and model.
std::optional<double> MeanOf(const EstimatorSummary& found, const char* base,
                             const std::string& experiment) {
  const MetricSummary* const summary = found.Find(fmt::format("{}@{}", base, experiment));
  return summary == nullptr || !summary->overall ? std::nullopt : summary->overall->mean;
}

/// A cross where the observer's own threshold puts the model.
void AddOwnThreshold(const EstimatorSummary& found, const std::string& experiment, Json& rows,
                     RocMarks& marks) {
  const std::optional<double> x = MeanOf(found, kFalsePositives, experiment);
  const std::optional<double> y = MeanOf(found, kTruePositives, experiment);
  if (!x || !y) return;
  rows.push_back({{"e", found.label}, {"cx", Rounded(*x)}, {"cy", Rounded(*y)}});
  marks.own_thresholds = true;
}

/// Crosses of what is printed elsewhere.
void AddPublished(const RunManifest& manifest, const std::string& experiment, Json& rows,
                  RocMarks& marks) {
  for (const PublishedRates& rates : PublishedRatesOf(*manifest.scenario, experiment)) {
    rows.push_back({{"px", Rounded(rates.false_positive_rate)},
                    {"py", Rounded(rates.true_positive_rate)},
                    {"s", rates.source}});
    if (std::ranges::find(marks.sources, rates.source) == marks.sources.end()) {
      marks.sources.push_back(rates.source);
    }
  }
}

/// A layer of crosses at fields of the rows.
Json CrossLayer(const char* x, const char* y, bool published) {
  Json mark = {{"type", "point"}, {"shape", "cross"}, {"filled", true}, {"size", 110}};
  Json encoding = {{"x", {{"field", x}, {"type", "quantitative"}}},
                   {"y", {{"field", y}, {"type", "quantitative"}}},
                   {"tooltip", Json::array({TooltipText(published ? "s" : "e", "threshold of"),
                                            TooltipNumber(x, "false positive rate"),
                                            TooltipNumber(y, "true positive rate")})}};
  if (published) {
    mark["style"] = "reference";
    mark["size"] = 170;
    encoding["color"] = nullptr;
  } else {
    encoding["opacity"] = Fading(1);
  }
  return {{"transform", Json::array({{{"filter", fmt::format("isValid(datum.{})", x)}}})},
          {"mark", std::move(mark)},
          {"encoding", std::move(encoding)}};
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

Json RocSpec(const RunManifest& manifest, const RocMarks& marks) {
  const bool bands = marks.bands;
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
  if (marks.own_thresholds) layers.push_back(CrossLayer("cx", "cy", false));
  if (!marks.sources.empty()) layers.push_back(CrossLayer("px", "py", true));
  return {{"height", kRocHeight},
          {"encoding",
           {{"x", std::move(x)},
            {"y", RateChannel("y", "true positive rate")},
            {"color", EstimatorColour(manifest.estimators, true)}}},
          {"layer", std::move(layers)}};
}

/// The characteristics of one observer in one cell; none if no model has one.
void AddRocView(const RunMetric& metric, const CellSummary& cell, const RunObserver& observer,
                const RunManifest& manifest, Chart& chart, RocMarks& marks) {
  if (chart.views.size() == kMostViews) return;
  Json rows = Json::array();
  for (const EstimatorSummary& found : cell.estimators) {
    if (found.observer != observer.label) continue;
    const MetricSummary* const summary = found.Find(metric.name);
    if (summary == nullptr) continue;
    Json of_model = RocRows(found, *summary, marks);
    if (of_model.empty()) continue;
    for (Json& row : of_model) rows.push_back(std::move(row));
    AddOwnThreshold(found, MetricName(metric.name).experiment, rows, marks);
  }
  if (rows.empty()) return;
  AddPublished(manifest, MetricName(metric.name).experiment, rows, marks);
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
  RocMarks marks;
  for (const RunObserver& observer : manifest.observers) {
    for (const RunMetric& metric : manifest.metrics) {
      if (MetricName(metric.name).base() != kRoc) continue;
      for (const CellSummary& cell : summary.cells) {
        AddRocView(metric, cell, observer, manifest, chart, marks);
      }
    }
  }
  if (chart.views.empty()) return;
  chart.notes = {
      "part of the samples with contact, or with the changed load, that are detected, over the "
      "part of those without that are taken for it, mean over the trials: further up and left is "
      "better; dashed: by chance"};
  if (marks.bands) chart.notes.emplace_back("band: 95 % interval of the mean");
  if (marks.approximate) {
    chart.notes.push_back(
        fmt::format("a band of fewer than {} independent trials is approximate", kFewestForSkewed));
  }
  if (chart.views.size() == kMostViews) {
    chart.notes.push_back(fmt::format("the first {} choices are shown", kMostViews));
  }
  if (marks.own_thresholds) {
    chart.notes.emplace_back("cross: at the observer's own threshold");
  }
  for (const std::string& source : marks.sources) {
    chart.notes.push_back(fmt::format("dark cross: {}", source));
  }
  chart.spec = RocSpec(manifest, marks);
  charts.push_back(std::move(chart));
}

/// The observer of a line. @throws std::invalid_argument if the run has no such observer.
const RunObserver& ObserverOf(const Json& line, const RunManifest& manifest) {
  const auto label = line.at("observer").get<std::string>();
  const auto found = std::ranges::find(manifest.observers, label, &RunObserver::label);
  if (found != manifest.observers.end()) return *found;
  std::vector<std::string> labels;
  for (const RunObserver& observer : manifest.observers) labels.push_back(observer.label);
  throw std::invalid_argument(
      fmt::format("observer '{}': the run has [{}]", label, fmt::join(labels, ", ")));
}

/// What lines of observations hold beside values.
struct Shown {
  bool there = false;
  bool truth = false;
  bool detected = false;
  bool segments = false;
  bool threshold = false;
};

/// The stretches of time in which something is there, each from its first instant to the next one
/// behind it.
Json SpansOf(const Json& there, const std::vector<double>& t_s) {
  Json begins = Json::array(), ends = Json::array();
  for (std::size_t k = 0; k < t_s.size(); ++k) {
    const bool here = there[k] == 1, before = k > 0 && there[k - 1] == 1;
    if (here && !before) begins.push_back(Rounded(t_s[k]));
    if (!here && before) ends.push_back(Rounded(t_s[k]));
  }
  if (ends.size() < begins.size()) ends.push_back(Rounded(t_s.back()));
  return {{"t", std::move(begins)}, {"b", std::move(ends)}};
}

/// A row of the chart, all of whose lists are empty.
Json EmptyRow(const Json& line) {
  Json row = Json::object();
  for (const char* list : {"t", "y", "d", "b", "v", "h"}) row[list] = Json::array();
  if (line.contains("segment")) row["g"] = line["segment"];
  return row;
}

/// The largest range of a component of the true force.
double RangeOfForce(const Json& line) {
  double largest = 0.0;
  for (const Json& column : line["true"]) {
    AxisRange range;
    for (const double value : NumbersOf(column)) range.Add(value);
    if (!range.empty()) largest = std::max(largest, range.upper - range.lower);
  }
  return largest;
}

/// A model that is far off, or a singular configuration, would leave the true force a flat line.
void LimitAround(const std::vector<double>& truth, double span, SeriesView& view) {
  if (span <= 0.0) return;
  for (const double value : truth) {
    view.limit.Add(value - kRangesAround * span);
    view.limit.Add(value + kRangesAround * span);
  }
}

/// Adds what was there, which is the same for all models.
void AddTruth(const Json& line, std::size_t column, const std::vector<double>& t_s,
              const std::vector<std::size_t>& all, Shown& shown, SeriesView& view) {
  const auto same_segment = [&](const Json& row) {
    return !row.contains("e") && row.value("g", Json()) == line.value("segment", Json());
  };
  if (std::ranges::any_of(view.rows, same_segment)) return;
  if (line.contains("there")) {
    Json row = EmptyRow(line);
    row.update(SpansOf(line["there"], t_s));
    view.rows.push_back(std::move(row));
    shown.there = true;
  }
  if (line.contains("true")) {
    const std::vector<double> truth = NumbersOf(line["true"].at(column));
    CheckSize("a column of true", truth.size(), t_s.size());
    Json row = EmptyRow(line);
    row["t"] = Picked(t_s, all);
    row["v"] = Picked(truth, all);
    for (const double value : truth) view.range.Add(value);
    LimitAround(truth, RangeOfForce(line), view);
    view.rows.push_back(std::move(row));
    shown.truth = true;
  }
}

void AddObservation(const Json& line, const RunManifest& manifest, Shown& shown,
                    SeriesViews& views) {
  const RunObserver& observer = ObserverOf(line, manifest);
  const auto series = line.at("series").get<std::string>();
  const std::vector<double> t_s = NumbersOf(line.at("t_s"));
  const Json& columns = line.at("columns");
  CheckSize("units", line.at("units").size(), columns.size());
  CheckSize("values", line.at("values").size(), columns.size());
  if (line.contains("true")) CheckSize("true", line["true"].size(), columns.size());
  for (const char* flags : {"there", "detected"}) {
    if (line.contains(flags)) CheckSize(flags, line[flags].size(), t_s.size());
  }
  const std::vector<std::size_t> all = Thinned(t_s.size(), t_s.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::vector<double> values = NumbersOf(line["values"][i]);
    CheckSize("a column of values", values.size(), t_s.size());
    const std::string name = fmt::format("{} {}", series, columns[i].get<std::string>());
    const auto unit = line["units"][i].get<std::string>();
    SeriesView* const view =
        views.Find({observer.label, name, line.at("experiment").get<std::string>()}, line,
                   unit == "1" ? name : fmt::format("{} [{}]", name, unit));
    if (view == nullptr) return;
    view->may_be_logarithmic = series == kStatisticSeries;
    AddTruth(line, i, t_s, all, shown, *view);
    Json row = EmptyRow(line);
    row["e"] = ObservationLabel(observer.label, line.at("estimator").get<std::string>());
    row["t"] = Picked(t_s, all);
    row["y"] = Picked(values, all);
    if (line.contains("detected")) row["d"] = line["detected"];
    if (line.contains("threshold") && !t_s.empty()) {
      Json limit = EmptyRow(line);
      limit["e"] = row["e"];
      limit["t"] = {Rounded(t_s.front()), Rounded(t_s.back())};
      limit["h"] = Json::array({line["threshold"], line["threshold"]});
      view->range.Add(line["threshold"].get<double>());
      view->rows.push_back(std::move(limit));
      shown.threshold = true;
    }
    for (const double t : t_s) view->time.Add(t);
    for (const double value : values) view->range.Add(value);
    view->rows.push_back(std::move(row));
  }
  shown.detected = shown.detected || line.contains("detected");
  shown.segments = shown.segments || line.contains("segment");
}

Json Filter(const char* expression) { return Json::array({{{"filter", expression}}}); }

Json ObservationSpec(const RunManifest& manifest, const Shown& shown) {
  std::vector<PointField> tooltip = {{"observer", "e", false}, {"time [s]", "t"}, {"value", "y"}};
  if (shown.detected) tooltip.push_back({"detected", "k", false});
  Json spec = LineSpec(manifest, 1.2, tooltip);
  spec["transform"] =
      Json::array({{{"flatten", {"t", "y", "d", "b", "v", "h"}}},
                   Calculate("datum.d == 1 ? 'yes' : isValid(datum.d) ? 'no' : 'unknown'", "k")});
  // A line from one segment of a recording to the next would show what was not recorded.
  if (shown.segments) spec["encoding"]["detail"] = {{"field", "g"}, {"type", "nominal"}};
  Json& layers = spec["layer"];
  for (Json& layer : layers) {
    layer["transform"] = Filter("isValid(datum.e) && !isValid(datum.h)");
  }
  if (shown.there) {
    layers.insert(
        layers.begin(),
        Json{{"transform", Filter("isValid(datum.b)")},
             {"mark", {{"type", "rect"}, {"style", "reference"}, {"opacity", 0.12}}},
             {"encoding", {{"color", nullptr}, {"y", nullptr}, {"x2", {{"field", "b"}}}}}});
  }
  if (shown.threshold) {
    layers.push_back(
        {{"transform", Filter("isValid(datum.h)")},
         {"mark", {{"type", "line"}, {"strokeWidth", 1.2}, {"strokeDash", {5, 3}}, {"clip", true}}},
         {"encoding",
          {{"opacity", Fading(1)}, {"y", {{"field", "h"}, {"type", "quantitative"}}}}}});
  }
  if (shown.detected) {
    layers.push_back({{"transform", Filter("datum.d == 1")},
                      {"mark", {{"type", "point"}, {"filled", true}, {"size", 14}, {"clip", true}}},
                      {"encoding", {{"opacity", Fading(1)}}}});
  }
  if (shown.truth) {
    layers.push_back(
        {{"transform", Filter("isValid(datum.v)")},
         {"mark", {{"type", "line"}, {"style", "reference"}, {"strokeWidth", 1.6}, {"clip", true}}},
         {"encoding", {{"color", nullptr}, {"y", {{"field", "v"}, {"type", "quantitative"}}}}}});
  }
  return spec;
}

void AddObservations(const RunFolder& folder, std::vector<Chart>& charts) {
  SeriesViews views(folder.manifest());
  Shown shown;
  ForEachLine(folder.directory() / "series" / "observations.jsonl",
              [&](const Json& line) { AddObservation(line, folder.manifest(), shown, views); });
  Chart chart;
  chart.name = "observation";
  chart.title = "What observers found over time";
  chart.choices = {"observer", "series", "experiment"};
  if (shown.there) {
    chart.notes.emplace_back(
        "shaded: contact, or the changed load, is there; of a long series a statistic is the "
        "largest of a few samples");
  }
  if (shown.detected) chart.notes.emplace_back("points: above the observer's own threshold");
  if (shown.threshold) chart.notes.emplace_back("dashed: that threshold");
  if (shown.truth) {
    chart.notes.push_back(fmt::format(
        "dark line: the true force; what is off by more than {} times its range is cut off",
        kRangesAround));
  }
  chart.spec = ObservationSpec(folder.manifest(), shown);
  std::move(views).AppendTo(charts, std::move(chart));
}

}  // namespace

std::vector<Chart> MakeObservationCharts(const Summary& summary, const RunFolder& folder) {
  std::vector<Chart> charts;
  AddRoc(summary, folder.manifest(), charts);
  AddObservations(folder, charts);
  return charts;
}

}  // namespace idbench
