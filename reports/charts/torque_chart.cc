#include "reports/charts/torque_chart.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "reports/charts/series_views.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr std::size_t kMostTorquePoints = 300;

/// Place of a line's views among all; the least is first.
using TorqueRank = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t, std::string>;

/// The orders of estimators and experiments that MakeTorqueChart() states.
class TorqueOrder {
 public:
  explicit TorqueOrder(const RunManifest& manifest) {
    std::vector<std::string> taught, untaught;
    for (std::size_t e = manifest.EstimatorCount(); e-- > 0;) {
      const std::string& label = manifest.estimators[e];
      const bool takes_data =
          std::ranges::find(manifest.untaught, label) == manifest.untaught.end();
      (takes_data ? taught : untaught).push_back(label);
    }
    estimators_ = std::move(taught);
    estimators_.insert(estimators_.begin() + (estimators_.empty() ? 0 : 1), untaught.begin(),
                       untaught.end());
    std::vector<std::string> others;
    const Json experiments = manifest.scenario->value("experiments", Json::object());
    for (const auto& [label, experiment] : experiments.items()) {
      const bool validates = experiment.value("role", "") == "validation";
      (validates ? experiments_ : others).push_back(label);
    }
    std::ranges::reverse(experiments_);
    experiments_.insert(experiments_.end(), others.rbegin(), others.rend());
  }

  TorqueRank RankOf(const Json& line) const {
    return {Place(estimators_, line.at("estimator")), line.at("cell").get<std::size_t>(),
            line.at("trial").get<std::size_t>(), Place(experiments_, line.at("experiment")),
            line.at("channel").get<std::string>()};
  }

 private:
  /// The last place for a label that is not listed.
  static std::size_t Place(const std::vector<std::string>& labels, const Json& label) {
    const auto found = std::ranges::find(labels, label.get<std::string>());
    return static_cast<std::size_t>(found - labels.begin());
  }

  std::vector<std::string> estimators_, experiments_;
};

/// "validation_2 (run2.csv)"; without a file "validation".
std::string ExperimentLabel(const RunManifest& manifest, const std::string& experiment) {
  const Json experiments = manifest.scenario->value("experiments", Json::object());
  const Json known = experiments.value(experiment, Json::object());
  if (!known.contains("file") || !known["file"].is_string()) return experiment;
  const std::filesystem::path file = known["file"].get<std::string>();
  return fmt::format("{} ({})", experiment, file.filename().string());
}

void AddTorque(const Json& line, const std::string& experiment, SeriesViews& views) {
  const std::vector<double> t_s = NumbersOf(line.at("t_s"));
  const std::vector<std::size_t> picked = Thinned(t_s.size(), kMostTorquePoints);
  const Json& rows = line.at("rows");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::vector<double> measured = NumbersOf(line["measured"][i]);
    const std::vector<double> residual = NumbersOf(line.at("residual")[i]);
    const auto row = rows[i].get<std::string>();
    SeriesView* view = views.Find({experiment, line["channel"], row, line["estimator"]}, line,
                                  fmt::format("{} [{}]", row, UnitOfRow(line, row)));
    if (!view) return;
    for (const std::size_t k : picked) {
      view->range.Add(measured[k]);
      view->range.Add(residual[k]);
      view->range.Add(measured[k] - residual[k]);
    }
    Json drawn = {{"t", Picked(t_s, picked)},
                  {"m", Picked(measured, picked)},
                  {"r", Picked(residual, picked)}};
    if (line.contains("segment")) drawn["g"] = line["segment"];
    view->rows.push_back(std::move(drawn));
  }
}

void CheckTorques(const Json& line) {
  for (const char* name : {"measured", "residual"}) {
    CheckSize(name, line.at(name).size(), line.at("rows").size());
    for (const Json& row : line[name]) {
      CheckSize(fmt::format("a row of {}", name).c_str(), row.size(), line.at("t_s").size());
    }
  }
}

