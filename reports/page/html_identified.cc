#include "reports/page/html_identified.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "reports/page/html_text.h"
#include "reports/run/identifiable.h"
#include "reports/run/identified_values.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr std::size_t kMostTables = 24;

std::string WithUnit(const Json& item) {
  std::string html = HtmlEscape(item.at("name").get<std::string>());
  const std::string unit = item.value("unit", "1");
  if (unit != "1") html += fmt::format(" <span class=\"unit\">[{}]</span>", HtmlEscape(unit));
  return html;
}

/// @param prior   empty: without a column of it.
/// @param hardly  names of parameters that are dimmed.
std::string ParameterTable(const Json& parameters, const PriorValues& prior,
                           const std::set<std::string>& hardly) {
  HtmlTable table{{{"parameter", "text"},
                   {"value"},
                   {"± (95 %)"},
                   {"σ"},
                   {"σ in %"},
                   {"true"},
                   {"error over σ"}},
                  {},
                  {}};
  if (!prior.empty()) table.columns.insert(table.columns.begin() + 1, {"before"});
  for (const Json& item : parameters) {
    const auto value = NumberAt(item, "value");
    const auto sigma = NumberAt(item, "sigma");
    const auto truth = NumberAt(item, "true");
    std::optional<double> deviation;
    if (value && truth && sigma && *sigma > 0) deviation = (*value - *truth) / *sigma;
    table.rows.push_back({{WithUnit(item), {}, "text"},
                          NumberCell(value),
                          NumberCell(HalfWidth95(item), "{:.2g}"),
                          NumberCell(sigma),
                          NumberCell(NumberAt(item, "percent_sigma"), "{:.3g}"),
                          NumberCell(truth),
                          NumberCell(deviation, "{:+.2f}")});
    auto& cells = table.rows.back();
    if (!prior.empty()) cells.insert(cells.begin() + 1, NumberCell(PriorOf(item, prior)));
    if (!hardly.contains(item.at("name").get<std::string>())) continue;
    for (HtmlCell& cell : cells) cell.css_class += cell.css_class.empty() ? "hardly" : " hardly";
  }
  return table.Render();
}

/// "alone", "in a combination", "no".
HtmlCell IdentifiableCell(const std::string& identifiable) {
  const auto kind = FromName<Identifiable>(identifiable);
  const char* colour = kind == Identifiable::kAlone ? "good"
                       : kind == Identifiable::kNo  ? "bad"
                                                    : "warn";
  const std::string words =
      kind == Identifiable::kCombination ? "in a combination" : HtmlEscape(identifiable);
  return {words, {}, std::string("text verdict ") + colour};
}

std::string StandardTable(const Json& standard) {
  HtmlTable table{
      {{"standard parameter", "text"}, {"identifiable", "text"}, {"in", "text"}, {"why", "text"}},
      {},
      {}};
  for (const Json& item : standard) {
    std::vector<std::string> where;
    for (const char* key : {"expressions", "in"}) {
      const Json names = item.value(key, Json::array());
      if (!where.empty()) continue;
      for (const Json& name : names) where.push_back(HtmlEscape(name.get<std::string>()));
    }
    table.rows.push_back({{WithUnit(item), {}, "text"},
                          IdentifiableCell(item.at("identifiable").get<std::string>()),
                          {fmt::format("{}", fmt::join(where, "<br>")), {}, "text wrap"},
                          {HtmlEscape(item.value("why", "")), {}, "text wrap"}});
  }
  return table.Render();
}

/// How to read the tables of an estimator's parameters.
std::vector<std::string> NotesOn(const Json& estimator, const std::set<std::string>& hardly) {
  Json items = estimator.at("parameters");
  if (estimator.contains("covariance")) {
    for (const Json& item : estimator["covariance"].at("basis")) items.push_back(item);
  }
  std::vector<std::string> notes;
  if (std::ranges::any_of(items, [](const Json& item) { return HalfWidth95(item).has_value(); })) {
    notes.emplace_back(
        "± (95 %): 1.96σ, as the estimator states σ: of noise, not of errors in the shape of "
        "friction, "
        "an encoder's steps or the model; –: it states none");
  }
  if (std::ranges::any_of(items, [&](const Json& item) {
        return hardly.contains(item.at("name").get<std::string>());
      })) {
    notes.emplace_back("dimmed: the motion hardly tells it, or no motion does; why is said below");
  }
  return notes;
}

/// Label of the estimator whose model `idbench identify` wrote; "" of other runs.
std::string ExportedLabel(const RunFolder& folder) {
  const std::filesystem::path file = folder.directory() / "verdict.json";
  std::error_code missing;
  if (!std::filesystem::exists(file, missing)) return "";
  return ReadJsonFile(file.string()).value("exported", "");
}

}  // namespace

std::string HtmlIdentified(const RunFolder& folder) {
  const std::filesystem::path file = folder.directory() / "identified.json";
  if (!std::filesystem::exists(file)) return "";
  const Json identified = ReadJsonFile(file);
  const RunManifest& manifest = folder.manifest();
  std::string text;
  std::size_t tables = 0;
  bool opened = false;
  try {
    const std::string exported = ExportedLabel(folder);
    for (const Json& cell : identified.at("cells")) {
      const auto index = cell.at("cell").get<std::size_t>();
      const PriorValues prior = PriorValuesOf(cell, manifest);
      for (const Json& estimator : cell.at("estimators")) {
        if (++tables > kMostTables) continue;
        std::string title = HtmlEscape(estimator.at("label").get<std::string>());
        if (manifest.cells.size() > 1 && index < manifest.cells.size()) {
          title += " · " + HtmlEscape(manifest.cells[index].Label());
        }
        title += fmt::format(" · trial {}", cell.at("trial").get<std::size_t>());
        const bool opens =
            !opened && (exported.empty() ? !IsPriorOnly(manifest, estimator.at("label"))
                                         : estimator.at("label") == exported);
        opened = opened || opens;
        text +=
            fmt::format("<details{}><summary><b>{}</b></summary>\n", opens ? " open" : "", title);
        const PriorValues before =
            IsPriorOnly(manifest, estimator.at("label")) ? PriorValues() : prior;
        const std::set<std::string> hardly = HardlyTold(estimator);
        text += ParameterTable(estimator.at("parameters"), before, hardly);
        if (estimator.contains("covariance")) {
          text += "<h4>What the equations show of them</h4>\n" +
                  ParameterTable(estimator["covariance"].at("basis"), before, hardly);
        }
        text += HtmlNotes(NotesOn(estimator, hardly));
        if (estimator.contains("standard") && !estimator["standard"].empty()) {
          text += "<h4>Which standard parameters the data tell</h4>\n" +
                  StandardTable(estimator["standard"]);
        }
        text += "</details>\n";
      }
    }
  } catch (const Json::exception& error) {
    throw ConfigError(file.string(), "", error.what());
  }
  if (tables > kMostTables) {
    text += HtmlNotes(
        {fmt::format("{} of {} are shown; all are in identified.json", kMostTables, tables)});
  }
  return text;
}

}  // namespace idbench
