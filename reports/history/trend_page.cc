#include "reports/history/trend_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "reports/files/number_format.h"
#include "reports/page/html_page.h"
#include "reports/page/html_text.h"
#include "reports/statistics/change_points.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr int kTrendHeight = 230;
constexpr std::size_t kDay = 10;  ///< "2026-03-01", the beginning of a time.

/// "17 · 2418cde": a run on the axis.
std::string RunLabel(const HistoryRun& run) {
  return run.commit.empty() ? fmt::format("{}", run.id)
                            : fmt::format("{} · {}", run.id, run.commit.substr(0, 7));
}

std::vector<std::string> EstimatorsOf(const ScenarioTrend& trend) {
  std::vector<std::string> labels;
  for (const TrendSeries& series : trend.series) {
    if (std::ranges::find(labels, series.key.estimator) == labels.end()) {
      labels.push_back(series.key.estimator);
    }
  }
  return labels;
}

/// The rows of a series: e estimator, m machine, x run, y value, l and h its interval, n and f
/// counts, d date; of the first run after a change c, the change in words.
void AddRows(const ScenarioTrend& trend, const TrendSeries& series, Json& rows,
             std::vector<double>& drawn) {
  for (std::size_t run = 0; run < trend.runs.size(); ++run) {
    if (!series.points[run]) continue;
    const TrendPoint& point = *series.points[run];
    const auto value = TrendSeries::ValueOf(point, series.duration());
    if (!value) continue;
    Json row = {{"e", series.key.estimator},
                {"m", series.machine},
                {"x", RunLabel(trend.runs[run])},
                {"y", Rounded(*value)},
                {"d", trend.runs[run].finished}};
    drawn.push_back(*value);
    const auto lower = series.duration() ? point.median : point.ci95_lower;
    const auto upper = series.duration() ? point.p99 : point.ci95_upper;
    if (lower && upper) {
      row["l"] = Rounded(*lower);
      row["h"] = Rounded(*upper);
      drawn.insert(drawn.end(), {*lower, *upper});
    }
    if (!series.duration()) row.update({{"n", point.n}, {"f", point.failed}});
    for (const TrendChange& change : series.changes) {
      if (change.run != run) continue;
      row["c"] = fmt::format("{:.4g} → {:.4g}", change.before, change.after);
    }
    rows.push_back(std::move(row));
  }
}

Json Layers(bool duration) {
  Json tooltip = Json::array({TooltipText("e", "estimator"), TooltipText("x", "run"),
                              TooltipText("d", "finished"), TooltipNumber("y", "value"),
                              TooltipNumber("l", duration ? "median" : "from"),
                              TooltipNumber("h", duration ? "99 % quantile" : "to")});
  if (!duration) {
    tooltip.push_back(TooltipNumber("n", "trials"));
    tooltip.push_back(TooltipNumber("f", "failed"));
  }
  Json change_tooltip = tooltip;
  change_tooltip.push_back(TooltipText("c", "changed"));
  const Json changed = Json::array({{{"filter", "isValid(datum.c)"}}});
  const Json with_interval = Json::array({{{"filter", "isValid(datum.h)"}}});
  return Json::array(
      {{{"transform", changed},
        {"mark", {{"type", "rule"}, {"strokeDash", {4, 3}}}},
        {"encoding", {{"y", nullptr}, {"opacity", Fading(0.8)}}}},
       {{"transform", with_interval},
        {"mark", {{"type", "rule"}, {"strokeWidth", 2}}},
        {"encoding",
         {{"y", {{"field", "l"}}}, {"y2", {{"field", "h"}}}, {"opacity", Fading(0.4)}}}},
       {{"params", LegendSelection()},
        {"mark", {{"type", "line"}, {"strokeWidth", 2}}},
        {"encoding", {{"opacity", Fading(1.0)}, {"detail", {{"field", "m"}}}}}},
       {{"mark", {{"type", "point"}, {"filled", true}, {"size", 36}}},
        {"encoding", {{"opacity", Fading(1.0)}, {"tooltip", tooltip}}}},
       {{"transform", changed},
        {"mark", {{"type", "point"}, {"filled", false}, {"size", 220}, {"strokeWidth", 2}}},
        {"encoding", {{"opacity", Fading(1.0)}, {"tooltip", change_tooltip}}}}});
}

/// The chart of one metric, a view for each cell; nothing if no run has a value.
void AddChart(const ScenarioTrend& trend, const std::string& metric, std::vector<Chart>& charts) {
  Json runs = Json::array();
  for (const HistoryRun& run : trend.runs) runs.push_back(RunLabel(run));
  Chart chart;
  bool duration = false;
  for (auto first = trend.series.begin(); first != trend.series.end(); ++first) {
    const bool is_first_of_cell = first == trend.series.begin() ||
                                  std::prev(first)->key.cell != first->key.cell ||
                                  std::prev(first)->key.metric != first->key.metric;
    if (first->key.metric != metric || !is_first_of_cell || chart.views.size() == kMostViews) {
      continue;
    }
    Json rows = Json::array();
    std::vector<double> drawn;
    for (auto series = first; series != trend.series.end(); ++series) {
      if (series->key.metric != metric || series->key.cell != first->key.cell) break;
      AddRows(trend, *series, rows, drawn);
    }
    if (rows.empty()) continue;
    duration = first->duration();
    const std::string unit = first->key.unit == "1" ? "" : fmt::format(" [{}]", first->key.unit);
    chart.views.push_back({{first->key.axes},
                           {{"data", InlineData(std::move(rows))},
                            {"encoding", {{"y", QuantityChannel("y", metric + unit, drawn)}}}}});
  }
  if (chart.views.empty()) return;
  chart.name = FileStem(trend.scenario + "_" + metric, "trend");
  chart.title =
      duration ? (metric == kEstimateTime ? "Time of an estimate" : "Time of an update") : metric;
  chart.choices = {"cell"};
  chart.spec = {{"height", kTrendHeight},
                {"encoding",
                 {{"x",
                   {{"field", "x"},
                    {"type", "ordinal"},
                    {"title", "run · commit"},
                    {"scale", {{"domain", runs}}},
                    {"axis", {{"labelAngle", -40}, {"grid", false}}}}},
                  {"color", EstimatorColour(EstimatorsOf(trend), true)}}},
                {"layer", Layers(duration)}};
  chart.notes = {duration ? "median; line upwards: to the 99 % quantile, where there are enough "
                            "samples. Each machine has a line of its own"
                          : "mean over the trials that did not fail, with its 95 % interval, where "
                            "there are enough trials",
                 "ringed, with a dashed rule: the first run after a change"};
  charts.push_back(std::move(chart));
}