/// The lines that are drawn first, and all estimators that have lines; one line more than can be
/// drawn, which tells that some are left out.
std::map<TorqueRank, std::vector<Json>> FirstLines(const RunFolder& folder,
                                                   const SeriesViews& views,
                                                   std::set<std::string>& estimators) {
  const TorqueOrder order(folder.manifest());
  std::map<TorqueRank, std::vector<Json>> lines;
  ForEachLine(folder.directory() / "series" / "residuals.jsonl", [&](const Json& line) {
    if (!line.contains("measured")) return;
    views.CellOf(line);
    CheckTorques(line);
    estimators.insert(line.at("estimator").get<std::string>());
    lines[order.RankOf(line)].push_back(line);
    if (lines.size() > kMostTorqueViews + 1) lines.erase(std::prev(lines.end()));
  });
  return lines;
}

Json TorqueSpec(const RunManifest& manifest) {
  Json spec = LineSpec(manifest, 1.3,
                       {{"time [s]", "t"},
                        {"measured", "measured"},
                        {"predicted", "predicted"},
                        {"residual", "residual"}});
  spec["encoding"]["color"] = EstimatorColour({"measured", "predicted", "residual"}, true);
  spec["transform"] = Json::array(
      {{{"flatten", {"t", "m", "r"}}, {"as", {"t", "measured", "residual"}}},
       Calculate("isValid(datum.measured) && isValid(datum.residual) ? datum.measured - "
                 "datum.residual : null",
                 "predicted"),
       {{"fold", {"measured", "predicted", "residual"}}, {"as", {"e", "y"}}}});
  return spec;
}

/// Removes estimators after the first one of which not all views can be drawn, and all behind them.
void DropParts(std::map<TorqueRank, std::vector<Json>>& lines) {
  std::set<std::vector<std::string>> views;
  const auto begin_of = [&](auto line) {
    const std::size_t place = std::get<0>(line->first);
    return lines.lower_bound(TorqueRank{place, 0, 0, 0, ""});
  };
  for (auto line = lines.begin(); line != lines.end(); ++line) {
    for (const Json& each : line->second) {
      for (const Json& row : each.at("rows")) {
        views.insert({each.at("experiment"), each.at("channel"), row, each.at("estimator"),
                      each.at("cell").dump(), each.at("trial").dump()});
      }
    }
    if (views.size() <= kMostTorqueViews) continue;
    const auto begin = begin_of(line);
    if (begin != lines.begin()) lines.erase(begin, lines.end());
    return;
  }
}

}  // namespace

std::vector<Chart> MakeTorqueChart(const RunFolder& folder) {
  SeriesViews views(folder.manifest(), kMostTorqueViews);
  std::set<std::string> found;
  std::map<TorqueRank, std::vector<Json>> first = FirstLines(folder, views, found);
  DropParts(first);
  bool segments = false;
  std::vector<std::string> drawn;
  for (const auto& [rank, lines] : first) {
    for (const Json& line : lines) {
      AddTorque(line, ExperimentLabel(folder.manifest(), line.at("experiment")), views);
      segments = segments || line.contains("segment");
      const auto estimator = line.at("estimator").get<std::string>();
      if (found.erase(estimator) > 0) drawn.push_back(estimator);
    }
  }
  Chart chart;
  chart.name = "torque";
  chart.title = "Measured and predicted torque";
  chart.choices = {"experiment", "channel", "row", "estimator"};
  chart.notes = {
      "predicted: by the estimate, from the measured motion; residual: measured less predicted; "
      "every few samples one is drawn"};
  if (!found.empty()) {
    chart.notes.push_back(fmt::format("drawn: {}; of {} series/residuals.jsonl has the residuals",
                                      fmt::join(drawn, ", "), fmt::join(found, ", ")));
  }
  chart.spec = TorqueSpec(folder.manifest());
  if (segments) chart.spec["encoding"]["detail"] = {{"field", "g"}, {"type", "nominal"}};
  std::vector<Chart> charts;
  std::move(views).AppendTo(charts, std::move(chart));
  return charts;
}

}  // namespace idbench
