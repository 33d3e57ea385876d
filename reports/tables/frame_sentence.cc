#include "reports/tables/frame_sentence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "reports/run/metric_name.h"

namespace idbench {

std::string FrameSentence(const std::vector<TableItem>& items, const RunManifest& manifest) {
  std::vector<std::string> metrics;
  bool ranks = false;
  Labelled<std::vector<std::string>> methods;  // by reason
  for (const TableItem& item : items) {
    if (item.metric.framed) {
      AddOnce(metrics, MetricName(item.metric.name).quantity);
      ranks |= item.metric.better.has_value();
    }
    if (item.is_bound) continue;
    const auto named = [](const auto& name) {
      return [&name](const auto& entry) { return entry.first == name; };
    };
    const bool observed = item.estimator->subject == MetricSubject::kObserver;
    const std::string& method = observed ? item.estimator->model : item.estimator->label;
    const auto framed = std::ranges::find_if(manifest.framed, named(method));
    if (framed == manifest.framed.end()) continue;
    auto alike = std::ranges::find_if(methods, named(framed->second));
    if (alike == methods.end()) alike = methods.insert(alike, {framed->second, {}});
    AddOnce(alike->second, method);
  }
  std::vector<std::string> all;
  if (!metrics.empty()) {
    all.push_back(fmt::format("{}{}", fmt::join(metrics, ", "),
                              ranks ? " (others may rank otherwise: none is the best)" : ""));
  }
  for (const auto& [reason, labels] : methods) {
    all.push_back(fmt::format("{} ({})", fmt::join(labels, ", "), reason));
  }
  if (all.empty()) return "";
  return fmt::format("dependent on the choice of body frames: {}", fmt::join(all, "; "));
}

}  // namespace idbench
