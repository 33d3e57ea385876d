#include "reports/charts/friction_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "reports/charts/series_views.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

void AddCurve(const Json& line, SeriesViews& views) {
  const std::vector<double> v = NumbersOf(line.at("velocity"));
  const std::vector<double> torque = NumbersOf(line.at("torque"));
  CheckSize("torque", torque.size(), v.size());
  const auto joint = line.at("joint").get<std::string>();
  const auto unit = line.at("units").at("torque").get<std::string>();
  SeriesView* view = views.Find({joint}, line, fmt::format("friction of {} [{}]", joint, unit));
  if (!view) return;
  const std::vector<std::size_t> all = Thinned(v.size(), std::max<std::size_t>(v.size(), 1));
  Json row = {{"e", line.at("estimator")},
              {"t", Picked(v, all)},
              {"y", Picked(torque, all)},
              {"s", Json::array()},
              {"w", Json::array()}};
  for (std::size_t k = 0; k < v.size(); ++k) {
    view->range.Add(torque[k]);
    view->time.Add(v[k]);
  }
  if (line.contains("sigma")) {
    const std::vector<double> sigma = NumbersOf(line["sigma"]);
    CheckSize("sigma", sigma.size(), v.size());
    row["s"] = Picked(sigma, all);
  }
  if (line.contains("true")) {
    const std::vector<double> truth = NumbersOf(line["true"]);
    CheckSize("true", truth.size(), v.size());
    row["w"] = Picked(truth, all);
    for (const double value : truth) view->range.Add(value);
  }
  view->x_title = fmt::format("velocity [{}]", line.at("units").at("velocity").get<std::string>());
  view->rows.push_back(std::move(row));
}

}  // namespace

std::vector<Chart> MakeFrictionChart(const RunFolder& folder) {
  SeriesViews views(folder.manifest());
  ForEachLine(folder.directory() / "series" / "friction.jsonl",
              [&](const Json& line) { AddCurve(line, views); });
  Chart chart;
  chart.name = "friction";
  chart.title = "Friction over velocity";
  chart.choices = {"joint"};
  chart.notes = {
      "the joint moves alone, within the velocities of the data for identification; band: ± 2σ, "
      "as the estimator states σ; dashed: the true friction"};
  chart.spec = LineSpec(folder.manifest(), 1.8,
                        {{"estimator", "e", false},
                         {"velocity", "t"},
                         {"friction", "y"},
                         {"σ", "s"},
                         {"true friction", "v"}});
  chart.spec["transform"] = Json::array(
      {{{"flatten", {"t", "y", "s", "w"}}}, Calculate("isValid(datum.w) ? datum.w : null", "v")});
  Json& layers = chart.spec["layer"];
  layers.insert(layers.begin(), SigmaBand());
  layers.push_back(MovingTruth());
  std::vector<Chart> charts;
  std::move(views).AppendTo(charts, std::move(chart));
  return charts;
}

}  // namespace idbench
