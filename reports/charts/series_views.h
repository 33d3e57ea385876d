#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "reports/charts/chart.h"
#include "reports/run/run_manifest.h"
#include "scenarios/options/json.h"

/// What the charts over the time of single trials share: lines of a file become views.
namespace idbench {

/// Calls `take` with every line of a file; never, if the file is not there.
/// @throws ConfigError naming the line of what is not JSON, or of what `take` throws.
void ForEachLine(const std::filesystem::path& file, const std::function<void(const Json&)>& take);

/// Returns the numbers of a list; null, which stands for what is not finite, is NaN.
std::vector<double> NumbersOf(const Json& list);

/// @throws std::invalid_argument "x: got 3 entries, not 2" if the numbers differ.
void CheckSize(const char* what, std::size_t got, std::size_t wanted);

/// Returns up to `most` of `count` indices, evenly spaced, the last one among them.
std::vector<std::size_t> Thinned(std::size_t count, std::size_t most);

/// Returns the unit of a row of torques, which its line states where it is not N·m.
std::string UnitOfRow(const Json& line, const std::string& row);

/// Returns numbers of a series with few digits: a page holds many of them.
Json Picked(const std::vector<double>& series, const std::vector<std::size_t>& indices);

/// The smallest range that holds what it was given.
struct AxisRange {
  double lower = std::numeric_limits<double>::infinity();
  double upper = -std::numeric_limits<double>::infinity();

  bool empty() const { return lower > upper; }
  void Add(double value);
  /// With a margin; null if nothing was given, and Vega-Lite chooses.
  Json Domain() const;
};

/// One view while its lines are being read.
struct SeriesView {
  std::vector<std::string> labels;
  std::string title;
  AxisRange range = {};      ///< Of the values.
  AxisRange limit = {};      ///< Values beyond it are cut off; empty: none are.
  AxisRange time = {};       ///< Of time, or of what is in its place; empty: of what is drawn.
  std::string x_title = {};  ///< Of what is in time's place; empty: time.
  /// Values are not negative, and if they span a decade or more drawn on a logarithmic axis; those
  /// that are far below the largest one at its lower end.
  bool may_be_logarithmic = false;
  Json rows = Json::array();
  double left = 1;  ///< Least part of an estimator's first σ that data left; 1 without σ.
};

/// The views of a chart; no more than a page can take.
class SeriesViews {
 public:
  /// The manifest must outlive this.
  /// @param most  views that the page can take.
  explicit SeriesViews(const RunManifest& manifest, std::size_t most = kMostSeriesViews)
      : manifest_(manifest), most_(most) {}

  /// The cell of a line. @throws std::invalid_argument if the run has no such cell.
  const RunCell& CellOf(const Json& line) const;

  /// The view of a line's cell and trial with these labels before; nullptr if there are enough.
  /// Valid until the next call.
  SeriesView* Find(std::vector<std::string> labels, const Json& line, const std::string& title);

  /// True if some true value changes with time.
  bool truth_moves() const { return truth_moves_; }
  void SetTruthMoves() { truth_moves_ = true; }

  /// Adds the chart with these views, and choices of cell and trial; nothing if there are none.
  void AppendTo(std::vector<Chart>& charts, Chart chart) &&;

 private:
  /// Moves that view to the front of which data taught most, of the first cell and trial: what
  /// cannot be identified is a poor first picture.
  void ShowBestLearned();

  const RunManifest& manifest_;
  std::size_t most_;
  std::vector<SeriesView> views_;
  bool left_out_ = false;
  bool truth_moves_ = false;
};

// Parts of specifications.

/// Returns the transform that computes an expression.
Json Calculate(const char* expression, const char* as);

/// What the tooltip of a line tells of a point.
struct PointField {
  const char* title;
  const char* field;
  bool is_number = true;
};

/// Returns lines of lists t and y over time, with a point under the pointer and its tooltip.
Json LineSpec(const RunManifest& manifest, double stroke_width,
              const std::vector<PointField>& tooltip);

// Layers of such lines, of fields that the specification's transform makes of lists.

/// Returns the band of y ± 2σ where rows have σ, the field s.
Json SigmaBand();

/// Return the true value v, dashed and the same for all estimators: where the field w says that it
/// changes along the axis, and as one rule.
Json MovingTruth();
Json ConstantTruth();

}  // namespace idbench
