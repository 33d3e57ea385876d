#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/statistics/statistic.h"
#include "scenarios/options/enum_names.h"
#include "scenarios/options/fields.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

/// What one side of a table lists.
enum class SideKind {
  kComponent,
  kEstimator,
  kObserver,
  kMetric,
  kExperiment,
  kCheckpoint,
  kCell,
  kAxis,
};

/// Names of sides other than sweep axes; several of one kind mean the same.
inline constexpr auto kSideNames =
    std::to_array<EnumName<SideKind>>({{SideKind::kComponent, "joint"},
                                       {SideKind::kComponent, "link"},
                                       {SideKind::kComponent, "component"},
                                       {SideKind::kEstimator, "estimator"},
                                       {SideKind::kObserver, "observer"},
                                       {SideKind::kMetric, "metric"},
                                       {SideKind::kExperiment, "experiment"},
                                       {SideKind::kExperiment, "window"},
                                       {SideKind::kCheckpoint, "checkpoint"},
                                       {SideKind::kCell, "cell"}});

/// One side of a table.
struct TableSide {
  /// The side of that name; a name that is none of kSideNames is an axis of the sweep.
  explicit TableSide(std::string name = "metric");

  /// Returns true if both list the same, by whichever name.
  bool ListsSameAs(const TableSide& other) const;

  SideKind kind;
  std::string name;  ///< As it was given.

  bool operator==(const TableSide&) const = default;
};

/// Its name.
template <>
struct Binding<TableSide> {
  static void Read(const Json& json, const std::string& pointer, const FieldInfo& info,
                   TableSide& value, std::vector<Issue>& issues);
  static void Write(const TableSide& value, Json& json);
  static void Schema(const FieldInfo& info, const TableSide& value, Json& schema);
};

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
/// `estimator` (of a metric of observers: their models), `observer`, `metric`, `experiment` or
/// `window`, and `checkpoint` (the parts of a metric's name after its @), `cell`, or the name of an
/// axis of the sweep. What differs beyond that makes separate tables; observers do so unless they
/// are on a side.
struct TableOptions {
  std::string caption = "";
  TableSide rows = TableSide("metric");
  TableSide columns = TableSide("estimator");
  std::string metric = "";  ///< Name, or its beginning up to an @; "" if `metrics` is given.
  std::vector<std::string> metrics = {};  ///< As `metric`; both empty: see SelectMetrics().
  Statistic statistic = Statistic::kMean;
  bool change = false;
  bool overall = true;
  std::vector<std::string> estimators = {};  ///< Or models of observers. Empty: all.
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
