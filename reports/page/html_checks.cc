#include "reports/page/html_checks.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

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
  std::vector<std::pair<std::string, std::string>> facts;
  try {
    for (const Json& finding : findings) {
      const auto text = [&finding](const char* key) {
        return HtmlEscape(finding.at(key).get<std::string>());
      };
      const std::string joint = text("joint");
      facts.emplace_back(text("check"),
                         fmt::format("{}{}{}<br><b>Cure:</b> {}", joint, joint.empty() ? "" : ": ",
                                     text("evidence"), text("cure")));
    }
  } catch (const Json::exception& error) {
    throw ConfigError(file.string(), "", error.what());
  }
  return "<p class=\"lead\">Nothing of this was corrected: the results are of the logs as they "
         "are.</p>\n" +
         HtmlFacts(facts);
}

}  // namespace idbench
