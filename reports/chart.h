#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/run_manifest.h"
#include "scenarios/options/json.h"

namespace idbench {

/// At most as many views of a chart of statistics, or of time series, are made: a page must load in
/// a moment.
inline constexpr std::size_t kMostViews = 200;
inline constexpr std::size_t kMostSeriesViews = 64;

/// One picture of a chart: which one, and what of the chart's specification is another in it.
struct ChartView {
  std::vector<std::string> labels;  ///< One for each of the chart's choices.
  Json patch;                       ///< A merge patch (RFC 7396) of the chart's specification.
};

/// A picture drawn by Vega-Lite (version 6), or several alike of which the reader chooses one.
struct Chart {
  std::string name;                  ///< Of files: "error_over_duration_s".
  std::string title;                 ///< A heading.
  std::vector<std::string> choices;  ///< What there is to choose: "metric", "cell". One whose
                                     ///< labels are all alike is none.
  Json spec = Json::object();        ///< Without data; as wide as its container.
  std::vector<ChartView> views;      ///< At least one.
  std::vector<std::string> notes;    ///< What a reader has to know to read it.
};

/// The labels of a choice, each once, in the order of the views.
std::vector<std::string> LabelsOf(const Chart& chart, std::size_t choice);

/// The whole specification of a view.
Json Specification(const Chart& chart, const ChartView& view);

/// `spec` with the given width [px], for a picture that has no container.
Json WithWidth(Json spec, int width_px);

enum class ChartColours {
  kPage,   ///< CSS variables --chart-…: a page switches its theme without drawing again.
  kPaper,  ///< Those of the light theme.
};

/// The `config` of all specifications: fonts, lines, and a palette for estimators that the colour
/// blind can tell apart, each also with a symbol of its own. Colours on white and on dark have a
/// contrast of at least 3:1 (WCAG 2.1, 1.4.11).
Json ChartConfig(ChartColours colours);

/// The CSS variables of ChartColours::kPage: "--chart-0: light-dark(#0068a5, #56aef0); …".
std::string ChartVariables();

/// Where `vega.js`, the JavaScript of Vega-Lite, and `vl_convert/`, its renderer, are: the folder
/// that the environment variable IDBENCH_CHARTS names, else the one beside the installed program,
/// else that of the build.
std::filesystem::path ChartFolder();

/// The JavaScript of Vega-Lite for a page; nothing where it is missing.
std::optional<std::string> ChartScript();

/// A part of a file name: "torque noise [N·m]" → "torque_noise_n_m"; `fallback` if nothing is left.
std::string FileStem(std::string_view text, std::string_view fallback);

// What specifications are made of. Fields of their data have short names: e estimator, x, y, …

/// A number with `digits` significant digits, null if it is not finite.
Json Rounded(double value, int digits = 5);

/// `{"values": rows}`
Json InlineData(Json rows);

/// A quantitative channel of a field. Its scale covers `values`, all that is drawn, at least one;
/// it is logarithmic where they are positive and span a decade or more.
Json QuantityChannel(const char* field, const Json& title, std::span<const double> values);

/// Colour by estimator, the same in all charts of a run. @param legend  whether to explain it.
Json EstimatorColour(const std::vector<std::string>& estimators, bool legend);

/// A mark that fades where the legend selects other estimators. @param opacity  where it does not.
Json Fading(double opacity);

/// The parameter behind Fading(): a click on the legend selects estimators. Stands in one layer.
Json LegendSelection();

/// One line of a tooltip; numbers with four digits.
Json TooltipNumber(const char* field, const std::string& title);
Json TooltipText(const char* field, const std::string& title);

/// The title of an axis: "joint_torque_rmse_nm [N·m]" and, in a second line, "of validation". A
/// pure number has no unit.
Json QuantityTitle(const RunMetric& metric);

/// The number that all of a text is: the value of a swept axis.
std::optional<double> NumberOf(const std::string& text);

/// Metrics over which a reader may choose: those of the end, not of checkpoints, and no bounds.
/// Those that the scenario's tables ask for come first, then those of which less is better.
std::vector<RunMetric> MetricsToChoose(const RunManifest& manifest);

/// The metric that is a lower bound, and the one that it bounds.
inline constexpr const char* kBaseErrorBound = "base_parameter_error_bound";
inline constexpr const char* kBounded = "base_parameter_relative_error";

}  // namespace idbench
