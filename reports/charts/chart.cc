#include "reports/charts/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

#include "reports/run/metric_name.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// A colour on a light page and on a dark one.
struct Colour {
  const char* name;
  const char* light;
  const char* dark;
};

// After Okabe & Ito (2008), darkened or lightened until each stands out from its background.
constexpr std::array kEstimatorColours = {
    Colour{"0", "#0068a5", "#56aef0"}, Colour{"1", "#cc4e00", "#f58a4b"},
    Colour{"2", "#00805a", "#33c99a"}, Colour{"3", "#b3478c", "#e591c3"},
    Colour{"4", "#8f6a00", "#e3ba3d"}, Colour{"5", "#2d96d2", "#a5dcff"},
    Colour{"6", "#5b48a2", "#ab9cf0"}, Colour{"7", "#646a73", "#b4bac4"}};

constexpr Colour kInk{"ink", "#1c2229", "#e4e8ed"};
constexpr Colour kMuted{"muted", "#59626d", "#a0a9b4"};
constexpr Colour kGrid{"grid", "#e4e7eb", "#2e353e"};

constexpr std::array kPointSymbols = {"circle", "square",        "triangle-up",   "diamond",
                                      "cross",  "triangle-down", "triangle-right"};

constexpr double kDecade = 10.0;
constexpr int kScalePadding = 10;  ///< Beside the outermost values [px].

std::string Css(const Colour& colour, ChartColours colours) {
  if (colours == ChartColours::kPaper) return colour.light;
  return fmt::format("var(--chart-{}, {})", colour.name, colour.light);
}

/// The metrics that a scenario's tables ask for.
std::vector<std::string> RequestsOfTables(const Json& scenario) {
  std::vector<std::string> requests;
  for (const Json& table : scenario.value("tables", Json::array())) {
    if (table.contains("metric") && table["metric"].is_string()) {
      requests.push_back(table["metric"].get<std::string>());
    }
    for (const Json& metric : table.value("metrics", Json::array())) {
      if (metric.is_string()) requests.push_back(metric.get<std::string>());
    }
  }
  std::erase(requests, "");
  return requests;
}

}  // namespace

std::vector<std::string> LabelsOf(const Chart& chart, std::size_t choice) {
  std::vector<std::string> labels;
  for (const ChartView& view : chart.views) {
    const std::string& label = view.labels[choice];
    if (std::ranges::find(labels, label) == labels.end()) labels.push_back(label);
  }
  return labels;
}

Json Specification(const Chart& chart, const ChartView& view) {
  Json spec = chart.spec;
  spec.merge_patch(view.patch);
  return spec;
}

Json WithWidth(Json spec, int width_px) {
  spec["width"] = width_px;
  return spec;
}

Json ChartConfig(ChartColours colours) {
  const std::string ink = Css(kInk, colours);
  const std::string muted = Css(kMuted, colours);
  const std::string grid = Css(kGrid, colours);
  Json palette = Json::array();
  for (const Colour& colour : kEstimatorColours) palette.push_back(Css(colour, colours));
  return {{"background", nullptr},
          {"font", "system-ui, 'Helvetica Neue', Arial, sans-serif"},
          {"view", {{"stroke", nullptr}}},
          {"range", {{"category", palette}, {"symbol", kPointSymbols}}},
          {"axis",
           {{"domainColor", muted},
            {"tickColor", muted},
            {"gridColor", grid},
            {"labelColor", ink},
            {"titleColor", ink},
            {"labelFontSize", 11},
            {"titleFontSize", 12},
            {"titleFontWeight", "normal"},
            {"titlePadding", 8},
            {"labelLimit", 220},
            {"titleLimit", 420},
            {"labelOverlap", "greedy"},
            {"labelSeparation", 4}}},
          {"legend",
           {{"orient", "bottom"},
            {"labelColor", ink},
            {"labelFontSize", 12},
            {"labelLimit", 260},
            {"symbolSize", 90},
            {"columns", 2}}},
          {"style", {{"reference", {{"color", ink}}}}}};
}

std::string ChartVariables() {
  std::string variables;
  const auto add = [&](const Colour& colour) {
    variables +=
        fmt::format("--chart-{}: light-dark({}, {}); ", colour.name, colour.light, colour.dark);
  };
  std::ranges::for_each(kEstimatorColours, add);
  for (const Colour& colour : {kInk, kMuted, kGrid}) add(colour);
  return variables;
}

std::filesystem::path ChartFolder() {
  if (const char* folder = std::getenv("IDBENCH_CHARTS")) return folder;
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  std::filesystem::path installed =
      program.parent_path().parent_path() / "share" / "idbench" / "charts";
  if (!error && std::filesystem::is_directory(installed)) return installed;
  return IDBENCH_CHART_FOLDER;
}

std::optional<std::string> ChartScript() {
  std::ifstream stream(ChartFolder() / "vega.js", std::ios::binary);
  if (!stream) return std::nullopt;
  std::ostringstream text;
  text << stream.rdbuf();
  return std::move(text).str();
}

std::string FileStem(std::string_view text, std::string_view fallback) {
  static constexpr std::size_t kLongest = 60;
  std::string stem;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte < 0x80 && (std::isalnum(byte) != 0 || c == '.' || c == '-');
    if (plain) {
      stem += static_cast<char>(std::tolower(byte));
    } else if (!stem.empty() && stem.back() != '_') {
      stem += '_';
    }
    if (stem.size() == kLongest) break;
  }
  while (!stem.empty() && (stem.back() == '_' || stem.back() == '.')) stem.pop_back();
  return stem.empty() ? std::string(fallback) : stem;
}

