#include "bench/motion/motion_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <utility>
#include <vector>

#include "bench/run/motion.h"
#include "reports/charts/chart.h"
#include "reports/page/html_motion.h"
#include "reports/page/html_page.h"
#include "reports/page/html_text.h"
#include "scenarios/motion/excitation/exciting_motion.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr Eigen::Index kMostPoints = 400;
constexpr int kCurveHeight = 260;

/// One of a motion's quantities: its samples, and the limits of each joint.
struct Quantity {
  const char* name;
  const char* unit;
  const char* prismatic_unit;
  const Eigen::MatrixXd& values;
  Eigen::VectorXd lower, upper;
};

std::vector<Eigen::Index> DrawnInstants(Eigen::Index count) {
  const Eigen::Index step = std::max<Eigen::Index>(1, (count + kMostPoints - 1) / kMostPoints);
  std::vector<Eigen::Index> drawn;
  for (Eigen::Index k = 0; k < count; k += step) drawn.push_back(k);
  if (drawn.back() != count - 1) drawn.push_back(count - 1);
  return drawn;
}

Json LimitRule(double limit) {
  return {{"data", {{"values", Json::array({{{"limit", limit}}})}}},
          {"mark", {{"type", "rule"}, {"strokeDash", {4, 3}}}},
          {"encoding", {{"y", {{"field", "limit"}, {"type", "quantitative"}}}}}};
}

ChartView CurveOf(const MotionReview& review, const Quantity& quantity, int joint, bool prismatic,
                  const std::vector<Eigen::Index>& drawn) {
  Json rows = Json::array();
  for (const Eigen::Index k : drawn) {
    rows.push_back({{"t", Rounded(review.time_s[k])}, {"y", Rounded(quantity.values(k, joint))}});
  }
  const Json y = {{"field", "y"},
                  {"type", "quantitative"},
                  {"title", fmt::format("{} [{}]", quantity.name,
                                        prismatic ? quantity.prismatic_unit : quantity.unit)}};
  const Json x = {{"field", "t"},
                  {"type", "quantitative"},
                  {"title", "time [s]"},
                  {"scale", {{"nice", false}}}};
  Json layers = Json::array({{{"data", InlineData(std::move(rows))},
                              {"mark", {{"type", "line"}, {"strokeWidth", 1.5}}},
                              {"encoding", {{"x", x}, {"y", y}}}}});
  for (const double limit : {quantity.lower[joint], quantity.upper[joint]}) {
    if (std::isfinite(limit)) layers.push_back(LimitRule(limit));
  }
  return {{quantity.name, review.used[static_cast<std::size_t>(joint)].joint},
          {{"layer", std::move(layers)}}};
}

Chart JointCurves(const Robot& robot, const MotionReview& review) {
  const JointLimits& limits = robot.model.limits();
  const std::vector<Quantity> quantities = {
      {"position", "rad", "m", review.q, limits.lower, limits.upper},
      {"velocity", "rad/s", "m/s", review.qd, -limits.velocity, limits.velocity},
      {"acceleration", "rad/s²", "m/s²", review.qdd, -limits.acceleration, limits.acceleration},
      {"torque", "N·m", "N", review.tau, -limits.effort, limits.effort}};
  Chart chart;
  chart.name = "joints";
  chart.title = "Joints";
  chart.choices = {"quantity", "joint"};
  chart.notes = {"dashed: limits of the robot; torques are those of its nominal parameters"};
  chart.spec = {{"height", kCurveHeight}};
  const std::vector<Eigen::Index> drawn = DrawnInstants(review.time_s.size());
  for (const Quantity& quantity : quantities) {
    for (int j = 0; j < robot.model.dofs() && chart.views.size() < kMostViews; ++j) {
      const bool prismatic = robot.model.link(j).type == JointType::kPrismatic;
      chart.views.push_back(CurveOf(review, quantity, j, prismatic, drawn));
    }
  }
  return chart;
}

std::string CriteriaHtml(const MotionReview& review) {
  HtmlTable table{{{"criterion", "text"}, {"value"}}, {}, {}};
  for (const auto& [name, value] : review.criteria) {
    table.rows.push_back({{HtmlEscape(name), std::nullopt}, NumberCell(value, "{:.5g}")});
  }
  table.rows.push_back({{HtmlEscape(fmt::format("jd + {} ln T", review.columns)), std::nullopt},
                        NumberCell(review.without_time, "{:.5g}")});
  std::vector<std::string> notes = review.design;
  if (std::string bound = BoundSentence(review); !bound.empty()) {
    notes.insert(notes.begin(), std::move(bound));
  }
  return table.Render() +
         HtmlNotes(
             {fmt::format("of the rows of {} on samples at {:g} Hz, {} columns",
                          fmt::join(review.equations, ", "), kCriterionRateHz, review.columns)}) +
         HtmlNotes(notes);
}

std::string LimitsHtml(const MotionReview& review) {
  HtmlTable table{
      {{"joint", "text"}, {"position"}, {"velocity"}, {"acceleration"}, {"torque"}}, {}, {}};
  const auto cell = [](const std::string& amount, const std::optional<double>& part) {
    HtmlCell shown = NumberCell(part ? std::optional(100.0 * *part) : std::nullopt, "{:.1f} %");
    shown.html = fmt::format("{}, {}", HtmlEscape(amount), part ? shown.html : "no limit");
    return shown;
  };
  for (const UsedLimits& used : review.used) {
    table.rows.push_back({{HtmlEscape(used.joint), std::nullopt},
                          cell(used.position_text, used.position),
                          cell(used.velocity_text, used.velocity),
                          cell(used.acceleration_text, used.acceleration),
                          cell(used.torque_text, used.torque)});
  }
  std::vector<std::string> notes = {
      fmt::format("greatest at {:g} Hz, and its part of the limit", kLimitRateHz)};
  for (std::string& sentence : LimitSentences(review)) notes.push_back(std::move(sentence));
  if (review.nearest) {
    notes.push_back(fmt::format("nearest spheres: {}, {:.3f} m apart", review.nearest->what,
                                review.nearest->distance_m));
  }
  if (review.lowest) {
    notes.push_back(fmt::format("lowest sphere: {}, its centre {:.3f} m above the base's origin",
                                review.lowest->what, review.lowest->distance_m));
  }
  return table.Render() + HtmlNotes(notes);
}

/// The stick figure's instants.
Json FigureOf(const Robot& robot, const MotionReview& review) {
  const std::vector<Eigen::Index> drawn = DrawnInstants(review.time_s.size());
  Json line = MotionOf(robot, review.q(drawn, Eigen::all));
  line["t_s"] = Json::array();
  for (const Eigen::Index k : drawn) line["t_s"].push_back(Rounded(review.time_s[k]));
  return line;
}

}  // namespace

std::string MotionPage(const Robot& robot, const MotionReview& review, const std::string& title,
                       const std::optional<std::string>& chart_script) {
  HtmlPage page;
  page.title = title;
  page.byline_html = HtmlEscape(fmt::format(
      "{}, {:.6g} s", robot.title.empty() ? robot.name : robot.title, review.duration_s));
  page.sections = {{"criteria", "How well it shows the parameters", CriteriaHtml(review)},
                   {"limits", "What it asks of the robot", LimitsHtml(review)},
                   {"motion", "Motion", HtmlDesiredMotion(FigureOf(robot, review))},
                   {"charts", "Curves", "", {JointCurves(robot, review)}}};
  return page.Render(chart_script);
}

}  // namespace idbench
