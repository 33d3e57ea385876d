#include "reports/charts/series_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace idbench {
namespace {

constexpr int kSeriesHeight = 280;
constexpr int kPlottedDigits = 4;
constexpr double kLeastPart = 1e-5;  ///< Of the largest value, on a logarithmic axis.
constexpr double kMargin = 0.06;     ///< Above and below the values, of their range.

/// The powers of ten of a range, for the ticks of a logarithmic axis.
Json PowersOfTen(double lower, double upper) {
  Json powers = Json::array();
  const int last = static_cast<int>(std::floor(std::log10(upper)));
  for (int k = static_cast<int>(std::ceil(std::log10(lower))); k <= last; ++k) {
    powers.push_back(std::pow(10.0, k));
  }
  return powers;
}

/// The channel of a view's values.
Json ValueChannel(const SeriesView& view) {
  if (view.may_be_logarithmic && view.range.lower >= 0 && view.range.upper > 0) {
    const double lower = std::max(view.range.lower, kLeastPart * view.range.upper);
    Json y = QuantityChannel("y", view.title, std::array{lower, view.range.upper});
    y["scale"]["clamp"] = true;
    if (const Json powers = PowersOfTen(lower, view.range.upper); powers.size() > 2) {
      y["axis"]["values"] = powers;
    }
    return y;
  }
  Json y = {{"field", "y"},
            {"type", "quantitative"},
            {"title", view.title},
            {"axis", {{"format", ".4~g"}}},
            {"scale", {{"zero", false}}}};
  AxisRange range = view.range;
  if (!view.limit.empty()) {
    range.lower = std::max(range.lower, view.limit.lower);
    range.upper = std::min(range.upper, view.limit.upper);
  }
  if (const Json domain = range.Domain(); !domain.is_null()) {
    y["scale"] = {{"domain", domain}, {"nice", false}};
  }
  return y;
}

}  // namespace

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

std::vector<double> NumbersOf(const Json& list) {
  std::vector<double> numbers;
  for (const Json& number : list) {
    numbers.push_back(number.is_null() ? std::nan("") : number.get<double>());
  }
  return numbers;
}

void CheckSize(const char* what, std::size_t got, std::size_t wanted) {
  if (got == wanted) return;
  throw std::invalid_argument(fmt::format("{}: got {} entries, not {}", what, got, wanted));
}

std::vector<std::size_t> Thinned(std::size_t count, std::size_t most) {
  std::vector<std::size_t> indices;
  const std::size_t step = std::max<std::size_t>(1, (count + most - 1) / most);
  for (std::size_t k = (count + step - 1) % step; k < count; k += step) indices.push_back(k);
  return indices;
}

std::string UnitOfRow(const Json& line, const std::string& row) {
  return line.value("units", Json::object()).value(row, "N·m");
}

Json Picked(const std::vector<double>& series, const std::vector<std::size_t>& indices) {
  Json picked = Json::array();
  for (const std::size_t index : indices) picked.push_back(Rounded(series[index], kPlottedDigits));
  return picked;
}

void AxisRange::Add(double value) {
  if (!std::isfinite(value)) return;
  lower = std::min(lower, value);
  upper = std::max(upper, value);
}

Json AxisRange::Domain() const {
  if (empty()) return nullptr;
  const double span = upper > lower ? upper - lower : std::max(std::abs(upper), 1e-12);
  return Json::array({Rounded(lower - kMargin * span), Rounded(upper + kMargin * span)});
}

const RunCell& SeriesViews::CellOf(const Json& line) const {
  const auto index = line.at("cell").get<std::size_t>();
  if (index < manifest_.cells.size()) return manifest_.cells[index];
  throw std::invalid_argument(
      fmt::format("cell {}: the run has {}", index, manifest_.cells.size()));
}

SeriesView* SeriesViews::Find(std::vector<std::string> labels, const Json& line,
                              const std::string& title) {
  labels.push_back(CellOf(line).Label());
  labels.push_back(fmt::format("{}", line.at("trial").get<std::size_t>()));
  const auto found = std::ranges::find(views_, labels, &SeriesView::labels);
  if (found != views_.end()) return &*found;
  if (views_.size() == most_) {
    left_out_ = true;
    return nullptr;
  }
  return &views_.emplace_back(SeriesView{.labels = std::move(labels), .title = title});
}