Json Rounded(double value, int digits) {
  if (!std::isfinite(value)) return nullptr;
  return std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
}

Json InlineData(Json rows) { return {{"values", std::move(rows)}}; }

Json QuantityChannel(const char* field, const Json& title, std::span<const double> values) {
  const auto [least, largest] = std::ranges::minmax(values);
  const bool logarithmic = least > 0 && largest >= kDecade * least;
  // Of equal values, or a single one, a range that shows them in the middle.
  const double margin = least < largest ? 0 : std::max(0.1 * std::abs(least), 1e-12);
  Json scale = {{"type", logarithmic ? "log" : "linear"},
                {"domain", {Rounded(least - margin), Rounded(largest + margin)}},
                {"nice", !logarithmic}};
  if (logarithmic) scale["padding"] = kScalePadding;
  return {{"field", field},
          {"type", "quantitative"},
          {"title", title},
          {"axis", {{"format", ".4~g"}}},
          {"scale", std::move(scale)}};
}

Json EstimatorColour(const std::vector<std::string>& estimators, bool legend) {
  Json colour = {{"field", "e"},
                 {"type", "nominal"},
                 {"scale", {{"domain", estimators}}},
                 {"legend", nullptr}};
  if (legend) colour["legend"] = {{"title", nullptr}, {"symbolOpacity", 1}};
  return colour;
}

std::vector<std::string> LabelsBeside(const RunManifest& manifest,
                                      const std::vector<std::string>& drawn) {
  if (!manifest.HasOthers()) return manifest.estimators;
  std::vector<std::string> models, observers;
  for (std::size_t e = 0; e < manifest.estimators.size(); ++e) {
    if (manifest.SubjectAt(e) == MetricSubject::kMotion) continue;
    const auto observation = manifest.ObservationAt(e);
    const std::string& model = observation ? observation->model : manifest.estimators[e];
    if (std::ranges::find(models, model) == models.end()) models.push_back(model);
    if (observation && std::ranges::find(drawn, manifest.estimators[e]) != drawn.end() &&
        std::ranges::find(observers, observation->observer) == observers.end()) {
      observers.push_back(observation->observer);
    }
  }
  std::vector<std::string> labels;
  for (const std::string& observer : observers) {
    for (const std::string& model : models) labels.push_back(ObservationLabel(observer, model));
  }
  if (!labels.empty()) return labels;
  const std::vector<std::string> motions = manifest.Labels(MetricSubject::kMotion);
  return std::ranges::find_first_of(drawn, motions) == drawn.end() ? models : motions;
}

Json ColoursOf(const RunManifest& manifest, const std::vector<std::string>& drawn, bool legend) {
  Json patch = Json::object();
  if (!manifest.HasOthers()) return patch;
  patch["scale"]["domain"] = LabelsBeside(manifest, drawn);
  if (legend) patch["legend"]["values"] = drawn;
  return patch;
}

std::vector<std::string> EstimatorsOf(const Json& rows) {
  std::vector<std::string> estimators;
  for (const Json& row : rows) {
    if (!row.contains("e")) continue;
    const auto& label = row["e"].get_ref<const std::string&>();
    if (std::ranges::find(estimators, label) == estimators.end()) estimators.push_back(label);
  }
  return estimators;
}

Json Fading(double opacity) {
  return {{"condition", {{"param", "shown"}, {"value", opacity}}}, {"value", 0.1 * opacity}};
}

Json LegendSelection() {
  return Json::array({{{"name", "shown"},
                       {"select", {{"type", "point"}, {"fields", Json::array({"e"})}}},
                       {"bind", "legend"}}});
}

Json TooltipNumber(const char* field, const std::string& title) {
  return {{"field", field}, {"type", "quantitative"}, {"title", title}, {"format", ".4~g"}};
}

Json TooltipText(const char* field, const std::string& title) {
  return {{"field", field}, {"type", "nominal"}, {"title", title}};
}

Json QuantityTitle(const RunMetric& metric) {
  const MetricName name(metric.name);
  const std::string unit = metric.unit == "1" ? "" : fmt::format(" [{}]", metric.unit);
  if (name.experiment.empty()) return name.quantity + unit;
  return Json::array({name.quantity + unit, "of " + name.experiment});
}

std::optional<double> NumberOf(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool all = !text.empty() && end == text.c_str() + text.size();
  return all && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::vector<RunMetric> MetricsToChoose(const RunManifest& manifest) {
  std::vector<RunMetric> metrics;
  std::ranges::copy_if(manifest.metrics, std::back_inserter(metrics), [](const RunMetric& metric) {
    const MetricName name(metric.name);
    return name.checkpoint.empty() && metric.bounds.empty();
  });
  const std::vector<std::string> requests = RequestsOfTables(*manifest.scenario);
  const auto rank = [&](const RunMetric& metric) {
    const bool wanted = std::ranges::any_of(
        requests, [&](const std::string& request) { return metric.IsRequestedBy(request); });
    return std::pair(!wanted && !(requests.empty() && metric.headline),
                     metric.better != Better::kLower);
  };
  std::ranges::stable_sort(metrics, {}, rank);
  return metrics;
}

}  // namespace idbench
