#include "reports/table_options.h"

#include "reports/statistics.h"
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

void Binding<PublishedValues>::Read(const Json& json, const std::string& pointer, const FieldInfo&,
                                    PublishedValues& value, std::vector<Issue>& issues) {
  if (!json.is_object()) {
    issues.push_back({pointer, "got " + Describe(json), {"accepted here: an object {…}"}});
    return;
  }
  value = {};
  if (!json.contains(kSource)) {
    issues.push_back({PointerTo(pointer, kSource), "missing", {"what is cited beside the values"}});
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
  Json source = {{"type", "string"}, {"description", "What is cited beside the values."}};
  Json values = {{"type", "array"},
                 {"items", {{"type", Json::array({"number", "null"})}}},
                 {"description",
                  "The key is the label of a column; values along the rows, null where none was "
                  "printed, in the unit that the table prints."}};
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
      "joint, link or component (the components of the metric); estimator; metric; experiment or "
      "checkpoint (parts of a metric's name behind its @); cell; or the name of a sweep axis";
  FieldTable table;
  table
      .Add("caption", options.caption,
           {.doc = "Heading of the table. Default: the scenario's title."})
      .Add("rows", options.rows, {.doc = "What the rows are: " + kSides + "."})
      .Add("columns", options.columns, {.doc = "What the columns are: " + kSides + "."})
      .Add("metric", options.metric,
           {.doc = "The metric: name, name@experiment or name@experiment@t=5; a beginning up to an "
                   "@ stands for all that go on from it. Default: all metrics of the scenario."})
      .Add("metrics", options.metrics, {.doc = "Several metrics, in place of metric."})
      .Add(
          "statistic", options.statistic,
          {.doc =
               "What is printed of the trials: mean (with its 95 % interval), median, iqm "
               "(interquartile mean), q05 and q95 (5 % and 95 % quantile), min, max, sd, variance, "
               "rms (root mean square), failed (how many trials have no value).",
           .choices = StatisticNames()})
      .Add("overall", options.overall,
           {.doc = "Beside the components of a metric, print its value over all of them."})
      .Add("estimators", options.estimators,
           {.doc = "Labels of the estimators to show, in this order. Default: all."})
      .Add("bound", options.bound,
           {.doc = "A metric that is the same for all estimators, such as a Cramér-Rao bound: the "
                   "mean of it, of the experiment and checkpoint of each metric shown, stands as "
                   "one more estimator. Its name without @."})
      .Add("cell", options.cell,
           {.doc = "Index of the only cell to show, from 0. Default: all.", .lower = 0})
      .Add("where", options.where,
           {.doc = "Shows the cells alone whose axes have these values: {\"axis\": \"value\"}."})
      .Add("scale", options.scale,
           {.doc = "Factor on all values of ours.", .lower = 0, .lower_open = true})
      .Add("percent", options.percent, {.doc = "Prints pure numbers in %."})
      .Add("digits", options.digits,
           {.doc = "Significant digits of the largest value of a column.", .lower = 1, .upper = 17})
      .Add("published", options.published,
           {.doc = "Published values, printed in columns of their own beside ours: source, and by "
                   "the label of a column a list of values along the rows."});
  table.Check([&options](std::vector<Issue>& issues) { CheckContradictions(options, issues); });
  return table;
}

}  // namespace idbench
