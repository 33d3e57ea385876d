#include "reports/charts/series_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <stdexcept>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr int kSeriesHeight = 280;
constexpr std::size_t kMostTrackPoints = 260;
constexpr std::size_t kMostResidualPoints = 160;
constexpr int kPlottedDigits = 4;  ///< Enough for the eye: a page holds many of these numbers.
constexpr double kBand = 2;        ///< Standard deviations.
constexpr double kMargin = 0.06;   ///< Above and below the values, of their range.

using Series = std::vector<double>;

/// Calls `take` with every line of a file; never, if the file is not there.
/// @throws ConfigError naming the line of what is not JSON, or of what `take` throws.
void ForEachLine(const std::filesystem::path& file, const std::function<void(const Json&)>& take) {
  std::ifstream stream(file, std::ios::binary);
  std::size_t number = 0;
  for (std::string text; std::getline(stream, text);) {
    const std::string where = fmt::format("line {}", ++number);
    try {
      take(Json::parse(text));
    } catch (const Json::parse_error&) {
      throw ConfigError(file.string(), where, "is not JSON");
    } catch (const Json::exception& error) {
      throw ConfigError(file.string(), where, error.what());
    } catch (const std::invalid_argument& error) {
      throw ConfigError(file.string(), where, error.what());
    }
  }
}

/// Numbers of a list; null, which stands for what is not finite, is NaN.
Series Numbers(const Json& list) {
  Series numbers;
  for (const Json& number : list) {
    numbers.push_back(number.is_null() ? std::nan("") : number.get<double>());
  }
  return numbers;
}

void CheckSize(const char* what, std::size_t got, std::size_t wanted) {
  if (got == wanted) return;
  throw std::invalid_argument(fmt::format("{}: got {} entries, not {}", what, got, wanted));
}

/// The columns of a list of rows.
std::vector<Series> Columns(const Json& rows, const char* what, std::size_t row_count,
                            std::size_t column_count) {
  CheckSize(what, rows.size(), row_count);
  std::vector<Series> columns(column_count);
  for (const Json& row : rows) {
    const Series numbers = Numbers(row);
    CheckSize(what, numbers.size(), column_count);
    for (std::size_t p = 0; p < column_count; ++p) columns[p].push_back(numbers[p]);
  }
  return columns;
}

/// Up to `most` of `count` indices, evenly spaced, the last one among them.
std::vector<std::size_t> Thinned(std::size_t count, std::size_t most) {
  std::vector<std::size_t> indices;
  const std::size_t step = std::max<std::size_t>(1, (count + most - 1) / most);
  for (std::size_t k = (count + step - 1) % step; k < count; k += step) indices.push_back(k);
  return indices;
}

Json Picked(const Series& series, const std::vector<std::size_t>& indices,
            int digits = kPlottedDigits) {
  Json picked = Json::array();
  for (const std::size_t index : indices) picked.push_back(Rounded(series[index], digits));
  return picked;
}

/// The smallest range that holds what it was given.
struct AxisRange {
  double lower = std::numeric_limits<double>::infinity();
  double upper = -std::numeric_limits<double>::infinity();

  void Add(double value) {
    if (!std::isfinite(value)) return;
    lower = std::min(lower, value);
    upper = std::max(upper, value);
  }
  /// With a margin; null if nothing was given, and Vega-Lite chooses.
  Json Domain() const {
    if (lower > upper) return nullptr;
    const double span = upper > lower ? upper - lower : std::max(std::abs(upper), 1e-12);
    return Json::array({Rounded(lower - kMargin * span), Rounded(upper + kMargin * span)});
  }
};

/// One view while its lines are being read.
struct SeriesView {
  std::vector<std::string> labels;
  std::string title;
  AxisRange range;
  Json rows = Json::array();
  double left = 1;  ///< Least part of an estimator's first σ that data left; 1 without σ.
};

/// The views of a chart; no more than a page can take.
class SeriesViews {
 public:
  explicit SeriesViews(const RunManifest& manifest) : manifest_(manifest) {}

