#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/run/run_manifest.h"
#include "scenarios/options/json.h"

namespace idbench {

/// Limits on the views of a chart of statistics and of time series: a page must load quickly.
inline constexpr std::size_t kMostViews = 200;
inline constexpr std::size_t kMostSeriesViews = 64;

/// One picture of a chart: its labels, and how the chart's specification differs in it.
struct ChartView {
  std::vector<std::string> labels;  ///< One per choice of the chart.
  Json patch;                       ///< Merge patch (RFC 7396) of the chart's specification.
};

/// Picture drawn by Vega-Lite (version 6), or several similar ones from which the reader chooses.
struct Chart {
  std::string name;   ///< Part of file names: "error_over_duration_s".
  std::string title;  ///< Heading.
  /// Names of the choices: "metric", "cell". A choice whose labels are all equal is not offered.
  std::vector<std::string> choices;
  Json spec = Json::object();      ///< Without data; as wide as its container.
  std::vector<ChartView> views;    ///< At least one.
  std::vector<std::string> notes;  ///< What a reader must know to read it.
};

/// Returns the labels of a choice, each once, in the order of the views.
std::vector<std::string> LabelsOf(const Chart& chart, std::size_t choice);

/// Returns the whole specification of a view.
Json Specification(const Chart& chart, const ChartView& view);

/// Returns `spec` with the given width [px], for a picture without a container.
Json WithWidth(Json spec, int width_px);

/// Source of a chart's colours.
enum class ChartColours {
  kPage,   ///< CSS variables --chart-…: a page switches its theme without redrawing.
  kPaper,  ///< Colours of the light theme.
};

/// Returns the `config` of all specifications: fonts, lines, and a palette for estimators that is
/// safe for colour blindness; each estimator also has its own symbol. Colours on white and on dark
/// have a contrast of at least 3:1 (WCAG 2.1, 1.4.11).
Json ChartConfig(ChartColours colours);

/// Returns the CSS variables of ChartColours::kPage: "--chart-0: light-dark(#0068a5, #56aef0); …".
std::string ChartVariables();

/// Returns the folder of `vega.js`, the JavaScript of Vega-Lite, and of `vl_convert/`, its
/// renderer: the one that the environment variable IDBENCH_CHARTS names, else the one beside the
/// installed program, else that of the build.
std::filesystem::path ChartFolder();

/// Returns the JavaScript of Vega-Lite for a page; nothing if it is missing.
std::optional<std::string> ChartScript();

/// Returns a part of a file name: "torque noise [N·m]" → "torque_noise_n_m"; `fallback` if
/// nothing is left.
std::string FileStem(std::string_view text, std::string_view fallback);

// Parts of specifications. Fields of their data have short names: e estimator, x, y, …

/// Returns a number with `digits` significant digits, null if it is not finite.
Json Rounded(double value, int digits = 5);

/// Returns `{"values": rows}`.
Json InlineData(Json rows);

/// Returns a quantitative channel of a field. Its scale covers `values`, all that is drawn, at
/// least one; it is logarithmic if they are positive and span a decade or more.
Json QuantityChannel(const char* field, const Json& title, std::span<const double> values);

/// Returns the colour by estimator, the same in all charts of a run.
/// @param legend  whether to show a legend.
Json EstimatorColour(const std::vector<std::string>& estimators, bool legend);

/// Returns the labels that a view of `drawn` ones can have, in the order of their colours: of a run
/// without observers all estimators. Otherwise estimators, or where observations are drawn, for
/// each of their observers the models of the run, so that a model of one observer has the colour of
/// its estimator.
std::vector<std::string> LabelsBeside(const RunManifest& manifest,
                                      const std::vector<std::string>& drawn);

/// Returns how EstimatorColour() differs in a view that draws these labels, as a merge patch: its
/// colours are those of LabelsBeside(), its legend is of the drawn ones. Empty for a run without
/// observers.
Json ColoursOf(const RunManifest& manifest, const std::vector<std::string>& drawn, bool legend);

/// Returns the estimators of rows, each once, in their order.
std::vector<std::string> EstimatorsOf(const Json& rows);

/// Returns the opacity of a mark, which fades when the legend selects other estimators.
/// @param opacity  of a mark that is not faded.
Json Fading(double opacity);

/// Returns the parameter behind Fading(): a click on the legend selects estimators. Put it in
/// one layer only.
Json LegendSelection();

/// Return one line of a tooltip; numbers have four digits.
Json TooltipNumber(const char* field, const std::string& title);
Json TooltipText(const char* field, const std::string& title);

/// Returns the title of an axis: "joint_torque_rmse_nm [N·m]" and, on a second line, "of
/// validation". A pure number has no unit.
Json QuantityTitle(const RunMetric& metric);

/// Returns the number that the whole text states, such as the value of a swept axis.
std::optional<double> NumberOf(const std::string& text);

/// Returns the metrics among which a reader may choose: those of the end, not of checkpoints, and
/// no bounds. Those in the scenario's tables, or the headline metrics if it declares none, come
/// first, then those of which less is better.
std::vector<RunMetric> MetricsToChoose(const RunManifest& manifest);

}  // namespace idbench
