#include "reports/charts/series_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "reports/charts/series_views.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr std::size_t kMostTrackPoints = 260;
constexpr std::size_t kMostResidualPoints = 160;
constexpr double kBand = 2;  ///< Standard deviations.

/// The columns of a list of rows.
std::vector<std::vector<double>> Columns(const Json& rows, const char* what, std::size_t row_count,
                                         std::size_t column_count) {
  CheckSize(what, rows.size(), row_count);
  std::vector<std::vector<double>> columns(column_count);
  for (const Json& row : rows) {
    const std::vector<double> numbers = NumbersOf(row);
    CheckSize(what, numbers.size(), column_count);
    for (std::size_t p = 0; p < column_count; ++p) columns[p].push_back(numbers[p]);
  }
  return columns;
}

void AddTrack(const Json& line, SeriesViews& views) {
  const RunCell& cell = views.CellOf(line);
  const std::size_t count = cell.parameters.size();
  const std::vector<double> t_s = NumbersOf(line.at("t_s"));
  const std::vector<std::vector<double>> x = Columns(line.at("x"), "x", t_s.size(), count);
  std::vector<std::vector<double>> sigma;
  if (line.contains("sigma")) sigma = Columns(line["sigma"], "sigma", t_s.size(), count);
  std::vector<double> truth;
  std::vector<std::vector<double>> moving_truth;
  if (line.contains("x_true")) {
    const Json& x_true = line["x_true"];
    if (!x_true.empty() && x_true.front().is_array()) {
      moving_truth = Columns(x_true, "x_true", t_s.size(), count);
    } else {
      truth = NumbersOf(x_true);
      CheckSize("x_true", truth.size(), count);
    }
  }
  const std::vector<std::size_t> picked = Thinned(t_s.size(), kMostTrackPoints);
  if (picked.empty()) return;
  for (std::size_t p = 0; p < count; ++p) {
    const std::string unit = p < cell.units.size() && cell.units[p] != "1"
                                 ? fmt::format(" [{}]", cell.units[p])
                                 : std::string();
    SeriesView* view = views.Find({cell.parameters[p]}, line, cell.parameters[p] + unit);
    if (!view) return;
    Json row = {{"e", line.at("estimator")},
                {"t", Picked(t_s, picked)},
                {"y", Picked(x[p], picked)},
                {"s", Json::array()},
                {"w", Json::array()}};
    for (const std::size_t k : picked) view->range.Add(x[p][k]);
    if (!sigma.empty()) {
      row["s"] = Picked(sigma[p], picked);
      if (sigma[p].front() > 0)
        view->left = std::min(view->left, sigma[p].back() / sigma[p].front());
      view->range.Add(x[p].back() - kBand * sigma[p].back());
      view->range.Add(x[p].back() + kBand * sigma[p].back());
    }
    if (!truth.empty()) {
      row["v"] = Rounded(truth[p]);
      view->range.Add(truth[p]);
    }
    if (!moving_truth.empty()) {
      row["w"] = Picked(moving_truth[p], picked);
      views.SetTruthMoves();
      for (const std::size_t k : picked) view->range.Add(moving_truth[p][k]);
    }
    view->rows.push_back(std::move(row));
  }
}

void AddTracks(const RunFolder& folder, std::vector<Chart>& charts) {
  SeriesViews views(folder.manifest());
  bool any_over_time = false;
  ForEachLine(folder.directory() / "series" / "tracks.jsonl", [&](const Json& line) {
    AddTrack(line, views);
    any_over_time = any_over_time || line.at("t_s").size() > 1;
  });
  if (!any_over_time) return;
  Chart chart;
  chart.name = "track";
  chart.title = "Parameters over time";
  chart.choices = {"parameter"};
  chart.notes = {
      "band: ± 2σ, as the estimator states σ; dashed: the true value; a point: of a method that "
      "takes all data at once"};
  chart.spec = LineSpec(folder.manifest(), 1.8,
                        {{"estimator", "e", false},
                         {"time [s]", "t"},
                         {"estimate", "y"},
                         {"σ", "s"},
                         {"true value", "v"}});
  chart.spec["transform"] = Json::array({Calculate("length(datum.t)", "n"),
                                         {{"flatten", {"t", "y", "s", "w"}}},
                                         Calculate("isValid(datum.w) ? datum.w : datum.v", "v")});
  Json& layers = chart.spec["layer"];
  layers.insert(layers.begin(), SigmaBand());
  layers.push_back({{"transform", Json::array({{{"filter", "datum.n == 1"}}})},
                    {"mark", {{"type", "point"}, {"filled", true}, {"clip", true}}}});
  layers.push_back(views.truth_moves() ? MovingTruth() : ConstantTruth());
  std::move(views).AppendTo(charts, std::move(chart));
}

void AddResidual(const Json& line, SeriesViews& views) {
  const std::vector<double> t_s = NumbersOf(line.at("t_s"));
  const Json& rows = line.at("rows");
  const Json& residuals = line.at("residual");
  CheckSize("residual", residuals.size(), rows.size());
  const std::vector<std::size_t> picked = Thinned(t_s.size(), kMostResidualPoints);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::vector<double> residual = NumbersOf(residuals[i]);
    CheckSize("a row of residual", residual.size(), t_s.size());
    const auto row = rows[i].get<std::string>();
    const auto channel = line.at("channel").get<std::string>();
    SeriesView* view = views.Find({line.at("experiment").get<std::string>(), channel, row}, line,
                                  fmt::format("residual of {} [{}]", row, UnitOfRow(line, row)));
    if (!view) return;
    for (const std::size_t k : picked) view->range.Add(residual[k]);
    Json drawn = {
        {"e", line.at("estimator")}, {"t", Picked(t_s, picked)}, {"y", Picked(residual, picked)}};
    if (line.contains("segment")) drawn["g"] = line["segment"];
    view->rows.push_back(std::move(drawn));
  }
}

void AddResiduals(const RunFolder& folder, std::vector<Chart>& charts) {
  SeriesViews views(folder.manifest());
  bool segments = false;
  ForEachLine(folder.directory() / "series" / "residuals.jsonl", [&](const Json& line) {
    AddResidual(line, views);
    segments = segments || line.contains("segment");
  });
  Chart chart;
  chart.name = "residual";
  chart.title = "Residuals over time";
  chart.choices = {"experiment", "channel", "row"};
  chart.notes = {
      "what was measured less what the estimate predicts; every few samples one is drawn"};
  chart.spec = LineSpec(folder.manifest(), 1,
                        {{"estimator", "e", false}, {"time [s]", "t"}, {"residual", "y"}});
  chart.spec["transform"] = Json::array({{{"flatten", {"t", "y"}}}});
  // A line from one segment of a recording to the next would show what was not recorded.
  if (segments) chart.spec["encoding"]["detail"] = {{"field", "g"}, {"type", "nominal"}};
  std::move(views).AppendTo(charts, std::move(chart));
}

}  // namespace

std::vector<Chart> MakeSeriesCharts(const RunFolder& folder) {
  std::vector<Chart> charts;
  AddTracks(folder, charts);
  AddResiduals(folder, charts);
  return charts;
}

}  // namespace idbench