HtmlCell CellSortedBy(double value, std::string html) { return {std::move(html), value}; }

/// "+5.2 %" or "-12 %", two digits or more.
std::string PercentText(double percent) {
  const std::string size = ChooseFormat(std::span(&percent, 1), 2).Print(std::abs(percent));
  return fmt::format("{}{} %", percent < 0 ? "-" : "+", size);
}

/// What changed when, newest first.
std::string ChangeTable(const ScenarioTrend& trend) {
  HtmlTable table;
  table.columns = {{"run", ""},        {"commit", "text"}, {"finished", "text"},
                   {"metric", "text"}, {"cell", "text"},   {"estimator", "text"},
                   {"change", ""},     {"before", ""},     {"after", ""}};
  for (std::size_t run = trend.runs.size(); run-- > 0;) {
    for (const TrendSeries& series : trend.series) {
      for (const TrendChange& change : series.changes) {
        if (change.run != run) continue;
        const double ratio = change.after / change.before - 1;
        table.rows.push_back(
            {CellSortedBy(static_cast<double>(trend.runs[run].id),
                          fmt::format("{}", trend.runs[run].id)),
             {HtmlEscape(trend.runs[run].commit.substr(0, 12)), std::nullopt, "text"},
             {HtmlEscape(trend.runs[run].finished.substr(0, kDay)), std::nullopt, "text"},
             {HtmlEscape(series.key.metric), std::nullopt, "text"},
             {HtmlEscape(series.key.axes), std::nullopt, "text"},
             {HtmlEscape(series.key.estimator), std::nullopt, "text"},
             change.before == 0 ? HtmlCell{"", std::nullopt}
                                : CellSortedBy(ratio, PercentText(100 * ratio)),
             CellSortedBy(change.before, fmt::format("{:.4g}", change.before)),
             CellSortedBy(change.after, fmt::format("{:.4g}", change.after))});
      }
    }
  }
  return table.rows.empty() ? "<p class=\"lead\">No change was found.</p>\n" : table.Render();
}

std::string Lead(const ScenarioTrend& trend) {
  const auto runs = [](std::size_t count) {
    return fmt::format("{} run{}", count, count == 1 ? "" : "s");
  };
  std::string text = fmt::format("<p class=\"lead\">{}, the latest of {}", runs(trend.runs.size()),
                                 HtmlEscape(trend.runs.back().finished));
  if (trend.left_out > 0) {
    text +=
        fmt::format("; {} of other versions of the scenario are left out", runs(trend.left_out));
  }
  return text + ".</p>\n";
}

}  // namespace

std::vector<Chart> TrendCharts(const ScenarioTrend& trend) {
  std::vector<Chart> charts;
  AddChart(trend, trend.headline, charts);
  for (const char* duration : {kEstimateTime, kUpdateTime}) {
    if (trend.headline != duration) AddChart(trend, duration, charts);
  }
  return charts;
}

std::string RenderTrends(std::span<const ScenarioTrend> trends,
                         const std::optional<std::string>& chart_script) {
  HtmlPage page;
  page.title = "Trends of benchmark runs";
  page.byline_html = fmt::format(
      "Changes: the segmentation of each series into pieces of constant mean, of durations in "
      "their logarithms. The probability that noise alone makes any on this page is at most {:.2g} "
      "% (Holm, over all series), if the noise is normal, and that of one run and of the next have "
      "a correlation of at most {:.2g}. A piece has three runs at least; changes below {:.2g} %, "
      "of durations below {:.2g} %, are not told. A metric has a series for each floating-point "
      "fingerprint, a duration for each processor and set of kernels.",
      100 * kChangeAlarmRate, kNoiseCorrelation, 100 * kLeastMetricChange,
      100 * kLeastDurationChange);
  for (const ScenarioTrend& trend : trends) {
    for (const std::string& label : EstimatorsOf(trend)) {
      if (std::ranges::find(page.estimators, label) == page.estimators.end()) {
        page.estimators.push_back(label);
      }
    }
    page.sections.push_back({FileStem(trend.scenario, "scenario"), trend.scenario, Lead(trend),
                             TrendCharts(trend), ChangeTable(trend)});
  }
  if (trends.empty()) page.lead_html = "<p class=\"lead\">The history holds no runs.</p>\n";
  return page.Render(chart_script);
}

}  // namespace idbench
