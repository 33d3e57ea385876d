#include "reports/gate/gate_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "reports/tables/render.h"
#include "reports/tables/table.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string SignedAmount(double change, bool absolute) {
  return absolute ? fmt::format("{:+.3g}", change) : fmt::format("{:+.2f} %", 100 * change);
}

std::string PrintP(const std::optional<double>& p) {
  return p ? fmt::format("{:.2g}", *p) : kEmptyEntry;
}

std::string PrintEffect(const GateMember& member) {
  if (!std::isfinite(member.effect)) return kEmptyEntry;
  std::string text = SignedAmount(member.effect, member.absolute);
  if (member.interval && member.absolute) {
    text += fmt::format(" [{:+.3g}, {:+.3g}]", member.interval->lower, member.interval->upper);
  } else if (member.interval) {
    text += fmt::format(" [{:+.2f}, {:+.2f}]", 100 * member.interval->lower,
                        100 * member.interval->upper);
  }
  return text;
}

Table MembersTable(const GateReport& report) {
  Table table;
  table.caption = "What changed";
  table.row_header = "verdict";
  table.columns = {{"cell", {}},     {"estimator", {}}, {"what", {}},
                   {"worse by", {}}, {"p", {}},         {"reserve", {}}};
  for (const GateMember& member : report.members) {
    if (member.verdict >= MemberVerdict::kSame && !member.reserve) continue;
    table.row_labels.emplace_back(ToString(member.verdict));
    const std::string reserve =
        member.reserve
            ? fmt::format("{}, p {:.2g}", SignedAmount(member.reserve->effect, member.absolute),
                          member.reserve->p)
            : "";
    const std::array<std::string, 6> texts = {
        member.cell ? RunCell{static_cast<std::int64_t>(*member.cell), member.axes}.Label() : "",
        member.estimator,
        member.metric,
        PrintEffect(member),
        PrintP(member.adjusted_p ? member.adjusted_p : member.p),
        reserve};
    for (std::size_t i = 0; i < texts.size(); ++i) {
      table.columns[i].entries.push_back({texts[i], {}, {}});
    }
  }
  return table;
}

Json ToJson(const GateMember& member) {
  Json json = {{"cell", member.cell.value_or(0)}, {"axes", WriteValue(member.axes)},
               {"estimator", member.estimator},   {"kind", ToString(member.kind)},
               {"metric", member.metric},         {"verdict", ToString(member.verdict)},
               {"effect", member.effect},         {"tolerance", member.tolerance}};
  if (member.absolute) json["absolute"] = true;
  if (member.interval) json["interval"] = {member.interval->lower, member.interval->upper};
  if (member.p) json["p"] = *member.p;
  if (member.adjusted_p) json["adjusted_p"] = *member.adjusted_p;
  if (member.reserve) {
    json["reserve"] = {{"effect", member.reserve->effect}, {"p", member.reserve->p}};
  }
  if (!member.sentence.empty()) json["sentence"] = member.sentence;
  return json;
}

Json ToJson(const GatePower& power) {
  Json json = {{"metric", power.metric.name},
               {"tolerance", power.metric.tolerance},
               {"must_find", power.metric.must_find},
               {"finds", power.finds},
               {"decides", power.decides}};
  if (power.metric.absolute) json["absolute"] = true;
  return json;
}

std::optional<double> NumberIn(const Json& object, const char* key) {
  const auto member = object.find(key);
  if (member == object.end() || !member->is_number()) return std::nullopt;
  return member->get<double>();
}

GatePower PowerFrom(const Json& json) {
  return {.metric = {.name = json.at("metric").get<std::string>(),
                     .tolerance = json.at("tolerance").get<double>(),
                     .must_find = json.at("must_find").get<double>(),
                     .absolute = json.value("absolute", false)},
          .finds = NumberIn(json, "finds").value_or(kInfinity),
          .decides = NumberIn(json, "decides").value_or(kInfinity)};
}

/// "1.2 %", or "1.2" of an absolute change, rounded up, so that what is said to be found is found.
std::string CeilAmount(double change, bool absolute) {
  constexpr double kLeastTold = 0.01;
  const double amount = absolute ? change : 100 * change;
  const char* const unit = absolute ? "" : " %";
  if (amount < kLeastTold) return fmt::format("less than {}{}", kLeastTold, unit);
  const double step = std::pow(10, std::floor(std::log10(amount)) - 1);
  return fmt::format("{:.3g}{}", step * std::ceil(amount / step - 1e-9), unit);
}

std::string PowerSentence(const GatePower& power) {
  const GateMetric& metric = power.metric;
  if (!std::isfinite(power.finds) || !std::isfinite(power.decides)) {
    return fmt::format("{}: so few trials find no change, however large", metric.name);
  }
  const auto declared = [&metric](double change) {
    return metric.absolute ? fmt::format("{:.3g}", change) : fmt::format("{:.3g} %", 100 * change);
  };
  return fmt::format(
      "{}: four of five such gates find a change of {} for the worse (asked for: {}), and "
      "their trials can decide a tolerance of {} (declared: {})",
      metric.name, CeilAmount(power.finds, metric.absolute), declared(metric.must_find),
      CeilAmount(power.decides, metric.absolute), declared(metric.tolerance));
}

