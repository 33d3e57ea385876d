#include "reports/gate/gate_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reports/tables/render.h"
#include "reports/tables/table.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

std::string SignedPercent(double fraction) { return fmt::format("{:+.2f} %", 100 * fraction); }

std::string PrintP(const std::optional<double>& p) {
  return p ? fmt::format("{:.2g}", *p) : kNothing;
}

std::string PrintEffect(const GateMember& member) {
  std::string text = SignedPercent(member.effect);
  if (member.interval) {
    text += fmt::format(" [{:+.2f}, {:+.2f}]", 100 * member.interval->lower,
                        100 * member.interval->upper);
  }
  return text;
}

Table MembersTable(const GateReport& report) {
  Table table;
  table.caption = "What changed";
  table.row_header = "verdict";
  table.columns = {{"cell", {}},   {"estimator", {}}, {"what", {}},
                   {"change", {}}, {"p (Holm)", {}},  {"reserve", {}}};
  for (const GateMember& member : report.members) {
    if (member.verdict >= MemberVerdict::kSame && !member.reserve) continue;
    table.row_labels.push_back(ToString(member.verdict));
    const std::string reserve =
        member.reserve
            ? fmt::format("{}, p {:.2g}", SignedPercent(member.reserve->effect), member.reserve->p)
            : "";
    // Workloads have no cell.
    const bool of_cell = member.kind != "instructions" && member.metric != "ns";
    const std::array<std::string, 6> texts = {
        of_cell ? RunCell{static_cast<std::int64_t>(member.cell), member.axes}.Label() : "",
        member.estimator,
        member.metric,
        PrintEffect(member),
        PrintP(member.adjusted_p),
        reserve};
    for (std::size_t i = 0; i < texts.size(); ++i) {
      table.columns[i].entries.push_back({texts[i], {}, {}});
    }
  }
  return table;
}

Json ToJson(const GateMember& member) {
  Json json = {{"cell", member.cell},           {"axes", WriteValue(member.axes)},
               {"estimator", member.estimator}, {"kind", member.kind},
               {"metric", member.metric},       {"verdict", ToString(member.verdict)},
               {"effect", member.effect}};
  if (member.interval) json["interval"] = {member.interval->lower, member.interval->upper};
  if (member.p) json["p"] = *member.p;
  if (member.adjusted_p) json["adjusted_p"] = *member.adjusted_p;
  if (member.reserve) {
    json["reserve"] = {{"effect", member.reserve->effect}, {"p", member.reserve->p}};
  }
  if (!member.sentence.empty()) json["sentence"] = member.sentence;
  return json;
}

}  // namespace

std::string ToString(MemberVerdict verdict) {
  constexpr std::array kNames = {"regression", "inconclusive", "improved", "same", "identical"};
  static_assert(kNames.size() == kMemberVerdicts);
  return kNames[static_cast<std::size_t>(verdict)];
}

std::string ToString(GateVerdict verdict) {
  constexpr std::array kNames = {"pass", "regression", "inconclusive", "incomparable"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::string PrintTally(const GateReport& report) {
  const std::array<std::size_t, kMemberVerdicts> counts = report.Tally();
  std::string tally;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    tally += fmt::format("{}{} {}", tally.empty() ? "" : ", ", counts[i],
                         ToString(static_cast<MemberVerdict>(i)));
  }
  return tally;
}

std::vector<std::string> SentencesOf(const GateReport& report) {
  std::vector<std::string> sentences;
  if (report.units_needed > 0) {
    sentences.push_back(fmt::format("{} {} would do for all that is inconclusive",
                                    report.units_needed,
                                    report.units_are_rollouts ? "roll-outs" : "trials"));
  }
  sentences.insert(sentences.end(), report.sentences.begin(), report.sentences.end());
  return sentences;
}

std::string ReasonOf(const GateReport& report) {
  const auto told = std::ranges::find_if(
      report.members, [](const GateMember& member) { return !member.sentence.empty(); });
  if (told != report.members.end()) return told->sentence;
  const std::vector<std::string> sentences = SentencesOf(report);
  return sentences.empty() ? "" : sentences.front();
}

Json ToJson(const GateReport& report) {
  Json members = Json::array();
  for (const GateMember& member : report.members) members.push_back(ToJson(member));
  return {{"format", 1},
          {"baseline", report.baseline},
          {"verdict", ToString(report.verdict)},
          {"alpha", report.alpha},
          {"tolerance", report.tolerance},
          {"members", std::move(members)},
          {"sentences", SentencesOf(report)}};
}

std::string RenderGate(const GateReport& report) {
  const std::string tally = PrintTally(report);
  std::string text =
      fmt::format("gate: {}{}{}\n", ToString(report.verdict), tally.empty() ? "" : ": ", tally);
  const Table table = MembersTable(report);
  if (!table.row_labels.empty()) text += '\n' + RenderMarkdown(table);
  for (const GateMember& member : report.members) {
    if (!member.sentence.empty()) text += fmt::format("- {}\n", member.sentence);
  }
  for (const std::string& sentence : SentencesOf(report)) text += fmt::format("- {}\n", sentence);
  return text;
}

}  // namespace idbench
