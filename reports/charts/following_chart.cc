#include "reports/charts/following_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "reports/charts/series_views.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

void AddFollowing(const Json& line, SeriesViews& views) {
  const std::vector<double> time = NumbersOf(line.at("t_s"));
  const auto joints = line.at("joints").get<std::vector<std::string>>();
  CheckSize("desired", line.at("desired").size(), joints.size());
  CheckSize("position", line.at("position").size(), joints.size());
  const auto experiment = line.at("experiment").get<std::string>();
  const std::vector<std::size_t> all = Thinned(time.size(), std::max<std::size_t>(time.size(), 1));
  for (std::size_t k = 0; k < joints.size(); ++k) {
    std::vector<double> behind = NumbersOf(line["desired"][k]);
    const std::vector<double> position = NumbersOf(line["position"][k]);
    CheckSize("desired", behind.size(), time.size());
    CheckSize("position", position.size(), time.size());
    const std::string unit = line.at("units").value(joints[k], "rad");
    SeriesView* const view = views.Find({experiment, joints[k]}, line,
                                        fmt::format("{}: desired − true [{}]", joints[k], unit));
    if (view == nullptr) continue;
    for (std::size_t i = 0; i < time.size(); ++i) {
      behind[i] -= position[i];
      view->range.Add(behind[i]);
      view->time.Add(time[i]);
    }
    view->rows.push_back(
        {{"e", line.at("estimator")}, {"t", Picked(time, all)}, {"y", Picked(behind, all)}});
  }
}

}  // namespace

std::vector<Chart> MakeFollowingChart(const RunFolder& folder) {
  SeriesViews views(folder.manifest());
  ForEachLine(folder.directory() / "series" / "following.jsonl",
              [&](const Json& line) { AddFollowing(line, views); });
  Chart chart;
  chart.name = "following";
  chart.title = "Following a motion";
  chart.choices = {"experiment", "joint"};
  chart.notes = {"desired minus true position under control with what each estimator found"};
  chart.spec = LineSpec(folder.manifest(), 1.2,
                        {{"estimator", "e", false}, {"time", "t"}, {"difference", "y"}});
  chart.spec["transform"] = Json::array({{{"flatten", {"t", "y"}}}});
  std::vector<Chart> charts;
  std::move(views).AppendTo(charts, std::move(chart));
  return charts;
}

}  // namespace idbench
