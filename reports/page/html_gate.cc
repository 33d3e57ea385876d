#include "reports/page/html_gate.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string_view>

#include "reports/gate/gate_report.h"
#include "reports/page/html_text.h"

namespace idbench {
namespace {

const char* ColourOf(GateVerdict verdict) {
  switch (verdict) {
    case GateVerdict::kRegression:
      return "bad";
    case GateVerdict::kInconclusive:
    case GateVerdict::kIncomparable:
      return "warn";
    case GateVerdict::kPass:
      break;
  }
  return "good";
}

const char* ColourOf(MemberVerdict verdict) {
  switch (verdict) {
    case MemberVerdict::kRegression:
      return "bad";
    case MemberVerdict::kInconclusive:
      return "warn";
    case MemberVerdict::kImproved:
    case MemberVerdict::kSame:
    case MemberVerdict::kIdentical:
      break;
  }
  return "good";
}

HtmlCell EffectCell(const GateMember& member) {
  const bool known = std::isfinite(member.effect);
  HtmlCell cell = NumberCell(known ? std::optional(member.effect) : std::nullopt, "{:+.3g}");
  if (known && member.interval) {
    cell.html += fmt::format(" <span class=\"interval\">[{:+.3g}, {:+.3g}]</span>",
                             member.interval->lower, member.interval->upper);
  }
  return cell;
}

HtmlCell ReserveCell(const GateMember& member) {
  if (!member.reserve) return NumberCell(std::nullopt, "{}");
  return {fmt::format("{:+.3g} <span class=\"interval\">p {:.2g}</span>", member.reserve->effect,
                      member.reserve->p),
          {},
          {}};
}

/// A name that may break behind each of its words.
std::string Breakable(std::string_view name) {
  std::string html;
  for (const char letter : HtmlEscape(name)) {
    if (letter == '@') html += "<wbr>";
    html += letter;
    if (letter == '_') html += "<wbr>";
  }
  return html;
}

std::vector<HtmlCell> MemberRow(const GateMember& member, const RunManifest& manifest) {
  const std::size_t index = member.cell.value_or(0);
  const std::string cell =
      index < manifest.cells.size() ? manifest.cells[index].Label() : fmt::format("cell {}", index);
  return {{HtmlEscape(cell), {}, "text name"},
          {HtmlEscape(member.estimator), {}, "text"},
          {fmt::format("{} <span class=\"unit\">({})</span>", Breakable(member.metric),
                       ToString(member.kind)),
           {},
           "text name"},
          {std::string(ToString(member.verdict)),
           {},
           std::string("text verdict ") + ColourOf(member.verdict)},
          EffectCell(member),
          NumberCell(member.adjusted_p ? member.adjusted_p : member.p, "{:.2g}"),
          ReserveCell(member),
          {HtmlEscape(member.sentence), {}, "text wrap"}};
}

}  // namespace

std::string HtmlGate(const RunFolder& folder) {
  const std::optional<GateReport> gate = ReadGate(folder.directory());
  if (!gate) return "";
  std::string text =
      fmt::format("<ul class=\"messages\"><li class=\"{}\"><strong>{}</strong>{}</li></ul>\n",
                  ColourOf(gate->verdict), ToString(gate->verdict),
                  gate->baseline.empty()
                      ? std::string()
                      : fmt::format(", compared with <code>{}</code>", HtmlEscape(gate->baseline)));
  text += HtmlNotes(SentencesOf(*gate));
  HtmlTable table;
  for (const char* column : {"cell", "estimator", "metric", "verdict"}) {
    table.columns.push_back({column, "text"});
  }
  table.columns.insert(table.columns.end(),
                       {{"worse by"}, {"p"}, {"reserve"}, {"in words", "text"}});
  for (const GateMember& member : gate->members) {
    table.rows.push_back(MemberRow(member, folder.manifest()));
  }
  if (!table.rows.empty()) text += "<figure>" + table.Render() + "</figure>\n";
  return text;
}

}  // namespace idbench
