#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/statistics/statistic.h"
#include "scenarios/options/fields.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

/// Numbers printed elsewhere, shown beside ours and never mixed with them.
///
///     {"source": "Joukov et al. 2015, Table I", "prior_only": [2.9287, null, 1.27]}
struct PublishedValues {
  std::string source;  ///< Citation in the notes of the table.
  /// By the label of our column beside which they appear: values along the rows, in the table's
  /// printed unit; absent if none was printed.
  Labelled<std::vector<std::optional<double>>> columns;

  bool operator==(const PublishedValues&) const = default;
};

template <>
struct Binding<PublishedValues> {
  static void Read(const Json& json, const std::string& pointer, const FieldInfo& info,
                   PublishedValues& value, std::vector<Issue>& issues);
  static void Write(const PublishedValues& value, Json& json);
  static void Schema(const FieldInfo& info, const PublishedValues& value, Json& schema);
};

/// One entry of a scenario's `tables`.
///
/// Rows and columns are each one of: `joint`, `link` or `component` (the components of the metric),
/// `estimator`, `metric`, `experiment` or `window`, and `checkpoint` (the parts of a metric's name
/// after its @), `cell`, or the name of an axis of the sweep. What differs beyond that makes
/// separate tables.
struct TableOptions {
  std::string caption = "";
  std::string rows = "metric";
  std::string columns = "estimator";
  std::string metric = "";  ///< Name, or its beginning up to an @; "" if `metrics` is given.
  std::vector<std::string> metrics = {};  ///< As `metric`; if both are empty: all.
  Statistic statistic = Statistic::kMean;
  bool overall = true;
  std::vector<std::string> estimators = {};  ///< Empty: all.
  std::string bound = "";                    ///< A metric that appears as one more estimator.
  std::optional<std::int64_t> cell = {};
  Labelled<std::string> where = {};  ///< Value of an axis.
  double scale = 1;
  bool percent = false;
  std::int64_t digits = 3;
  std::optional<PublishedValues> published = {};

  /// Returns the requested metrics, whichever key states them.
  std::vector<std::string> RequestedMetrics() const;

  bool operator==(const TableOptions&) const = default;
};
FieldTable Visit(TableOptions& options);

}  // namespace idbench
