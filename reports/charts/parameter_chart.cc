#include "reports/charts/parameter_chart.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "reports/charts/series_views.h"
#include "reports/run/identified_values.h"
#include "scenarios/options/config_error.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr std::size_t kRowHeight = 16;  ///< [px]
constexpr const char* kBefore = "before";
constexpr const char* kAfter = "after";
constexpr const char* kTrue = "true";

/// Names of what has these units in a robot; other units are named by their parameters.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kKinds = {
    {{"kg", "mass"}, {"kg·m", "first moments"}, {"kg·m²", "inertia"}}};

/// One view while its parameters are being read.
struct Kind {
  std::string unit;
  std::vector<std::string> suffixes = {};  ///< Of the names, each once: fc, fv …
  AxisRange range = {};  ///< Of values; of intervals what is as near as that again.
  AxisRange intervals = {};
  Json rows = Json::array();

  std::string Label() const {
    const auto known = std::ranges::find(kKinds, unit, &decltype(kKinds)::value_type::first);
    const std::string name = known != kKinds.end() ? std::string(known->second)
                                                   : fmt::format("{}", fmt::join(suffixes, ", "));
    return unit == "1" ? name : fmt::format("{} [{}]", name, unit);
  }

  /// An interval that is far wider than the values lie apart is cut off, not they squeezed.
  Json Domain() const {
    AxisRange shown = range;
    const double span = range.upper - range.lower;
    if (!intervals.empty() && span > 0) {
      shown.Add(std::max(intervals.lower, range.lower - span / 2));
      shown.Add(std::min(intervals.upper, range.upper + span / 2));
    } else if (!intervals.empty()) {
      shown.Add(intervals.lower);
      shown.Add(intervals.upper);
    }
    return shown.Domain();
  }
};

/// "link3.mcx" → "mcx".
std::string SuffixOf(const std::string& name) { return name.substr(name.rfind('.') + 1); }

void AddParameter(const Json& item, const PriorValues& prior, bool hardly,
                  std::vector<Kind>& kinds) {
  const Json& value = item.at("value");
  if (!value.is_number()) return;
  const auto name = item.at("name").get<std::string>();
  const std::string unit = item.value("unit", "1");
  auto kind = std::ranges::find(kinds, unit, &Kind::unit);
  if (kind == kinds.end()) kind = kinds.insert(kinds.end(), Kind{.unit = unit});
  const std::string suffix = SuffixOf(name);
  if (std::ranges::find(kind->suffixes, suffix) == kind->suffixes.end()) {
    kind->suffixes.push_back(suffix);
  }
  const auto after = value.get<double>();
  Json row = {{"n", name}, {kAfter, Rounded(after)}};
  kind->range.Add(after);
  const auto add = [&](const char* key, double known) {
    row[key] = Rounded(known);
    kind->range.Add(known);
  };
  if (const auto known = PriorOf(item, prior)) add(kBefore, *known);
  if (item.contains("true") && item["true"].is_number()) add(kTrue, item["true"].get<double>());
  if (const auto half = HalfWidth95(item)) {
    row["l"] = Rounded(after - *half);
    row["h"] = Rounded(after + *half);
    kind->intervals.Add(after - *half);
    kind->intervals.Add(after + *half);
  }
  if (hardly) row["d"] = 1;
  kind->rows.push_back(std::move(row));
}

/// Fading() of a mark, which is faint in rows with the key d.
Json Faintness() {
  Json opacity = Fading(1);
  opacity["condition"] = Json::array(
      {{{"test", {{"and", Json::array({{{"param", "shown"}}, "datum.d"})}}}, {"value", 0.4}},
       opacity["condition"]});
  return opacity;
}

