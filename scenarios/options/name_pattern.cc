#include "scenarios/options/name_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace idbench {
namespace {

constexpr int kLargestRange = 1000;

bool ParseIndex(std::string_view text, int& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end && value >= 0;
}

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// The trimmed texts between the commas that are not inside braces.
std::vector<std::string_view> Split(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') inside = true;
    if (text[i] == '}') inside = false;
    if (text[i] != ',' || inside) continue;
    parts.push_back(Trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  parts.push_back(Trimmed(text.substr(begin)));
  return parts;
}

/// Appends the names that `item` stands for and returns what is wrong with it.
std::string ExpandItem(std::string_view item, std::vector<std::string>& names) {
  if (item.empty()) return "a name is empty";
  const std::size_t open = item.find('{');
  const std::size_t close = item.find('}');
  if (open == std::string_view::npos && close == std::string_view::npos) {
    names.emplace_back(item);
    return "";
  }
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    return fmt::format("'{}' has a brace without its partner", item);
  }
  const std::string_view before = item.substr(0, open);
  const std::string_view range = item.substr(open + 1, close - open - 1);
  const std::string_view after = item.substr(close + 1);
  if (after.find_first_of("{}") != std::string_view::npos) {
    return fmt::format("'{}' has more than one range", item);
  }
  if (range.find(',') != std::string_view::npos) {
    for (const std::string_view part : Split(range)) {
      if (part.empty()) return fmt::format("'{}' has an empty name in its list", item);
      names.push_back(fmt::format("{}{}{}", before, part, after));
    }
    return "";
  }
  const std::size_t dots = range.find("..");
  int first = 0, last = 0;
  if (dots == std::string_view::npos || !ParseIndex(range.substr(0, dots), first) ||
      !ParseIndex(range.substr(dots + 2), last)) {
    return fmt::format("'{}' has the range '{{{}}}', which is not like {{1..7}}", item, range);
  }
  if (last < first) return fmt::format("'{}' has a range that runs backwards", item);
  if (last - first + 1 > kLargestRange) {
    return fmt::format("'{}' stands for more than {} names", item, kLargestRange);
  }
  for (int i = first; i <= last; ++i) names.push_back(fmt::format("{}{}{}", before, i, after));
  return "";
}

}  // namespace

std::vector<std::string> ExpandPattern(std::string_view pattern, std::string& problem) {
  std::vector<std::string> names;
  problem.clear();
  for (const std::string_view item : Split(pattern)) {
    problem = ExpandItem(item, names);
    if (!problem.empty()) break;
  }
  if (!problem.empty()) names.clear();
  return names;
}

std::vector<std::string> ExpandPatternAmong(std::string_view pattern,
                                            const std::vector<std::string>& names,
                                            std::string_view owner, const std::string& where,
                                            std::vector<Issue>& issues) {
  std::string problem;
  std::vector<std::string> expanded = ExpandPattern(pattern, problem);
  if (!problem.empty()) issues.push_back({where, problem, {}});
  std::erase_if(expanded, [&](const std::string& name) {
    if (std::ranges::find(names, name) != names.end()) return false;
    issues.push_back(
        {where, fmt::format("{} has no \"{}\"", owner, name), AcceptedNames(name, names)});
    return true;
  });
  return expanded;
}

}  // namespace idbench