  /// The cell of a line. @throws std::invalid_argument if the run has no such cell.
  const RunCell& CellOf(const Json& line) const {
    const auto index = line.at("cell").get<std::size_t>();
    if (index < manifest_.cells.size()) return manifest_.cells[index];
    throw std::invalid_argument(
        fmt::format("cell {}: the run has {}", index, manifest_.cells.size()));
  }

  /// The view of a line's cell and trial with these labels before; nullptr if there are enough.
  SeriesView* Find(std::vector<std::string> labels, const Json& line, const std::string& title) {
    labels.push_back(CellOf(line).Label());
    labels.push_back(fmt::format("{}", line.at("trial").get<std::size_t>()));
    const auto found = std::ranges::find(views_, labels, &SeriesView::labels);
    if (found != views_.end()) return &*found;
    if (views_.size() == kMostSeriesViews) {
      left_out_ = true;
      return nullptr;
    }
    return &views_.emplace_back(std::move(labels), title, AxisRange(), Json::array(), 1.0);
  }

  /// True if some true value changes with time.
  bool truth_moves() const { return truth_moves_; }
  void SetTruthMoves() { truth_moves_ = true; }

  void AppendTo(std::vector<Chart>& charts, Chart chart) && {
    if (views_.empty()) return;
    if (left_out_)
      chart.notes.push_back(fmt::format("the first {} choices are shown", kMostSeriesViews));
    chart.choices.insert(chart.choices.end(), {"cell", "trial"});
    ShowBestLearned();
    for (SeriesView& view : views_) {
      Json y = {{"field", "y"},
                {"type", "quantitative"},
                {"title", view.title},
                {"axis", {{"format", ".4~g"}}},
                {"scale", {{"zero", false}}}};
      if (const Json domain = view.range.Domain(); !domain.is_null()) {
        y["scale"] = {{"domain", domain}, {"nice", false}};
      }
      chart.views.push_back(
          {std::move(view.labels),
           {{"data", InlineData(std::move(view.rows))}, {"encoding", {{"y", y}}}}});
    }
    charts.push_back(std::move(chart));
  }

 private:
  /// Moves that view to the front of which data taught most, of the first cell and trial: what
  /// cannot be identified is a poor first picture.
  void ShowBestLearned() {
    const auto is_elsewhere = [&](const SeriesView& view) {
      return !std::equal(view.labels.end() - 2, view.labels.end(), views_.front().labels.end() - 2);
    };
    const auto end = std::ranges::find_if(views_, is_elsewhere);
    const auto best = std::ranges::min_element(views_.begin(), end, {}, &SeriesView::left);
    std::rotate(views_.begin(), best, best + 1);
  }

  const RunManifest& manifest_;
  std::vector<SeriesView> views_;
  bool left_out_ = false;
  bool truth_moves_ = false;
};

Json Calculate(const char* expression, const char* as) {
  return {{"calculate", expression}, {"as", as}};
}

/// Lines of lists t and y over time, with a point under the pointer.
Json LineSpec(const RunManifest& manifest, double stroke_width, const Json& tooltip) {
  return {
      {"height", kSeriesHeight},
      {"encoding",
       {{"x",
         {{"field", "t"},
          {"type", "quantitative"},
          {"title", "time [s]"},
          {"scale", {{"zero", false}, {"nice", false}}}}},
        {"color", EstimatorColour(manifest.estimators, true)}}},
      {"layer",
       Json::array(
           {{{"params", LegendSelection()},
             {"mark", {{"type", "line"}, {"clip", true}, {"strokeWidth", stroke_width}}},
             {"encoding", {{"opacity", Fading(1)}}}},
            {{"params", Json::array({{{"name", "near"},
                                      {"select",
                                       {{"type", "point"},
                                        {"on", "pointerover"},
                                        {"clear", "pointerout"},
                                        {"nearest", true}}}}})},
             {"mark", {{"type", "point"}, {"filled", true}, {"size", 60}, {"clip", true}}},
             {"encoding",
              {{"opacity",
                {{"condition", {{"param", "near"}, {"empty", false}, {"value", 1}}}, {"value", 0}}},
               {"tooltip", tooltip}}}}})}};
}

