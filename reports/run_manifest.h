#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "reports/shard.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// A metric that the records of a run may hold.
struct RunMetric {
  /// `quantity`, `quantity@experiment`, `quantity@experiment@t=5` or `quantity@window`.
  std::string name;
  /// SI, "1" for a pure number; "SI" where each component has its own.
  std::string unit;
  /// Labels of joints, links or unknowns; empty: one number alone.
  std::vector<std::string> components;

  void SetLabel(const std::string& label) { name = label; }
  bool operator==(const RunMetric&) const = default;
};
FieldTable Visit(RunMetric& metric);

/// True if less of it is better: the quantity (the name up to an @) speaks of an `error`, `rmse`,
/// `nrmse`, `sse` or `ratio_to_prior`, and is no `bound`. Of the others, a coverage or a count,
/// more or less is not by itself better.
bool IsError(const RunMetric& metric);

/// A cell of the sweep: the value of each axis.
struct RunCell {
  std::int64_t index = 0;      ///< Its place in the list.
  Labelled<std::string> axes;  ///< In the order of the scenario; none if nothing is swept.
  std::vector<std::string> parameters = {};  ///< Names of what is estimated.
  std::vector<std::string> units = {};       ///< Theirs.

  /// "torque noise 0.1, duration 5", or "cell 0" without axes.
  std::string Label() const;
  /// The value of an axis, nullptr if there is no such axis.
  const std::string* Find(const std::string& axis) const;
};
FieldTable Visit(RunCell& cell);

/// What a run was, as far as a report has to know.
struct RunManifest {
  std::int64_t format = 1;
  Json scenario = Json::object();  ///< Expanded: all defaults spelled out.
  std::uint64_t seed = 0;
  std::int64_t trials = 0;  ///< Planned for each cell and estimator.
  std::vector<RunCell> cells;
  std::vector<std::string> estimators;   ///< Labels, in the order of their records.
  std::vector<std::string> unbiased;     ///< Those of them that declare to be.
  std::vector<RunMetric> metrics;        ///< Those that records may hold.
  Labelled<std::string> absent_metrics;  ///< Asked for, and why they cannot be had.
  std::vector<std::string> marks;        ///< What was given to the estimators; for captions.
  std::string commit;                    ///< Of idbench; "" if unknown.
  std::string fingerprint;               ///< Of the floating-point arithmetic.
  Json versions = Json::object();        ///< Of idbench and what it is built with: name, version.
  Json machine = Json::object();         ///< Where it ran: what, value.
  std::optional<Shard> shard;            ///< Of a part of a run; a mark says so too.

  std::string Name() const;   ///< The scenario's `name`, "" if it has none.
  std::string Title() const;  ///< The scenario's `title`, else its name.
};

/// Reads the file `manifest.json` of a run folder. Keys that a report has no use for are skipped.
/// @throws ConfigError if it cannot be read, is damaged, or is of another format.
RunManifest ReadManifest(const std::filesystem::path& file);

}  // namespace idbench
