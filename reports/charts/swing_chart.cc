#include "reports/charts/swing_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "reports/charts/series_views.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

void AddSwing(const Json& line, SeriesViews& views) {
  const std::vector<double> time = NumbersOf(line.at("t_s"));
  const auto links = line.at("columns").get<std::vector<std::string>>();
  CheckSize("values", line.at("values").size(), links.size());
  const auto swing = line.at("swing").get<std::string>();
  for (std::size_t k = 0; k < links.size(); ++k) {
    const std::vector<double> angle = NumbersOf(line["values"][k]);
    CheckSize("values", angle.size(), time.size());
    SeriesView* const view =
        views.Find({swing, links[k]}, line, fmt::format("{} from upright [rad]", links[k]));
    if (view == nullptr) continue;
    const std::vector<std::size_t> all =
        Thinned(time.size(), std::max<std::size_t>(time.size(), 1));
    for (std::size_t i = 0; i < time.size(); ++i) {
      view->range.Add(angle[i]);
      view->time.Add(time[i]);
    }
    view->rows.push_back(
        {{"e", line.at("estimator")}, {"t", Picked(time, all)}, {"y", Picked(angle, all)}});
  }
}

}  // namespace

std::vector<Chart> MakeSwingChart(const RunFolder& folder) {
  SeriesViews views(folder.manifest());
  ForEachLine(folder.directory() / "series" / "swings.jsonl",
              [&](const Json& line) { AddSwing(line, views); });
  Chart chart;
  chart.name = "swings";
  chart.title = "Swings";
  chart.choices = {"swing", "link"};
  chart.notes = {
      "as the plant's sensors read them, in experiments that estimators made; a line that ends "
      "early is a fall"};
  chart.spec =
      LineSpec(folder.manifest(), 1.2, {{"estimator", "e", false}, {"time", "t"}, {"angle", "y"}});
  chart.spec["transform"] = Json::array({{{"flatten", {"t", "y"}}}});
  std::vector<Chart> charts;
  std::move(views).AppendTo(charts, std::move(chart));
  return charts;
}

}  // namespace idbench