void AddTrack(const Json& line, SeriesViews& views) {
  const RunCell& cell = views.CellOf(line);
  const std::size_t count = cell.parameters.size();
  const Series t_s = Numbers(line.at("t_s"));
  const std::vector<Series> x = Columns(line.at("x"), "x", t_s.size(), count);
  std::vector<Series> sigma;
  if (line.contains("sigma")) sigma = Columns(line["sigma"], "sigma", t_s.size(), count);
  Series truth;
  std::vector<Series> moving_truth;
  if (line.contains("x_true")) {
    const Json& x_true = line["x_true"];
    if (!x_true.empty() && x_true.front().is_array()) {
      moving_truth = Columns(x_true, "x_true", t_s.size(), count);
    } else {
      truth = Numbers(x_true);
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

/// A dashed mark where the truth is, the same for all estimators.
Json TruthLayer(const char* mark, Json transform, Json encoding) {
  encoding["color"] = nullptr;
  encoding["y"] = {{"field", "v"}, {"type", "quantitative"}};
  encoding["tooltip"] = Json::array({TooltipNumber("v", "true value")});
  return {
      {"transform", std::move(transform)},
      {"mark", {{"type", mark}, {"style", "reference"}, {"strokeDash", {6, 4}}, {"clip", true}}},
      {"encoding", std::move(encoding)}};
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
  chart.spec = LineSpec(
      folder.manifest(), 1.8,
      {TooltipText("e", "estimator"), TooltipNumber("t", "time [s]"),
       TooltipNumber("y", "estimate"), TooltipNumber("s", "σ"), TooltipNumber("v", "true value")});
  chart.spec["transform"] = Json::array({Calculate("length(datum.t)", "n"),
                                         {{"flatten", {"t", "y", "s", "w"}}},
                                         Calculate("isValid(datum.w) ? datum.w : datum.v", "v")});
  Json& layers = chart.spec["layer"];
  layers.insert(layers.begin(),
                Json{{"transform", Json::array({{{"filter", "isValid(datum.s)"}},
                                                Calculate("datum.y - 2 * datum.s", "l"),
                                                Calculate("datum.y + 2 * datum.s", "h")})},
                     {"mark", {{"type", "area"}, {"clip", true}}},
                     {"encoding",
                      {{"y", {{"field", "l"}, {"type", "quantitative"}}},
                       {"y2", {{"field", "h"}}},
                       {"opacity", Fading(0.15)}}}});
  layers.push_back({{"transform", Json::array({{{"filter", "datum.n == 1"}}})},
                    {"mark", {{"type", "point"}, {"filled", true}, {"clip", true}}}});
  // A layer without data would have no extent.
  const Json least = Json::array({{{"op", "min"}, {"field", "v"}, {"as", "v"}}});
  layers.push_back(
      views.truth_moves()
          ? TruthLayer("line",
                       Json::array({{{"filter", "isValid(datum.w)"}},
                                    {{"aggregate", least}, {"groupby", {"t"}}}}),
                       Json::object())
          : TruthLayer("rule",
                       Json::array({{{"filter", "isValid(datum.v)"}}, {{"aggregate", least}}}),
                       {{"x", nullptr}}));
  std::move(views).AppendTo(charts, std::move(chart));
}

/// The unit of a row of residuals, which a line states where it is not N·m.
std::string UnitOfRow(const Json& line, const std::string& row) {
  return line.value("units", Json::object()).value(row, "N·m");
}

void AddResidual(const Json& line, SeriesViews& views) {
  const Series t_s = Numbers(line.at("t_s"));
  const Json& rows = line.at("rows");
  const Json& residuals = line.at("residual");
  CheckSize("residual", residuals.size(), rows.size());
  const std::vector<std::size_t> picked = Thinned(t_s.size(), kMostResidualPoints);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Series residual = Numbers(residuals[i]);
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
                        {TooltipText("e", "estimator"), TooltipNumber("t", "time [s]"),
                         TooltipNumber("y", "residual")});
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
