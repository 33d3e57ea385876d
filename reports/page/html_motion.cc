#include "reports/page/html_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "reports/charts/series_views.h"
#include "reports/page/html_text.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr std::size_t kMostMotions = 15;
constexpr std::size_t kMostInstants = 1500;        ///< Of all motions.
constexpr std::size_t kMostInstantsOfOne = 300;    ///< Of one.
constexpr std::size_t kMostMotionNumbers = 60000;  ///< Of all motions: half a megabyte.

/// A list of that many numbers, none of which is absent.
void CheckNumbers(const char* what, const Json& list, std::size_t count) {
  CheckSize(what, list.size(), count);
  for (const Json& number : list) static_cast<void>(number.get<double>());
}

/// @throws std::invalid_argument or Json::exception for a line that cannot be drawn.
void CheckMotion(const Json& line) {
  const std::size_t frames = line.at("frames").size(), joints = line.at("joints").size();
  const std::size_t instants = line.at("t_s").size();
  CheckNumbers("t_s", line["t_s"], instants);
  CheckNumbers("gravity", line.at("gravity"), 3);
  CheckSize("parents", line.at("parents").size(), frames);
  for (std::size_t i = 0; i < frames; ++i) {
    const int parent = line["parents"][i].get<int>();
    if (parent >= -1 && parent < static_cast<int>(i)) continue;
    throw std::invalid_argument(
        fmt::format("parents: got {} of frame {}, not -1 or a frame before it", parent, i));
  }
  CheckSize("q", line.at("q").size(), instants);
  for (const Json& q : line["q"]) CheckNumbers("a list of q", q, joints);
  CheckSize("points", line.at("points").size(), instants);
  for (const Json& points : line["points"]) {
    CheckSize("a list of points", points.size(), frames);
    for (const Json& point : points) CheckNumbers("a point", point, 3);
  }
}

/// Motions as motion.js takes them.
class Motions {
 public:
  /// @param labels  experiment, cell and trial.
  void Add(std::vector<std::string> labels, const Json& line) {
    CheckMotion(line);
    if (line["t_s"].empty()) return;
    if (++count_ > kMostMotions) return;
    Json view = {{"labels", std::move(labels)}};
    for (const char* key : {"gravity", "frames", "parents", "joints"}) view[key] = line[key];
    view["units"] = line.value("units", Json::object());
    for (const char* key : kLists) view[key] = line[key];
    Thin(kMostInstantsOfOne, view);
    views_.push_back(std::move(view));
  }

  bool empty() const { return views_.empty(); }
  std::size_t count() const { return count_; }

  /// The data of the page.
  Json Data() && {
    const std::size_t shown = views_.size();
    for (Json& view : views_) {
      const std::size_t numbers = 1 + view["joints"].size() + 3 * view["frames"].size();
      Thin(std::min(kMostInstants / shown, kMostMotionNumbers / (shown * numbers)), view);
    }
    return {{"choices", {"experiment", "cell", "trial"}}, {"views", std::move(views_)}};
  }

 private:
  static constexpr const char* kLists[] = {"t_s", "q", "points"};

  static void Thin(std::size_t most, Json& view) {
    const std::vector<std::size_t> picked =
        Thinned(view["t_s"].size(), std::max<std::size_t>(most, 2));
    for (const char* key : kLists) {
      Json list = Json::array();
      for (const std::size_t k : picked) list.push_back(std::move(view[key][k]));
      view[key] = std::move(list);
    }
  }

  Json views_ = Json::array();
  std::size_t count_ = 0;
};

constexpr const char* kOfData =
    "<p class=\"lead\">The robot as its model describes it, at the joint positions of the data: "
    "measured, after the declared processing. A motion that the arm did not make tells of a wrong "
    "sign, a wrong zero, or columns in another order.</p>\n";

constexpr const char* kDesired =
    "<p class=\"lead\">The robot as its model describes it, along the desired motion.</p>\n";

constexpr const char* kMotionMarkup =
    "<noscript><p class=\"lead\">The figure needs JavaScript.</p></noscript>\n"
    "<figure class=\"motion\" id=\"motion-figure\" hidden>\n<div class=\"choices\"></div>\n"
    "<div class=\"scene\">\n<svg viewBox=\"0 0 640 420\" tabindex=\"0\" role=\"img\" "
    "aria-label=\"The robot as a stick figure. Arrow keys turn the view.\"></svg>\n"
    "<div class=\"transport\"><button type=\"button\" class=\"play\">Play</button>"
    "<input type=\"range\" aria-label=\"time\"><output></output>"
    "<label>speed <select></select></label>"
    "<button type=\"button\" class=\"reset\">Reset view</button><span "
    "class=\"scale\"></span></div>\n"
    "<dl class=\"facts\"></dl>\n</div>\n";

std::vector<std::string> MotionNotes(std::size_t count) {
  std::vector<std::string> notes = {
      "drag, or use the arrow keys, to turn the view; circles: joints, squares: sliding joints, "
      "thin: from the base to the first joints; coloured line: the way of an end; grid: the "
      "horizontal plane through the base, with the base's axes and the figure's shadow",
      "the page has a few instants of a motion and interpolates between them"};
  if (count > kMostMotions) {
    notes.push_back(
        fmt::format("the first {} of {} motions are shown; all are in series/motions.jsonl",
                    kMostMotions, count));
  }
  return notes;
}

/// @param lead  what its positions are.
std::string Figure(const char* lead, Motions motions) {
  if (motions.empty()) return "";
  const std::vector<std::string> notes = MotionNotes(motions.count());
  return lead + std::string(kMotionMarkup) + HtmlNotes(notes) +
         "</figure>\n<script type=\"application/json\" id=\"motion-data\">" +
         ScriptJson(std::move(motions).Data()) + "</script>\n";
}

}  // namespace

std::string HtmlMotion(const RunFolder& folder) {
  Motions motions;
  const SeriesViews views(folder.manifest());
  ForEachLine(folder.directory() / "series" / "motions.jsonl", [&](const Json& line) {
    const std::string cell = views.CellOf(line).Label();
    const auto trial = line.at("trial").get<std::size_t>();
    auto experiment = line.at("experiment").get<std::string>();
    if (line.contains("segment")) {
      experiment += fmt::format(", segment {}", line["segment"].get<std::size_t>());
    }
    motions.Add({experiment, cell, fmt::format("{}", trial)}, line);
  });
  return Figure(kOfData, std::move(motions));
}

std::string HtmlDesiredMotion(const Json& motion) {
  Motions motions;
  motions.Add({"desired", "", ""}, motion);
  return Figure(kDesired, std::move(motions));
}

}  // namespace idbench
