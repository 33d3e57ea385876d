#include "reports/run/run_record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr double kNotFinite = std::numeric_limits<double>::quiet_NaN();

/// Takes one record apart; `issues` name places by JSON pointer.
class RecordParser {
 public:
  RecordParser(const RunManifest& manifest, std::vector<Issue>& issues)
      : manifest_(manifest), issues_(issues) {}

  RunRecord Parse(const Json& json) {
    RunRecord record;
    if (!json.is_object()) {
      Refuse("", json, "an object {…}");
      return record;
    }
    record.cell = Index(json, "cell", manifest_.cells.size());
    record.trial = Index(json, "trial", static_cast<std::size_t>(manifest_.trials));
    record.estimator = Estimator(json);
    record.rollout = Text(json, "rollout", true);
    record.motion = Text(json, "motion", false);
    record.outcome = Text(json, "outcome", true);
    record.reason = Text(json, "reason", false);
    const Json* notes = Member(json, "", "notes", false);
    if (notes && !notes->is_object()) {
      Refuse("/notes", *notes, "an object {…}");
    } else if (notes) {
      for (const auto& [about, note] : notes->items()) {
        if (note.is_string()) {
          record.notes[about] = note.get<std::string>();
        } else {
          Refuse(PointerTo("/notes", about), note, "a text in quotes");
        }
      }
    }
    const Json* metrics = Member(json, "", "metrics", true);
    if (metrics && !metrics->is_object()) {
      Refuse("/metrics", *metrics, "an object {…}");
    } else if (metrics) {
      for (const auto& [name, value] : metrics->items()) {
        record.metrics.push_back(Metric(name, value, SubjectOf(json)));
      }
    }
    return record;
  }

 private:
  void Refuse(const std::string& pointer, const Json& got, const std::string& accepted) {
    issues_.push_back({pointer,
                       fmt::format("got {}", Describe(got)),
                       {fmt::format("accepted here: {}", accepted)}});
  }

  const Json* Member(const Json& json, const std::string& pointer, std::string_view key,
                     bool required) {
    const auto member = json.find(key);
    if (member != json.end()) return &*member;
    if (required) issues_.push_back({PointerTo(pointer, key), "missing", {}});
    return nullptr;
  }

  std::size_t Index(const Json& json, std::string_view key, std::size_t size) {
    const Json* index = Member(json, "", key, true);
    if (!index) return 0;
    if (index->is_number_unsigned() && index->get<std::uint64_t>() < size) {
      return index->get<std::size_t>();
    }
    Refuse(PointerTo("", key), *index,
           fmt::format("an integer below {}, as the manifest says", size));
    return 0;
  }

  std::string Text(const Json& json, std::string_view key, bool required) {
    const Json* text = Member(json, "", key, required);
    if (!text) return "";
    if (text->is_string()) return text->get<std::string>();
    Refuse(PointerTo("", key), *text, "a text in quotes");
    return "";
  }

  /// Index of a name among those accepted; of one that is not, an issue and nothing.
  std::optional<std::size_t> IndexIn(std::span<const std::string> accepted, const std::string& name,
                                     const char* pointer) {
    const auto found = std::ranges::find(accepted, name);
    if (found != accepted.end()) return static_cast<std::size_t>(found - accepted.begin());
    issues_.push_back({pointer, fmt::format("got \"{}\"", name),
                       AcceptedNames(name, {accepted.begin(), accepted.end()})});
    return std::nullopt;
  }

  static MetricSubject SubjectOf(const Json& json) {
    if (json.contains("experiment")) return MetricSubject::kMotion;
    return json.contains("observer") ? MetricSubject::kObserver : MetricSubject::kEstimator;
  }

  std::size_t Motion(const Json& json) {
    const std::string experiment = Text(json, "experiment", true);
    const std::vector<std::string> motions = MotionsOf(manifest_.metrics);
    const std::size_t first = manifest_.estimators.size() - motions.size();
    return first + IndexIn(motions, experiment, "/experiment").value_or(0);
  }

  std::size_t Estimator(const Json& json) {
    if (json.contains("experiment")) return Motion(json);
    const std::size_t issues_before = issues_.size();
    const std::string label = Text(json, "estimator", true);
    const std::string observer = Text(json, "observer", false);
    if (issues_.size() != issues_before) return 0;
    const std::size_t estimators = manifest_.EstimatorCount();
    if (!json.contains("observer")) {
      return IndexIn(std::span(manifest_.estimators).first(estimators), label, "/estimator")
          .value_or(0);
    }
    std::vector<std::string> observers;
    for (const RunObserver& each : manifest_.observers) observers.push_back(each.label);
    const auto which = IndexIn(observers, observer, "/observer");
    if (!which) return 0;
    std::size_t first = estimators;
    for (std::size_t k = 0; k < *which; ++k) first += manifest_.observers[k].models.size();
    return first + IndexIn(manifest_.observers[*which].models, label, "/estimator").value_or(0);
  }

