#include "reports/page/html_checks.h"

#include <filesystem>
#include <system_error>

#include "reports/page/html_text.h"
#include "scenarios/options/config_error.h"
#include "scenarios/options/json.h"

namespace idbench {

std::string HtmlChecks(const RunFolder& folder) {
  const std::filesystem::path file = folder.directory() / "checks.json";
  std::error_code missing;
  if (!std::filesystem::exists(file, missing)) return "";
  const Json findings = ReadJsonFile(file.string());
  if (!findings.is_array()) throw ConfigError(file.string(), "", "is no list of findings");
  if (findings.empty()) return "<p class=\"lead\">Nothing: no check found a mistake.</p>\n";
  HtmlTable table{
      {{"check", "text"}, {"joint", "text"}, {"evidence", "text"}, {"cure", "text"}}, {}, {}};
  try {
    for (const Json& finding : findings) {
      std::vector<HtmlCell> row;
      for (const char* key : {"check", "joint", "evidence", "cure"}) {
        row.push_back({HtmlEscape(finding.at(key).get<std::string>()), {}, "text"});
      }
      table.rows.push_back(std::move(row));
    }
  } catch (const Json::exception& error) {
    throw ConfigError(file.string(), "", error.what());
  }
  return "<p class=\"lead\">Nothing of this was corrected: the results are of the logs as they "
         "are.</p>\n" +
         table.Render();
}

}  // namespace idbench
