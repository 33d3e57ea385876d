#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/run/run_manifest.h"
#include "reports/tables/table_options.h"

namespace idbench {

/// Axis of the sweep and its values, as text.
struct RunAxis {
  std::string name;
  std::vector<std::string> values;
};

/// What a table may refer to.
struct TableVocabulary {
  std::vector<RunMetric> metrics;  ///< Full names, units, components.
  /// Requested but impossible; a name without @ stands for all its experiments.
  std::vector<std::string> absent_metrics;
  std::vector<RunAxis> axes;
  std::vector<std::string> estimators;  ///< See RunManifest::estimators.
  std::vector<RunObserver> observers = {};

  /// Returns the labels of `estimators` that a label stands for: itself, or what observers found
  /// with the model of that name. None if it is unknown.
  std::vector<std::string> LabelsOf(const std::string& label) const;
  /// Returns the labels of estimators alone, and these followed by the observers' other models.
  std::vector<std::string> EstimatorsAlone() const;
  std::vector<std::string> EstimatorsAndModels() const;
};
TableVocabulary VocabularyOf(const RunManifest& manifest);

/// Returns true if the side is none of a sweep, or one of these axes.
bool IsKnown(const TableSide& side, const std::vector<RunAxis>& axes);

/// Returns the metrics that a table requests, in its order, each once. If it requests none: all of
/// estimators; of observers if observers are on a side; else those of the first subject that has
/// some.
///
/// Leaves out those of checkpoints if neither a side nor the request mentions checkpoints, and
/// those of the end if a side does and there are checkpoints.
std::vector<RunMetric> SelectMetrics(const TableOptions& options,
                                     const std::vector<RunMetric>& metrics);

/// Returns a table over the checkpoints of a run, estimator by estimator, of the metrics that some
/// table requests; nothing if a table shows checkpoints already, or none of these has any. Without
/// it, a report would show their values at the end alone.
std::optional<TableOptions> AlongCheckpoints(const std::vector<TableOptions>& tables,
                                             const std::vector<RunMetric>& metrics);

/// Appends an item that the list does not hold yet.
template <class T>
void AddOnce(std::vector<T>& list, const T& item) {
  if (std::ranges::find(list, item) == list.end()) list.push_back(item);
}

/// Returns the labels of all components of these metrics, each once.
std::vector<std::string> ComponentLabels(const std::vector<RunMetric>& metrics);

}  // namespace idbench
