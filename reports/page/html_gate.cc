#include "reports/page/html_gate.h"

#include <fmt/format.h>

#include <algorithm>
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

/// What the numbers of a member are multiplied by: percent of relative changes.
double ScaleOf(const GateMember& member) { return member.absolute ? 1.0 : 100.0; }

/// Tells an absolute change from the percentages of its column.
std::string UnitOf(const GateMember& member) {
  return member.absolute ? " <span class=\"unit\">(absolute)</span>" : "";
}

HtmlCell EffectCell(const GateMember& member) {
  const bool known = std::isfinite(member.effect);
  const double scale = ScaleOf(member);
  HtmlCell cell =
      NumberCell(known ? std::optional(scale * member.effect) : std::nullopt, "{:+.2f}");
  if (known && member.interval) {
    cell.html += fmt::format(" <span class=\"interval\">[{:+.2f}, {:+.2f}]</span>",
                             scale * member.interval->lower, scale * member.interval->upper);
  }
  if (known) cell.html += UnitOf(member);
  return cell;
}

HtmlCell ReserveCell(const GateMember& member) {
  if (!member.reserve) return NumberCell(std::nullopt, "{}");
  return {fmt::format("{:+.2f} <span class=\"interval\">p {:.2g}</span>{}",
                      ScaleOf(member) * member.reserve->effect, member.reserve->p, UnitOf(member)),
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

std::string CellLabel(const GateMember& member, const RunManifest& manifest) {
  const std::size_t index = member.cell.value_or(0);
  return index < manifest.cells.size() ? manifest.cells[index].Label()
                                       : fmt::format("cell {}", index);
}

/// All members; reserve and words have a column where a member has them.
HtmlTable MembersTable(const GateReport& gate, const RunManifest& manifest) {
  const auto any = [&gate](auto&& has) { return std::ranges::any_of(gate.members, has); };
  const bool reserve = any([](const GateMember& member) { return member.reserve.has_value(); });
  const bool words = any([](const GateMember& member) { return !member.sentence.empty(); });
  HtmlTable table;
  for (const char* column : {"cell", "estimator", "metric", "verdict"}) {
    table.columns.push_back({column, "text"});
  }
  table.columns.push_back({"worse by [%]"});
  table.columns.push_back({"p"});
  if (reserve) table.columns.push_back({"reserve [%]"});
  if (words) table.columns.push_back({"in words", "text"});
  for (const GateMember& member : gate.members) {
    auto& row = table.rows.emplace_back();
    row.push_back({HtmlEscape(CellLabel(member, manifest)), {}, "text name"});
    row.push_back({HtmlEscape(member.estimator), {}, "text name"});
    row.push_back({fmt::format("{} <span class=\"unit\">({})</span>", Breakable(member.metric),
                               ToString(member.kind)),
                   {},
                   "text name"});
    row.push_back({std::string(ToString(member.verdict)),
                   {},
                   std::string("text verdict ") + ColourOf(member.verdict)});
    row.push_back(EffectCell(member));
    row.push_back(NumberCell(member.adjusted_p ? member.adjusted_p : member.p, "{:.2g}"));
    if (reserve) row.push_back(ReserveCell(member));
    if (words) row.push_back({HtmlEscape(member.sentence), {}, "text wrap"});
  }
  return table;
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
  const HtmlTable table = MembersTable(*gate, folder.manifest());
  if (!table.rows.empty()) text += "<figure>" + table.Render() + "</figure>\n";
  return text;
}

}  // namespace idbench
