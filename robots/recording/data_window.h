#pragma once

#include <optional>
#include <span>
#include <vector>

#include "robots/recording/dataset.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Part of a recording, by fractions of its duration or by its own time.
struct DataWindowOptions {
  std::optional<double> from_fraction = std::nullopt, until_fraction = std::nullopt;
  std::optional<double> from_s = std::nullopt, until_s = std::nullopt;

  bool operator==(const DataWindowOptions&) const = default;
};
FieldTable Visit(DataWindowOptions& options);

/// Time from `from_s` up to `until_s`; the latter belongs to it only at the recording's end.
struct TimeSpan {
  double from_s = 0.0;
  double until_s = 0.0;
  bool to_the_end = false;

  bool Holds(double t) const {
    return t >= from_s && (t < until_s || (to_the_end && t <= until_s));
  }
  bool Overlaps(const TimeSpan& other) const {
    return from_s < other.until_s && other.from_s < until_s;
  }
};

/// Returns the span of a window: of all of the dataset from its earliest sample to its latest one
/// if nothing is said.
TimeSpan SpanOf(const Dataset& dataset, const DataWindowOptions& window);
/// The same of the segments of one recording: a gap between them counts as time.
TimeSpan SpanOf(std::span<const Dataset> segments, const DataWindowOptions& window);

/// Returns the samples in a span, with the times that they have.
/// @throws ConfigError (source: the dataset's label; where: "/window") if a channel has fewer than
///         two there.
Dataset CutOut(const Dataset& dataset, const TimeSpan& span);
/// The same of the segments of one recording: what each has in the span. Segments that have fewer
/// than two samples of some channel there are left out, unless that leaves none.
std::vector<Dataset> CutOut(std::span<const Dataset> segments, const TimeSpan& span);

}  // namespace idbench
