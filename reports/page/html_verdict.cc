#include "reports/page/html_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "reports/page/html_text.h"
#include "scenarios/options/config_error.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

std::string Paragraph(const char* css_class, const std::string& text) {
  return fmt::format("<p class=\"{}\">{}</p>\n", css_class, HtmlEscape(text));
}

std::string SentenceList(const Json& sentences) {
  std::string html = "<ul>\n";
  for (const Json& sentence : sentences) {
    html += fmt::format("<li>{}</li>\n", HtmlEscape(sentence.get<std::string>()));
  }
  return html + "</ul>\n";
}

/// The word on a joint, in the colour of its grade.
HtmlCell PredictedCell(const Json& joint) {
  const auto grade = joint.at("grade").get<std::string>();
  return {HtmlEscape(joint.at("predicted").get<std::string>()),
          {},
          "text verdict " + HtmlEscape(grade == "fair" ? "warn" : grade)};
}

std::string JointTable(const Json& joints) {
  HtmlTable table{{{"joint", "text"},
                   {"torque (sd)"},
                   {"error of the file"},
                   {"of the identified"},
                   {"noise"},
                   {"predicted", "text"}},
                  {},
                  {}};
  for (const Json& joint : joints) {
    table.rows.push_back({{HtmlEscape(joint.at("joint").get<std::string>()), {}, "text"},
                          NumberCell(NumberAt(joint, "torque_nm"), "{:.3g}"),
                          NumberCell(NumberAt(joint, "file_nm"), "{:.3g}"),
                          NumberCell(NumberAt(joint, "identified_nm"), "{:.3g}"),
                          NumberCell(NumberAt(joint, "noise_nm"), "{:.2g}"),
                          PredictedCell(joint)});
  }
  return table.Render();
}

std::vector<std::string> NotesOf(const Json& validation) {
  return validation.value("notes", Json::array()).get<std::vector<std::string>>();
}

/// Notes that every entry has: told once.
std::vector<std::string> NotesOfAll(const Json& validations) {
  std::vector<std::string> shared;
  if (validations.size() < 2) return shared;
  shared = NotesOf(validations[0]);
  for (const Json& validation : validations) {
    const std::vector<std::string> notes = NotesOf(validation);
    std::erase_if(shared, [&](const std::string& note) {
      return std::ranges::find(notes, note) == notes.end();
    });
  }
  return shared;
}

/// @param told  notes that are told elsewhere.
std::string ValidationHtml(const Json& validation, const std::vector<std::string>& told) {
  if (validation.contains("no_verdict")) {
    return "<ul class=\"messages\">\n<li class=\"bad\">" +
           HtmlEscape(fmt::format("No verdict on {}: {}",
                                  validation.at("experiment").get<std::string>(),
                                  validation["no_verdict"].get<std::string>())) +
           "</li>\n</ul>\n";
  }
  std::vector<std::string> notes = NotesOf(validation);
  std::erase_if(
      notes, [&](const std::string& note) { return std::ranges::find(told, note) != told.end(); });
  return "<div>\n" + Paragraph("claim", validation.at("sentence").get<std::string>()) +
         JointTable(validation.at("joints")) + HtmlNotes(notes) + "</div>\n";
}

}  // namespace

std::string HtmlVerdict(const RunFolder& folder) {
  const std::filesystem::path file = folder.directory() / "verdict.json";
  std::error_code missing;
  if (!std::filesystem::exists(file, missing)) return "";
  const Json verdict = ReadJsonFile(file.string());
  try {
    const Json& validations = verdict.at("validation");
    std::vector<std::string> shared = NotesOfAll(validations);
    std::string html = "<div class=\"verdicts\">\n";
    for (const Json& validation : validations) html += ValidationHtml(validation, shared);
    html += "</div>\n";
    shared.insert(
        shared.begin(),
        "[N·m, N] root mean squares of held-out torque; of the torque itself its standard "
        "deviation");
    html += HtmlNotes(shared);
    html += "<h3>What the data tell</h3>\n" + SentenceList(verdict.at("parameters"));
    html += "<details><summary>How the logs were read and prepared</summary>\n" +
            SentenceList(verdict.at("found")) + SentenceList(verdict.at("prepared")) +
            "</details>\n";
    return html;
  } catch (const Json::exception& error) {
    throw ConfigError(file.string(), "", error.what());
  }
}

}  // namespace idbench