void SeriesViews::AppendTo(std::vector<Chart>& charts, Chart chart) && {
  if (views_.empty()) return;
  if (left_out_) chart.notes.push_back(fmt::format("the first {} choices are shown", most_));
  chart.choices.insert(chart.choices.end(), {"cell", "trial"});
  ShowBestLearned();
  for (SeriesView& view : views_) {
    Json encoding = {{"y", ValueChannel(view)}};
    // Rows without estimators have the colours of the chart itself.
    if (const std::vector<std::string> drawn = EstimatorsOf(view.rows); !drawn.empty()) {
      const Json colours = ColoursOf(manifest_, drawn, true);
      if (!colours.empty()) encoding["color"] = colours;
    }
    if (!view.time.empty()) {
      encoding["x"]["scale"]["domain"] = {Rounded(view.time.lower), Rounded(view.time.upper)};
    }
    if (!view.x_title.empty()) encoding["x"]["title"] = view.x_title;
    chart.views.push_back(
        {std::move(view.labels),
         {{"data", InlineData(std::move(view.rows))}, {"encoding", std::move(encoding)}}});
  }
  charts.push_back(std::move(chart));
}

void SeriesViews::ShowBestLearned() {
  const auto is_elsewhere = [&](const SeriesView& view) {
    return !std::equal(view.labels.end() - 2, view.labels.end(), views_.front().labels.end() - 2);
  };
  const auto end = std::ranges::find_if(views_, is_elsewhere);
  const auto best = std::ranges::min_element(views_.begin(), end, {}, &SeriesView::left);
  std::rotate(views_.begin(), best, best + 1);
}

Json Calculate(const char* expression, const char* as) {
  return {{"calculate", expression}, {"as", as}};
}

namespace {

/// The tooltip of the point that is nearest to the pointer. Vega-Lite hangs it on the cell around
/// the point, and its own tooltips look for a text there, not in the point, which is the cell's
/// `datum`. What a point does not have is left out.
Json NearestTooltip(const std::vector<PointField>& fields) {
  std::string rows;
  for (const PointField& field : fields) {
    const std::string value = fmt::format("(datum.datum || datum).{}", field.field);
    const std::string text = field.is_number ? fmt::format("format({}, '.4~g')", value) : value;
    rows += fmt::format("{}isValid({}) ? {{'{}': {}}} : {{}}", rows.empty() ? "" : ", ", value,
                        field.title, text);
  }
  return {{"value", {{"expr", "merge(" + rows + ")"}}}};
}

}  // namespace

Json LineSpec(const RunManifest& manifest, double stroke_width,
              const std::vector<PointField>& tooltip) {
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
               {"tooltip", NearestTooltip(tooltip)}}}}})}};
}

Json SigmaBand() {
  return {{"transform", Json::array({{{"filter", "isValid(datum.s)"}},
                                     Calculate("datum.y - 2 * datum.s", "l"),
                                     Calculate("datum.y + 2 * datum.s", "h")})},
          {"mark", {{"type", "area"}, {"clip", true}}},
          {"encoding",
           {{"y", {{"field", "l"}, {"type", "quantitative"}}},
            {"y2", {{"field", "h"}}},
            {"opacity", Fading(0.15)}}}};
}

namespace {

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

/// A layer without data would have no extent.
Json LeastTruth() { return Json::array({{{"op", "min"}, {"field", "v"}, {"as", "v"}}}); }

}  // namespace

Json MovingTruth() {
  return TruthLayer("line",
                    Json::array({{{"filter", "isValid(datum.w)"}},
                                 {{"aggregate", LeastTruth()}, {"groupby", {"t"}}}}),
                    Json::object());
}

Json ConstantTruth() {
  return TruthLayer("rule",
                    Json::array({{{"filter", "isValid(datum.v)"}}, {{"aggregate", LeastTruth()}}}),
                    {{"x", nullptr}});
}

}  // namespace idbench
