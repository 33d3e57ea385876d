#include "reports/page/html_gate.h"

#include <fmt/format.h>

#include "reports/page/html_text.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// The colour of a verdict: of a regression, of what could not be decided, of all others.
const char* ColourOfVerdict(const std::string& verdict) {
  if (verdict == "regression") return "bad";
  return verdict == "inconclusive" || verdict == "incomparable" ? "warn" : "good";
}

std::string StringOf(const Json& json, const char* key) {
  const auto member = json.find(key);
  return member == json.end() || !member->is_string() ? "" : member->get<std::string>();
}

HtmlCell EffectCell(const Json& member) {
  HtmlCell cell = NumberCell(NumberAt(member, "effect"), "{:+.3g}");
  const auto interval = member.find("interval");
  if (cell.value && interval != member.end() && interval->is_array() && interval->size() == 2 &&
      interval->at(0).is_number() && interval->at(1).is_number()) {
    cell.html += fmt::format(" <span class=\"interval\">[{:+.3g}, {:+.3g}]</span>",
                             interval->at(0).get<double>(), interval->at(1).get<double>());
  }
  return cell;
}

std::vector<HtmlCell> MemberRow(const Json& member, const RunManifest& manifest) {
  const auto index = member.at("cell").get<std::size_t>();
  const std::string cell =
      index < manifest.cells.size() ? manifest.cells[index].Label() : fmt::format("cell {}", index);
  const std::string verdict = StringOf(member, "verdict");
  return {
      {HtmlEscape(cell), {}, "text"},
      {HtmlEscape(StringOf(member, "estimator")), {}, "text"},
      {fmt::format("{} <span class=\"unit\">({})</span>", HtmlEscape(StringOf(member, "metric")),
                   HtmlEscape(StringOf(member, "kind"))),
       {},
       "text"},
      {HtmlEscape(verdict), {}, std::string("text verdict ") + ColourOfVerdict(verdict)},
      EffectCell(member),
      NumberCell(NumberAt(member, "p"), "{:.2g}"),
      NumberCell(NumberAt(member, "adjusted_p"), "{:.2g}"),
      {HtmlEscape(StringOf(member, "sentence")), {}, "text wrap"}};
}

}  // namespace

std::string HtmlGate(const RunFolder& folder) {
  const std::filesystem::path file = folder.directory() / "gate.json";
  if (!std::filesystem::exists(file)) return "";
  const Json gate = ReadJsonFile(file);
  try {
    const std::string verdict = gate.at("verdict").get<std::string>();
    std::string text = fmt::format(
        "<ul class=\"messages\"><li class=\"{}\"><strong>{}</strong>{}</li></ul>\n",
        ColourOfVerdict(verdict), HtmlEscape(verdict),
        StringOf(gate, "baseline").empty() ? std::string()
                                           : fmt::format(", compared with <code>{}</code>",
                                                         HtmlEscape(StringOf(gate, "baseline"))));
    std::vector<std::string> sentences;
    for (const Json& sentence : gate.value("sentences", Json::array())) {
      sentences.push_back(sentence.get<std::string>());
    }
    text += HtmlNotes(sentences);
    HtmlTable table;
    for (const char* column : {"cell", "estimator", "metric", "verdict"}) {
      table.columns.push_back({column, "text"});
    }
    table.columns.insert(table.columns.end(),
                         {{"effect"}, {"p"}, {"adjusted p"}, {"in words", "text"}});
    for (const Json& member : gate.value("members", Json::array())) {
      table.rows.push_back(MemberRow(member, folder.manifest()));
    }
    if (!table.rows.empty()) text += "<figure>" + table.Render() + "</figure>\n";
    return text;
  } catch (const Json::exception& error) {
    throw ConfigError(file.string(), "", error.what());
  }
}

}  // namespace idbench
