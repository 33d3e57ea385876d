#include "reports/junit.h"

#include <fmt/format.h>

#include <optional>
#include <pugixml.hpp>
#include <sstream>
#include <utility>

#include "reports/files/printable_text.h"
#include "reports/gate/gate_report.h"

namespace idbench {
namespace {

/// Adds an attribute. pugixml escapes a control character, which makes it no better XML.
void SetText(pugi::xml_node node, const char* name, const std::string& text) {
  node.append_attribute(name) = PrintableText(text).c_str();
}

/// A suite that counts its cases.
class Suite {
 public:
  Suite(pugi::xml_node root, const std::string& name) : node_(root.append_child("testsuite")) {
    SetText(node_, "name", name);
    for (const char* count : {"tests", "failures", "errors", "skipped"}) {
      node_.append_attribute(count) = 0;
    }
  }

  pugi::xml_node AddCase(const std::string& class_name, const std::string& name) {
    Count("tests");
    pugi::xml_node test_case = node_.append_child("testcase");
    SetText(test_case, "classname", class_name);
    SetText(test_case, "name", name);
    return test_case;
  }

  void Fail(pugi::xml_node test_case, const std::string& message, const std::string& type,
            const std::string& text) {
    Count("failures");
    pugi::xml_node failure = test_case.append_child("failure");
    SetText(failure, "message", message);
    SetText(failure, "type", type);
    failure.append_child(pugi::node_pcdata).set_value(PrintableText(text).c_str());
  }

  void Refuse(pugi::xml_node test_case, const std::string& message, const std::string& type) {
    Count("errors");
    pugi::xml_node error = test_case.append_child("error");
    SetText(error, "message", message);
    SetText(error, "type", type);
  }

  void Skip(pugi::xml_node test_case, const std::string& message) {
    Count("skipped");
    SetText(test_case.append_child("skipped"), "message", message);
  }

 private:
  void Count(const char* what) {
    pugi::xml_attribute count = node_.attribute(what);
    count = count.as_int() + 1;
  }

  pugi::xml_node node_;
};

void AddEstimator(const EstimatorSummary& estimator, const std::string& class_name, Suite& suite) {
  pugi::xml_node test_case = suite.AddCase(class_name, estimator.label);
  if (estimator.estimate_ms) {
    test_case.append_attribute("time") =
        fmt::format("{:.9f}", estimator.estimate_ms->median / 1000).c_str();
  }
  const EstimateTally& tally = estimator.tally;
  if (tally.trials == 0) suite.Skip(test_case, "not run");
  if (tally.failed == 0) return;
  std::string types;
  std::string text;
  for (const auto& [outcome, count] : tally.reasons) {
    const std::string& sentence = tally.sentences.at(outcome);
    types += (types.empty() ? "" : ", ") + outcome;
    text += fmt::format("{} {}{}{}\n", outcome, count, sentence.empty() ? "" : ": ", sentence);
  }
  suite.Fail(
      test_case,
      fmt::format("{} of {} {}s failed", tally.failed, tally.trials, RecordNoun(estimator.subject)),
      types, text);
}

void AddMember(const GateMember& member, const RunManifest& manifest, Suite& suite) {
  const std::size_t cell = member.cell.value_or(0);
  const std::string where =
      cell < manifest.cells.size() ? manifest.cells[cell].Label() : fmt::format("cell {}", cell);
  const std::string verdict(ToString(member.verdict));
  const std::string& sentence = member.sentence.empty() ? verdict : member.sentence;
  pugi::xml_node test_case =
      suite.AddCase(fmt::format("gate.{}", ToString(member.kind)),
                    fmt::format("{}: {}: {}", where, member.estimator, member.metric));
  if (member.verdict == MemberVerdict::kRegression) {
    suite.Fail(test_case, sentence, verdict, sentence);
  } else if (member.verdict == MemberVerdict::kInconclusive) {
    suite.Refuse(test_case, sentence, verdict);
  }
}

void AddGate(const RunFolder& folder, pugi::xml_node root) {
  const std::optional<GateReport> gate = ReadGate(folder.directory());
  if (!gate) return;
  Suite suite(root, "gate");
  for (const GateMember& member : gate->members) AddMember(member, folder.manifest(), suite);
  if (!gate->members.empty()) return;
  pugi::xml_node test_case = suite.AddCase("gate", "baseline");
  if (gate->verdict != GateVerdict::kPass) {
    const std::string reason = ReasonOf(*gate);
    const std::string verdict(ToString(gate->verdict));
    suite.Refuse(test_case, reason.empty() ? verdict : reason, verdict);
  }
}

}  // namespace

std::string RenderJunit(const RunFolder& folder, const Summary& summary) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node root = document.append_child("testsuites");
  const std::string name = folder.manifest().Name();
  SetText(root, "name", name.empty() ? "idbench" : name);
  for (const CellSummary& cell : summary.cells) {
    Suite suite(root, cell.cell.Label());
    for (const EstimatorSummary& estimator : cell.estimators) {
      AddEstimator(estimator, fmt::format("{}.{}", name, cell.cell.Label()), suite);
    }
  }
  AddGate(folder, root);
  std::ostringstream text;
  document.save(text, "  ");
  return std::move(text).str();
}

}  // namespace idbench
