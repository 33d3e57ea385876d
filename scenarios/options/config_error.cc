#include "scenarios/options/config_error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace idbench {
namespace {

std::string Format(const std::string& source, const std::vector<Issue>& issues) {
  std::string text;
  for (const Issue& issue : issues) {
    if (!text.empty()) text += '\n';
    text += source;
    if (!issue.where.empty()) text += ": " + issue.where;
    text += ": " + issue.what;
    for (const std::string& line : issue.details) text += "\n  " + line;
  }
  return text;
}

/// Damerau-Levenshtein distance (optimal string alignment).
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + substitution});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

ConfigError::ConfigError(std::string source, std::vector<Issue> issues)
    : std::runtime_error(Format(source, issues)),
      source_(std::move(source)),
      issues_(std::move(issues)) {}

ConfigError::ConfigError(std::string source, std::string where, std::string what,
                         std::vector<std::string> details)
    : ConfigError(std::move(source),
                  {Issue{std::move(where), std::move(what), std::move(details)}}) {}

bool LacksOnlyUnit(std::string_view got, std::string_view accepted) {
  static constexpr std::array<std::string_view, 16> kUnits = {
      "_s", "_hz", "_rad", "_rad_s", "_rad_s2", "_m", "_m_s", "_m_s2",
      "_n", "_nm", "_kg",  "_kgm",   "_kgm2",   "_a", "_v",   "_nms_rad"};
  return !got.empty() && accepted.starts_with(got) &&
         std::ranges::find(kUnits, accepted.substr(got.size())) != kUnits.end();
}

std::string NearestName(std::string_view got, const std::vector<std::string>& accepted) {
  std::string nearest;
  std::size_t best = std::string::npos;
  for (const std::string& name : accepted) {
    if (LacksOnlyUnit(got, name)) return name;
    const std::size_t longer = std::max(got.size(), name.size());
    const std::size_t distance = EditDistance(got, name);
    const bool near = distance < longer && distance <= std::max<std::size_t>(1, longer / 3);
    if (near && distance < best) {
      best = distance;
      nearest = name;
    }
  }
  return nearest;
}

std::string ListSome(const std::vector<std::string>& names) {
  constexpr std::ptrdiff_t kShown = 6;
  const std::ptrdiff_t rest = std::ssize(names) - kShown;
  if (rest <= 1) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + kShown, ", "),
                     rest);
}

std::vector<std::string> AcceptedNames(std::string_view got,
                                       const std::vector<std::string>& accepted) {
  std::vector<std::string> lines;
  lines.push_back(accepted.empty() ? std::string("nothing is accepted here")
                                   : fmt::format("accepted here: {}", fmt::join(accepted, ", ")));
  const std::string nearest = NearestName(got, accepted);
  if (!nearest.empty()) {
    lines.push_back(LacksOnlyUnit(got, nearest)
                        ? fmt::format("a key carries its unit: did you mean '{}'?", nearest)
                        : fmt::format("did you mean '{}'?", nearest));
  }
  return lines;
}

}  // namespace idbench