  RecordedMetric Metric(const std::string& name, const Json& json, MetricSubject subject) {
    const std::string pointer = PointerTo("/metrics", name);
    RecordedMetric metric;
    metric.name = name;
    const auto info = std::ranges::find(manifest_.metrics, name, &RunMetric::name);
    if (info == manifest_.metrics.end()) {
      issues_.push_back({pointer, "is not a metric of the manifest", {}});
    } else if (info->subject() != subject) {
      const char* const article = subject == MetricSubject::kMotion ? "a" : "an";
      issues_.push_back({pointer,
                         fmt::format("is a metric of {}s", ToString(info->subject())),
                         {fmt::format("the record is of {} {}", article, ToString(subject))}});
    } else if (!json.is_object()) {
      Refuse(pointer, json, "an object {…}");
    } else if (json.contains("failed") || json.contains("absent")) {
      metric.absent = !json.contains("failed");
      const char* const key = metric.absent ? "absent" : "failed";
      if (json[key].is_string()) {
        metric.failure = json[key].get<std::string>();
      } else {
        Refuse(PointerTo(pointer, key), json[key], "a text in quotes");
      }
    } else {
      ReadValues(json, pointer, *info, metric);
    }
    return metric;
  }

  void ReadValues(const Json& json, const std::string& pointer, const RunMetric& info,
                  RecordedMetric& metric) {
    const Json* components = Member(json, pointer, "components", !info.components.empty());
    const Json* value = Member(json, pointer, "value", info.components.empty());
    if (value) {
      metric.value = Number(*value, PointerTo(pointer, "value"));
      if (!std::isfinite(*metric.value)) metric.failure = "not finite";
    }
    if (components) ReadComponents(*components, PointerTo(pointer, "components"), info, metric);
    const Json* count = Member(json, pointer, "count", false);
    if (!count) return;
    if (count->is_number_unsigned()) {
      metric.count = count->get<std::size_t>();
    } else {
      Refuse(PointerTo(pointer, "count"), *count, "an integer, at least 0");
    }
  }

  void ReadComponents(const Json& json, const std::string& pointer, const RunMetric& info,
                      RecordedMetric& metric) {
    if (!json.is_array() || json.size() != info.components.size()) {
      const std::string accepted = info.components.empty()
                                       ? "nothing, the manifest names no components"
                                       : fmt::format("a list of {}: {}", info.components.size(),
                                                     fmt::join(info.components, ", "));
      return Refuse(pointer, json, accepted);
    }
    for (std::size_t i = 0; i < json.size(); ++i) {
      metric.components.push_back(Number(json[i], PointerTo(pointer, std::to_string(i))));
    }
  }

  /// JSON has no NaN: what was not finite is null.
  double Number(const Json& json, const std::string& pointer) {
    if (json.is_number()) return json.get<double>();
    if (!json.is_null()) Refuse(pointer, json, "a number, or null for one that is not finite");
    return kNotFinite;
  }

  const RunManifest& manifest_;
  std::vector<Issue>& issues_;
};

/// Parses one line; a syntax error says its place in the file.
Json ParseJsonOfLine(std::string_view text, const std::string& source, std::size_t line) {
  try {
    return ParseJson(text, source);
  } catch (const ConfigError& error) {
    static constexpr std::string_view kOneLine = "line 1, ";
    std::vector<Issue> issues = error.issues();
    for (Issue& issue : issues) {
      if (issue.where.starts_with(kOneLine)) issue.where.erase(0, kOneLine.size());
      issue.where = fmt::format("line {}, {}", line, issue.where);
    }
    throw ConfigError(source, std::move(issues));
  }
}

}  // namespace

std::string RunRecord::Unit() const {
  if (!motion.empty()) return motion;
  return rollout == kNoRollout ? fmt::format("{} {}", kNoRollout, trial) : rollout;
}

const RecordedMetric* RunRecord::Find(std::string_view metric) const {
  const auto found = std::ranges::find(metrics, metric, &RecordedMetric::name);
  return found == metrics.end() ? nullptr : &*found;
}

RunRecord ParseRecord(std::string_view text, const RunManifest& manifest, const std::string& source,
                      std::size_t line) {
  const Json json = ParseJsonOfLine(text, source, line);
  std::vector<Issue> issues;
  RunRecord record = RecordParser(manifest, issues).Parse(json);
  if (issues.empty()) return record;
  for (Issue& issue : issues) {
    issue.where = fmt::format("line {}{}{}", line, issue.where.empty() ? "" : ", ", issue.where);
  }
  throw ConfigError(source, std::move(issues));
}

}  // namespace idbench