std::string NeedsSentence(const GateNeeds& needed, bool rollouts) {
  const char* const units = rollouts ? "roll-outs" : "trials";
  if (needed.reserve == 0) {
    return fmt::format(
        "{} {}, half of them kept back, would decide all that is inconclusive: make both run and "
        "baseline with so many",
        needed.first, units);
  }
  return fmt::format(
      "{} {} and {} reserve {} would decide all that is inconclusive: set /trials and "
      "/gate/reserve_trials, and make both run and baseline anew",
      needed.first, units, needed.reserve, units);
}

std::optional<ConfidenceInterval> IntervalIn(const Json& member) {
  const Json interval = member.value("interval", Json());
  if (interval.size() != 2 || !interval.at(0).is_number() || !interval.at(1).is_number()) {
    return std::nullopt;
  }
  return ConfidenceInterval{interval.at(0).get<double>(), interval.at(1).get<double>()};
}

GateMember MemberFrom(const Json& json, const std::string& pointer, std::vector<Issue>& issues) {
  GateMember member;
  member.cell = json.at("cell").get<std::size_t>();
  const Json axes = json.value("axes", Json::object());
  for (const auto& [axis, value] : axes.items()) {
    member.axes.emplace_back(axis, value.get<std::string>());
  }
  member.estimator = json.at("estimator").get<std::string>();
  if (json.contains("kind")) {
    Binding<GateMemberKind>::Read(json["kind"], pointer + "/kind", {}, member.kind, issues);
  }
  member.metric = json.value("metric", std::string());
  Binding<MemberVerdict>::Read(json.at("verdict"), pointer + "/verdict", {}, member.verdict,
                               issues);
  member.effect = NumberIn(json, "effect").value_or(std::numeric_limits<double>::quiet_NaN());
  member.tolerance = json.value("tolerance", 0.0);
  member.absolute = json.value("absolute", false);
  member.interval = IntervalIn(json);
  member.p = NumberIn(json, "p");
  member.adjusted_p = NumberIn(json, "adjusted_p");
  if (const auto reserve = json.find("reserve"); reserve != json.end()) {
    member.reserve = {reserve->at("effect").get<double>(), reserve->at("p").get<double>()};
  }
  member.sentence = json.value("sentence", std::string());
  return member;
}

GateReport ReportFrom(const Json& json, std::vector<Issue>& issues) {
  GateReport report;
  Binding<GateVerdict>::Read(json.at("verdict"), "/verdict", {}, report.verdict, issues);
  report.baseline = json.value("baseline", std::string());
  report.alpha = json.value("alpha", report.alpha);
  report.tolerance = json.value("tolerance", report.tolerance);
  const Json members = json.value("members", Json::array());
  for (std::size_t i = 0; i < members.size(); ++i) {
    report.members.push_back(MemberFrom(members[i], PointerTo("/members", i), issues));
  }
  for (const Json& power : json.value("powers", Json::array())) {
    report.powers.push_back(PowerFrom(power));
  }
  if (const auto needed = json.find("needed"); needed != json.end()) {
    report.needed = {needed->at("first").get<std::size_t>(),
                     needed->at("reserve").get<std::size_t>()};
    report.units_are_rollouts = needed->value("rollouts", false);
  }
  report.sentences = json.value("sentences", report.sentences);
  return report;
}

}  // namespace

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
  if (report.needed) {
    sentences.push_back(NeedsSentence(*report.needed, report.units_are_rollouts));
  }
  for (const GatePower& power : report.powers) sentences.push_back(PowerSentence(power));
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
  Json json = {{"format", 2},
               {"baseline", report.baseline},
               {"verdict", ToString(report.verdict)},
               {"alpha", report.alpha},
               {"tolerance", report.tolerance},
               {"members", std::move(members)}};
  Json& powers = json["powers"] = Json::array();
  for (const GatePower& power : report.powers) powers.push_back(ToJson(power));
  if (report.needed) {
    json["needed"] = {{"first", report.needed->first},
                      {"reserve", report.needed->reserve},
                      {"rollouts", report.units_are_rollouts}};
  }
  json["sentences"] = report.sentences;
  return json;
}

std::optional<GateReport> ReadGate(const std::filesystem::path& run) {
  const std::filesystem::path file = run / "gate.json";
  if (!std::filesystem::exists(file)) return std::nullopt;
  std::vector<Issue> issues;
  try {
    GateReport report = ReportFrom(ReadJsonFile(file), issues);
    if (issues.empty()) return report;
  } catch (const Json::exception& error) {
    throw ConfigError(file.string(), "", error.what());
  }
  throw ConfigError(file.string(), std::move(issues));
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