Json ParameterSpec(const std::vector<std::string>& drawn) {
  const Json colour = EstimatorColour(drawn, true);
  const std::map<std::string, const char*> shapes = {
      {kBefore, "diamond"}, {kAfter, "circle"}, {kTrue, "cross"}};
  Json range = Json::array();
  for (const std::string& each : drawn) range.push_back(shapes.at(each));
  const Json shape = {{"field", "e"},
                      {"type", "nominal"},
                      {"scale", {{"domain", drawn}, {"range", std::move(range)}}},
                      {"legend", colour["legend"]}};
  // Of equal values the estimate is on top, on a larger cross where the truth is.
  Json fold = {{"fold", std::vector<std::string>(drawn.rbegin(), drawn.rend())},
               {"as", {"e", "y"}}};
  const Json size = {
      {"condition", {{"test", fmt::format("datum.e === '{}'", kTrue)}, {"value", 150}}},
      {"value", 50}};
  const Json name = TooltipText("n", "parameter");
  return {
      {"encoding",
       {{"y",
         {{"field", "n"},
          {"type", "nominal"},
          {"sort", nullptr},
          {"title", nullptr},
          {"axis", {{"grid", true}, {"labelOverlap", false}}}}},
        {"color", colour}}},
      {"layer",
       Json::array(
           {{{"transform", Json::array({{{"filter", "isValid(datum.l)"}},
                                        Calculate(fmt::format("'{}'", kAfter).c_str(), "e")})},
             {"mark", {{"type", "rule"}, {"strokeWidth", 2}, {"clip", true}}},
             {"encoding",
              {{"x", {{"field", "l"}, {"type", "quantitative"}}},
               {"x2", {{"field", "h"}}},
               {"opacity", Faintness()},
               {"tooltip",
                {name, TooltipNumber("l", "95 % from"), TooltipNumber("h", "95 % to")}}}}},
            {{"params", LegendSelection()},
             {"transform", Json::array({std::move(fold), {{"filter", "isValid(datum.y)"}}})},
             {"mark", {{"type", "point"}, {"filled", true}, {"clip", true}}},
             {"encoding",
              {{"x", {{"field", "y"}, {"type", "quantitative"}}},
               {"shape", shape},
               {"size", size},
               {"opacity", Faintness()},
               {"tooltip", {name, TooltipText("e", "value"), TooltipNumber("y", "of it")}}}}}})}};
}

/// What the rows of a chart have beside the value after identification.
class DrawnValues {
 public:
  void Add(const Json& rows) {
    for (const Json& row : rows) {
      before_ = before_ || row.contains(kBefore);
      true_ = true_ || row.contains(kTrue);
    }
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names = {kAfter};
    if (before_) names.emplace_back(kBefore);
    if (true_) names.emplace_back(kTrue);
    return names;
  }

 private:
  bool before_ = false, true_ = false;
};

/// The kinds of parameters of an estimator of a cell and trial.
std::vector<Kind> KindsOf(const Json& estimator, const PriorValues& prior) {
  const std::set<std::string> hardly = HardlyTold(estimator);
  const Json& stated = estimator.contains("covariance") ? estimator["covariance"].at("basis")
                                                        : estimator.at("parameters");
  std::vector<Kind> kinds;
  for (const Json& item : stated) {
    AddParameter(item, prior, hardly.contains(item.at("name").get<std::string>()), kinds);
  }
  return kinds;
}

}  // namespace

std::vector<Chart> MakeParameterChart(const RunFolder& folder) {
  const std::filesystem::path file = folder.directory() / "identified.json";
  if (!std::filesystem::exists(file)) return {};
  const RunManifest& manifest = folder.manifest();
  const Json identified = ReadJsonFile(file);
  Chart chart;
  chart.name = "parameters";
  chart.title = "Parameters before and after";
  chart.choices = {"parameters", "estimator", "cell", "trial"};
  DrawnValues drawn;
  std::size_t views = 0;
  try {
    for (const Json& cell : identified.at("cells")) {
      const PriorValues prior = PriorValuesOf(cell, manifest);
      const std::string where = manifest.cells.at(cell.at("cell").get<std::size_t>()).Label();
      const std::string trial = fmt::format("{}", cell.at("trial").get<std::size_t>());
      const Json& estimators = cell.at("estimators");
      for (std::size_t e = estimators.size(); e-- > 0;) {
        if (estimators[e].contains("untaught")) continue;
        for (Kind& kind : KindsOf(estimators[e], prior)) {
          if (++views > kMostViews) continue;
          drawn.Add(kind.rows);
          const std::size_t height = kRowHeight * kind.rows.size();
          Json x = {{"title", kind.unit == "1" ? "" : kind.unit},
                    {"axis", {{"format", ".4~g"}}},
                    {"scale", {{"domain", kind.Domain()}, {"nice", false}}}};
          chart.views.push_back({{kind.Label(), estimators[e].at("label"), where, trial},
                                 {{"height", height},
                                  {"data", InlineData(std::move(kind.rows))},
                                  {"encoding", {{"x", std::move(x)}}}}});
        }
      }
    }
  } catch (const Json::exception& error) {
    throw ConfigError(file.string(), "", error.what());
  } catch (const std::out_of_range&) {
    throw ConfigError(
        file.string(), "",
        fmt::format("names a cell that is not among the {} of the run", manifest.cells.size()));
  }
  if (chart.views.empty()) return {};
  chart.spec = ParameterSpec(drawn.Names());
  chart.notes = {
      "line: the 95 % interval, 1.96σ as the estimator states σ, cut off where it leaves the axis; "
      "faint: the motion hardly tells it, or no motion does"};
  if (views > kMostViews) {
    chart.notes.push_back(fmt::format("the first {} choices are shown", kMostViews));
  }
  return {std::move(chart)};
}

}  // namespace idbench
