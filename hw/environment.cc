#include "hw/environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

/// The name of a variable, and how many characters of the text behind the $ it takes up.
struct Reference {
  std::string name;
  std::size_t length = 0;
};

Reference ReadReference(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789";
  constexpr std::string_view kNameCharacters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
  const bool braced = text.starts_with('{');
  const std::string_view rest = braced ? text.substr(1) : text;
  const std::size_t length = std::min(rest.find_first_not_of(kNameCharacters), rest.size());
  if (length == 0 || kDigits.find(rest[0]) != std::string_view::npos) return {};
  if (braced && rest.substr(length, 1) != "}") return {};
  return {std::string(rest.substr(0, length)), length + (braced ? 2 : 0)};
}

}  // namespace

std::string ExpandEnvironment(const std::string& text, const std::vector<std::string>& details) {
  std::string result;
  std::vector<Issue> issues;
  std::string_view rest = text;
  for (std::size_t dollar = rest.find('$'); dollar != std::string_view::npos;
       dollar = rest.find('$')) {
    const Reference reference = ReadReference(rest.substr(dollar + 1));
    result += rest.substr(0, dollar);
    rest.remove_prefix(dollar + 1 + reference.length);
    if (reference.name.empty()) {
      result += '$';
      continue;
    }
    const char* const value = std::getenv(reference.name.c_str());
    if (value != nullptr && *value != '\0') {
      result += value;
    } else {
      Issue issue{"",
                  fmt::format("the environment variable {} is not set", reference.name),
                  {fmt::format("set it: export {}=/path/to/folder", reference.name)}};
      issue.details.insert(issue.details.end(), details.begin(), details.end());
      issues.push_back(std::move(issue));
    }
  }
  if (!issues.empty()) throw ConfigError(text, std::move(issues));
  return result.append(rest);
}

}  // namespace idbench
