#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "reports/files/number_format.h"
#include "reports/gate/compare.h"
#include "reports/tables/render.h"
#include "reports/tables/table.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

std::string ChangeText(const ComparedPair& pair, bool interval_scale) {
  if (!pair.HasChange()) return kEmptyEntry;
  const double factor = interval_scale ? 1 : 100;
  std::string text = fmt::format("{:+.3g}{}", factor * pair.change, interval_scale ? "" : " %");
  if (pair.interval) {
    text += fmt::format(" [{:+.3g}, {:+.3g}]", factor * pair.interval->lower,
                        factor * pair.interval->upper);
  }
  return text;
}

std::string PrintSide(const ComparedPair& pair, bool is_b, double alpha,
                      const NumberFormat& format) {
  const std::optional<double>& average = (is_b ? pair.b : pair.a).average;
  std::string text = average ? format.Print(*average) : kEmptyEntry;
  if (pair.no_winner) return text;
  if (pair.b_is_better == is_b) return "**" + text + "**";
  return pair.distinguishable(alpha) ? text : text + " ≈";
}

Json SideToJson(const ComparedSide& side) {
  Json json = {{"label", side.label}, {"trials", side.trials}, {"failed", side.failed}};
  if (side.average) json["average"] = *side.average;
  return json;
}

}  // namespace

std::string RenderComparison(const Comparison& comparison) {
  Table table;
  const std::string unit = comparison.unit == "1" ? "" : fmt::format(" [{}]", comparison.unit);
  const Pairing pairing = comparison.pairing;
  const bool others = pairing == Pairing::kSeeds || pairing == Pairing::kNone;
  table.caption =
      fmt::format("{}{}, {} is better{}", comparison.metric, unit, ToString(comparison.better),
                  others ? ", of trials that are not the same" : "");
  table.row_header = "cell";
  table.columns = {{"estimator", {}},     {comparison.a, {}}, {comparison.b, {}},
                   {"change [95 %]", {}}, {"p", {}},          {"p (Holm)", {}},
                   {"P(B better)", {}},   {"failed", {}}};
  std::vector<double> averages;
  for (const ComparedPair& pair : comparison.pairs) {
    for (const ComparedSide* side : {&pair.a, &pair.b}) {
      if (side->average) averages.push_back(*side->average);
    }
  }
  const NumberFormat format = ChooseFormat(averages, 4);
  for (const ComparedPair& pair : comparison.pairs) {
    if (pair.identical) continue;
    table.row_labels.push_back(pair.cell.Label());
    std::string failed = fmt::format("{}/{}", pair.a.failed, pair.b.failed);
    if (ArePaired(pairing) && pair.HasP() && pair.a.failed != pair.b.failed)
      failed += fmt::format(", p {:.2g}", pair.failure_p);
    const std::vector<std::string> texts = {
        pair.Estimators(),
        PrintSide(pair, false, comparison.alpha, format),
        PrintSide(pair, true, comparison.alpha, format),
        ChangeText(pair, comparison.interval_scale),
        pair.HasP() ? fmt::format("{:.2g}", pair.p) : kEmptyEntry,
        pair.HasP() ? fmt::format("{:.2g}", pair.adjusted_p) : kEmptyEntry,
        pair.probability_of_improvement ? fmt::format("{:.2f}", *pair.probability_of_improvement)
                                        : kEmptyEntry,
        failed};
    for (std::size_t i = 0; i < texts.size(); ++i) {
      table.columns[i].entries.push_back({texts[i], {}, {}});
    }
  }
  table.notes = comparison.notes;
  if (table.row_labels.empty()) table.columns.clear();
  return RenderMarkdown(table);
}

Json ToJson(const Comparison& comparison) {
  Json pairs = Json::array();
  for (const ComparedPair& pair : comparison.pairs) {
    Json json = {{"cell", pair.cell.index},     {"axes", WriteValue(pair.cell.axes)},
                 {"a", SideToJson(pair.a)},     {"b", SideToJson(pair.b)},
                 {"identical", pair.identical}, {"units", pair.units}};
    if (pair.HasChange()) json["change"] = pair.change;
    if (pair.cut()) json["left_out"] = {{"a", pair.left_out.first}, {"b", pair.left_out.second}};
    if (pair.HasChange() && pair.interval)
      json["interval"] = {pair.interval->lower, pair.interval->upper};
    if (pair.HasP()) {
      json["p"] = pair.p;
      json["adjusted_p"] = pair.adjusted_p;
    }
    for (const auto& [metric, change] : pair.disagreeing) {
      Json& other = json["disagreeing"].emplace_back(Json{{"metric", metric}});
      if (change) other["change"] = *change;
    }
    if (pair.no_winner && !pair.identical) json["no_winner"] = ToString(*pair.no_winner);
    if (pair.tested) json["least_p"] = pair.least_p;
    if (ArePaired(comparison.pairing) && pair.HasP()) json["failure_p"] = pair.failure_p;
    if (pair.probability_of_improvement) {
      json["probability_of_improvement"] = *pair.probability_of_improvement;
    }
    pairs.push_back(std::move(json));
  }
  return {{"format", 1},
          {"metric", comparison.metric},
          {"unit", comparison.unit},
          {"alpha", comparison.alpha},
          {"better", ToString(comparison.better)},
          {"a", comparison.a},
          {"b", comparison.b},
          {"paired", ArePaired(comparison.pairing)},
          {"pairing", ToString(comparison.pairing)},
          {"relative", !comparison.interval_scale},
          {"pairs", std::move(pairs)},
          {"notes", comparison.notes}};
}

}  // namespace idbench
