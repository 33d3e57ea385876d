#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace idbench {

/// One thing that is wrong in a file that a user wrote.
struct Issue {
  std::string where;                 ///< JSON pointer, "line 7, column 3", element name …
  std::string what;                  ///< What was found there.
  std::vector<std::string> details;  ///< What is accepted, the likely cure; one line each.
};

/// All issues of one file, reported at once.
///
/// what() prints each issue as `source: where: what`, its details indented below it.
class ConfigError : public std::runtime_error {
 public:
  ConfigError(std::string source, std::vector<Issue> issues);
  ConfigError(std::string source, std::string where, std::string what,
              std::vector<std::string> details = {});

  const std::string& source() const { return source_; }
  const std::vector<Issue>& issues() const { return issues_; }

 private:
  std::string source_;
  std::vector<Issue> issues_;
};

/// The member of `accepted` that a misspelt `got` most likely stood for; empty if none is near.
///
/// Near means a Damerau-Levenshtein distance of at most a third of the longer name (at least 1)
/// that leaves some letter in common; the first of equally near names is taken. A name that only
/// lacks its unit (`duration` for `duration_s`) is the nearest.
std::string NearestName(std::string_view got, const std::vector<std::string>& accepted);

/// True if `accepted` is `got` with a unit behind it: ("duration", "duration_s").
bool LacksOnlyUnit(std::string_view got, std::string_view accepted);

/// The names between commas; of more than seven, the first six and how many more there are.
std::string ListSome(const std::vector<std::string>& names);

/// The details of an issue with a name: "accepted here: …" and, if one is near, "did you mean
/// '…'?".
std::vector<std::string> AcceptedNames(std::string_view got,
                                       const std::vector<std::string>& accepted);

}  // namespace idbench
