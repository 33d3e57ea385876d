#include "reports/tables/table_options.h"

#include <algorithm>
#include <utility>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr const char* kSource = "source";

void CheckContradictions(const TableOptions& options, std::vector<Issue>& issues) {
  if (!options.metric.empty() && !options.metrics.empty()) {
    issues.push_back({"/metrics", "contradicts /metric", {"give one of the two"}});
  }
  if (options.percent && options.scale != 1) {
    issues.push_back(
        {"/percent", "contradicts /scale", {"percent is a scale of 100: give one of the two"}});
  }
  if (options.cell && !options.where.empty()) {
    issues.push_back(
        {"/where", "contradicts /cell", {"a cell is chosen already: give one of the two"}});
  }
}

}  // namespace

TableSide::TableSide(std::string side) : kind(SideKind::kAxis), name(std::move(side)) {
  const auto* const known = std::ranges::find(kSideNames, name, &EnumName<SideKind>::name);
  if (known != kSideNames.end()) kind = known->value;
}

bool TableSide::ListsSameAs(const TableSide& other) const {
  return kind == other.kind && (kind != SideKind::kAxis || name == other.name);
}

void Binding<TableSide>::Read(const Json& json, const std::string& pointer, const FieldInfo& info,
                              TableSide& value, std::vector<Issue>& issues) {
  std::string name = value.name;
  Binding<std::string>::Read(json, pointer, info, name, issues);
  value = TableSide(std::move(name));
}

void Binding<TableSide>::Write(const TableSide& value, Json& json) {
  Binding<std::string>::Write(value.name, json);
}

void Binding<TableSide>::Schema(const FieldInfo& info, const TableSide& value, Json& schema) {
  Binding<std::string>::Schema(info, value.name, schema);
}

void Binding<PublishedValues>::Read(const Json& json, const std::string& pointer, const FieldInfo&,
                                    PublishedValues& value, std::vector<Issue>& issues) {
  if (!json.is_object()) {
    issues.push_back({pointer, "got " + Describe(json), {"accepted here: an object {…}"}});
    return;
  }
  value = {};
  if (!json.contains(kSource)) {
    issues.push_back({PointerTo(pointer, kSource),
                      "missing",
                      {"needed here: the source to cite beside the values"}});
  }
  for (const auto& [label, item] : json.items()) {
    if (label == kSource) {
      Binding<std::string>::Read(item, PointerTo(pointer, label), {}, value.source, issues);
    } else {
      value.columns.emplace_back(label, std::vector<std::optional<double>>());
      Binding<std::vector<std::optional<double>>>::Read(item, PointerTo(pointer, label), {},
                                                        value.columns.back().second, issues);
    }
  }
}

void Binding<PublishedValues>::Write(const PublishedValues& value, Json& json) {
  json = {{kSource, value.source}};
  for (const auto& [label, values] : value.columns) json[label] = WriteValue(values);
}

void Binding<PublishedValues>::Schema(const FieldInfo& info, const PublishedValues&, Json& schema) {
  Json source = {{"type", "string"}, {"description", "Source to cite beside the values"}};
  Json values = {{"type", "array"},
                 {"items", {{"type", Json::array({"number", "null"})}}},
                 {"description",
                  "Values of the column that the key labels, along the rows, in the unit that the "
                  "table prints; null where none was printed"}};
  schema = {{"type", "object"},
            {"description", info.doc},
            {"properties", {{kSource, source}}},
            {"required", Json::array({kSource})},
            {"additionalProperties", values}};
}

std::vector<std::string> TableOptions::RequestedMetrics() const {
  return metric.empty() ? metrics : std::vector<std::string>{metric};
}

FieldTable Visit(TableOptions& options) {
  static const std::string kSides =
      "joint, link or component (the components of the metric); estimator; metric; experiment, "
      "window or checkpoint (parts of a metric's name after its @); cell; or "
      "the name of a sweep axis";
  FieldTable table;
  table
      .Add("caption", options.caption, {.doc = "Heading of the table; empty: the scenario's title"})
      .Add("rows", options.rows, {.doc = "Content of the rows: " + kSides})
      .Add("columns", options.columns, {.doc = "Content of the columns: " + kSides})
      .Add("metric", options.metric,
           {.doc = "Metric to show: name, name@experiment or name@experiment@t=5; the beginning of "
                   "a name up to an @ selects all metrics that continue it; empty: "
                   "all metrics of the scenario, those of observers if they are on a side"})
      .Add("metrics", options.metrics, {.doc = "Several metrics, in place of metric"})
      .Add("statistic", options.statistic,
           {.doc = "Statistic over the trials: mean (with its 95 % interval), median, iqm "
                   "(interquartile mean), q05 and q95 (5 % and 95 % quantile), min, max, sd "
                   "(standard deviation), variance, rms (root mean square), failed (number of "
                   "trials without a value)"})
      .Add("change", options.change,
           {.doc = "Print how much each number differs from the one above it in place of itself, "
                   "along rows of an axis or of checkpoints; the first row has nothing above"})
      .Add("overall", options.overall,
           {.doc = "Print the value over all components beside those of the components"})
      .Add("estimators", options.estimators,
           {.doc = "Labels of the estimators to show, or of models of observers, in this order; "
                   "empty: all"})
      .Add("bound", options.bound,
           {.doc = "Name, without @, of a metric that is the same for all estimators, such as a "
                   "Cramér-Rao bound; its mean, in the experiment and at the checkpoint of each "
                   "metric shown, is shown as one more estimator; empty: none"})
      .Add("cell", options.cell,
           {.doc = "Index of the only cell to show, from 0; null: all cells", .lower = 0})
      .Add(
          "where", options.where,
          {.doc =
               "Values of axes; only cells that have all of them are shown: {\"axis\": \"value\"}"})
      .Add("scale", options.scale,
           {.doc = "Factor on all values of the run", .lower = 0, .lower_open = true})
      .Add("percent", options.percent, {.doc = "Print pure numbers in %"})
      .Add("digits", options.digits,
           {.doc = "Significant digits of the largest value of a column", .lower = 1, .upper = 17})
      .Add("published", options.published,
           {.doc = "Published values, printed in columns of their own beside ours: the source, and "
                   "by the label of a column a list of values along the rows; null: none"});
  table.Check([&options](std::vector<Issue>& issues) { CheckContradictions(options, issues); });
  return table;
}

}  // namespace idbench
